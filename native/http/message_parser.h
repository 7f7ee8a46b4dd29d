// Bytes of a connection into a Request: Beast's parser, which knows the grammar of HTTP/1 and its
// traps, with our idea of what is worth keeping. No message container, and nothing copied twice.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "native/http/message.h"

namespace twofold::http {

namespace beast_http = boost::beast::http;

// Of one message; `put` it the bytes from where the last call stopped.
class MessageParser : public beast_http::basic_parser<true> {
 public:
  using ErrorCode = boost::beast::error_code;

  // `request` is filled while the message is read.
  MessageParser(Request& request, std::uint32_t most_header_bytes) : request_(request) {
    header_limit(most_header_bytes);
    // Ours is known by route: see `allow_body`. (`boost::none` would refuse all bodies: Beast 1.74
    // compares sizes with it, and nothing is smaller.)
    body_limit(std::numeric_limits<std::uint64_t>::max());
    eager(false);
  }

  // What the body may have; asked for once the head is there.
  void allow_body(std::uint64_t most_bytes) { most_body_bytes_ = most_bytes; }

  // Of a head that is complete. No value for a body whose end is in its chunks.
  [[nodiscard]] std::optional<std::uint64_t> body_length() const {
    if (chunked()) return std::nullopt;
    return content_length().value_or(0);
  }
  [[nodiscard]] bool expects_continue() const { return expects_continue_; }
  // What no parser objects to and we do: a header twice that decides something, a transfer coding
  // that is not chunked, HTTP/1.1 without Host.
  [[nodiscard]] bool is_ambiguous() const { return is_ambiguous_ || (is_http_11_ && !has_host_); }
  [[nodiscard]] bool has_foreign_coding() const { return has_foreign_coding_; }
  [[nodiscard]] bool is_body_too_large() const { return is_body_too_large_; }

 private:
  using StringView = boost::beast::string_view;
  using Field = beast_http::field;

  void on_request_impl(beast_http::verb method, StringView, StringView target, int version,
                       ErrorCode&) override {
    using Verb = beast_http::verb;
    request_.method = method == Verb::get    ? Method::kGet
                      : method == Verb::head ? Method::kHead
                      : method == Verb::post ? Method::kPost
                      : method == Verb::put  ? Method::kPut
                                             : Method::kOther;
    request_.target.assign(target.data(), target.size());
    is_http_11_ = version == 11;
  }
  void on_response_impl(int, StringView, int, ErrorCode&) override {}

  void on_field_impl(Field name, StringView name_text, StringView value, ErrorCode&) override {
    if (is_header_read_) return;  // a trailer decides nothing
    switch (name) {
      case Field::authorization:
        return set_once(request_.authorization, value);
      case Field::content_type:
        return set_once(request_.content_type, value);
      case Field::content_encoding:
        return set_once(request_.content_encoding, value);
      case Field::accept:
        if (!request_.accept.empty()) request_.accept += ',';
        request_.accept.append(value.data(), value.size());
        return;
      case Field::host:
        is_ambiguous_ = is_ambiguous_ || has_host_;
        has_host_ = true;
        return;
      case Field::expect:
        expects_continue_ = beast_iequals(value, "100-continue");
        return;
      case Field::transfer_encoding:
        has_foreign_coding_ = !beast_iequals(value, "chunked");
        return;
      default:
        break;
    }
    if (beast_iequals(name_text, "X-Artifact-Name")) set_once(request_.artifact_name, value);
    if (beast_iequals(name_text, "X-Request-Id")) set_once(request_.request_id, value);
  }
  void on_header_impl(ErrorCode&) override { is_header_read_ = true; }

  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(StringView body, ErrorCode& code) override { return add(body, code); }
  void on_chunk_header_impl(std::uint64_t, StringView, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, StringView body, ErrorCode& code) override {
    return add(body, code);
  }
  void on_finish_impl(ErrorCode&) override { request_.body.resize(filled_bytes_); }

  static bool beast_iequals(StringView a, StringView b) { return boost::beast::iequals(a, b); }

  void set_once(std::string& field, StringView value) {
    if (!field.empty()) is_ambiguous_ = true;
    field.assign(value.data(), value.size());
  }

  // The body grows with what came, never with what was announced.
  std::size_t add(StringView part, ErrorCode& code) {
    if (part.size() > most_body_bytes_ - filled_bytes_) {
      is_body_too_large_ = true;
      code = beast_http::error::body_limit;
      return 0;
    }
    const std::size_t needed = filled_bytes_ + part.size();
    if (needed > request_.body.size_bytes()) {
      const std::uint64_t announced = chunked() ? needed : content_length().value_or(needed);
      const std::size_t doubled = std::max(needed, request_.body.size_bytes() * 2);
      request_.body.resize(announced < doubled ? std::max<std::size_t>(announced, needed)
                                               : doubled);
    }
    std::memcpy(request_.body.data() + filled_bytes_, part.data(), part.size());
    filled_bytes_ = needed;
    return part.size();
  }

  Request& request_;
  std::uint64_t most_body_bytes_ = 0;
  std::size_t filled_bytes_ = 0;
  bool is_header_read_ = false;
  bool is_http_11_ = false;
  bool has_host_ = false;
  bool expects_continue_ = false;
  bool is_ambiguous_ = false;
  bool has_foreign_coding_ = false;
  bool is_body_too_large_ = false;
};

}  // namespace twofold::http
