"""The tables, the models that are explained, and the judge: the explained model itself, asked about rows it never met."""

import dataclasses
import json
import pathlib
import pickle

import numpy as np
import pandas as pd
from sklearn.ensemble import (GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier,
                              RandomForestRegressor)
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


@dataclasses.dataclass(frozen=True)
class Data:
    file: str
    outcome: str
    immutable: tuple[str, ...]  # what nobody can change
    targets: tuple[str, ...] = ("0", "1")

    @property
    def numeric(self) -> bool:
        return ":" in self.targets[0]


DATA = {
    "diabetes": Data("diabetes_pima.csv", "Outcome", ("Age", "Pregnancies", "DiabetesPedigreeFunction")),
    "compas": Data("compas_fairml.csv", "Two_yr_Recidivism",
                   ("Age_Above_FourtyFive", "Age_Below_TwentyFive", "African_American", "Asian", "Hispanic",
                    "Native_American", "Other", "Female")),
    "nhanesi": Data("nhanesi_cet.csv", "Mortality", ("Age", "Sex:Female")),
    "heloc": Data("heloc_cet.csv", "RiskPerformance", ("ExternalRiskEstimate",)),
    "california": Data("california_housing_statlib.csv", "median_house_value", ("latitude", "longitude"),
                       ("200000:250000",)),
}
NEEDS_RECOURSE = 100000  # California: people below are brought into the interval


def model_of(kind: str, numeric: bool, seed: int):
    if kind == "forest":
        return (RandomForestRegressor if numeric else RandomForestClassifier)(100, random_state=seed, n_jobs=2)
    if kind == "mlp":
        return make_pipeline(StandardScaler(), MLPClassifier((50, 50), early_stopping=True, max_iter=500,
                                                             random_state=seed))
    return (GradientBoostingRegressor if numeric else GradientBoostingClassifier)(random_state=seed)


def sources_of(name: str, kind: str) -> tuple[str, ...]:
    """What cfrules can know of such a model. A network has no trees; those of California's forest have more thresholds
    than the engine's codes can hold."""
    own_trees = kind == "boosting" or (kind == "forest" and not DATA[name].numeric)
    return ("predicted", "model", "verified", *(("trees",) if own_trees else ()))


class World:
    """One table, split 75/25, and one model fitted on the first part, with files for the command line. Half of the other
    part are fresh rows, the people come from the other half: nobody has told cfrules anything about them."""

    def __init__(self, folder: pathlib.Path, source: pathlib.Path, name: str, kind: str, seed: int):
        self.folder, self.name, self.data = folder, name, DATA[name]
        table = pd.read_csv(source / self.data.file)
        table = table[table[self.data.outcome].notna()].sample(frac=1, random_state=seed).reset_index(drop=True)
        # Values as scikit-learn's trees see them, so that their thresholds mean the same to both sides.
        self.rows = table.drop(columns=self.data.outcome).astype(np.float32).astype(np.float64)
        if self.name == "california":
            self.rows = self.rows.fillna(self.rows.median())
        self.cut = int(0.75 * len(table))
        self.half = (self.cut + len(table)) // 2
        self.labels = table[self.data.outcome]
        self.model = model_of(kind, self.data.numeric, seed).fit(self.rows[: self.cut].to_numpy(),
                                                                 self.labels[: self.cut].to_numpy())
        self.answers = self.model.predict(self.rows.to_numpy())
        self.numbers = self.rows.copy()
        self.numbers["answer"] = self.answers
        self.numbers[: self.cut].to_csv(folder / "train.csv", index=False)
        self.numbers[self.cut : self.half].to_csv(folder / "fresh.csv", index=False)
        observed = self.rows.copy()
        observed["answer"] = self.labels
        observed[: self.cut].to_csv(folder / "observed.csv", index=False)
        with open(folder / "model.pkl", "wb") as out:
            pickle.dump(self.model, out)

    def people(self, target: str, most: int) -> pathlib.Path:
        """Rows neither the model nor cfrules has met whose answer is another one."""
        rest = self.numbers[self.half :]
        wants = rest["answer"] < NEEDS_RECOURSE if self.data.numeric else rest["answer"].astype(str) != target
        path = self.folder / f"people_{target.replace(':', '_')}.csv"
        rest[wants].head(most).to_csv(path, index=False)
        return path

    def constraints(self) -> pathlib.Path:
        """The natural immutable features."""
        path = self.folder / "immutable.json"
        path.write_text(json.dumps({"features": {feature: "immutable" for feature in self.data.immutable}}))
        return path

    def forest_document(self) -> pathlib.Path:
        """The model's own trees as node arrays. Boosting adds up its leaves, from a start that is the same for all rows."""
        boosted = hasattr(self.model, "learning_rate")
        scale = self.model.learning_rate if boosted else 1.0
        document = {"trees": []}
        for estimator in np.ravel(self.model.estimators_):
            tree = estimator.tree_
            document["trees"].append(
                {"feature": tree.feature.tolist(), "threshold": tree.threshold.tolist(),
                 "left": tree.children_left.tolist(), "right": tree.children_right.tolist(),
                 "value": [(scale * node).ravel().tolist() for node in tree.value]})
        if boosted:
            start = self.model._raw_predict_init(self.rows[:1].to_numpy().astype(np.float32))
            document.update(combine="sum", base=[float(start.ravel()[0])])
        path = self.folder / "forest.json"
        path.write_text(json.dumps(document))
        return path
