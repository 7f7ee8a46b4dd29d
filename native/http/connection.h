// One connection: bytes in, requests one after the other, answers out in the same order.
//
// Everything here runs on the connection's own thread, except for what a worker does with the job
// while the connection waits for it. Answers to requests that came together leave together.
#pragma once

#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "native/config/config.h"
#include "native/http/log.h"
#include "native/http/message_parser.h"
#include "native/http/metrics.h"
#include "native/http/service.h"
#include "native/http/worker_pool.h"

namespace twofold::http {

using SteadyClock = std::chrono::steady_clock;
using IoContext = boost::asio::io_context;
// Not the socket of the tutorials: its executor is a virtual call for each operation.
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, IoContext::executor_type>;

class Connection;

// What all threads share. Made before them, gone after them.
struct Shared {
  const config::Config& config;
  const Service& service;
  Log& log;
  WorkerPool& workers;
  std::function<std::string()> metrics_text;
  std::atomic<std::uint64_t> connection_count{0};
  std::atomic<std::uint64_t> bodies_bytes{0};  // of those that are larger than a read
  std::atomic<bool> is_ready{false};
};

// What the connections of one thread share: no lock, nobody else comes here.
struct ThreadState {
  IoContext& io;
  Shared& shared;
  ThreadMetrics metrics = {};
  RequestReader reader = {};
  std::shared_ptr<const Tokens> tokens;
  std::unordered_set<Connection*> connections = {};
  bool is_draining = false;
  std::uint64_t next_request = 0;
  std::uint64_t id_prefix = 0;  // random, so that ids of restarts and replicas differ
  std::time_t date_at = 0;
  std::string date = {};  // the Date line of that second
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Socket socket, ThreadState& thread);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();
  // Ends it when its time is over.
  void check_deadline(SteadyClock::time_point now);
  // No further request: ends at once when none is on its way.
  void drain();

 private:
  using ErrorCode = boost::system::error_code;
  enum class State : std::uint8_t { kIdle, kHead, kBody, kRunning, kWorking, kLingering, kClosed };

  void read();
  void process();
  [[nodiscard]] bool step();
  [[nodiscard]] bool read_head();
  [[nodiscard]] bool read_body();
  [[nodiscard]] bool on_head();
  [[nodiscard]] bool run_job();
  void start_worker();
  void on_worked();
  void answer_here();
  void refuse(const Refusal& refusal, bool is_body_unread);
  void respond();
  void write_head(bool is_kept);
  void account_body(std::uint64_t bytes);
  [[nodiscard]] bool flush();
  void write_rest();
  void linger();
  void close();
  void cut(Cut reason);
  void set_state(State state, std::chrono::milliseconds limit);
  void choose_request_id();
  void log_request(const Response& response, std::uint64_t took_ns);

  Socket socket_;
  ThreadState& thread_;
  State state_ = State::kIdle;
  SteadyClock::time_point deadline_;
  SteadyClock::time_point began_at_;  // the request was complete

  std::vector<char> in_;
  std::size_t begin_ = 0;  // of what is not read yet
  std::size_t end_ = 0;
  std::optional<MessageParser> parser_;
  Job job_;
  std::uint64_t body_bytes_ = 0;       // that came
  std::uint64_t accounted_bytes_ = 0;  // of Shared::bodies_bytes

  std::string out_;
  std::string writing_;
  std::size_t written_ = 0;
  std::size_t written_until_deadline_ = 0;
  SteadyClock::time_point write_deadline_ = SteadyClock::time_point::max();
  bool is_reading_ = false;
  bool is_writing_ = false;
  bool closes_after_ = false;
  bool lingers_after_ = false;
  std::uint32_t turns_ = 0;
};

}  // namespace twofold::http
