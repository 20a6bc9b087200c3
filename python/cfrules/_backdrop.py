"""What the training rows look like, feature by feature: the background that rules are drawn on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_BINS = 24


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of ranges between edges, or of names."""

    counts: np.ndarray
    edges: np.ndarray | None
    names: list[str] | None


class Backdrop:
    """Histograms of a model's rows, made when first asked for."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._places = {name: i for i, (name, _, _) in enumerate(model.schema)}
        self._known: dict[str, Histogram] = {}

    def histogram(self, feature: str) -> Histogram:
        if feature not in self._known:
            self._known[feature] = self._count(self._places[feature])
        return self._known[feature]

    def _count(self, place: int) -> Histogram:
        _, kind, categories = self._model.schema[place]
        values = self._model.column(place)
        values = values[~np.isnan(values)]
        if kind in ("category", "boolean"):
            names = list(categories) or ["False", "True"]
            return Histogram(np.bincount(values.astype(int), minlength=len(names)), None, names)
        return Histogram(*(_of_integers(values) if kind == "integer" else _of_numbers(values)), None)


def _ends(values: np.ndarray) -> tuple[float, float]:
    """A few far-out rows must not squeeze the rest into one bar: the ends are the 1 and 98 % points."""
    low, high = np.quantile(values, [0.01, 0.98]) if len(values) else (0.0, 1.0)
    return float(low), float(high)


def _of_numbers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = _ends(values)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.histogram(values, bins=_BINS, range=(low, high))


def _of_integers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bars around whole numbers, from half below to half above."""
    low, high = (round(end) for end in _ends(values))
    width = max(1, -(-(high - low + 1) // _BINS))
    return np.histogram(values, bins=np.arange(low - 0.5, high + 0.5 + width, width))
