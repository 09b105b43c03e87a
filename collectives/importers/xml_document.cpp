#include "collectives/importers/xml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/errors.h"
#include "core/nearest.h"

namespace tahoma {

XmlDocument::XmlDocument(std::string_view text, std::string file) : file_(std::move(file)) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines_.push_back(i + 1);
  }
  const pugi::xml_parse_result parsed =
      document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const std::string_view why = parsed.status == pugi::status_no_document_element
                                     ? "there is no element in it"
                                     : parsed.description();
    throw ScenarioError(
        fmt::format("{}: this is no XML: {}",
                    place(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset))), why));
  }
}

std::size_t XmlDocument::offset(const pugi::xml_node& node) const {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
}

std::string XmlDocument::place(std::size_t offset) const {
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
  return fmt::format("{}:{}:{}", file_, line, offset - lines_[static_cast<std::size_t>(line - 1)] + 1);
}

std::uint32_t XmlDocument::line(const pugi::xml_node& node) const {
  return static_cast<std::uint32_t>(std::upper_bound(lines_.begin(), lines_.end(), offset(node)) -
                                    lines_.begin());
}

void XmlDocument::refuse(const pugi::xml_node& node, const std::string& what) const {
  throw ScenarioError(fmt::format("{}: element '{}' {}", place(offset(node)), node.name(), what));
}

void XmlDocument::refuse(const pugi::xml_node& node, std::string_view attribute, std::string_view value,
                         const std::string& what) const {
  throw ScenarioError(fmt::format("{}: element '{}', attribute {}=\"{}\" {}", place(offset(node)),
                                  node.name(), attribute, value, what));
}

void XmlDocument::allow(const pugi::xml_node& node, std::span<const std::string_view> attributes) const {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (std::find(attributes.begin(), attributes.end(), name) == attributes.end()) {
      const std::string near = nearest(name, attributes);
      refuse(node, name, attribute.value(),
             fmt::format("is not known; accepted: {}{}", fmt::join(attributes, ", "),
                         near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    if (node.attribute(attribute.name()) != attribute)
      refuse(node, name, attribute.value(), "is there twice");
  }
}

void XmlDocument::refuse_child(const pugi::xml_node& child, std::string_view accepted) const {
  const pugi::xml_node parent = child.parent();
  if (child.type() != pugi::node_element) refuse(parent, "holds text; accepted: " + std::string(accepted));
  refuse(child, fmt::format("is not known inside '{}'; accepted: {}", parent.name(), accepted));
}

std::string_view XmlDocument::text(const pugi::xml_node& node, const char* attribute) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) refuse(node, fmt::format("has no attribute '{}'", attribute));
  return found.value();
}

std::int64_t XmlDocument::whole(const pugi::xml_node& node, const char* attribute, std::int64_t least,
                                std::int64_t most) const {
  const std::string_view value = text(node, attribute);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = error == std::errc{} && end == value.data() + value.size();
  if (!is_number || number < least || number > most)
    refuse(node, attribute, value, fmt::format("is no whole number from {} to {}", least, most));
  return number;
}

std::int64_t XmlDocument::whole_or(const pugi::xml_node& node, const char* attribute, std::int64_t otherwise,
                                   std::int64_t least, std::int64_t most) const {
  return node.attribute(attribute) ? whole(node, attribute, least, most) : otherwise;
}

}  // namespace tahoma
