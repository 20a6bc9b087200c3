"""People served against number of rules, as SVG: a panel per table and direction, no library needed."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 240, 190, 38, 12, 30, 34  # of a panel
HEAD = 34  # room for the legend above all panels
MOST_RULES = 12
COLOURS = {"trees": "#1f6f8b", "predicted": "#c8553d", "model": "#588157"}
KNEW = {"trees": "the model's own trees", "predicted": "its answers (predicted)", "model": "asked while fitting"}


def text(x: float, y: float, words: str, anchor: str = "middle", colour: str = "#555") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def across(rules: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (rules - 1) / (MOST_RULES - 1)


def up(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def grid() -> str:
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<path d="M{LEFT} {up(share):.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>' + text(LEFT - 6, up(share) + 4, f"{share:g}", "end"))
    parts += [text(across(rules), HEIGHT - BOTTOM + 15, str(rules)) for rules in (1, 3, 6, 9, 12)]
    return "".join(parts)


def line(cell: dict) -> str:
    """The curve, and as a dashed line how many people have a rule of their own with as many features."""
    colour, got = COLOURS[cell["source"]], cell["got"]
    points = [(across(at + 1), up(share)) for at, share in enumerate(got["served"])]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points)
    own = up(got["own_rules_2"])
    if points:  # no more rules were needed, or none serves anybody
        path += f"H{WIDTH - RIGHT}"
    return (f'<path d="M{LEFT} {own:.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-dasharray="2 4"/>'
            f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>{dots}')


def legend(sources: list[str]) -> str:
    parts, x = [], LEFT
    for source in sources:
        words = f"explained by {KNEW[source]}"
        parts.append(f'<path d="M{x} 18H{x + 22}" stroke="{COLOURS[source]}" stroke-width="2"/>' + text(x + 28, 22, words, "start"))
        x += 46 + 6.2 * len(words)
    parts.append(f'<path d="M{x} 18H{x + 22}" stroke="#555" stroke-dasharray="2 4"/>'
                 + text(x + 28, 22, "people with a rule of their own on at most two features", "start"))
    return "".join(parts)


def figure(cells: list[dict], names: dict[str, str]) -> str:
    """cells: of one seed, with regional results."""
    panels = {}
    for cell in sorted(cells, key=lambda c: (list(names).index(c["data"]), c["target"], list(COLOURS).index(c["source"]))):
        panels.setdefault((cell["data"], cell["target"]), []).append(cell)
    columns = max(1, (len(panels) + 1) // 2)
    rows = (len(panels) + columns - 1) // columns
    drawn = []
    for at, ((data, target), lines) in enumerate(panels.items()):
        # Directions of the same table stand below each other.
        x, y = at // rows * WIDTH, HEAD + at % rows * HEIGHT
        drawn.append(f'<g transform="translate({x} {y})">' + text(WIDTH / 2, TOP - 10, f"{names[data]}, to {target}", colour="#222")
                     + grid() + "".join(map(line, lines)) + text(WIDTH / 2, HEIGHT - 4, "rules") + "</g>")
    width, height = columns * WIDTH, HEAD + rows * HEIGHT
    sources = [source for source in COLOURS if any(cell["source"] == source for cell in cells)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n{legend(sources)}\n' + "\n".join(drawn) + "\n</svg>\n")
