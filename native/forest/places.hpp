// The place of a row of numbers in a table without repetitions.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "common/random.hpp"

namespace hedgerow {

template <class Number>
class Places {
 public:
  Places(std::vector<Number>& table, int width) : table_(table), width_(width), slots_(64, kFree) {}

  uint32_t of(const Number* row) {
    for (size_t slot = first_slot(row);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == kFree) return add(row, slot);
      if (std::memcmp(&table_[size_t{slots_[slot]} * width_], row, sizeof(Number) * width_) == 0)
        return slots_[slot];
    }
  }

 private:
  static constexpr uint32_t kFree = 0xffffffffu;

  size_t first_slot(const Number* row) const {
    uint64_t hash = 0;
    for (int k = 0; k < width_; ++k) {
      uint64_t word = 0;
      std::memcpy(&word, row + k, sizeof(Number));
      hash = mix(hash ^ word);
    }
    return hash & (slots_.size() - 1);
  }

  uint32_t add(const Number* row, size_t slot) {
    const uint32_t place = size_++;
    table_.insert(table_.end(), row, row + width_);
    slots_[slot] = place;
    if (2 * size_t{size_} > slots_.size()) rehash();
    return place;
  }

  void rehash() {
    slots_.assign(slots_.size() * 4, kFree);
    for (uint32_t place = 0; place < size_; ++place) {
      size_t slot = first_slot(&table_[size_t{place} * width_]);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = place;
    }
  }

  std::vector<Number>& table_;
  int width_;
  uint32_t size_ = 0;
  std::vector<uint32_t> slots_;
};

}  // namespace hedgerow
