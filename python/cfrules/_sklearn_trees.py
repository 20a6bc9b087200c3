"""Trees of scikit-learn's forests."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._tree_arrays import ForestArrays, TreeArrays, cuts_of_float32, refuse

CLASSIFIERS = ("RandomForestClassifier", "ExtraTreesClassifier")
REGRESSORS = ("RandomForestRegressor", "ExtraTreesRegressor")


def read_sklearn(forest: Any) -> ForestArrays:
    if not hasattr(forest, "estimators_"):
        raise ValueError(f"the {type(forest).__name__} is not fitted yet")
    if forest.n_outputs_ != 1:
        raise refuse("scikit-learn", f"predicts {forest.n_outputs_} outputs at once")
    trees = [_tree(estimator.tree_) for estimator in forest.estimators_]
    classes = forest.classes_.tolist() if hasattr(forest, "classes_") else None
    names = getattr(forest, "feature_names_in_", None)
    return ForestArrays(trees, classes=classes, features=None if names is None else names.tolist())


def _tree(tree: Any) -> TreeArrays:
    missing = getattr(tree, "missing_go_to_left", None)
    return TreeArrays(
        feature=tree.feature.copy(),
        threshold=cuts_of_float32(tree.threshold),  # it compares float32(x) with a double
        left=tree.children_left.copy(),
        right=tree.children_right.copy(),
        value=tree.value[:, 0, :].copy(),
        missing_left=None if missing is None else np.asarray(missing).astype(bool),
    )
