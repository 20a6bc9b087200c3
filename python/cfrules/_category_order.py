"""Splits of categories as thresholds: one order per feature in which every split cuts once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._column import Column, name_of
from ._frame import Frame
from ._tree_arrays import ForestArrays, TreeArrays

Codes = frozenset[int]
_MOST_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Parting:
    """A split of a tree: the categories that reach it, by the side they go to."""

    tree: TreeArrays
    node: int
    left: Codes
    right: Codes


def order_categories(forest: ForestArrays, frame: Frame) -> dict[str, Any] | None:
    """Turns the forest's splits of categories into thresholds; returns the schema to read those columns with."""
    schema: dict[str, Any] = {}
    for feature, values in forest.categories.items():
        column = frame.columns[feature]
        if forest.features is not None:
            column = frame.columns[frame.names.index(forest.features[feature])]
        names = _names_of_codes(column, frame, forest, values)
        if names is None:
            names = {code: name_of(code) for code in _codes_seen(column, forest, feature)}
        partings = [parting for tree in forest.trees for parting in _partings(tree, feature, frozenset(names))]
        order = common_order(list(names), {(parting.left, parting.right) for parting in partings})
        if order is None:
            raise ValueError(
                f"the trees split the categories of '{column.name}' in ways that no one order of them can express; "
                "let the model's predictions be explained instead: fit(X, model.predict(X), labels='predicted')"
            )
        places = {code: place for place, code in enumerate(order)}
        for parting in partings:
            left, right = ({places[code] for code in side} for side in (parting.left, parting.right))
            parting.tree.cut_categories(parting.node, left, right)
        forest.orders[column.name] = [names[code] for code in order]
        schema[column.name] = {"kind": "category", "categories": [names[code] for code in names]}
    return schema or None


def _names_of_codes(
    column: Column, frame: Frame, forest: ForestArrays, values: list[Any] | None
) -> dict[int, str] | None:
    """None: the codes are the values themselves."""
    if column.holds != "texts":
        return None
    if values is None and forest.category_columns:
        columns = [each.name for each in frame.columns if each.holds == "texts"]
        if len(columns) != len(forest.category_columns):
            known = len(forest.category_columns)
            raise ValueError(f"X has {len(columns)} category columns where the model was fitted with {known}")
        values = forest.category_columns[columns.index(column.name)]
    return dict(enumerate(map(name_of, column.originals if values is None else values)))


def _codes_seen(column: Column, forest: ForestArrays, feature: int) -> list[int]:
    codes = {int(value) for value in np.unique(column.values[~np.isnan(column.values)])}
    for tree in forest.trees:
        codes.update(*(split.codes for node, split in tree.categories.items() if tree.feature[node] == feature))
    return sorted(codes)


def _partings(tree: TreeArrays, feature: int, everything: Codes) -> Iterator[Parting]:
    """What a split says of categories that never reach it does not count."""
    pending = [(0, everything)]
    while pending:
        node, reached = pending.pop()
        if tree.left[node] < 0:
            continue
        left = right = reached
        if tree.feature[node] == feature and node in tree.categories:
            left = tree.categories[node].left_of(reached)
            right = reached - left
            yield Parting(tree, node, left, right)
        pending += [(int(tree.left[node]), left), (int(tree.right[node]), right)]


def common_order(categories: Sequence[int], pairs: Iterable[tuple[Codes, Codes]]) -> list[int] | None:
    """An order in which all of one side of each pair come before all of the other, or None if there is none.

    >>> common_order([0, 1, 2, 3], [({1}, {0, 2, 3}), ({0, 2}, {1, 3})])
    [0, 2, 3, 1]
    >>> common_order([0, 1, 2], [({0}, {1, 2}), ({1}, {0, 2}), ({2}, {0, 1})]) is None
    True
    """
    sides = sorted({tuple(sorted((_mask(a), _mask(b)))) for a, b in pairs if a and b}, key=lambda s: -(s[0] | s[1]))
    after = _oriented(dict.fromkeys(categories, 0), sides, [_MOST_STEPS])
    if after is None:
        return None
    return sorted(categories, key=lambda code: -after[code].bit_count())


def _mask(codes: Iterable[int]) -> int:
    return sum(1 << code for code in codes)


def _oriented(after: dict[int, int], sides: list[Any], steps: list[int]) -> dict[int, int] | None:
    """after: per category those that come after it, as bits. What is forced comes first; the rest is tried."""
    undecided = list(sides)
    forced = True
    while forced:
        forced = False
        for pair in list(undecided):
            ways = [way for way in (pair, pair[::-1]) if not _contradicts(after, *way)]
            if not ways:
                return None
            if len(ways) == 1:
                after = _with(after, *ways[0])
                undecided.remove(pair)
                forced = True
    if not undecided:
        return after
    first, rest = undecided[0], undecided[1:]
    for way in (first, first[::-1]):
        steps[0] -= 1
        found = None if steps[0] < 0 else _oriented(_with(after, *way), rest, steps)
        if found is not None:
            return found
    return None


def _contradicts(after: dict[int, int], before: int, later: int) -> bool:
    return any(later >> code & 1 and follows & before for code, follows in after.items())


def _with(after: dict[int, int], before: int, later: int) -> dict[int, int]:
    reached = later
    for code, follows in after.items():
        if later >> code & 1:
            reached |= follows
    return {
        code: follows | reached if before >> code & 1 or follows & before else follows
        for code, follows in after.items()
    }
