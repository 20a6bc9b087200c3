"""Explanations of people: one, and a list of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from . import _html, _plot
from ._backdrop import Backdrop
from ._frame import Frame
from ._restore import originals_of, with_changes
from .results import Document, FeatureSet, Rule

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes

_KEYS = ("row", "status", "target", "rule", "feature", "kind", "from", "low", "low_closed", "high", "high_closed")
_RULE_KEYS = ("values", "probability", "probability_low", "probability_high", "mass", "support", "cost")


class Explanation(Document):
    """What one person, or everybody in one region, can change: the sentence in a terminal, a card in a notebook.

    ``status`` is found, below_threshold, no_recourse or already_in_target; ``rules`` come best first.
    """

    __slots__ = ("_backdrop",)
    row: int
    status: str
    target: list[str]
    search: str
    estimator: str
    plausible: bool
    changed: list[str]
    cdp: float | None
    base_rate: float | None
    rules: list[Rule]
    sets: list[FeatureSet]
    note: str | None
    provenance: dict[str, Any]

    def __init__(self, text_of_json: str, text: str, backdrop: Backdrop | None = None) -> None:
        super().__init__(text_of_json, text)
        self._backdrop = backdrop

    def plot(self, rule: int = 0, axes: Axes | None = None) -> Axes:
        """Draw one rule as bars over the histograms of the training rows (needs matplotlib)."""
        return _plot.plot_rule(self, rule, self._backdrop, axes)

    def _repr_html_(self) -> str:
        return _html.card(self, self._backdrop)


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, so that more can be asked of the same people."""

    frame: Frame
    ask_again: Callable[[Sequence[int], dict[str, Any]], Explanations]


class Explanations(Sequence[Explanation]):
    """Explanations in the order of the people. Length, index, slice, iteration and equality as of a list."""

    def __init__(
        self,
        documents: Sequence[str],
        texts: Sequence[str],
        backdrop: Backdrop | None = None,
        question: Question | None = None,
        places: Sequence[int] | None = None,
    ) -> None:
        self._documents = list(documents)
        self._texts = list(texts)
        self._backdrop = backdrop
        self._question = question
        self._places = list(range(len(self._documents))) if places is None else list(places)

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, at: int) -> Explanation: ...
    @overload
    def __getitem__(self, at: slice) -> Explanations: ...
    def __getitem__(self, at: int | slice) -> Explanation | Explanations:
        if isinstance(at, slice):
            parts = self._documents[at], self._texts[at], self._backdrop, self._question, self._places[at]
            return Explanations(*parts)
        return Explanation(self._documents[at], self._texts[at], self._backdrop)

    def __iter__(self) -> Iterator[Explanation]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanations) and other._documents == self._documents

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Explanations, (self._documents, self._texts)

    def __repr__(self) -> str:
        shown = [f"{i}: {text.rstrip()}" for i, text in enumerate(self._texts[:3])]
        more = [f"... and {len(self) - 3} more"] if len(self) > 3 else []
        return "\n\n".join([*shown, *more]) or "no people"

    def _repr_html_(self) -> str:
        cards = "".join(item._repr_html_() for item in self[:5])
        return cards + (f"<p>and {len(self) - 5} more</p>" if len(self) > 5 else "")

    def to_json(self, indent: int | None = None) -> str:
        """A list of the objects that the command line writes one per line."""
        return "[" + ",\n".join(self._documents) + "]" if indent is None else json.dumps(self.to_dict(), indent=indent)

    def to_dict(self) -> list[dict[str, Any]]:
        return [json.loads(document) for document in self._documents]

    def to_pandas(self) -> pandas.DataFrame:
        """One line per condition of each rule, the columns of ``--format csv``; people without a rule have one line."""
        import pandas

        frame = pandas.DataFrame(self._lines(), columns=[*_KEYS, *_RULE_KEYS])
        return frame.astype({"rule": "Int64", "support": "Int64", "low_closed": "boolean", "high_closed": "boolean"})

    def to_polars(self) -> polars.DataFrame:
        """As ``to_pandas``."""
        import polars

        return polars.from_arrow(self.to_arrow())  # type: ignore[return-value]

    def to_arrow(self) -> pyarrow.Table:
        """As ``to_pandas``; "from" is a text, since present values may be numbers or names."""
        import pyarrow

        number, text, whole, flag = pyarrow.float64(), pyarrow.string(), pyarrow.int64(), pyarrow.bool_()
        kinds = [whole, text, text, whole, text, text, text, number, flag, number, flag]
        kinds += [text, number, number, number, number, whole, number]
        schema = pyarrow.schema(list(zip([*_KEYS, *_RULE_KEYS], kinds, strict=True)))
        lines = [line | {"from": None if line["from"] is None else str(line["from"])} for line in self._lines()]
        return pyarrow.Table.from_pylist(lines, schema=schema)

    def plot(self, at: int = 0, rule: int = 0, axes: Axes | None = None) -> Axes:
        """Draw one rule of one person (needs matplotlib)."""
        return self[at].plot(rule, axes)

    def recourses(self, method: str | None = None, **options: Any) -> Any:
        """The people who have a recourse, with the changed values in: the kind, columns, types and index of X.

        ``method`` is surest, nearest, cheapest or annealing; further options are those of ``explain``. If these
        explanations hold no such recourses yet, the people are asked about again.
        """
        if self._question is None:
            raise ValueError("these explanations have no people with them; call explain() on a model")
        holders = self
        if options or not self._holds_recourses(method):
            asked = {"recourses": 1} | ({} if method is None else {"method": method}) | options
            holders = self._question.ask_again(self._places, asked)
        frame, originals = self._question.frame, originals_of(self._question.frame)
        rows: list[int] = []
        changes: dict[str, dict[int, Any]] = {}
        for place, explanation in zip(self._places, holders, strict=True):
            values = _first_recourse(explanation)
            if values is None:
                continue
            for name, value in values.items():
                word = originals.get(name, {}).get(value, value) if isinstance(value, str) else value
                changes.setdefault(name, {})[len(rows)] = word
            rows.append(place)
        return with_changes(frame, rows, changes)

    def _holds_recourses(self, method: str | None) -> bool:
        held = {recourse.method for item in self for rule in item.rules for recourse in rule.recourses}
        return bool(held) and (method is None or held == {method})

    def _lines(self) -> list[dict[str, Any]]:
        return [line for item in self for line in _lines_of(item)]


def _first_recourse(explanation: Explanation) -> dict[str, Any] | None:
    for rule in explanation.rules if explanation.status == "found" else []:
        if rule.recourses:
            return rule.recourses[0].values
    return None


def _lines_of(item: Explanation) -> Iterator[dict[str, Any]]:
    person = dict.fromkeys((*_KEYS, *_RULE_KEYS)) | {
        "row": item.row,
        "status": item.status,
        "target": "|".join(item.target),
    }
    if not item.rules:
        yield person
    for at, rule in enumerate(item.rules):
        stated = rule.probability
        figures = {
            "rule": at,
            "probability": stated.stated,
            "probability_low": stated.low,
            "probability_high": stated.high,
            "mass": rule.mass,
            "support": rule.support,
            "cost": rule.cost,
        }
        for side in rule.conditions:
            condition = side.to_dict()
            if side.values is not None:
                condition["values"] = "|".join(side.values)
            yield person | figures | condition
