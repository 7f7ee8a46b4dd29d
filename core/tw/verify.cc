#include "core/tw/verify.h"

#include "core/base/utf.h"

namespace twofold::tw {
namespace {

using namespace flat;

std::uint64_t offset_of_token(std::uint32_t index, std::size_t field) {
  return kHeaderSizeBytes + std::uint64_t{index} * kTokenSizeBytes + field;
}

Status verify_token(const FlatView& view, std::uint32_t index) {
  const Token token = view.token(index);
  const auto fault = [&](std::size_t field, const char* detail) {
    return Error{Code::kBadTable, offset_of_token(index, field), detail};
  };
  if (index > 0 && view.key(index) < view.key(index - 1)) {
    return fault(kGeneratedLineAt, "tokens are not sorted by generated position");
  }
  if (token.is_unmapped() && (token.original_column != 0 || token.file != kNone)) {
    return fault(kOriginalLineAt, "a column or file without an original line");
  }
  if (token.file != kNone && token.file >= view.files().count()) {
    return fault(kFileAt, "no such file");
  }
  if (token.function != kNone && token.function >= view.functions().count()) {
    return fault(kFunctionAt, "no such function");
  }
  return {};
}

Status verify_strings(const StringTableView& table, std::uint64_t table_at, const char* what) {
  std::uint64_t text_at = table_at + (std::uint64_t{table.count()} + 1) * kStringOffsetSizeBytes;
  std::uint64_t total = 0;
  for (std::uint32_t index = 0; index < table.count(); ++index) {
    const auto text = table.find(index);
    const std::uint64_t entry_at = table_at + std::uint64_t{index} * kStringOffsetSizeBytes;
    if (!text) return Error{Code::kBadTable, entry_at, std::string(what) + " offsets do not rise"};
    if (!is_valid_utf8(*text)) {
      return Error{Code::kBadUtf8, text_at + total, std::string(what) + " name is not UTF-8"};
    }
    total += text->size();
  }
  if (total != table.text_size_bytes()) {
    return Error{Code::kBadTable, table_at, std::string(what) + " names do not fill their table"};
  }
  return {};
}

}  // namespace

Status verify(const FlatView& view) {
  for (std::uint32_t index = 0; index < view.token_count(); ++index) {
    if (Status status = verify_token(view, index); !status) return status;
  }
  const std::uint64_t files_at = offset_of_token(view.token_count(), 0);
  if (Status status = verify_strings(view.files(), files_at, "file"); !status) return status;
  const std::uint64_t functions_at = files_at + view.files().size_bytes();
  return verify_strings(view.functions(), functions_at, "function");
}

}  // namespace twofold::tw
