// A .tw in linear memory and what its answers are handed out in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/tw/flat_view.h"
#include "core/tw/lookup.h"
#include "core/tw/verify.h"

struct OpenTw {
  std::vector<std::uint8_t> bytes;
  std::optional<twofold::tw::FlatView> view;  // of the bytes, once they are open
  std::uint32_t numbers[4] = {};
  std::vector<std::uint32_t> batch;
  std::string text;
};
