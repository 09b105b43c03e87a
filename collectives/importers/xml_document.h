// XML files of other tools, read strictly: every attribute is asked for by name and the rest is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

class XmlDocument {
 public:
  /// Throws ScenarioError with the place of what is no XML. No document type is read, so no entities.
  XmlDocument(std::string_view text, std::string file);

  pugi::xml_node root() const { return document_.document_element(); }

  /// "file:line:column: element NAME ..."
  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& what) const;
  [[noreturn]] void refuse(const pugi::xml_node& node, std::string_view attribute, std::string_view value,
                           const std::string& what) const;
  std::uint32_t line(const pugi::xml_node& node) const;

  /// Refuses attributes that are not listed or stand there twice, and text.
  void allow(const pugi::xml_node& node, std::span<const std::string_view> attributes) const;
  void refuse_child(const pugi::xml_node& child, std::string_view accepted) const;

  std::string_view text(const pugi::xml_node& node, const char* attribute) const;  // must be there
  std::int64_t whole(const pugi::xml_node& node, const char* attribute, std::int64_t least,
                     std::int64_t most) const;
  std::int64_t whole_or(const pugi::xml_node& node, const char* attribute, std::int64_t otherwise,
                        std::int64_t least, std::int64_t most) const;

 private:
  std::size_t offset(const pugi::xml_node& node) const;
  std::string place(std::size_t offset) const;

  pugi::xml_document document_;
  std::string file_;
  std::vector<std::size_t> lines_{0};  // where each line starts
};

}  // namespace tahoma
