// Makes .tw files for tests from short lists.
#pragma once

#include <string_view>
#include <vector>

#include "core/tw/flat_builder.h"
#include "core/tw/flat_view.h"

namespace twofold::test {

struct Row {
  std::uint32_t line;               // generated, 0-based
  std::uint32_t column;             // generated, 0-based
  std::string_view file = {};       // "": none
  std::uint32_t original_line = 0;  // 1-based; 0: unmapped from here
  std::uint32_t original_column = 0;
  std::string_view function = {};
};

inline std::vector<std::uint8_t> build_flat(const std::vector<Row>& rows) {
  tw::FlatBuilder builder;
  for (const Row& row : rows) {
    tw::Token token;
    token.generated = {Line(row.line), Utf16Column(row.column)};
    token.original_line = row.original_line;
    token.original_column = row.original_column;
    if (!row.file.empty()) token.file = builder.intern_file(row.file);
    if (!row.function.empty()) token.function = builder.intern_function(row.function);
    builder.add(token);
  }
  auto built = builder.finish();
  return std::move(built).value();
}

// Precondition: `bytes` open.
inline tw::FlatView open_flat(const std::vector<std::uint8_t>& bytes) {
  return tw::FlatView::open(bytes).value();
}

inline Position at(std::uint32_t line, std::uint32_t column) {
  return {Line(line), Utf16Column(column)};
}

// A small file with everything in it: two lines, a duplicate, a gap, two files, two functions, text
// of odd length so that the second table is unaligned.
inline std::vector<std::uint8_t> sample_flat() {
  return build_flat({{0, 0, "src/a.js", 1, 1, "main"},
                     {0, 5, "src/a.js", 2, 1, "main"},
                     {0, 5, "src/b.ts", 7, 3, "helper"},
                     {0, 20},
                     {2, 4, "src/b.ts", 9, 1},
                     {2, 9, {}, 4, 2}});
}

}  // namespace twofold::test
