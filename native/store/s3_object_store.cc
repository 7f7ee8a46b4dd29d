#include "native/store/s3_object_store.h"

#include <openssl/evp.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <thread>
#include <utility>

#include "native/store/content_hash.h"
#include "native/store/hex.h"

namespace twofold::storage {
namespace {

constexpr int kMostTries = 4;
constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::size_t kMostAnswerBytes = 64 * 1024;  // to a write: empty, by and large
constexpr std::string_view kChecksumMetadata = "meta-xxh3";

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~/").find(c) != std::string_view::npos;
}

// As it is signed: a byte that is encoded otherwise than the store would is another signature.
std::string encode_path(std::string_view path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : path) {
    if (is_unreserved(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kHex[byte >> 4];
    encoded += kHex[byte & 15];
  }
  return encoded;
}

std::string sha256_hex(ByteView bytes) {
  std::uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  return to_hex({digest, size});
}

// Names of DNS, which virtual hosts need and all stores take: 3 to 63 of [a-z0-9.-].
bool is_bucket_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return name.size() >= 3 && name.size() <= 63 && is_letter(name.front()) &&
         is_letter(name.back()) && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || c == '-' || c == '.';
         });
}

// `https://host` and the bucket, up to the slash before a key.
Result<std::string> to_base_url(const S3Options& options) {
  std::string_view rest = options.endpoint;
  const auto wrong = [&](std::string detail) {
    return Error{Code::kUsage, kNoOffset, std::move(detail), options.endpoint};
  };
  std::string scheme;
  for (const std::string_view known : {"http://", "https://"}) {
    if (rest.starts_with(known)) scheme = known;
  }
  if (scheme.empty()) return wrong("an endpoint begins with http:// or https://");
  rest.remove_prefix(scheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const bool is_host = !rest.empty() && std::all_of(rest.begin(), rest.end(), [](char c) {
    return is_unreserved(c) ? c != '/' : std::string_view(":[]").find(c) != std::string_view::npos;
  });
  if (!is_host) return wrong("an endpoint is a scheme, a host and maybe a port");
  if (!is_bucket_name(options.bucket)) {
    return wrong("`" + options.bucket + "` is no name of a bucket: 3 to 63 of a-z, 0-9, - and .");
  }
  const std::string host(rest);
  return options.has_virtual_hosts ? scheme + options.bucket + "." + host + "/"
                                   : scheme + host + "/" + options.bucket + "/";
}

// The <Code> of a failure's XML, "" where there is none.
std::string fault_code(const HttpResponse& response) {
  const std::string_view text = response.body.text();
  constexpr std::string_view kBegin = "<Code>";
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find("</Code>");
  if (begin == std::string_view::npos || end == std::string_view::npos ||
      end < begin + kBegin.size()) {
    return {};
  }
  const std::string_view code = text.substr(begin + kBegin.size(), end - begin - kBegin.size());
  const bool is_word =
      code.size() <= 64 && std::all_of(code.begin(), code.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      });
  return is_word ? std::string(code) : std::string();
}

bool may_pass(const HttpResponse& response) {
  const long status = response.status;
  if (status == 408 || status == 429 || status >= 500) return status != 501 && status != 505;
  // 409: a conditional write met another that was under way (AWS).
  if (status == 409) return true;
  return status == 400 && fault_code(response) == "RequestTimeout";
}

Error to_error(const HttpResponse& response, const std::string& url) {
  const std::string code = fault_code(response);
  std::string detail = "status " + std::to_string(response.status);
  if (!code.empty()) detail += " " + code;
  if (response.status >= 300 && response.status < 400) {
    detail += ": the store sends to another address; is it another region's?";
  }
  if (response.status == 501) detail += ": it has no conditional writes";
  return {may_pass(response) ? Code::kUnavailable : Code::kIo, kNoOffset, std::move(detail), url};
}

std::chrono::milliseconds pause_before(int tries, std::string_view retry_after) {
  thread_local std::minstd_rand random{std::random_device{}()};
  const auto most = kFirstPause * (1 << tries);
  std::uniform_int_distribution<std::int64_t> some(most.count() / 2, most.count());
  std::chrono::milliseconds pause(some(random));
  std::uint32_t seconds = 0;
  const auto read =
      std::from_chars(retry_after.data(), retry_after.data() + retry_after.size(), seconds);
  if (read.ec == std::errc()) pause += std::chrono::seconds(std::min(seconds, 60U));
  return pause;
}

}  // namespace

Result<std::unique_ptr<S3ObjectStore>> S3ObjectStore::open(S3Options options) {
  auto base_url = to_base_url(options);
  if (!base_url) return base_url.error();
  auto credentials = find_credentials(options.variables);
  if (!credentials) return credentials.error();
  return std::unique_ptr<S3ObjectStore>(new S3ObjectStore(
      std::move(options), std::move(base_url).value(), std::move(credentials).value()));
}

std::shared_ptr<const Credentials> S3ObjectStore::credentials() const {
  const std::lock_guard lock(mutex_);
  return credentials_;
}

// False: there are no others.
bool S3ObjectStore::refresh_credentials() {
  auto found = find_credentials(options_.variables);
  if (!found) return false;
  const std::lock_guard lock(mutex_);
  if (found.value() == *credentials_) return false;
  credentials_ = std::make_shared<const Credentials>(std::move(found).value());
  return true;
}

HttpRequest S3ObjectStore::to_request(HttpRequest::Method method, std::string_view key,
                                      ByteView body) const {
  HttpRequest request;
  request.method = method;
  request.url = base_url_ + encode_path(options_.prefix + std::string(key));
  request.body = body;
  const bool is_google = options_.dialect == S3Options::Dialect::kGoogle;
  const std::string own = is_google ? "x-goog-" : "x-amz-";
  // libcurl signs this header but does not make it (7.88).
  request.headers.push_back(own + "content-sha256: " + sha256_hex(body));
  if (method == HttpRequest::Method::kPut) {
    request.headers.push_back(own + std::string(kChecksumMetadata) + ": " + hash_hex(body));
    request.headers.emplace_back("Content-Type: application/octet-stream");
  }
  request.signature_scope = is_google ? "goog:goog:" + options_.region + ":storage"
                                      : "aws:amz:" + options_.region + ":s3";
  return request;
}

void S3ObjectStore::sign(HttpRequest& request, const Credentials& credentials) const {
  request.access_key = credentials.access_key;
  request.secret_key = credentials.secret_key;
  constexpr std::string_view kToken = "x-amz-security-token: ";
  std::erase_if(request.headers, [&](const std::string& one) { return one.starts_with(kToken); });
  if (!credentials.session_token.empty()) {
    request.headers.push_back(std::string(kToken) + credentials.session_token);
  }
}

Result<HttpResponse> S3ObjectStore::send(HttpRequest request, Clock::time_point deadline) {
  bool may_refresh = true;
  for (int tries = 0;; ++tries) {
    sign(request, *credentials());
    ++counts_.requests;
    auto response = client_.send(request, deadline);
    std::string retry_after;
    Error failure{Code::kUnavailable, kNoOffset, ""};
    if (response) {
      const bool is_refused = response.value().status == 403 || response.value().status == 400;
      if (is_refused && std::exchange(may_refresh, false) && refresh_credentials()) continue;
      if (!may_pass(response.value())) {
        const std::string_view own =
            options_.dialect == S3Options::Dialect::kGoogle ? "x-goog-" : "x-amz-";
        const std::string_view checksum =
            response.value().header(std::string(own) + std::string(kChecksumMetadata));
        if (response.value().status != 200 || request.method == HttpRequest::Method::kPut ||
            checksum.empty() || checksum == hash_hex(response.value().body.bytes())) {
          return response;
        }
        ++counts_.damaged;
        failure = {Code::kUnavailable, kNoOffset, "its bytes are not those that were written",
                   request.url};
      } else {
        retry_after = response.value().header("retry-after");
        failure = to_error(response.value(), request.url);
      }
    } else {
      if (response.error().code != Code::kUnavailable) return response;
      failure = response.error();
    }
    const auto pause = pause_before(tries, retry_after);
    if (tries + 1 == kMostTries || Clock::now() + pause >= deadline) {
      ++counts_.failures;
      return failure;
    }
    ++counts_.retries;
    std::this_thread::sleep_for(pause);
  }
}

Result<PaddedBuffer> S3ObjectStore::read(std::string_view key, std::size_t max_bytes,
                                         Clock::time_point deadline) {
  HttpRequest request = to_request(HttpRequest::Method::kGet, key, {});
  request.max_body_bytes = max_bytes;
  auto response = send(request, deadline);
  if (!response) return response.error();
  HttpResponse& answer = response.value();
  if (answer.status == 200) return std::move(answer.body);
  // A bucket that is not there is nothing that an upload cures.
  if (answer.status == 404 && fault_code(answer) != "NoSuchBucket") {
    return Error{Code::kNotFound, kNoOffset, "no such object", request.url};
  }
  ++counts_.failures;
  return to_error(answer, request.url);
}

Result<ObjectStore::Written> S3ObjectStore::put(std::string_view key, ByteView bytes, bool only_new,
                                                Clock::time_point deadline) {
  HttpRequest request = to_request(HttpRequest::Method::kPut, key, bytes);
  request.max_body_bytes = kMostAnswerBytes;
  if (only_new) {
    const bool is_google = options_.dialect == S3Options::Dialect::kGoogle;
    request.headers.emplace_back(is_google ? "x-goog-if-generation-match: 0" : "If-None-Match: *");
  }
  auto response = send(request, deadline);
  if (!response) return response.error();
  const long status = response.value().status;
  if (status >= 200 && status < 300) return Written::kStored;
  if (status == 412 && only_new) return Written::kWasThere;
  ++counts_.failures;
  return to_error(response.value(), request.url);
}

Result<ObjectStore::Written> S3ObjectStore::write_new(std::string_view key, ByteView bytes,
                                                      Clock::time_point deadline) {
  return put(key, bytes, true, deadline);
}

Status S3ObjectStore::write(std::string_view key, ByteView bytes, Clock::time_point deadline) {
  const auto written = put(key, bytes, false, deadline);
  return written ? Status() : Status(written.error());
}

}  // namespace twofold::storage
