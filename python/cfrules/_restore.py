"""Rows back in the kind of table they came in."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._frame import Frame, library_of

Feature = tuple[str, str, list[str]]
"""name, kind, categories: as the model describes a feature."""


def cells_of(feature: Feature, values: np.ndarray, originals: Mapping[str, Any]) -> list[Any]:
    """Numbers of the core as people's values; missing is None."""
    _, kind, categories = feature
    words: Sequence[str] = categories or ["False", "True"]
    known = ~np.isnan(values)
    if kind in ("category", "boolean"):
        return [_original(words[int(v)], originals) if ok else None for v, ok in zip(values, known, strict=True)]
    plain = int if kind == "integer" else float
    return [plain(v) if ok else None for v, ok in zip(values, known, strict=True)]


def originals_of(frame: Frame) -> dict[str, dict[str, Any]]:
    """Per column: what its names stand for."""
    found: dict[str, dict[str, Any]] = {}
    for column in frame.columns:
        names = column.names if column.holds == "texts" else ["False", "True"]
        found[column.name] = dict(zip(names, column.originals, strict=False))
    return found


def _original(word: str, originals: Mapping[str, Any]) -> Any:
    if word in originals:
        return originals[word]
    # A column of booleans whose model knows other words for them, or the other way round.
    truth = {"false": False, "no": False, "0": False, "true": True, "yes": True, "1": True}.get(word.lower())
    if set(originals.values()) == {False, True} and truth is not None:
        return truth
    return word


def table_like(frame: Frame, columns: Mapping[str, list[Any]]) -> Any:
    """A table of the frame's kind and types with these cells, and no other columns."""
    source = frame.source
    library = library_of(source)
    if library == "pandas":
        return _pandas_like(source, columns)
    if library == "polars":
        polars = sys.modules["polars"]
        return polars.DataFrame([_polars_like(source[name], cells) for name, cells in columns.items()])
    if library == "pyarrow":
        import pyarrow

        arrays = {name: pyarrow.array(cells, type=source.schema.field(name).type) for name, cells in columns.items()}
        return pyarrow.table(arrays)
    if isinstance(source, np.ndarray):
        return _matrix_like(source, columns)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def with_changes(frame: Frame, rows: Sequence[int], changes: Mapping[str, Mapping[int, Any]]) -> Any:
    """The frame's rows, in this order, with some cells changed: changes[column][place in rows] = value."""
    source = frame.source
    library = library_of(source)
    if library == "pandas":
        return _change_pandas(source, rows, changes)
    if library == "polars":
        kept = source[list(rows)]
        changed = [_polars_like(source[name], _changed(kept[name].to_list(), cells)) for name, cells in changes.items()]
        return kept.with_columns(changed)
    if library == "pyarrow":
        return _change_arrow(source, rows, changes)
    if isinstance(source, np.ndarray):
        kept = source[list(rows)].astype(source.dtype if source.dtype.kind in "fO" else np.float64)
        for name, cells in changes.items():
            for place, value in cells.items():
                kept[place, frame.names.index(name)] = value
        return kept
    records = _records(frame, rows) if source is None else [dict(source[row]) for row in rows]
    for name, cells in changes.items():
        for place, value in cells.items():
            records[place][name] = value
    return records


def _records(frame: Frame, rows: Sequence[int]) -> list[dict[str, Any]]:
    plain: dict[str, Any] = {"integers": int, "numbers": float}
    columns: dict[str, list[Any]] = {}
    for column in frame.columns:
        word = plain.get(column.holds, lambda value, known=column.originals: known[int(value)])
        values = column.values[list(rows)].tolist()
        columns[column.name] = [None if value != value else word(value) for value in values]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _changed(cells: list[Any], changes: Mapping[int, Any]) -> list[Any]:
    return [changes.get(place, cell) for place, cell in enumerate(cells)]


def _pandas_like(source: Any, columns: Mapping[str, list[Any]]) -> Any:
    pandas = sys.modules["pandas"]
    by_name = {str(name): name for name in source.columns}
    made = {by_name[name]: _pandas_series(cells, source[by_name[name]].dtype) for name, cells in columns.items()}
    return pandas.DataFrame(made)


def _pandas_series(cells: list[Any], dtype: Any, index: Any = None) -> Any:
    pandas = sys.modules["pandas"]
    if isinstance(dtype, pandas.CategoricalDtype):
        known = set(dtype.categories)
        further = [cell for cell in dict.fromkeys(cells) if cell is not None and cell not in known]
        if further and not dtype.ordered:
            dtype = pandas.CategoricalDtype([*dtype.categories, *further])
    plain = pandas.Series(cells, index=index, dtype=object)
    try:
        return plain.astype(dtype)
    except (TypeError, ValueError):  # a missing value or a fraction where the type has no room for it
        return plain.infer_objects()


def _change_pandas(source: Any, rows: Sequence[int], changes: Mapping[str, Mapping[int, Any]]) -> Any:
    kept = source.iloc[list(rows)].copy()
    for at, name in enumerate(source.columns):
        cells = changes.get(str(name))
        if cells:
            changed = _changed(kept.iloc[:, at].tolist(), cells)
            kept[name] = _pandas_series(changed, source.iloc[:, at].dtype, kept.index)
    return kept


def _polars_like(series: Any, cells: list[Any]) -> Any:
    return sys.modules["polars"].Series(series.name, cells, dtype=series.dtype, strict=False)


def _change_arrow(source: Any, rows: Sequence[int], changes: Mapping[str, Mapping[int, Any]]) -> Any:
    import pyarrow

    kept = source.take(pyarrow.array(list(rows), type=pyarrow.int64()))
    for name, cells in changes.items():
        at = kept.schema.get_field_index(name)
        kind = kept.schema.field(at).type
        array = pyarrow.array(_changed(kept.column(at).to_pylist(), cells))
        kept = kept.set_column(at, kept.schema.field(at), array.cast(kind) if array.type != kind else array)
    return kept


def _matrix_like(source: np.ndarray, columns: Mapping[str, list[Any]]) -> np.ndarray:
    if source.dtype.kind == "O":
        return np.array([list(row) for row in zip(*columns.values(), strict=True)], dtype=object)
    cells = [[np.nan if cell is None else float(cell) for cell in column] for column in columns.values()]
    dtype = source.dtype if source.dtype.kind == "f" else np.float64
    return np.array(cells, dtype=dtype).T.reshape(-1, len(columns))
