// HTTP requests to an object store, over libcurl: connections are kept and shared by all threads.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "native/store/object_store.h"

namespace twofold::storage {

struct HttpRequest {
  enum class Method : std::uint8_t { kGet, kPut };
  Method method = Method::kGet;
  std::string url;                   // sent as written: encoded already
  std::vector<std::string> headers;  // `Name: value`
  ByteView body;                     // of kPut; must outlive the call
  std::size_t max_body_bytes = 0;    // of the answer; more is kTooLarge
  // AWS Signature Version 4 (Version 4 signing of Google's, which is its like):
  // `aws:amz:REGION:s3`.
  std::string signature_scope;
  std::string access_key, secret_key;
};

struct HttpResponse {
  long status = 0;
  PaddedBuffer body;
  std::vector<std::string> headers;  // lines without their ends

  // The value of the first header of this name (any case), "" for none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

class HttpClient {
 public:
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // One try, no redirects. Any answer is a success, whatever its status. Errors: kUnavailable for
  // whatever keeps an answer from coming whole before `deadline`, kTooLarge. Any thread.
  [[nodiscard]] Result<HttpResponse> send(const HttpRequest& request, Clock::time_point deadline);

 private:
  class Handle;
  [[nodiscard]] std::unique_ptr<Handle> take();
  void give_back(std::unique_ptr<Handle> handle);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Handle>> idle_;  // each has the connections that it made
};

}  // namespace twofold::storage
