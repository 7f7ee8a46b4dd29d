// The package as a host sees it: its types, its glue, no eval.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { door, kPackage, kRoot } from './support.mjs';

const kUsage = `
import { load, TwofoldError, type Answer, type ErrorCode, type Locations } from PACKAGE;
export async function use(response: Response, module: WebAssembly.Module, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const twofold = await load(response);
  await load(module);
  await load(bytes);
  await load(fetch('twofold_core.wasm'));
  const tw: Uint8Array = twofold.build({ map: '{}', script: bytes });
  using artifact = twofold.open(new Uint8Array(tw));
  const found: Locations = artifact.lookup(new Uint32Array([0, 0]));
  const file: string | undefined = artifact.files[found.files[0] ?? 0];
  const symbolicator = twofold.symbolicator().add('a.js', bytes);
  const answer: Answer = symbolicator.symbolicate('at a.js:1:1');
  try {
    artifact.verify();
  } catch (error) {
    if (error instanceof TwofoldError) {
      const code: ErrorCode = error.code;
      return (error.offset ?? 0) + code.length;
    }
  }
  // @ts-expect-error a number is no input
  symbolicator.add('a.js', 7);
  // @ts-expect-error only the door makes artifacts
  new (artifact.constructor as typeof import(PACKAGE).Artifact)();
  symbolicator.free();
  return (file ?? '').length + answer.frames.length;
}
`;

test('Types.CompileInStrictMode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'twofold-types-'));
  try {
    writeFileSync(join(folder, 'use.mts'), kUsage.replaceAll('PACKAGE', JSON.stringify(join(kPackage, 'index.mjs'))));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, module: 'nodenext',
                         target: 'es2022', lib: ['esnext', 'dom'], types: [] },
      files: ['use.mts'],
    }));
    execFileSync(process.execPath, [join(kRoot, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout || error);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const declarations = readFileSync(join(kRoot, 'wasm/index.d.mts'), 'utf8');

test('Types.HaveNoAny', () => {
  assert.doesNotMatch(declarations.replace(/\/\*\*.*?\*\/|\/\/.*$/gms, ''), /\bany\b/);
});

test('Types.DeclareWhatIsExported', () => {
  const declared = [...declarations.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(door).sort());
  for (const [, name, body] of declarations.matchAll(/^export class (\w+)[^{]*\{(.*?)^\}/gms)) {
    if (name === 'TwofoldError') continue; // its members are fields
    const members = [...body.matchAll(/^  (?:readonly )?(\w+)[(:]/gm)].map(([, member]) => member);
    for (const member of members) {
      assert.ok(member === 'constructor' || member in door[name].prototype || Object.hasOwn(Object.getOwnPropertyDescriptors(door[name].prototype), member), `${name}.${member}`);
    }
  }
});

test('Types.ListEveryCodeOfTheCore', () => {
  const core = readFileSync(join(kRoot, 'core/base/result.cc'), 'utf8');
  const codes = [...core.matchAll(/case Code::\w+:\s*return "(\w+)"/g)].map(([, code]) => code);
  const declared = [...declarations.match(/type ErrorCode =(.*?);$/ms)[1].matchAll(/'(\w+)'/g)].map(([, code]) => code);
  assert.deepEqual(declared.sort(), [...codes, 'freed', 'crashed'].sort());
});

test('Glue.HasNoEval', () => {
  for (const file of ['twofold_core.mjs', 'index.mjs', 'cli.mjs']) {
    assert.doesNotMatch(readFileSync(join(kPackage, file), 'utf8'), /new Function\b|\beval\s*\(/, file);
  }
});

test('Glue.RunsWithCodeGenerationFromStringsOff', () => {
  const script = `const { load } = await import(${JSON.stringify(join(kPackage, 'index.mjs'))});
    const { readFileSync } = await import('node:fs');
    const module = new WebAssembly.Module(readFileSync(${JSON.stringify(join(kPackage, 'twofold_core.wasm'))}));
    const twofold = await load(module);
    console.log(twofold.symbolicator().symbolicate('x').text);`;
  const out = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(out, 'x\n');
});

// What a page or a worker downloads. Sizes are the same on every machine, so they are a promise.
for (const [door, files, most] of [
  ['whole', ['twofold_core.wasm', 'twofold_core.mjs', 'index.mjs', 'artifact.mjs', 'instance.mjs'], 110],
  ['small', ['twofold_lookup.wasm', 'lookup.mjs', 'artifact.mjs', 'instance.mjs'], 25],
]) {
  test(`Size.IsSmallOverTheWire ${door}`, () => {
    const sizes = files.map((file) => brotliCompressSync(readFileSync(join(kPackage, file))).length / 1000);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`brotli: ${files.map((file, i) => `${file} ${sizes[i].toFixed(1)}`).join(', ')}, together ${total.toFixed(1)} KB`);
    assert.ok(total <= most, `${total} KB`);
  });
}
