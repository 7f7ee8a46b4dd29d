// The HTTP server: one thread for each core, each with its own listening socket on the same port
// (SO_REUSEPORT: the system deals connections out) and its own connections, which never change
// thread. Threads share the engine, whose locks are its own, and nothing that is written for a
// request.
//
// TLS is left to a proxy in front. SIGTERM and SIGINT drain: /readyz turns 503, after a delay
// nothing is accepted, requests on their way are finished, the rest is cut at a limit. SIGHUP reads
// the tokens again; a file that is wrong changes nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "native/config/config.h"
#include "native/engine/engine.h"
#include "native/http/log.h"
#include "native/http/tokens.h"

namespace twofold::http {

class Server {
 public:
  // Listens. All arguments must outlive it. Errors: kUsage for an address or tokens that are none,
  // kIo for a port that is taken.
  [[nodiscard]] static Result<std::unique_ptr<Server>> open(const config::Config& config,
                                                            engine::Engine& engine, Log& log);
  virtual ~Server() = default;

  [[nodiscard]] virtual std::uint16_t port() const = 0;

  enum class End : std::uint8_t { kDrained, kCut };
  // Serves until a signal ends it. Once.
  [[nodiscard]] virtual End run() = 0;
};

// The tokens of a file; none for "". Errors: those of Tokens::parse and of reading.
[[nodiscard]] Result<Tokens> load_tokens(const std::string& path);

struct Address {
  std::string host;  // an IP address
  std::uint16_t port = 0;
};
// `127.0.0.1:8080`, `[::1]:8080`. Errors: kUsage.
[[nodiscard]] Result<Address> parse_address(std::string_view text);

}  // namespace twofold::http
