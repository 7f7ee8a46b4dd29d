// Reads a map from text for tests.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "core/js/map_reader.h"

namespace twofold::test {

struct ReadMap {
  Status status;
  js::SourceMap map;
};

// A fresh reader each time, so that no case leans on the one before.
inline ReadMap read_map(std::string_view json, js::Strictness strictness) {
  const PaddedBuffer buffer(json);
  js::MapReader reader;
  ReadMap read;
  read.status = reader.parse(buffer, strictness, read.map);
  return read;
}

// `code offset: detail` of a failure, else the number of segments.
inline std::string to_text(const ReadMap& read) {
  if (read.status.ok()) return std::to_string(read.map.segments.size()) + " segments";
  const Error& error = read.status.error();
  return std::string(to_string(error.code)) + " " + std::to_string(error.offset) + ": " +
         error.detail;
}

}  // namespace twofold::test
