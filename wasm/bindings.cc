// What JavaScript sees of the core's slow work: two classes that hold their input in linear memory,
// run, and show the result. index.mjs is their only user and the door for everybody else. Lookups
// have functions of their own (lookup_exports.cc).
//
// Bytes go in through `*_input(size)`: a view of a buffer of that size for the caller to fill,
// which is the one copy. Bytes come out as a view of what the object holds. Every view is void
// after the next call, since memory may move when it grows; index.mjs copies at once. A failure
// comes out as {code, offset, detail, input} in the place of the result.
//
// It does no work of its own.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <string>
#include <vector>

#include "core/js/compile_js.h"
#include "core/symbolicate/json.h"
#include "core/symbolicate/script_artifacts.h"
#include "core/symbolicate/symbolicate.h"

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
  val build(bool in_blocks) {
    js::JsCompiler compiler;
    auto compiled = compiler.compile_js(
        map_,
        {.script = script_.text(), .layout = in_blocks ? tw::Layout::kBlocks : tw::Layout::kFlat});
    if (!compiled) return to_failure(compiled.error());
    tw_ = std::move(compiled.value().tw);
    return to_view(tw_);
  }

 private:
  PaddedBuffer map_;
  PaddedBuffer script_;
  std::vector<std::uint8_t> tw_;
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
  class_<twofold::Symbolicator>("Symbolicator")
      .constructor<>()
      .function("nameInput", &twofold::Symbolicator::name_input)
      .function("contentInput", &twofold::Symbolicator::content_input)
      .function("add", &twofold::Symbolicator::add)
      .function("traceInput", &twofold::Symbolicator::trace_input)
      .function("symbolicate", &twofold::Symbolicator::symbolicate)
      .function("text", &twofold::Symbolicator::text);
}
