"""Trees of XGBoost, read from its own JSON."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np

from ._tree_arrays import CategorySplit, ForestArrays, TreeArrays, cuts_of_float32, refuse

_NUMBERS = ("reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror")
_TWO_CLASSES = ("binary:logistic", "binary:logitraw", "binary:hinge")
_CLASSES = ("multi:softmax", "multi:softprob")


def read_xgboost(model: Any) -> ForestArrays:
    marker = getattr(model, "missing", None)
    if marker is not None and not np.isnan(marker):
        raise ValueError(f"the XGBoost model takes {marker} for missing; allowed: NaN, with the marker made NaN in X")
    booster = model if type(model).__name__ == "Booster" else model.get_booster()
    booster = _until_best(booster)
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    objective = learner["objective"]["name"]
    if objective not in (*_NUMBERS, *_TWO_CLASSES, *_CLASSES):
        allowed = ", ".join((*_NUMBERS, *_TWO_CLASSES, *_CLASSES))
        raise ValueError(f"the XGBoost model has the objective '{objective}'; allowed: {allowed}")
    if learner["gradient_booster"]["name"] != "gbtree":
        raise refuse("XGBoost", f"is a {learner['gradient_booster']['name']}")
    groups = max(1, int(learner["learner_model_param"]["num_class"]))
    inside = learner["gradient_booster"]["model"]
    classes = None if objective in _NUMBERS else _classes(model, max(2, groups))
    trees = [_tree(tree, group, groups) for tree, group in zip(inside["trees"], inside["tree_info"], strict=True)]
    names = learner.get("feature_names") or None
    forest = ForestArrays(trees, "sum", _base(learner, objective, groups), classes, names)
    known = inside.get("cats", {}).get("enc", [])
    for feature, kind in enumerate(learner.get("feature_types") or []):
        if kind == "c":
            forest.categories[feature] = _category_names(known[feature]) if known else None
    return forest


def _category_names(encoding: Any) -> list[Any]:
    """Numbers as they are; texts lie one after the other, as bytes."""
    if "offsets" not in encoding:
        return list(encoding["values"])
    letters = bytes(value % 256 for value in encoding["values"])
    ends = encoding["offsets"]
    return [letters[begin:end].decode() for begin, end in itertools.pairwise(ends)]


def _until_best(booster: Any) -> Any:
    best = booster.attr("best_iteration")
    return booster if best is None else booster[: int(best) + 1]


def _classes(model: Any, count: int) -> list[Any]:
    known = getattr(model, "classes_", None)
    return list(range(count)) if known is None else np.asarray(known).tolist()


def _base(learner: Any, objective: str, groups: int) -> list[float]:
    """base_score is kept on the scale of the outcome; trees add up on the scale of the score."""
    text = str(learner["learner_model_param"]["base_score"])
    scores = [float(part) for part in text.strip("[]").split(",")]
    if objective == "binary:logistic":
        scores = [math.log(score / (1 - score)) for score in scores]
    if objective == "binary:hinge":
        scores = [0.0]
    return scores * groups if len(scores) == 1 else scores


def _tree(tree: Any, group: int, groups: int) -> TreeArrays:
    if int(tree["tree_param"].get("size_leaf_vector", "1")) > 1:
        raise refuse("XGBoost", "has leaves with several outputs")
    left = np.asarray(tree["left_children"], dtype=np.int64)
    conditions = np.asarray(tree["split_conditions"], dtype=np.float64)
    leaf = left < 0
    value = np.zeros((len(left), groups))
    value[leaf, group] = conditions[leaf]
    default_left = np.asarray(tree["default_left"], dtype=bool)
    below = np.nextafter(conditions.astype(np.float32), np.float32(-np.inf))  # it goes left when float32(x) < t
    return TreeArrays(
        feature=np.asarray(tree["split_indices"], dtype=np.int64),
        threshold=cuts_of_float32(below),
        left=left,
        right=np.asarray(tree["right_children"], dtype=np.int64),
        value=value,
        missing_left=default_left,
        categories=_category_splits(tree),
    )


def _category_splits(tree: Any) -> dict[int, CategorySplit]:
    """The listed categories go right."""
    parts = zip(tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"], strict=True)
    return {
        int(node): CategorySplit(frozenset(tree["categories"][begin : begin + size]), go_left=False)
        for node, begin, size in parts
    }
