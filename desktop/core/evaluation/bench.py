"""The benchmark: ingest manuals, ask every question as a person would, measure."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.core.errors import LibraryError
from desktop.core.evaluation.bench_report import report
from desktop.core.evaluation.cited import (
    cited_words,
    page_words,
    warnings_carried,
    words_in,
    words_inside,
)
from desktop.core.evaluation.conduct import conduct_of
from desktop.core.evaluation.judge import Judge
from desktop.core.evaluation.measures import Page, QuestionOutcome, quantile
from desktop.core.events import CitationEvent, CompleteEvent, Event, ResultEvent
from desktop.core.geometry import Box
from desktop.core.jobs import CancelToken
from desktop.core.library.values import DocumentChanged, FileRefused, PassProgress

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from desktop.core.evaluation.figures import Column
    from desktop.core.evaluation.gold import GoldFile, GoldQuestion
    from desktop.core.events import PageRegion
    from desktop.core.library.library import Library
    from desktop.core.settings import Settings
    from desktop.core.workspace import Workspace

    TimeSearches = Callable[[Workspace, Sequence[GoldQuestion]], Sequence[float]]
    OpenLibrary = Callable[[Settings, bool], AbstractContextManager[Workspace]]

Progress = Callable[[str], None]
_LOOK_SECONDS = 0.1
"""How often a cancel is looked for."""


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
    judge = Judge(model) if model is not None else None
    outcomes = []
    for number, question in enumerate(gold.questions, 1):
        outcome = ask_one(workspace, question)
        outcomes.append(outcome if judge is None else with_judgement(outcome, judge))
        if number % 10 == 0 or number == len(gold.questions):
            progress(f"asked {number} of {len(gold.questions)}")
    return outcomes


def with_judgement(outcome: QuestionOutcome, judge: Judge) -> QuestionOutcome:
    """Have an answer judged; what was refused, or has no expected answer, is not."""
    question, conduct = outcome.question, outcome.conduct
    if conduct is None or not conduct.answered or not question.answerable or not question.answer:
        return outcome
    judgement = judge.judge(question.question, question.answer, conduct.text)
    return replace(outcome, judgement=judgement)


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
    events: list[Event] = []
    if history:

        def stream(token: CancelToken) -> AsyncGenerator[Event, None]:
            return workspace.orchestrator.run(
                question, document_ids=documents, cancel=token, conversation_history=history
            )

        handle = workspace.engine.start(stream, events.append, lambda: None)
    else:
        handle = workspace.ask(question, documents, events.append, lambda: None)
    while not handle.wait(_LOOK_SECONDS):
        if cancel is not None and cancel.cancelled:
            handle.cancel()
    if cancel is not None:
        cancel.check()
    return events


def library_region_text(library: Library) -> Callable[[PageRegion], str]:
    """Return what looks up the words of a region in a library."""
    return lambda region: words_in(region, library.page_words)


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
    done = last_event(events)
    return QuestionOutcome(
        question,
        tuple(_ranked(events)),
        citations[0].page if citations else None,
        answered=done is not None and done.answered,
        milliseconds=milliseconds,
        conduct=conduct_of(events, library_region_text(workspace.library)),
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
            words = page_words(workspace, ids[name], region.page)
            if inside := words_inside(words, [Box(*region.bbox)]):
                yield (name, region.page), inside


def last_event(events: Sequence[Event]) -> CompleteEvent | None:
    """Return what ended a question; None if it never ended."""
    return next((each for each in reversed(events) if isinstance(each, CompleteEvent)), None)


def _ranked(events: Sequence[Event]) -> list[Page]:
    """Return the pages of all searches in the order found, without repeats."""
    pages: dict[Page, None] = {}
    for event in events:
        if isinstance(event, ResultEvent) and event.payload_type == "pages":
            for found in event.objects:
                pages[(found["document"], found["page"])] = None
    return list(pages)
