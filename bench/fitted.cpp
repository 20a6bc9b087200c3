#include "fitted.h"

#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "base/random.h"
#include "cfrules/csv.h"
#include "io/model_file.h"

namespace cfrules::bench {

// The rows' labels become a model's answers, and half of the others fresh rows with them.
void Fitted::predict(Parts& parts) {
  FitOptions options;
  options.trees = 100;
  options.min_leaf = 1;
  options.audit = 0;
  const Explainer model = Explainer::fit(parts.rows, parts.outcome, {}, options);
  std::vector<std::size_t> order(parts.others.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t half = order.size() / 2;
  parts.options.fresh = parts.others.select(std::span(order).first(half));
  parts.options.fresh_outcome = model.predict(*parts.options.fresh);
  parts.others = parts.others.select(std::span(order).subspan(half));
  parts.outcome.values = model.predict(parts.rows);
}

Fitted::Parts Fitted::split(const Shape& shape, const std::string& folder, const FitOptions& options) {
  LabelledTable all;
  if (folder.empty()) {
    all.table = random_table(shape.rows, shape.features);
    all.outcome = random_outcome(all.table, shape.kind);
  } else {
    all = read_training_csv(folder + "/" + shape.file, {shape.column, OutcomeRequest::As::infer}, "", {});
  }
  std::vector<std::size_t> order(all.table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(3, Purpose::demo_data, 0);
  random.shuffle(std::span(order));
  const std::size_t cut = order.size() * 3 / 4;
  const std::span<const std::size_t> fitted = std::span(order).first(cut);
  Outcome outcome{all.outcome.name, all.outcome.classes, {}};
  for (const std::size_t row : fitted) outcome.values.push_back(all.outcome.values[row]);
  const std::size_t people = std::min<std::size_t>(2000, order.size() - cut);
  Parts parts{all.table.select(fitted), std::move(outcome), all.table.select(std::span(order).subspan(cut, people)),
              options};
  if (options.labels == Labels::predicted) predict(parts);
  return parts;
}

std::unique_ptr<Explainer::Impl> Fitted::reopened(const Explainer& explainer) {
  const std::string path = std::filesystem::temp_directory_path() / ("cfrules-bench-" + std::to_string(::getpid()));
  explainer.save(path, true);
  auto impl = std::make_unique<Explainer::Impl>(load_model(path));
  std::filesystem::remove(path);
  return impl;
}

Fitted::Fitted(const Shape& shape, const std::string& folder, const FitOptions& options)
    : Fitted(split(shape, folder, options), shape, folder.empty()) {}

Fitted::Fitted(Parts parts, const Shape& shape, bool generated)
    : explainer_(Explainer::fit(std::move(parts.rows), std::move(parts.outcome), {}, parts.options)),
      impl_(reopened(explainer_)),
      target_(Target::parse(shape.kind == OutcomeKind::number ? "200000:250000"
                            : generated                       ? "yes"
                                                              : shape.target,
                            impl_->model.outcome)),
      reading_(*impl_, target_, {}),
      people_(in_need(parts.others)) {}

Table Fitted::in_need(const Table& others) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < others.rows(); ++row)
    if (!target_.contains(impl_->predict(impl_->model.grid.codes(others.row(row))))) rows.push_back(row);
  return others.select(rows);
}

}  // namespace cfrules::bench
