"""A bench as Markdown for people: figures by kind and manual, and every question that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.columns import side_by_side
from desktop.core.evaluation.region_measures import LEAST_RECALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Report = Mapping[str, Any]

TITLES = {
    "hit@1": "Hit@1",
    "hit@5": "Hit@5",
    "mrr": "MRR",
    "both_pages@5": "both pages in 5",
    "region_recall": "region recall",
    "region_precision": "region precision",
    "region_recall_when_first": "region recall, page first",
    "region_covered_when_first": "region covered, page first",
    "fact_recall": "fact recall",
    "refusal_precision": "refusal precision",
    "refusal_recall": "refusal recall",
    "warnings_carried": "warnings carried",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "n": "n",
}
"""The columns of a table by kind, and how they are called."""


def markdown(reports: Sequence[Report], about: Sequence[str] = ()) -> str:
    """Return the report. about: lines that say what was measured, and where."""
    lines = ["# Bench", "", *(f"- {_plain(line)}" for line in about), ""]
    labelled = {f"{report['decider']}, {report['profile']}": report for report in reports}
    lines += ["## Figures", "", *_table(["", *labelled], _overall(labelled)), ""]
    for label, report in labelled.items():
        lines += [f"## {label}", ""]
        for title, groups in (("kind", "by_kind"), ("manual", "by_document")):
            names = [name for name in TITLES if any(name in g for g in report[groups].values())]
            head = [title, *(TITLES[name] for name in names)]
            rows = [
                [key, *map(_number, map(group.get, names))] for key, group in report[groups].items()
            ]
            lines += [*_table(head, rows), ""]
        lines += list(_failures(report))
    return "\n".join(lines).rstrip() + "\n"


def _overall(labelled: Mapping[str, Report]) -> list[list[str]]:
    return [[name, *map(_number, values)] for name, values in side_by_side(labelled)]


def _failures(report: Report) -> Iterator[str]:
    failures = [row for row in report.get("questions", ()) if shortcomings(row)]
    yield f"### Questions that failed: {len(failures)} of {len(report.get('questions', ()))}"
    yield ""
    for row in failures:
        yield f"#### {_plain(row['id'])} ({_plain(row['kind'])})"
        yield ""
        yield f"{_plain(row['question'])}"
        yield ""
        yield f"- Failed: {', '.join(shortcomings(row))}"
        expected = f": {_plain(row['expected'])}" if row["expected"] else ""
        yield f"- Expected: {_pages(row['gold']) or 'that it is not in the manuals'}{expected}"
        yield f"- Found instead: {_pages(row['found']) or 'no page'}"
        said = _plain(row["answer"]) or "nothing"
        cited = f", citing {_pages([row['cited']])}" if row["cited"] else ""
        yield f"- Answered: {said}{cited}" if row["answered"] else "- Refused"
        yield ""


def shortcomings(row: Mapping[str, Any]) -> list[str]:
    """Return in words what went wrong with a question; nothing if all went well."""
    if not row["gold"]:
        return ["answered, although the manuals do not"] if row["answered"] else []
    found = []
    if row["position"] is None:
        found.append("right page not found")
    elif row["position"]:
        found.append(f"right page at place {row['position'] + 1}")
    if not row["answered"]:
        return [*found, "refused, although the manuals answer it"]
    if row["region_recall"] is not None and row["region_recall"] < LEAST_RECALL:
        found.append(f"{row['region_recall']:.0%} of the region")
    if row["fact_recall"] is not None and row["fact_recall"] < 1:
        found.append(f"{row['fact_recall']:.0%} of the facts")
    if row["warned"] is False:
        found.append("warnings of the cited section missing")
    return found


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(_plain(cell) for cell in row) + " |" for row in cells]


def _pages(pages: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{_plain(document)} page {page + 1}" for document, page in pages)


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) and value < 10 else f"{value:.0f}"


def _plain(text: Any) -> str:
    """Return text on one line in which Markdown finds nothing to do."""
    line = " ".join(str(text).split())
    for mark in "\\`*_[]<>|#":
        line = line.replace(mark, "\\" + mark)
    return line
