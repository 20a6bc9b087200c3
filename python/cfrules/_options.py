"""Options as people write them, turned into what the core takes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from ._column import name_of

Progress = Callable[[int, int], Any]

_CONSTRAINT_KEYS = {"features", "linked", "implies", "max_changes"}


class ExplainOptions(TypedDict, total=False):
    """How rules are searched: the words of the command line. What is left out takes the default in brackets."""

    constraints: Any  #: what may change: {"age": "immutable", "income": "increase"}, the whole document, or Constraints
    search: str  #: sparsest or divergent (the model's)
    estimator: str  #: moved, paper, union or inside (the model's)
    min_probability: float  #: least probability of a rule (0.9; 0.8 for observed outcomes)
    promise: float  #: instead: the least threshold whose rules came true this often for audited people
    confidence: float  #: how sure the promise must be (0.95)
    floor: float  #: least probability anywhere in a rule (min_probability; 0.1 less for observed outcomes)
    min_mass: float  #: least share of people already in a rule (0.02)
    pi: float  #: threshold of the divergent search (0.9)
    candidates: int  #: features that may change, the leading ones (10)
    candidate_features: list[str]  #: features that may change, by name
    rank_by_splits: bool  #: leading means most used in splits, as in the paper (False)
    max_features: int  #: most features a rule may change (4)
    rules: int  #: rules per person (3)
    min_rows: int  #: least rows of a cell (5)
    all_sets: bool  #: divergent: every minimal set that reaches pi (False)
    path_sets: int  #: divergent: sets sampled from decision paths instead of all (0)
    work_limit: int  #: steps of the search for one box (200000)
    recourses: int  #: points to propose in each rule (0)
    method: str  #: how they are chosen: surest, nearest, cheapest or annealing (surest)
    noise: float | dict[str, float]  #: standard deviation of the points reached: a share of ranges, or by feature
    max_invalid: float  #: only points that leave the rule at most this often under noise
    l2: bool  #: nearest by l2 instead of l1 (False)
    steps: int  #: steps of the annealing (1000)


def explain_settings(options: Mapping[str, Any], seed: int, further: Iterable[str] = ()) -> dict[str, Any]:
    allowed = {*ExplainOptions.__annotations__, *further}
    for name in options:
        if name not in allowed:
            raise TypeError(f"unexpected option '{name}'; allowed: {', '.join(sorted(allowed))}")
    given = {name: value for name, value in options.items() if value is not None}
    if "constraints" in given:
        given["constraints"] = constraints_json(given["constraints"])
    return {name: _plain(value) for name, value in given.items()} | {"seed": seed}


def constraints_json(constraints: Any) -> str:
    """A dictionary without the document's own keys is short for its features."""
    if hasattr(constraints, "to_dict"):
        constraints = constraints.to_dict()
    if not isinstance(constraints, Mapping):
        kind = type(constraints).__name__
        raise ValueError(f"constraints is a {kind}; allowed: a dictionary such as {{'age': 'immutable'}}")
    whole = constraints if set(constraints) <= _CONSTRAINT_KEYS else {"features": constraints}
    return to_json(whole)


def to_json(value: Any) -> str:
    return json.dumps(value, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return list(value) if isinstance(value, tuple) else value


def target_for_core(target: Any, numeric: bool) -> Any:
    """Texts as they are; classes by name; a pair of numbers for a numeric outcome, None for an open end."""
    if target is None:
        raise ValueError("target is None; name the wanted outcome, a class or a range such as (None, 100)")
    if isinstance(target, str):
        return target
    several = isinstance(target, Sequence | set | frozenset | np.ndarray)
    if not numeric:
        return [name_of(item) for item in (target if several else [target])]
    if not several or len(target) != 2:
        return str(target)
    low, high = target
    return (-np.inf if low is None else float(low), np.inf if high is None else float(high))


def threads_of(n_jobs: int | None) -> int:
    """scikit-learn's convention: None is 1, -1 all cores, -2 all but one. The core says 0 for all."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is 0; allowed: a number of threads, or -1 for all cores")
    return max(1, (os.cpu_count() or 1) + 1 + n_jobs) if n_jobs < -1 else max(0, n_jobs)


def seed_of(random_state: Any) -> int:
    """None is 0: the same answers every time, as on the command line."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        if random_state < 0:
            raise ValueError(f"random_state is {random_state}; allowed: a whole number of at least 0")
        return int(random_state)
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**63))
    return int(random_state.randint(2**31 - 1))


def hints_of(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """A schema as in a schema file: {"age": "integer", "housing": {"kind": "category", "categories": [...]}}."""
    if schema is None:
        return []
    columns = schema["columns"] if set(schema) == {"columns"} and isinstance(schema["columns"], Mapping) else schema
    return [
        {"name": name, **({"kind": told} if isinstance(told, str) else dict(told))} for name, told in columns.items()
    ]


def markers_of(missing: Iterable[Any]) -> list[str]:
    return [name_of(marker) for marker in missing]


class Bar:
    """Progress by tqdm if True was asked for and it is there; a callable is called with (done, total)."""

    def __init__(self, progress: bool | Progress, what: str) -> None:
        self._show: Any = progress if callable(progress) else None
        self._bar: Any = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(desc=what, leave=False)
            self._show = self._update

    def _update(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Any:
        return self._show

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
