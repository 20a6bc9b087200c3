"""Tables of every kind people have, read into columns: pandas, polars, pyarrow, NumPy, dictionaries."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _column
from ._arrow import read_stream
from ._column import Column


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """columns in the order of the table; source is the table itself, or one like it, for giving rows back in kind.

    None: the rows are given back as dictionaries.
    """

    columns: list[Column]
    rows: int
    named: bool
    source: Any

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def for_core(self) -> list[tuple[str, str, np.ndarray, list[str]]]:
        return [column.for_core() for column in self.columns]


def library_of(value: Any) -> str:
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root in ("pandas", "polars", "pyarrow"):
            return root
    return ""


def read_frame(X: Any, positions: list[str] | None = None) -> Frame:
    """positions: names for the columns of a table that has none; their number is checked."""
    frame = _read(_as_table(X), positions)
    seen: set[str] = set()
    for at, name in enumerate(frame.names):
        if not name:
            raise ValueError(f"X: column {at + 1} has no name")
        if name in seen:
            raise ValueError(f"X: two columns are called '{name}'; names must be unique")
        seen.add(name)
    if frame.rows == 0:
        raise ValueError("X: the table has no rows")
    return frame


def _read(X: Any, positions: list[str] | None) -> Frame:
    library = library_of(X)
    if library == "pandas":
        columns = [_from_pandas(str(name), X.iloc[:, i]) for i, name in enumerate(X.columns)]
        return Frame(columns, len(X), all(isinstance(name, str) for name in X.columns), X)
    if hasattr(X, "__arrow_c_stream__"):
        rows, columns = read_stream(X)
        return Frame(columns, rows, True, X if library else None)
    if isinstance(X, list):
        return _from_records(X)
    return _from_matrix(X, positions)


def read_labels(y: Any, name: str = "outcome") -> Column:
    """An outcome: a named series keeps its name."""
    library = library_of(y)
    if library == "pandas":
        if getattr(y, "ndim", 1) == 2:
            y = _only_column(y.shape[1], lambda: y.iloc[:, 0])
        return _from_pandas(name if y.name is None else str(y.name), y)
    if library == "pyarrow" and not hasattr(y, "__arrow_c_stream__"):
        y = sys.modules["pyarrow"].chunked_array([y])
    if hasattr(y, "__arrow_c_stream__"):
        columns = read_stream(y)[1]
        column = _only_column(len(columns), lambda: columns[0])
        return Column(column.name or name, column.holds, column.values, column.names, column.originals)
    array = np.asarray(y, dtype=None if not isinstance(y, (list, tuple)) else _type_for(y))
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"y has {array.ndim} dimensions of shape {array.shape}; allowed: one value per row")
    return _column.from_array(name, array)


def _type_for(values: Any) -> Any:
    # NumPy would turn a list of numbers and None, or of texts and None, into texts.
    return object if any(value is None or isinstance(value, str) for value in values) else None


def _only_column(count: int, take: Any) -> Any:
    if count != 1:
        raise ValueError(f"y has {count} columns; allowed: one")
    return take()


def _as_table(X: Any) -> Any:
    """Single people become tables of one row; what speaks Arrow becomes a pyarrow table if that is there."""
    library = library_of(X)
    if library == "pandas" and getattr(X, "ndim", 2) == 1:
        return [{str(name): value for name, value in X.items()}]
    if library == "polars" and type(X).__name__ == "LazyFrame":
        return X.collect()
    if library == "pyarrow" and not hasattr(X, "column_names"):
        if not hasattr(X, "schema") or not hasattr(X, "__arrow_c_stream__"):
            raise ValueError(f"X is a {type(X).__name__}; allowed: a table, for instance a pyarrow.Table")
        return _kept(X)
    if library or isinstance(X, np.ndarray):
        return X
    if isinstance(X, Mapping):
        return _from_mapping(X)
    return _kept(X) if hasattr(X, "__arrow_c_stream__") else X


def _from_mapping(X: Mapping[str, Any]) -> Any:
    sized = [isinstance(value, (list, tuple, np.ndarray)) or library_of(value) != "" for value in X.values()]
    if not all(sized):
        return [dict(X)]
    lengths = {len(value) for value in X.values()}
    if len(lengths) > 1:
        raise ValueError(f"X: the columns have {sorted(lengths)} rows; they must be equal")
    return [dict(zip(X, row, strict=True)) for row in zip(*X.values(), strict=True)]


def _kept(X: Any) -> Any:
    """A stream can be read once: with pyarrow there, its rows are kept, to be given back with changes."""
    try:
        import pyarrow
    except ImportError:
        return X
    return pyarrow.table(X)


def _from_records(records: list[Any]) -> Frame:
    if not records or not all(isinstance(record, Mapping) for record in records):
        return _from_matrix(records, None)
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = [_column.from_objects(str(name), [record.get(name) for record in records]) for name in names]
    return Frame(columns, len(records), True, records)


def _from_matrix(X: Any, positions: list[str] | None) -> Frame:
    array = X if isinstance(X, np.ndarray) else _matrix_of(X)
    if array.ndim != 2:
        raise ValueError(f"X has {array.ndim} dimensions of shape {array.shape}; allowed: rows and columns")
    names = [f"x{i}" for i in range(array.shape[1])] if positions is None else positions
    if len(names) != array.shape[1]:
        raise ValueError(f"X has {array.shape[1]} columns where the model has {len(names)} features")
    columns = [_column.from_array(name, array[:, i]) for i, name in enumerate(names)]
    return Frame(columns, array.shape[0], False, array)


def _matrix_of(X: Any) -> np.ndarray:
    try:
        array = np.asarray(X)
    except ValueError:
        raise ValueError("X: the rows have different numbers of columns") from None
    if array.dtype.kind in "US":
        array = np.asarray(X, dtype=object)
    return array


def _from_pandas(name: str, series: Any) -> Column:
    pandas = sys.modules["pandas"]
    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _column.texts(name, series.cat.codes.to_numpy(dtype=np.float64), series.cat.categories.tolist())
    if isinstance(dtype, np.dtype):
        array = series.to_numpy()
        return _texts_of_pandas(name, series) if _only_texts(pandas, array) else _column.from_array(name, array)
    kind = getattr(dtype, "kind", "O")
    if kind in "iufb":
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        holds = {"f": "numbers", "b": "booleans"}.get(kind, "integers")
        return Column(name, holds, values, originals=[False, True] if kind == "b" else [])
    if kind in "mM":
        raise ValueError(f"X: column '{name}' holds {dtype}; allowed: numbers, booleans, texts and categories")
    return _texts_of_pandas(name, series)


def _only_texts(pandas: Any, array: np.ndarray) -> bool:
    return array.dtype.kind == "O" and pandas.api.types.infer_dtype(array, skipna=True) == "string"


def _texts_of_pandas(name: str, series: Any) -> Column:
    places, originals = sys.modules["pandas"].factorize(series)
    return _column.texts(name, places, originals.tolist())
