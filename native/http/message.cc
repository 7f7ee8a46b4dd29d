#include "native/http/message.h"

#include <algorithm>
#include <optional>

#include "core/base/ascii.h"
#include "core/symbolicate/json.h"

namespace twofold::http {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode_form(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%' && text.size() - at > 2 && hex_digit(text[at + 1]) >= 0 &&
        hex_digit(text[at + 2]) >= 0) {
      decoded += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else {
      decoded += text[at] == '+' ? ' ' : text[at];
    }
  }
  return decoded;
}

// `q=0.85` as 850; 1000 when there is none, 0 when it cannot be read.
int quality(std::string_view parameters) {
  const std::string text = header_parameter(parameters, "q");
  if (text.empty()) return 1000;
  if (text[0] != '0' && text[0] != '1') return 0;
  int value = (text[0] - '0') * 1000;
  int unit = 100;
  for (std::size_t at = 2; at < text.size() && unit > 0 && text[at] >= '0' && text[at] <= '9';
       ++at) {
    value += (text[at] - '0') * unit;
    unit /= 10;
  }
  return std::min(value, 1000);
}

// How much a list of media ranges wants one type: by the most particular range that covers it.
struct Wanted {
  int quality = 0;
  int rank = -1;  // 0 */*, 1 text/*, 2 text/plain
  void add(std::string_view range, std::string_view type, int range_quality) {
    const std::string_view group = type.substr(0, type.find('/') + 1);
    int fit = -1;
    if (range == "*/*") fit = 0;
    if (range.ends_with("/*") && range.substr(0, range.size() - 1) == group) fit = 1;
    if (range == type) fit = 2;
    if (fit <= rank) return;
    rank = fit;
    quality = range_quality;
  }
};

}  // namespace

std::string_view reason_phrase(std::uint32_t status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 207:
      return "Multi-Status";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    case 507:
      return "Insufficient Storage";
    default:
      return "Unknown";
  }
}

Response to_response(const Refusal& refusal) {
  Response response;
  response.status = refusal.status;
  response.extra_headers = refusal.extra_headers;
  response.body = "{\"error\":{\"code\":\"" + std::string(refusal.code) + "\"";
  if (refusal.offset != ~std::uint64_t{0}) {
    response.body += ",\"offset\":" + std::to_string(refusal.offset);
  }
  response.body += ",\"detail\":";
  write_json_string(refusal.detail, response.body);
  response.body += "}}\n";
  return response;
}

std::string find_parameter(std::string_view target, std::string_view key) {
  std::size_t at = target.find('?');
  if (at == std::string_view::npos) return "";
  std::string_view query = target.substr(at + 1);
  query = query.substr(0, query.find('#'));
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (pair.substr(0, equals) != key) continue;
    return equals == std::string_view::npos ? "" : decode_form(pair.substr(equals + 1));
  }
  return "";
}

std::string media_type(std::string_view content_type) {
  return to_lower(trim(content_type.substr(0, content_type.find(';'))));
}

std::string header_parameter(std::string_view header, std::string_view key) {
  std::size_t at = header.find(';');
  while (at != std::string_view::npos && at < header.size()) {
    ++at;
    const std::size_t equals = header.find_first_of("=;", at);
    const std::string name = to_lower(trim(header.substr(at, equals - at)));
    if (equals == std::string_view::npos) return "";
    if (header[equals] == ';') {
      at = equals;
      continue;
    }
    at = header.find_first_not_of(" \t", equals + 1);
    std::string value;
    if (at != std::string_view::npos && header[at] == '"') {
      for (++at; at < header.size() && header[at] != '"'; ++at) {
        if (header[at] == '\\' && header.size() - at > 1) ++at;
        value += header[at];
      }
      at = header.find(';', std::min(at, header.size()));
    } else if (at != std::string_view::npos) {
      const std::size_t end = header.find(';', at);
      value = trim(header.substr(at, end - at));
      at = end;
    }
    if (name == key) return value;
  }
  return "";
}

bool prefers_text(std::string_view accept) {
  Wanted text;
  Wanted json;
  while (!accept.empty()) {
    const std::string_view item = accept.substr(0, accept.find(','));
    accept.remove_prefix(std::min(accept.size(), item.size() + 1));
    const std::string range = media_type(item);
    text.add(range, "text/plain", quality(item));
    json.add(range, "application/json", quality(item));
  }
  if (text.quality != json.quality) return text.quality > json.quality;
  return text.quality > 0 && text.rank > json.rank;
}

}  // namespace twofold::http
