// One smoothed svm: where it surrogates, its gradient, and a Newton step (newton.cpp has the mathematics).
#pragma once

#include <vector>

#include "linear/binary_svm.hpp"

namespace hedgerow::linear {

class Smoothed {
 public:
  // `products`: of columns (products.hpp), to precondition conjugate gradients; null where there are none.
  Smoothed(const Rows& rows, const BinarySvm& svm, const double* products, ThreadTeam& team);

  void set_rho(double rho);
  void place(const double* w, double b);
  void respond_all();  // beta, slopes, gradient
  double step();  // one Newton step with a line search; returns the decrement: twice what is left to gain
  void next_stage(double by);  // a := beta, rho := by * rho

  double primal() const;
  double dual() const;
  double apart() const;  // what w and X' beta, being different, add to the gap; the rest is due to smoothing
  double mean_square() const;  // of the rows' lengths
  bool hard_and_hopeless() const;

  std::vector<double> w, beta;
  double b = 0;
  // The Hessian of the widest smoothing (its diagonal when large): rows that are about to come between their
  // bounds count in it, so that a share of it keeps a step from running beyond them.
  std::vector<double> usual_hessian;

 private:
  bool exact() const { return size_ <= 512 && !products_; }
  void update_factor();
  void update_hessian();
  std::vector<double> solved() const;                                        // by Cholesky
  std::vector<double> conjugate();                                           // by conjugate gradients
  void curve(const std::vector<double>& v, std::vector<double>& out) const;  // out = Hessian v
  std::vector<double> diagonal() const;
  double best_step(double toward, double length) const;
  double ridge() const;
  double mean_residual() const;
  double unbalance() const;

  const Rows& rows_;
  const BinarySvm& svm_;
  const double* products_;
  ThreadTeam& team_;
  int64_t size_;  // d, and one for the intercept
  double rho_ = 1;
  double beta_sum_ = 0;
  double damping_ = 0;  // the share
  std::vector<double> residual_, change_, shift_, steep_, low_, high_, slope_, held_slope_;
  std::vector<double> ease_;    // long rows are smoothed more: a small step moves them far
  std::vector<double> made_;    // X' beta
  std::vector<double> factor_;  // the preconditioner's
  double factor_slope_ = 0;
  std::vector<double> hessian_;  // padded to a multiple of 8; upper blocks
};

}  // namespace hedgerow::linear
