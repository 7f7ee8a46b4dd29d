// A .tw in linear memory and what its answers are handed out in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/tw/verify.h"
#include "core/tw/view.h"

struct OpenTw {
  std::vector<std::uint8_t> bytes;
  std::optional<twofold::tw::View> view;  // of the bytes, once they are open
  std::uint32_t numbers[4] = {};
  std::vector<std::uint32_t> batch;
  std::string text;
};
