"""One HTML page that needs nothing else: the tables, and what was stated against what came true as curves."""

import html

from .regions_figure import figure
from .tables import NAMES, THRESHOLDS, by_world, sections, words_of

SIZE, PAD = 180, 24
COLOURS = {"0.7": "#c63", "0.8": "#c9a", "0.9": "#2a7", "0.95": "#27c"}


def place(share: float, least: float = 0.5) -> float:
    """Rules state more than one half, as good as always; what lies below stands on the edge."""
    return PAD + (SIZE - 2 * PAD) * max(0.0, (share - least) / (1 - least))


def frame(below: str, beside: str, least: str, inner: str, caption: str) -> str:
    return (f'<figure><svg viewBox="0 0 {SIZE} {SIZE}" role="img"><path class="axis" '
            f'd="M{PAD} {PAD}V{SIZE - PAD}H{SIZE - PAD}"/>{inner}<text x="{SIZE / 2}" y="{SIZE - 6}">{below}</text>'
            f'<text x="10" y="{SIZE / 2}" transform="rotate(-90 10 {SIZE / 2})">{beside}</text>'
            f'<text x="{PAD - 6}" y="{SIZE - PAD + 3}">{least}</text><text x="{PAD - 6}" y="{PAD + 3}">1</text></svg>'
            f'<figcaption>{html.escape(caption)}</figcaption></figure>')


def dots(threshold: str, got: dict) -> str:
    """A dot per bin of stated probabilities, as large as its share of the rules."""
    bins = [b for b in got["reliability"] if b["count"]]
    total = sum(b["count"] for b in bins) or 1
    return "".join(f'<circle fill="{COLOURS[threshold]}" cx="{place(b["stated"]):.1f}" cy="{SIZE - place(b["observed"]):.1f}" '
                   f'r="{1.5 + 5 * (b["count"] / total) ** 0.5:.1f}"><title>threshold {threshold}: stated {b["stated"]:.3f}, '
                   f'came true {b["observed"]:.3f}, {b["count"]} rules</title></circle>' for b in bins)


def curve(world: tuple, asked: dict[str, dict]) -> str:
    """Stated against came true for every threshold, and a line through the thresholds' means."""
    got = {t: asked[f"surest, {t}"] for t in THRESHOLDS if f"surest, {t}" in asked}
    means = [(place(g["stated"]), SIZE - place(g["donor_accuracy"])) for g in got.values()
             if g["stated"] is not None and g["donor_accuracy"] is not None]
    line = f'<path class="means" d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in means)}"/>' if len(means) > 1 else ""
    ideal = f'<path class="ideal" d="M{PAD} {SIZE - PAD}L{SIZE - PAD} {PAD}"/>'
    caption = f"{', '.join(words_of(world)[:2])}, to {world[2]}, {world[3]}, seed {world[4]}"
    return frame("stated", "came true", ".5", ideal + line + "".join(dots(t, g) for t, g in got.items()), caption)


STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 84rem; padding: 0 1rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { white-space: nowrap; font-size: .85rem; padding: .1rem .5rem; text-align: right; border-bottom: 1px solid #8884; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 1rem; } figure { margin: 0; }
figcaption { font-size: .8rem; text-align: center; } circle { fill-opacity: .7; } path { fill: none; stroke: currentColor; }
.ideal { stroke-dasharray: 3 3; opacity: .5; } .means { stroke-width: 1.5; opacity: .8; }
text { font-size: 9px; text-anchor: middle; fill: currentColor; } .key span { margin-right: 1em; }
"""


def as_html(markdown: str) -> str:
    lines = markdown.splitlines()
    rows = [[html.escape(cell.strip()) for cell in line.split("|")[1:-1]] for line in lines if not line.startswith("|---")]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def page(cells: list[dict], few: list[dict]) -> str:
    told = "".join(f"<h2>{html.escape(title)}</h2><p>{html.escape(what)}</p>{as_html(text)}"
                   for title, what, text in sections(cells, few))
    key = "".join(f'<span><svg width="10" height="10"><circle cx="5" cy="5" r="5" fill="{COLOURS[t]}"/></svg> {t}</span>'
                  for t in THRESHOLDS)
    curves = "".join(curve(world, asked) for world, asked in by_world(cells).items()
                     if any(f"surest, {t}" in asked for t in THRESHOLDS))
    regions = f"<h2>People served by so many rules</h2>{figure(few, NAMES)}" if few else ""
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width"><title>Does it come true?</title><style>{STYLE}</style></head><body>'
            f'<h1>Does it come true?</h1><p>Each rule\'s stated probability against the share of points drawn from it that '
            f'the explained model accepts. On the dashed line what is stated is what happens; below it, less. A dot is a '
            f'tenth of the scale, as large as its share of the rules; the line joins the means of the thresholds.</p>'
            f'<p class="key">Threshold: {key}</p><div class="grid">{curves}</div>{regions}{told}</body></html>\n')


def ordered(cells: list[dict]) -> list[dict]:
    names = list(NAMES)
    return sorted(cells, key=lambda c: (names.index(c["data"]), c["model"], c["target"], c["source"], c["seed"], c["question"]))
