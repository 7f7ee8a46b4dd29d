#include "core/js/map_reader.h"
#include "core/js/ram_bundle.h"
#include "core/js/source_mapping_url.h"
#include "core/symbolicate/json.h"
#include "core/tw/dump.h"
#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/cli/load.h"

namespace twofold::cli {
namespace {

// What there is to say about a file: names and values in the order of printing.
struct Fact {
  std::string name;
  std::string value;
  bool is_number = false;
};
using Facts = std::vector<Fact>;

Fact count(std::string name, std::uint64_t value) {
  return {std::move(name), std::to_string(value), true};
}

Status inspect_tw(const Input& input, bool is_full, Facts& facts, std::string& dump) {
  const auto view = tw::View::open(input.content.bytes());
  if (!view) return with_input(view.error(), input.path);
  facts.push_back(count("version", view.value().version()));
  if (!view.value().debug_id().empty()) {
    facts.push_back({"debug_id", std::string(view.value().debug_id())});
  }
  facts.push_back(count("tokens", view.value().token_count()));
  facts.push_back(count("files", view.value().file_count()));
  facts.push_back(count("functions", view.value().function_count()));
  if (is_full) dump = tw::dump(view.value());
  return {};
}

bool has_text(const js::SourceMap& map, std::size_t source) {
  return source < map.contents.size() && !map.contents[source].empty();
}

Status inspect_map(const Input& input, bool is_full, Facts& facts, std::string& dump) {
  js::MapReader reader;
  js::SourceMap map;
  if (Status status = reader.parse(input.content, js::Strictness::kTolerant, map); !status) {
    return with_input(status.error(), input.path);
  }
  if (!map.file.empty()) facts.push_back({"file", map.file});
  if (!map.debug_id.empty()) facts.push_back({"debug_id", map.debug_id});
  facts.push_back(count("segments", map.segments.size()));
  facts.push_back(count("sources", map.sources.size()));
  facts.push_back(count("names", map.names.size()));
  std::uint64_t text_count = 0;
  for (std::size_t i = 0; i < map.sources.size(); ++i) {
    if (has_text(map, i)) ++text_count;
    if (!is_full) continue;
    dump += "source " + std::to_string(i) + " " + std::string(map.sources[i]);
    if (!has_text(map, i)) dump += " (no text)";
    if (map.is_ignored[i]) dump += " (ignored)";
    dump += '\n';
  }
  facts.push_back(count("sources_with_text", text_count));
  return {};
}

void inspect_script(const Input& input, Facts& facts) {
  const js::BundleComments comments = js::find_bundle_comments(input.content.text());
  if (comments.source_mapping_url) {
    std::string url(comments.source_mapping_url->substr(0, 200));  // data: URLs hold whole maps
    if (url.size() < comments.source_mapping_url->size()) url += "...";
    facts.push_back({"source_mapping_url", url});
  }
  if (comments.debug_id) facts.push_back({"debug_id", std::string(*comments.debug_id)});
}

Status inspect_ram_bundle(const Input& input, Facts& facts) {
  const auto bundle = js::read_ram_bundle(input.content.bytes());
  if (!bundle) return with_input(bundle.error(), input.path);
  facts.push_back(count("modules", bundle.value().module_count));
  facts.push_back(count("startup_code_bytes", bundle.value().startup_code.size()));
  return {};
}

std::string to_text(const Facts& facts) {
  std::string out;
  for (const Fact& fact : facts) out += fact.name + ": " + fact.value + "\n";
  return out;
}

std::string to_json(const Facts& facts) {
  std::string out = "{";
  for (const Fact& fact : facts) {
    if (out.size() > 1) out += ',';
    write_json_string(fact.name, out);
    out += ':';
    if (fact.is_number) {
      out += fact.value;
    } else {
      write_json_string(fact.value, out);
    }
  }
  return out + "}\n";
}

}  // namespace

int run_inspect(const InspectArguments& arguments) {
  const auto input = read_input(arguments.file);
  if (!input) return fail(input.error());
  Facts facts{{"path", arguments.file},
              {"kind", std::string(to_string(input.value().kind))},
              count("size_bytes", input.value().content.size_bytes())};
  std::string dump;
  Status status;
  switch (input.value().kind) {
    case ArtifactKind::kTw:
      status = inspect_tw(input.value(), arguments.is_full, facts, dump);
      break;
    case ArtifactKind::kSourceMap:
      status = inspect_map(input.value(), arguments.is_full, facts, dump);
      break;
    case ArtifactKind::kScript:
      inspect_script(input.value(), facts);
      break;
    case ArtifactKind::kRamBundle:
      status = inspect_ram_bundle(input.value(), facts);
      break;
    default:
      break;
  }
  if (!status) return fail(status.error());
  const std::string out = arguments.as_json ? to_json(facts) : to_text(facts) + dump;
  return print(out) ? kExitOk : kExitFailed;
}

}  // namespace twofold::cli
