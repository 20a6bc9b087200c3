"""Results as tables of any library: one line per part, typed columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_PANDAS = {"whole": "Int64", "flag": "boolean"}


class Tabular:
    """What has lines: dictionaries with the keys of ``_columns``, which says what each column holds.

    whole, number, text, flag, or value: what may be a number or a name, a text in tables with typed columns.
    """

    __slots__ = ()
    _columns: ClassVar[dict[str, str]] = {}

    def _lines(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """A frame, the columns of ``--format csv`` where the command line has them."""
        import pandas

        frame = pandas.DataFrame(self._lines(), columns=list(self._columns))
        return frame.astype({name: _PANDAS[kind] for name, kind in self._columns.items() if kind in _PANDAS})

    def to_polars(self) -> polars.DataFrame:
        """As ``to_pandas``; present values, which may be numbers or names, are texts."""
        import polars

        kinds: dict[str, Any] = {"whole": polars.Int64, "number": polars.Float64, "flag": polars.Boolean}
        schema = {name: kinds.get(kind, polars.String) for name, kind in self._columns.items()}
        return polars.DataFrame(self._typed_lines(), schema=schema)

    def to_arrow(self) -> pyarrow.Table:
        """As ``to_polars``."""
        import pyarrow

        kinds = {"whole": pyarrow.int64(), "number": pyarrow.float64(), "flag": pyarrow.bool_()}
        schema = [(name, kinds.get(kind, pyarrow.string())) for name, kind in self._columns.items()]
        return pyarrow.Table.from_pylist(self._typed_lines(), schema=pyarrow.schema(schema))

    def _typed_lines(self) -> list[dict[str, Any]]:
        change = {"value": str, "number": float}
        return [
            {
                name: change[kind](line[name]) if kind in change and line.get(name) is not None else line.get(name)
                for name, kind in self._columns.items()
            }
            for line in self._lines()
        ]
