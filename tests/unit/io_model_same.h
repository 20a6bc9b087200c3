// Two models are the same to the bit (any NaN is the one NaN).
#pragma once

#include <gtest/gtest.h>

#include "region/model.h"

namespace cfrules::testing_data {

inline void expect_same(std::span<const double> left, std::span<const double> right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (std::isnan(left[i]) && std::isnan(right[i])) continue;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(left[i]), std::bit_cast<std::uint64_t>(right[i])) << i;
  }
}

inline void expect_same(const Grid& left, const Grid& right) {
  ASSERT_EQ(left.features(), right.features());
  for (std::size_t feature = 0; feature < left.features(); ++feature) {
    expect_same(left.axis(feature).cuts, right.axis(feature).cuts);
    EXPECT_EQ(left.axis(feature).position, right.axis(feature).position);
  }
}

inline void expect_same(const Tree& left, const Tree& right) {
  ASSERT_EQ(left.nodes.size(), right.nodes.size());
  for (std::size_t node = 0; node < left.nodes.size(); ++node) {
    ASSERT_EQ(left.nodes[node].left, right.nodes[node].left);
    ASSERT_EQ(left.nodes[node].feature, right.nodes[node].feature);
    ASSERT_EQ(left.nodes[node].cut, right.nodes[node].cut);
  }
  ASSERT_EQ(left.node_rows.size(), right.node_rows.size());
  for (std::size_t node = 0; node < left.node_rows.size(); ++node) {
    ASSERT_EQ(left.node_rows[node].begin, right.node_rows[node].begin);
    ASSERT_EQ(left.node_rows[node].end, right.node_rows[node].end);
  }
  expect_same(left.leaf_values, right.leaf_values);
  EXPECT_EQ(left.rows, right.rows);
}

inline void expect_same(const std::vector<Tree>& left, const std::vector<Tree>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t tree = 0; tree < left.size(); ++tree) expect_same(left[tree], right[tree]);
}

inline void expect_same(const ModelSettings& left, const ModelSettings& right) {
  EXPECT_EQ(left.labels, right.labels);
  EXPECT_EQ(left.paper, right.paper);
  EXPECT_EQ(left.imported, right.imported);
  EXPECT_EQ(left.trees, right.trees);
  EXPECT_EQ(left.depth, right.depth);
  EXPECT_EQ(left.min_leaf, right.min_leaf);
  EXPECT_EQ(left.features_per_split, right.features_per_split);
  EXPECT_EQ(left.cuts, right.cuts);
  EXPECT_EQ(left.bootstrap, right.bootstrap);
  EXPECT_EQ(left.subsample, right.subsample);
  EXPECT_EQ(left.class_weights, right.class_weights);
  EXPECT_EQ(left.estimate, right.estimate);
  EXPECT_EQ(left.seed, right.seed);
  EXPECT_EQ(left.version, right.version);
  expect_same(std::span(&left.out_of_bag_score, 1), std::span(&right.out_of_bag_score, 1));
}

inline void expect_same(const Audit& left, const Audit& right) {
  EXPECT_EQ(left.judge, right.judge);
  EXPECT_EQ(left.asked_the_model, right.asked_the_model);
  EXPECT_EQ(left.targets, right.targets);
  ASSERT_EQ(left.cases.size(), right.cases.size());
  for (std::size_t i = 0; i < left.cases.size(); ++i) {
    const AuditCase &a = left.cases[i], &b = right.cases[i];
    EXPECT_EQ(std::tuple(a.target, a.person, a.hit), std::tuple(b.target, b.person, b.hit));
    expect_same(std::vector{a.threshold, a.stated, a.came_true, a.distance}, std::vector{b.threshold, b.stated, b.came_true, b.distance});
  }
}

inline void expect_same(const Model& left, const Model& right) {
  EXPECT_EQ(left.rows.schema(), right.rows.schema());
  ASSERT_EQ(left.rows.features(), right.rows.features());
  for (std::size_t feature = 0; feature < left.rows.features(); ++feature)
    expect_same(left.rows.column(feature), right.rows.column(feature));
  EXPECT_EQ(left.outcome.name, right.outcome.name);
  EXPECT_EQ(left.outcome.classes, right.outcome.classes);
  expect_same(left.outcome.values, right.outcome.values);
  expect_same(left.weights, right.weights);
  expect_same(left.grid, right.grid);
  EXPECT_EQ(left.codes.rows, right.codes.rows);
  EXPECT_EQ(left.codes.features, right.codes.features);
  EXPECT_EQ(left.codes.codes, right.codes.codes);
  EXPECT_EQ(left.forest.features, right.forest.features);
  EXPECT_EQ(left.forest.outputs, right.forest.outputs);
  expect_same(left.forest.importance, right.forest.importance);
  expect_same(left.forest.split_counts, right.forest.split_counts);
  expect_same(left.forest.trees, right.forest.trees);
  expect_same(left.inliers.cuts(), right.inliers.cuts());
  expect_same(left.inliers.trees(), right.inliers.trees());
  EXPECT_EQ(left.inliers.sample(), right.inliers.sample());
  EXPECT_EQ(left.inliers.score_of_path(3), right.inliers.score_of_path(3));
  EXPECT_EQ(left.calibration.source, right.calibration.source);
  EXPECT_EQ(left.calibration.channels, right.calibration.channels);
  expect_same(left.calibration.said, right.calibration.said);
  expect_same(left.calibration.outcome, right.calibration.outcome);
  expect_same(left.calibration.weights, right.calibration.weights);
  expect_same(left.audit, right.audit);
  expect_same(left.settings, right.settings);
}

}  // namespace cfrules::testing_data
