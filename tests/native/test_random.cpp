#include "common/random.hpp"

#include <vector>

#include "check.hpp"

using namespace hedgerow;

TEST(random_is_splitmix64) {  // the published sequence of seed 0
  CHECK(mix(0) == 0xe220a8397b1dcdafull);
  CHECK(mix(0x9e3779b97f4a7c15ull) == 0x6e789e6aa1b965f4ull);
  CHECK(mix(0x3c6ef372fe94f82aull) == 0x06c45d188009454full);
}

TEST(random_depends_on_its_key_and_counter_only) {
  for (uint64_t key = 0; key < 100; ++key) {
    Random a(key), b(key), other(key + 1);
    int same = 0;
    for (int i = 0; i < 50; ++i) {
      const uint64_t x = a.bits();
      CHECK(x == b.bits());
      same += x == other.bits();
    }
    CHECK(same == 0);
  }
}

TEST(random_stays_in_range_and_reaches_it_all) {
  Random random(root_key(7));
  for (const uint32_t n : {1u, 2u, 3u, 7u, 100u}) {
    std::vector<int> seen(n, 0);
    for (uint32_t i = 0; i < 200 * n; ++i) {
      const uint32_t x = random.below(n);
      CHECK(x < n);
      if (x < n) ++seen[x];
    }
    for (const int times : seen) CHECK(times > 100 && times < 320);
  }
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.unit();
    CHECK(u >= 0 && u < 1);
    sum += u;
  }
  CHECK(sum > 4800 && sum < 5200);
}

TEST(keys_of_children_differ) {
  std::vector<uint64_t> level{root_key(3)};
  std::vector<uint64_t> all = level;
  for (int depth = 0; depth < 8; ++depth) {
    std::vector<uint64_t> next;
    for (const uint64_t key : level)
      for (const int child : {0, 1}) next.push_back(child_key(key, child));
    all.insert(all.end(), next.begin(), next.end());
    level = next;
  }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j) CHECK(all[i] != all[j]);
}
