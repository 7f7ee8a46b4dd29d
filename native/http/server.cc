#include "native/http/server.h"

#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <csignal>
#include <random>
#include <thread>

#include "native/http/connection.h"
#include "native/os/file.h"

namespace twofold::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Acceptor = asio::basic_socket_acceptor<tcp, IoContext::executor_type>;
using Timer = asio::basic_waitable_timer<SteadyClock, asio::wait_traits<SteadyClock>,
                                         IoContext::executor_type>;

constexpr std::chrono::milliseconds kAcceptPause{100};

Error socket_fault(const ErrorCode& code, const std::string& what) {
  return {Code::kIo, kNoOffset, code.message(), what};
}

// How often deadlines are looked at: a tenth of the shortest, so that none is much overrun.
std::chrono::milliseconds tick_of(const config::Deadlines& deadlines) {
  const std::uint64_t shortest =
      std::min({deadlines.header_ms, deadlines.body_ms, deadlines.idle_ms, deadlines.write_ms});
  return std::chrono::milliseconds(std::clamp<std::uint64_t>(shortest / 10, 5, 1000));
}

std::size_t core_count() {
  return std::max(1u, std::thread::hardware_concurrency());
}

// One thread: its sockets, its connections.
class IoThread {
 public:
  IoThread(Shared& shared, std::shared_ptr<const Tokens> tokens)
      : io_(1),
        acceptor_(io_),
        sweeper_(io_),
        pause_(io_),
        tick_(tick_of(shared.config.deadlines)),
        state_{.io = io_, .shared = shared, .tokens = std::move(tokens)} {
    std::random_device random;
    state_.id_prefix = (std::uint64_t{random()} << 32) & 0xFFFFFFFF00000000;
  }

  [[nodiscard]] Status listen(const tcp::endpoint& endpoint) {
    ErrorCode code;
    acceptor_.open(endpoint.protocol(), code);
    if (!code) acceptor_.set_option(Acceptor::reuse_address(true), code);
    using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;
    if (!code) acceptor_.set_option(ReusePort(true), code);
    if (!code) acceptor_.bind(endpoint, code);
    if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
    return code ? Status(socket_fault(code, state_.shared.config.listen)) : Status();
  }
  [[nodiscard]] tcp::endpoint endpoint() const {
    ErrorCode ignored;
    return acceptor_.local_endpoint(ignored);
  }

  void run() {
    accept();
    sweep();
    io_.run();
  }

  // From here on: any thread.
  void set_tokens(std::shared_ptr<const Tokens> tokens) {
    asio::post(io_,
               [this, tokens = std::move(tokens)]() mutable { state_.tokens = std::move(tokens); });
  }
  // Accepts no more; the thread ends with its last connection.
  void drain() {
    asio::post(io_, [this] {
      state_.is_draining = true;
      ErrorCode ignored;
      acceptor_.close(ignored);
      pause_.cancel();
      // A copy: closing may end a connection at once.
      const std::vector<Connection*> connections(state_.connections.begin(),
                                                 state_.connections.end());
      for (Connection* const one : connections) one->drain();
      sweep();  // once more, so that the thread ends soon if there is nothing left
    });
  }
  void stop() { io_.stop(); }
  [[nodiscard]] IoContext& io() { return io_; }
  [[nodiscard]] const ThreadMetrics& metrics() const { return state_.metrics; }

 private:
  void accept() {
    acceptor_.async_accept(io_, [this](ErrorCode code, Socket socket) {
      if (state_.is_draining) return;
      if (code) {
        // Out of file descriptors, mostly: connections that end make room.
        pause_.expires_after(kAcceptPause);
        pause_.async_wait([this](ErrorCode cancelled) {
          if (!cancelled) accept();
        });
        return;
      }
      take(std::move(socket));
      accept();
    });
  }

  void take(Socket socket) {
    std::atomic<std::uint64_t>& count = state_.shared.connection_count;
    if (count.fetch_add(1, std::memory_order_relaxed) >= state_.shared.config.limits.connections) {
      count.fetch_sub(1, std::memory_order_relaxed);
      state_.metrics.cuts[static_cast<std::size_t>(Cut::kTooMany)].add();
      constexpr std::string_view kAnswer =
          "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
          "Connection: close\r\n\r\n";
      ErrorCode ignored;
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(kAnswer), ignored);
      return;
    }
    std::make_shared<Connection>(std::move(socket), state_)->start();
  }

  // Deadlines by one timer for all: a request sets a time stamp, no timer.
  void sweep() {
    if (state_.is_draining && state_.connections.empty()) {
      sweeper_.cancel();
      return;
    }
    sweeper_.expires_after(tick_);
    sweeper_.async_wait([this](ErrorCode cancelled) {
      if (cancelled) return;
      const SteadyClock::time_point now = SteadyClock::now();
      const std::vector<Connection*> connections(state_.connections.begin(),
                                                 state_.connections.end());
      for (Connection* const one : connections) {
        // One that ended may have taken another with it.
        if (state_.connections.contains(one)) one->check_deadline(now);
      }
      sweep();
    });
  }

  IoContext io_;
  Acceptor acceptor_;
  Timer sweeper_;
  Timer pause_;
  const std::chrono::milliseconds tick_;
  ThreadState state_;
};

class ThreadedServer : public Server {
 public:
  ThreadedServer(const config::Config& config, engine::Engine& engine, Log& log)
      : config_(config),
        engine_(engine),
        log_(log),
        service_(engine, {config.limits, std::chrono::milliseconds(config.deadlines.request_ms)}),
        workers_(config.workers != 0 ? config.workers : std::max<std::size_t>(2, core_count()),
                 config.limits.waiting_jobs),
        shared_{config, service_, log, workers_, [this] { return metrics_text(); }} {}

  ~ThreadedServer() override {
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] Status listen() {
    auto tokens = load_tokens(config_.tokens_file);
    if (!tokens) return tokens.error();
    if (tokens.value().is_anonymous()) {
      log_.write(Log::Level::kWarn, "anonymous",
                 {{"detail", "no tokens are configured: anybody may do anything"}});
    }
    const auto shared_tokens = std::make_shared<const Tokens>(std::move(tokens).value());
    const auto address = parse_address(config_.listen);
    if (!address) return address.error();
    ErrorCode code;
    const auto ip = asio::ip::make_address(address.value().host, code);
    if (code) return Error{Code::kUsage, kNoOffset, "no IP address", config_.listen};
    tcp::endpoint endpoint(ip, address.value().port);
    const std::size_t count = config_.threads != 0 ? config_.threads : core_count();
    for (std::size_t i = 0; i < count; ++i) {
      io_threads_.push_back(std::make_unique<IoThread>(shared_, shared_tokens));
      if (Status status = io_threads_.back()->listen(endpoint); !status) return status;
      endpoint = io_threads_.back()->endpoint();  // a free port is picked once
    }
    port_ = endpoint.port();
    return {};
  }

  [[nodiscard]] std::uint16_t port() const override { return port_; }

  [[nodiscard]] End run() override {
    // Signals and the end are the first thread's.
    IoContext& io = io_threads_.front()->io();
    asio::signal_set signals(io, SIGTERM, SIGINT, SIGHUP);
    Timer timer(io);
    wait_for_signal(signals, timer);
    shared_.is_ready = true;
    log_.write(Log::Level::kInfo, "listening",
               {{"address", std::string_view(config_.listen)},
                {"port", std::uint64_t{port_}},
                {"threads", std::uint64_t{io_threads_.size()}}});
    for (std::size_t i = 1; i < io_threads_.size(); ++i) {
      threads_.emplace_back([this, i] { run_thread(i); });
    }
    run_thread(0);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    log_.write(Log::Level::kInfo, "stopped", {{"cut", std::uint64_t{is_cut_ ? 1u : 0u}}});
    return is_cut_ ? End::kCut : End::kDrained;
  }

 private:
  void run_thread(std::size_t index) { io_threads_[index]->run(); }

  void wait_for_signal(asio::signal_set& signals, Timer& timer) {
    signals.async_wait([this, &signals, &timer](ErrorCode cancelled, int signal) {
      if (cancelled) return;
      if (signal == SIGHUP) {
        reload_tokens();
        wait_for_signal(signals, timer);
        return;
      }
      log_.write(Log::Level::kInfo, "draining", {{"signal", std::uint64_t(signal)}});
      shared_.is_ready = false;
      timer.expires_after(std::chrono::milliseconds(config_.deadlines.drain_delay_ms));
      timer.async_wait([this, &timer](ErrorCode) { drain(timer); });
    });
  }

  void drain(Timer& timer) {
    for (const auto& thread : io_threads_) thread->drain();
    limit_drain(timer, SteadyClock::now() + std::chrono::milliseconds(config_.deadlines.drain_ms));
  }

  // Looks often, so that the timer does not keep the first thread alive when all is done.
  void limit_drain(Timer& timer, SteadyClock::time_point limit) {
    timer.expires_after(std::chrono::milliseconds(10));
    timer.async_wait([this, &timer, limit](ErrorCode) {
      const std::uint64_t left = shared_.connection_count.load();
      if (left == 0) return;
      if (SteadyClock::now() < limit) return limit_drain(timer, limit);
      is_cut_ = true;
      log_.write(Log::Level::kWarn, "drain_limit", {{"connections", left}});
      for (const auto& thread : io_threads_) thread->stop();
    });
  }

  void reload_tokens() {
    auto tokens = load_tokens(config_.tokens_file);
    if (!tokens) {
      log_.write(Log::Level::kError, "tokens_kept",
                 {{"detail", std::string_view(tokens.error().detail)}});
      return;
    }
    const auto shared = std::make_shared<const Tokens>(std::move(tokens).value());
    for (const auto& thread : io_threads_) thread->set_tokens(shared);
    log_.write(Log::Level::kInfo, "tokens_loaded");
  }

  [[nodiscard]] std::string metrics_text() const {
    std::vector<const ThreadMetrics*> threads;
    for (const auto& thread : io_threads_) threads.push_back(&thread->metrics());
    return to_prometheus(threads, engine_.metrics(),
                         {.connections = shared_.connection_count.load(),
                          .waiting_jobs = workers_.waiting_count(),
                          .bodies_bytes = shared_.bodies_bytes.load(),
                          .is_draining = !shared_.is_ready.load()});
  }

  const config::Config& config_;
  engine::Engine& engine_;
  Log& log_;
  const Service service_;
  WorkerPool workers_;
  Shared shared_;
  std::vector<std::unique_ptr<IoThread>> io_threads_;
  std::vector<std::thread> threads_;
  std::uint16_t port_ = 0;
  bool is_cut_ = false;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::open(const config::Config& config, engine::Engine& engine,
                                             Log& log) {
  auto server = std::make_unique<ThreadedServer>(config, engine, log);
  if (const Status status = server->listen(); !status) return status.error();
  return std::unique_ptr<Server>(std::move(server));
}

Result<Tokens> load_tokens(const std::string& path) {
  if (path.empty()) return Tokens();
  const auto text = os::read_file(path);
  if (!text) return text.error();
  auto tokens = Tokens::parse(text.value().text());
  if (!tokens) return with_input(tokens.error(), path);
  return tokens;
}

Result<Address> parse_address(std::string_view text) {
  const Error wrong{Code::kUsage, kNoOffset, "expected ADDRESS:PORT", std::string(text)};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return wrong;
  std::string_view host = text.substr(0, colon);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  if (host.empty() || (!is_bracketed && host.find(':') != std::string_view::npos)) return wrong;
  Address address{std::string(host), 0};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, address.port);
  if (read.ec != std::errc() || read.ptr != end) return wrong;
  return address;
}

}  // namespace twofold::http
