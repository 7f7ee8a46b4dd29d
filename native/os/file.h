// Files, as the hosts need them: read one whole, write one whole or not at all, list a folder.
//
// Errors are Code::kIo or kNotFound with the path as `input` and the system's reason as detail.
#pragma once

#include <string>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"

namespace twofold::os {

// The whole file, padded for the JSON parser. "-" is standard input. A folder is an error.
[[nodiscard]] Result<PaddedBuffer> read_file(const std::string& path);

// Writes to a temporary name beside `path`, flushes to disk and renames: a reader sees the old file
// or the new one, never a part, and a failure leaves the old one.
[[nodiscard]] Status write_file_atomic(const std::string& path, ByteView bytes);

enum class PathKind { kMissing, kFile, kFolder };
[[nodiscard]] PathKind path_kind(const std::string& path);

// 0 when there is no such file.
[[nodiscard]] std::uint64_t file_size_bytes(const std::string& path);

// Every regular file below `folder`, subfolders included, in byte order of the paths. Symbolic
// links to folders are not followed, so there are no cycles.
[[nodiscard]] Result<std::vector<std::string>> list_files(const std::string& folder);

}  // namespace twofold::os
