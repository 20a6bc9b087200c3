// What the benchmarks ask questions of: a model of some table, people it has not seen, and a target.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "api/impl.h"
#include "random_table.h"

namespace cfrules::bench {

struct Shape {
  std::string name;      // of the figures
  std::string file;      // in the folder of real tables
  std::string column;    // its outcome
  std::string target;    // on real data; generated: the upper class, or 200000:250000
  std::size_t rows = 0;  // of the generated table, and how many features it has
  std::size_t features = 0;
  OutcomeKind kind = OutcomeKind::classes;
};

// Three quarters of the rows are fitted, the others are people. Where predictions are explained, they are those of a
// forest of 100 trees grown on the rows, and its answers for half of the others come along as fresh rows.
class Fitted {
 public:
  // folder: of real tables; empty: a generated table of the same shape.
  Fitted(const Shape& shape, const std::string& folder, const FitOptions& options);

  const Explainer& explainer() const { return explainer_; }
  const Explainer::Impl& impl() const { return *impl_; }
  const Target& target() const { return target_; }
  const Table& people() const { return people_; }  // who need recourse
  const Context& context() const { return reading_.context; }
  const TargetForest& forest() const { return reading_.forest; }
  CodedPerson person(std::size_t index) const { return impl_->coded(people_.row(index % people_.rows())); }

 private:
  struct Parts {
    Table rows;
    Outcome outcome;
    Table others;
    FitOptions options;
  };
  Fitted(Parts parts, const Shape& shape, bool generated);
  static Parts split(const Shape& shape, const std::string& folder, const FitOptions& options);
  static void predict(Parts& parts);
  static std::unique_ptr<Explainer::Impl> reopened(const Explainer& explainer);
  Table in_need(const Table& others) const;

  Explainer explainer_;
  std::unique_ptr<Explainer::Impl> impl_;
  Target target_;
  TargetReading reading_;
  Table people_;
};

}  // namespace cfrules::bench
