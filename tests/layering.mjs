// Checks that include arrows point down (ARCHITECTURE.md): which folder may include which, which foreign
// headers are allowed where, and that every core source is built. `node tests/layering.mjs`.
//
// It reads `#include` lines, nothing else: no preprocessor, so a line that is switched off counts too.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// ---- the rules ------------------------------------------------------------------------------------------

// Folder: the folders it may include besides itself. `compile` holds for files called compile_* only.
const kMayInclude = {
  'core/base': { any: [] },
  'core/tw': { any: ['core/base'] },
  'core/js': { any: ['core/base'], compile: ['core/tw'] },
  'core/object': { any: ['core/base'] },
  'core/dwarf': { any: ['core/base', 'core/object'], compile: ['core/tw', 'core/demangle'] },
  'core/r8': { any: ['core/base'], compile: ['core/tw'] },
  'core/demangle': { any: ['core/base'] },
  'core/trace': { any: ['core/base'] },
  'core/symbolicate': { any: ['core/'] },
  'native/os': { any: ['core/base'] },
  'native/config': { any: ['core/base', 'native/os'] },
  'native/store': { any: ['core/', 'native/os'] },
  'native/engine': { any: ['core/', 'native/config', 'native/os', 'native/store'] },
  'native/otlp': { any: ['core/', 'native/os', 'native/store', 'native/engine'] },
  'native/http': { any: ['core/', 'native/config', 'native/os', 'native/store', 'native/engine', 'native/otlp'] },
  'native/cli': { any: ['core/', 'native/'] },
  'native/capi': { any: ['core/', 'native/os', 'native/store', 'native/engine'] },
  wasm: { any: ['core/'] },
};

// The core does no I/O, has no threads and no clock: of the standard library it may use these.
const kCoreStandardHeaders = new Set(
  `algorithm array bit cassert charconv climits compare concepts cstddef cstdint cstring deque functional
   initializer_list iterator limits map memory numeric optional set span string string_view tuple
   type_traits unordered_map unordered_set utility variant vector`.split(/\s+/));

// SIMD intrinsics that both targets have (Emscripten maps them to WebAssembly SIMD).
const kCoreSimdHeaders = new Set(['emmintrin.h', 'nmmintrin.h', 'smmintrin.h', 'tmmintrin.h']);

// Foreign headers that few files may include.
const kOnlyIn = [
  { header: /^simdjson/, files: ['core/js/map_json.cc', 'core/js/metro_json.cc', 'core/js/source_texts.cc', 'core/symbolicate/request.cc'] },
  { header: /^yaml-cpp/, files: ['native/config/yaml.cc'] },
  { header: /^curl/, files: ['native/store/http_client.cc'] },
  { header: /^spdlog/, files: ['native/http/log.cc'] },
  { header: /^boost/, files: ['native/http/connection.cc', 'native/http/connection.h', 'native/http/message_parser.h', 'native/http/server.cc', 'bench/serve_bench.cc'] },
  { header: /^emscripten/, files: ['wasm/bindings.cc', 'wasm/dump_export.cc', 'wasm/lookup_exports.cc'] },
];

const kPlatformMacro = /\b(__EMSCRIPTEN__|__wasm__|_WIN32|__linux__|__APPLE__|__unix__)\b/;

// The stand-in for a compiler header, not part of the core's code.
const isForeign = (path) => path.startsWith('core/simdjson_wasm/');

// ---- the check ------------------------------------------------------------------------------------------

/** The folder of kMayInclude that `path` lies in, or undefined. */
const folderOf = (path) => Object.keys(kMayInclude).find((folder) => path.startsWith(folder + '/'));

/** @param {string} text @returns {{header: string, isOurs: boolean, line: number}[]} */
function includesOf(text) {
  return text.split('\n').flatMap((line, index) => {
    const found = /^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)/.exec(line);
    return found ? [{ header: found[1] ?? found[2], isOurs: found[1] !== undefined, line: index + 1 }] : [];
  });
}

/** Is `header` (a path from the root) allowed in `path`? */
function mayInclude(path, header) {
  const folder = folderOf(path);
  const rule = kMayInclude[folder];
  const isCompile = path.split('/').pop().startsWith('compile_');
  const allowed = [folder + '/', ...rule.any, ...(isCompile ? (rule.compile ?? []) : [])];
  return allowed.some((prefix) => header.startsWith(prefix.endsWith('/') ? prefix : prefix + '/'));
}

/** What is wrong with one include; undefined when nothing is. */
function faultOf(path, { header, isOurs }, files) {
  const only = kOnlyIn.find((rule) => rule.header.test(header));
  if (only) return only.files.includes(path) ? undefined : `only ${only.files.join(', ')} may include it`;
  if (isOurs) {
    if (!files.has(header)) return 'no such file; paths start at the root of the repository';
    return mayInclude(path, header) ? undefined : 'the arrow points up or sideways';
  }
  if (!path.startsWith('core/')) return undefined;
  if (kCoreStandardHeaders.has(header) || kCoreSimdHeaders.has(header)) return undefined;
  return 'not a header that the core may use';
}

/** Files that include each other in a circle: one line per circle found. */
function findCircles(files) {
  const state = new Map();  // path: 1 on the way, 2 done
  const faults = [];
  const visit = (path, way) => {
    if (state.get(path) === 2) return;
    if (state.get(path) === 1) {
      faults.push(`${[...way.slice(way.indexOf(path)), path].join(' -> ')}: a circle`);
      return;
    }
    state.set(path, 1);
    for (const { header, isOurs } of includesOf(files.get(path))) {
      if (isOurs && files.has(header)) visit(header, [...way, path]);
    }
    state.set(path, 2);
  };
  for (const path of files.keys()) visit(path, []);
  return faults;
}

/** Every core source is listed once, and what is listed exists. */
function checkSourceList(files, cmake) {
  const body = /set\(TWOFOLD_CORE_SOURCES([^)]*)\)/.exec(cmake)?.[1] ?? '';
  const listed = body.replace(/#.*/g, '').split(/\s+/).filter(Boolean).map((name) => 'core/' + name);
  const sources = [...files.keys()].filter((path) => path.startsWith('core/') && path.endsWith('.cc'));
  return [
    ...sources.filter((path) => !listed.includes(path)).map((path) => `${path}: not in core/CMakeLists.txt`),
    ...listed.filter((path, i) => listed.indexOf(path) !== i).map((path) => `${path}: listed twice`),
    ...listed.filter((path) => !files.has(path)).map((path) => `${path}: listed, but there is no such file`),
  ];
}

/** @param {Map<string, string>} files path to text @param {string} cmake core/CMakeLists.txt */
function check(files, cmake) {
  const faults = [];
  for (const [path, text] of files) {
    if (isForeign(path)) continue;
    if (!folderOf(path)) {
      faults.push(`${path}: in no folder of the layout`);
      continue;
    }
    for (const include of includesOf(text)) {
      const fault = faultOf(path, include, files);
      if (fault) faults.push(`${path}:${include.line}: ${include.header}: ${fault}`);
    }
    if (path.startsWith('core/')) {
      text.split('\n').forEach((line, index) => {
        if (/^\s*#\s*(el)?if/.test(line) && kPlatformMacro.test(line)) {
          faults.push(`${path}:${index + 1}: platform code is a file, not an #ifdef`);
        }
      });
    }
  }
  return [...faults, ...findCircles(files), ...checkSourceList(files, cmake)];
}

// ---- the check checked ----------------------------------------------------------------------------------

// Each breach alone must give exactly one fault with this text; the sound tree none.
function selfTest() {
  const sound = {
    'core/base/units.h': '#include <cstdint>',
    'core/tw/view.h': '#include "core/base/units.h"',
    'core/js/map_json.cc': '#include <simdjson.h>',
    'core/js/map_reader.h': '#include "core/base/units.h"',
    'core/js/compile_js.cc': '#include "core/tw/view.h"\n#include "core/js/map_reader.h"',
    'core/symbolicate/face.h': '#include "core/js/map_reader.h"\n#include "core/tw/view.h"',
    'core/simdjson_wasm/x86intrin.h': '#include <nmmintrin.h>\n#ifdef __EMSCRIPTEN__',
    'native/os/file.h': '#include <fcntl.h>',
    'native/cli/main.cc': '#include "native/os/file.h"\n#include <iostream>',
    'wasm/bindings.cc': '#include <emscripten/bind.h>\n#include "core/symbolicate/face.h"',
  };
  const list = 'set(TWOFOLD_CORE_SOURCES\n  js/compile_js.cc\n  js/map_json.cc\n)';
  const breaches = [
    [{ 'core/base/units.h': '#include "core/tw/view.h"' }, /units.h:1: .*up or sideways/, /a circle/],
    [{ 'core/js/map_reader.h': '#include "core/tw/view.h"' }, /up or sideways/],
    [{ 'core/r8/reader.h': '#include "core/js/map_reader.h"' }, /up or sideways/],
    [{ 'core/trace/v8.h': '#include "core/tw/view.h"' }, /up or sideways/],
    [{ 'core/js/map_reader.h': '\n#include <simdjson.h>' }, /map_reader.h:2: .*only core\/js\/map_json.cc/],
    [{ 'native/os/file.h': '#include <emscripten/val.h>' }, /only wasm\/bindings.cc/],
    [{ 'core/tw/view.h': '#include <fstream>' }, /not a header/],
    [{ 'core/tw/view.h': '#include <thread>' }, /not a header/],
    [{ 'core/tw/view.h': '#include <chrono>' }, /not a header/],
    [{ 'core/tw/view.h': '#include <unistd.h>' }, /not a header/],
    [{ 'core/tw/view.h': '#include "view.h"' }, /no such file/],
    [{ 'core/tw/view.h': '#if defined(_WIN32)' }, /platform code/],
    [{ 'native/os/file.h': '#include "native/cli/main.cc"' }, /up or sideways/, /a circle/],
    [{ 'native/http/server.h': '#include "native/cli/main.cc"' }, /up or sideways/],
    [{ 'wasm/bindings.cc': '#include "native/os/file.h"' }, /up or sideways/],
    [{ 'core/misc/x.h': '' }, /no folder/],
    [{ 'core/tw/extra.cc': '' }, /not in core\/CMakeLists.txt/],
  ];
  const expectFaults = (what, faults, patterns) => {
    const matches = faults.length === patterns.length && patterns.every((p, i) => p.test(faults[i]));
    if (!matches) throw new Error(`self test: ${what}: expected ${patterns}, got ${JSON.stringify(faults)}`);
  };
  expectFaults('sound tree', check(new Map(Object.entries(sound)), list), []);
  for (const [change, ...patterns] of breaches) {
    const files = new Map(Object.entries({ ...sound, ...change }));
    expectFaults(JSON.stringify(change), check(files, list), patterns);
  }
  const files = new Map(Object.entries(sound));
  expectFaults('twice', check(files, list.replace(')', ' js/map_json.cc)')), [/twice/]);
  expectFaults('gone', check(files, list.replace(')', ' js/gone.cc)')), [/no such file/]);
}

// ---- the tree -------------------------------------------------------------------------------------------

function* sourcesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* sourcesBelow(path);
    if (entry.isFile() && /\.(h|cc|c)$/.test(entry.name)) yield path;
  }
}

selfTest();
const files = new Map();
for (const folder of ['core', 'native', 'wasm']) {
  for (const path of sourcesBelow(join(root, folder))) {
    files.set(relative(root, path), readFileSync(path, 'utf8'));
  }
}
const faults = check(files, readFileSync(join(root, 'core/CMakeLists.txt'), 'utf8'));
for (const fault of faults) console.error(fault);
console.log(`${files.size} files, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
