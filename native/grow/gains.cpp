#include "grow/gains.hpp"

namespace hedgerow {
namespace {

template <class Gain>
HEDGEROW_INLINE double largest(const double* second, const double* first, int64_t n, const ClassWeights& node,
                               double best) {
  constexpr int64_t kPart = 64;
  constexpr int kWide = 8;  // running maxima, which the compiler keeps in vector registers
  if (n == 0) return best;
  const ClassWeights all = node;
  const double whole = Gain::loss(all.first, all.second);
  double gain[kPart], top[kWide] = {};
  for (int64_t begin = 0; begin < n; begin += kPart) {
    const int64_t many = n - begin < kPart ? n - begin : kPart;
    for (int64_t i = 0; i < many; ++i) gain[i] = Gain::of(first[begin + i], second[begin + i], all, whole);
    for (int64_t i = many; i < kPart; ++i) gain[i] = 0.0;
    for (int64_t i = 0; i < kPart; i += kWide)
      for (int lane = 0; lane < kWide; ++lane)
        top[lane] = gain[i + lane] > top[lane] ? gain[i + lane] : top[lane];
  }
  for (const double gains : top) best = gains > best ? gains : best;
  return best;
}

}  // namespace

double gain_of(ExponentialGain, const ClassWeights& before, const ClassWeights& node) {
  return ExponentialGain::of(before.first, before.second, node,
                             ExponentialGain::loss(node.first, node.second));
}
double gain_of(EntropyGain, const ClassWeights& before, const ClassWeights& node) {
  return EntropyGain::of(before.first, before.second, node, EntropyGain::loss(node.first, node.second));
}

HEDGEROW_CLONES
double largest_gain(ExponentialGain, const double* second, const double* first, int64_t n,
                    const ClassWeights& node, double best) {
  return largest<ExponentialGain>(second, first, n, node, best);
}

HEDGEROW_CLONES
double largest_gain(EntropyGain, const double* second, const double* first, int64_t n,
                    const ClassWeights& node, double best) {
  return largest<EntropyGain>(second, first, n, node, best);
}

}  // namespace hedgerow
