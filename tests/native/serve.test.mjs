// The server as its clients meet it: the real program on a free loopback port, stopped by its own process id.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const twofold = process.env.TWOFOLD_BIN ?? path.join(root, 'build/release/native/twofold');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'twofold-serve-'));

const map = '{"version":3,"sources":["src/load.js"],"names":["load"],"mappings":"AAAA,SAASA,IACP,OAEFA","sourcesContent":["function load() {\\n  boom();\\n}\\nload();"]}';
const script = 'function t(){boom()}t();\n//# sourceMappingURL=app.js.map\n';
const trace = 'Error: boom\n    at t (app.js:1:14)\n    at app.js:1:21\n    at x (other.js:9:9)\n';
const rewritten = 'Error: boom\n    at load (src/load.js:2:3)\n    at src/load.js:4:1\n    at x (other.js:9:9)\n';

const servers = new Set();
after(() => {
  for (const server of servers) server.child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true });
});

const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TWOFOLD|SOURCEMAP)_/.test(name)));

/** Starts a server and waits until it listens. */
async function serve(args = [], env = {}) {
  const child = spawn(twofold, ['serve', '--listen', '127.0.0.1:0', '--threads', '2', '--no-disk', ...args], {
    env: { ...variables, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const server = { child, log: [], port: 0, waiting: [] };
  servers.add(server);
  server.ended = new Promise((resolve) =>
    child.on('exit', (code, signal) => {
      servers.delete(server);
      for (const one of server.waiting.splice(0)) one.reject(new Error(`ended: ${code} ${signal}\n${server.log.join('\n')}`));
      resolve({ code, signal });
    }),
  );
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) server.log.push(line);
    server.waiting = server.waiting.filter((one) => {
      const found = server.log.slice(one.from).map(parseLine).find((entry) => entry?.event === one.event);
      if (found) one.resolve(found);
      return !found;
    });
  });
  /** The next log entry called `event` from the line `from` on. */
  server.logged = (event, from = 0) => {
    const known = server.log.slice(from).map(parseLine).find((entry) => entry?.event === event);
    return known ? Promise.resolve(known) : new Promise((resolve, reject) => server.waiting.push({ event, from, resolve, reject }));
  };
  server.stop = () => {
    child.kill('SIGTERM');
    return server.ended;
  };
  server.port = (await server.logged('listening')).port;
  return server;
}

function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** One request; the body as a buffer in the answer. */
function ask(server, method, target, { body, headers = {}, agent = false, token } = {}) {
  return new Promise((resolve, reject) => {
    const all = { ...headers };
    if (token) all.authorization = `Bearer ${token}`;
    const request = http.request({ host: '127.0.0.1', port: server.port, method, path: target, headers: all, agent }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString(), json: () => JSON.parse(bytes) });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    if (body !== undefined) request.write(body);
    request.end();
  });
}

const plain = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };
const symbolicate = (server, body, options = {}) =>
  ask(server, 'POST', `/v1/symbolicate${options.query ?? ''}`, { body, token: options.token, agent: options.agent, headers: { ...plain, ...options.headers } });
const upload = (server, name, body, options = {}) =>
  ask(server, 'PUT', `/v1/artifacts?name=${encodeURIComponent(name)}`, { body, token: options.token, headers: options.headers });

async function uploadBoth(server, options) {
  assert.equal((await upload(server, 'dist/app.js', script, options)).status, 201);
  assert.equal((await upload(server, 'dist/app.js.map', map, options)).status, 201);
}

/** Raw bytes over one connection; resolves with all that came when the server closed, or when `until` is satisfied. */
function raw(server, text, { until, end = false } = {}) {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = net.connect(server.port, '127.0.0.1', () => {
      for (const part of [text].flat()) socket.write(part);
      if (end) socket.end();
    });
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      got += part;
      if (until?.(got)) {
        socket.destroy();
        resolve(got);
      }
    });
    socket.on('error', (error) => (error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(got) : reject(error)));
    socket.on('close', () => resolve(got));
  });
}

const count = (text, pattern) => text.split(pattern).length - 1;

/** A number of /metrics; 0 when it is not there. */
async function metric(server, name) {
  const { text } = await ask(server, 'GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line ? Number(line.slice(name.length + 1)) : 0;
}

let open; // a server without tokens that several tests share
before(async () => {
  open = await serve();
  await uploadBoth(open);
});

test('the answer has the bytes of the command line', async () => {
  const dist = path.join(folder, 'dist');
  fs.mkdirSync(dist);
  fs.writeFileSync(path.join(dist, 'app.js'), script);
  fs.writeFileSync(path.join(dist, 'app.js.map'), map);
  const run = (...args) => spawnSync(twofold, ['symbolicate', ...args, '-a', dist, '-'], { input: trace }).stdout;
  for (let round = 0; round < 2; ++round) {
    // Cold, by a worker, and open, on the connection's own thread.
    assert.deepEqual((await symbolicate(open, trace)).bytes, run('--json'));
    assert.deepEqual((await symbolicate(open, JSON.stringify({ trace }), { headers: json })).bytes, run('--json'));
    assert.deepEqual((await symbolicate(open, trace, { headers: { accept: 'text/plain' } })).bytes, run());
    assert.deepEqual((await symbolicate(open, trace, { query: '?context=1' })).bytes, run('--json', '--context', '1'));
    assert.deepEqual((await symbolicate(open, JSON.stringify({ trace, context: 1 }), { headers: json })).bytes, run('--json', '--context', '1'));
  }
  assert.equal((await symbolicate(open, trace, { headers: { accept: 'text/plain' } })).text, rewritten);
});

test('a batch answers line by line, in order, and goes on behind a bad line', async () => {
  const alone = (await symbolicate(open, trace)).text;
  const lines = [JSON.stringify(trace), '{"trace":', JSON.stringify({ trace, id: 7 }), '', '{"trace":5}', '"nothing"'];
  const batch = { 'content-type': 'application/x-ndjson' };
  for (const end of ['', '\n', '\r\n']) {
    const { status, text, headers } = await symbolicate(open, lines.join('\n') + end, { headers: batch });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/x-ndjson');
    const answers = text.split('\n');
    assert.equal(answers.pop(), '');
    assert.equal(answers.length, lines.length);
    assert.equal(`${answers[0]}\n`, alone);
    assert.equal(`${answers[2]}\n`, alone);
    for (const bad of [1, 3, 4]) assert.equal(JSON.parse(answers[bad]).error.code, 'bad_json');
    assert.equal(JSON.parse(answers[5]).text, 'nothing');
  }
  // Large enough for several turns of the thread.
  const many = Array.from({ length: 3000 }, (_, i) => JSON.stringify(`${trace}${i}\n`));
  const { text } = await symbolicate(open, many.join('\n'), { headers: batch });
  const answers = text.trimEnd().split('\n').map((line) => JSON.parse(line).text);
  assert.deepEqual(answers, many.map((_, i) => `${rewritten}${i}\n`));
  assert.equal((await symbolicate(open, '', { headers: batch })).text, '');
});

test('the command line streams the same lines', () => {
  const dist = path.join(folder, 'dist');
  const lines = Array.from({ length: 5000 }, (_, i) => (i % 7 === 3 ? '{"trace":' : JSON.stringify({ trace: `${trace}${i}\n` })));
  const done = spawnSync(twofold, ['symbolicate', '--ndjson', '--threads', '3', '-a', dist], { input: lines.join('\n'), maxBuffer: 1 << 28 });
  assert.equal(done.status, 0, done.stderr.toString());
  const answers = done.stdout.toString().trimEnd().split('\n').map(JSON.parse);
  assert.equal(answers.length, lines.length);
  answers.forEach((answer, i) => {
    if (i % 7 === 3) assert.equal(answer.error.code, 'bad_json');
    else assert.equal(answer.text, `${rewritten}${i}\n`);
  });
  const one = spawnSync(twofold, ['symbolicate', '--json', '-a', dist, '-'], { input: `${trace}0\n` }).stdout.toString();
  assert.equal(`${done.stdout.toString().split('\n')[0]}\n`, one);
  const long = spawnSync(twofold, ['symbolicate', '--ndjson', '-a', dist], { input: `"${'x'.repeat(17 << 20)}"\n"a"\n`, maxBuffer: 1 << 28 });
  const [first, second] = long.stdout.toString().split('\n').map((line) => line && JSON.parse(line));
  assert.equal(first.error.code, 'bad_json');
  assert.equal(second.text, 'a');
});

test('what a fault is about comes with each line that it concerns, and no other', () => {
  const dist = path.join(folder, 'faulty');
  fs.mkdirSync(dist);
  fs.writeFileSync(path.join(dist, 'app.js'), script);
  fs.writeFileSync(path.join(dist, 'app.js.map'), map.slice(0, 70));
  fs.writeFileSync(path.join(dist, 'fine.js.map'), map);
  const bad = '    at t (app.js:1:14)\n';
  const badAgain = '    at t (https://x/app.js?v=2:1:14)\n';
  const fine = '    at t (fine.js:1:14)\n';
  const traces = [fine, bad, fine, badAgain, bad];
  const input = traces.map((one) => JSON.stringify(one)).join('\n');
  const lines = spawnSync(twofold, ['symbolicate', '--ndjson', '-a', dist], { input }).stdout.toString().split('\n');
  traces.forEach((one, i) => {
    const alone = spawnSync(twofold, ['symbolicate', '--json', '-a', dist, '-'], { input: one }).stdout.toString();
    assert.equal(`${lines[i]}\n`, alone);
  });
});

test('every refusal has its status and says why', async () => {
  const rows = [
    ['POST', '/v1/symbolicate', '{"trace":"a"', json, 400, 'bad_json'],
    ['POST', '/v1/symbolicate', '{"trace":5}', json, 400, 'bad_json'],
    ['POST', '/v1/symbolicate', '{"trace":"a","context":21}', json, 400, 'usage'],
    ['POST', '/v1/symbolicate?context=x', 'a', plain, 400, 'usage'],
    ['POST', '/v1/symbolicate', '<a/>', { 'content-type': 'text/xml' }, 415, 'unsupported'],
    ['POST', '/v1/symbolicate', 'a', { ...plain, 'content-encoding': 'br' }, 415, 'unsupported'],
    ['GET', '/nothing', undefined, {}, 404, 'not_found'],
    ['GET', '/v1/artifacts/0123', undefined, {}, 404, 'not_found'],
    ['GET', '/v1/artifacts/..%2F..', undefined, {}, 404, 'not_found'],
    ['GET', '/v1/symbolicate', undefined, {}, 405, 'method_not_allowed'],
    ['DELETE', '/v1/artifacts/0123', undefined, {}, 405, 'method_not_allowed'],
    ['PUT', '/v1/artifacts', 'a', {}, 400, 'usage'],
    ['POST', '/v1/artifacts', 'a', { 'content-type': 'multipart/form-data' }, 400, 'usage'],
    ['POST', '/v1/artifacts', '--b--', { 'content-type': 'multipart/form-data; boundary=b' }, 400, 'usage'],
    ['POST', '/v1/artifacts', '--b\r\n', { 'content-type': 'multipart/form-data; boundary=b' }, 400, 'truncated'],
    ['PUT', '/v1/artifacts?name=a.js', 'no gzip', { 'content-encoding': 'gzip' }, 400, 'bad_magic'],
    ['PUT', '/v1/artifacts?name=a%00b.js', 'x', {}, 400, 'usage'],
  ];
  for (const [method, target, body, headers, status, code] of rows) {
    const answer = await ask(open, method, target, { body, headers });
    assert.equal(answer.status, status, `${method} ${target} ${body}: ${answer.text}`);
    assert.equal(answer.json().error.code, code, answer.text);
  }
  assert.equal((await ask(open, 'POST', '/v1/symbolicate', { body: '{"trace":5}', headers: json })).json().error.offset, 9);
  assert.equal((await ask(open, 'DELETE', '/metrics')).headers.allow, 'GET, HEAD');
  assert.equal((await ask(open, 'HEAD', '/v1/artifacts')).status, 405);
});

test('what is no HTTP is refused and the connection ends', async () => {
  const rows = [
    ['nonsense\r\n\r\n', 400],
    ['GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n', 505],
    ['GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 501],
    ['POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n', 400],
    ['POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\nContent-Length: 0\r\n\r\n', 400],
    [`GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ];
  for (const [text, status] of rows) {
    const got = await raw(open, text);
    assert.match(got, new RegExp(`^HTTP/1.1 ${status} `), text.slice(0, 80));
    assert.match(got, /Connection: close\r\n/);
    assert.equal(count(got, 'HTTP/1.1 '), 1);
  }
});

test('uploads tell what they are: raw, packed, and as a form', async () => {
  const server = await serve();
  const first = await upload(server, 'dist/app.js', script);
  assert.equal(first.status, 201);
  assert.deepEqual(Object.keys(first.json()), ['id', 'name', 'kind', 'size']);
  assert.equal(first.json().kind, 'script');
  assert.equal(first.json().size, script.length);
  assert.equal(first.headers.location, `/v1/artifacts/${first.json().id}`);
  const packed = await upload(server, 'dist/app.js.map', zlib.gzipSync(map), { headers: { 'content-encoding': 'gzip' } });
  assert.equal(packed.status, 201);
  assert.equal(packed.json().kind, 'source map');
  assert.equal(packed.json().size, map.length);
  const found = await ask(server, 'GET', `/v1/artifacts/${packed.json().id}`);
  assert.equal(found.status, 200);
  assert.deepEqual(found.json(), packed.json());
  assert.equal((await symbolicate(server, trace, { headers: { accept: 'text/plain' } })).text, rewritten);

  const named = await ask(server, 'POST', '/v1/artifacts', { body: map, headers: { 'x-artifact-name': 'b.js.map' } });
  assert.equal(named.json().name, 'b.js.map');

  const part = (name, content, more = '') =>
    Buffer.concat([Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n${more}\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
  const form = (...parts) =>
    ask(server, 'POST', '/v1/artifacts', { body: Buffer.concat([...parts, Buffer.from('--b--\r\n')]), headers: { 'content-type': 'multipart/form-data; boundary=b' } });
  const both = await form(part('c.js', script), part('c.js.map', zlib.gzipSync(map), 'Content-Encoding: gzip\r\n'));
  assert.equal(both.status, 201);
  assert.deepEqual(both.json().artifacts.map(({ name, kind }) => [name, kind]), [['c.js', 'script'], ['c.js.map', 'source map']]);
  const half = await form(part('d.js', script), part('e.js', 'no gzip', 'Content-Encoding: gzip\r\n'));
  assert.equal(half.status, 400);
  assert.equal(half.json().artifacts[0].kind, 'script');
  assert.equal(half.json().artifacts[1].error.code, 'bad_magic');
  await server.stop();
});

test('an upload makes known what was missing, and another answer of what was there', async () => {
  const server = await serve();
  const text = async () => (await symbolicate(server, trace, { headers: { accept: 'text/plain' } })).text;
  assert.equal(await text(), trace);
  assert.equal(await text(), trace);
  await uploadBoth(server);
  assert.equal(await text(), rewritten);
  await upload(server, 'dist/app.js.map', map.replace('src/load.js', 'src/other.js'));
  assert.equal(await text(), rewritten.replaceAll('src/load.js', 'src/other.js'));
  await server.stop();
});

test('packed traces are unpacked', async () => {
  const body = zlib.gzipSync(trace);
  const { status, text } = await symbolicate(open, body, { headers: { 'content-encoding': 'gzip', accept: 'text/plain' } });
  assert.equal(status, 200);
  assert.equal(text, rewritten);
});

test('bombs and bodies that are too large are refused', async () => {
  const server = await serve(['--limits-upload-bytes', '4000000', '--limits-trace-bytes', '2000', '--limits-inflate-ratio', '50']);
  const bomb = zlib.gzipSync(Buffer.alloc(64 << 20), { level: 9 });
  const refused = await upload(server, 'a.js', bomb, { headers: { 'content-encoding': 'gzip' } });
  assert.equal(refused.status, 413);
  assert.equal(refused.json().error.code, 'too_large');
  const ratio = await upload(server, 'a.js', zlib.gzipSync(Buffer.alloc(3_000_000), { level: 9 }), { headers: { 'content-encoding': 'gzip' } });
  assert.equal(ratio.status, 413);
  assert.equal((await symbolicate(server, zlib.gzipSync(Buffer.alloc(4000)), { headers: { 'content-encoding': 'gzip' } })).status, 413);

  // Announced: refused before a byte of it is sent.
  const head = (length) => `PUT /v1/artifacts?name=a HTTP/1.1\r\nHost: a\r\n${length}\r\n`;
  assert.match(await raw(server, head('Content-Length: 4000001\r\n')), /^HTTP\/1.1 413 [^]*"too_large"/);
  assert.match(await raw(server, head('Content-Length: 4000001\r\nExpect: 100-continue\r\n')), /^HTTP\/1.1 413 /);
  assert.match(await raw(server, head('Content-Length: 99999999999999999999\r\n')), /^HTTP\/1.1 400 /);
  // Not announced: refused when it is more than that.
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  assert.match(await raw(server, [head('Transfer-Encoding: chunked\r\n'), ...Array(80).fill(chunk), '0\r\n\r\n']), /^HTTP\/1.1 413 /);
  assert.match(await raw(server, head('Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n') + 'ab'), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  assert.equal((await symbolicate(server, 'x'.repeat(2001))).status, 413);
  await server.stop();
});

test('a body in chunks is one body, and its trailers decide nothing', async () => {
  const chunks = [trace.slice(0, 5), trace.slice(5)].map((part) => `${part.length.toString(16)};ext=1\r\n${part}\r\n`).join('');
  const got = await raw(open, `POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\nAccept: application/json\r\n\r\n`);
  assert.ok(got.endsWith(`\r\n\r\n${rewritten}`), got);
});

// ---- tokens ----

const tokens = {
  shopRead: 'shop-read-0123456789', shopUpload: 'shop-upload-0123456789',
  blogRead: 'blog-read-0123456789', blogUpload: 'blog-upload-0123456789',
};
const tokensFile = path.join(folder, 'tokens.yaml');
const writeTokens = (text) => fs.writeFileSync(tokensFile, text);
const bothProjects = `projects:\n  shop: {read: [${tokens.shopRead}], upload: [${tokens.shopUpload}]}\n  blog: {read: [${tokens.blogRead}], upload: [${tokens.blogUpload}]}\n`;

test('a project is closed to everybody without its token', async () => {
  writeTokens(bothProjects);
  const server = await serve(['--tokens-file', tokensFile]);
  await uploadBoth(server, { token: tokens.shopUpload });
  const stored = (await upload(server, 'x.js', script, { token: tokens.shopUpload })).json();

  const missing = await symbolicate(server, trace);
  assert.equal(missing.status, 401);
  assert.equal(missing.headers['www-authenticate'], 'Bearer realm="twofold"');
  const wrong = await symbolicate(server, trace, { token: 'not-a-token-0123456789' });
  assert.equal(wrong.status, 401);
  assert.match(wrong.headers['www-authenticate'], /invalid_token/);
  assert.equal((await upload(server, 'a.js', script)).status, 401);
  assert.equal((await ask(server, 'GET', `/v1/artifacts/${stored.id}`)).status, 401);
  assert.equal((await symbolicate(server, trace, { token: tokens.shopUpload })).status, 403);
  assert.equal((await upload(server, 'a.js', script, { token: tokens.shopRead })).status, 403);

  const text = async (token) => (await symbolicate(server, trace, { token, headers: { accept: 'text/plain' } })).text;
  assert.equal(await text(tokens.shopRead), rewritten);
  assert.equal(await text(tokens.blogRead), trace);
  assert.equal((await ask(server, 'GET', `/v1/artifacts/${stored.id}`, { token: tokens.shopRead })).status, 200);
  assert.equal((await ask(server, 'GET', `/v1/artifacts/${stored.id}`, { token: tokens.blogRead })).status, 404);

  // The same name in another project is another artifact.
  await upload(server, 'dist/app.js', script, { token: tokens.blogUpload });
  await upload(server, 'dist/app.js.map', map.replace('src/load.js', 'blog/load.js'), { token: tokens.blogUpload });
  assert.equal(await text(tokens.shopRead), rewritten);
  assert.equal(await text(tokens.blogRead), rewritten.replaceAll('src/load.js', 'blog/load.js'));
  for (const target of ['/healthz', '/readyz', '/metrics']) assert.equal((await ask(server, 'GET', target)).status, 200);
  const log = server.log.join('\n');
  for (const secret of [...Object.values(tokens), 'not-a-token', 'boom', 'app.js']) assert.ok(!log.includes(secret), secret);
  await server.stop();
});

test('SIGHUP reads the tokens again, and keeps the old ones when the file is wrong', async () => {
  writeTokens(bothProjects);
  const server = await serve(['--tokens-file', tokensFile]);
  const status = async (token) => (await symbolicate(server, 'x', { token, agent })).status;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const reload = async (text, event) => {
    writeTokens(text);
    const from = server.log.length;
    server.child.kill('SIGHUP');
    await server.logged(event, from);
  };
  assert.equal(await status(tokens.shopRead), 200);
  await reload('projects: [', 'tokens_kept');
  assert.equal(await status(tokens.shopRead), 200);
  await reload(`projects:\n  shop:\n    read: [new-token-0123456789]\n`, 'tokens_loaded');
  assert.equal(await status(tokens.shopRead), 401);
  assert.equal(await status('new-token-0123456789'), 200);
  agent.destroy();
  await server.stop();
});

// ---- connections ----

test('a connection is kept, and requests that came together are answered in order', async () => {
  const request = (body, more = '') => `POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
  const bodies = Array.from({ length: 100 }, (_, i) => `${i % 10 === 5 ? 'unknown' : 'known'} ${i}\n    at t (${i % 10 === 5 ? `cold${i}.js` : 'app.js'}:1:14)\n`);
  const all = bodies.map((body, i) => request(body, i === bodies.length - 1 ? 'Connection: close\r\n' : '')).join('');
  const expected = bodies.map((body) => body.replace('t (app.js:1:14)', 'load (src/load.js:2:3)'));
  for (const parts of [all, all.match(/[^]{1,997}/g)]) {
    const got = await raw(open, parts);
    const answers = got.split(/HTTP\/1.1 200 OK\r\n[^]*?\r\n\r\n/).slice(1);
    assert.deepEqual(answers, expected);
    assert.equal(count(got, 'Connection: close'), 1);
  }
  const old = await raw(open, 'GET /healthz HTTP/1.0\r\n\r\n');
  assert.match(old, /^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*ok\n$/);
  const head = await raw(open, 'HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.equal(count(head, 'Content-Length: 3\r\n'), 2);
  assert.equal(count(head, 'ok\n'), 1);
});

test('a request that comes byte by byte is a request', async () => {
  const text = `POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\nConnection: close\r\nContent-Length: ${trace.length}\r\n\r\n${trace}`;
  const got = await new Promise((resolve, reject) => {
    const socket = net.connect({ port: open.port, host: '127.0.0.1', noDelay: true });
    let answer = '';
    socket.on('data', (part) => (answer += part)).on('close', () => resolve(answer)).on('error', reject);
    let at = 0;
    const next = () => at < text.length && socket.write(text[at++], () => setImmediate(next));
    next();
  });
  assert.ok(got.endsWith(rewritten), got);
});

test('connections that are too slow are closed, those that wait for an answer are not', async () => {
  const server = await serve(['--deadlines-header-ms', '150', '--deadlines-body-ms', '200', '--deadlines-idle-ms', '250']);
  const cases = [
    ['', 'idle'], // connects and says nothing
    ['GET /healthz HTTP/1.1\r\nHo', 'header_deadline'],
    ['POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 'body_deadline'],
    ['GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', 'idle'], // answered, then silent
  ];
  for (const [text, reason] of cases) {
    const name = `twofold_http_cut_connections_total{reason="${reason}"}`;
    const before = await metric(server, name);
    const got = await raw(server, text);
    assert.equal(got.includes('200 OK'), text.endsWith('\r\n\r\n'));
    assert.equal(await metric(server, name), before + 1, reason);
  }
  // A byte at a time is no reason to wait longer.
  const trickle = (first) =>
    new Promise((resolve) => {
      const began = Date.now();
      const socket = net.connect(server.port, '127.0.0.1', () => socket.write(first));
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        resolve(Date.now() - began);
      });
      socket.resume();
    });
  for (const first of ['GET /healthz HTTP/1.1\r\nX: ', 'POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n']) {
    assert.ok((await trickle(first)) < 5000);
  }
  await server.stop();
});

test('a client that does not take its answer is cut', async () => {
  const server = await serve(['--deadlines-write-ms', '200']);
  const body = Array.from({ length: 40_000 }, () => JSON.stringify(trace)).join('\n');
  const socket = net.connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(`POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const name = 'twofold_http_cut_connections_total{reason="write_deadline"}';
  const until = Date.now() + 30_000;
  while ((await metric(server, name)) === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await metric(server, name), 1);
  socket.destroy();
  await server.stop();
});

test('more connections than allowed are refused, and room is made again', async () => {
  const server = await serve(['--limits-connections', '3']);
  const held = await Promise.all(
    Array.from({ length: 3 }, () => new Promise((resolve) => {
      const socket = net.connect(server.port, '127.0.0.1', () => {
        socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
        socket.once('data', () => resolve(socket));
      });
    })),
  );
  assert.match(await raw(server, ''), /^HTTP\/1.1 503 /);
  held[0].destroy();
  const until = Date.now() + 10_000;
  let status = 503;
  while (status === 503 && Date.now() < until) status = (await ask(server, 'GET', '/healthz')).status;
  assert.equal(status, 200);
  for (const socket of held) socket.destroy();
  await server.stop();
});

test('SIGTERM finishes what is on its way and ends', async () => {
  const server = await serve(['--deadlines-drain-delay-ms', '300']);
  const idle = net.connect(server.port, '127.0.0.1');
  const idleClosed = new Promise((resolve) => idle.on('close', resolve));
  idle.resume();
  const body = 'Error\n';
  const socket = net.connect(server.port, '127.0.0.1');
  let got = '';
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('data', (part) => (got += part));
  socket.write(`POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\nContent-Length: ${body.length}\r\n\r\nErr`);
  assert.equal((await ask(server, 'GET', '/readyz')).status, 200);
  server.child.kill('SIGTERM');
  await server.logged('draining');
  // Not ready, but still there: whoever balances the load has time to see it.
  assert.equal((await ask(server, 'GET', '/readyz')).status, 503);
  assert.equal((await ask(server, 'GET', '/healthz')).status, 200);
  await idleClosed; // accepting has ended
  await assert.rejects(ask(server, 'GET', '/healthz'), { code: 'ECONNREFUSED' });
  socket.write('or\n');
  await closed;
  assert.match(got, /^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*Error\n$/);
  assert.deepEqual(await server.ended, { code: 0, signal: null });
});

test('what is not done at the limit of the drain is cut', async () => {
  const server = await serve(['--deadlines-drain-ms', '150']);
  const socket = net.connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write('POST /v1/symbolicate HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  assert.equal((await server.stop()).code, 1);
  await closed;
  assert.ok(server.log.some((line) => line.includes('"drain_limit"')));
});

// ---- operations ----

test('metrics count requests, frames and time', async () => {
  const server = await serve();
  await uploadBoth(server);
  await symbolicate(server, trace);
  await symbolicate(server, trace);
  await ask(server, 'GET', '/nothing');
  const { text, headers } = await ask(server, 'GET', '/metrics');
  assert.match(headers['content-type'], /^text\/plain; version=0.0.4/);
  for (const line of [
    'twofold_http_requests_total{route="symbolicate",status="200"} 2',
    'twofold_http_requests_total{route="upload",status="201"} 2',
    'twofold_http_requests_total{route="unknown",status="404"} 1',
    'twofold_http_request_duration_seconds_count{route="symbolicate"} 2',
    'twofold_frames_total{status="mapped"} 4',
    'twofold_frames_total{status="unmapped",reason="no_artifact"} 2',
    'twofold_builds_total 1',
  ]) {
    assert.ok(text.includes(`\n${line}\n`), `${line}\n${text}`);
  }
  await server.stop();
});

test('the log is JSON, with ids that a client may choose', async () => {
  const server = await serve(['--log-requests', 'all']);
  const chosen = await symbolicate(server, trace, { headers: { 'x-request-id': 'mine-1' } });
  assert.equal(chosen.headers['x-request-id'], 'mine-1');
  const hostile = await symbolicate(server, trace, { headers: { 'x-request-id': 'a"b{}' } });
  assert.match(hostile.headers['x-request-id'], /^[0-9a-f]{16}$/);
  await server.stop();
  const requests = server.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
  assert.deepEqual(requests.map(({ id }) => id), ['mine-1', hostile.headers['x-request-id']]);
  const { time, level, ms, ...rest } = requests[0];
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(level, 'info');
  assert.ok(ms >= 0);
  assert.deepEqual(Object.keys(rest), ['event', 'id', 'route', 'project', 'status', 'bytes_in', 'bytes_out', 'stacks', 'frames']);
  assert.equal(rest.frames, 3);
});

test('a configuration is checked without serving', () => {
  const file = path.join(folder, 'serve.yaml');
  const check = (text, args = [], env = {}) => {
    fs.writeFileSync(file, text);
    const done = spawnSync(twofold, ['serve', '--check-config', '--config', file, ...args], { env: { ...variables, ...env }, encoding: 'utf8' });
    return { status: done.status, out: done.stdout, err: done.stderr };
  };
  const good = check('cache:\n  disk_max_mb: 7\n', ['--threads', '3'], { SOURCEMAP_DISK_CACHE_PATH: '/x', TWOFOLD_LISTN: 'typo' });
  assert.equal(good.status, 0);
  for (const line of [`cache.disk_max_mb: 7  # ${file} line 2`, 'threads: 3  # --threads', 'cache.disk_path: "/x"  # SOURCEMAP_DISK_CACHE_PATH', 'workers: 0  # default']) {
    assert.ok(good.out.includes(`${line}\n`), good.out);
  }
  assert.match(good.err, /TWOFOLD_LISTN is no setting/);
  const rows = [
    ['cache:\n  disk_max_bm: 7\n', [], /serve\.yaml: usage: line 2: unknown key `cache\.disk_max_bm`; the nearest is `cache\.disk_max_mb`/],
    ['listen: nowhere\n', [], /nowhere: usage: expected ADDRESS:PORT/],
    ['', ['--tokens-file', path.join(folder, 'none')], /none: not_found/],
    ['', ['--threads', 'x'], /--threads: usage/],
    ['', ['--thread', '1'], /usage/],
  ];
  for (const [text, args, pattern] of rows) {
    const bad = check(text, args);
    assert.notEqual(bad.status, 0);
    assert.equal(bad.out, '');
    assert.match(bad.err, pattern);
  }
});

test('a port that is taken and a folder that cannot be are one line and the end', async () => {
  const run = (...args) => spawnSync(twofold, ['serve', ...args], { env: variables, encoding: 'utf8', timeout: 20_000 });
  const plainServer = http.createServer();
  await new Promise((resolve) => plainServer.listen(0, '127.0.0.1', resolve));
  const taken = run('--no-disk', '--listen', `127.0.0.1:${plainServer.address().port}`);
  plainServer.close();
  assert.equal(taken.status, 1);
  assert.match(taken.stderr, /twofold: 127\.0\.0\.1:\d+: io: /);
  const file = path.join(folder, 'a-file');
  fs.writeFileSync(file, '');
  assert.equal(run('--listen', '127.0.0.1:0', '--cache-disk-path', path.join(file, 'below')).status, 1);
});

test('a restart finds what the disk has', async () => {
  const args = ['--cache-type', 'disk', '--cache-disk-path', path.join(folder, 'cache')];
  const first = await serve(args);
  await uploadBoth(first);
  assert.equal((await symbolicate(first, trace, { headers: { accept: 'text/plain' } })).text, rewritten);
  assert.equal(await metric(first, 'twofold_builds_total'), 1);
  await first.stop();
  const second = await serve(args);
  assert.equal((await symbolicate(second, trace, { headers: { accept: 'text/plain' } })).text, rewritten);
  assert.equal(await metric(second, 'twofold_builds_total'), 0);
  await second.stop();
});

test('a thousand requests for one cold artifact build it once', async () => {
  const server = await serve();
  await uploadBoth(server);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const answers = await Promise.all(Array.from({ length: 1000 }, () => symbolicate(server, trace, { agent, headers: { accept: 'text/plain' } })));
  for (const { status, text } of answers) assert.deepEqual([status, text], [200, rewritten]);
  assert.equal(await metric(server, 'twofold_builds_total'), 1);
  agent.destroy();
  await server.stop();
});
