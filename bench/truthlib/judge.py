"""The explained model as a program: CSV rows in, one answer per line out."""

import pickle
import sys

import pandas as pd

if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        model = pickle.load(file)
    answers = model.predict(pd.read_csv(sys.stdin).to_numpy())
    sys.stdout.write("".join(f"{answer}\n" for answer in answers))
