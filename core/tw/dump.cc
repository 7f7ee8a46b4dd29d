#include "core/tw/dump.h"

namespace twofold::tw {
namespace {

void dump_place(std::string& out, std::uint64_t line, std::uint64_t column) {
  out += std::to_string(line) + ":" + std::to_string(column);
}

// A name may hold anything: what could end a line or steer a terminal is written as `\x0a`.
void dump_text(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
}

void dump_string(std::string& out, const StringTableView& table, std::uint32_t index) {
  if (index == kNone) {
    out += "-";
  } else if (const auto text = table.find(index)) {
    dump_text(out, *text);
  } else {
    out += "(damaged " + std::to_string(index) + ")";
  }
}

void dump_token(std::string& out, const FlatView& view, const Token& token) {
  out += "token ";
  dump_place(out, std::uint64_t{token.generated.line.value()} + 1,
             std::uint64_t{token.generated.column.value()} + 1);
  out += " -> ";
  if (token.is_unmapped()) {
    out += "unmapped";
  } else {
    dump_string(out, view.files(), token.file);
    out += ":";
    dump_place(out, token.original_line, token.original_column);
  }
  if (token.function != kNone) {
    out += " fn=";
    dump_string(out, view.functions(), token.function);
  }
  out += "\n";
}

void dump_table(std::string& out, const char* what, const StringTableView& table) {
  for (std::uint32_t index = 0; index < table.count(); ++index) {
    out += std::string(what) + " " + std::to_string(index) + " ";
    dump_string(out, table, index);
    out += "\n";
  }
}

}  // namespace

std::string dump(const FlatView& view) {
  std::string out = "tw version 1, " + std::to_string(view.token_count()) + " tokens, " +
                    std::to_string(view.files().count()) + " files, " +
                    std::to_string(view.functions().count()) + " functions\n";
  for (std::uint32_t index = 0; index < view.token_count(); ++index) {
    dump_token(out, view, view.token(index));
  }
  dump_table(out, "file", view.files());
  dump_table(out, "function", view.functions());
  return out;
}

}  // namespace twofold::tw
