// The door to twofold in WebAssembly. What it offers and promises is written in index.d.mts.
//
// Inside: each class owns one object in linear memory and frees it. Inputs are written into that memory
// with one copy, results are copied out at once; no view of it is kept, so growth of the memory changes
// nothing that was handed out. Nothing here waits between taking a view and using it.
import createTwofoldCore from './twofold_core.mjs';

// Memory ends at 2 GB and building a map takes a few times its size.
const kMaxInputBytes = 512 * 1024 * 1024;

const kMostContextLines = 1000;

const kDispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a byte order mark is part of a text

export class TwofoldError extends Error {
  constructor({ code, offset = null, detail = '', input = '' }) {
    const place = (input ? `${input}: ` : '') + (offset === null ? '' : `offset ${offset}: `);
    super(place + code + (detail ? `: ${detail}` : ''));
    this.name = 'TwofoldError';
    this.code = code;
    this.offset = offset;
    this.detail = detail;
    this.input = input;
  }
}

const usage = (detail) => new TwofoldError({ code: 'usage', detail });

/** @returns {Uint8Array} the bytes of what a caller gave, not copied */
function toBytes(source, what) {
  let bytes;
  if (typeof source === 'string') bytes = encoder.encode(source);
  else if (source instanceof Uint8Array) bytes = source;
  else if (ArrayBuffer.isView(source)) bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  else if (Object.prototype.toString.call(source).endsWith('ArrayBuffer]')) bytes = new Uint8Array(source);
  else throw usage(`${what} is neither text nor bytes`);
  if (bytes.length > kMaxInputBytes) {
    throw new TwofoldError({ code: 'too_large', detail: `${what} has ${bytes.length} bytes, at most ${kMaxInputBytes}` });
  }
  return bytes;
}

/** A result of the core, copied; a failure is thrown. */
function take(result) {
  if (result instanceof Uint8Array || result instanceof Uint32Array) return result.slice();
  if (result !== null) throw new TwofoldError(result);
  return undefined;
}

/** One instance of the module. After a trap its memory may be in any state, so it is not used again. */
class Instance {
  #core;
  #crash = null;

  constructor(core) {
    this.#core = core;
  }

  /** Runs `work(core)`; a trap becomes a TwofoldError, here and in all later calls. */
  run(work) {
    if (this.#crash) throw this.#crash;
    try {
      return work(this.#core);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#crash = new TwofoldError({ code: 'crashed', detail: `${error.message}; load the module again` });
      throw this.#crash;
    }
  }

  get isCrashed() {
    return this.#crash !== null;
  }
}

/** One object in linear memory, and the only one who frees it. */
class Handle {
  #instance;
  #object;

  constructor(instance, create) {
    this.#instance = instance;
    this.#object = instance.run(create);
  }

  run(work) {
    if (this.#object === null) throw new TwofoldError({ code: 'freed', detail: 'used after free()' });
    return this.#instance.run(() => work(this.#object));
  }

  free() {
    this.run(() => {});
    this.dispose();
  }

  dispose() {
    const object = this.#object;
    this.#object = null;
    if (object !== null && !this.#instance.isCrashed) this.#instance.run(() => object.delete());
  }
}

export class Artifact {
  #handle;
  #files = null;
  #functions = null;

  /** Twofold.open makes these. */
  constructor(instance, bytes) {
    this.#handle = new Handle(instance, (core) => new core.Artifact());
    try {
      this.#handle.run((artifact) => {
        artifact.twInput(bytes.length).set(bytes);
        take(artifact.open());
      });
    } catch (error) {
      this.#handle.dispose();
      throw error;
    }
  }

  lookup(positions) {
    if (!(positions instanceof Uint32Array) || positions.length % 2 !== 0) {
      throw usage('positions are pairs of line and column in a Uint32Array');
    }
    return this.#handle.run((artifact) => {
      artifact.positionInput(positions.length).set(positions);
      const answers = artifact.lookup();
      const count = positions.length / 2;
      const files = new Int32Array(count);
      const functions = new Int32Array(count);
      const lines = new Uint32Array(count);
      const columns = new Uint32Array(count);
      for (let i = 0, at = 0; i < count; i++) {
        files[i] = answers[at++]; // none is 2^32 - 1, which is -1 here
        functions[i] = answers[at++];
        lines[i] = answers[at++];
        columns[i] = answers[at++];
      }
      return { files, functions, lines, columns };
    });
  }

  get files() {
    return this.#handle.run((artifact) => (this.#files ??= splitStrings(artifact, () => artifact.fileText())));
  }

  get functions() {
    return this.#handle.run((artifact) => (this.#functions ??= splitStrings(artifact, () => artifact.functionText())));
  }

  verify() {
    this.#handle.run((artifact) => take(artifact.verify()));
  }

  dump() {
    return decoder.decode(this.#handle.run((artifact) => take(artifact.dump())));
  }

  free() {
    this.#handle.free();
  }

  [kDispose]() {
    this.#handle.dispose();
  }
}

function splitStrings(artifact, fetchText) {
  const text = take(fetchText());
  const ends = take(artifact.stringEnds());
  return Object.freeze(Array.from(ends, (end, i) => decoder.decode(text.subarray(i === 0 ? 0 : ends[i - 1], end))));
}

export class Symbolicator {
  #handle;

  /** Twofold.symbolicator makes these. */
  constructor(instance) {
    this.#handle = new Handle(instance, (core) => new core.Symbolicator());
  }

  add(name, content) {
    const nameBytes = toBytes(name, 'the name');
    const bytes = toBytes(content, 'the artifact');
    this.#handle.run((symbolicator) => {
      symbolicator.nameInput(nameBytes.length).set(nameBytes);
      symbolicator.contentInput(bytes.length).set(bytes);
      symbolicator.add();
    });
    return this;
  }

  symbolicate(trace, options) {
    return this.#answer(trace, options, (json, textBytes) => {
      const { text, frames, artifacts = [] } = JSON.parse(json);
      return { text, textBytes, frames, artifacts };
    });
  }

  symbolicateJson(trace, options) {
    return this.#answer(trace, options, (json) => json);
  }

  #answer(trace, { context } = {}, use) {
    if (context !== undefined && !(Number.isInteger(context) && context >= 0 && context <= kMostContextLines)) {
      throw usage(`context is no number of lines from 0 to ${kMostContextLines}`);
    }
    const bytes = toBytes(trace, 'the trace');
    return this.#handle.run((symbolicator) => {
      symbolicator.traceInput(bytes.length).set(bytes);
      const json = decoder.decode(symbolicator.symbolicate(context ?? -1));
      return use(json, take(symbolicator.text()));
    });
  }

  free() {
    this.#handle.free();
  }

  [kDispose]() {
    this.#handle.dispose();
  }
}

export class Twofold {
  #instance;

  /** `load` makes these. */
  constructor(instance) {
    this.#instance = instance;
  }

  build({ map, script = '' }) {
    const mapBytes = toBytes(map, 'the map');
    const scriptBytes = toBytes(script, 'the script');
    const handle = new Handle(this.#instance, (core) => new core.Compiler());
    try {
      return handle.run((compiler) => {
        compiler.mapInput(mapBytes.length).set(mapBytes);
        compiler.scriptInput(scriptBytes.length).set(scriptBytes);
        return take(compiler.build());
      });
    } finally {
      handle.dispose();
    }
  }

  open(tw) {
    return new Artifact(this.#instance, toBytes(tw, 'the .tw'));
  }

  symbolicator() {
    return new Symbolicator(this.#instance);
  }
}

/** @returns {Promise<WebAssembly.Module>} */
async function compile(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given?.arrayBuffer !== 'function') return WebAssembly.compile(toBytes(given, 'the module'));
  if (given.ok === false) throw new TwofoldError({ code: 'io', detail: `HTTP status ${given.status}`, input: given.url ?? '' });
  const canStream =
    typeof Response === 'function' && given instanceof Response && typeof WebAssembly.compileStreaming === 'function' &&
    given.headers.get('content-type') === 'application/wasm';
  return canStream ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
}

export async function load(source) {
  const module = await compile(source);
  const core = await new Promise((resolve, reject) => {
    const options = {
      locateFile: (file) => file,
      print: () => {},
      printErr: () => {},
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)).catch(reject);
        return {}; // the exports come later
      },
    };
    createTwofoldCore(options).then(resolve, reject);
  });
  return new Twofold(new Instance(core));
}
