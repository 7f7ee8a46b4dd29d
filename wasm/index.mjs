// The door to twofold in WebAssembly. What it offers and promises is written in index.d.mts.
//
// Inside: each class owns one object in linear memory and frees it. Inputs are written into that memory
// with one copy, results are copied out at once; no view of it is kept, so growth of the memory changes
// nothing that was handed out. Nothing here waits between taking a view and using it.
import createTwofoldCore from './twofold_core.mjs';

import { Artifact } from './artifact.mjs';
import { compile, freed, Instance, kDispose, toBytes, TwofoldError, usage } from './instance.mjs';

export { Artifact, TwofoldError };

const kMostContextLines = 1000;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a byte order mark is part of a text

/** A result of the core, copied; a failure is thrown. */
function take(result) {
  if (result instanceof Uint8Array || result instanceof Uint32Array) return result.slice();
  if (result !== null) throw new TwofoldError(result);
  return undefined;
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
    if (this.#object === null) throw freed();
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

  build({ map, script = '', layout = 'blocks' }) {
    if (layout !== 'flat' && layout !== 'blocks') throw usage('layout is neither flat nor blocks');
    const mapBytes = toBytes(map, 'the map');
    const scriptBytes = toBytes(script, 'the script');
    const handle = new Handle(this.#instance, (core) => new core.Compiler());
    try {
      return handle.run((compiler) => {
        compiler.mapInput(mapBytes.length).set(mapBytes);
        compiler.scriptInput(scriptBytes.length).set(scriptBytes);
        return take(compiler.build(layout === 'blocks'));
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
