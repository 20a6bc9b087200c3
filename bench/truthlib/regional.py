"""Few rules for all: how many people they serve, and what the explained model says of those who follow."""

import json
import pathlib

import numpy as np
import pandas as pd

DRAWS = 20


def donors(rule: dict, rows: pd.DataFrame) -> pd.DataFrame:
    inside = pd.Series(True, index=rows.index)
    for side in rule["conditions"]:
        column = rows[side["feature"]]
        if side["low"] is not None:
            inside &= column >= side["low"] if side["low_closed"] else column > side["low"]
        if side["high"] is not None:
            inside &= column <= side["high"] if side["high_closed"] else column < side["high"]
    return rows.loc[inside, [side["feature"] for side in rule["conditions"]]]


def success(world, rule: dict, people: pd.DataFrame, target: str) -> np.ndarray:
    """Per person: the share of draws from the rule's donors that the model accepts."""
    taken = donors(rule, world.rows[: world.cut]).sample(DRAWS * len(people), replace=True, random_state=0)
    moved = people.loc[people.index.repeat(DRAWS)].reset_index(drop=True)
    for feature in taken.columns:
        moved[feature] = taken[feature].to_numpy()
    answers = world.model.predict(moved.to_numpy())
    return (answers.astype(str) == target).reshape(-1, DRAWS).mean(axis=1)


def judge(world, summary_json: str, people_file: pathlib.Path, target: str) -> dict:
    summary = json.loads(summary_json)
    summary = summary[0] if isinstance(summary, list) else summary
    people = pd.read_csv(people_file)[list(world.rows.columns)]
    rules = [entry["rule"] for entry in summary["rules"]]
    real = np.array([success(world, rule, people, target) for rule in rules]) if rules else np.zeros((1, len(people)))
    served = np.cumsum([entry["served"] for entry in summary["rules"]]) / max(1, summary["people"])
    best = real.argmax(axis=0)
    return {"people": summary["people"], "served": [round(float(s), 3) for s in served],
            "stated": [rule["probability"]["calibrated"] for rule in rules],
            "came_true_for_whom_it_is_best": [round(float(real[i, best == i].mean()), 3) if (best == i).any() else None
                                              for i in range(len(rules))],
            "really_served": float((real.max(axis=0) >= 0.9).mean())}
