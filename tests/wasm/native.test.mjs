// Both targets are one core: the same .tw, the same answers, and those of the oracle.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { conformanceCases, failureOf, kNative, kPackage, kRoot, native, noConformance, noCorpus, npmPairs, twofold } from './support.mjs';

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

// The oracle resolves `./` in sources; we keep them as the map has them.
const plain = (source) => source?.replace(/\/(?:\.\/)+/g, '/').replace(/^(?:\.\/)+/, '') ?? null;

/** The .tw that the native command builds of the same files. */
function buildNatively(map, bundle) {
  const work = mkdtempSync(join(tmpdir(), 'twofold-pair-'));
  try {
    writeFileSync(join(work, 'app.js.map'), map);
    writeFileSync(join(work, 'app.js'), bundle);
    return native(['build', '-o', '-', join(work, 'app.js.map'), join(work, 'app.js')]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

for (const { name, readBundle, readMap, lookups } of noCorpus ? [] : npmPairs()) {
  test(`Pair.SameBytesAndTheOraclesPlaces ${name}`, () => {
    const [map, bundle] = [readMap(), readBundle()];
    const tw = twofold.build({ map, script: bundle });
    assert.equal(hash(tw), hash(buildNatively(map, bundle)));

    const artifact = twofold.open(tw);
    artifact.verify();
    const positions = Uint32Array.from(lookups.flatMap(({ at }) => [at[0] - 1, at[1] - 1]));
    const found = artifact.lookup(positions);
    const got = lookups.map(({ at }, i) => [at, plain(artifact.files[found.files[i]]), found.lines[i] || null, found.columns[i] || null]);
    const expected = lookups.map(({ at, source, line, column }) => [at, plain(source), line ?? null, column ?? null]);
    assert.deepEqual(got, expected);
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

// Case 11 has a trace per script; run.mjs covers it on both.
for (const { name, folder, inputs } of noConformance ? [] : conformanceCases().filter((one) => one.inputs.trace)) {
  test(`Case.SameOutput ${name}`, () => {
    const work = mkdtempSync(join(tmpdir(), 'twofold-case-'));
    try {
      cpSync(folder, join(work, 'in'), { recursive: true });
      for (const form of [['--json'], []]) {
        const args = ['symbolicate', ...form, '-a', 'in', join('in', inputs.trace)];
        const expected = run([kNative], args, work);
        assert.equal(expected.status, 0, expected.stderr);
        assert.deepEqual(run(kWasmCommand, args, work), expected);
      }
    } finally {
      rmSync(work, { recursive: true });
    }
  });
}

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
