"""What bench/truth measured, as Markdown tables."""

# The paper's local rules: accuracy, plausibility, features changed, cost.
PAPER = {
    ("compas", "forest", "0"): ".98 .90 2.00 0.65", ("compas", "forest", "1"): ".93 .92 3.00 0.99",
    ("diabetes", "forest", "0"): "1.00 .98 3.34 1.34", ("diabetes", "forest", "1"): "1.00 .89 3.74 1.63",
    ("nhanesi", "forest", "0"): ".95 .98 4.00 0.76", ("nhanesi", "forest", "1"): ".97 .98 5.00 1.16",
    ("compas", "mlp", "0"): ".95 .87 2.64 0.83", ("compas", "mlp", "1"): ".88 .79 3.25 0.86",
    ("diabetes", "mlp", "0"): "1.00 .98 3.34 1.32", ("diabetes", "mlp", "1"): "1.00 .89 3.71 1.63",
    ("nhanesi", "mlp", "0"): ".97 .98 4.53 0.85", ("nhanesi", "mlp", "1"): ".96 .97 5.59 1.08",
    ("heloc", "forest", "0"): ".98 .98 5", ("heloc", "forest", "1"): ".94 .99 5",
    ("california", "forest", "200000:250000"): "1.00 .92 4.45",
}
NAMES = {"diabetes": "Diabetes", "compas": "Compas", "nhanesi": "Nhanesi", "heloc": "HELOC", "california": "California"}
MAIN = "surest, 0.9"
IMMUTABLE = "surest, 0.9, immutable features fixed"
THRESHOLDS = ("0.7", "0.8", "0.9", "0.95")
METHODS = ("surest", "nearest", "cheapest", "annealing")
COLUMNS = (("coverage", "coverage"), ("accuracy_found", "point"), ("donor_accuracy", "draws"), ("stated", "stated"),
           ("below_half", "below 1/2"), ("plausibility", "plausible"), ("sparsity", "features"), ("cost", "cost"),
           ("mass", "mass"))
FINE = ("donor_accuracy", "stated", "below_half")  # told to three digits


def number(value, digits=2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def world_of(cell: dict) -> tuple:
    """What is explained to whom: all questions about it belong in one line."""
    return cell["data"], cell["model"], cell["target"], cell["source"], cell["seed"]


def by_world(cells: list[dict]) -> dict[tuple, dict[str, dict]]:
    worlds: dict[tuple, dict[str, dict]] = {}
    for cell in cells:
        worlds.setdefault(world_of(cell), {})[cell["question"]] = cell["got"]
    return worlds


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) if rows else ""


def words_of(world: tuple) -> list[str]:
    data, model, target, source, _ = world
    return [NAMES[data], model, target, source]


def calibration_error(got: dict) -> str:
    """With its 95 % interval where the results hold one."""
    text = number(got["calibration_error"], 3)
    low, high = got.get("calibration_error_low"), got.get("calibration_error_high")
    return text if low is None or high is None else f"{text} ({low:.3f} to {high:.3f})"


def figures(got: dict) -> list[str]:
    return [number(got[key], 3 if key in FINE else 2) for key, _ in COLUMNS]


def main_table(cells: list[dict]) -> str:
    head = ["data", "model", "to", "labels", "people", *(name for _, name in COLUMNS), "error", "noise", "paper"]
    rows = []
    for world, asked in by_world(cells).items():
        if MAIN in asked:
            got = asked[MAIN]
            rows.append([*words_of(world), str(got["people"]), *figures(got), calibration_error(got),
                         number(got["stability"][0]), PAPER.get(world[:3], "")])
    return table(head, rows)


def side_by_side(cells: list[dict], questions: dict[str, str], keys: tuple[str, ...], names: str) -> str:
    """A column per question (its title, and how it is called), with the same few figures in each."""
    rows = []
    for world, asked in by_world(cells).items():
        got = [asked.get(question) for question in questions.values()]
        if sum(one is not None for one in got) > 1:
            rows.append(words_of(world) + ["-" if one is None else " ".join(
                number(one[key], 3 if key in FINE else 2) for key in keys) for one in got])
    return table(["data", "model", "to", "labels", *(f"{title}: {names}" for title in questions)], rows)


def threshold_table(cells: list[dict]) -> str:
    questions = {threshold: f"surest, {threshold}" for threshold in THRESHOLDS}
    return side_by_side(cells, questions, ("coverage", "stated", "donor_accuracy"), "coverage, stated, draws")


def method_table(cells: list[dict]) -> str:
    """Accepted of all people asked (none found: a failure), accepted of those found, plausible of them, cost."""
    questions = {method: f"{method}, 0.9" for method in METHODS}
    return side_by_side(cells, questions, ("accuracy", "accuracy_found", "plausibility", "cost"),
                        "of all, of found, plausible, cost")


def immutable_table(cells: list[dict]) -> str:
    """What nobody can change is fixed; beside it, how many people the model's own trees then allow a rule."""
    worlds = by_world(cells)
    rows = []
    for world, asked in worlds.items():
        if IMMUTABLE not in asked:
            continue
        got = asked[IMMUTABLE]
        trees = worlds.get((*world[:3], "trees", world[4]), {}).get(IMMUTABLE)
        allowed = trees["coverage"] if trees else None
        share = got["coverage"] / allowed if allowed and got["coverage"] is not None else None
        rows.append([*words_of(world), str(got["people"]), *figures(got), number(allowed), number(share)])
    return table(["data", "model", "to", "labels", "people", *(name for _, name in COLUMNS), "own trees allow", "share of it"],
                 rows)


def alternative_table(cells: list[dict]) -> str:
    """Other settings of the search than the defaults, which come first."""
    rows = []
    for world, asked in by_world(cells).items():
        others = [question for question in asked if question.startswith(f"{MAIN}, ") and question != IMMUTABLE]
        for question in [MAIN, *others] if others and MAIN in asked else []:
            words = question.removeprefix(MAIN).lstrip(", ") or "defaults"
            rows.append([*words_of(world), str(world[4]), words, *figures(asked[question])])
    return table(["data", "model", "to", "labels", "seed", "setting", *(name for _, name in COLUMNS)], rows)


def few_rules(cells: list[dict]) -> str:
    """The share served by 1, 2, ... rules, and how often each came true for whom it is said to serve."""
    rows = []
    for cell in cells:
        got = cell["got"]
        several = [" ".join(number(share) for share in got[key]) for key in ("served", "came_true", "came_true_newly")]
        rows.append([*words_of(world_of(cell)), str(got["people"]), *several,
                     number(got["plausible"][-1] if got["plausible"] else None),
                     f"{number(got['own_rules_2'])} / {number(got['own_rules_4'])}"])
    return table(["data", "model", "to", "labels", "people", "served by 1, 2, ... rules", "each rule came true",
                  "for those newly served", "plausibly", "own rules, 2 / 4 features"], rows)


def sections(cells: list[dict], few: list[dict]) -> list[tuple[str, str, str]]:
    """Title, what it shows, the table; those nothing was measured for are left out."""
    told = [("Threshold 0.9", "The surest point of each rule, beside the paper's local rules.", main_table(cells)),
            ("Other thresholds", "Coverage, mean probability stated, and the share of points drawn from the rules that the "
             "model accepts.", threshold_table(cells)),
            ("Ways to a point", "Threshold 0.9. Accepted of all people asked (no point counts as a failure), accepted of the "
             "points found, plausible of them, cost.", method_table(cells)),
            ("What nobody can change", "Threshold 0.9 with age, sex, race, pregnancies, pedigree, the external risk estimate "
             "and the place fixed; beside it the coverage that the model's own trees allow.", immutable_table(cells)),
            ("Other settings", "Threshold 0.9, one setting of the search changed at a time.", alternative_table(cells)),
            ("Few rules for all", "At most two features a rule.", few_rules(few))]
    return [one for one in told if one[2]]
