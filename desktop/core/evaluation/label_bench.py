"""Asking labelled questions of a library, beside the baselines that search the same library."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.conversations.history import messages
from desktop.core.evaluation.bench import BenchError, gather, last_event, take_in
from desktop.core.evaluation.cited import cited_words
from desktop.core.evaluation.label_measures import (
    GivenAnswer,
    LabelOutcome,
    ahead,
    figures,
    grouped,
    outcome_row,
    plain_figures,
    refusals,
)
from desktop.core.evaluation.labels import find_manuals
from desktop.core.events import CitationEvent, ConfidenceEvent, ResultEvent, RevisedText
from desktop.core.quantities import as_the_source_says

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from desktop.core.evaluation.baselines import Baseline
    from desktop.core.evaluation.label_measures import LabelPage
    from desktop.core.evaluation.labels import (
        LabelledManual,
        LabelledQuestion,
        Labels,
        QuestionPart,
        WordPlace,
    )
    from desktop.core.events import Event
    from desktop.core.workspace import Workspace

    Progress = Callable[[str], None]

OURS = "Groundwork"


@dataclass(frozen=True, slots=True)
class LabelRun:
    """What was measured. systems: the outcomes of each, in the order of the questions.

    missing: manuals of the split that the library does not have. unfit: questions whose words
    are not on their pages as this library read them; nobody was asked those.
    """

    systems: dict[str, list[LabelOutcome]]
    missing: tuple[LabelledManual, ...]
    unfit: tuple[str, ...]

    def report(self) -> dict[str, Any]:
        """Return everything as plain values: figures, groups, refusal curve, each question."""
        return {
            "systems": {name: plain_figures(figures(each)) for name, each in self.systems.items()},
            "groups": {
                group: {
                    part: {system: plain_figures(found) for system, found in by_system.items()}
                    for part, by_system in parts.items()
                }
                for group, parts in grouped(self.systems).items()
            },
            "ahead": {
                name: plain_figures(ahead(self.systems[OURS], each))
                for name, each in self.systems.items()
                if name != OURS
            },
            "refusals": refusals(self.systems.get(OURS, [])),
            "missing": [
                {"slug": each.slug, "sha256": each.sha256, "origin": each.origin}
                for each in self.missing
            ],
            "unfit": list(self.unfit),
            "questions": [outcome_row(each) for each in self.systems.get(OURS, [])],
        }


def take_in_manuals(
    workspace: Workspace, labels: Labels, pdfs: Path, progress: Progress
) -> tuple[LabelledManual, ...]:
    """Bring the manuals that are among the PDFs into the library; returns the others."""
    found = find_manuals(labels.manuals, pdfs)
    take_in(workspace, sorted(found.paths.values()), progress)
    return found.missing


def run_labels(
    workspace: Workspace, labels: Labels, baselines: Sequence[Baseline], progress: Progress
) -> LabelRun:
    """Ask every question of the manuals that are ready in the library, and rank it plainly too.

    A question of scope "manual" is asked of its manual alone, by every system.

    Raises: BenchError, if no manual of the labels is ready.
    """
    ready = {
        each.sha256: each.id for each in workspace.library.documents() if each.state == "ready"
    }
    documents = {each.slug: ready[each.sha256] for each in labels.manuals if each.sha256 in ready}
    missing = tuple(each for each in labels.manuals if each.sha256 not in ready)
    if not documents:
        raise BenchError("no manual of these labels is ready in the library")
    asker = LabelAsker(workspace, documents)
    asked, unfit = [], []
    for manual in labels.manuals:
        for question in labels.questions.get(manual.slug, ()) if manual.slug in documents else ():
            if asker.fits(manual, question):
                asked.append((manual, question))
            else:
                unfit.append(f"{manual.slug} {question.id}")
    systems: dict[str, list[LabelOutcome]] = {OURS: []}
    for number, (manual, question) in enumerate(asked, 1):
        systems[OURS].append(asker.ask(manual, question))
        for baseline in baselines:
            ranked = asker.rank(baseline, manual, question)
            systems.setdefault(baseline.name, []).append(ranked)
        if number % 25 == 0 or number == len(asked):
            progress(f"asked {number} of {len(asked)}")
    return LabelRun(systems, missing, tuple(unfit))


class LabelAsker:
    """Asks labelled questions of one library. documents: its ids, by the slug of the manual."""

    def __init__(self, workspace: Workspace, documents: Mapping[str, int]) -> None:
        self._workspace = workspace
        self._documents = documents
        self._slugs = {document: slug for slug, document in documents.items()}

    def fits(self, manual: LabelledManual, question: LabelledQuestion) -> bool:
        """Whether the words that answer are on their pages, as this library read them."""
        document = self._documents[manual.slug]
        places = [place for part in question.asked for place in part.places]
        return all(
            place.page < manual.pages
            and max(place.indices) < len(self._workspace.library.page_words(document, place.page))
            for place in places
        )

    def ask(self, manual: LabelledManual, question: LabelledQuestion) -> LabelOutcome:
        """Ask a question as a person would; one with a history after its previous question.

        The time is that of the question alone.
        """
        scope = self._scope(manual, question)
        before: list[dict[str, str]] = []
        if question.history:
            events = gather(self._workspace, question.history, documents=scope)
            before = messages([(question.history, RevisedText(events).text)])
        began = time.perf_counter()
        events = gather(self._workspace, question.question, documents=scope, history=before)
        seconds = time.perf_counter() - began
        return LabelOutcome(
            manual,
            question,
            self._ranked(events),
            seconds,
            self._answer(events),
            tuple(self._expected(manual, part) for part in question.answered_parts),
        )

    def rank(
        self, baseline: Baseline, manual: LabelledManual, question: LabelledQuestion
    ) -> LabelOutcome:
        """Have a baseline rank the pages; a history stands before the question."""
        text = f"{question.history} {question.question}".strip()
        began = time.perf_counter()
        pages = baseline.rank(text, self._scope(manual, question))
        seconds = time.perf_counter() - began
        ranked = tuple((self._slugs.get(document, ""), page) for document, page in pages)
        return LabelOutcome(manual, question, ranked, seconds)

    def _expected(self, manual: LabelledManual, part: QuestionPart) -> tuple[str, ...]:
        document = self._documents[manual.slug]
        found = (
            as_the_source_says(place.value, self._text(document, place))
            for place in part.answers
            if place.value
        )
        return tuple(dict.fromkeys(value for value in found if value))

    def _text(self, document: int, place: WordPlace) -> str:
        """Return the words of a place, those of each line of the page on a line."""
        words = self._workspace.library.page_words(document, place.page)
        lines: dict[int, list[str]] = defaultdict(list)
        for index in sorted(place.indices):
            lines[int(words.lines[index])].append(words.texts[index])
        return "\n".join(" ".join(line) for line in lines.values())

    def _scope(self, manual: LabelledManual, question: LabelledQuestion) -> frozenset[int]:
        if question.scope == "manual":
            return frozenset({self._documents[manual.slug]})
        return frozenset()

    def _ranked(self, events: Sequence[Event]) -> tuple[LabelPage, ...]:
        pages: dict[tuple[int, int], LabelPage] = {}
        for event in events:
            if isinstance(event, ResultEvent) and event.payload_type == "pages":
                for found in event.objects:
                    slug = self._slugs.get(found["document_id"], "")
                    pages[found["document_id"], found["page"]] = (slug, found["page"])
        return tuple(pages.values())

    def _answer(self, events: Sequence[Event]) -> GivenAnswer:
        last = last_event(events)
        stated = [event.value for event in events if isinstance(event, ConfidenceEvent)]
        return GivenAnswer(
            last is not None and last.answered,
            RevisedText(events).text,
            stated[-1] if stated else None,
            tuple(
                cited_words(self._workspace, event, self._slugs.get(event.source.document_id, ""))
                for event in events
                if isinstance(event, CitationEvent)
            ),
        )
