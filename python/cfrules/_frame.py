"""Tables of every kind people have, read into columns: pandas, polars, pyarrow, NumPy, dictionaries."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _column
from ._column import Column


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """columns in the order of the table; source is the table itself, or one like it, for giving rows back in kind."""

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
    X = _as_table(X)
    library = library_of(X)
    if library == "pandas":
        columns = [_from_pandas(str(name), X.iloc[:, i]) for i, name in enumerate(X.columns)]
        return Frame(columns, len(X), all(isinstance(name, str) for name in X.columns), X)
    if library == "polars":
        return Frame([_from_polars(series) for series in X.iter_columns()], X.height, True, X)
    if library == "pyarrow":
        columns = [_from_arrow(name, X.column(i)) for i, name in enumerate(X.column_names)]
        return Frame(columns, X.num_rows, True, X)
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
    if library == "polars":
        return _from_polars(y.rename(y.name or name))
    if library == "pyarrow":
        return _from_arrow(name, y)
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
    """Single people become tables of one row; anything that speaks Arrow becomes a pyarrow table."""
    library = library_of(X)
    if library == "pandas" and getattr(X, "ndim", 2) == 1:
        return [{str(name): value for name, value in X.items()}]
    if library == "polars" and type(X).__name__ == "LazyFrame":
        return X.collect()
    if library == "pyarrow" and not hasattr(X, "column_names"):
        raise ValueError(f"X is a {type(X).__name__}; allowed: a table, for instance a pyarrow.Table")
    if library or isinstance(X, np.ndarray):
        return X
    if isinstance(X, Mapping):
        return _from_mapping(X)
    if hasattr(X, "__arrow_c_stream__"):
        return _through_arrow(X)
    return X


def _from_mapping(X: Mapping[str, Any]) -> Any:
    sized = [isinstance(value, (list, tuple, np.ndarray)) or library_of(value) != "" for value in X.values()]
    if not all(sized):
        return [dict(X)]
    lengths = {len(value) for value in X.values()}
    if len(lengths) > 1:
        raise ValueError(f"X: the columns have {sorted(lengths)} rows; they must be equal")
    return [dict(zip(X, row, strict=True)) for row in zip(*X.values(), strict=True)]


def _through_arrow(X: Any) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ValueError(f"X is a {type(X).__name__}, which is read through pyarrow; install pyarrow") from None
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


def _from_polars(series: Any) -> Column:
    polars = sys.modules["polars"]
    dtype = series.dtype
    if dtype.is_float() or dtype.is_decimal():
        return Column(series.name, "numbers", series.cast(polars.Float64).to_numpy())
    if dtype.is_integer():
        numbers = series.cast(polars.Float64) if series.null_count() else series
        return Column(series.name, "integers", numbers.to_numpy())
    if dtype == polars.Boolean:
        return Column(series.name, "booleans", series.cast(polars.Float64).to_numpy(), originals=[False, True])
    if dtype == polars.Null:
        return Column(series.name, "numbers", np.full(len(series), np.nan))
    if dtype in (polars.String, polars.Categorical, polars.Enum):
        words = series.cast(polars.String)
        names = words.drop_nulls().unique().sort().to_list()
        places = words.replace_strict(names, range(len(names)), default=None, return_dtype=polars.Float64)
        return _column.texts(series.name, places.to_numpy().copy(), names)
    raise ValueError(f"X: column '{series.name}' holds {dtype}; allowed: numbers, booleans, texts and categories")


def _from_arrow(name: str, column: Any) -> Column:
    import pyarrow
    from pyarrow import compute, types

    kind = column.type
    if types.is_boolean(kind):
        values = compute.cast(compute.cast(column, pyarrow.uint8()), pyarrow.float64())
        return Column(name, "booleans", np.asarray(values), originals=[False, True])
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind):
        holds = "integers" if types.is_integer(kind) else "numbers"
        plain = column.null_count == 0 and not types.is_decimal(kind) and not types.is_null(kind)
        return Column(name, holds, np.asarray(column if plain else compute.cast(column, pyarrow.float64())))
    if types.is_string_view(kind) or types.is_large_string(kind):
        column, kind = compute.cast(column, pyarrow.string()), pyarrow.string()
    if types.is_string(kind):
        column, kind = compute.dictionary_encode(column), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    if types.is_dictionary(kind):
        return _from_dictionary(name, column)
    raise ValueError(f"X: column '{name}' holds {kind}; allowed: numbers, booleans, texts and categories")


def _from_dictionary(name: str, column: Any) -> Column:
    import pyarrow
    from pyarrow import compute

    whole = column
    if isinstance(column, pyarrow.ChunkedArray):
        whole = column.unify_dictionaries().combine_chunks()
        if isinstance(whole, pyarrow.ChunkedArray):
            whole = pyarrow.concat_arrays(whole.chunks)
    places = compute.cast(whole.indices, pyarrow.float64()).to_numpy(zero_copy_only=False).copy()
    return _column.texts(name, places, whole.dictionary.to_pylist())
