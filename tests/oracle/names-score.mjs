// Scores inferred function names against every set of expected names there is in the corpus.
//
//   node tests/oracle/names-score.mjs --dump build/release/tests/dump_names [--no-contents] [--misses N]
//
// Exits with 1 if a share is below what is promised (kLeast), when run with the source texts.
//
//   expected-lookups  names by another implementation (symbolic); null is anonymous, "" is top level
//   expected-scopes   the same for scope extraction (js-source-scopes)
//   truth             names that V8 printed for the same program run unbundled
//   npm               names of the innermost function in the original source
//
// Names are compared by `bare`: what comes last, without class, object, `new`, `get` and `set`. V8 puts
// the type of the receiver before a name, which no artifact tells.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import * as acorn from 'acorn';

const args = process.argv.slice(2);
const option = (name) => { const i = args.indexOf(name); return i < 0 ? undefined : args[i + 1]; };
const dump = option('--dump');
const misses = Number(option('--misses') ?? 10);
const corpus = process.env.TWOFOLD_CORPUS ?? option('--corpus') ?? path.resolve(import.meta.dirname, '../../../shared/corpus');
if (!dump) {
  console.error('usage: node names-score.mjs --dump TOOL [--no-contents] [--misses N] [--corpus FOLDER]');
  process.exit(2);
}
if (!fs.existsSync(corpus)) {
  console.log(`skipped: no corpus at ${corpus}`);
  process.exit(0);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'names-'));

const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file) : zlib.gunzipSync(fs.readFileSync(file + '.gz')));
const asFile = (bytes, name) => { const file = path.join(folder, name); fs.writeFileSync(file, bytes); return file; };

let pairs = 0;
// Answers to [line, column] questions, 0-based: { nature, name }.
function ask(bundle, map, questions) {
  const id = pairs++;
  if (!map) return send([`= ${bundle}`, ...questions.map(([line, column]) => `${line} ${column}`)], questions.length);
  let json = read(map);
  if (args.includes('--no-contents')) json = Buffer.from(json.toString().replaceAll('"sourcesContent"', '"x_left_out"'));
  const lines = [`= ${asFile(read(bundle), `${id}.js`)}\t${asFile(json, `${id}.map`)}`,
    ...questions.map(([line, column]) => `${line} ${column}`)];
  return send(lines, questions.length);
}

function send(lines, count) {
  const run = spawnSync(dump, { input: lines.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.stderr) console.log(run.stderr.trim());
  return run.stdout.split('\n').slice(0, count).map((line) => {
    const [nature, ...name] = line.split(' ');
    return { nature: nature.slice(1), name: name.join(' ') || null };
  });
}

const bare = (name) => name?.replace(/ \[as .*\]$/, '').replace(/^(async |new |get |set )+/, '').replace(/^.*\.(?=[^.])/, '').replace(/^(get|set) /, '');

// The least share of equal names, in percent.
const kLeast = { 'expected-lookups': 100, 'expected-scopes': 100, 'truth, all': 98, 'npm, all': 95 };

// Where an expectation is not the name that V8 prints for the same program unbundled: what is, and why.
const contested = {
  // The bundle's function is anonymous; what it calls is foo of foo.js, inlined, and V8 says foo.
  'inlining 1:34': 'foo',
};

class Score {
  constructor(title) { this.title = title; this.right = 0; this.all = 0; this.missed = new Map(); }
  add(right, what) {
    this.all++;
    if (right) this.right++;
    else this.missed.set(what, (this.missed.get(what) ?? 0) + 1);
  }
  print(limit = misses) {
    const isLow = 100 * this.right < (kLeast[this.title] ?? 0) * this.all;
    if (isLow && !args.includes('--no-contents')) process.exitCode = 1;
    console.log(`${this.title}: ${this.right} of ${this.all}` + (this.all ? ` (${(100 * this.right / this.all).toFixed(1)} %)` : ''));
    for (const [what, count] of [...this.missed].sort((a, b) => b[1] - a[1]).slice(0, limit)) console.log(`   ${count} x ${what}`);
  }
}

function expectedLookups() {
  const root = path.join(corpus, 'A-js/symbolic');
  const score = new Score('expected-lookups');
  for (const one of JSON.parse(read(path.join(root, 'expected-lookups.json'))).cases) {
    const lookups = one.lookups.filter((lookup) => !lookup.none);
    if (!lookups.length || !one.bundle || one.name === 'hermes' || one.name === 'metro') continue;
    const answers = ask(path.join(root, one.bundle), path.join(root, one.map), lookups.map(({ generated: g }) => [g.line - 1, g.column - 1]));
    lookups.forEach((lookup, i) => {
      const at = `${one.name} ${lookup.generated.line}:${lookup.generated.column}`;
      const wanted = contested[at] ?? lookup.scope;
      const expected = wanted === null ? 'anonymous' : wanted === '' ? 'global' : wanted;
      const { nature, name } = answers[i];
      const right = wanted ? name === expected : nature === expected;
      score.add(right, `${at} ${nature} ${name}, not ${expected}`);
    });
  }
  score.print();
}

function expectedScopes() {
  const root = path.join(corpus, 'A-js/js-source-scopes');
  const score = new Score('expected-scopes');
  const expected = JSON.parse(read(path.join(root, 'expected-scopes.json')));
  const check = (what, answer, name) => score.add(name === null ? answer.nature === 'anonymous' : answer.name === name,
    `${what}: ${answer.nature} ${answer.name}, not ${name}`);
  const places = Object.entries(expected.trace_sync_mjs);
  // The columns there are those of a V8 trace, 1-based.
  const answers = ask(path.join(corpus, 'A-js/symbolic/trace/sync.mjs'), '', places.map(([at]) => at.split(':').map((n) => n - 1)));
  places.forEach(([at, name], i) => check(`sync.mjs:${at}`, answers[i], name));
  for (const one of expected.cases) {
    const bundle = path.join(root, one.bundle);
    const scopes = scopesOf(read(bundle).toString());
    const wanted = one.scopes ?? { [scopes.findIndex((scope, i) => (one.minified ? scope.id === one.minified : i === one.scope_index))]: one.ideal ?? one.name };
    const got = ask(bundle, path.join(root, one.map ?? one.bundle + '.map'), Object.keys(wanted).map((index) => scopes[index].at));
    Object.entries(wanted).forEach(([index, name], i) => check(`${one.bundle} scope ${index}`, got[i], name));
  }
  score.print();
}

// The functions and classes in order: own name, and where the body begins as [line, column].
function scopesOf(text) {
  const found = [];
  const visit = (node) => {
    if (!node || typeof node !== 'object') return;
    if (/Function|^Class(Declaration|Expression)$/.test(node.type ?? '')) {
      const { line, column } = node.body.loc.start;
      found.push({ id: node.id?.name, at: [line - 1, column + (node.body.type === 'BlockStatement' ? 1 : 0)] });
    }
    for (const key in node) if (key !== 'loc') visit(node[key]);
  };
  visit(acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }));
  return found;
}

function truth() {
  const root = path.join(corpus, 'A-js/truth');
  const total = new Score('truth, all');
  for (const bundler of fs.readdirSync(root)) {
    const file = path.join(root, bundler, 'cases.json');
    if (!fs.existsSync(file)) continue;
    const score = new Score(`truth, ${bundler}`);
    const questions = new Map();
    for (const one of JSON.parse(read(file)).cases) {
      for (const frame of one.frames) {
        if (frame.truth === undefined) continue;
        const bundle = frame.file;
        if (!questions.has(bundle)) questions.set(bundle, []);
        questions.get(bundle).push({ frame, expected: one.truth[frame.truth].function, in: one.name });
      }
    }
    for (const [bundle, list] of questions) {
      const js = path.join(root, bundler, bundle);
      if (!fs.existsSync(js)) { console.log('no file', js); continue; }
      const answers = ask(js, js + '.map', list.map(({ frame }) => [frame.line - 1, frame.column - 1]));
      list.forEach((question, i) => {
        const got = answers[i].name;
        const right = question.expected === null ? got === null : bare(got) === bare(question.expected);
        const what = `${got}, not ${question.expected} (${question.in} ${bundle}:${question.frame.line}:${question.frame.column})`;
        score.add(right, what);
        total.add(right, what);
      });
    }
    score.print();
  }
  total.print(0);
}

function npm() {
  const root = path.join(corpus, 'A-js/npm');
  const total = new Score('npm, all');
  for (const file of fs.readdirSync(path.join(root, 'lookups'))) {
    const one = JSON.parse(read(path.join(root, 'lookups', file)));
    const lookups = one.lookups.filter((lookup) => lookup.enclosing !== undefined);
    const score = new Score(`npm, ${one.pkg}`);
    if (!lookups.length) continue;
    const base = path.join(root, 'public', one.pkg.replace('/', '+'));
    const answers = ask(path.join(base, path.basename(one.bundle)), path.join(base, path.basename(one.map)), lookups.map(({ at }) => [at[0] - 1, at[1]]));
    lookups.forEach((lookup, i) => {
      const expected = { '<top>': null, '<anonymous>': null }[lookup.enclosing] === null ? null : lookup.enclosing;
      const got = answers[i].name;
      const right = expected === null ? got === null : bare(got) === bare(expected);
      const what = `${answers[i].nature} ${got}, not ${lookup.enclosing} at ${lookup.at} ${lookup.source}:${lookup.line}:${lookup.column}`;
      score.add(right, what);
      total.add(right, what);
    });
    score.print();
  }
  total.print(0);
}

expectedLookups();
expectedScopes();
truth();
npm();
fs.rmSync(folder, { recursive: true });
