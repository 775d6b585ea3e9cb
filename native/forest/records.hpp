// The table row by row: all codes of a row side by side.
//
// In: columns of codes.   Out: one record a row, each code as wide as its column needs.
// A forest looks at a few columns of a few rows at a time: what it needs of a row surrogates in one or two
// lines of cache. Small subtrees get records of their own, so that they stay in the nearest one.
//
// Random thresholds are drawn between values, not between codes. Where they are wanted, a column of many
// numbers has the numbers themselves for codes (ordered.hpp): a table of them would be looked up all over.
#pragma once

#include <cstring>
#include <vector>

#include "grow/grow.hpp"

namespace hedgerow {

struct Records {
  uint8_t* bytes = nullptr;
  std::vector<uint8_t> own;                    // where they lie, unless the caller has a place for them
  int64_t stride = 0;                          // bytes a row
  std::vector<int32_t> offset;                 // by column
  std::vector<uint8_t> width;                  // by column
  uint32_t largest_code = 0;                   // of any column, "missing" counted
  std::vector<std::vector<uint32_t>> ordered;  // by column: the numbers; empty: the records have its codes
  // Sparse columns have no records: the columns in which each row has an entry.
  std::vector<int64_t> entry_start;  // by row, and the end
  std::vector<int32_t> entry_columns;

  bool has_numbers(int32_t column) const { return !ordered[column].empty(); }
  // What the records have of one column, row after row.
  const uint8_t* column(const GrowInput& input, int32_t j) const {
    const void* codes = has_numbers(j) ? ordered[j].data() : input.columns[j].codes;
    return static_cast<const uint8_t*>(codes);
  }
};

// A place that the caller has for the records: tables larger than memory lie in a mapped file.
struct RecordPlace {
  uint8_t* bytes = nullptr;  // null: none
  int64_t size = 0;
};

// `numbers`: where a column is of float32 numbers without missing cells.
Records make_records(const GrowInput& input, bool numbers, RecordPlace place, ThreadTeam& team);

template <class Code>
uint32_t load_code(const uint8_t* at) {
  Code code;
  std::memcpy(&code, at, sizeof(Code));
  return code;
}

// Calls work(read) where read(at) is the column's code there, with the width known to the compiler.
template <class Work>
auto with_reader(const Records& records, int32_t column, Work work) {
  switch (records.width[column]) {
    case 1:
      return work([](const uint8_t* at) { return load_code<uint8_t>(at); });
    case 2:
      return work([](const uint8_t* at) { return load_code<uint16_t>(at); });
    default:
      return work([](const uint8_t* at) { return load_code<uint32_t>(at); });
  }
}

}  // namespace hedgerow
