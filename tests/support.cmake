# twofold_test_support: helpers that several tests share. Only tests may link it: it does file I/O, and the
# twins are slow on purpose.
find_package(ZLIB REQUIRED)

set(corpus "${TWOFOLD_CORPUS}")
if(NOT corpus)
  set(corpus ${PROJECT_SOURCE_DIR}/../shared/corpus)
endif()

add_library(twofold_test_support STATIC
  reference/compare.cc
  reference/slow_lookup.cc
  reference/slow_map.cc
  support/corpus.cc
  support/hostile_texts.cc
  support/scope_rules.cc)
target_compile_definitions(twofold_test_support PRIVATE TWOFOLD_CORPUS_DIR="${corpus}")
target_link_libraries(twofold_test_support PUBLIC twofold_core twofold_simdjson PRIVATE ZLIB::ZLIB twofold_warnings)
