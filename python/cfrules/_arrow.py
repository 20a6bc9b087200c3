"""Columns of anything that speaks the Arrow C stream protocol: pyarrow, polars, DuckDB and others."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._column import Column

_ORIGINALS: dict[str, Any] = {"texts": str, "integers": int, "numbers": float, "booleans": lambda name: name == "True"}


def read_stream(table: Any) -> tuple[int, list[Column]]:
    """Rows and columns. Numbers in one piece without gaps are not copied; pyarrow is not needed."""
    rows, columns = _core.read_arrow(table.__arrow_c_stream__())
    return rows, [_column(*parts) for parts in columns]


def _column(name: str, holds: str, values: np.ndarray, names: list[str], names_hold: str) -> Column:
    if holds == "booleans":
        return Column(name, holds, values, originals=[False, True])
    return Column(name, holds, values, names, [_ORIGINALS[names_hold](each) for each in names])
