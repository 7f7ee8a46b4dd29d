# simdjson, npm package @nozbe/simdjson: an amalgamation of two files, compiled once per target.
#
# Native x86-64: the baseline is x86-64-v2 with carry-less multiplication (every CPU since 2010), so that
# on-demand parsing inlines SSE4.2 code; the first stage still picks AVX-512 or AVX2 at run time.
# WebAssembly: simdjson knows no wasm SIMD. Emscripten maps SSE4.2 intrinsics to it, and the header in
# simdjson_wasm/ supplies the few that are missing: 4 times faster than the scalar kernel.
set(TWOFOLD_SIMDJSON_DIR ${PROJECT_SOURCE_DIR}/node_modules/@nozbe/simdjson/src)
if(NOT EXISTS ${TWOFOLD_SIMDJSON_DIR}/simdjson.cpp)
  message(FATAL_ERROR "simdjson is missing: run `npm ci` in ${PROJECT_SOURCE_DIR} first")
endif()

add_library(twofold_arch INTERFACE)
if(EMSCRIPTEN)
  target_compile_options(twofold_arch INTERFACE -msimd128 -msse4.2)
  # The linker sees all code, so what simdjson has behind virtual functions and nobody calls goes: 20 KB of 103
  # (brotli), and building with names takes 0.7 of the time.
  target_compile_options(twofold_arch INTERFACE
    -flto -fvisibility=hidden -fwhole-program-vtables -fvirtual-function-elimination)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(twofold_arch INTERFACE -march=x86-64-v2 -mpclmul)
endif()

add_library(twofold_simdjson STATIC ${TWOFOLD_SIMDJSON_DIR}/simdjson.cpp)
target_include_directories(twofold_simdjson SYSTEM PUBLIC ${TWOFOLD_SIMDJSON_DIR})
target_compile_definitions(twofold_simdjson PUBLIC SIMDJSON_EXCEPTIONS=0)
if(EMSCRIPTEN)
  target_include_directories(twofold_simdjson SYSTEM BEFORE PUBLIC
    ${CMAKE_CURRENT_SOURCE_DIR}/simdjson_wasm)
  target_compile_definitions(twofold_simdjson PUBLIC
    __PCLMUL__=1 SIMDJSON_IS_X86_64=1 SIMDJSON_IMPLEMENTATION_WESTMERE=1
    SIMDJSON_IMPLEMENTATION_HASWELL=0 SIMDJSON_IMPLEMENTATION_ICELAKE=0
    SIMDJSON_IMPLEMENTATION_FALLBACK=0)
endif()
target_compile_options(twofold_simdjson PRIVATE -w)
target_link_libraries(twofold_simdjson PUBLIC twofold_arch twofold_sanitizers)
