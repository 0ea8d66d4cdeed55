"""docs/figures.md, made from the last result of each bench."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.evaluation.figures import BenchResult, Figure, limit_text, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "figures"
"""The last results, a JSON file for each bench."""

_BEGINNING = """# Figures

The last result of each bench. Made by `python -m scripts.bench page` from `docs/figures/*.json`; do
not edit it. `python -m scripts.bench NAME --keep` measures again. A baseline is of the same run.
What the reader gets right on manuals it never saw is in [reader.md](reader.md), what kills and
damage were tried in [reliability.md](reliability.md).
"""


def write_page() -> str:
    """Write the page; returns where."""
    path = DOCS / "figures.md"
    path.write_text(page(last_results()), encoding="utf-8")
    return str(path)


def last_results() -> list[BenchResult]:
    """Read the kept results, in the order of their names.

    Raises: ValidationError, if a file holds something else.
    """
    return [
        BenchResult.model_validate_json(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    ]


def page(results: Iterable[BenchResult]) -> str:
    """Return the page as Markdown."""
    parts = [_BEGINNING]
    for each in results:
        rows = "\n".join(_row(figure) for figure in each.figures)
        details = "".join(f"\n- {detail}" for detail in each.details)
        charts = "".join(map(_chart, _growing(each.figures)))
        parts.append(
            f"## {each.bench}\n\n{each.about[0].upper()}{each.about[1:]}. {each.measured_at},"
            f" {each.machine}. Baseline: {each.baseline}.\n\n"
            "| | measured | baseline | limit |\n|---|---|---|---|\n"
            f"{rows}\n{details}\n{charts}".rstrip()
            + "\n"
        )
    return "\n".join(parts)


_SIZED = re.compile(r"(?P<size>[\d,]+ \w+), (?P<name>.*(?:median|95th percentile|file))")
"""What grows with a library: "10,000 passages, processor, median"."""


def _growing(figures: Sequence[Figure]) -> list[list[tuple[str, str, Figure]]]:
    """Return size, name and figure of everything that was measured at three sizes or more."""
    found = defaultdict[str, list[tuple[str, str, Figure]]](list)
    for figure in figures:
        if sized := _SIZED.fullmatch(figure.name):
            found[sized["name"]].append((sized["size"], sized["name"], figure))
    return [points for points in found.values() if len(points) >= 3]


def _chart(points: Sequence[tuple[str, str, Figure]]) -> str:
    """Return a chart that GitHub and other viewers of Markdown draw (mermaid)."""
    sizes = ", ".join(f'"{size}"' for size, _, _ in points)
    values = ", ".join(f"{figure.value:.4g}" for _, _, figure in points)
    _, name, first = points[0]
    return (
        f'\n```mermaid\nxychart-beta\n    title "{name}"\n    x-axis [{sizes}]\n'
        f'    y-axis "{first.unit}"\n    line [{values}]\n```\n'
    )


def _row(figure: Figure) -> str:
    value = f"{number(figure.value)} {figure.unit}".strip()
    baseline = "" if figure.baseline is None else number(figure.baseline)
    missed = "" if figure.met else " (missed)"
    return f"| {figure.name} | {value} | {baseline} | {limit_text(figure)}{missed} |"
