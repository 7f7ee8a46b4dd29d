// Both targets are one core: the same .tw, the same answers, and those of the oracle.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { test } from 'node:test';

import { conformanceCases, kNative, kPackage, kRoot, lookupOnly, native, noConformance, noCorpus, npmPairs, twofold } from './support.mjs';

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The .tw that the native command builds. */
function buildNatively(map, script, layout) {
  const folder = mkdtempSync(join(tmpdir(), 'twofold-pair-'));
  try {
    const files = [join(folder, 'app.js.map'), join(folder, 'app.js')];
    writeFileSync(files[0], map);
    writeFileSync(files[1], script);
    return native(['build', '--layout', layout, '-o', '-', ...files]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The oracle resolves `.` and `..` of a source, a map's text may hold them.
function normalise(file) {
  const [, scheme, rest] = /^([^/]*:\/\/)?(.*)$/s.exec(file);
  const path = posix.normalize(rest.startsWith('/') && scheme ? rest.slice(1) : rest);
  return (scheme ?? '') + path;
}
const kNoPlace = { source: null, line: null, column: null };

for (const { name, readBundle, readMap, lookups } of noCorpus ? [] : npmPairs()) {
  test(`Pair.SameBytesAndTheOraclesPlaces ${name}`, () => {
    const [map, script] = [readMap(), readBundle()];
    const tw = twofold.build({ map, script, layout: 'flat' });
    assert.equal(hash(tw), hash(buildNatively(map, script, 'flat')));
    const blocks = twofold.build({ map, script });
    assert.equal(hash(blocks), hash(buildNatively(map, script, 'blocks')));
    assert.equal(lookups.length, 250);

    const artifact = twofold.open(tw);
    artifact.verify();
    const positions = Uint32Array.from(lookups.flatMap(({ at }) => [at[0] - 1, at[1] - 1]));
    const found = artifact.lookup(positions);
    const got = lookups.map((_, i) => {
      const { [i]: line } = found.lines;
      return line === 0 ? kNoPlace : { source: normalise(artifact.files[found.files[i]] ?? ''), line, column: found.columns[i] };
    });
    const wanted = lookups.map(({ source, line, column }) => (source === null ? kNoPlace : { source: normalise(source), line, column }));
    assert.deepEqual(got, wanted);
    for (const opener of [twofold, lookupOnly]) {
      const other = opener.open(blocks);
      other.verify();
      assert.deepEqual(other.lookup(positions), found);
      assert.deepEqual(other.files, artifact.files);
      assert.deepEqual(other.functions, artifact.functions);
      assert.deepEqual(other.find(positions[0], positions[1]), artifact.find(positions[0], positions[1]));
      other.free();
    }
    artifact.free();
  });
}

test('Pairs.AreAllThere', { skip: noCorpus }, () => assert.equal(npmPairs().length, 25));

// Both commands run in the same folder with the same arguments.
function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command[0], [...command.slice(1), ...args], { cwd, encoding: 'buffer' });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}
const kWasmCommand = [process.execPath, join(kRoot, 'wasm/cli.mjs')];

for (const { name, folder, traces } of noConformance ? [] : conformanceCases()) {
  test(`Case.SameOutput ${name}`, () => {
    const work = mkdtempSync(join(tmpdir(), 'twofold-case-'));
    try {
      cpSync(folder, join(work, 'in'), { recursive: true });
      assert.ok(traces.length > 0);
      for (const [trace, form] of traces.flatMap((file) => [[file, ['--json']], [file, []]])) {
        const args = ['symbolicate', ...form, '-a', 'in', join('in', trace)];
        const expected = run([kNative], args, work);
        assert.equal(expected.status, 0, expected.stderr);
        assert.deepEqual(run(kWasmCommand, args, work), expected);
      }
    } finally {
      rmSync(work, { recursive: true });
    }
  });
}

test('Cases.AreAllThere', { skip: noConformance }, () => assert.ok(conformanceCases().length >= 17));

test('Command.FailsLikeTheNativeOne', () => {
  for (const args of [['symbolicate'], ['symbolicate', '-a', 'none', '-'], ['symbolicate', '-a', '.', 'none'], ['symbolicate', '-a', '.', '.'], ['other']]) {
    const [wasm, expected] = [run(kWasmCommand, args, kPackage), run([kNative], args, kPackage)];
    assert.equal(wasm.status, expected.status, `${args}: ${wasm.stderr}`);
    assert.equal(wasm.stdout, '');
    assert.match(wasm.stderr, /^twofold: [^\n]+\n$/);
  }
});

test('Vectors.TraceFramesAreFound', () => {
  const symbolicator = twofold.symbolicator();
  for (const { name, text, frames } of JSON.parse(readFileSync(join(kRoot, 'tests/vectors/trace.json'), 'utf8'))) {
    const answer = symbolicator.symbolicate(text);
    assert.equal(answer.text, text, name);
    assert.deepEqual(
      answer.frames.map((frame) => ({ in: frame.in, line: frame.line, isScript: frame.status === 'unmapped' })),
      frames.map((frame) => ({ in: frame.in, line: frame.line, isScript: frame.kind === 'script' })), name);
  }
  symbolicator.free();
});
