#include "forest/records.hpp"

#include <algorithm>

#include "patch.hpp"

namespace hedgerow {

Records make_records(const GrowInput& input, Crew& crew) {
  const auto d = static_cast<int32_t>(input.columns.size());
  Records out;
  out.offset.resize(d);
  out.width.resize(d);
  int64_t end = 0;
  for (const int width : {4, 2, 1})  // widest first: every code is aligned
    for (int32_t j = 0; j < d; ++j)
      if (input.columns[j].width == width) {
        out.offset[j] = static_cast<int32_t>(end);
        out.width[j] = static_cast<uint8_t>(width);
        end += width;
      }
  for (const auto& column : input.columns)
    out.largest_code = std::max(out.largest_code, static_cast<uint32_t>(column.n_codes));
  out.stride = (end + 3) / 4 * 4;
  out.bytes.resize(out.stride * input.n_rows);
  constexpr int64_t kRows = 1024;
  crew.run((input.n_rows + kRows - 1) / kRows, [&](int64_t chunk, int) {
    const int64_t first = chunk * kRows, last = std::min(input.n_rows, first + kRows);
    for (int32_t j = 0; j < d; ++j) {
      const int width = out.width[j];
      const auto* codes = static_cast<const uint8_t*>(input.columns[j].codes) + first * width;
      uint8_t* to = out.bytes.data() + first * out.stride + out.offset[j];
      auto copy = [&](auto bytes) {
        for (int64_t i = first; i < last; ++i, codes += bytes, to += out.stride)
          std::memcpy(to, codes, bytes);
      };
      if (width == 1) copy(std::integral_constant<size_t, 1>{});
      if (width == 2) copy(std::integral_constant<size_t, 2>{});
      if (width == 4) copy(std::integral_constant<size_t, 4>{});
    }
  });
  return out;
}

}  // namespace hedgerow
