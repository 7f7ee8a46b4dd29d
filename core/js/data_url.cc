#include "core/js/data_url.h"

#include <optional>

#include "core/base/ascii.h"
#include "core/base/vlq.h"

namespace twofold::js {
namespace {

constexpr std::string_view kScheme = "data:";

std::optional<std::uint8_t> hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  const char lower = to_lower_ascii(c);
  if (lower >= 'a' && lower <= 'f') return static_cast<std::uint8_t>(lower - 'a' + 10);
  return std::nullopt;
}

// Both alphabets of RFC 4648 (§4 and, for tools that made the URL safe, §5).
std::uint8_t base64_value(char c) {
  if (c == '-') c = '+';
  if (c == '_') c = '/';
  return kBase64Value[static_cast<std::uint8_t>(c)];
}

Result<PaddedBuffer> decode_base64(std::string_view text, std::uint64_t text_at) {
  const std::size_t size = text.size();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (size - text.size() > 2 || text.size() % 4 == 1) {
    return Error{Code::kBadUrl, text_at + size, "base64 of the wrong length"};
  }
  PaddedBuffer out(text.size() / 4 * 3 + text.size() % 4 * 3 / 4);  // `size * 3` wraps on wasm32
  std::size_t written = 0;
  std::uint32_t bits = 0;
  unsigned bit_count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t value = base64_value(text[i]);
    if (value == kNotBase64) return Error{Code::kBadUrl, text_at + i, "not a base64 digit"};
    bits = (bits << 6) | value;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    out.data()[written++] = static_cast<std::uint8_t>(bits >> bit_count);
  }
  return out;
}

// Does the part before the comma end in `;base64`? Spaces around the word are allowed (Fetch
// standard, "data: URL processor").
bool says_base64(std::string_view head) {
  const auto trim = [&] {
    while (head.ends_with(' ')) head.remove_suffix(1);
  };
  constexpr std::string_view kWord = "base64";
  trim();
  if (!ends_with_ignoring_case(head, kWord)) return false;
  head.remove_suffix(kWord.size());
  trim();
  return head.ends_with(';');
}

}  // namespace

bool is_data_url(std::string_view url) {
  return starts_with_ignoring_case(url, kScheme);
}

std::string decode_percent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && text.size() - i > 2) {
      const auto high = hex_value(text[i + 1]);
      const auto low = hex_value(text[i + 2]);
      if (high && low) {
        out += static_cast<char>((*high << 4) | *low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

Result<PaddedBuffer> decode_data_url(std::string_view url) {
  if (!is_data_url(url)) return Error{Code::kBadUrl, 0, "not a data: URL"};
  const std::size_t comma = url.find(',');
  if (comma == std::string_view::npos) {
    return Error{Code::kBadUrl, url.size(), "a data: URL without a comma"};
  }
  const std::string_view payload = url.substr(comma + 1);
  if (!says_base64(url.substr(0, comma))) {
    return PaddedBuffer(std::string_view(decode_percent(payload)));
  }
  if (payload.find('%') == std::string_view::npos) return decode_base64(payload, comma + 1);
  return decode_base64(decode_percent(payload), comma + 1);
}

}  // namespace twofold::js
