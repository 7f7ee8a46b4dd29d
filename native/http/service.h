// What the server does with a request, without a socket: may it, what is it, and its answer.
//
// A request runs on the thread of its connection as long as that takes microseconds: everything
// that the engine has open. A batch runs in slices, so that others get their turn. What may take
// longer (uploads, packed or large bodies, artifacts that are not open, source context) is finished
// by a worker.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/symbolicate/request.h"
#include "native/config/config.h"
#include "native/engine/engine.h"
#include "native/http/message.h"
#include "native/http/metrics.h"
#include "native/http/routes.h"
#include "native/http/tokens.h"

namespace twofold::http {

// One request on its way.
struct Job {
  Request request;
  Routed routed;
  std::string project;
  std::uint64_t most_body_bytes = 0;  // as it comes, packed or not
  Response response;
  FrameCounts frames;
  std::uint64_t stack_count = 0;

  // Of a batch.
  std::size_t next_at = 0;  // where the next line of the body begins
  bool is_unpacked = false;

  void clear();
};

class Service {
 public:
  struct Limits {
    config::Limits sizes;
    std::chrono::milliseconds request_deadline;
  };
  Service(engine::Engine& engine, const Limits& limits) : engine_(engine), limits_(limits) {}

  // Whether the request may go on, judged by its head. `content_length`: no value for a body of
  // unknown length. Sets `routed`, `project` and `most_body_bytes`.
  [[nodiscard]] std::optional<Refusal> admit(Job& job, const Tokens& tokens,
                                             std::optional<std::uint64_t> content_length) const;

  enum class Step : std::uint8_t {
    kDone,    // `response` is the answer
    kMore,    // call again; let others have a turn first
    kWorker,  // call `finish` on a thread that may wait
  };
  // With the body complete. Does not wait. `reader`: of the calling thread. Not for kReady and
  // kMetrics, which the server answers itself.
  [[nodiscard]] Step run(Job& job, RequestReader& reader) const;

  // The rest of what `run` began. May take until the deadline of the request.
  void finish(Job& job, RequestReader& reader) const;

 private:
  [[nodiscard]] Step run_trace(Job& job, RequestReader& reader, bool may_wait) const;
  [[nodiscard]] Step run_batch(Job& job, RequestReader& reader, bool may_wait) const;
  [[nodiscard]] bool answer_line(Job& job, PaddedView line, RequestReader& reader,
                                 bool may_wait) const;
  [[nodiscard]] std::optional<Answer> symbolicate(Job& job, std::string_view trace,
                                                  std::optional<std::uint32_t> context_lines,
                                                  bool may_wait) const;
  [[nodiscard]] bool unpack(Job& job, std::uint64_t most_bytes) const;
  void upload(Job& job) const;
  void upload_parts(Job& job) const;
  void find_artifact(Job& job) const;
  [[nodiscard]] engine::Clock::time_point deadline() const;

  engine::Engine& engine_;
  const Limits limits_;
};

}  // namespace twofold::http
