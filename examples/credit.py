"""Credit with categories and constraints: what rejected people can do, for one person, for all, and as a table."""

from cfrules import CounterfactualRules
from cfrules.datasets import load_credit

X, y = load_credit(1500)
rules = CounterfactualRules(trees=150, random_state=0).fit(X, y)

rejected = X[y == "rejected"].head(8)
constraints = {
    "features": {
        "age": "immutable",
        "job": "immutable",
        "prior_defaults": "immutable",
        "income": "increase",
        "duration": {"range": [6, 60], "step": 6},
    },
    "max_changes": 3,
}
found = rules.explain(rejected, target="approved", constraints=constraints)
print(found[1])

print("\nWhat exactly they could do, nearest to what they have:")
people = found.recourses(method="nearest")
print(people[["savings", "debt", "duration", "housing", "guarantor"]])
print("The forest says of them:", rules.predict(people).tolist())

print("\nThe same as a table:")
print(found.to_pandas()[["row", "rule", "feature", "low", "high", "values", "probability"]].head(8))

print("\nFew rules for many people:")
print(rules.summarize(X[y == "rejected"].head(60), target="approved", constraints=constraints, max_regions=3))
