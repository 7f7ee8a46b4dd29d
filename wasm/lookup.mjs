// The small door: .tw files are opened and looked up, nothing is built. What it promises is in lookup.d.mts.
import { Artifact } from './artifact.mjs';
import { compile, Instance, toBytes, TwofoldError } from './instance.mjs';

export { Artifact, TwofoldError };

export class Lookup {
  #instance;

  /** `load` makes these. */
  constructor(instance) {
    this.#instance = instance;
  }

  open(tw) {
    return new Artifact(this.#instance, toBytes(tw, 'the .tw'));
  }
}

/** The module's exports as artifact.mjs takes them. */
function toCore({ memory, ...functions }) {
  const core = Object.fromEntries(Object.entries(functions).map(([name, value]) => [`_${name}`, value]));
  let bytes = new Uint8Array(memory.buffer);
  let numbers = new Uint32Array(memory.buffer);
  const renewed = () => {
    if (bytes.buffer !== memory.buffer) {
      bytes = new Uint8Array(memory.buffer);
      numbers = new Uint32Array(memory.buffer);
    }
  };
  Object.defineProperties(core, {
    HEAPU8: { get: () => (renewed(), bytes) },
    HEAPU32: { get: () => (renewed(), numbers) },
  });
  return core;
}

export async function load(source) {
  const module = await compile(source);
  // What the runtime asks for: to be told that memory grew, which `toCore` sees for itself.
  const ignore = () => {};
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = ignore;
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  return new Lookup(new Instance(toCore(exports)));
}
