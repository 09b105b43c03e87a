// How far predictions are from measurements, as plain functions of numbers.
//
// error = (predicted - measured) / measured, of times: +0.1 is a prediction 10 % too slow. factor = the
// larger of both / the smaller. Sums go in the order given, so every machine prints the same digits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tahoma {

double signed_error(double measured, double predicted);
double factor_between(double measured, double predicted);

/// Of a list that is not empty.
double mean(std::span<const double> values);
double median(std::vector<double> values);  // of an even number the mean of the middle two

/// Ranks from 1, equal values share the mean of theirs.
std::vector<double> ranks_of(std::span<const double> values);

/// Spearman's rank correlation; nothing for fewer than three pairs, or if one side is all equal.
std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace tahoma
