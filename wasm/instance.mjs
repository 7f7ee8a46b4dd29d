// What both doors share: errors, inputs, and an instance of a module that may be lost.

// Memory ends at 2 GB and building a map takes a few times its size.
const kMaxInputBytes = 512 * 1024 * 1024;

const encoder = new TextEncoder();

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

export const usage = (detail) => new TwofoldError({ code: 'usage', detail });

/** @returns {Uint8Array} the bytes of what a caller gave, not copied */
export function toBytes(source, what) {
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

/** @returns {Promise<WebAssembly.Module>} */
export async function compile(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given?.arrayBuffer !== 'function') return WebAssembly.compile(toBytes(given, 'the module'));
  if (given.ok === false) throw new TwofoldError({ code: 'io', detail: `HTTP status ${given.status}`, input: given.url ?? '' });
  const canStream =
    typeof Response === 'function' && given instanceof Response && typeof WebAssembly.compileStreaming === 'function' &&
    given.headers.get('content-type') === 'application/wasm';
  return canStream ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
}

/** One instance of a module. After a trap its memory may be in any state, so it is not used again. */
export class Instance {
  #crash = null;

  /** `core`: what the module exports. */
  constructor(core) {
    this.core = core;
  }

  get isCrashed() {
    return this.#crash !== null;
  }

  /** Before each use: throws if the instance is lost. */
  check() {
    if (this.#crash !== null) throw this.#crash;
  }

  /** What to throw for what a use threw: a trap becomes a TwofoldError, here and in all later uses. */
  explain(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return error;
    this.#crash = new TwofoldError({ code: 'crashed', detail: `${error.message}; load the module again` });
    return this.#crash;
  }

  /** Runs `work(core)`. */
  run(work) {
    this.check();
    try {
      return work(this.core);
    } catch (error) {
      throw this.explain(error);
    }
  }
}

export const freed = () => new TwofoldError({ code: 'freed', detail: 'used after free()' });
export const kDispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
