// What the tests of the WebAssembly host share: the built package, the native command, the corpus.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

export const kRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const kPackage = process.env.TWOFOLD_WASM ?? join(kRoot, 'build/wasm/wasm');
export const kNative = process.env.TWOFOLD_BIN ?? join(kRoot, 'build/release/native/twofold');
export const kCorpus = process.env.TWOFOLD_CORPUS ?? join(kRoot, '../shared/corpus');
const kConformance = join(kCorpus, '../conformance');

export const door = await import(pathToFileURL(join(kPackage, 'index.mjs')).href);
export const wasmBytes = readFileSync(join(kPackage, 'twofold_core.wasm'));
export const twofold = await door.load(wasmBytes);

/** The small door, which only looks up. */
export const small = await import(pathToFileURL(join(kPackage, 'lookup.mjs')).href);
export const smallBytes = readFileSync(join(kPackage, 'twofold_lookup.wasm'));
export const lookupOnly = await small.load(smallBytes);

/** Why a test of the corpus cannot run, or false. */
export const noCorpus = existsSync(kCorpus) ? false : 'the corpus is absent';
export const noConformance = existsSync(kConformance) ? false : 'the conformance cases are absent';

export const native = (args, input) => execFileSync(kNative, args, { input, maxBuffer: 1 << 28 });

const readMaybePacked = (file) => (existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`)));

/** The npm pairs with their files and what the oracle answers. */
export function npmPairs() {
  const folder = join(kCorpus, 'A-js/npm');
  return readdirSync(join(folder, 'lookups'))
    .filter((file) => file.startsWith('public--'))
    .map((file) => {
      const { pkg, bundle, map, lookups } = JSON.parse(readFileSync(join(folder, 'lookups', file), 'utf8'));
      const read = (listed) => readMaybePacked(join(folder, 'public', pkg.replace('/', '+'), basename(listed)));
      return { name: file.slice('public--'.length, -'.json'.length), readBundle: () => read(bundle), readMap: () => read(map), lookups };
    });
}

/** The JavaScript cases: a name, the folder, the traces in it. */
export function conformanceCases() {
  const cases = join(kConformance, 'cases');
  return readdirSync(cases)
    .map((name) => ({ name, folder: join(cases, name), ...JSON.parse(readFileSync(join(cases, name, 'case.json'), 'utf8')) }))
    .filter((one) => one.kind === 'js')
    .map(({ name, folder, inputs }) => ({
      name,
      folder,
      traces: inputs.trace ? [inputs.trace] : readdirSync(folder).filter((file) => file.endsWith('.trace.txt')),
    }));
}

// A small map of our own: `f` at 1:1 of a.js, `g` at 2:5, unmapped from column 20 on.
export const kMap = JSON.stringify({
  version: 3,
  file: 'app.min.js',
  sources: ['src/a.js'],
  names: [],
  mappings: 'AAAA,UACI,U',
});
export const kTrace = 'Error: no\n    at f (https://x.example/app.min.js:1:12)\n';

/** The failure that `work` throws. */
export function failureOf(work) {
  try {
    work();
  } catch (error) {
    if (error instanceof door.TwofoldError) return error;
    throw error;
  }
  throw new Error('it did not throw');
}
