#include "native/http/multipart.h"

#include "core/base/ascii.h"
#include "native/http/message.h"

namespace twofold::http {
namespace {

constexpr std::size_t kLongestBoundaryBytes = 70;
constexpr std::size_t kLongestHeadBytes = 8 * 1024;
constexpr std::string_view kNewline = "\r\n";

// What browsers write for a quote, CR and LF in a file name.
std::string resolve_browser_escapes(std::string name) {
  constexpr std::pair<std::string_view, char> kEscapes[] = {
      {"%22", '"'}, {"%0D", '\r'}, {"%0A", '\n'}};
  for (const auto& [escape, meant] : kEscapes) {
    for (std::size_t at = 0; (at = name.find(escape, at)) != std::string::npos; ++at) {
      name.replace(at, escape.size(), 1, meant);
    }
  }
  return name;
}

void read_field(std::string_view line, Part& part) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view value = line.substr(colon + 1);
  if (equal_ignoring_case(line.substr(0, colon), "content-disposition")) {
    part.name = resolve_browser_escapes(header_parameter(value, "name"));
    part.filename = resolve_browser_escapes(header_parameter(value, "filename"));
  } else if (equal_ignoring_case(line.substr(0, colon), "content-encoding")) {
    part.content_encoding = media_type(value);
  }
}

// Reads the head of a part; what is left of `rest` is its content. False: it has no end.
bool read_head(std::string_view& rest, Part& part) {
  const std::string_view whole = rest;
  for (;;) {
    const std::size_t end = rest.find(kNewline);
    if (end == std::string_view::npos || whole.size() - rest.size() > kLongestHeadBytes) {
      return false;
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + kNewline.size());
    if (line.empty()) return true;
    read_field(line, part);
  }
}

}  // namespace

Result<std::vector<Part>> parse_multipart(std::string_view body, std::string_view boundary) {
  if (boundary.empty() || boundary.size() > kLongestBoundaryBytes ||
      boundary.find_first_of(kNewline) != std::string_view::npos) {
    return Error{Code::kUsage, kNoOffset, "no boundary in the Content-Type"};
  }
  const std::string opening = "--" + std::string(boundary);
  const std::string closing = "\r\n" + opening;
  const auto offset = [body](std::string_view rest) { return body.size() - rest.size(); };

  // The first boundary stands at the start or behind a preamble.
  std::string_view rest = body;
  if (rest.starts_with(opening)) {
    rest.remove_prefix(opening.size());
  } else {
    const std::size_t at = rest.find(closing);
    if (at == std::string_view::npos) return Error{Code::kTruncated, 0, "no boundary in the body"};
    rest.remove_prefix(at + closing.size());
  }
  std::vector<Part> parts;
  for (;;) {
    if (rest.starts_with("--")) return parts;
    const std::size_t part_at = offset(rest);
    // Blanks may follow a boundary, nothing else.
    const std::size_t line_end = rest.find_first_not_of(" \t");
    if (line_end == std::string_view::npos || !rest.substr(line_end).starts_with(kNewline)) {
      return Error{Code::kTruncated, part_at, "a boundary's line does not end"};
    }
    rest.remove_prefix(line_end + kNewline.size());
    if (parts.size() == kMostParts) return Error{Code::kTooLarge, part_at, "too many parts"};
    Part part;
    if (!read_head(rest, part))
      return Error{Code::kTruncated, part_at, "a part's head does not end"};
    // An empty part may have its boundary right behind its head, whose newline it then shares.
    std::size_t end = 0;
    if (rest.starts_with(opening)) {
      rest.remove_prefix(opening.size());
    } else {
      end = rest.find(closing);
      if (end == std::string_view::npos) {
        return Error{Code::kTruncated, part_at, "a part does not end"};
      }
      part.content = rest.substr(0, end);
      rest.remove_prefix(end + closing.size());
    }
    parts.push_back(std::move(part));
  }
}

}  // namespace twofold::http
