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
    """Each rule is judged for everybody it is said to serve, and for those of them no earlier rule serves."""
    summary = json.loads(summary_json)
    summary = summary[0] if isinstance(summary, list) else summary
    people = pd.read_csv(people_file)[list(world.rows.columns)]
    got = {"people": summary["people"], "served": [], "plausible": [], "stated": [], "came_true": [],
           "came_true_newly": [], "newly": []}
    served, plausible, seen, really = 0, 0, set(), 0
    for entry in summary["rules"]:
        real = success(world, entry["rule"], people.iloc[entry["rows"]], target)
        new = np.array([row not in seen for row in entry["rows"]])
        seen.update(entry["rows"])
        served += entry["served"]
        plausible += entry["plausible"]
        really += int((real[new] >= summary["min_probability"]).sum())
        got["served"].append(round(served / summary["people"], 3))
        got["plausible"].append(round(plausible / summary["people"], 3))
        got["stated"].append(entry["rule"]["probability"]["calibrated"])
        got["came_true"].append(round(float(real.mean()), 3))
        got["came_true_newly"].append(round(float(real[new].mean()), 3))
        got["newly"].append(entry["served"])
    got["really_served"] = really / max(1, summary["people"])
    return got
