#include "native/http/content_encoding.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/base/ascii.h"

namespace twofold::http {
namespace {

constexpr std::uint64_t kAlwaysAllowedBytes = 1 << 20;
constexpr std::size_t kStepBytes = 64 * 1024;
constexpr int kLargestZstdWindowLog = 27;  // 128 MiB, what the zstd tool takes without being asked

enum class Encoding : std::uint8_t { kIdentity, kGzip, kZstd, kUnknown };

Encoding parse_encoding(std::string_view name) {
  if (name.empty() || equal_ignoring_case(name, "identity")) return Encoding::kIdentity;
  if (equal_ignoring_case(name, "gzip") || equal_ignoring_case(name, "x-gzip")) {
    return Encoding::kGzip;
  }
  return equal_ignoring_case(name, "zstd") ? Encoding::kZstd : Encoding::kUnknown;
}

// A body that grows under a limit.
class Output {
 public:
  Output(std::size_t packed_bytes, const InflateLimits& limits)
      : most_bytes_(
            std::min(limits.most_bytes, kAlwaysAllowedBytes + packed_bytes * limits.most_ratio)) {}

  // Room for the next step: at least one byte more than is allowed, so that the limit is seen.
  std::uint8_t* next() {
    if (buffer_.size_bytes() - filled_ < kStepBytes) {
      buffer_.resize(std::max(filled_ + kStepBytes, buffer_.size_bytes() * 2));
    }
    return buffer_.data() + filled_;
  }
  [[nodiscard]] std::size_t room_bytes() const { return buffer_.size_bytes() - filled_; }
  // False: a bomb.
  [[nodiscard]] bool add(std::size_t count) {
    filled_ += count;
    return filled_ <= most_bytes_;
  }
  PaddedBuffer take() && {
    buffer_.resize(filled_);
    return std::move(buffer_);
  }
  [[nodiscard]] Error bomb() const {
    return {Code::kTooLarge, kNoOffset,
            "unpacks to more than " + std::to_string(most_bytes_) + " bytes"};
  }

 private:
  const std::uint64_t most_bytes_;
  PaddedBuffer buffer_;
  std::size_t filled_ = 0;
};

Result<PaddedBuffer> inflate_gzip(ByteView packed, const InflateLimits& limits) {
  z_stream stream{};
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return Error{Code::kIo, kNoOffset, "zlib failed"};
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> closer(&stream, inflateEnd);
  Output output(packed.size(), limits);
  std::size_t at = 0;
  for (;;) {
    stream.next_in = const_cast<Bytef*>(packed.data() + at);
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size() - at, 1u << 30));
    const uInt offered = stream.avail_in;
    stream.next_out = output.next();
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(output.room_bytes(), 1u << 30));
    const uInt room = stream.avail_out;
    const int code = ::inflate(&stream, Z_NO_FLUSH);
    at += offered - stream.avail_in;
    if (!output.add(room - stream.avail_out)) return output.bomb();
    if (code == Z_STREAM_END) {
      if (at == packed.size()) return std::move(output).take();
      if (inflateReset(&stream) != Z_OK) return Error{Code::kIo, kNoOffset, "zlib failed"};
    } else if (code == Z_BUF_ERROR ||
               (code == Z_OK && at == packed.size() && stream.avail_out > 0)) {
      return Error{Code::kTruncated, packed.size(), "the gzip body breaks off"};
    } else if (code != Z_OK) {
      return Error{Code::kBadMagic, at, "no gzip, or damaged"};
    }
  }
}

Result<PaddedBuffer> inflate_zstd(ByteView packed, const InflateLimits& limits) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     ZSTD_freeDCtx);
  if (context == nullptr) return Error{Code::kIo, kNoOffset, "zstd failed"};
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestZstdWindowLog);
  Output output(packed.size(), limits);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (;;) {
    std::uint8_t* const to = output.next();
    ZSTD_outBuffer out{to, output.room_bytes(), 0};
    const std::size_t hint = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(hint) != 0) {
      return Error{Code::kBadMagic, in.pos, ZSTD_getErrorName(hint)};
    }
    if (!output.add(out.pos)) return output.bomb();
    if (in.pos < in.size) continue;
    if (hint == 0) return std::move(output).take();
    if (out.pos < out.size) return Error{Code::kTruncated, in.pos, "the zstd body breaks off"};
  }
}

}  // namespace

bool is_known_encoding(std::string_view encoding) {
  return parse_encoding(encoding) != Encoding::kUnknown;
}

Result<PaddedBuffer> decode_body(std::string_view encoding, PaddedBuffer body,
                                 const InflateLimits& limits) {
  switch (parse_encoding(encoding)) {
    case Encoding::kIdentity:
      if (body.size_bytes() > limits.most_bytes) {
        return Error{Code::kTooLarge, kNoOffset,
                     "more than " + std::to_string(limits.most_bytes) + " bytes"};
      }
      return body;
    case Encoding::kGzip:
      return inflate_gzip(body.bytes(), limits);
    case Encoding::kZstd:
      return inflate_zstd(body.bytes(), limits);
    case Encoding::kUnknown:
      break;
  }
  return Error{Code::kUnsupported, kNoOffset, "Content-Encoding is gzip, zstd or nothing"};
}

}  // namespace twofold::http
