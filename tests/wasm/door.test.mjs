// What the door promises: answers, errors with codes, lifetimes, growth.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { door, failureOf, kMap, kTrace, lookupOnly, small, smallBytes, twofold, wasmBytes } from './support.mjs';

const tw = twofold.build({ map: kMap });

test('Load.TakesModuleBytesResponseAndPromise', async () => {
  const module = await WebAssembly.compile(wasmBytes);
  const response = new Response(wasmBytes, { headers: { 'content-type': 'application/wasm' } });
  const view = new DataView(wasmBytes.buffer, wasmBytes.byteOffset, wasmBytes.byteLength);
  const lookAlike = { ok: true, arrayBuffer: async () => new Uint8Array(wasmBytes).buffer };
  for (const source of [module, wasmBytes, view, response, lookAlike, Promise.resolve(module)]) {
    assert.deepEqual((await door.load(source)).build({ map: kMap }), tw);
  }
});

test('Load.RefusesWhatIsNoModule', async () => {
  await assert.rejects(door.load(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  await assert.rejects(door.load(42), { code: 'usage' });
  await assert.rejects(door.load({ ok: false, status: 404, url: 'a.wasm', arrayBuffer: async () => {} }), { code: 'io', input: 'a.wasm' });
  const foreign = await WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  await assert.rejects(door.load(foreign));
});

// What opens a .tw: both doors have the same artifact.
const kOpeners = [['whole', twofold], ['small', lookupOnly]];

for (const [which, opener] of kOpeners) {
  test(`Lookup.AnswersInBatches ${which}`, () => {
    const artifact = opener.open(tw);
    const { files, functions, lines, columns } = artifact.lookup(new Uint32Array([0, 0, 0, 11, 0, 25, 7, 0, 0xffffffff, 0xffffffff]));
    assert.deepEqual([...lines], [1, 2, 0, 0, 0]);
    assert.deepEqual([...columns], [1, 5, 0, 0, 0]);
    assert.deepEqual([...files], [0, 0, -1, -1, -1]);
    assert.deepEqual([...functions], [-1, -1, -1, -1, -1]);
    assert.deepEqual(artifact.files, ['src/a.js']);
    assert.deepEqual(artifact.functions, []);
    assert.equal(artifact.lookup(new Uint32Array(0)).lines.length, 0);
    assert.equal(failureOf(() => artifact.lookup(new Uint32Array(3))).code, 'usage');
    assert.equal(artifact.verify(), undefined);
    artifact.free();
  });

  test(`Find.AnswersOnePosition ${which}`, () => {
    const artifact = opener.open(twofold.build({ map: kMap, script: 'function g(){h()}ff()' }));
    assert.deepEqual(artifact.find(0, 12), { line: 2, column: 5, file: 'src/a.js', function: 'g' });
    assert.deepEqual(artifact.find(0, 18), { line: 2, column: 5, file: 'src/a.js', function: '<global>' });
    assert.deepEqual(opener.open(tw).find(0, 12), { line: 2, column: 5, file: 'src/a.js', function: null });
    for (const place of [[0, 25], [7, 0], [0xffffffff, 0xffffffff]]) assert.equal(artifact.find(...place), null);
    artifact.free();
  });

  test(`Find.EqualsTheBatch ${which}`, () => {
    const artifact = opener.open(tw);
    const positions = new Uint32Array(Array.from({ length: 60 }, (_, i) => [i % 2, i >> 1]).flat());
    const { files, lines, columns } = artifact.lookup(positions);
    lines.forEach((line, i) => {
      const place = artifact.find(positions[2 * i], positions[2 * i + 1]);
      const wanted = line === 0 ? null : { line, column: columns[i], file: artifact.files[files[i]] ?? null, function: null };
      assert.deepEqual(place, wanted);
    });
    artifact.free();
  });
}

test('Dump.IsOfTheWholeDoor', () => {
  assert.match(twofold.open(tw).dump(), /1:11 -> src\/a\.js:2:5/);
  assert.equal(failureOf(() => lookupOnly.open(tw).dump()).code, 'usage');
});

test('Symbolicate.RewritesTheTrace', () => {
  const symbolicator = twofold.symbolicator();
  assert.equal(symbolicator.symbolicate(kTrace).text, kTrace);
  const answer = symbolicator.add('dist/app.min.js.map', kMap).symbolicate(kTrace); // added after a trace
  assert.match(answer.text, /src\/a\.js:2:5/);
  assert.equal(answer.frames[0].status, 'mapped');
  assert.equal(Buffer.from(answer.textBytes).toString(), answer.text);
  assert.deepEqual(JSON.parse(symbolicator.symbolicateJson(kTrace)).frames, answer.frames);
  symbolicator.free();
});

test('Symbolicate.ShowsSourceLinesWhenAskedTo', () => {
  const map = JSON.stringify({ ...JSON.parse(kMap), sourcesContent: ['one\nf(\n  g())'] });
  const symbolicator = twofold.symbolicator().add('app.min.js.map', map);
  const contextOf = (options) => symbolicator.symbolicate(kTrace, options).frames[0].out[0].context;
  assert.equal(contextOf(), undefined);
  assert.deepEqual(contextOf({ context: 1 }), { first: 1, lines: ['one', 'f(', '  g())'] });
  assert.match(symbolicator.symbolicate(kTrace, { context: 0 }).text, /src\/a\.js:2:5\)\n      > 2 \| f\(\n/);
  assert.deepEqual(JSON.parse(symbolicator.symbolicateJson(kTrace, { context: 0 })).frames[0].out[0].context, { first: 2, lines: ['f('] });
  for (const context of [-1, 1.5, 1001, NaN, '1']) assert.equal(failureOf(() => contextOf({ context })).code, 'usage');
  symbolicator.free();
});

test('Symbolicate.KeepsEveryByteOfForeignText', () => {
  const symbolicator = twofold.symbolicator();
  for (const text of ['', '\uFEFFa\0b', 'no frame\r\n', '\u{1F600}']) assert.equal(symbolicator.symbolicate(text).text, text);
  const broken = new Uint8Array([0x61, 0xff, 0x00, 0xed, 0xa0, 0x80, 0x0a]);
  assert.deepEqual(symbolicator.symbolicate(broken).textBytes, broken);
  symbolicator.free();
});

test('Errors.CarryCodeAndOffset', () => {
  const table = [
    [() => twofold.build({ map: '' }), 'bad_json'],
    [() => twofold.build({ map: '{"version":3' }), 'bad_json'],
    [() => twofold.build({ map: '{"version":3,"sources":[],"mappings":"A!"}' }), 'bad_mapping'],
    [() => twofold.build({ map: 7 }), 'usage'],
    [() => twofold.open(new Uint8Array(0)), 'bad_magic'],
    [() => twofold.open(new Uint8Array(64)), 'bad_magic'],
    [() => twofold.open(tw.subarray(0, tw.length - 1)), 'truncated'],
    [() => twofold.symbolicator().add('a', null), 'usage'],
  ];
  for (const [work, code] of table) {
    const error = failureOf(work);
    assert.equal(error.code, code, error.message);
    assert.ok(error instanceof Error && error.message.includes(code));
    assert.ok(error.offset === null || Number.isSafeInteger(error.offset));
  }
});

for (const [which, opener] of kOpeners) test(`Open.SurvivesEveryTruncationAndHeaderBit ${which}`, () => {
  const use = (bytes) => {
    try {
      const artifact = opener.open(bytes);
      artifact.lookup(new Uint32Array([0, 0, 0, 11]));
      artifact.find(0, 11);
      void [artifact.files, artifact.functions];
      artifact.free();
    } catch (error) {
      assert.ok(error instanceof door.TwofoldError && error.code !== 'crashed', error.message);
    }
  };
  for (let size = 0; size < tw.length; size++) use(tw.subarray(0, size));
  for (let bit = 0; bit < Math.min(tw.length, 64) * 8; bit++) {
    const flipped = tw.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    use(flipped);
  }
});

test('Free.UseAfterItAndTwiceIsAnError', () => {
  const artifact = twofold.open(tw);
  artifact.free();
  for (const use of [() => artifact.lookup(new Uint32Array(2)), () => artifact.find(0, 0), () => artifact.files, () => artifact.functions,
                     () => artifact.verify(), () => artifact.dump(), () => artifact.free()]) {
    assert.equal(failureOf(use).code, 'freed');
  }
  const symbolicator = twofold.symbolicator();
  symbolicator.free();
  for (const use of [() => symbolicator.add('a', 'b'), () => symbolicator.symbolicate(''),
                     () => symbolicator.symbolicateJson(''), () => symbolicator.free()]) {
    assert.equal(failureOf(use).code, 'freed');
  }
  const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  artifact[dispose]();
  symbolicator[dispose]();
});

test('Memory.GrowthChangesNothingHandedOut', () => {
  const artifact = twofold.open(tw);
  const kept = artifact.lookup(new Uint32Array([0, 0, 0, 11]));
  const before = JSON.stringify(kept);
  const copy = tw.slice();
  const symbolicator = twofold.symbolicator();
  for (let i = 0; i < 4; i++) symbolicator.add(`big${i}.js`, new Uint8Array(24 << 20).fill(32));
  assert.equal(JSON.stringify(kept), before);
  assert.deepEqual(tw, copy);
  assert.deepEqual([...artifact.lookup(new Uint32Array([0, 11])).lines], [2]);
  symbolicator.free();
  artifact.free();
});

test('Memory.OfTheSmallDoorIsFreedReusedAndRunsOut', async () => {
  const lost = await small.load(smallBytes);
  const big = new Uint8Array(200 << 20);
  for (let i = 0; i < 12; i++) assert.equal(failureOf(() => lost.open(big)).code, 'bad_magic'); // 2.4 GB in all
  const artifact = lost.open(tw);
  const room = new Uint32Array(20 << 20);
  const kept = [];
  const error = failureOf(() => {
    for (let i = 0; i < 12; i++) {
      kept.push(lost.open(tw));
      kept[i].lookup(room); // 80 MB of positions and twice as much of answers, which stay
    }
  });
  assert.equal(error.code, 'crashed');
  assert.equal(failureOf(() => artifact.find(0, 0)).code, 'crashed');
  assert.equal(failureOf(() => lost.open(tw)).code, 'crashed');
  artifact[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
});

test('Memory.IsFreedAndReused', () => {
  const input = new Uint8Array(64 << 20).fill(32);
  for (let i = 0; i < 40; i++) twofold.symbolicator().add('a.js', input).free(); // 2.5 GB in all
});

test('Memory.ExhaustionIsAnErrorAndLosesTheInstance', async () => {
  const lost = await door.load(wasmBytes);
  const symbolicator = lost.symbolicator();
  const input = new Uint8Array(500 << 20);
  const error = failureOf(() => {
    for (let i = 0; i < 6; i++) symbolicator.add(`${i}.js`, input);
  });
  assert.equal(error.code, 'crashed');
  assert.equal(failureOf(() => lost.build({ map: kMap })).code, 'crashed');
  symbolicator[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  assert.deepEqual((await door.load(wasmBytes)).build({ map: kMap }), tw);
});

test('Input.TooLargeIsRefused', () => {
  assert.equal(failureOf(() => twofold.build({ map: new Uint8Array((512 << 20) + 1) })).code, 'too_large');
});
