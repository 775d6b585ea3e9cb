// The criteria by name: what each is and the functions compiled for it.
//
// The build writes the table from the files of criteria/ (CMakeLists.txt): file name -> traits and functions.
// Growers of one tree, of forests and everything else that is given a criterion's name look it up here.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "grow/criterion.hpp"
#include "grow/grow.hpp"
#include "grow/rule_scan.hpp"

namespace hedgerow {

class CountScan;

struct CriterionTraits {
  int order = 0;
  bool of_classes = false;                                                // else of numbers
  bool is_public = true;                                                  // offered to users
  bool median = false;                                                    // leaves predict medians
  bool ratio = false;                                                     // splits are compared by gain ratio
  bool squared_units = false;                                             // impurity is a variance
  bool non_negative = false;                                              // targets must not be below zero
  bool sums_terms = false, terms_are_squares = false, log_table = false;  // criterion.hpp
};

// Compiled for each criterion. Those of classes are null where it is of numbers, and the other way round.
struct CriterionFunctions {
  MakeRuleScan<uint32_t> scan32 = nullptr;
  MakeRuleScan<uint64_t> scan64 = nullptr;
  // Where it sums terms of class counts that are not squares; else null.
  std::unique_ptr<CountScan> (*count_scan)(const Limits&, const MomentContext&) = nullptr;
  // Classes: weight, merit and impurity of a node from its moments.
  void (*class_stats)(NodeStats&, const MomentContext&) = nullptr;
  // Classes: the impurity of each row of class shares (rows x classes).
  void (*impurities)(const double* shares, int64_t n, int n_classes, double* out) = nullptr;
  // Numbers: rest and loss of a node from its rows, and the node from these (measure.hpp). `weight` by row.
  void (*sum_numbers)(const NumberFacts&, const double* target, const double* weight, const uint32_t* rows,
                      int64_t n, double& rest, double& loss) = nullptr;
  void (*number_stats)(const NumberFacts&, double rest, double loss, NodeStats&) = nullptr;
  // Numbers: the loss of each target where a value is predicted.
  void (*losses)(const double* target, const double* value, int64_t n, double* out) = nullptr;
};

struct CriterionEntry {
  std::string name;
  CriterionTraits traits;
  CriterionFunctions functions;
};

// All, in the order they are shown to users.
std::span<const CriterionEntry> all_criteria();

// Throws std::invalid_argument, which lists the known ones.
const CriterionEntry& find_criterion(const std::string& name);

template <class Entry>
MakeRuleScan<Entry> scan_maker(const CriterionEntry& criterion) {
  if constexpr (sizeof(Entry) == 4)
    return criterion.functions.scan32;
  else
    return criterion.functions.scan64;
}

// Defined in criterion_unit.hpp, compiled once for each criterion in a unit of its own.
template <Criterion Rule>
CriterionFunctions functions_of();

// A criterion may say that it is another by a second name: `using SameAs = ...`.
template <class Rule>
struct CompiledAs {
  using type = Rule;
};
template <class Rule>
  requires requires { typename Rule::SameAs; }
struct CompiledAs<Rule> {
  using type = typename Rule::SameAs;
};

template <Criterion Rule>
CriterionEntry criterion_entry(const char* name) {
  const CriterionTraits traits{
      .order = Rule::kOrder,
      .of_classes = Rule::kOfClasses,
      .is_public = Rule::kPublic,
      .median = Rule::kMedian,
      .ratio = Rule::kRatio,
      .squared_units = Rule::kSquaredUnits,
      .non_negative = Rule::kNonNegative,
      .sums_terms = Rule::kSumsTerms,
      .terms_are_squares = Rule::kTermsAreSquares,
      .log_table = Rule::kLogTable,
  };
  return {name, traits, functions_of<typename CompiledAs<Rule>::type>()};
}

}  // namespace hedgerow
