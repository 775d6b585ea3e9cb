// Float32 numbers as whole numbers of the same order, and back.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hedgerow {

inline uint32_t ordered_bits(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

inline float from_ordered(uint32_t bits) {
  return std::bit_cast<float>(bits ^ (bits >> 31 ? 0x80000000u : 0xffffffffu));
}

// The largest float32 number that is not above.
inline float rounded_down(double exact) {
  const auto rounded = static_cast<float>(exact);
  return static_cast<double>(rounded) > exact
             ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
             : rounded;
}

// The same as a whole number. One step down in this order is the next smaller number.
inline uint32_t ordered_below(double exact) {
  const auto rounded = static_cast<float>(exact);
  return ordered_bits(rounded) - (static_cast<double>(rounded) > exact);
}

}  // namespace hedgerow
