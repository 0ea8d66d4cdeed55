"""The benchmark: ingest manuals, ask every question as a person would, measure, compare, report."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop.core.engine import follow
from desktop.core.errors import LibraryError
from desktop.core.evaluation import judge
from desktop.core.evaluation.cited import (
    LEAST_RECALL,
    cited_words,
    page_words,
    warnings_carried,
    words_in,
    words_inside,
)
from desktop.core.evaluation.figures import side_by_side
from desktop.core.evaluation.measures import Page, QuestionOutcome, conduct_of, figures, quantile
from desktop.core.events import CitationEvent, Event, ResultEvent
from desktop.core.geometry import Box
from desktop.core.jobs import CancelToken
from desktop.core.library.values import DocumentChanged, FileRefused, PassProgress

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from desktop.core.evaluation.figures import Column
    from desktop.core.evaluation.gold import GoldFile, GoldQuestion
    from desktop.core.settings.sections import Settings
    from desktop.core.workspace import Workspace

    Report = Mapping[str, Any]
    TimeSearches = Callable[[Workspace, Sequence[GoldQuestion]], Sequence[float]]
    OpenLibrary = Callable[[Settings, bool], AbstractContextManager[Workspace]]

_FOUND = 3
_LONGEST_ANSWER = 400


def report(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Return plain values: the figures, how each question went, and the failures.

    "overall", "by_kind" and "by_document": see `figures`. "questions": a row for each, see
    `question_row`. "failures": the rows of those whose page was not first, that were refused
    although the manuals answer them, or answered although they do not.
    """
    kinds: dict[str, list[QuestionOutcome]] = defaultdict(list)
    documents: dict[str, list[QuestionOutcome]] = defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.question.kind].append(outcome)
        if outcome.question.document is not None:
            documents[outcome.question.document].append(outcome)
    rows = [question_row(outcome) for outcome in outcomes]
    return {
        "overall": figures(outcomes),
        "by_kind": {kind: figures(group) for kind, group in sorted(kinds.items())},
        "by_document": {name: figures(group) for name, group in sorted(documents.items())},
        "failures": [row for row in rows if has_failed(row)],
        "questions": rows,
    }


def question_row(outcome: QuestionOutcome) -> dict[str, Any]:
    """Return how a question went. Pages are [file name, zero-based page].

    position: place of the first right page from 0, None if it was not found. found: the first
    pages. cited: the page of the first citation. answer: its beginning. fact_recall,
    region_recall, warned: None where they do not apply.
    """
    question, conduct = outcome.question, outcome.conduct
    return {
        "id": question.id,
        "kind": question.kind,
        "question": question.question,
        "gold": [list(page) for page in sorted(question.gold_pages())],
        "expected": question.answer,
        "found": [list(page) for page in outcome.ranked[:_FOUND]],
        "position": outcome.position,
        "answered": outcome.answered,
        "cited": list(outcome.cited) if outcome.cited else None,
        "answer": conduct.text[:_LONGEST_ANSWER] if conduct else "",
        "fact_recall": outcome.fact_recall,
        "region_recall": outcome.region_recall,
        "warned": outcome.warned,
        "milliseconds": round(outcome.milliseconds, 1),
    }


def has_failed(row: dict[str, Any]) -> bool:
    """Whether the page was not first, or what should be refused was answered or vice versa."""
    if row["gold"]:
        return row["position"] != 0 or not row["answered"]
    return bool(row["answered"])


class OldReportError(ValueError):
    """The file is no report of a bench; the message says why."""


@dataclass(frozen=True, slots=True)
class MeasureChange:
    """A figure then and now; None where it was not measured."""

    name: str
    old: float | None
    new: float | None

    @property
    def difference(self) -> float | None:
        """Now less then."""
        return None if self.old is None or self.new is None else self.new - self.old


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """A question that went differently from before. better, worse: what changed, in words."""

    id: str
    question: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """added, gone: ids of questions that only one of the reports has."""

    measures: tuple[MeasureChange, ...]
    questions: tuple[QuestionChange, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]


def read_report(path: Path) -> list[dict[str, Any]]:
    """Return the columns of a report that `--json` printed. Raises: OldReportError, OSError."""
    try:
        found = json.loads(path.read_bytes())
    except ValueError as error:
        raise OldReportError(f"{path.name} is not JSON: {error}") from error
    columns = found.get("columns", [found]) if isinstance(found, dict) else []
    if not columns or not all(isinstance(c, dict) and "overall" in c for c in columns):
        raise OldReportError(f"{path.name} is not what `groundwork bench --json` writes")
    return list(columns)


def same_column(old: list[dict[str, Any]], new: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the old column with the decider and profile of a new one; the only one otherwise."""
    wanted = (new.get("decider"), new.get("profile"))
    for column in old:
        if (column.get("decider"), column.get("profile")) == wanted:
            return column
    return old[0] if len(old) == 1 else None


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Compare two columns. Questions are told apart by their ids."""
    before, now = ({r["id"]: r for r in each.get("questions", ())} for each in (old, new))
    changes = (_changed(before[id_], row) for id_, row in now.items() if id_ in before)
    figures = side_by_side({"old": old, "new": new})
    return Comparison(
        tuple(MeasureChange(name, *values) for name, values in figures),
        tuple(change for change in changes if change.better or change.worse),
        tuple(id_ for id_ in now if id_ not in before),
        tuple(id_ for id_ in before if id_ not in now),
    )


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> QuestionChange:
    better: list[str] = []
    worse: list[str] = []
    for name, then, now, text in _aspects(old, new):
        if then is not None and now is not None and then != now:
            (better if now > then else worse).append(f"{name} {text}")
    return QuestionChange(new["id"], new["question"], tuple(better), tuple(worse))


def _aspects(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, str]]:
    """Yield name, value then, value now (more is better) and what is said of the change."""
    if new["gold"]:
        then, now = _place(old), _place(new)
        yield "page", -then, -now, f"{_ordinal(then)}, now {_ordinal(now)}"
    right = bool(new["gold"])
    then, now = old["answered"] == right, new["answered"] == right
    yield "answer", then, now, "answered" if new["answered"] else "refused"
    warned = (old.get("warned"), new.get("warned"))
    yield "warnings", *warned, "met" if new.get("warned") else "missed"
    for name, title in (("region_recall", "region"), ("fact_recall", "facts")):
        shares = (old.get(name), new.get(name))
        told = " to ".join("-" if each is None else f"{each:.0%}" for each in shares)
        yield title, *shares, told


_NOT_FOUND = 1_000


def _place(row: Mapping[str, Any]) -> int:
    return _NOT_FOUND if row["position"] is None else int(row["position"])


def _ordinal(place: int) -> str:
    return "not found" if place == _NOT_FOUND else f"at {place + 1}"


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
    overall = [[name, *map(two_digits, values)] for name, values in side_by_side(labelled)]
    lines += ["## Figures", "", *_table(["", *labelled], overall), ""]
    for label, report in labelled.items():
        lines += [f"## {label}", ""]
        for title, groups in (("kind", "by_kind"), ("manual", "by_document")):
            names = [name for name in TITLES if any(name in g for g in report[groups].values())]
            head = [title, *(TITLES[name] for name in names)]
            rows = [
                [key, *map(two_digits, map(group.get, names))]
                for key, group in report[groups].items()
            ]
            lines += [*_table(head, rows), ""]
        lines += list(_failures(report))
    return "\n".join(lines).rstrip() + "\n"


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


def two_digits(value: Any) -> str:
    """Return a number as a cell shows it."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) and value < 10 else f"{value:.0f}"


def _plain(text: Any) -> str:
    """Return text on one line in which Markdown finds nothing to do."""
    line = " ".join(str(text).split())
    for mark in "\\`*_[]<>|#":
        line = line.replace(mark, "\\" + mark)
    return line


Progress = Callable[[str], None]


class BenchError(LibraryError):
    """A manual that questions ask about is missing or could not be read."""


def run_bench(
    open_library: OpenLibrary,
    own: Settings,
    columns: Sequence[Column],
    gold: GoldFile,
    manuals: Path | None,
    progress: Progress,
    *,
    judged: bool = True,
    timed: TimeSearches | None = None,
) -> dict[str, Any]:
    """Ingest what is missing, ask every question once per column and return the figures.

    open_library: opens the library anew with given settings; own: those of the person.
    manuals: a folder of PDFs, None if everything is in the library. judged: a language model
        compares the answers with the expected ones, where there is one. timed: measures the
        milliseconds from question to ranked pages.

    Returns: "columns": a report for each that could be measured, "not_measured": why others
        were not, by label.
    Raises: BenchError, if a manual of the questions cannot be had; ModelError.
    """
    with open_library(own, False) as workspace:
        ingest_manuals(workspace, gold, manuals, progress)
    reports: list[dict[str, Any]] = []
    not_measured: dict[str, str] = {}
    for column in columns:
        with open_library(column.settings(own), True) as workspace:
            reason = column.impossible_in(workspace)
            if reason:
                not_measured[column.label] = reason
                continue
            if len(columns) > 1:
                progress(f"{column.label}:")
            outcomes = ask_all(workspace, gold, progress, judged=judged)
            times = sorted(timed(workspace, gold.questions)) if timed else []
        measured = report(outcomes)
        if times:
            measured["overall"]["search_p50_ms"] = round(quantile(times, 0.5), 1)
            measured["overall"]["search_p95_ms"] = round(quantile(times, 0.95), 1)
        reports.append({"decider": column.decider, "profile": column.profile, **measured})
    return {"columns": reports, "not_measured": not_measured}


def ask_all(
    workspace: Workspace, gold: GoldFile, progress: Progress, *, judged: bool = True
) -> list[QuestionOutcome]:
    """Ask every question in its order; a model judges the answers if there is one."""
    model = workspace.models.language() if judged else None
    outcomes = []
    for number, question in enumerate(gold.questions, 1):
        outcome = ask_one(workspace, question)
        conduct, expected = outcome.conduct, question.answer
        if model and conduct and conduct.answered and question.answerable and expected:
            score = judge.judged(model, question.question, expected, conduct.text)
            outcome = replace(outcome, judged=score)
        outcomes.append(outcome)
        if number % 10 == 0 or number == len(gold.questions):
            progress(f"asked {number} of {len(gold.questions)}")
    return outcomes


def ingest_manuals(
    workspace: Workspace, gold: GoldFile, manuals: Path | None, progress: Progress
) -> None:
    """Bring every PDF of the folder into the library and wait until all passes are done."""
    take_in(workspace, sorted(manuals.glob("*.pdf")) if manuals is not None else (), progress)
    ready = {d.name for d in workspace.library.documents() if d.state == "ready"}
    missing = sorted(gold.documents - ready)
    if missing:
        raise BenchError(f"not ready in the library: {', '.join(missing)}")


def take_in(workspace: Workspace, pdfs: Sequence[Path], progress: Progress) -> None:
    """Bring PDFs into the library and wait until all its passes are done."""
    if pdfs:
        workspace.ingestion.enqueue(list(pdfs))
    last = 0.0
    for event in workspace.ingestion.run(CancelToken()):
        match event:
            case PassProgress(pass_name=name, done=done, total=total) if time.time() - last > 5:
                last = time.time()
                progress(f"{name}: {done} of {total} pages")
            case DocumentChanged(document=document) if document.state in ("ready", "failed"):
                progress(f"{document.name}: {document.state} {document.reason}".rstrip())
            case FileRefused(path=path, reason=reason):
                progress(f"{path.name}: refused, {reason}")


def gather(
    workspace: Workspace,
    question: str,
    cancel: CancelToken | None = None,
    *,
    documents: frozenset[int] = frozenset(),
    history: Sequence[Mapping[str, str]] = (),
) -> list[Event]:
    """Ask and return every event, the last one included. Blocks.

    documents: the manuals that are asked, empty for all. history: what was said before, see
        `conversations.values.messages`; nothing of it or of this is kept.

    Raises: Cancelled.
    """

    def stream(token: CancelToken) -> AsyncGenerator[Event, None]:
        return workspace.orchestrator.run(
            question, document_ids=documents, cancel=token, conversation_history=history
        )

    cancel = cancel or CancelToken()
    start = (
        partial(workspace.engine.start, stream)
        if history
        else partial(workspace.ask, question, documents)
    )
    events = list(follow(start, cancel))
    cancel.check()
    return events


def ask_one(
    workspace: Workspace, question: GoldQuestion, cancel: CancelToken | None = None
) -> QuestionOutcome:
    """Ask one question and collect what its events say. Raises: Cancelled."""
    begin = time.perf_counter()
    events = gather(workspace, question.question, cancel)
    return outcome_of(workspace, question, events, (time.perf_counter() - begin) * 1000)


def outcome_of(
    workspace: Workspace, question: GoldQuestion, events: Sequence[Event], milliseconds: float
) -> QuestionOutcome:
    """Collect what the events of a question say."""
    citations = [
        cited_words(workspace, event, event.source.document)
        for event in events
        if isinstance(event, CitationEvent)
    ]
    conduct = conduct_of(events, partial(words_in, workspace.library))
    return QuestionOutcome(
        question,
        tuple(_ranked(events)),
        citations[0].page if citations else None,
        answered=conduct.answered,
        milliseconds=milliseconds,
        conduct=conduct,
        warned=warnings_carried(events, workspace.library.blocks),
        citations=tuple(citations),
        gold_words=tuple(_gold_words(workspace, question)),
    )


def _gold_words(
    workspace: Workspace, question: GoldQuestion
) -> Iterator[tuple[Page, frozenset[int]]]:
    """Yield the words in each gold region; a region in a picture without words is left out."""
    ids = {each.name: each.id for each in workspace.library.documents()}
    for region in question.regions:
        name = region.document or question.document
        if name in ids:
            words = page_words(workspace.library, ids[name], region.page)
            if inside := words_inside(words, [Box(*region.bbox)]):
                yield (name, region.page), inside


def _ranked(events: Sequence[Event]) -> list[Page]:
    """Return the pages of all searches in the order found, without repeats."""
    pages: dict[Page, None] = {}
    for event in events:
        if isinstance(event, ResultEvent) and event.payload_type == "pages":
            for found in event.objects:
                pages[(found["document"], found["page"])] = None
    return list(pages)
