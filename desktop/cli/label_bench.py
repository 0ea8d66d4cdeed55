"""`groundwork bench` with a folder of labels: one table beside the baselines, then the groups."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from desktop.cli.options import Refused, opened_workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.core.evaluation.figures import Column
    from desktop.core.evaluation.label_bench import Baseline
    from desktop.core.evaluation.labels import LabelledManual, Labels, Split
    from desktop.core.workspace import Workspace
    from desktop.models.roles import TextEmbedder

    Say = Callable[[str], None]

TITLES = {
    "hit@1": "Hit@1",
    "hit@5": "Hit@5",
    "mrr": "MRR",
    "facts": "facts",
    "region_recall": "region recall",
    "region_precision": "region precis.",
    "refused_right": "refused right",
    "refused_wrong": "refused wrong",
    "calibration_error": "calibr. error",
    "seconds_p50": "s p50",
    "seconds_p95": "s p95",
}
"""The columns, and how they are called."""

_MORE = {
    "region_hit": "all gold words covered",
    "gold_share": "marked words that are gold",
    "region_recall_when_first": "region recall, page first",
    "region_precision_when_first": "region precision, page first",
    "region_hit_when_first": "all gold words covered, page first",
    "gold_share_when_first": "marked words that are gold, page first",
}
"""Figures of the answers alone, told below the table."""

_LABEL_WIDTH, _INTERVAL_WIDTH = 16, 7
_LEAST_WIDTH = 132
"""Columns of the terminal that the table needs, in a file or a pipe as well."""


def bench_labels(
    folder: Path,
    split: Split,
    library: Path | None,
    pdfs: Path | None,
    column: Column,
    say: Say,
    *,
    as_json: bool,
) -> None:
    """Ask the questions of a split and print what came of it.

    library: a temporary one without. pdfs: where manuals are that the library lacks. column:
        what decides, and with which models.

    Raises: Refused, if the labels cannot be used or no manual of theirs can be had.
    """
    from desktop.app import load_user_settings
    from desktop.core.evaluation.bench import BenchError
    from desktop.core.evaluation.label_bench import run_labels, take_in_manuals
    from desktop.core.evaluation.labels import LabelFileError, read_labels

    try:
        labels = read_labels(folder, split)
    except (LabelFileError, OSError) as error:
        raise Refused(f"The labels cannot be used: {error}") from error
    own = load_user_settings().settings
    with ExitStack() as stack:
        place = library or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="groundwork-bench-"))
        )
        if pdfs is not None:
            with opened_workspace(place, settings=own) as workspace:
                take_in_manuals(workspace, labels, pdfs, say)
        workspace = stack.enter_context(
            opened_workspace(place, read_only=True, settings=column.settings(own))
        )
        reason = column.impossible_in(workspace)
        if reason:
            raise Refused(f"{column.label}: not measured, {reason}")
        try:
            run = run_labels(workspace, labels, _baselines(workspace, say), say)
        except BenchError as error:
            raise Refused(f"{error}.\n{_missing(labels.manuals)}") from error
    if run.missing:
        say(f"Not measured, because they are not in the library:\n{_missing(run.missing)}")
    if run.unfit:
        say(f"Not asked, because their words are not on the page: {', '.join(run.unfit)}")
    report = {"split": split, "measured": column.label, **_counts(labels), **run.report()}
    if as_json:
        sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    else:
        print_labels(report)


def print_labels(report: Mapping[str, Any]) -> None:
    """Print the table of the systems, the refusal curve, and the groups."""
    console = Console(width=max(_LEAST_WIDTH, Console().width))
    systems = report["systems"]
    title = f"{report['split']} split, {report['measured']}: value, 95 % interval, n"
    console.print(_table(title, "", systems))
    for name, text in _MORE.items():
        told = [f"{system} {_line(found.get(name))}" for system, found in systems.items()]
        told = [each for each in told if not each.endswith(" -")]
        if told:
            console.print(f"{text}: {', '.join(told)}", markup=False, highlight=False)
    for baseline, found in report["ahead"].items():
        told = [f"{TITLES[name]} {_line(each)}" for name, each in found.items()]
        console.print(f"ahead of {baseline}: {', '.join(told)}", markup=False, highlight=False)
    curve = report["refusals"]
    if None not in curve["unanswerable_refused"]:
        pairs = zip(curve["answerable_refused"], curve["unanswerable_refused"], strict=True)
        told = [f"{price:.0%}: {share:.0%}" for price, share in pairs]
        console.print(
            f"unanswerable refused, if of the answerable so many are: {', '.join(told)}",
            markup=False,
            highlight=False,
        )
    for group, parts in report["groups"].items():
        rows = {
            f"{part}, {system}": found
            for part, by_system in parts.items()
            for system, found in by_system.items()
        }
        console.print(_table(f"By {group}", group, rows))


def _table(title: str, corner: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(title=title, box=SIMPLE, show_lines=True)
    table.add_column(corner, min_width=_LABEL_WIDTH)
    for name in TITLES.values():
        table.add_column(name, no_wrap=" " not in name, min_width=_INTERVAL_WIDTH)
    for name, found in rows.items():
        table.add_row(name, *(_cell(found.get(key)) for key in TITLES))
    return table


def _cell(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "-"
    lines = [_short(found["value"])]
    if found["low"] is not None:
        lines.append(f"{_short(found['low'])}–{_short(found['high'])}")
    return "\n".join([*lines, f"n {found['n']}"])


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def _line(found: Mapping[str, Any] | None) -> str:
    return _cell(found).replace("\n", ", ")


def _counts(labels: Labels) -> dict[str, int]:
    asked = [question for found in labels.questions.values() for question in found]
    return {
        "manuals": len(labels.manuals),
        "labelled": len(asked),
        "unanswerable": sum(not question.answerable for question in asked),
    }


def _missing(manuals: Sequence[LabelledManual]) -> str:
    return "\n".join(f"  {each.slug}: {each.origin} ({each.sha256[:12]})" for each in manuals)


def _baselines(workspace: Workspace, say: Say) -> list[Baseline]:
    from desktop.core.evaluation.label_bench import LibraryText, PageBm25, PlainSum

    text = LibraryText.read(workspace.database)
    if text.without_vector:
        say(f"{text.without_vector} windows of the library have no vector yet, for any search.")
    found: list[Baseline] = [PageBm25(text)]
    embedder = _embedder_of(workspace, text.model_id)
    if embedder is None:
        say("The plain sum is not measured: the text model of the library's vectors is not here.")
    else:
        found.append(PlainSum(text, embedder))
    return found


def _embedder_of(workspace: Workspace, model_id: str) -> TextEmbedder | None:
    """Return the model that made the library's vectors; another one's cannot be compared."""
    from desktop.models.built_in import load_text_embedder
    from desktop.models.errors import ModelError

    embedder = workspace.models.text()
    if embedder is None:
        try:
            embedder = load_text_embedder()
        except ModelError:
            return None
    return embedder if embedder.model_id == model_id else None
