"""What speaks the Arrow stream protocol is read by the core itself."""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrules import _core
from cfrules._arrow import read_stream
from cfrules._frame import read_frame, read_labels


def cells(column: Any) -> list[Any]:
    """A column's cells as Python's own values."""
    values = [None if value != value else value for value in column.values.tolist()]
    if column.holds in ("texts", "booleans"):
        return [None if value is None else column.originals[int(value)] for value in values]
    return values


NUMBERS = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]
NUMBERS += [pa.float16(), pa.float32(), pa.float64()]


@pytest.mark.parametrize("kind", NUMBERS, ids=str)
def test_numbers_of_every_width_come_in(kind: Any) -> None:
    whole = np.arange(5).astype(kind.to_pandas_dtype())
    table = pa.table({"a": pa.array(whole, type=kind), "b": pa.array([None, 1, 2, 3, 4], type=kind, from_pandas=True)})
    _, (plain, gaps) = read_stream(table)
    assert cells(plain) == [0, 1, 2, 3, 4]
    assert cells(gaps) == [None, 1, 2, 3, 4]
    assert plain.holds == ("numbers" if pa.types.is_floating(kind) else "integers")


def test_numbers_without_gaps_are_not_copied() -> None:
    numbers = np.arange(1000.0)
    for table in (pa.table({"a": numbers}), pl.DataFrame({"a": numbers})):
        column = read_frame(table).columns[0]
        again = read_frame(table).columns[0]
        assert np.shares_memory(column.values, again.values)
        assert not column.values.flags.writeable
        del table, again
        assert column.values[999] == 999


TEXTS = ["rent", None, "own", "a text longer than twelve letters", "", "rent", "größe"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_texts_of_every_layout_come_in(kind: Any) -> None:
    whole = pa.table({"a": pa.array(TEXTS, type=kind)})
    chunked = pa.concat_tables([whole.slice(0, 3), whole.slice(3, 1), whole.slice(4)])
    for table in (whole, chunked):
        assert cells(read_stream(table)[1][0]) == TEXTS


@pytest.mark.parametrize("keys", [pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.uint32(), pa.int64()], ids=str)
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_categories_are_dictionaries_of_any_keys(keys: Any, kind: Any) -> None:
    places = pa.array([1, 0, None, 1], type=keys)
    column = pa.DictionaryArray.from_arrays(places, pa.array(["b", "a"], type=kind))
    assert cells(read_stream(pa.table({"a": column}))[1][0]) == ["a", "b", None, "a"]


def test_pieces_of_a_table_may_have_dictionaries_of_their_own() -> None:
    words = (["a", "b"], ["c", "b", None], [])
    pieces = [pa.array(each, type=pa.string()).dictionary_encode() for each in words]
    assert cells(read_stream(pa.table({"a": pa.chunked_array(pieces)}))[1][0]) == ["a", "b", "c", "b", None]


def test_categories_of_numbers_keep_their_numbers() -> None:
    table = pa.table({"a": pa.array([3, 1, 3]).dictionary_encode(), "b": pa.array([True, False, True])})
    numbers, truth = read_stream(table)[1]
    assert (numbers.names, cells(numbers)) == (["3", "1"], [3, 1, 3])
    assert cells(truth) == [True, False, True]


def test_decimals_and_columns_of_nothing_come_in() -> None:
    money = [decimal.Decimal("1234.10"), None, decimal.Decimal("-0.01")]
    table = pa.table(
        {
            "a": pa.array(money, type=pa.decimal128(10, 2)),
            "b": pa.array(money, type=pa.decimal256(50, 2)),
            "c": pa.nulls(3),
        }
    )
    for column, expected in zip(read_stream(table)[1], ([1234.10, None, -0.01],) * 2 + ([None] * 3,), strict=True):
        assert cells(column) == expected


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pa.array([datetime.date(2020, 1, 1)]), "dates"),
        (pa.array([datetime.datetime(2020, 1, 1)]), "timestamps"),
        (pa.array([[1, 2]]), "lists"),
        (pa.array([b"x"]), "bytes"),
        (pa.array([{"x": 1}]), "records"),
    ],
    ids=str,
)
def test_what_no_rule_can_speak_of_is_refused(column: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^X: column 'a' holds {words}; allowed: numbers, booleans, texts"):
        read_frame(pa.table({"a": column}))


def test_polars_categories_enums_and_lazy_frames_come_in() -> None:
    frame = pl.DataFrame(
        {
            "category": pl.Series(["x", None, "y"], dtype=pl.Categorical),
            "enum": pl.Series(["x", "y", "x"], dtype=pl.Enum(["y", "x", "never"])),
            "text": ["x", "y", None],
            "flag": [True, None, False],
            "small": pl.Series([1, 2, None], dtype=pl.Int8),
        }
    )
    for table in (frame, frame.lazy(), pl.concat([frame[:1], frame[1:]], rechunk=False)):
        columns = {column.name: cells(column) for column in read_frame(table).columns}
        assert columns == frame.to_dict(as_series=False)


def test_outcomes_come_as_arrow_too() -> None:
    words = ["a", "b", None, "a"]
    for outcome in (pa.array(words), pa.chunked_array([words[:2], words[2:]]), pl.Series(words), pl.Series("y", words)):
        column = read_labels(outcome)
        assert cells(column) == words
    assert column.name == "y"


def test_relations_of_duckdb_are_explained(credit: Any, denied: Any, rules: Any) -> None:
    arrow = pa.Table.from_pandas(denied, preserve_index=False)
    relation = duckdb.sql("select * from arrow")
    found = rules.explain(relation, target="approved")
    assert found == rules.explain(denied, target="approved")
    assert isinstance(found.recourses(), pa.Table)
    reader = pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches(max_chunksize=5))
    assert rules.explain(reader, target="approved") == found


def test_pyarrow_is_not_needed_to_read_its_protocol() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import polars
from cfrules import CounterfactualRules, datasets
X, y = datasets.load_credit(300, as_frame=False)

class Stranger:
    def __init__(self, frame): self.frame = frame
    def __arrow_c_stream__(self, schema=None): return self.frame.__arrow_c_stream__(schema)

rules = CounterfactualRules(trees=30, isolation_trees=20).fit(Stranger(polars.DataFrame(X)), y)
same = CounterfactualRules(trees=30, isolation_trees=20).fit(X, y)
people = [person for person, decision in zip(X, y) if decision == "rejected"][:5]
found = rules.explain(Stranger(polars.DataFrame(people)), target="approved")
asked = same.explain(people, target="approved")
print(found.to_json() == asked.to_json(), found.recourses() == asked.recourses())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_a_stream_that_fails_says_why() -> None:
    def batches() -> Any:
        yield pa.record_batch({"a": [1.0]})
        raise RuntimeError("the disk is gone")

    class Broken:
        def __arrow_c_stream__(self, schema: Any = None) -> Any:
            return pa.RecordBatchReader.from_batches(pa.schema({"a": pa.float64()}), batches()).__arrow_c_stream__()

    with pytest.raises(OSError, match="the disk is gone"):
        read_stream(Broken())
    with pytest.raises(ValueError, match="incorrect name"):
        _core.read_arrow(pa.array([1]).__arrow_c_array__()[1])


rows = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(-(2**40), 2**40)),
        st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
        st.one_of(st.none(), st.booleans()),
        st.one_of(st.none(), st.text(max_size=20)),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(rows, st.integers(1, 10), st.integers(0, 5))
def test_any_table_in_any_pieces_comes_in_as_it_is(data: list[Any], size: int, skip: int) -> None:
    kinds = [pa.int64(), pa.float64(), pa.bool_(), pa.string()]
    columns = [pa.array(list(cells_), type=kind) for cells_, kind in zip(zip(*data, strict=True), kinds, strict=True)]
    table = pa.table(dict(zip("abcd", columns, strict=True))).slice(skip)
    pieces = pa.Table.from_batches(table.to_batches(max_chunksize=size), schema=table.schema)
    for given_, column in zip(pieces.to_pydict().values(), read_stream(pieces)[1], strict=True):
        assert cells(column) == given_
