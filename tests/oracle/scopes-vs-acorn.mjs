// Compares the scanner's scopes with acorn's, [begin, end) of every function, class and static block.
//
//   node tests/oracle/scopes-vs-acorn.mjs --dump build/release/tests/dump_scopes [--sample | --count N]
//
// Inputs: the bundles of the corpus, test262-parser-tests (`pass` and `pass-explicit`), and programs made
// by a seeded generator and minified with terser, esbuild and swc: 2,000 minified ones, or as many as
// `--count` says. `--sample` takes a part of each.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import os from 'node:os';
import zlib from 'node:zlib';
import { createRequire } from 'node:module';
import * as acorn from 'acorn';
import { generateProgram } from './generate-program.mjs';
import { minifiers, stopMinifiers } from './minifiers.mjs';

const require = createRequire(import.meta.url);
const SCOPES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression',
  'ClassDeclaration', 'ClassExpression', 'StaticBlock']);

function kindOf(node) {
  if (node.type === 'ArrowFunctionExpression') return 'arrow';
  if (node.type === 'StaticBlock') return 'static';
  return node.type.startsWith('Class') ? 'class' : 'function';
}

// All scopes of an AST in text order; iterative, as bundles nest deeper than the JavaScript stack likes.
function scopesOf(ast) {
  const found = [];
  const stack = [ast];
  while (stack.length) {
    const node = stack.pop();
    if (Array.isArray(node)) { stack.push(...node); continue; }
    if (SCOPES.has(node.type)) {
      const { start, end } = node.loc;
      found.push([node.start, `${kindOf(node)} ${start.line - 1}:${start.column} ${end.line - 1}:${end.column}`]);
    }
    for (const key in node) {
      const child = node[key];
      if (child && typeof child === 'object' && key !== 'loc' && !(child instanceof RegExp)) {
        if (Array.isArray(child)) { for (const one of child) if (one && one.type) stack.push(one); }
        else if (child.type) stack.push(child);
      }
    }
  }
  return found.sort((a, b) => a[0] - b[0]).map((one) => one[1]);
}

function parse(text, goals) {
  let error;
  for (const sourceType of goals) {
    try {
      return acorn.parse(text, { ecmaVersion: 'latest', sourceType, locations: true, allowHashBang: true,
        allowReturnOutsideFunction: true });
    } catch (thrown) { error = thrown; }
  }
  throw error;
}

// acorn takes some programs that are none, such as `async function f() {} /re/`; V8 decides.
function isValid(text) {
  return ['commonjs', 'module'].some((type) =>
    spawnSync(process.execPath, ['--check', `--input-type=${type}`, '-'], { input: text }).status === 0);
}

export function compare(inputs, dumpTool) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scopes-'));
  const files = inputs.map((input, i) => {
    const file = path.join(folder, `${i}.js`);
    fs.writeFileSync(file, input.text);
    return file;
  });
  const run = spawnSync(dumpTool, { input: files.join('\n') + '\n', maxBuffer: 1 << 30, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${dumpTool}: ${run.stderr || run.signal}`);
  const ours = run.stdout.split(/^= .*\n/m).slice(1).map((part) => part.split('\n').slice(0, -1));
  fs.rmSync(folder, { recursive: true });
  const result = { files: 0, scopes: 0, equal: 0, invalid: 0, doubted: [], refused: [], different: [] };
  inputs.forEach((input, i) => {
    let theirs;
    try { theirs = scopesOf(parse(input.text, input.goals ?? ['module', 'script'])); }
    catch (error) { result.refused.push(`${input.name}: ${error.message}`); return; }
    result.files++;
    result.scopes += theirs.length;
    if (ours[i][0] === 'doubted') {
      ours[i].shift();
      if (isValid(input.text)) result.doubted.push(input.name);
    }
    const mine = new Set(ours[i]);
    const missing = theirs.filter((one) => !mine.has(one));
    const extra = ours[i].filter((one) => !theirs.includes(one));
    result.equal += theirs.length - missing.length;
    if (missing.length || extra.length || ours[i].join() !== theirs.join()) {
      if (!isValid(input.text)) { result.invalid++; result.equal += missing.length; return; }
      result.different.push({ name: input.name, text: input.text, missing, extra });
    }
  });
  return result;
}

function* walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(file);
    else yield file;
  }
}

export function corpusInputs(corpus) {
  const inputs = [];
  for (const file of walk(path.join(corpus, 'A-js'))) {
    if (!/\.(js|mjs|cjs)(\.gz)?$/.test(file)) continue;
    let bytes = fs.readFileSync(file);
    if (file.endsWith('.gz')) bytes = zlib.gunzipSync(bytes);
    inputs.push({ name: path.relative(corpus, file), text: bytes.toString('utf8').replace(/^\uFEFF/, '') });
  }
  return inputs;
}

export function test262Inputs() {
  const root = path.dirname(require.resolve('test262-parser-tests/package.json'));
  const inputs = [];
  for (const set of ['pass', 'pass-explicit']) {
    for (const name of fs.readdirSync(path.join(root, set))) {
      const goals = name.endsWith('.module.js') ? ['module'] : ['script'];
      inputs.push({ name: `${set}/${name}`, text: fs.readFileSync(path.join(root, set, name), 'utf8'), goals });
    }
  }
  return inputs;
}

// Programs that acorn accepts, each as generated and as three minifiers write it, until `count` minified
// ones are there.
export async function generatedInputs(count) {
  const inputs = [];
  const used = { terser: 0, esbuild: 0, swc: 0 };
  let made = 0;
  for (let seed = 1, minified = 0; minified < count; seed++) {
    const goal = seed % 3 === 2 ? 'module' : 'script';
    const text = generateProgram(seed, goal);
    try { parse(text, [goal]); } catch { continue; }
    made++;
    inputs.push({ name: `generated ${seed}`, text, goals: [goal] });
    for (const [name, minify] of Object.entries(minifiers)) {
      try {
        const code = await minify(text, goal === 'module');
        if (!code) continue;
        parse(code, [goal]);  // some minified programs are not valid
        inputs.push({ name: `generated ${seed} by ${name}`, text: code, goals: [goal] });
        used[name]++;
        minified++;
      } catch { /* what one minifier refuses, another takes */ }
    }
  }
  stopMinifiers();
  console.log(`generated ${made} programs; minified: ${JSON.stringify(used)}`);
  return inputs;
}

// The text where a scope begins, with a little before it.
function excerpt(text, scope) {
  const [line, column] = scope.split(' ')[1].split(':').map(Number);
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return `${lines[line].slice(Math.max(0, column - 30), column)}@@${lines[line].slice(column, column + 60)}`;
}

function report(title, result) {
  console.log(`${title}: ${result.files} files, ${result.equal} of ${result.scopes} scopes equal, ` +
    `${result.different.length} files differ, ${result.refused.length} refused by acorn, ` +
    `${result.invalid} refused by V8 only`);
  for (const one of result.different.slice(0, 40)) {
    console.log(`  ${one.name}`);
    if (one.text.length < 300) console.log('    ' + JSON.stringify(one.text));
    for (const [what, scopes] of [['missing', one.missing], ['extra', one.extra]]) {
      for (const scope of scopes.slice(0, 3)) console.log(`    ${what} ${scope}: ${JSON.stringify(excerpt(one.text, scope))}`);
    }
  }
  for (const name of result.doubted.slice(0, 40)) console.log(`  valid, but doubted: ${name}`);
  for (const one of result.refused.slice(0, 40)) console.log(`  refused ${one}`);
}

const args = process.argv.slice(2);
const option = (name) => { const i = args.indexOf(name); return i < 0 ? undefined : args[i + 1]; };
const dump = option('--dump');
if (!dump) {
  console.error('usage: node scopes-vs-acorn.mjs --dump TOOL [--sample]');
  process.exit(2);
}
const sample = args.includes('--sample');
const every = (list, n) => (sample ? list.filter((_, i) => i % n === 0) : list);
const corpus = process.env.TWOFOLD_CORPUS ?? path.resolve(import.meta.dirname, '../../../shared/corpus');
const results = [];
const run = (title, inputs) => {
  const result = compare(inputs, dump);
  report(title, result);
  results.push(result);
};
if (fs.existsSync(corpus)) run('corpus', every(corpusInputs(corpus), 4));
else console.log(`corpus: skipped, ${corpus} is not there`);
run('test262-parser-tests', every(test262Inputs(), 4));
run('generated', await generatedInputs(Number(option('--count') ?? (sample ? 140 : 2000))));
process.exit(results.some((result) => result.different.length || result.refused.length || result.doubted.length) ? 1 : 0);
