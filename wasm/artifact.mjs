// A .tw that is open, over the plain functions of lookup_exports.cc. index.d.mts says what it promises.
//
// `core` has those functions, and HEAPU8 and HEAPU32, views of memory as it is now: they are fetched again after
// every call that may allocate, since memory moves when it grows.
import { freed, kDispose, TwofoldError, usage } from './instance.mjs';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a byte order mark is part of a text
const kNone = 0xffffffff;

export class Artifact {
  #instance;
  #core;
  #tw; // its address; 0 when freed
  #numbers; // index of its four numbers in HEAPU32
  #fileNames = [];
  #functionNames = [];
  #files = null;
  #functions = null;

  /** `open` of a door makes these. */
  constructor(instance, bytes) {
    this.#instance = instance;
    this.#core = instance.core;
    this.#run((core) => {
      this.#tw = core._twofold_new(bytes.length) >>> 0;
      this.#numbers = core._twofold_numbers(this.#tw) >>> 2;
      core.HEAPU8.set(bytes, core._twofold_bytes(this.#tw) >>> 0);
      try {
        this.#check(core._twofold_open(this.#tw));
      } catch (error) {
        core._twofold_delete(this.#tw);
        this.#tw = 0;
        throw error;
      }
    });
  }

  find(line, column) {
    if (this.#tw === 0) throw freed();
    this.#instance.check();
    const core = this.#core;
    try {
      if (core._twofold_find(this.#tw, line, column) === 0) return null;
      const at = this.#numbers;
      const { HEAPU32: numbers } = core;
      const file = numbers[at];
      const name = numbers[at + 1];
      return {
        line: numbers[at + 2],
        column: numbers[at + 3],
        file: file === kNone ? null : (this.#fileNames[file] ??= this.#string(core._twofold_file, file)),
        function: name === kNone ? null : (this.#functionNames[name] ??= this.#string(core._twofold_function, name)),
      };
    } catch (error) {
      throw this.#instance.explain(error);
    }
  }

  lookup(positions) {
    if (!(positions instanceof Uint32Array) || positions.length % 2 !== 0) {
      throw usage('positions are pairs of line and column in a Uint32Array');
    }
    return this.#run((core) => {
      const count = positions.length / 2;
      const begin = core._twofold_batch(this.#tw, count) >>> 2;
      core.HEAPU32.set(positions, begin);
      core._twofold_find_all(this.#tw);
      const answers = core.HEAPU32.slice(begin + 2 * count, begin + 6 * count);
      const part = (i, Type) => new Type(answers.buffer, 4 * count * i, count);
      // No file is 2^32 - 1, which is -1 here.
      return { files: part(0, Int32Array), functions: part(1, Int32Array), lines: part(2, Uint32Array), columns: part(3, Uint32Array) };
    });
  }

  get files() {
    return this.#run((core) => (this.#files ??= this.#strings(core._twofold_file, core._twofold_file_count(this.#tw))));
  }

  get functions() {
    return this.#run((core) => (this.#functions ??= this.#strings(core._twofold_function, core._twofold_function_count(this.#tw))));
  }

  verify() {
    this.#run((core) => this.#check(core._twofold_verify(this.#tw)));
  }

  /** Of the whole module only. */
  dump() {
    return this.#run((core) => {
      if (!core._twofold_dump) throw usage('dump() needs twofold_core.wasm');
      return this.#text(core._twofold_dump(this.#tw));
    });
  }

  free() {
    this.#run(() => {});
    this[kDispose]();
  }

  [kDispose]() {
    const tw = this.#tw;
    this.#tw = 0;
    if (tw !== 0 && !this.#instance.isCrashed) this.#instance.run((core) => core._twofold_delete(tw));
  }

  #run(work) {
    if (this.#tw === 0) throw freed();
    return this.#instance.run(work);
  }

  #decode(address, size) {
    return decoder.decode(this.#core.HEAPU8.subarray(address, address + size));
  }

  #text(size) {
    return this.#decode(this.#core._twofold_text(this.#tw) >>> 0, size);
  }

  /** Throws the failure of that size. */
  #check(size) {
    if (size === 0) return;
    const [code, ...detail] = this.#text(size).split('\n');
    const [low, high] = this.#core.HEAPU32.subarray(this.#numbers, this.#numbers + 2);
    const offset = low === kNone && high === kNone ? null : high * 2 ** 32 + low;
    throw new TwofoldError({ code, offset, detail: detail.join('\n') });
  }

  /** The string that `find` gives for an index, '' for a damaged one. */
  #string(find, index) {
    const address = find(this.#tw, index) >>> 0;
    return address === 0 ? '' : this.#decode(address, this.#core.HEAPU32[this.#numbers]);
  }

  /** All of a table. Entries of a damaged one may overlap, 4 GB from a few kilobytes: no more than the file's size. */
  #strings(find, count) {
    let left = this.#core._twofold_size(this.#tw) >>> 0;
    return Object.freeze(
      Array.from({ length: count >>> 0 }, (_, index) => {
        const address = find(this.#tw, index) >>> 0;
        const size = this.#core.HEAPU32[this.#numbers];
        if (address === 0 || size > left) return '';
        left -= size;
        return this.#decode(address, size);
      }),
    );
  }
}
