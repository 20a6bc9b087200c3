#include "cfrules/explainer.h"
#include "cfrules/explanation.h"

namespace cfrules {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::found:
      return "found";
    case Status::below_threshold:
      return "below_threshold";
    case Status::no_recourse:
      return "no_recourse";
    case Status::already_in_target:
      return "already_in_target";
  }
  return "";
}

std::string_view name_of(Search search) { return search == Search::sparsest ? "sparsest" : "divergent"; }

std::string_view name_of(Estimator estimator) {
  switch (estimator) {
    case Estimator::moved:
      return "moved";
    case Estimator::paper:
      return "paper";
    case Estimator::leaf_union:
      return "union";
    case Estimator::inside:
      return "inside";
  }
  return "";
}

std::string_view name_of(RecourseMethod method) {
  switch (method) {
    case RecourseMethod::surest:
      return "surest";
    case RecourseMethod::nearest:
      return "nearest";
    case RecourseMethod::cheapest:
      return "cheapest";
    case RecourseMethod::annealing:
      return "annealing";
  }
  return "";
}

std::string_view name_of(Labels labels) {
  switch (labels) {
    case Labels::observed:
      return "observed";
    case Labels::predicted:
      return "predicted";
    case Labels::memorised:
      return "memorised";
    case Labels::model:
      return "model";
    case Labels::trees:
      return "trees";
  }
  return "";
}

std::string_view name_of(EstimateOn rows) {
  switch (rows) {
    case EstimateOn::all:
      return "all";
    case EstimateOn::oob:
      return "oob";
    case EstimateOn::honest:
      return "honest";
  }
  return "";
}

}  // namespace cfrules
