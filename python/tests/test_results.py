"""Answers as objects: lists, tables, JSON, sentences, cards and pictures."""

from __future__ import annotations

import json
import pickle
from copy import copy, deepcopy
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest

import cfrules
from cfrules import Constraints, Implication, Limit

mpl.use("Agg")


@pytest.fixture(scope="module")
def answers(rules: Any, credit: Any, denied: Any) -> dict[str, Any]:
    X, y = credit
    found = rules.explain(denied, target="approved")
    why = rules.sufficient(denied.head(4), rules=True)
    return {
        "explanations": found,
        "explanation": next(item for item in found if item.rules),
        "region": rules.explain_region({"age": (30, None)}, target="approved"),
        "sufficients": why,
        "sufficient": why[0],
        "summary": rules.summarize(denied, target="approved", max_regions=2),
        "evaluation": rules.evaluate(X.head(40), target="approved", outcome=y.head(40)),
    }


KINDS = ["explanations", "explanation", "region", "sufficients", "sufficient", "summary", "evaluation"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_equal_to_its_copies_and_itself_only(kind: str, answers: dict[str, Any]) -> None:
    answer = answers[kind]
    for same in (copy(answer), deepcopy(answer), pickle.loads(pickle.dumps(answer))):
        assert same == answer
        assert repr(same) == repr(answer)
    assert answer != answers["evaluation" if kind != "evaluation" else "summary"]
    assert answer != answer.to_dict()


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_json_dictionaries_and_a_sentence(kind: str, answers: dict[str, Any]) -> None:
    answer = answers[kind]
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert "object at" not in repr(answer)
    assert repr(answer).strip() == repr(answer)


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_the_same_table_in_every_library(kind: str, answers: dict[str, Any]) -> None:
    answer = answers[kind]
    frame, polars, arrow = answer.to_pandas(), answer.to_polars(), answer.to_arrow()
    assert list(frame.columns) == polars.columns == arrow.column_names
    assert len(frame) == polars.height == arrow.num_rows > 0
    assert polars.to_dicts() == arrow.to_pylist()
    for name in frame.columns:
        numbers = frame[name].dtype.kind in "ifb" and name != "from"
        if numbers:
            expected = [np.nan if v is None else float(v) for v in polars[name].to_list()]
            assert np.allclose(frame[name].to_numpy(dtype=float, na_value=np.nan), expected, equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_a_card_without_scripts(kind: str, answers: dict[str, Any]) -> None:
    card = answers[kind]._repr_html_()
    ElementTree.fromstring("<div>" + card.replace("<br>", "<br/>") + "</div>")
    assert "<script" not in card
    assert "prefers-color-scheme:dark" in card


@pytest.mark.parametrize("kind", ["explanation", "region", "sufficient", "summary", "evaluation"])
def test_every_answer_is_a_picture(kind: str, answers: dict[str, Any]) -> None:
    import matplotlib.pyplot as plt

    _, axes = plt.subplots()
    assert answers[kind].plot(axes=axes) is axes
    own = answers[kind].plot()
    assert own.get_title(loc="left")
    assert own.figure is not axes.figure
    plt.close("all")


@pytest.mark.parametrize(
    ("kind", "key"), [("explanation", "rules"), ("sufficient", "sets"), ("summary", "rules"), ("region", "rules")]
)
def test_answers_are_lists_of_what_they_found(kind: str, key: str, answers: dict[str, Any]) -> None:
    answer = answers[kind]
    assert len(answer) == len(answer.to_dict()[key]) > 0
    assert list(answer) == getattr(answer, key)
    assert answer[0] == next(iter(answer))
    assert [part.to_dict() for part in answer] == answer.to_dict()[key]


def test_an_answer_without_rules_is_still_an_answer(rules: Any, denied: Any) -> None:
    already = rules.explain(denied.head(1), target="approved", outcome=["approved"])[0]
    assert len(already) == 0
    assert already


def test_sufficient_explanations_behave_like_a_list(answers: dict[str, Any]) -> None:
    why = answers["sufficients"]
    assert [item.row for item in why] == [0, 1, 2, 3]
    assert why[1:3] == why[:][1:3]
    assert why[1:3][0] == why[1]
    assert set(why.to_pandas()["decision"]) == {"rejected"}


def test_conditions_say_what_they_hold(answers: dict[str, Any]) -> None:
    side = answers["explanation"].rules[0].conditions[0]
    assert side.statement.startswith(side.feature + " ")
    assert side.range_text in side.statement
    assert repr(side) == f"<{side.statement}>"


def test_constraints_are_objects_or_dictionaries(rules: Any, denied: Any) -> None:
    objects = Constraints(
        {"age": "immutable", "duration": Limit(range=(6, 48), step=6), "income": Limit("increase", cost=2)},
        linked=[("housing", "savings")],
        implies=[Implication({"job": ["skilled"]}, {"income": (None, 90000)})],
        max_changes=3,
    )
    features = {"age": "immutable", "duration": {"range": [6, 48], "step": 6}}
    features |= {"income": {"direction": "increase", "cost": 2}}
    document = {
        "features": features,
        "linked": [["housing", "savings"]],
        "implies": [{"if": {"job": ["skilled"]}, "then": {"income": [None, 90000]}}],
        "max_changes": 3,
    }
    assert objects.to_dict() == document
    asked = rules.explain(denied, target="approved", constraints=objects)
    assert asked == rules.explain(denied, target="approved", constraints=document)
    short = rules.explain(denied, target="approved", constraints={"age": Limit("immutable")})
    assert short == rules.explain(denied, target="approved", constraints={"age": {"direction": "immutable"}})


def test_what_the_package_offers_is_there() -> None:
    assert all(getattr(cfrules, name) is not None for name in cfrules.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cfrules.nothing
