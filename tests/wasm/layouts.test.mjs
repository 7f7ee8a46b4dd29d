// Both versions of the format answer the same for every token of every map of the corpus, beside it and at the
// end of its line, in WebAssembly too; tests/core/tw/block_test.cc does it natively.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { kCorpus, lookupOnly, noCorpus, twofold } from './support.mjs';

const kHeaderWords = 6;
const kTokenWords = 6;

/** Every map of the corpus. */
function* corpusMaps() {
  const read = (file) => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file));
  for (const entry of readdirSync(join(kCorpus, 'A-js'), { recursive: true, withFileTypes: true })) {
    if (!/\.map(\.gz)?$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    yield { path, map: read(path) };
  }
}

/** A map's version 1, or null for one that is refused. */
function buildFlat(map) {
  try {
    return twofold.build({ map, layout: 'flat' });
  } catch {
    return null;
  }
}

/** Line and column of each token of a version 1 file, 0-based, and of places beside it. */
function placesAround(flat) {
  const words = new Uint32Array(flat.buffer.slice(flat.byteOffset, flat.byteOffset + (flat.byteLength & ~3)));
  const [, , count] = words;
  const steps = [-1, 0, 1, 255, 65536];
  const places = new Uint32Array(count * (steps.length + 1) * 2);
  let at = 0;
  for (let i = 0; i < count; ++i) {
    const token = kHeaderWords + i * kTokenWords;
    for (const step of steps) {
      places[at++] = words[token];
      places[at++] = Math.min(Math.max(words[token + 1] + step, 0), 0xffffffff);
    }
    places[at++] = words[token];
    places[at++] = 0xffffffff;
  }
  return places;
}

test('Layouts.AnswerTheSameForEveryTokenOfTheCorpus', { skip: noCorpus }, () => {
  let mapCount = 0;
  let placeCount = 0;
  for (const { path, map } of corpusMaps()) {
    const flat = buildFlat(map);
    if (flat === null) continue;
    const places = placesAround(flat);
    const wanted = twofold.open(flat);
    const found = wanted.lookup(places);
    for (const opener of [twofold, lookupOnly]) {
      const blocks = opener.open(twofold.build({ map }));
      const other = blocks.lookup(places);
      for (const field of ['lines', 'columns', 'files', 'functions']) {
        assert.ok(Buffer.from(other[field].buffer).equals(Buffer.from(found[field].buffer)), `${path}: ${field}`);
      }
      assert.deepEqual(blocks.files, wanted.files, path);
      blocks.free();
    }
    wanted.free();
    mapCount += 1;
    placeCount += places.length / 2;
  }
  console.log(`${mapCount} maps, ${placeCount} places`);
  assert.ok(mapCount > 100);
});
