"""A made-up credit table whose outcome law is known: the data of the demo and of the examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


def load_credit(rows: int = 2000, seed: int = 0, *, as_frame: bool | None = None) -> tuple[Any, Any]:
    """People and the bank's decision about each: (X, y).

    X is a pandas frame if pandas is there (``as_frame=False``: a list of dictionaries), y a series or an array.

    >>> X, y = load_credit(4, as_frame=False)
    >>> len(X), sorted(X[0])[:3], y[:2].tolist()
    (4, ['age', 'debt', 'duration'], ['approved', 'approved'])
    """
    from ._restore import cells_of

    features, columns, name, classes, outcome = _core.credit(rows, seed)
    cells = {feature[0]: cells_of(feature, values, {}) for feature, values in zip(features, columns, strict=True)}
    decisions = np.array(classes)[outcome.astype(int)]
    if as_frame is not False:
        try:
            import pandas
        except ImportError:
            if as_frame:
                raise
        else:
            made = {f[0]: _series(f, cells[f[0]]) for f in features}
            return pandas.DataFrame(made), pandas.Series(decisions, name=name)
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)], decisions


def _series(feature: Any, cells: list[Any]) -> Any:
    import pandas

    name, kind, categories = feature
    if kind == "category":
        return pandas.Series(pandas.Categorical(cells, categories=categories), name=name)
    if kind == "integer" and any(cell is None for cell in cells):
        return pandas.Series(cells, name=name, dtype="Int64")
    return pandas.Series(cells, name=name)


def credit_law(rows: int = 2000, seed: int = 0) -> np.ndarray:
    """The true chance of approval of each row of ``load_credit(rows, seed)``."""
    return _core.credit_law(rows, seed)


def describe_credit_law() -> str:
    """The law in plain words."""
    return _core.credit_law_description()
