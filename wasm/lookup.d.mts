// The small door: `twofold_lookup.wasm` opens .tw files that were built elsewhere. The same `Artifact` as of
// index.d.mts, for a page or a worker that downloads little; `dump` is the only thing that it lacks.
import type { Artifact, ModuleSource } from './index.mjs';

export { Artifact, TwofoldError } from './index.mjs';

/** Starts an instance of `twofold_lookup.wasm`. */
export function load(source: ModuleSource | Promise<ModuleSource>): Promise<Lookup>;

export class Lookup {
  private constructor();
  /** Checks the frame of a .tw and keeps a copy of it. O(1) but for the copy. */
  open(tw: BufferSource): Artifact;
}
