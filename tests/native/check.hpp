// The smallest test frame there is: TEST enrols, CHECK counts, run_all prints "N passed, N failed".
#pragma once

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*body)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline bool enrol(const char* name, void (*body)()) {
  tests().push_back({name, body});
  return true;
}

// Misses of the running test; counted from any thread.
inline std::atomic<int>& misses() {
  static std::atomic<int> count{0};
  return count;
}

// What the random case at hand is, printed with a miss so that it can be found again.
inline std::string& scene() {
  static thread_local std::string text;
  return text;
}

inline void miss(const char* file, int line, const char* what, const std::string& seen = {}) {
  if (misses().fetch_add(1) >= 5) return;  // the first few tell the story
  const char* slash = std::strrchr(file, '/');
  std::printf("  %s:%d: %s %s [%s]\n", slash ? slash + 1 : file, line, what, seen.c_str(), scene().c_str());
}

inline bool near(double a, double b, double tolerance) {
  if (a == b) return true;
  return std::isfinite(a) && std::isfinite(b) &&
         std::abs(a - b) <= tolerance * (1.0 + std::abs(a) + std::abs(b));
}

inline std::string both(double a, double b) {
  char text[80];
  std::snprintf(text, sizeof text, "%.17g, %.17g", a, b);
  return text;
}

// Runs the tests whose name holds `wanted`. The exit code of the program.
inline int run_all(std::string_view wanted) {
  int passed = 0, failed = 0;
  for (const Test& test : tests()) {
    if (std::string_view(test.name).find(wanted) == std::string_view::npos) continue;
    misses().store(0);
    scene().clear();
    try {
      test.body();
    } catch (const std::exception& error) {
      miss(test.name, 0, "threw", error.what());
    } catch (...) {
      miss(test.name, 0, "threw something");
    }
    const bool good = misses().load() == 0;
    if (!good) std::printf("FAILED %s (%d misses)\n", test.name, misses().load());
    (good ? passed : failed) += 1;
    std::fflush(stdout);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed || !passed ? 1 : 0;
}

}  // namespace check

#define TEST(name)                                                \
  static void name();                                             \
  static const bool enrolled_##name = check::enrol(#name, &name); \
  static void name()

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) check::miss(__FILE__, __LINE__, #condition); \
  } while (0)

#define CHECK_NEAR(a, b, tolerance)                                                         \
  do {                                                                                      \
    const double check_a = static_cast<double>(a), check_b = static_cast<double>(b);        \
    if (!check::near(check_a, check_b, tolerance))                                          \
      check::miss(__FILE__, __LINE__, #a " is not " #b ":", check::both(check_a, check_b)); \
  } while (0)

#define CHECK_THROWS(statement, Error)                                                       \
  do {                                                                                       \
    bool check_thrown = false;                                                               \
    try {                                                                                    \
      statement;                                                                             \
    } catch (const Error&) {                                                                 \
      check_thrown = true;                                                                   \
    }                                                                                        \
    if (!check_thrown) check::miss(__FILE__, __LINE__, #statement " did not throw " #Error); \
  } while (0)
