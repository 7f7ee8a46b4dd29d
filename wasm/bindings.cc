// What JavaScript sees of the core: three classes that hold their input in linear memory, run, and
// show the result. index.mjs is their only user and the door for everybody else.
//
// Bytes go in through `*_input(size)`: a view of a buffer of that size for the caller to fill,
// which is the one copy. Bytes come out as a view of what the object holds. Every view is void
// after the next call, since memory may move when it grows; index.mjs copies at once. A failure
// comes out as {code, offset, detail, input} in the place of the result.
//
// This is the only file that knows Emscripten. It does no work of its own.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <string>
#include <vector>

#include "core/js/compile_js.h"
#include "core/symbolicate/json.h"
#include "core/symbolicate/symbolicate.h"
#include "core/tw/dump.h"
#include "core/tw/flat_view.h"
#include "core/tw/lookup.h"
#include "core/tw/verify.h"

namespace twofold {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

template <class Item>
val to_view(const std::vector<Item>& items) {
  return val(typed_memory_view(items.size(), items.data()));
}
val to_view(std::string_view text) {
  const ByteView bytes = as_byte_view(text);
  return val(typed_memory_view(bytes.size(), bytes.data()));
}
val to_view(PaddedBuffer& buffer) {
  return val(typed_memory_view(buffer.size_bytes(), buffer.data()));
}

val to_failure(const Error& error) {
  val failure = val::object();
  failure.set("code", std::string(to_string(error.code)));
  failure.set("offset",
              error.offset == kNoOffset ? val::null() : val(static_cast<double>(error.offset)));
  failure.set("detail", error.detail);
  failure.set("input", error.input);
  return failure;
}

// One map and its script to a .tw.
class Compiler {
 public:
  val map_input(std::uint32_t size_bytes) {
    map_ = PaddedBuffer(size_bytes);
    return to_view(map_);
  }
  val script_input(std::uint32_t size_bytes) {
    script_ = PaddedBuffer(size_bytes);
    return to_view(script_);
  }
  val build() {
    js::JsCompiler compiler;
    auto compiled = compiler.compile_js(map_, {.script = script_.text()});
    if (!compiled) return to_failure(compiled.error());
    tw_ = std::move(compiled.value().tw);
    return to_view(tw_);
  }

 private:
  PaddedBuffer map_;
  PaddedBuffer script_;
  std::vector<std::uint8_t> tw_;
};

// The strings of a table end to end, so that they cross the border in one piece. A damaged entry is
// "".
struct JoinedStrings {
  std::string text;
  std::vector<std::uint32_t> ends;  // [ends[i - 1], ends[i]) is string i

  explicit JoinedStrings(const tw::StringTableView& table) {
    ends.reserve(table.count());
    for (std::uint32_t i = 0; i < table.count(); ++i) {
      // Entries of a damaged table may overlap: 4 GB of text from a few kilobytes of file.
      const std::string_view string = table.find(i).value_or(std::string_view());
      if (string.size() <= table.text_size_bytes() - text.size()) text += string;
      ends.push_back(static_cast<std::uint32_t>(text.size()));
    }
  }
};

// A .tw that is looked up.
class Artifact {
 public:
  val tw_input(std::uint32_t size_bytes) {
    view_.reset();
    tw_.resize(size_bytes);
    return to_view(tw_);
  }
  // Null when it worked; until then no other call is allowed.
  val open() {
    auto view = tw::FlatView::open(tw_);
    if (!view) return to_failure(view.error());
    view_.emplace(view.value());
    return val::null();
  }
  val verify() const {
    const Status status = tw::verify(*view_);
    return status ? val::null() : to_failure(status.error());
  }
  val dump() {
    text_ = tw::dump(*view_);
    return to_view(text_);
  }

  val position_input(std::uint32_t number_count) {
    positions_.resize(number_count);
    return to_view(positions_);
  }
  // Four numbers for each pair of position_input: file, function, line, column. See index.d.mts.
  val lookup() {
    answers_.clear();
    answers_.reserve(positions_.size() * 2);
    for (std::size_t i = 0; i + 1 < positions_.size(); i += 2) {
      append_answer({Line(positions_[i]), Utf16Column(positions_[i + 1])});
    }
    return to_view(answers_);
  }

  val file_text() { return joined_text(view_->files()); }
  val function_text() { return joined_text(view_->functions()); }
  val string_ends() const { return to_view(strings_->ends); }  // of the call before this one

 private:
  void append_answer(Position position) {
    tw::Token token;
    if (const std::uint32_t index = tw::find_floor(*view_, position); index != tw::kNone) {
      token = view_->token(index);
    }
    const bool is_mapped = !token.is_unmapped();
    const bool has_file = is_mapped && view_->files().find(token.file).has_value();
    const bool has_function = is_mapped && view_->functions().find(token.function).has_value();
    answers_.push_back(has_file ? token.file : tw::kNone);
    answers_.push_back(has_function ? token.function : tw::kNone);
    answers_.push_back(token.original_line);
    answers_.push_back(is_mapped ? token.original_column : 0);
  }
  val joined_text(const tw::StringTableView& table) {
    strings_.emplace(table);
    return to_view(strings_->text);
  }

  std::vector<std::uint8_t> tw_;
  std::optional<tw::FlatView> view_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> answers_;
  std::string text_;
  std::optional<JoinedStrings> strings_;
};

// Files and the traces that they serve.
class Symbolicator {
 public:
  val name_input(std::uint32_t size_bytes) {
    name_.resize(size_bytes);
    return to_view(name_);
  }
  val content_input(std::uint32_t size_bytes) {
    content_ = PaddedBuffer(size_bytes);
    return to_view(content_);
  }
  // The file of the two calls above. What was built so far is built again when it is needed: one
  // file more may change which of them serves a script.
  void add() {
    artifacts_.reset();
    files_.add(std::string(name_.begin(), name_.end()), std::move(content_));
    content_ = PaddedBuffer();
  }

  val trace_input(std::uint32_t size_bytes) {
    trace_.resize(size_bytes);
    return to_view(trace_);
  }
  // The answer as JSON. `context_lines`: below 0 for none. The first call with context builds
  // again, since source texts are dropped until somebody wants them.
  val symbolicate(std::int32_t context_lines) {
    using Sources = ScriptArtifacts::Sources;
    SymbolicateOptions options;
    if (context_lines >= 0) options.context_lines = static_cast<std::uint32_t>(context_lines);
    if (options.context_lines && sources_ == Sources::kDropped) {
      artifacts_.reset();
      sources_ = Sources::kKept;
    }
    if (!artifacts_) artifacts_ = std::make_unique<ScriptArtifacts>(files_, sources_);
    const Answer answer = twofold::symbolicate(as_text(trace_), *artifacts_, options);
    json_ = to_json(answer);
    text_ = answer.text;
    return to_view(json_);
  }
  val text() const { return to_view(text_); }  // of the last answer, byte for byte

 private:
  MemoryFiles files_;
  std::unique_ptr<ScriptArtifacts> artifacts_;
  ScriptArtifacts::Sources sources_ = ScriptArtifacts::Sources::kDropped;
  std::vector<std::uint8_t> name_;
  PaddedBuffer content_;
  std::vector<std::uint8_t> trace_;
  std::string json_;
  std::string text_;
};

}  // namespace
}  // namespace twofold

EMSCRIPTEN_BINDINGS(twofold) {
  using emscripten::class_;
  class_<twofold::Compiler>("Compiler")
      .constructor<>()
      .function("mapInput", &twofold::Compiler::map_input)
      .function("scriptInput", &twofold::Compiler::script_input)
      .function("build", &twofold::Compiler::build);
  class_<twofold::Artifact>("Artifact")
      .constructor<>()
      .function("twInput", &twofold::Artifact::tw_input)
      .function("open", &twofold::Artifact::open)
      .function("verify", &twofold::Artifact::verify)
      .function("dump", &twofold::Artifact::dump)
      .function("positionInput", &twofold::Artifact::position_input)
      .function("lookup", &twofold::Artifact::lookup)
      .function("fileText", &twofold::Artifact::file_text)
      .function("functionText", &twofold::Artifact::function_text)
      .function("stringEnds", &twofold::Artifact::string_ends);
  class_<twofold::Symbolicator>("Symbolicator")
      .constructor<>()
      .function("nameInput", &twofold::Symbolicator::name_input)
      .function("contentInput", &twofold::Symbolicator::content_input)
      .function("add", &twofold::Symbolicator::add)
      .function("traceInput", &twofold::Symbolicator::trace_input)
      .function("symbolicate", &twofold::Symbolicator::symbolicate)
      .function("text", &twofold::Symbolicator::text);
}
