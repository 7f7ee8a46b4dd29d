#include "native/config/yaml.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace twofold::config {
namespace {

constexpr std::size_t kMostNodes = 100'000;
constexpr int kDeepest = 32;

std::uint32_t line_of(const YAML::Mark& mark) {
  return mark.is_null() ? 1 : static_cast<std::uint32_t>(mark.line) + 1;
}

// Copies yaml-cpp's tree, in which an alias is the node itself once more.
class TreeCopy {
 public:
  Status copy(const YAML::Node& from, YamlNode& to, int depth) {
    to.line = line_of(from.Mark());
    if (++node_count_ > kMostNodes || depth > kDeepest) {
      return at_line(to.line, "too many values, or nested too deeply");
    }
    switch (from.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return {};
      case YAML::NodeType::Scalar:
        to.kind = YamlNode::Kind::kScalar;
        to.scalar = from.Scalar();
        return {};
      case YAML::NodeType::Sequence:
        to.kind = YamlNode::Kind::kList;
        for (const auto& item : from) {
          if (Status status = copy(item, to.items.emplace_back(), depth + 1); !status)
            return status;
        }
        return {};
      case YAML::NodeType::Map:
        to.kind = YamlNode::Kind::kMap;
        return copy_fields(from, to, depth);
    }
    return {};
  }

 private:
  Status copy_fields(const YAML::Node& from, YamlNode& to, int depth) {
    for (const auto& field : from) {
      const std::uint32_t line = line_of(field.first.Mark());
      if (!field.first.IsScalar()) return at_line(line, "a key that is no plain text");
      const std::string& key = field.first.Scalar();
      const bool is_twice = std::any_of(to.fields.begin(), to.fields.end(),
                                        [&](const auto& known) { return known.first == key; });
      if (is_twice) return at_line(line, "`" + key + "` is there twice");
      YamlNode& value = to.fields.emplace_back(key, YamlNode{}).second;
      if (Status status = copy(field.second, value, depth + 1); !status) return status;
      value.line = std::max(value.line, line);
    }
    return {};
  }

  std::size_t node_count_ = 0;
};

}  // namespace

Error at_line(std::uint32_t line, std::string_view what) {
  return {Code::kUsage, kNoOffset, "line " + std::to_string(line) + ": " + std::string(what)};
}

Result<YamlNode> parse_yaml(std::string_view text) {
  // yaml-cpp recurses once per level: deep nesting is refused before it can use up the stack.
  const auto opens =
      std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '{'; });
  if (text.size() > (std::size_t{1} << 20) || opens > 1000) {
    return Error{Code::kUsage, kNoOffset, "more than 1 MiB, or nested too deeply"};
  }
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    YamlNode tree;
    if (Status status = TreeCopy().copy(root, tree, 0); !status) return status.error();
    return tree;
  } catch (const YAML::Exception& fault) {
    return at_line(line_of(fault.mark), fault.msg);
  }
}

}  // namespace twofold::config
