// Stacks per second of one server thread, with the client on the other core, and how long a request
// takes at 80 % of that; beside them the same traces through the engine in this process.
//
//   tests/build release:serve_bench release:twofold
//   build/release/bench/serve_bench build/release/native/twofold [SECONDS]
//
// The client speaks plain sockets: it writes requests that were made before, and of an answer it
// reads the length and the status. Closed loop: each connection has a number of requests under way
// (1, or 16 pipelined). The latency at 80 % is an open loop: requests are due at fixed times, and
// late is counted from when they were due.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "core/symbolicate/json.h"
#include "native/engine/open_engine.h"
#include "tests/support/corpus.h"

namespace {

using namespace twofold;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kServerCore = 0;
constexpr std::size_t kClientCore = 1;
constexpr int kBatchTraces = 100;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

void pin(std::size_t core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  ::sched_setaffinity(0, sizeof cores, &cores);
}

// Twelve frames all over preact's bundle; `salt` makes traces differ.
std::string make_trace(int salt) {
  std::string trace = "TypeError: x is not a function\n";
  for (int i = 0; i < 12; ++i) {
    trace += "    at f" + std::to_string(i) +
             " (https://host/js/app.js:1:" + std::to_string(100 + 797 * i + salt % 97) + ")\n";
  }
  return trace;
}

std::string make_request(std::string_view target, std::string_view type, std::string_view body) {
  std::string text = "POST " + std::string(target) + " HTTP/1.1\r\nHost: bench\r\n";
  text += "Content-Type: " + std::string(type) + "\r\n";
  text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return text.append(body);
}

// The program under test, on its core.
class Server {
 public:
  explicit Server(const char* program) {
    int log[2];
    if (::pipe(log) != 0) give_up("pipe");
    child_ = ::fork();
    if (child_ == 0) {
      pin(kServerCore);
      ::dup2(log[1], STDERR_FILENO);
      ::execl(program, program, "serve", "--listen", "127.0.0.1:0", "--threads", "1", "--workers",
              "1", "--no-disk", nullptr);
      _exit(127);
    }
    ::close(log[1]);
    std::string text;
    char part[512];
    while (text.find("\"port\":") == std::string::npos) {
      const ssize_t got = ::read(log[0], part, sizeof part);
      if (got <= 0) give_up("the server does not start");
      text.append(part, static_cast<std::size_t>(got));
    }
    port_ = static_cast<std::uint16_t>(std::atoi(text.c_str() + text.find("\"port\":") + 7));
  }
  ~Server() {
    ::kill(child_, SIGTERM);
    ::waitpid(child_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // Processor time so far, in seconds.
  [[nodiscard]] double cpu_seconds() const {
    std::ifstream stat("/proc/" + std::to_string(child_) + "/stat");
    std::string word;
    double ticks = 0;
    for (int i = 1; i <= 15 && stat >> word; ++i) {
      if (i >= 14) ticks += std::atof(word.c_str());
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  pid_t child_ = 0;
  std::uint16_t port_ = 0;
};

class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      give_up("connect");
    }
    in_.resize(std::size_t{1} << 20);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] int socket() const { return socket_; }

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0) give_up("send");
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Reads what is there and returns how many answers it ends.
  std::size_t receive() {
    if (filled_ == in_.size()) in_.resize(in_.size() * 2);
    const ssize_t got = ::recv(socket_, in_.data() + filled_, in_.size() - filled_, 0);
    if (got <= 0) give_up("recv");
    filled_ += static_cast<std::size_t>(got);
    std::size_t count = 0;
    std::size_t at = 0;
    while (const std::size_t size = answer_size(std::string_view(in_.data() + at, filled_ - at))) {
      at += size;
      ++count;
    }
    std::memmove(in_.data(), in_.data() + at, filled_ - at);
    filled_ -= at;
    return count;
  }
  std::string receive_body() {
    while (answer_size({in_.data(), filled_}) == 0) {
      const ssize_t got = ::recv(socket_, in_.data() + filled_, in_.size() - filled_, 0);
      if (got <= 0) give_up("recv");
      filled_ += static_cast<std::size_t>(got);
    }
    const std::string_view text(in_.data(), filled_);
    std::string body(text.substr(text.find("\r\n\r\n") + 4));
    filled_ = 0;
    return body;
  }

 private:
  // Of the answer at the start of `text`, 0 when it is not whole.
  static std::size_t answer_size(std::string_view text) {
    const std::size_t head = text.find("\r\n\r\n");
    if (head == std::string_view::npos) return 0;
    if (!text.starts_with("HTTP/1.1 20")) {
      std::fprintf(stderr, "refused: %.*s\n", 200, text.data());
      std::exit(1);
    }
    constexpr std::string_view kLength = "Content-Length: ";
    const std::size_t at = text.find(kLength);
    const std::size_t size =
        head + 4 + static_cast<std::size_t>(std::atoll(text.data() + at + kLength.size()));
    return size <= text.size() ? size : 0;
  }

  int socket_;
  std::string in_;
  std::size_t filled_ = 0;
};

struct Load {
  const char* name;
  std::vector<std::string> requests;
  int stacks;  // of one request
  int connections;
  std::size_t under_way;  // requests of one connection
};

// Requests per second of a closed loop, and the share of its core that the server took.
double run_closed(const Server& server, const Load& load, double seconds, double direct_ns) {
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<pollfd> sockets;
  for (int i = 0; i < load.connections; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    sockets.push_back({clients.back()->socket(), POLLIN, 0});
  }
  std::size_t next = 0;
  const auto send = [&](Client& client, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += load.requests[next++ % load.requests.size()];
    client.send(text);
  };
  for (auto& client : clients) send(*client, load.under_way);
  std::uint64_t done = 0;
  std::vector<std::size_t> answered(clients.size(), 0);
  const auto run_until = [&](Steady::time_point end) {
    while (Steady::now() < end) {
      ::poll(sockets.data(), sockets.size(), 1000);
      for (std::size_t i = 0; i < sockets.size(); ++i) {
        if ((sockets[i].revents & POLLIN) == 0) continue;
        answered[i] += clients[i]->receive();
        // All at once again: how pipelining clients and proxies send.
        if (answered[i] < load.under_way) continue;
        done += answered[i];
        send(*clients[i], std::exchange(answered[i], 0));
      }
    }
  };
  run_until(Steady::now() + std::chrono::milliseconds(300));
  done = 0;
  const double cpu_before = server.cpu_seconds();
  const auto began = Steady::now();
  run_until(began + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6)));
  const double took = std::chrono::duration<double>(Steady::now() - began).count();
  const double cpu = server.cpu_seconds() - cpu_before;
  const double rate = static_cast<double>(done) / took;
  const double stacks = rate * load.stacks;
  const double per_core = cpu > 0 ? static_cast<double>(done) * load.stacks / cpu : 0;
  std::printf("%-28s %10.0f %10.0f %12.0f %8.0f%% %8.2f\n", load.name, rate, stacks, per_core,
              cpu / took * 100, 1e9 / per_core / direct_ns);
  return rate;
}

// Latencies of an open loop at `rate` requests per second.
void run_open(const Server& server, const Load& load, double rate, double seconds) {
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<pollfd> sockets;
  for (int i = 0; i < load.connections; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    sockets.push_back({clients.back()->socket(), POLLIN, 0});
  }
  const auto step = std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / rate));
  const auto began = Steady::now();
  const auto end = began + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
  std::vector<std::deque<Steady::time_point>> due(clients.size());
  std::vector<double> took_us;
  Steady::time_point next_due = began;
  std::size_t next = 0;
  for (Steady::time_point now = began; now < end; now = Steady::now()) {
    while (next_due <= now) {
      const std::size_t client = next % clients.size();
      due[client].push_back(next_due);
      clients[client]->send(load.requests[next++ % load.requests.size()]);
      next_due += step;
    }
    ::poll(sockets.data(), sockets.size(), 0);
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      if ((sockets[i].revents & POLLIN) == 0) continue;
      const std::size_t count = clients[i]->receive();
      const auto received = Steady::now();
      for (std::size_t one = 0; one < count; ++one) {
        took_us.push_back(
            std::chrono::duration<double, std::micro>(received - due[i].front()).count());
        due[i].pop_front();
      }
    }
  }
  if (took_us.empty()) return;
  std::sort(took_us.begin(), took_us.end());
  const auto at = [&](double part) {
    return took_us[static_cast<std::size_t>(part * static_cast<double>(took_us.size() - 1))];
  };
  std::printf("  at %.0f requests/s: p50 %.0f us, p99 %.0f us, p99.9 %.0f us, worst %.0f us\n",
              rate, at(0.5), at(0.99), at(0.999), at(1));
}

// What the same costs without a server: symbolicate and the JSON, ns per stack.
double run_direct(const std::string& map, const std::string& script,
                  const std::vector<std::string>& traces, const std::string& served) {
  config::Config config;
  config.cache.type = config::CacheType::kMemory;
  const os::Clock clock;
  auto opened = engine::open_engine(
      config, [](const char*) { return std::nullopt; }, clock);
  if (!opened) std::exit(1);
  engine::Engine& engine = *opened.value();
  const auto never = engine::Clock::time_point::max();
  (void)engine.add("p", "app.js", PaddedBuffer(std::string_view(script)), never);
  (void)engine.add("p", "app.js.map", PaddedBuffer(std::string_view(map)), never);
  if (to_json(engine.symbolicate("p", traces[0], {}, never)) + "\n" != served) {
    std::puts("the server answers something else");
    std::exit(1);
  }
  const auto timing = bench::measure(traces.size(), [&] {
    for (const std::string& trace : traces) {
      bench::keep(to_json(*engine.symbolicate_open("p", trace, {})).size());
    }
  });
  return timing.median_ns;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("usage: serve_bench TWOFOLD [SECONDS]");
    return 2;
  }
  const double seconds = argc > 2 ? std::atof(argv[2]) : 3;
  const auto corpus = test::find_corpus("serve_bench");
  if (!corpus) return 1;
  const auto folder = *corpus / "A-js/symbolic";
  const std::string map = test::read_file(folder / "preact.module.js.map");
  const std::string script = test::read_file(folder / "preact.module.js");

  Server server(argv[1]);
  pin(kClientCore);
  std::vector<std::string> traces;
  for (int i = 0; i < 97; ++i) traces.push_back(make_trace(i));
  std::vector<std::string> single_text;
  std::vector<std::string> single_json;
  std::vector<std::string> batches;
  std::string batch;
  for (int i = 0; i < kBatchTraces * 4; ++i) {
    const std::string& trace = traces[static_cast<std::size_t>(i) % traces.size()];
    std::string record = "{\"trace\":";
    write_json_string(trace, record);
    record += "}";
    single_text.push_back(make_request("/v1/symbolicate", "text/plain", trace));
    single_json.push_back(make_request("/v1/symbolicate", "application/json", record));
    batch += record + "\n";
    if ((i + 1) % kBatchTraces == 0) {
      batches.push_back(make_request("/v1/symbolicate", "application/x-ndjson", batch));
      batch.clear();
    }
  }
  Client setup(server.port());
  setup.send(make_request("/v1/artifacts?name=app.js", "text/plain", script));
  (void)setup.receive_body();
  setup.send(make_request("/v1/artifacts?name=app.js.map", "text/plain", map));
  (void)setup.receive_body();
  setup.send(single_text[0]);
  const double direct_ns = run_direct(map, script, traces, setup.receive_body());
  std::printf("in this process: %.0f ns per stack of 12 frames with its JSON, %.0f stacks/s\n\n",
              direct_ns, 1e9 / direct_ns);

  std::printf("%-28s %10s %10s %12s %9s %8s\n", "one server thread", "requests/s", "stacks/s",
              "per core", "cpu", "x direct");
  const Load loads[] = {{"text, 1 under way x 16", single_text, 1, 16, 1},
                        {"text, 16 pipelined x 4", single_text, 1, 4, 16},
                        {"JSON, 1 under way x 16", single_json, 1, 16, 1},
                        {"JSON, 16 pipelined x 4", single_json, 1, 4, 16},
                        {"batch of 100 x 2", batches, kBatchTraces, 2, 1}};
  std::vector<double> rates;
  for (const Load& load : loads) rates.push_back(run_closed(server, load, seconds, direct_ns));
  std::puts("\nat 80 % of that:");
  run_open(server, loads[0], rates[0] * 0.8, seconds);
  run_open(server, loads[4], rates[4] * 0.8, seconds);
  return 0;
}
