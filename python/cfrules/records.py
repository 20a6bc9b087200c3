"""Parts of answers as plain objects. Attributes are called like the keys of the JSON; what is not known is None."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from . import _core

_Record = TypeVar("_Record", bound="Record")


@dataclass(frozen=True, slots=True)
class Record:
    """Built from the object of a JSON document; ``to_dict`` gives that object back."""

    @classmethod
    def from_dict(cls: type[_Record], given: Mapping[str, Any]) -> _Record:
        parts = {f.name: given.get(_key(f.name)) for f in fields(cls)}
        return cls(**{name: _read(cls, name, value) for name, value in parts.items()})

    def to_dict(self) -> dict[str, Any]:
        return {_key(f.name): _written(getattr(self, f.name)) for f in fields(self)}


def _key(attribute: str) -> str:
    return attribute.rstrip("_")


def _read(owner: type[Record], attribute: str, value: Any) -> Any:
    kind = _PARTS.get((owner.__name__, attribute))
    if kind is None or value is None:
        return value
    return [kind.from_dict(item) for item in value] if isinstance(value, list) else kind.from_dict(value)


def _written(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    return [_written(item) for item in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Probability(Record):
    """How sure a rule is: as the forest says, calibrated, and the interval of the calibrated one.

    ``verified``: the model itself was asked, about ``held_out`` points of this very rule.
    """

    raw: float | None
    calibrated: float | None
    low: float | None
    high: float | None
    held_out: int | None
    verified: bool

    @property
    def stated(self) -> float | None:
        return self.raw if self.calibrated is None else self.calibrated

    def __float__(self) -> float:
        return float("nan") if self.stated is None else float(self.stated)


@dataclass(frozen=True, slots=True)
class Condition(Record):
    """One side of a rule: a range (None is an open end) or names. ``from_`` is the present value."""

    feature: str
    kind: str
    from_: Any
    low: float | None
    low_closed: bool | None
    high: float | None
    high_closed: bool | None
    values: list[str] | None

    def to_dict(self) -> dict[str, Any]:
        keys = ("values",) if self.values is not None else ("low", "low_closed", "high", "high_closed")
        given = {"feature": self.feature, "kind": self.kind, "from": self.from_}
        return given | {key: getattr(self, key) for key in keys}

    @property
    def range_text(self) -> str:
        """The range in words, as in the sentence: "[2 000, 5 000)", "at most 24", "one of {own, free}"."""
        low, high = (float("nan") if side is None else float(side) for side in (self.low, self.high))
        closed = bool(self.low_closed), bool(self.high_closed)
        return _core.range_text(low, closed[0], high, closed[1], list(self.values or []))

    @property
    def statement(self) -> str:
        """As a statement: "age at most 30", "housing is own", "savings in [2 000, 5 000)"."""
        text = self.range_text
        word = "is " if self.values is not None else "in " if text.startswith(("[", "(")) else ""
        return f"{self.feature} {word}{text}"

    def contains(self, value: Any) -> bool:
        """Whether a value lies in this range or among these names; missing does not."""
        if value is None or value != value:
            return False
        if self.values is not None:
            return str(value) in self.values
        above = self.low is None or value > self.low or (bool(self.low_closed) and value == self.low)
        below = self.high is None or value < self.high or (bool(self.high_closed) and value == self.high)
        return bool(above and below)

    def __repr__(self) -> str:
        return f"<{self.statement}>"


def _all(sides: list[Condition]) -> str:
    return " and ".join(side.statement for side in sides)


@dataclass(frozen=True, slots=True)
class Recourse(Record):
    """A point inside a rule: the changed features with their new values."""

    values: dict[str, Any]
    method: str
    probability: float | None
    inlier_score: float | None
    cost: float | None
    stays_in_box: float | None


@dataclass(frozen=True, slots=True)
class Rule(Record):
    """Bring these features into these ranges, keep everything else."""

    conditions: list[Condition]
    probability: Probability
    mass: float | None
    support: int
    cost: float | None
    optimal: bool
    recourses: list[Recourse]

    def __repr__(self) -> str:
        return f"<Rule: {_all(self.conditions)}; probability {float(self.probability):.2f}>"


@dataclass(frozen=True, slots=True)
class FeatureSet(Record):
    """A set of features and the chance that drawing them anew reaches the target."""

    features: list[str]
    cdp: float | None


@dataclass(frozen=True, slots=True)
class SufficientSet(Record):
    """Features that settle a decision, and the widened box if it was asked for."""

    features: list[str]
    probability: float | None
    rule: list[Condition]
    rule_probability: float | None
    rule_share: float | None

    @property
    def rule_text(self) -> str:
        """The widened box in words, empty if there is none."""
        return _all(self.rule)


@dataclass(frozen=True, slots=True)
class RegionalRule(Record):
    """One rule for a group."""

    who: list[Condition]
    rule: Rule
    people: int
    served: int
    reached: int
    plausible: int
    rows: list[int]

    @property
    def who_text(self) -> str:
        """The group in words: "age at most 30 and housing is one of {rent, free}", "everybody"."""
        return _all(self.who) or "everybody"

    @property
    def change_text(self) -> str:
        """What to change, in words."""
        return _all(self.rule.conditions)


@dataclass(frozen=True, slots=True)
class SummaryGroup(Record):
    """How one group of the people fares; ``who`` is None for people whose value is missing."""

    who: Condition | None
    people: int
    served: int
    served_by: list[int]
    cost: float | None


@dataclass(frozen=True, slots=True)
class ReliabilityBin(Record):
    """What was stated and what came true, for the rules of one bin."""

    stated: float | None
    observed: float | None
    count: int


_PARTS: dict[tuple[str, str], type[Record]] = {
    ("Rule", "conditions"): Condition,
    ("Rule", "probability"): Probability,
    ("Rule", "recourses"): Recourse,
    ("SufficientSet", "rule"): Condition,
    ("RegionalRule", "who"): Condition,
    ("RegionalRule", "rule"): Rule,
    ("SummaryGroup", "who"): Condition,
}
