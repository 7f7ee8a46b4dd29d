#include "core/symbolicate/json.h"

#include "core/base/utf.h"

namespace twofold {
namespace {

template <class Item>
void write_list(const std::vector<Item>& items, void (*write)(const Item&, std::string&),
                std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    write(items[i], out);
  }
  out += ']';
}

void write_text(const std::string& text, std::string& out) {
  write_json_string(text, out);
}

void write_text_or_null(const std::optional<std::string>& text, std::string& out) {
  if (text) {
    write_json_string(*text, out);
  } else {
    out += "null";
  }
}

void write_count_or_null(std::uint32_t count, std::string& out) {
  out += count == 0 ? "null" : std::to_string(count);
}

void write_original(const OriginalFrame& frame, std::string& out) {
  out += "{\"function\":";
  write_text_or_null(frame.function, out);
  if (frame.scope != FunctionScope::kUnknown) {
    out += ",\"scope\":\"";
    out += to_string(frame.scope);
    out += '"';
  }
  out += ",\"file\":";
  write_text_or_null(frame.file, out);
  out += ",\"line\":";
  write_count_or_null(frame.line, out);
  out += ",\"column\":";
  write_count_or_null(frame.column, out);
  out += frame.is_inlined ? ",\"inlined\":true" : ",\"inlined\":false";
  out += frame.is_ignored ? ",\"ignored\":true" : ",\"ignored\":false";
  if (frame.context) {
    out += ",\"context\":{\"first\":" + std::to_string(frame.context->first_line) + ",\"lines\":";
    write_list(frame.context->lines, write_text, out);
    out += '}';
  }
  out += '}';
}

void write_frame(const AnswerFrame& frame, std::string& out) {
  out += "{\"in\":";
  write_json_string(frame.in, out);
  out += ",\"line\":" + std::to_string(frame.line_index);
  out += ",\"status\":\"";
  out += to_string(frame.status);
  if (frame.status != FrameStatus::kMapped) {
    out += "\",\"reason\":\"";
    out += to_string(frame.reason);
  }
  out += "\",\"out\":[";
  for (std::size_t i = 0; i < frame.out.size(); ++i) {
    if (i > 0) out += ',';
    write_original(frame.out[i], out);
  }
  out += "]}";
}

void write_fault(const ArtifactFault& fault, std::string& out) {
  out += "{\"artifact\":";
  write_json_string(fault.artifact, out);
  out += ",\"reason\":\"";
  out += to_string(fault.reason);
  out += "\",\"detail\":";
  write_json_string(fault.detail, out);
  out += '}';
}

}  // namespace

void write_json_string(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = decode_utf8(text, at);
    const std::string_view bytes = text.substr(at, next.size_bytes);
    at += next.size_bytes;
    if (!next.valid) {
      out += "\xEF\xBF\xBD";
    } else if (next.code_point == '"' || next.code_point == '\\') {
      out += '\\';
      out += bytes;
    } else if (next.code_point == '\n') {
      out += "\\n";
    } else if (next.code_point < 0x20 || next.code_point == 0x7F) {
      out += "\\u00";
      out += kHex[next.code_point >> 4];
      out += kHex[next.code_point & 15];
    } else {
      out += bytes;
    }
  }
  out += '"';
}

std::string to_json(const AnswerFrame& frame) {
  std::string out;
  write_frame(frame, out);
  return out;
}

std::string to_json(const Answer& answer) {
  std::string out = "{\"text\":";
  out.reserve(answer.text.size() * 3 + 256);
  write_json_string(answer.text, out);
  out += ",\"frames\":";
  write_list(answer.frames, write_frame, out);
  if (!answer.faults.empty()) {
    out += ",\"artifacts\":";
    write_list(answer.faults, write_fault, out);
  }
  out += '}';
  return out;
}

}  // namespace twofold
