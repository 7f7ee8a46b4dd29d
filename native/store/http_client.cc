#include "native/store/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>

namespace twofold::storage {
namespace {

constexpr std::size_t kMostIdleHandles = 64;
constexpr long kConnectTimeoutMs = 2000;
// Fewer bytes a second for so long are a hang: a kept connection whose other end is gone looks
// just so, and another try on a new one may still come in time.
constexpr long kSlowBytes = 1024;
constexpr long kSlowSeconds = 2;
constexpr std::size_t kMostHeaderBytes = 64 * 1024;
// What is set aside on the word of a Content-Length alone.
constexpr std::size_t kMostAnnouncedBytes = std::size_t{16} << 20;
constexpr std::size_t kMostFaultBytes = 64 * 1024;

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_lower(x) == to_lower(y); });
}

// What one request sends and receives; handed to libcurl's callbacks.
struct Transfer {
  CURL* curl;
  const HttpRequest& request;
  HttpResponse response;
  std::size_t sent = 0;
  std::size_t filled = 0;
  std::size_t header_bytes = 0;
  bool is_too_large = false;
};

std::size_t send_part(char* to, std::size_t size, std::size_t count, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  const ByteView body = transfer.request.body;
  const std::size_t part = std::min(size * count, body.size() - transfer.sent);
  if (part > 0) std::memcpy(to, body.data() + transfer.sent, part);
  transfer.sent += part;
  return part;
}

// Back to the start, when a kept connection turned out to be closed.
int seek_body(void* user, curl_off_t offset, int origin) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  if (origin != SEEK_SET || offset < 0 ||
      static_cast<std::size_t>(offset) > transfer.request.body.size()) {
    return CURL_SEEKFUNC_FAIL;
  }
  transfer.sent = static_cast<std::size_t>(offset);
  return CURL_SEEKFUNC_OK;
}

std::size_t take_part(char* from, std::size_t size, std::size_t count, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  const std::size_t part = size * count;
  PaddedBuffer& body = transfer.response.body;
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  // The page of a failure is read whatever the object may measure.
  const std::size_t most = status == 200 ? transfer.request.max_body_bytes : kMostFaultBytes;
  if (part > most - std::min(most, transfer.filled)) {
    transfer.is_too_large = true;
    return 0;
  }
  if (transfer.filled == 0) {
    curl_off_t announced = 0;
    curl_easy_getinfo(transfer.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    const auto wanted = static_cast<std::size_t>(std::max<curl_off_t>(announced, 0));
    body.resize(std::max(part, std::min({wanted, most, kMostAnnouncedBytes})));
  }
  if (transfer.filled + part > body.size_bytes()) {
    body.resize(std::min(most, std::max(transfer.filled + part, body.size_bytes() * 2)));
  }
  if (part > 0) std::memcpy(body.data() + transfer.filled, from, part);
  transfer.filled += part;
  return part;
}

std::size_t take_header(char* from, std::size_t size, std::size_t count, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  const std::size_t bytes = size * count;
  std::string_view line(from, bytes);
  // `100 Continue` comes before the answer.
  if (line.starts_with("HTTP/")) transfer.response.headers.clear();
  transfer.header_bytes += bytes;
  if (transfer.header_bytes > kMostHeaderBytes) return 0;
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  transfer.response.headers.emplace_back(line);
  return bytes;
}

}  // namespace

std::string_view HttpResponse::header(std::string_view name) const {
  for (const std::string_view line : headers) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_same_name(line.substr(0, colon), name)) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    return value;
  }
  return {};
}

class HttpClient::Handle {
 public:
  Handle() : curl_(curl_easy_init()) {}
  ~Handle() {
    curl_easy_cleanup(curl_);
    curl_slist_free_all(headers_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] Result<HttpResponse> send(const HttpRequest& request, long timeout_ms) {
    if (curl_ == nullptr) return Error{Code::kUnavailable, kNoOffset, "no memory", request.url};
    curl_easy_reset(curl_);  // keeps the connections
    curl_slist_free_all(std::exchange(headers_, nullptr));
    Transfer transfer{curl_, request, {}};
    char fault[CURL_ERROR_SIZE] = "";
    for (const std::string& header : request.headers) {
      headers_ = curl_slist_append(headers_, header.c_str());
    }
    curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl_, CURLOPT_ERRORBUFFER, fault);
    curl_easy_setopt(curl_, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 1L);  // the path is part of what is signed
    curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers_);
    curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT_MS, kConnectTimeoutMs);
    curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_easy_setopt(curl_, CURLOPT_LOW_SPEED_LIMIT, kSlowBytes);
    curl_easy_setopt(curl_, CURLOPT_LOW_SPEED_TIME, kSlowSeconds);
    curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, take_part);
    curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl_, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl_, CURLOPT_HEADERDATA, &transfer);
    if (request.method == HttpRequest::Method::kPut) {
      curl_easy_setopt(curl_, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt(curl_, CURLOPT_READFUNCTION, send_part);
      curl_easy_setopt(curl_, CURLOPT_READDATA, &transfer);
      curl_easy_setopt(curl_, CURLOPT_SEEKFUNCTION, seek_body);
      curl_easy_setopt(curl_, CURLOPT_SEEKDATA, &transfer);
      curl_easy_setopt(curl_, CURLOPT_INFILESIZE_LARGE,
                       static_cast<curl_off_t>(request.body.size()));
    }
    if (!request.signature_scope.empty()) {
      curl_easy_setopt(curl_, CURLOPT_AWS_SIGV4, request.signature_scope.c_str());
      curl_easy_setopt(curl_, CURLOPT_USERNAME, request.access_key.c_str());
      curl_easy_setopt(curl_, CURLOPT_PASSWORD, request.secret_key.c_str());
    }
    const CURLcode code = curl_easy_perform(curl_);
    if (transfer.is_too_large) {
      return Error{Code::kTooLarge, kNoOffset,
                   "more than " + std::to_string(request.max_body_bytes) + " bytes", request.url};
    }
    if (code != CURLE_OK) {
      const char* const said = fault[0] != '\0' ? fault : curl_easy_strerror(code);
      return Error{Code::kUnavailable, kNoOffset, said, request.url};
    }
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &transfer.response.status);
    transfer.response.body.resize(transfer.filled);
    return std::move(transfer.response);
  }

 private:
  CURL* curl_;
  curl_slist* headers_ = nullptr;
};

HttpClient::HttpClient() {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)initialised;  // where it failed, curl_easy_init says so
}

HttpClient::~HttpClient() = default;

std::unique_ptr<HttpClient::Handle> HttpClient::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto handle = std::move(idle_.back());
      idle_.pop_back();
      return handle;
    }
  }
  return std::make_unique<Handle>();
}

void HttpClient::give_back(std::unique_ptr<Handle> handle) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kMostIdleHandles) idle_.push_back(std::move(handle));
}

Result<HttpResponse> HttpClient::send(const HttpRequest& request, Clock::time_point deadline) {
  const auto left = deadline - Clock::now();
  // An hour stands for no deadline; zero would be none to libcurl.
  const auto left_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::min<Clock::duration>(left, std::chrono::hours(1)));
  if (left_ms.count() <= 0) {
    return Error{Code::kUnavailable, kNoOffset, "the deadline has passed", request.url};
  }
  auto handle = take();
  auto response = handle->send(request, static_cast<long>(left_ms.count()));
  give_back(std::move(handle));
  return response;
}

}  // namespace twofold::storage
