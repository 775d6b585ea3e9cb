#include "grow/criterion_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace hedgerow {

// Written by the build.
std::vector<CriterionEntry> listed_criteria();

std::span<const CriterionEntry> all_criteria() {
  static const std::vector<CriterionEntry> all = [] {
    auto listed = listed_criteria();
    std::sort(listed.begin(), listed.end(), [](const CriterionEntry& a, const CriterionEntry& b) {
      return std::tie(a.traits.order, a.name) < std::tie(b.traits.order, b.name);
    });
    return listed;
  }();
  return all;
}

const CriterionEntry& find_criterion(const std::string& name) {
  std::string known;
  for (const CriterionEntry& entry : all_criteria()) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw std::invalid_argument("criterion '" + name + "' is unknown. Known: " + known);
}

}  // namespace hedgerow
