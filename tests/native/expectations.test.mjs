// What the corpus expects of whole answers, asked through the command line: another implementation's
// lookups, and the crashes of one program that was also run unbundled.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const twofold = process.env.TWOFOLD_BIN ?? path.join(root, 'build/release/native/twofold');
const corpus = path.join(process.env.TWOFOLD_CORPUS ?? path.join(root, '../shared/corpus'), 'A-js');
const skip = existsSync(corpus) ? false : 'the corpus is absent';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The frames of the answer to `trace`, each with its source line. */
function framesOf(trace, artifacts) {
  const given = artifacts.flatMap((file) => ['-a', file]);
  const done = spawnSync(twofold, ['symbolicate', '--json', '--context', '0', ...given, '-'], { encoding: 'utf8', input: trace });
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout).frames;
}

// Scopes of expected-lookups.json: a name, null for an anonymous function, "" and <global> for top level.
function scopeOf(expected) {
  if (expected === null) return { function: null, scope: 'anonymous' };
  if (expected === '' || expected === '<global>') return { function: null, scope: 'global' };
  return { function: expected, scope: 'named' };
}

// Here V8, running the program unbundled, says otherwise: the bundle's function is anonymous, what
// stands at that place is foo of foo.js, inlined.
const contested = { 'inlining 1:34': 'foo' };

function assertSources(map, expected) {
  const { stdout } = spawnSync(twofold, ['inspect', '--full', map], { encoding: 'utf8' });
  const sources = [...stdout.matchAll(/^source \d+ (.*?)( \(no text\))?$/gm)];
  assert.equal(sources.length, expected.files, map);
  const withoutText = sources.filter(([, , mark]) => mark).map(([, name]) => name);
  assert.deepEqual(withoutText, expected.sources_without_content ?? [], map);
  assert.match(stdout, new RegExp(`^sources_with_text: ${sources.length - withoutText.length}$`, 'm'));
}

test('expected lookups: file, line, column, function, source line', { skip }, () => {
  const folder = path.join(corpus, 'symbolic');
  let compared = 0;
  for (const one of readJson(path.join(folder, 'expected-lookups.json')).cases) {
    const { name, bundle, map, lookups } = one;
    if (one.files !== undefined) assertSources(path.join(folder, map), one);
    for (const { generated: at, ...expected } of lookups) {
      const place = `${name} ${at.line}:${at.column}`;
      const script = bundle && path.join(folder, bundle);
      // A map without its script is asked as Hermes would print it: columns from 0.
      const url = script ? `${path.basename(script)}:${at.line}:${at.column}` : `address at ${path.basename(map, '.map')}:${at.line}:${at.column - 1}`;
      const artifacts = [path.join(folder, map), ...(script ? [script] : [])];
      const [frame] = framesOf(`Error\n    at q (${url})\n`, artifacts);
      if (expected.none) {
        assert.deepEqual([frame.status, frame.reason], ['unmapped', 'no_mapping'], place);
      } else {
        const [{ context, ...out }] = frame.out;
        const { file, line, column } = expected;
        assert.deepEqual(out, { ...scopeOf(contested[place] ?? expected.scope), file, line, column, inlined: false, ignored: false }, place);
        if (expected.context_line) assert.deepEqual(context, { first: line, lines: [expected.context_line] }, place);
      }
      ++compared;
    }
  }
  assert.equal(compared, 17); // the eighteenth asks for no place, but for what the map has
});

test('crashes of bundled programs: file and line of the unbundled run, for every frame', { skip }, () => {
  let compared = 0;
  for (const bundler of readdirSync(path.join(corpus, 'truth'))) {
    const folder = path.join(corpus, 'truth', bundler);
    if (!existsSync(path.join(folder, 'cases.json'))) continue;
    for (const { name, stack, frames, truth } of readJson(path.join(folder, 'cases.json')).cases) {
      const answers = framesOf(stack, [folder]).filter(({ in: text }) => !text.includes('eval at ') && frames.some(({ file }) => text.includes(`${file}:`)));
      assert.equal(answers.length, frames.length, `${bundler} ${name}`);
      frames.forEach((frame, i) => {
        if (frame.truth === undefined) return;
        const place = `${bundler} ${name} ${answers[i].in}`;
        const [out] = answers[i].out;
        assert.equal(out.line, truth[frame.truth].line, place);
        assert.equal(path.basename(out.file), path.basename(truth[frame.truth].file), place);
        assert.equal(path.posix.normalize(out.file), path.posix.normalize(frame.token.source), place);
        ++compared;
      });
    }
  }
  assert.equal(compared, 479);
});
