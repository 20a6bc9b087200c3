"""A numeric outcome: how to bring the predicted rent of a flat below a limit, from a model of scikit-learn."""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

from cfrules import CounterfactualRules

random = np.random.default_rng(0)
flats = pd.DataFrame(
    {
        "area": random.uniform(25, 140, 1200).round(),
        "rooms": random.integers(1, 6, 1200),
        "minutes_to_centre": random.uniform(3, 60, 1200).round(),
        "year": random.integers(1920, 2024, 1200),
        "balcony": random.random(1200) < 0.5,
    }
)
rent = 250 + 9 * flats["area"] - 6 * flats["minutes_to_centre"] + 70 * flats["balcony"] + 1.5 * (flats["year"] - 1920)
rent += random.normal(0, 40, len(flats))

model = RandomForestRegressor(100, min_samples_leaf=3, random_state=0).fit(flats, rent)
rules = CounterfactualRules.from_model(model, flats)

dear = flats[model.predict(flats) > 1100].head(3)
found = rules.explain(dear, target=(None, 900), constraints={"year": "immutable", "rooms": "immutable"})
for flat, explanation in zip(dear.index, found, strict=True):
    print(f"Flat {flat}, {model.predict(dear.loc[[flat]])[0]:.0f} a month:")
    print(explanation, "\n")

moved = found.recourses(method="surest")
print("The model says of the flats so changed:", model.predict(moved).round().tolist())
