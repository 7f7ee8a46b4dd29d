#include "native/http/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <charconv>

namespace twofold::http {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
// Answers are collected up to here before they are written.
constexpr std::size_t kWriteBytes = 64 * 1024;
// Requests in a row that one connection may make while others wait.
constexpr std::uint32_t kMostTurns = 32;
// What a client has to take before its time for it starts again.
constexpr std::size_t kWriteProgressBytes = 256 * 1024;
// A body may take longer by a second for each of these: whoever is slower is no slow client.
constexpr std::uint64_t kSlowestBytesPerSecond = 64 * 1024;
// How long a client may go on sending a body that was refused, so that it sees the answer.
constexpr std::chrono::milliseconds kLinger{2000};

constexpr std::size_t kMostRequestIdBytes = 64;

bool is_harmless_id(std::string_view id) {
  return !id.empty() && id.size() <= kMostRequestIdBytes &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

void append_number(std::uint64_t number, std::string& out) {
  std::array<char, 24> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

void append_hex(std::uint64_t number, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) out += kHex[(number >> shift) & 15];
}

// `Date: Tue, 01 Dec 2026 16:00:00 GMT`, made once a second.
const std::string& date_line(ThreadState& thread) {
  const std::time_t now = std::time(nullptr);
  if (now != thread.date_at) {
    thread.date_at = now;
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 64> text{};
    const std::size_t size =
        std::strftime(text.data(), text.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
    thread.date.assign(text.data(), size);
  }
  return thread.date;
}

// What the parser objected to.
Refusal to_refusal(const boost::beast::error_code& code) {
  if (code == beast_http::error::header_limit) {
    return {431, "header_too_large", "the head of the request is too large"};
  }
  if (code == beast_http::error::bad_version) return {505, "bad_request", "HTTP/1.0 or HTTP/1.1"};
  return {400, "bad_request", code.message()};
}

}  // namespace

Connection::Connection(Socket socket, ThreadState& thread)
    : socket_(std::move(socket)),
      thread_(thread),
      in_(std::max<std::size_t>(kReadBytes, thread.shared.config.limits.header_bytes)) {
  thread_.connections.insert(this);
}

Connection::~Connection() {
  account_body(0);
  thread_.connections.erase(this);
  thread_.shared.connection_count.fetch_sub(1, std::memory_order_relaxed);
}

void Connection::start() {
  ErrorCode ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  // A client that connects and says nothing gets no more time than one that says little.
  set_state(State::kIdle, std::chrono::milliseconds(thread_.shared.config.deadlines.header_ms));
  process();
}

void Connection::set_state(State state, std::chrono::milliseconds limit) {
  state_ = state;
  deadline_ = limit == std::chrono::milliseconds::max() ? SteadyClock::time_point::max()
                                                        : SteadyClock::now() + limit;
}

// ---- bytes in ----

void Connection::read() {
  if (is_reading_ || state_ == State::kClosed) return;
  if (begin_ > 0) {
    std::copy(in_.begin() + static_cast<std::ptrdiff_t>(begin_),
              in_.begin() + static_cast<std::ptrdiff_t>(end_), in_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  is_reading_ = true;
  socket_.async_read_some(boost::asio::buffer(in_.data() + end_, in_.size() - end_),
                          [self = shared_from_this()](ErrorCode code, std::size_t count) {
                            self->is_reading_ = false;
                            if (code) return self->close();
                            self->end_ += count;
                            self->process();
                          });
}

// Goes on until it has to wait: for bytes, for the client to take some, for a worker.
void Connection::process() {
  turns_ = 0;
  while (step()) {
  }
}

// False: somebody else will call again.
bool Connection::step() {
  if (is_writing_ || is_reading_) return false;
  if (out_.size() > kWriteBytes && !flush()) return false;
  switch (state_) {
    case State::kIdle:
    case State::kHead:
      if (closes_after_) {
        if (flush()) lingers_after_ ? linger() : close();
        return false;
      }
      return read_head();
    case State::kBody:
      return read_body();
    case State::kRunning:
      return run_job();
    case State::kLingering:
      begin_ = end_ = 0;
      read();
      return false;
    case State::kWorking:
    case State::kClosed:
      return false;
  }
  return false;
}

bool Connection::read_head() {
  if (begin_ == end_) {
    if (flush()) read();
    return false;
  }
  if (state_ == State::kIdle) {
    if (++turns_ > kMostTurns) {
      if (flush()) {
        boost::asio::post(thread_.io, [self = shared_from_this()] { self->process(); });
      }
      return false;
    }
    job_.clear();
    body_bytes_ = 0;
    parser_.emplace(job_.request,
                    static_cast<std::uint32_t>(thread_.shared.config.limits.header_bytes));
    set_state(State::kHead, std::chrono::milliseconds(thread_.shared.config.deadlines.header_ms));
  }
  MessageParser::ErrorCode code;
  begin_ += parser_->put(boost::asio::buffer(in_.data() + begin_, end_ - begin_), code);
  if (code == beast_http::error::need_more) {
    if (end_ - begin_ == in_.size()) {
      refuse({431, "header_too_large", "the head of the request is too large"}, true);
      return true;
    }
    if (flush()) read();
    return false;
  }
  if (code) {
    refuse(to_refusal(code), true);
    return true;
  }
  return parser_->is_header_done() ? on_head() : true;
}

// The head is complete: what cannot be is refused before its body is read.
bool Connection::on_head() {
  choose_request_id();
  const auto body_length = parser_->body_length();
  const bool has_body = !parser_->is_done();
  if (parser_->is_ambiguous()) {
    refuse({400, "bad_request", "a header that decides something is missing or there twice"}, true);
    return true;
  }
  if (parser_->has_foreign_coding()) {
    refuse({501, "unsupported", "Transfer-Encoding is chunked or nothing"}, true);
    return true;
  }
  if (auto refusal = thread_.shared.service.admit(job_, *thread_.tokens, body_length)) {
    refuse(*refusal, has_body);
    return true;
  }
  parser_->allow_body(job_.most_body_bytes);
  set_state(State::kBody, std::chrono::milliseconds(thread_.shared.config.deadlines.body_ms));
  if (has_body && parser_->expects_continue()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
  return true;
}

bool Connection::read_body() {
  while (!parser_->is_done()) {
    if (begin_ == end_) {
      if (flush()) read();
      return false;
    }
    MessageParser::ErrorCode code;
    const std::size_t used =
        parser_->put(boost::asio::buffer(in_.data() + begin_, end_ - begin_), code);
    begin_ += used;
    body_bytes_ += used;
    deadline_ += std::chrono::nanoseconds(used * 1'000'000'000 / kSlowestBytesPerSecond);
    if (code == beast_http::error::need_more) {
      if (end_ - begin_ == in_.size()) {
        refuse({400, "bad_request", "the head of a chunk is too long"}, true);
        return true;
      }
      if (flush()) read();
      return false;
    }
    if (code) {
      refuse(parser_->is_body_too_large()
                 ? Refusal{413, "too_large",
                           "a body of up to " + std::to_string(job_.most_body_bytes) +
                               " bytes is taken"}
                 : to_refusal(code),
             true);
      return true;
    }
    account_body(job_.request.body.size_bytes());
    if (thread_.shared.bodies_bytes.load(std::memory_order_relaxed) >
            thread_.shared.config.limits.bodies_bytes &&
        accounted_bytes_ > 0) {
      refuse({503, "busy", "too much is being sent at once", "Retry-After: 1\r\n"},
             !parser_->is_done());
      return true;
    }
  }
  began_at_ = SteadyClock::now();
  state_ = State::kRunning;
  deadline_ = SteadyClock::time_point::max();
  return true;
}

// Small bodies are not worth a shared counter.
void Connection::account_body(std::uint64_t bytes) {
  if (bytes <= kReadBytes) bytes = 0;
  if (bytes == accounted_bytes_) return;
  thread_.shared.bodies_bytes.fetch_add(bytes - accounted_bytes_, std::memory_order_relaxed);
  accounted_bytes_ = bytes;
}

// ---- the request ----

void Connection::choose_request_id() {
  std::string& id = job_.request.request_id;
  if (is_harmless_id(id)) return;
  id.clear();
  append_hex(thread_.id_prefix + thread_.next_request++, id);
}

bool Connection::run_job() {
  if (job_.routed.route == Route::kReady || job_.routed.route == Route::kMetrics) {
    answer_here();
    return true;
  }
  switch (thread_.shared.service.run(job_, thread_.reader)) {
    case Service::Step::kDone:
      respond();
      return true;
    case Service::Step::kMore:
      if (flush()) {
        boost::asio::post(thread_.io, [self = shared_from_this()] { self->process(); });
      }
      return false;
    case Service::Step::kWorker:
      start_worker();
      return state_ != State::kWorking;
  }
  return false;
}

// What only the server knows.
void Connection::answer_here() {
  Response& response = job_.response;
  if (job_.routed.route == Route::kMetrics) {
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = thread_.shared.metrics_text();
  } else if (thread_.shared.is_ready.load(std::memory_order_relaxed)) {
    response.content_type = "text/plain; charset=utf-8";
    response.body = "ready\n";
  } else {
    response = to_response({503, "draining", "the server is going away"});
  }
  respond();
}

void Connection::start_worker() {
  state_ = State::kWorking;
  (void)flush();  // answers before this one need not wait for it
  const bool is_taken =
      thread_.shared.workers.add([self = shared_from_this()](RequestReader& reader) mutable {
        self->thread_.shared.service.finish(self->job_, reader);
        IoContext& io = self->thread_.io;
        boost::asio::post(io, [self = std::move(self)] { self->on_worked(); });
      });
  if (is_taken) return;
  job_.response = to_response({503, "busy", "too many requests wait", "Retry-After: 1\r\n"});
  respond();
}

void Connection::on_worked() {
  if (state_ != State::kWorking) return;  // closed meanwhile
  respond();
  process();
}

// ---- bytes out ----

void Connection::refuse(const Refusal& refusal, bool is_body_unread) {
  began_at_ = SteadyClock::now();
  if (job_.request.request_id.empty()) choose_request_id();
  job_.response = to_response(refusal);
  if (is_body_unread) closes_after_ = lingers_after_ = true;
  respond();
}

void Connection::respond() {
  const Response& response = job_.response;
  const bool is_kept = !closes_after_ && parser_->keep_alive() && !thread_.is_draining;
  closes_after_ = !is_kept;
  write_head(is_kept);
  if (job_.request.method != Method::kHead) out_ += response.body;
  const auto took =
      static_cast<std::uint64_t>(std::chrono::nanoseconds(SteadyClock::now() - began_at_).count());
  thread_.metrics.add_request(job_.routed.route, response.status, took);
  if (job_.stack_count > 0) thread_.metrics.add_frames(job_.frames);
  log_request(response, took);
  account_body(0);
  // Memory of a large body is given back; that of small ones is used again.
  if (job_.request.body.size_bytes() > kReadBytes) job_.request.body = {};
  if (job_.response.body.size() > kWriteBytes) job_.response.body = {};
  set_state(State::kIdle, std::chrono::milliseconds(thread_.shared.config.deadlines.idle_ms));
}

void Connection::write_head(bool is_kept) {
  const Response& response = job_.response;
  out_ += "HTTP/1.1 ";
  append_number(response.status, out_);
  out_ += ' ';
  out_ += reason_phrase(response.status);
  out_ += "\r\n";
  out_ += date_line(thread_);
  out_ += "Content-Type: ";
  out_ += response.content_type;
  out_ += "\r\nContent-Length: ";
  append_number(response.body.size(), out_);
  out_ += "\r\nX-Request-Id: ";
  out_ += job_.request.request_id;
  out_ += "\r\n";
  out_ += response.extra_headers;
  out_ += is_kept ? "\r\n" : "Connection: close\r\n\r\n";
}

void Connection::log_request(const Response& response, std::uint64_t took_ns) {
  const config::LogRequests which = thread_.shared.config.log.requests;
  const bool is_failed = response.status >= 400;
  if (which == config::LogRequests::kNone) return;
  if (which == config::LogRequests::kFailed && !is_failed) return;
  const auto level = response.status >= 500 ? Log::Level::kError
                     : is_failed            ? Log::Level::kWarn
                                            : Log::Level::kInfo;
  thread_.shared.log.write(level, "request",
                           {{"id", std::string_view(job_.request.request_id)},
                            {"route", to_string(job_.routed.route)},
                            {"project", std::string_view(job_.project)},
                            {"status", std::uint64_t{response.status}},
                            {"bytes_in", body_bytes_},
                            {"bytes_out", std::uint64_t{response.body.size()}},
                            {"stacks", job_.stack_count},
                            {"frames", job_.frames.total()},
                            {"ms", static_cast<double>(took_ns) / 1e6}});
}

// True: all is written, and whoever called may go on. False: `process` is called when it is.
bool Connection::flush() {
  if (is_writing_) return false;
  if (out_.empty() || state_ == State::kClosed) return state_ != State::kClosed;
  ErrorCode code;
  const std::size_t count = socket_.write_some(boost::asio::buffer(out_), code);
  if (code && code != boost::asio::error::would_block && code != boost::asio::error::try_again) {
    close();
    return false;
  }
  if (!code && count == out_.size()) {
    out_.clear();
    if (out_.capacity() > 4 * kWriteBytes) out_.shrink_to_fit();
    return true;
  }
  writing_.swap(out_);
  out_.clear();
  written_ = code ? 0 : count;
  written_until_deadline_ = written_ + kWriteProgressBytes;
  write_deadline_ =
      SteadyClock::now() + std::chrono::milliseconds(thread_.shared.config.deadlines.write_ms);
  is_writing_ = true;
  write_rest();
  return false;
}

void Connection::write_rest() {
  socket_.async_write_some(
      boost::asio::buffer(writing_.data() + written_, writing_.size() - written_),
      [self = shared_from_this()](ErrorCode code, std::size_t count) {
        if (code) return self->close();
        self->written_ += count;
        if (self->written_ < self->writing_.size()) {
          if (self->written_ >= self->written_until_deadline_) {
            self->written_until_deadline_ = self->written_ + kWriteProgressBytes;
            self->write_deadline_ =
                SteadyClock::now() +
                std::chrono::milliseconds(self->thread_.shared.config.deadlines.write_ms);
          }
          return self->write_rest();
        }
        self->writing_ = {};
        self->write_deadline_ = SteadyClock::time_point::max();
        self->is_writing_ = false;
        self->process();
      });
}

// ---- the end ----

// A socket closed with bytes unread resets the connection, and the client may never see the answer
// that it was refused with. So our end is closed first, and what still comes is thrown away.
void Connection::linger() {
  ErrorCode ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  set_state(State::kLingering, kLinger);
  begin_ = end_ = 0;
  read();
}

void Connection::close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  ErrorCode ignored;
  socket_.shutdown(Socket::shutdown_both, ignored);
  socket_.close(ignored);
}

void Connection::cut(Cut reason) {
  thread_.metrics.cuts[static_cast<std::size_t>(reason)].add();
  close();
}

void Connection::check_deadline(SteadyClock::time_point now) {
  if (now >= write_deadline_) return cut(Cut::kWriteDeadline);
  if (is_writing_ || now < deadline_) return;
  switch (state_) {
    case State::kIdle:
      return cut(Cut::kIdle);
    case State::kHead:
      return cut(Cut::kHeaderDeadline);
    case State::kBody:
      return cut(Cut::kBodyDeadline);
    case State::kLingering:
      return close();
    default:
      return;
  }
}

void Connection::drain() {
  // What the system has received for us was sent before the client could know.
  ErrorCode ignored;
  if (state_ == State::kIdle && !is_writing_ && begin_ == end_ && socket_.available(ignored) == 0) {
    close();
  }
}

}  // namespace twofold::http
