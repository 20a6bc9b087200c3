#include "forest/category_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cfrules {
namespace {

struct Tally {
  std::vector<double> weight;             // per category
  std::vector<std::vector<double>> sums;  // per category: weight of each class, or weighted sum of the outcome
  std::vector<std::size_t> rows;          // per category
};

Tally tally(std::span<const double> column, std::size_t categories, const Outcome& outcome,
            std::span<const double> weights) {
  const std::size_t channels = outcome.numeric() ? 1 : outcome.classes.size();
  Tally result{std::vector<double>(categories), std::vector(categories, std::vector<double>(channels)),
               std::vector<std::size_t>(categories)};
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (std::isnan(column[row])) continue;
    const auto category = static_cast<std::size_t>(column[row]);
    const double weight = weights.empty() ? 1.0 : weights[row];
    const double value = outcome.values[row];
    result.weight[category] += weight;
    ++result.rows[category];
    if (outcome.numeric())
      result.sums[category][0] += weight * value;
    else
      result.sums[category][static_cast<std::size_t>(value)] += weight;
  }
  return result;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Divides by the length; false for the zero vector.
bool to_unit_length(std::vector<double>& direction) {
  const double length = std::sqrt(dot(direction, direction));
  if (!(length > 0)) return false;
  for (double& loading : direction) loading /= length;
  return true;
}

void fix_sign(std::vector<double>& direction) {
  const auto first = std::find_if(direction.begin(), direction.end(), [](double x) { return std::abs(x) > 1e-9; });
  if (first == direction.end() || *first > 0) return;
  for (double& loading : direction) loading = -loading;
}

// Power iteration on the weighted covariance of the deviations, without forming the matrix. Start and number of steps
// are fixed so that the order never depends on anything but the data.
std::vector<double> first_component(const std::vector<std::vector<double>>& deviations,
                                    const std::vector<double>& weight) {
  constexpr int kSteps = 200;
  const std::size_t classes = deviations.front().size();
  std::vector<double> direction(classes);
  for (std::size_t c = 0; c < classes; ++c) direction[c] = 1.0 / static_cast<double>(c + 1);
  for (int step = 0; step < kSteps; ++step) {
    std::vector<double> next(classes);
    for (std::size_t category = 0; category < deviations.size(); ++category) {
      const double along = weight[category] * dot(deviations[category], direction);
      for (std::size_t c = 0; c < classes; ++c) next[c] += along * deviations[category][c];
    }
    if (!to_unit_length(next)) break;
    direction = std::move(next);
  }
  fix_sign(direction);
  return direction;
}

std::vector<double> component_scores(const Tally& tally) {
  const std::size_t categories = tally.weight.size();
  const std::size_t classes = tally.sums.front().size();
  const double total = std::accumulate(tally.weight.begin(), tally.weight.end(), 0.0);
  std::vector<double> mean(classes);
  for (const std::vector<double>& sums : tally.sums)
    for (std::size_t c = 0; c < classes; ++c) mean[c] += sums[c] / total;
  std::vector<std::vector<double>> deviations(categories, std::vector<double>(classes));
  for (std::size_t category = 0; category < categories; ++category) {
    if (tally.weight[category] <= 0) continue;
    for (std::size_t c = 0; c < classes; ++c)
      deviations[category][c] = tally.sums[category][c] / tally.weight[category] - mean[c];
  }
  const std::vector<double> direction = first_component(deviations, tally.weight);
  std::vector<double> scores(categories);
  for (std::size_t category = 0; category < categories; ++category)
    scores[category] = dot(deviations[category], direction);
  return scores;
}

std::vector<double> scores_of(const Tally& tally, const Outcome& outcome) {
  if (outcome.classes.size() > 2) return component_scores(tally);
  const std::size_t channel = outcome.classes.size() == 2 ? 1 : 0;
  std::vector<double> scores(tally.weight.size());
  for (std::size_t category = 0; category < scores.size(); ++category)
    if (tally.weight[category] > 0) scores[category] = tally.sums[category][channel] / tally.weight[category];
  return scores;
}

}  // namespace

CategoryOrder order_categories(std::span<const double> column, const std::vector<std::string>& names,
                               const Outcome& outcome, std::span<const double> weights) {
  if (names.empty()) return {};
  const Tally counts = tally(column, names.size(), outcome, weights);
  const std::vector<double> scores = scores_of(counts, outcome);
  std::vector<std::uint32_t> ordered(names.size());
  std::iota(ordered.begin(), ordered.end(), 0u);
  std::sort(ordered.begin(), ordered.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool a_seen = counts.weight[a] > 0, b_seen = counts.weight[b] > 0;
    if (a_seen != b_seen) return a_seen;
    if (a_seen && scores[a] != scores[b]) return scores[a] < scores[b];
    return names[a] < names[b];
  });
  CategoryOrder order{std::vector<std::uint32_t>(names.size()), std::vector<std::size_t>(names.size()), 0};
  for (std::uint32_t place = 0; place < ordered.size(); ++place) {
    order.position[ordered[place]] = place;
    order.rows[place] = counts.rows[ordered[place]];
    order.seen += counts.weight[ordered[place]] > 0;
  }
  return order;
}

}  // namespace cfrules
