#include "native/store/catalogue.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/js/data_url.h"
#include "core/js/map_reader.h"
#include "core/js/metro_json.h"
#include "core/js/source_mapping_url.h"
#include "core/symbolicate/paths.h"
#include "core/tw/view.h"
#include "native/store/content_hash.h"

namespace twofold::storage {
namespace {

constexpr std::size_t kMostRecordBytes = std::size_t{64} * 1024;
constexpr std::size_t kMostNameBytes = 1024;
constexpr std::size_t kMostLogs = 100'000;
constexpr std::size_t kMostSnapshotBytes = std::size_t{16} << 20;
// How long a store that did not answer is left alone by whoever can do without.
constexpr std::chrono::seconds kDownPause{15};
// Maps that serve modules, whose scripts are called by number and not by name.
constexpr std::string_view kModules = "@modules";

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// What of a file's own words goes into a record: a line that somebody may have written.
std::string as_field(std::string_view text) {
  return text.size() > kMostNameBytes || has_control(text) ? std::string() : std::string(text);
}

constexpr std::size_t kRecordFields = 7;

// A line for each field.
std::string to_text(const RawArtifact& record) {
  std::string text;
  for (const std::string& field :
       {record.name, record.id, record.content, std::to_string(static_cast<unsigned>(record.kind)),
        record.file_field, record.map_url, std::to_string(record.size_bytes)}) {
    text += field + "\n";
  }
  return text;
}

std::optional<RawArtifact> parse_record(std::string_view text) {
  std::vector<std::string_view> fields;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    fields.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (fields.size() != kRecordFields || !text.empty()) return std::nullopt;
  const auto number = [](std::string_view digits, auto& value) {
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return code == std::errc() && end == digits.data() + digits.size();
  };
  RawArtifact record;
  unsigned kind = 0;
  if (!number(fields[3], kind) || !number(fields[6], record.size_bytes)) return std::nullopt;
  if (kind > static_cast<unsigned>(ArtifactKind::kHermesBytecode)) return std::nullopt;
  record.name = fields[0];
  record.id = fields[1];
  record.content = fields[2];
  record.kind = static_cast<ArtifactKind>(kind);
  record.file_field = fields[4];
  record.map_url = fields[5];
  return record;
}

std::string folder_key(std::string_view kind, std::string_view project, std::string_view name) {
  return std::string(kind) + "/" + std::string(project) + "/" + std::string(name);
}

}  // namespace

Result<RawArtifact> Catalogue::describe(std::string_view name, const PaddedBuffer& content) {
  if (name.empty() || name.size() > kMostNameBytes || has_control(name)) {
    return Error{Code::kUsage, kNoOffset,
                 "an artifact needs a name of up to 1024 bytes, no control characters"};
  }
  RawArtifact record;
  record.name = name;
  record.kind = detect_kind(content.text());
  record.content = hash_hex(content.bytes());
  record.id = record.content;
  record.size_bytes = content.size_bytes();
  switch (record.kind) {
    case ArtifactKind::kSourceMap:
      record.file_field = as_field(js::find_file_field(content));
      break;
    case ArtifactKind::kScript: {
      const js::BundleComments comments = js::find_bundle_comments(content.text());
      const std::string_view url = comments.source_mapping_url.value_or("");
      if (!js::is_data_url(url)) record.map_url = as_field(url);
      if (comments.debug_id) record.id = as_field(*comments.debug_id);
      break;
    }
    case ArtifactKind::kTw: {
      const auto view = tw::View::open(content.bytes());
      if (!view) return view.error();
      if (!view.value().debug_id().empty()) record.id = as_field(view.value().debug_id());
      break;
    }
    case ArtifactKind::kRamBundle:
    case ArtifactKind::kRamBundleMarker:
    case ArtifactKind::kHermesBytecode:
      break;
    default:
      return Error{
          Code::kUnsupported, kNoOffset,
          "nothing here reads artifacts of this kind: " + std::string(to_string(record.kind))};
  }
  if (record.id.empty()) record.id = record.content;
  return record;
}

Result<RawArtifact> Catalogue::add(std::string_view project, std::string_view name,
                                   const PaddedBuffer& content, Clock::time_point deadline) {
  auto described = describe(name, content);
  if (!described) return described;
  const RawArtifact& record = described.value();
  const auto written =
      objects_.write_new(folder_key("raw", project, record.content), content.bytes(), deadline);
  if (!written) return written.error();
  std::vector<std::string> bases{std::string(base_name(record.name))};
  if (!record.file_field.empty()) bases.emplace_back(base_name(record.file_field));
  if (record.kind == ArtifactKind::kSourceMap && !js::read_segments(content).empty()) {
    bases.emplace_back(kModules);
  }
  std::sort(bases.begin(), bases.end());
  bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
  for (const std::string& base : bases) {
    if (Status status = append(project, base, record, deadline); !status) return status.error();
  }
  const std::string text = to_text(record);
  if (Status status = objects_.write(folder_key("catalogue", project, "@" + record.id),
                                     as_byte_view(text), deadline);
      !status) {
    return status.error();
  }
  return described;
}

// Behind the last record; somebody else's that came meanwhile is read, and the next number tried.
Status Catalogue::append(std::string_view project, std::string_view base, const RawArtifact& record,
                         Clock::time_point deadline) {
  const std::string text = to_text(record);
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      logs_[folder_key("catalogue", project, base)].is_read = false;
    }
    const auto records = read_log(project, base, deadline);
    if (!records) return records.error();
    const auto is_same_name = [&](const RawArtifact& other) { return other.name == record.name; };
    const auto last = std::find_if(records.value().rbegin(), records.value().rend(), is_same_name);
    if (last != records.value().rend() && *last == record) return {};  // uploaded again
    const std::string key =
        folder_key("catalogue", project, base) + "/" + std::to_string(records.value().size());
    const auto written = objects_.write_new(key, as_byte_view(text), deadline);
    if (!written) return written.error();
    if (written.value() == ObjectStore::Written::kWasThere) continue;
    const std::lock_guard lock(mutex_);
    logs_[folder_key("catalogue", project, base)].is_read = false;
    ++version_;
    return {};
  }
}

Result<std::vector<RawArtifact>> Catalogue::read_log(std::string_view project,
                                                     std::string_view base,
                                                     Clock::time_point deadline) {
  const std::string key = folder_key("catalogue", project, base);
  std::vector<RawArtifact> records;
  {
    const std::lock_guard lock(mutex_);
    const Log& log = logs_[key];
    if (log.is_read && clock_.now() - log.read_at < refreshed_every_) return log.records;
    records = log.records;  // a record never changes: only later ones are asked for
  }
  const std::size_t known = records.size();
  for (;;) {
    const auto object =
        objects_.read(key + "/" + std::to_string(records.size()), kMostRecordBytes, deadline);
    if (!object && object.error().code == Code::kNotFound) break;
    if (!object) return object.error();
    auto record = parse_record(object.value().text());
    // What is no record still has its number; it names nothing.
    records.push_back(record ? std::move(*record) : RawArtifact{});
  }
  {
    const std::lock_guard lock(mutex_);
    if (logs_.size() > kMostLogs) logs_.clear();
    logs_[key] = {records, clock_.now(), true};
  }
  if (records.size() > known) {
    ++version_;
    keep_snapshot(key, records);
  }
  return records;
}

void Catalogue::keep_snapshot(const std::string& key, const std::vector<RawArtifact>& records) {
  if (snapshots_ == nullptr) return;
  std::string text;
  for (const RawArtifact& record : records) text += to_text(record);
  // Without it the store is asked, as always.
  (void)snapshots_->write(key, as_byte_view(text + hash_hex(as_byte_view(text)) + "\n"),
                          Clock::time_point::max());
}

std::optional<std::vector<RawArtifact>> Catalogue::recall_log(std::string_view project,
                                                              std::string_view base) {
  const std::string key = folder_key("catalogue", project, base);
  {
    const std::lock_guard lock(mutex_);
    const auto known = logs_.find(key);
    if (known != logs_.end() && !known->second.records.empty()) return known->second.records;
  }
  if (snapshots_ == nullptr) return std::nullopt;
  const auto object = snapshots_->read(key, kMostSnapshotBytes, Clock::time_point::max());
  if (!object) return std::nullopt;
  std::string_view text = object.value().text();
  const std::size_t hash_at = text.size() < 33 ? text.size() : text.size() - 33;
  const std::string_view hash = text.substr(hash_at);
  text = text.substr(0, hash_at);
  if (hash != hash_hex(as_byte_view(text)) + "\n") return std::nullopt;
  std::vector<RawArtifact> records;
  while (!text.empty()) {
    std::size_t end = 0;
    for (std::size_t field = 0; field < kRecordFields; ++field) end = text.find('\n', end) + 1;
    if (end == 0) return std::nullopt;
    auto record = parse_record(text.substr(0, end));
    records.push_back(record ? std::move(*record) : RawArtifact{});
    text.remove_prefix(end);
  }
  const std::lock_guard lock(mutex_);
  Log& log = logs_[key];
  if (log.records.size() < records.size()) log.records = records;
  return records;
}

bool Catalogue::is_down() const {
  return clock_.now().time_since_epoch().count() < down_until_.load(std::memory_order_relaxed);
}

Result<std::vector<RawArtifact>> Catalogue::find_for(std::string_view project,
                                                     std::string_view script,
                                                     Clock::time_point deadline) {
  std::map<std::string, RawArtifact> found;  // the last of each name
  std::optional<Error> failure;              // from then on the store is not asked
  const auto add_log = [&](std::string_view base) -> Status {
    std::optional<std::vector<RawArtifact>> records;
    if (is_down()) records = recall_log(project, base);
    if (!records && !failure) {
      auto read = read_log(project, base, deadline);
      if (!read && read.error().code != Code::kUnavailable) return read.error();
      if (read) {
        records = std::move(read).value();
      } else {
        failure = read.error();
        down_until_ = (clock_.now() + kDownPause).time_since_epoch().count();
      }
    }
    if (!records) records = recall_log(project, base);
    if (!records) return {};
    for (const RawArtifact& record : *records) {
      if (!record.name.empty()) found[record.name] = record;
    }
    return {};
  };
  const std::string base(base_name(script));
  for (const char* ending : {"", ".map", ".tw"}) {
    if (Status status = add_log(base + ending); !status) return status.error();
  }
  std::vector<std::string> named;
  for (const auto& [name, record] : found) {
    if (record.map_url.empty()) continue;
    named.emplace_back(base_name(without_query_and_fragment(record.map_url)));
  }
  if (found.empty()) named.emplace_back(kModules);
  for (const std::string& map : named) {
    if (Status status = add_log(map); !status) return status.error();
  }
  // Nothing known is not the same as nothing there.
  if (failure && found.empty()) return *failure;
  std::vector<RawArtifact> all;
  for (auto& [name, record] : found) all.push_back(std::move(record));
  return all;
}

Result<RawArtifact> Catalogue::find(std::string_view project, std::string_view id,
                                    Clock::time_point deadline) {
  const auto object = objects_.read(folder_key("catalogue", project, "@" + std::string(id)),
                                    kMostRecordBytes, deadline);
  if (!object) return object.error();
  auto record = parse_record(object.value().text());
  if (!record) return Error{Code::kNotFound, kNoOffset, "its record is damaged"};
  return std::move(*record);
}

Result<PaddedBuffer> Catalogue::read(std::string_view project, const RawArtifact& artifact,
                                     Clock::time_point deadline) {
  auto object = objects_.read(folder_key("raw", project, artifact.content),
                              static_cast<std::size_t>(artifact.size_bytes), deadline);
  if (object && hash_hex(object.value().bytes()) != artifact.content) {
    return Error{Code::kUnavailable, kNoOffset, "its bytes are not those that were uploaded",
                 artifact.name};
  }
  return object;
}

}  // namespace twofold::storage
