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

using Name = std::optional<std::string_view>;

void dump_name(std::string& out, const Name& name, std::uint32_t index) {
  if (index == kNone) {
    out += "-";
  } else if (name) {
    dump_text(out, *name);
  } else {
    out += "(damaged " + std::to_string(index) + ")";
  }
}

void dump_token(std::string& out, const View& view, const Token& token) {
  out += "token ";
  dump_place(out, std::uint64_t{token.generated.line.value()} + 1,
             std::uint64_t{token.generated.column.value()} + 1);
  out += " -> ";
  if (token.is_unmapped()) {
    out += "unmapped";
  } else {
    dump_name(out, view.file(token.file), token.file);
    out += ":";
    dump_place(out, token.original_line, token.original_column);
  }
  if (token.function != kNone) {
    out += " fn=";
    dump_name(out, view.function(token.function), token.function);
  }
}

void dump_flat_tokens(std::string& out, const View& view) {
  for (std::uint32_t i = 0; i < view.token_count(); ++i) {
    dump_token(out, view, view.as_flat()->token(i));
    out += "\n";
  }
}

// A token of a page, with the indexes that names have in the file.
Token to_token(const PageView& page, std::uint64_t key, const PageToken& found) {
  Token token;
  token.generated = {Line(static_cast<std::uint32_t>(key >> 32)),
                     Utf16Column(static_cast<std::uint32_t>(key))};
  token.original_line = found.original_line;
  token.original_column = found.original_column;
  PageName name;
  if (page.find_file(found.file, name)) token.file = name.index;
  if (page.find_function(found.function, name)) token.function = name.index;
  return token;
}

void dump_block_tokens(std::string& out, const View& view) {
  for (std::uint32_t i = 0; i < view.as_blocks()->page_count(); ++i) {
    const PageView page(view.as_blocks()->page_bytes(i));
    const bool is_whole = page.for_each([&](std::uint64_t key, const PageToken& found) {
      dump_token(out, view, to_token(page, key, found));
      if (found.caller != 0) out += " caller=" + std::to_string(found.caller - 1);
      out += "\n";
    });
    if (!is_whole) out += "(damaged page " + std::to_string(i) + ")\n";
  }
}

}  // namespace

std::string dump(const View& view) {
  std::string out = "tw version " + std::to_string(view.version()) + ", " +
                    std::to_string(view.token_count()) + " tokens, " +
                    std::to_string(view.file_count()) + " files, " +
                    std::to_string(view.function_count()) + " functions\n";
  if (view.as_flat() != nullptr) {
    dump_flat_tokens(out, view);
  } else {
    dump_block_tokens(out, view);
  }
  for (std::uint32_t i = 0; i < view.file_count(); ++i) {
    out += "file " + std::to_string(i) + " ";
    dump_name(out, view.file(i), i);
    out += view.is_ignored(i) ? " (ignored)\n" : "\n";
  }
  for (std::uint32_t i = 0; i < view.function_count(); ++i) {
    out += "function " + std::to_string(i) + " ";
    dump_name(out, view.function(i), i);
    out += "\n";
  }
  return out;
}

}  // namespace twofold::tw
