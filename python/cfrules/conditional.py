"""Probability, weights and cells of a region from given tree arrays, for those who study the estimators."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._frame import read_frame, read_labels
from ._learning import training_data
from ._options import target_for_core, to_json


class ConditionalForest:
    """A forest given as node arrays over the rows of a table.

    Each tree is a dictionary with ``feature, threshold, left, right`` (node 0 the root, left = right = -1 at a leaf,
    left when x <= threshold) and optionally ``missing_left`` and ``value``.

    >>> tree = {"feature": [0, -1, -1], "threshold": [1.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]}
    >>> forest = ConditionalForest([tree], [[1.0], [2.0], [3.0], [1.0]], ["no", "yes", "no", "no"])
    >>> forest.probability([[2.0]], {"x0": (2, 3)}, target="yes", min_rows=1)["probability"]
    0.5
    """

    def __init__(self, trees: Sequence[Mapping[str, Any]], X: Any, y: Any, *, isolation_trees: int = 1) -> None:
        data = training_data(
            read_frame(X), read_labels(y), outcome_kind=None, sample_weight=None, schema=None, missing=()
        )
        settings = {"isolation_trees": isolation_trees, "seed": 0}
        document = to_json({"trees": list(trees)})
        self.model_, _ = _core.Model.import_forest(document, data, settings, 1, None)

    def probability(
        self,
        row: Any,
        region: Mapping[str, Any],
        *,
        target: Any,
        estimator: str = "paper",
        min_rows: int = 5,
        weights: bool = True,
    ) -> dict[str, Any]:
        """Features that the region does not name keep the row's values; "free" lets one go."""
        frame = read_frame(row, [name for name, _, _ in self.model_.schema])
        wanted = target_for_core(target, not self.model_.classes)
        found = self.model_.probability(frame.for_core(), {}, to_json(region), wanted, estimator, min_rows, weights)
        answer = json.loads(found)
        for key in ("weights", "cells"):
            if answer[key] is not None:
                answer[key] = np.array(answer[key])
        return answer
