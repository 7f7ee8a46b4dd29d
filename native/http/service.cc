#include "native/http/service.h"

#include <algorithm>
#include <charconv>

#include "core/symbolicate/json.h"
#include "native/http/content_encoding.h"
#include "native/http/multipart.h"

namespace twofold::http {
namespace {

// What runs at once on the thread of a connection: 64 KiB are some 1,500 frames, 0.4 ms.
constexpr std::size_t kInlineBytes = 64 * 1024;
// How much more an answer may be than the largest batch: source context multiplies.
constexpr std::uint64_t kMostAnswerRatio = 16;
constexpr std::chrono::seconds kUploadDeadline{60};

enum class Form : std::uint8_t { kText, kJson, kBatch, kUnknown };

Form find_form(std::string_view content_type) {
  const std::string type = media_type(content_type);
  if (type.empty() || type == "text/plain") return Form::kText;
  if (type == "application/json") return Form::kJson;
  if (type == "application/x-ndjson" || type == "application/ndjson" ||
      type == "application/jsonl") {
    return Form::kBatch;
  }
  return Form::kUnknown;
}

bool is_multipart(const Request& request) {
  return media_type(request.content_type) == "multipart/form-data";
}

bool is_packed(const Request& request) {
  return !request.content_encoding.empty() && request.content_encoding != "identity";
}

Refusal too_large(std::uint64_t most_bytes) {
  return {413, "too_large", "a body of up to " + std::to_string(most_bytes) + " bytes is taken"};
}

std::uint32_t status_of(Code code) {
  switch (code) {
    case Code::kNotFound:
      return 404;
    case Code::kTooLarge:
      return 413;
    case Code::kUnsupported:
      return 422;
    case Code::kUnavailable:
      return 503;
    case Code::kIo:
      return 500;
    default:
      return 400;
  }
}

Refusal to_refusal(const Error& error) {
  return {status_of(error.code), to_string(error.code), error.detail, {}, error.offset};
}

Error too_many_context_lines(std::uint64_t most) {
  return {Code::kUsage, kNoOffset, "`context` is at most " + std::to_string(most)};
}

void write_stored(const engine::StoredArtifact& stored, std::string& out) {
  out += "{\"id\":";
  write_json_string(stored.id, out);
  out += ",\"name\":";
  write_json_string(stored.name, out);
  out += ",\"kind\":";
  write_json_string(to_string(stored.kind), out);
  out += ",\"size\":" + std::to_string(stored.size_bytes) + "}";
}

}  // namespace

void Job::clear() {
  request.clear();
  routed = {};
  project.clear();
  most_body_bytes = 0;
  response = {};
  frames.clear();
  stack_count = 0;
  next_at = 0;
  is_unpacked = false;
}

// ---- what the head tells ----

std::optional<Refusal> Service::admit(Job& job, const Tokens& tokens,
                                      std::optional<std::uint64_t> content_length) const {
  const Request& request = job.request;
  job.routed = find_route(request.method, request.target);
  const Route route = job.routed.route;
  if (route == Route::kUnknown) return Refusal{404, "not_found", "no such route"};
  if (!job.routed.is_allowed) {
    return Refusal{405, "method_not_allowed", "allowed here: " + std::string(job.routed.allow),
                   "Allow: " + std::string(job.routed.allow) + "\r\n"};
  }
  if (route == Route::kSymbolicate || route == Route::kUpload || route == Route::kArtifact) {
    const auto grant = tokens.find(request.authorization);
    if (!grant) {
      const bool is_missing = request.authorization.empty();
      return Refusal{401, is_missing ? "token_missing" : "token_unknown",
                     is_missing ? "a bearer token is needed" : "not a token of any project",
                     is_missing ? "WWW-Authenticate: Bearer realm=\"twofold\"\r\n"
                                : "WWW-Authenticate: Bearer realm=\"twofold\", "
                                  "error=\"invalid_token\"\r\n"};
    }
    if (!(route == Route::kUpload ? grant->can_upload : grant->can_read)) {
      return Refusal{403, "forbidden", "the token has another right than this"};
    }
    job.project = grant->project;
  }
  if (!is_known_encoding(request.content_encoding)) {
    return Refusal{415, "unsupported", "Content-Encoding is gzip, zstd or nothing",
                   "Accept-Encoding: gzip, zstd\r\n"};
  }
  if (route == Route::kSymbolicate) {
    const Form form = find_form(request.content_type);
    if (form == Form::kUnknown) {
      return Refusal{415, "unsupported",
                     "Content-Type is text/plain, application/json or application/x-ndjson"};
    }
    job.most_body_bytes =
        form == Form::kBatch ? limits_.sizes.batch_bytes : limits_.sizes.trace_bytes;
  } else if (route == Route::kUpload) {
    job.most_body_bytes = limits_.sizes.upload_bytes;
  }
  if (content_length.value_or(0) > job.most_body_bytes) return too_large(job.most_body_bytes);
  return std::nullopt;
}

// ---- traces ----

engine::Clock::time_point Service::deadline() const {
  return engine::Clock::now() + limits_.request_deadline;
}

std::optional<Answer> Service::symbolicate(Job& job, std::string_view trace,
                                           std::optional<std::uint32_t> context_lines,
                                           bool may_wait) const {
  const SymbolicateOptions options{.context_lines = context_lines};
  if (!may_wait && trace.size() > kInlineBytes) return std::nullopt;
  std::optional<Answer> answer = may_wait
                                     ? engine_.symbolicate(job.project, trace, options, deadline())
                                     : engine_.symbolicate_open(job.project, trace, options);
  if (!answer) return std::nullopt;
  job.frames.add(*answer);
  ++job.stack_count;
  return answer;
}

Service::Step Service::run_trace(Job& job, RequestReader& reader, bool may_wait) const {
  const Request& request = job.request;
  TraceRequest asked;
  if (find_form(request.content_type) == Form::kText) {
    asked.trace = request.body.text();
    const std::string context = find_parameter(request.target, "context");
    if (!context.empty()) {
      std::uint32_t lines = 0;
      const char* const end = context.data() + context.size();
      const auto read = std::from_chars(context.data(), end, lines);
      if (read.ec != std::errc() || read.ptr != end) {
        job.response = to_response({400, "usage", "`context` is no number of lines"});
        return Step::kDone;
      }
      asked.context_lines = lines;
    }
  } else {
    const auto parsed = reader.parse(request.body);
    if (!parsed) {
      job.response = to_response(to_refusal(parsed.error()));
      return Step::kDone;
    }
    asked = parsed.value();
  }
  if (asked.context_lines.value_or(0) > limits_.sizes.context_lines) {
    job.response = to_response(to_refusal(too_many_context_lines(limits_.sizes.context_lines)));
    return Step::kDone;
  }
  auto answer = symbolicate(job, asked.trace, asked.context_lines, may_wait);
  if (!answer) return Step::kWorker;
  if (prefers_text(request.accept)) {
    job.response.content_type = "text/plain; charset=utf-8";
    job.response.body = std::move(answer->text);
  } else {
    // With a newline, as the command line prints it.
    job.response.body = to_json(*answer);
    job.response.body += '\n';
  }
  return Step::kDone;
}

// False: takes a worker.
bool Service::answer_line(Job& job, PaddedView line, RequestReader& reader, bool may_wait) const {
  std::string& out = job.response.body;
  const auto refuse = [&out](const Error& error) {
    out += to_json(error);
    out += '\n';
    return true;
  };
  if (out.size() > limits_.sizes.batch_bytes * kMostAnswerRatio) {
    return refuse({Code::kTooLarge, kNoOffset, "the answers are too long for one batch"});
  }
  if (line.text().size() > limits_.sizes.trace_bytes) {
    return refuse({Code::kTooLarge, kNoOffset,
                   "a line has at most " + std::to_string(limits_.sizes.trace_bytes) + " bytes"});
  }
  const auto asked = reader.parse(line);
  if (!asked) return refuse(asked.error());
  const auto context_lines = asked.value().context_lines;
  if (context_lines.value_or(0) > limits_.sizes.context_lines) {
    return refuse(too_many_context_lines(limits_.sizes.context_lines));
  }
  const auto answer = symbolicate(job, asked.value().trace, context_lines, may_wait);
  if (!answer) return false;
  out += to_json(*answer);
  out += '\n';
  return true;
}

Service::Step Service::run_batch(Job& job, RequestReader& reader, bool may_wait) const {
  job.response.content_type = "application/x-ndjson";
  const PaddedView body(job.request.body);
  const std::string_view text = body.text();
  const std::size_t began_at = job.next_at;
  while (job.next_at < text.size()) {
    if (!may_wait && job.next_at - began_at >= kInlineBytes) return Step::kMore;
    const std::size_t end = std::min(text.find('\n', job.next_at), text.size());
    std::string_view line = text.substr(job.next_at, end - job.next_at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!answer_line(job, body.part(line), reader, may_wait)) return Step::kWorker;
    job.next_at = end + 1;
  }
  return Step::kDone;
}

// ---- bodies and artifacts ----

// False: refused.
bool Service::unpack(Job& job, std::uint64_t most_bytes) const {
  if (job.is_unpacked) return true;
  job.is_unpacked = true;
  auto unpacked = decode_body(job.request.content_encoding, std::move(job.request.body),
                              {most_bytes, limits_.sizes.inflate_ratio});
  if (!unpacked) {
    job.request.body = {};
    job.response = to_response(to_refusal(unpacked.error()));
    return false;
  }
  job.request.body = std::move(unpacked).value();
  return true;
}

void Service::upload(Job& job) const {
  if (is_multipart(job.request)) return upload_parts(job);
  std::string name = find_parameter(job.request.target, "name");
  if (name.empty()) name = job.request.artifact_name;
  if (name.empty()) {
    job.response = to_response({400, "usage", "a name is needed: ?name= or X-Artifact-Name"});
    return;
  }
  auto added = engine_.add(job.project, name, std::move(job.request.body),
                           engine::Clock::now() + kUploadDeadline);
  job.request.body = {};
  if (!added) {
    Refusal refusal = to_refusal(added.error());
    if (added.error().code == Code::kTooLarge) refusal.status = 507;
    job.response = to_response(refusal);
    return;
  }
  job.response.status = 201;
  job.response.extra_headers = "Location: /v1/artifacts/" + added.value().id + "\r\n";
  write_stored(added.value(), job.response.body);
  job.response.body += '\n';
}

// Every part is tried. The status is that of the first one that failed.
void Service::upload_parts(Job& job) const {
  const auto parts = parse_multipart(job.request.body.text(),
                                     header_parameter(job.request.content_type, "boundary"));
  if (!parts) {
    job.response = to_response(to_refusal(parts.error()));
    return;
  }
  if (parts.value().empty()) {
    job.response = to_response({400, "usage", "no part, so no artifact"});
    return;
  }
  job.response.status = 201;
  std::string& out = job.response.body;
  std::uint64_t unpacked_bytes = 0;
  out = "{\"artifacts\":[";
  for (const Part& part : parts.value()) {
    const std::string& name = part.filename.empty() ? part.name : part.filename;
    // All parts together are no larger than one upload.
    auto content =
        decode_body(part.content_encoding, PaddedBuffer(part.content),
                    {limits_.sizes.upload_bytes - unpacked_bytes, limits_.sizes.inflate_ratio});
    if (content) unpacked_bytes += content.value().size_bytes();
    auto added = content ? engine_.add(job.project, name, std::move(content).value(),
                                       engine::Clock::now() + kUploadDeadline)
                         : Result<engine::StoredArtifact>(content.error());
    if (out.back() != '[') out += ',';
    if (added) {
      write_stored(added.value(), out);
      continue;
    }
    const bool is_full = content && added.error().code == Code::kTooLarge;
    if (job.response.status == 201) {
      job.response.status = is_full ? 507 : status_of(added.error().code);
    }
    out += "{\"name\":";
    write_json_string(name, out);
    out += "," + to_json(added.error()).substr(1);
  }
  out += "]}\n";
}

void Service::find_artifact(Job& job) const {
  const auto found = engine_.find(job.project, job.routed.artifact_id, deadline());
  if (!found) {
    const Error& error = found.error();
    job.response = error.code == Code::kNotFound || error.code == Code::kUsage
                       ? to_response({404, "not_found", "no such artifact in this project"})
                       : to_response(to_refusal(error));
    return;
  }
  write_stored(found.value(), job.response.body);
  job.response.body += '\n';
}

// ---- both threads ----

Service::Step Service::run(Job& job, RequestReader& reader) const {
  switch (job.routed.route) {
    case Route::kHealth:
      job.response.content_type = "text/plain; charset=utf-8";
      job.response.body = "ok\n";
      return Step::kDone;
    case Route::kSymbolicate:
      if (is_packed(job.request) && !job.is_unpacked) return Step::kWorker;
      return find_form(job.request.content_type) == Form::kBatch ? run_batch(job, reader, false)
                                                                 : run_trace(job, reader, false);
    default:
      return Step::kWorker;
  }
}

void Service::finish(Job& job, RequestReader& reader) const {
  switch (job.routed.route) {
    case Route::kSymbolicate: {
      const bool is_batch = find_form(job.request.content_type) == Form::kBatch;
      if (!unpack(job, is_batch ? limits_.sizes.batch_bytes : limits_.sizes.trace_bytes)) return;
      (void)(is_batch ? run_batch(job, reader, true) : run_trace(job, reader, true));
      return;
    }
    case Route::kUpload:
      if (unpack(job, limits_.sizes.upload_bytes)) upload(job);
      return;
    case Route::kArtifact:
      return find_artifact(job);
    default:
      return;
  }
}

}  // namespace twofold::http
