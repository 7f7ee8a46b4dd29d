// twofold in WebAssembly: source maps to .tw files, lookups in them, readable traces.
//
// Inputs are copied into linear memory, results are copies: nothing that you hold changes or dies later.
// All calls but `load` are synchronous. One `Twofold` belongs to one thread; a compiled
// WebAssembly.Module may be shared and loaded in each.

/** A response of `fetch`, or what looks like one. */
export interface ResponseLike {
  readonly ok?: boolean;
  readonly status?: number;
  readonly url?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export type ModuleSource = WebAssembly.Module | BufferSource | ResponseLike;

/** Text is taken as UTF-8. At most 512 MB. */
export type Input = string | BufferSource;

/** Starts an instance of `twofold_core.wasm`. No file system, no eval, no network of its own. */
export function load(source: ModuleSource | Promise<ModuleSource>): Promise<Twofold>;

/** The codes of the core, which are those of the command line, and the last two of this door. */
export type ErrorCode =
  | 'truncated'
  | 'bad_magic'
  | 'unsupported_version'
  | 'unsupported'
  | 'too_large'
  | 'bad_table'
  | 'bad_json'
  | 'bad_map'
  | 'bad_mapping'
  | 'bad_section'
  | 'bad_url'
  | 'bad_utf8'
  | 'wrong_build'
  | 'not_found'
  | 'io'
  | 'unavailable'
  | 'usage'
  /** The object was used after `free()`. */
  | 'freed'
  /** Out of memory, or a bug of ours: the instance is lost, `load` another one. */
  | 'crashed';

export class TwofoldError extends Error {
  constructor(failure: { code: ErrorCode; offset?: number | null; detail?: string; input?: string });
  readonly name: 'TwofoldError';
  readonly code: ErrorCode;
  /** Bytes from the start of the input; null where no place is to blame. */
  readonly offset: number | null;
  readonly detail: string;
  /** The name of the input, '' when it has none. */
  readonly input: string;
}

export class Twofold {
  private constructor();
  /**
   * The .tw of a source map. With its script, functions have names. The same bytes as `twofold build` with that
   * layout: `blocks` (by default) is a sixth of the size, `flat` what other tools read too.
   */
  build(input: { readonly map: Input; readonly script?: Input; readonly layout?: 'flat' | 'blocks' }): Uint8Array;
  /** Checks the frame of a .tw and keeps a copy of it. O(1) but for the copy. */
  open(tw: BufferSource): Artifact;
  symbolicator(): Symbolicator;
}

/** Answers in the order of the positions; entry `i` belongs to pair `i`. */
export interface Locations {
  /** Indexes of `Artifact.files`; -1: unknown. */
  readonly files: Int32Array;
  /** Indexes of `Artifact.functions`; -1: the file does not tell. `<anonymous>` and `<global>` are no names. */
  readonly functions: Int32Array;
  /** From 1; 0: no answer. */
  readonly lines: Uint32Array;
  /** From 1, in UTF-16 units; 0: unknown. */
  readonly columns: Uint32Array;
}

/** One answer. Lines and columns as in `Locations`. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly file: string | null;
  /** `<anonymous>` and `<global>` are no names; null: the file does not tell. */
  readonly function: string | null;
}

/** A .tw file that is open. Free it. */
export class Artifact {
  private constructor();
  /** The place that a position comes from, null without one. Line and column in the generated code, both from 0. */
  find(line: number, column: number): Place | null;
  /** `positions`: line, column, line, column, ... in the generated code, both from 0. O(log tokens) each. */
  lookup(positions: Uint32Array): Locations;
  /** The string tables; fetched with the first use, then kept. */
  readonly files: readonly string[];
  readonly functions: readonly string[];
  /** The deep check of a file from elsewhere; throws TwofoldError on the first thing that is wrong. */
  verify(): void;
  /** One line per token and string. */
  dump(): string;
  /** Every use after it, `free` too, throws TwofoldError `freed`. */
  free(): void;
  /** As `free`, but may come after it. */
  [Symbol.dispose](): void;
}

export type FrameStatus = 'mapped' | 'unmapped' | 'passthrough' | 'dropped';

export interface OriginalFrame {
  readonly function: string | null;
  /** Absent when the artifacts do not tell; `function` is then what the engine printed. */
  readonly scope?: 'named' | 'anonymous' | 'global';
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** From 1, in UTF-16 units. */
  readonly column: number | null;
  readonly inlined: boolean;
  /** Third-party code by the map's ignore list. */
  readonly ignored: boolean;
  /** Absent unless asked for and known. Lines longer than 200 bytes are cut. */
  readonly context?: {
    /** Number of the first of the lines, from 1. */
    readonly first: number;
    readonly lines: readonly string[];
  };
}

export interface Frame {
  /** The frame as it stands in its line. */
  readonly in: string;
  /** Line of the trace, from 0. */
  readonly line: number;
  readonly status: FrameStatus;
  /** Why, for every status but `mapped`. */
  readonly reason?: string;
  /** Innermost first; empty unless `mapped`. */
  readonly out: readonly OriginalFrame[];
}

/** An artifact that could not be used. */
export interface ArtifactFault {
  readonly artifact: string;
  readonly reason: string;
  readonly detail: string;
}

export interface Answer {
  /** The readable trace. What was not UTF-8 is U+FFFD here. */
  readonly text: string;
  /** The readable trace byte for byte. */
  readonly textBytes: Uint8Array;
  readonly frames: readonly Frame[];
  readonly artifacts: readonly ArtifactFault[];
}

export interface SymbolicateOptions {
  /**
   * Lines of source text around each mapped frame's own, 0 to 1000; absent: no context. The first call that
   * asks builds the artifacts once more, to keep their texts.
   */
  readonly context?: number;
}

/** Artifacts, and the traces that they make readable. Maps are built when a frame needs them. Free it. */
export class Symbolicator {
  private constructor();
  /** A script, source map or .tw; the content says which. `name`: its path, which frames are compared with. */
  add(name: string, content: Input): this;
  /** Never throws for what a trace or an artifact holds: the answer says what could not be resolved. */
  symbolicate(trace: Input, options?: SymbolicateOptions): Answer;
  /** The same answer as `twofold symbolicate --json` prints, without the newline. */
  symbolicateJson(trace: Input, options?: SymbolicateOptions): string;
  /** Every use after it, `free` too, throws TwofoldError `freed`. */
  free(): void;
  /** As `free`, but may come after it. */
  [Symbol.dispose](): void;
}
