#include "core/tw/dump.h"

#include "core/tw/block_walk.h"

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

// With the indexes that names have in the file.
Token to_token(const BlockView& view, const WalkedToken& walked) {
  const std::uint64_t key = view.runs().run(walked.run).key(walked.place);
  Token token;
  token.generated = {Line(static_cast<std::uint32_t>(key >> 32)),
                     Utf16Column(static_cast<std::uint32_t>(key))};
  token.original_line = walked.token.original_line;
  token.original_column = walked.token.original_column;
  PageName name;
  if (walked.token.is_unmapped()) return token;
  if (read_page_name(view.bytes(), walked.page_end, walked.token.file, name)) {
    token.file = name.index;
  }
  if (read_page_name(view.bytes(), walked.page_end, walked.token.function, name)) {
    token.function = name.index;
  }
  return token;
}

void dump_block_tokens(std::string& out, const View& view) {
  const BlockView& blocks = *view.as_blocks();
  BlockWalk walk(blocks);
  const bool is_whole = walk.for_each([&](const WalkedToken& walked) {
    if (walked.is_carried) return;
    dump_token(out, view, to_token(blocks, walked));
    if (walked.token.caller != 0) out += " caller=" + std::to_string(walked.token.caller - 1);
    out += "\n";
  });
  if (!is_whole) out += "(damaged block at offset " + std::to_string(walk.at()) + ")\n";
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
