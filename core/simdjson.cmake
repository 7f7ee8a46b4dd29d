# simdjson, npm package @nozbe/simdjson: an amalgamation of two files, compiled once per target.
set(TWOFOLD_SIMDJSON_DIR ${PROJECT_SOURCE_DIR}/node_modules/@nozbe/simdjson/src)
if(NOT EXISTS ${TWOFOLD_SIMDJSON_DIR}/simdjson.cpp)
  message(FATAL_ERROR "simdjson is missing: run `npm ci` in ${PROJECT_SOURCE_DIR} first")
endif()

add_library(twofold_simdjson STATIC ${TWOFOLD_SIMDJSON_DIR}/simdjson.cpp)
target_include_directories(twofold_simdjson SYSTEM PUBLIC ${TWOFOLD_SIMDJSON_DIR})
target_compile_definitions(twofold_simdjson PUBLIC SIMDJSON_EXCEPTIONS=0)
target_compile_options(twofold_simdjson PRIVATE -w)
target_link_libraries(twofold_simdjson PUBLIC twofold_sanitizers)
