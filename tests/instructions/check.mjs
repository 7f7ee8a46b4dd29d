// Instructions of a build and of a lookup, against budget.json: times swing by a third from run to run,
// these by less than a percent. Fails at 10 % above the budget.
//
//   node tests/instructions/check.mjs --work build/release/tests/instructions_work [--write]
//
// `--write` makes what was counted the budget. The count of one piece of work is the difference of two runs,
// so that starting up and reading files do not count.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const args = process.argv.slice(2);
const work = args[args.indexOf('--work') + 1];
const corpus = process.env.TWOFOLD_CORPUS ?? path.resolve(folder, '../../../shared/corpus');
const skipped = spawnSync('valgrind', ['--version']).error ? 'valgrind is absent' : existsSync(corpus) ? null : `no corpus at ${corpus}`;
if (skipped && process.env.CI !== 'true') {
  console.log(`skipped: ${skipped}`);
  process.exit(0);
}

const pair = ['preact.module.js.map', 'preact.module.js'].map((file) => path.join(corpus, 'A-js/symbolic', file));

function count(what, times) {
  const run = spawnSync('valgrind', ['--tool=callgrind', '--callgrind-out-file=/dev/null', work, ...pair, what, String(times)], {
    encoding: 'utf8',
    env: { ...process.env, SIMDJSON_FORCE_IMPLEMENTATION: 'westmere' }, // the same code on every machine
  });
  const counted = /Collected : (\d+)/.exec(run.stderr);
  if (run.status !== 0 || !counted) throw new Error(`${what}: exit ${run.status}: ${run.stderr}`);
  return Number(counted[1]);
}

const budgetFile = path.join(folder, 'budget.json');
const budget = JSON.parse(readFileSync(budgetFile, 'utf8'));
const few = { build: 5, build_named: 5, blocks: 5, lookup: 1000, lookup_blocks: 1000 };
const many = { build: 25, build_named: 25, blocks: 25, lookup: 21000, lookup_blocks: 21000 };
const counted = {};
for (const what of Object.keys(few)) {
  counted[what] = Math.round((count(what, many[what]) - count(what, few[what])) / (many[what] - few[what]));
  const ratio = counted[what] / budget[what];
  console.log(`${what}: ${counted[what]} instructions, budget ${budget[what]}, ratio ${ratio.toFixed(3)}`);
  if (ratio > 1.1 && !args.includes('--write')) process.exitCode = 1;
  if (ratio < 0.9) console.log('   far below: write the budget anew');
}
if (args.includes('--write')) writeFileSync(budgetFile, JSON.stringify(counted, null, 2) + '\n');
