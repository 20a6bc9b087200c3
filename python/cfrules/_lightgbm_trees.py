"""Trees of LightGBM, read from its own dump."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ._tree_arrays import CategorySplit, ForestArrays, TreeArrays, refuse

_NUMBERS = ("regression", "regression_l1", "huber", "fair", "quantile", "mape")
_CLASSES = ("binary", "multiclass", "multiclassova")


def read_lightgbm(model: Any) -> ForestArrays:
    booster = model if type(model).__name__ == "Booster" else model.booster_
    dump = booster.dump_model(num_iteration=booster.best_iteration if booster.best_iteration > 0 else None)
    objective = (dump.get("objective") or "").split(" ")[0]
    if objective not in (*_NUMBERS, *_CLASSES):
        allowed = ", ".join((*_NUMBERS, *_CLASSES))
        raise ValueError(f"the LightGBM model has the objective '{objective}'; allowed: {allowed}")
    groups = dump["num_tree_per_iteration"]
    # Random forests average what boosting adds up.
    share = groups / len(dump["tree_info"]) if dump.get("average_output") else 1.0
    trees = [_tree(tree, at % groups, groups, share) for at, tree in enumerate(dump["tree_info"])]
    classes = None if objective in _NUMBERS else _classes(model, max(2, dump["num_class"]))
    forest = ForestArrays(trees, "sum", [], classes, dump["feature_names"])
    split = {int(tree.feature[node]) for tree in trees for node in tree.categories}
    forest.categories = dict.fromkeys(sorted(split))
    forest.category_columns = dump.get("pandas_categorical") or []
    return forest


def _classes(model: Any, count: int) -> list[Any]:
    known = getattr(model, "classes_", None)
    return list(range(count)) if known is None else np.asarray(known).tolist()


def _nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if "split_index" in node:
            pending += [node["right_child"], node["left_child"]]


def _tree(tree: dict[str, Any], group: int, groups: int, share: float) -> TreeArrays:
    nodes = list(_nodes(tree["tree_structure"]))
    place = {id(node): at for at, node in enumerate(nodes)}
    count = len(nodes)
    made = TreeArrays(
        feature=np.full(count, -1),
        threshold=np.zeros(count),
        left=np.full(count, -1),
        right=np.full(count, -1),
        value=np.zeros((count, groups)),
        missing_left=np.ones(count, dtype=bool),
    )
    for at, node in enumerate(nodes):
        if "split_index" not in node:
            if "leaf_coeff" in node or "leaf_features" in node:
                raise refuse("LightGBM", "has linear leaves")
            made.value[at, group] = share * node["leaf_value"]
            continue
        if node["missing_type"] == "Zero":
            raise refuse("LightGBM", "takes zeros for missing values (zero_as_missing)")
        made.feature[at] = node["split_feature"]
        made.left[at], made.right[at] = place[id(node["left_child"])], place[id(node["right_child"])]
        assert made.missing_left is not None
        if node["decision_type"] == "==":
            made.categories[at] = CategorySplit(frozenset(map(int, node["threshold"].split("||"))), go_left=True)
            made.missing_left[at] = False
            continue
        made.threshold[at] = node["threshold"]
        # Without missing values at training time, one that comes later counts as zero.
        made.missing_left[at] = node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0
    return made
