// Reading a source map and looking positions up: twofold in WebAssembly beside what Node programs use, in one
// process on the same maps; and twofold beside sentry-cli, each as a whole process.
//
//   tests/build release wasm && npm ci --prefix bench/peers
//   taskset -c 1 node bench/maps-vs-peers.mjs [MAP ...]
//
// ready: from the text of the map to the first answer. lookup: one call for one position, file, line, column and
// name as the library gives them. Best of all rounds; rounds alternate between all of them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const root = path.join(here, '..');
const peers = path.join(here, 'peers/node_modules');
const { TraceMap, decodedMappings, originalPositionFor } = createRequire(path.join(root, '/'))('@jridgewell/trace-mapping');
const { SourceMapConsumer } = createRequire(path.join(root, '/'))('source-map');
const door = await import(pathToFileURL(path.join(root, 'build/wasm/wasm/index.mjs')));
const twofold = await door.load(fs.readFileSync(path.join(root, 'build/wasm/wasm/twofold_core.wasm')));

const LOOKUPS = 20_000;

function defaultMaps() {
  const corpus = path.join(process.env.TWOFOLD_CORPUS ?? path.resolve(root, '../shared/corpus'), 'A-js');
  return [
    path.join(corpus, 'symbolic/preact.module.js.map'),
    path.join(corpus, 'npm/public/chart.js@4.4.5/chart.umd.js.map'),
    path.join(peers, 'maplibre-gl/dist/maplibre-gl.js.map'),
    path.join(peers, 'monaco-editor/min-maps/vs/editor/editor.main.js.map'),
    path.join(peers, 'babylonjs/babylon.js.map'),
  ].filter((file) => fs.existsSync(file));
}

function read(file) {
  const bytes = fs.readFileSync(file);
  return file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes;
}

/** Generated places of segments, at random but the same in every run: [line from 1, column from 0]. */
function somePositions(text) {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647);
  const places = [];
  const filled = decodedMappings(new TraceMap(text)).map((segments, line) => ({ segments, line })).filter(({ segments }) => segments.length > 0);
  while (places.length < LOOKUPS) {
    const { segments, line } = filled[random() % filled.length];
    places.push([line + 1, segments[random() % segments.length][0] + (random() % 3)]);
  }
  return places;
}

// Each opens a text and gives something that answers one position, and is closed.
const LIBRARIES = [
  ...['flat', 'blocks'].map((layout) => ({
    name: `twofold, WebAssembly, ${layout}`,
    open: (text) => {
      const artifact = twofold.open(twofold.build({ map: text, layout }));
      return {
        find: (line, column) => artifact.find(line - 1, column),
        findAll: (batch) => artifact.lookup(batch),
        close: () => artifact.free(),
      };
    },
  })),
  {
    name: '@jridgewell/trace-mapping 0.3.31',
    open: (text) => {
      const map = new TraceMap(text);
      return { find: (line, column) => originalPositionFor(map, { line, column }), close: () => {} };
    },
  },
  {
    name: 'source-map 0.8.0 (WebAssembly)',
    open: async (text) => {
      const consumer = await new SourceMapConsumer(JSON.parse(text));
      return { find: (line, column) => consumer.originalPositionFor({ line, column }), close: () => consumer.destroy() };
    },
  },
];

const micros = (since) => Number(process.hrtime.bigint() - since) / 1e3;

async function measure(library, text, places, best) {
  const start = process.hrtime.bigint();
  const opened = await library.open(text);
  opened.find(...places[0]);
  best.ready = Math.min(best.ready ?? Infinity, micros(start));
  const random = process.hrtime.bigint();
  for (const [line, column] of places) opened.find(line, column);
  best.random = Math.min(best.random ?? Infinity, (micros(random) * 1e3) / places.length);
  if (opened.findAll) {
    const batch = new Uint32Array(places.flatMap(([line, column]) => [line - 1, column]));
    const all = process.hrtime.bigint();
    opened.findAll(batch);
    best.batch = Math.min(best.batch ?? Infinity, (micros(all) * 1e3) / places.length);
  }
  opened.close();
}

/** Whole processes: `sentry-cli sourcemaps resolve` reads the map; twofold reads a .tw that was built once. */
function measureCommands(file, text, [line, column]) {
  const sentry = path.join(peers, '@sentry/cli-linux-x64/bin/sentry-cli');
  const native = path.join(root, 'build/release/native/twofold');
  if (!fs.existsSync(sentry) || !fs.existsSync(native)) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'maps-vs-peers-'));
  const map = path.join(folder, 'a.js.map');
  const tw = path.join(folder, 'a.tw');
  fs.writeFileSync(map, text);
  const run = (...command) => {
    const start = process.hrtime.bigint();
    const done = spawnSync(command[0], command.slice(1), { encoding: 'utf8', env: { ...process.env, SENTRY_LOG_LEVEL: 'error' } });
    if (done.status !== 0) throw new Error(`${command.join(' ')}: ${done.stderr}`);
    return micros(start) / 1e3;
  };
  const place = `${line}:${column + 1}`;
  const best = { sentry: Infinity, build: Infinity, lookup: Infinity };
  for (let round = 0; round < 7; ++round) {
    best.sentry = Math.min(best.sentry, run(sentry, 'sourcemaps', 'resolve', map, '--line', String(line), '--column', String(column)));
    best.build = Math.min(best.build, run(native, 'build', '-o', tw, map));
    best.lookup = Math.min(best.lookup, run(native, 'lookup', tw, place));
  }
  fs.rmSync(folder, { recursive: true });
  console.log(`  processes: sentry-cli resolve ${best.sentry.toFixed(1)} ms; twofold build ${best.build.toFixed(1)} ms once (${(best.sentry / best.build).toFixed(1)}), lookup ${best.lookup.toFixed(1)} ms (${(best.sentry / best.lookup).toFixed(1)})`);
}

for (const file of process.argv.length > 2 ? process.argv.slice(2) : defaultMaps()) {
  const text = read(file).toString();
  const places = somePositions(text);
  const rounds = text.length < 1e6 ? 40 : 5;
  const best = LIBRARIES.map(() => ({}));
  for (let round = 0; round < rounds; ++round) {
    for (const [i, library] of LIBRARIES.entries()) await measure(library, text, places, best[i]);
  }
  console.log(`${path.basename(file)}: ${(text.length / 1e6).toFixed(2)} MB`);
  console.log(`  ${''.padEnd(34)} ${'ready, us'.padStart(12)} ${'ratio'.padStart(6)} ${'lookup, ns'.padStart(11)} ${'ratio'.padStart(6)}`);
  for (const [i, { name }] of LIBRARIES.entries()) {
    const ratio = (value, ours) => (value / ours).toFixed(1).padStart(6);
    console.log(`  ${name.padEnd(34)} ${best[i].ready.toFixed(0).padStart(12)} ${ratio(best[i].ready, best[0].ready)} ${best[i].random.toFixed(0).padStart(11)} ${ratio(best[i].random, best[0].random)}`);
  }
  for (const [i, { name }] of LIBRARIES.entries()) {
    if (best[i].batch) console.log(`  ${name}, all in one call: ${best[i].batch.toFixed(1)} ns, ${(1e3 / best[i].batch).toFixed(1)} million per second`);
  }
  measureCommands(file, text, places[0]);
}
