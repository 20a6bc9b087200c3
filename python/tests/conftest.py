"""Data and models that many tests look at and none changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import cfrules

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def credit() -> tuple[Any, Any]:
    return cfrules.datasets.load_credit(600, seed=1)


@pytest.fixture(scope="session")
def rules(credit: tuple[Any, Any]) -> cfrules.CounterfactualRules:
    return cfrules.CounterfactualRules(trees=60, isolation_trees=50, audit=0, random_state=0).fit(*credit)


@pytest.fixture(scope="session")
def denied(credit: tuple[Any, Any]) -> Any:
    X, y = credit
    return X[y == "rejected"].head(12)


@pytest.fixture(scope="session")
def command() -> str:
    """The command of the same sources: as built by the tests of the whole, or named by CFRULES_COMMAND."""
    place = Path(os.environ.get("CFRULES_COMMAND", ROOT / "build" / "cfrules"))
    if not place.is_file():
        pytest.skip("the command cfrules has not been built")
    return str(place)
