"""Trees of other libraries as node arrays, and cuts that decide on doubles what those libraries decide on floats."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class CategorySplit:
    """The listed codes go to one side, all others to the other."""

    codes: frozenset[int]
    go_left: bool

    def left_of(self, known: Iterable[int]) -> frozenset[int]:
        return frozenset(code for code in known if (code in self.codes) == self.go_left)


@dataclass(slots=True)
class TreeArrays:
    """Node 0 is the root; a leaf has left = right = -1; left when x <= threshold. value: one row per node.

    categories: per node that splits categories, which of them; an order turns them into thresholds.
    """

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray
    missing_left: np.ndarray | None = None
    categories: dict[int, CategorySplit] = field(default_factory=dict)

    def cut_categories(self, node: int, left: set[int], right: set[int]) -> None:
        """Turns a split of categories into one between places of the order, with the sides swapped if need be."""
        del self.categories[node]
        if left and right and min(left) > max(right):
            left, right = right, left
            self.left[node], self.right[node] = self.right[node], self.left[node]
            if self.missing_left is not None:
                self.missing_left[node] = not self.missing_left[node]
        self.threshold[node] = max(left, default=-1) + 0.5

    def leaf_of(self, row: np.ndarray) -> int:
        """The leaf a row ends in: slow and obvious, for checks."""
        node = 0
        while self.left[node] >= 0:
            x = row[self.feature[node]]
            if np.isnan(x):
                goes_left = self.missing_left is None or bool(self.missing_left[node])
            else:
                goes_left = bool(x <= self.threshold[node])
            node = int(self.left[node] if goes_left else self.right[node])
        return node

    def for_json(self) -> dict[str, Any]:
        leaf = self.left < 0
        arrays: dict[str, Any] = {
            "feature": np.where(leaf, -1, self.feature).tolist(),
            "threshold": np.where(leaf, 0.0, self.threshold).tolist(),
            "left": np.where(leaf, -1, self.left).tolist(),
            "right": np.where(leaf, -1, self.right).tolist(),
            "value": self.value.tolist(),
        }
        if self.missing_left is not None:
            arrays["missing_left"] = self.missing_left.astype(bool).tolist()
        return arrays


@dataclass(slots=True)
class ForestArrays:
    """combine: "mean", or "sum" with a base. classes: what the outputs stand for, None for a number.

    categories: what the codes of a feature that is split by categories stand for; None: the codes are the values.
    category_columns: the same by place among the category columns of the table, for a library that counts those.
    orders: the names of such a feature in the order of its thresholds.
    """

    trees: list[TreeArrays]
    combine: str = "mean"
    base: list[float] = field(default_factory=list)
    classes: list[Any] | None = None
    features: list[str] | None = None
    categories: dict[int, list[Any] | None] = field(default_factory=dict)
    category_columns: list[list[Any]] = field(default_factory=list)
    orders: dict[str, list[str]] = field(default_factory=dict)

    @property
    def outcome_kind(self) -> str:
        return "number" if self.classes is None else "class"

    def to_json(self) -> str:
        about: dict[str, Any] = {"combine": self.combine}
        if self.features is not None:
            about["features"] = self.features
        if self.base:
            about["base"] = self.base
        if self.orders:
            about["categories"] = self.orders
        # Tree by tree: a large forest takes long to write, and Python looks for Ctrl-C in between only.
        trees = ",".join(json.dumps(tree.for_json(), allow_nan=False) for tree in self.trees)
        return json.dumps(about, allow_nan=False)[:-1] + f', "trees": [{trees}]}}'


def cuts_of_float32(thresholds: np.ndarray) -> np.ndarray:
    """Per threshold t the largest double x with float32(x) <= t: so x <= cut decides as the library does.

    That x lies halfway between the largest float32 not above t and the next; a tie rounds to the even neighbour.

    >>> threshold = np.float64(0.1)
    >>> cut = cuts_of_float32(np.array([threshold]))[0]
    >>> bool(np.float32(cut) <= threshold), bool(np.float32(np.nextafter(cut, 1)) <= threshold)
    (True, False)
    """
    exact = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore"):
        below = np.clip(exact, np.finfo(np.float32).min, np.finfo(np.float32).max).astype(np.float32)
    below = np.where(below.astype(np.float64) > exact, np.nextafter(below, np.float32(-np.inf)), below)
    with np.errstate(over="ignore"):
        above = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
    lower = below.astype(np.float64)
    step = np.where(np.isfinite(above), above - lower, lower - np.nextafter(below, np.float32(-np.inf)))
    middle = lower + step / 2
    even = below.view(np.int32) % 2 == 0
    return np.where(even, middle, np.nextafter(middle, -np.inf))


def refuse(library: str, what: str) -> ValueError:
    allowed = "trees that split numbers at thresholds and categories in one order"
    return ValueError(f"the {library} model {what}; allowed: {allowed}")
