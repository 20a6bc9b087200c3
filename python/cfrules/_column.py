"""One column of any table as the core takes it: numbers, or places in a list of names."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_MISSING_TYPES = ("NAType", "NaTType", "NoneType")
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """values holds NaN where missing; texts are places in names; originals are the values that the names stand for."""

    name: str
    holds: str
    values: np.ndarray
    names: list[str] = field(default_factory=list)
    originals: list[Any] = field(default_factory=list)

    def for_core(self) -> tuple[str, str, np.ndarray, list[str]]:
        return (self.name, self.holds, self.values, self.names)


def is_missing(value: Any) -> bool:
    if type(value).__name__ in _MISSING_TYPES:
        return True
    return isinstance(value, (float, np.floating)) and value != value


def name_of(value: Any) -> str:
    """The value as a category is called: 1.0 is "1", as in a file."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def texts(name: str, places: np.ndarray, originals: Iterable[Any]) -> Column:
    """places: -1 or NaN where missing."""
    kept = list(originals)
    values = np.asarray(places, dtype=np.float64)
    values[values < 0] = np.nan
    return Column(name, "texts", values, [name_of(value) for value in kept], kept)


def from_array(name: str, array: np.ndarray) -> Column:
    kind = array.dtype.kind
    if kind == "f":
        return Column(name, "numbers", array if array.dtype.itemsize in (4, 8) else array.astype(np.float64))
    if kind in "iu":
        return Column(name, "integers", array)
    if kind == "b":
        return Column(name, "booleans", array, originals=[False, True])
    if kind in "UT":
        return from_objects(name, array.tolist())
    if kind == "O":
        return from_objects(name, array)
    raise ValueError(f"X: column '{name}' holds {array.dtype}; allowed: numbers, booleans, texts and categories")


def from_objects(name: str, cells: Sequence[Any] | np.ndarray) -> Column:
    present = [cell for cell in cells if not is_missing(cell)]
    kinds = {_kind_of(cell) for cell in present}
    if not kinds or kinds <= {"integers", "numbers"}:
        values = np.array([np.nan if is_missing(cell) else float(cell) for cell in cells], dtype=np.float64)
        return Column(name, "integers" if kinds == {"integers"} else "numbers", values)
    if kinds == {"booleans"}:
        values = np.array([np.nan if is_missing(cell) else float(cell) for cell in cells], dtype=np.float64)
        return Column(name, "booleans", values, originals=[False, True])
    _refuse_strangers(name, cells, kinds)
    return _from_texts(name, cells)


def _kind_of(cell: Any) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return "booleans"
    if isinstance(cell, (numbers.Integral, np.integer)):
        return "integers"
    if isinstance(cell, (numbers.Real, np.floating)) or type(cell).__name__ == "Decimal":
        return "numbers"
    return "texts" if isinstance(cell, str) else "strangers"


def _refuse_strangers(name: str, cells: Sequence[Any] | np.ndarray, kinds: set[str]) -> None:
    if "strangers" in kinds:
        row, cell = next((i, c) for i, c in enumerate(cells) if not is_missing(c) and _kind_of(c) == "strangers")
        kind = type(cell).__name__
        raise ValueError(f"X, row {row}, column '{name}': a value of type {kind} is neither a number nor a text")
    present = [cell for cell in cells if not is_missing(cell)]
    numeric = sum(_kind_of(cell) in ("integers", "numbers") for cell in present)
    if numeric > _MOSTLY * len(present):
        row, cell = next((i, c) for i, c in enumerate(cells) if _kind_of(c) in ("texts", "booleans"))
        raise ValueError(
            f"X: column '{name}' is a number except in row {row} where it holds '{cell}'; "
            f"declare it a category in a schema, or add '{cell}' to the missing markers"
        )


def _from_texts(name: str, cells: Sequence[Any] | np.ndarray) -> Column:
    places: dict[Hashable, int] = {}
    originals: list[Any] = []
    values = np.empty(len(cells))
    for row, cell in enumerate(cells):
        if is_missing(cell):
            values[row] = -1
            continue
        text = name_of(cell)
        if text not in places:
            places[text] = len(originals)
            originals.append(cell)
        values[row] = places[text]
    return texts(name, values, originals)
