// The command line as its users meet it: exit statuses, one-line errors, files written whole or not at all.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const twofold = path.join(root, 'build/release/native/twofold');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'twofold-cli-'));
after(() => fs.rmSync(folder, { recursive: true }));

const map = '{"version":3,"sources":["src/load.js"],"names":["load"],"mappings":"AAAA,SAASA,IACP,OAEFA"}';
const script = 'function t(){boom()}t();\n//# sourceMappingURL=app.js.map\n';
const trace = 'Error: boom\n    at t (app.js:1:14)\n    at app.js:1:21\n';

function write(name, content) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}

function run(...args) {
  const done = spawnSync(twofold, args, { encoding: 'utf8', input: '' });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function assertFails(done, status, pattern) {
  assert.equal(done.status, status, done.err);
  assert.equal(done.out, '');
  assert.match(done.err, /^twofold: [^\n]+\n$/);
  assert.match(done.err, pattern);
}

test('build, lookup, inspect and verify agree on one artifact', () => {
  const app = write('dist/app.js', script);
  write('dist/app.js.map', map);
  const tw = path.join(folder, 'app.tw');
  assert.equal(run('build', '-o', tw, app).status, 0);
  const bytes = fs.readFileSync(tw);
  assert.equal(bytes.subarray(0, 4).toString(), 'TWSM');
  assert.equal(run('build', '-o', tw, `${app}.map`, app).status, 0);
  assert.deepEqual(fs.readFileSync(tw), bytes, 'the order of the inputs does not matter');
  assert.equal(run('lookup', tw, '1:14', '9:9').out, '1:14 -> src/load.js:2:3 load\n9:9 -> no_mapping\n');
  assert.equal(run('lookup', app, '1:14').out, '1:14 -> src/load.js:2:3 load\n');
  const inspected = JSON.parse(run('inspect', '--json', tw).out);
  assert.equal(inspected.kind, 'tw');
  assert.equal(run('verify', tw, `${app}.map`).out, `${tw}: ok\n${app}.map: ok\n`);
  assert.deepEqual(fs.readdirSync(folder).filter((name) => name.includes('.tmp-')), []);
});

test('both layouts answer the same, and say which they are', () => {
  const app = write('layouts/app.js', script);
  write('layouts/app.js.map', map.replace('{', '{"debugId":"0f0f",'));
  const [flat, blocks] = ['flat', 'blocks'].map((layout) => path.join(folder, `${layout}.tw`));
  assert.equal(run('build', '--layout', 'flat', '-o', flat, app).status, 0);
  assert.equal(run('build', '--layout', 'blocks', '-o', blocks, app).status, 0);
  const places = ['1:1', '1:13', '1:14', '1:15', '1:21', '1:99', '2:1', '9:9'];
  assert.equal(run('lookup', blocks, ...places).out, run('lookup', flat, ...places).out);
  assert.equal(run('verify', blocks).out, `${blocks}: ok\n`);
  const listing = (file) => run('inspect', '--full', file).out.split('\n').filter((line) => /^(token|function|file) /.test(line));
  assert.deepEqual(listing(blocks), listing(flat));
  const { version, debug_id } = JSON.parse(run('inspect', '--json', blocks).out);
  assert.deepEqual([version, debug_id], [2, '0f0f']);
  assertFails(run('build', '--layout', 'round', app), 2, /layout/);
  const answer = run('symbolicate', '-a', write('served/app.js.tw', fs.readFileSync(blocks)), write('trace.txt', trace));
  assert.equal(answer.out, 'Error: boom\n    at load (src/load.js:2:3)\n    at src/load.js:4:1\n');
});

test('symbolicate answers as text and as JSON', () => {
  const app = write('answers/app.js', script);
  write('answers/app.js.map', map);
  const file = write('trace.txt', trace);
  const text = run('symbolicate', '-a', path.dirname(app), file);
  assert.equal(text.out, 'Error: boom\n    at load (src/load.js:2:3)\n    at src/load.js:4:1\n');
  const json = JSON.parse(run('symbolicate', '--json', '-a', path.dirname(app), file).out);
  assert.equal(json.text, text.out);
  assert.deepEqual(json.frames.map((frame) => frame.status), ['mapped', 'mapped']);
});

test('symbolicate shows source lines when asked to', () => {
  const app = write('context/app.js', script);
  write('context/app.js.map', map.replace('{', '{"sourcesContent":["function load() {\\n  boom();\\n}\\nload();"],'));
  const file = write('trace.txt', trace);
  const answer = (...options) => run('symbolicate', ...options, '-a', path.dirname(app), file);
  assert.equal(
    answer('--context', '1').out,
    'Error: boom\n    at load (src/load.js:2:3)\n        1 | function load() {\n      > 2 |   boom();\n        3 | }\n' +
      '    at src/load.js:4:1\n        3 | }\n      > 4 | load();\n',
  );
  const { frames } = JSON.parse(answer('--json', '--context', '0').out);
  assert.deepEqual(frames.map((frame) => frame.out[0].context), [
    { first: 2, lines: ['  boom();'] },
    { first: 4, lines: ['load();'] },
  ]);
  assertFails(answer('--context', '1001'), 2, /context/);
  assertFails(answer('--context', '-1'), 2, /context/);
});

test('a trace that nothing fits prints as it came, and says why beside it', () => {
  const app = write('broken/app.js', script);
  write('broken/app.js.map', map.slice(0, 70));
  const done = run('symbolicate', '-a', path.dirname(app), write('trace.txt', trace));
  assert.equal(done.status, 0);
  assert.equal(done.out, trace);
  assert.match(done.err, /app\.js\.map: bad_artifact: offset \d+: /);
});

test('bad input is one line with file, offset and reason, and nothing is written', () => {
  const good = write('good.tw', 'keep me');
  const bad = {
    'not-json.map': ['{"version":3,"mappings":"', /offset \d+: bad_json/],
    'no-digit.map': ['{"version":3,"sources":[],"mappings":"A!"}', /offset \d+: bad_mapping/],
    'no-sources.map': ['{"version":3,"mappings":""}', /bad_map: `sources` is missing/],
    'version.map': ['{"version":4,"sources":[],"mappings":""}', /unsupported_version/],
    'nul.bin': ['a\0b', /unsupported/],
  };
  for (const [name, [content, pattern]] of Object.entries(bad)) {
    assertFails(run('build', '-o', good, write(name, content)), 1, pattern);
    assert.equal(fs.readFileSync(good, 'utf8'), 'keep me');
  }
  assertFails(run('verify', write('cut.tw', 'TWSM\x01\0\0\0')), 1, /truncated/);
});

test('paths that are not there, folders and bad arguments', () => {
  const app = write('x/app.js.map', map);
  assertFails(run('build', path.join(folder, 'nothing.map')), 1, /nothing\.map: not_found/);
  assertFails(run('build', folder), 1, /a folder, not a file/);
  assertFails(run('build', '-o', folder, app), 1, /a folder, not a file/);
  assertFails(run('symbolicate', '-a', path.join(folder, 'none'), write('t.txt', trace)), 1, /none/);
  assertFails(run('symbolicate', '-a', app, path.join(folder, 'none.txt')), 1, /none\.txt/);
  assertFails(run('symbolicate', write('t.txt', trace)), 2, /artifact/);
  assertFails(run('lookup', app, '0:1'), 2, /0:1/);
  assertFails(run('lookup', app, '1'), 2, /LINE:COLUMN/);
  assertFails(run('nonsense'), 2, /help/);
  assert.match(run('--help').out, /symbolicate/);
  assert.match(run('build', '--help').out, /--output/);
});

test('a map and a script of different builds are refused', () => {
  const app = write('ids/app.js', `${script}//# debugId=aaaa\n`);
  const other = write('ids/app.js.map', map.replace('{', '{"debugId":"bbbb",'));
  assertFails(run('build', '-o', path.join(folder, 'never.tw'), app, other), 1, /wrong_build/);
  assert.equal(fs.existsSync(path.join(folder, 'never.tw')), false);
});

test('bundles of React Native: inspect names them, build says what it needs', () => {
  const magic = [0xe5, 0xd1, 0x0b, 0xfb];
  const indexed = write('ram/main.jsbundle', Buffer.from([...magic, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0x61, 0, 0x62, 0]));
  const marker = write('ram/js-modules/UNBUNDLE', Buffer.from(magic));
  assert.deepEqual(JSON.parse(run('inspect', '--json', indexed).out),
    { path: indexed, kind: 'indexed RAM bundle', size_bytes: 24, modules: 1, startup_code_bytes: 2 });
  assert.equal(JSON.parse(run('inspect', '--json', marker).out).kind, 'file RAM bundle marker');
  assertFails(run('inspect', write('ram/cut', Buffer.from([...magic, 9, 0, 0, 0]))), 1, /cut: offset 8: truncated/);
  assertFails(run('build', indexed), 1, /unsupported: indexed RAM bundle; expected a source map/);
});
