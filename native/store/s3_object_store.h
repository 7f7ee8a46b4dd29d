// An S3-compatible object store: AWS, Cloudflare R2, Ceph, and Google's by its own header names.
//
// Every object carries a checksum of its content as metadata, which each read compares, and each
// write is signed with the SHA-256 of its body: bytes that changed on the way or on the store's
// disks are never taken for the object. What may pass (no connection, time-outs, 408, 429, 5xx,
// wrong bytes) is tried again after a pause with jitter, four times at most and never beyond the
// deadline.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "native/store/credentials.h"
#include "native/store/http_client.h"
#include "native/store/object_store.h"

namespace twofold::storage {

struct S3Options {
  std::string endpoint;  // `https://s3.eu-west-1.amazonaws.com`: scheme, host, maybe a port
  std::string bucket;
  std::string prefix;  // what every key begins with
  std::string region = "us-east-1";
  bool has_virtual_hosts = false;  // the bucket in the host name, else first in the path
  // Google Cloud Storage takes no If-None-Match on writes, but its own header for the same.
  enum class Dialect : std::uint8_t { kS3, kGoogle };
  Dialect dialect = Dialect::kS3;
  // Asked when the store is opened, and again when it refuses what was last given: temporary keys
  // end, and their file has new ones by then.
  Variables variables;
};

class S3ObjectStore : public ObjectStore {
 public:
  // Talks to nobody yet. Errors: kUsage for an endpoint or bucket that cannot be, or without keys.
  [[nodiscard]] static Result<std::unique_ptr<S3ObjectStore>> open(S3Options options);

  [[nodiscard]] Result<PaddedBuffer> read(std::string_view key, std::size_t max_bytes,
                                          Clock::time_point deadline) override;
  [[nodiscard]] Result<Written> write_new(std::string_view key, ByteView bytes,
                                          Clock::time_point deadline) override;
  [[nodiscard]] Status write(std::string_view key, ByteView bytes,
                             Clock::time_point deadline) override;

  struct Counts {
    std::atomic<std::uint64_t> requests{0};  // each try
    std::atomic<std::uint64_t> retries{0};
    std::atomic<std::uint64_t> failures{0};  // calls that failed in the end; not kNotFound
    std::atomic<std::uint64_t> damaged{0};   // objects whose bytes were wrong
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  S3ObjectStore(S3Options options, std::string base_url, Credentials credentials)
      : options_(std::move(options)),
        base_url_(std::move(base_url)),
        credentials_(std::make_shared<const Credentials>(std::move(credentials))) {}

  [[nodiscard]] HttpRequest to_request(HttpRequest::Method method, std::string_view key,
                                       ByteView body) const;
  // The answer to a request that got one which is no passing failure.
  [[nodiscard]] Result<HttpResponse> send(HttpRequest request, Clock::time_point deadline);
  void sign(HttpRequest& request, const Credentials& credentials) const;
  [[nodiscard]] bool refresh_credentials();
  [[nodiscard]] std::shared_ptr<const Credentials> credentials() const;
  [[nodiscard]] Result<Written> put(std::string_view key, ByteView bytes, bool only_new,
                                    Clock::time_point deadline);

  const S3Options options_;
  const std::string base_url_;
  HttpClient client_;
  Counts counts_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Credentials> credentials_;
};

}  // namespace twofold::storage
