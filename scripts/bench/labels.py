"""Ask labelled questions on real manuals of a library, beside searches of the same library.

    python -m scripts.bench labels scripts/labels --manuals PDFS [--library FOLDER] [--split choose]

By words, values and stated chances. Manuals are known by their hash, and missing ones are named;
--manuals may have folders inside. --report FILE writes all measures as JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, get_args

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from desktop.app import load_user_settings, open_workspace
from desktop.core.conversations.values import messages
from desktop.core.evaluation.bench import BenchError, gather, take_in
from desktop.core.evaluation.cited import cited_words
from desktop.core.evaluation.figures import Column, DeciderName
from desktop.core.evaluation.figures import Figure as FoundFigure
from desktop.core.evaluation.measures import last_event
from desktop.core.events import CitationEvent, ConfidenceEvent, ResultEvent, RevisedText
from desktop.core.quantities import as_the_source_says
from desktop.models.built_in import load_text_embedder
from desktop.models.errors import ModelError
from scripts.bench.label_files import SPLITS, LabelFileError, find_manuals, read_labels
from scripts.bench.label_measures import (
    GivenAnswer,
    LabelOutcome,
    ahead,
    figures,
    grouped,
    outcome_row,
    plain_figures,
    refusals,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.events import Event
    from desktop.core.store.database import Database
    from desktop.core.workspace import Workspace
    from desktop.models.roles import PassageEmbedder
    from scripts.bench.label_files import (
        LabelledManual,
        LabelledQuestion,
        Labels,
        ManualSource,
        QuestionPart,
        WordPlace,
    )
    from scripts.bench.label_measures import LabelPage

    Progress = Callable[[str], None]

PageKey = tuple[int, int]
"""A document's id and a zero-based page index."""

_K1, _B = 1.2, 0.75
_NORMALISED_OVER = 50
"""Pages: the best one gets 1, the last of so many 0 (as in the spike that this was taken from)."""


class Baseline(Protocol):
    """Ranks pages of a library for a question."""

    name: str

    def rank(self, question: str, documents: frozenset[int]) -> list[PageKey]:
        """Return the pages found, best first; empty `documents` means all."""


class Bm25:
    """BM25 over texts (Robertson, Zaragoza 2009), k1 1.2 and b 0.75."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(_words(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], float)
        self._norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean() if counts else 0, 1))
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for word, times in count.items():
                postings[word].append((index, times))
        self._postings = {word: np.array(found) for word, found in postings.items()}

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return a score of each text, shape (n,); 0 where it shares no word."""
        scores = np.zeros(len(self._norms))
        for word in sorted(set(_words(question)) & self._postings.keys()):
            rows, times = self._postings[word].T
            rarity = np.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
            scores[rows] += rarity * times * (_K1 + 1) / (times + self._norms[rows])
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class LibraryText:
    """What the baselines read: units in order of their ids, and the vectors of windows.

    unit_pages, window_pages: the page of each. texts: without headings; contexts: those.
    vectors: float32, shape (windows, dimension); model_id: whose they are, "" without any.
    without_vector: how many windows have none yet, and so are not searched.
    """

    unit_pages: tuple[PageKey, ...]
    texts: tuple[str, ...]
    contexts: tuple[str, ...]
    window_pages: tuple[PageKey, ...]
    vectors: NDArray[np.float32]
    model_id: str
    without_vector: int

    @classmethod
    def read(cls, database: Database) -> LibraryText:
        """Read a library. Blocks."""
        return database.read(_library_text)


class PageBm25:
    """BM25 over the words of whole pages."""

    name = "BM25 pages"

    def __init__(self, library: LibraryText) -> None:
        pages: dict[PageKey, list[str]] = defaultdict(list)
        for page, text in zip(library.unit_pages, library.texts, strict=True):
            pages[page].append(text)
        self._pages = tuple(pages)
        self._index = Bm25([" ".join(texts) for texts in pages.values()])

    def rank(self, question: str, documents: frozenset[int]) -> list[PageKey]:
        """See `Baseline`."""
        return _ranked(self.scores(question, documents))

    def scores(self, question: str, documents: frozenset[int]) -> dict[PageKey, float]:
        """Return the score of each page that shares a word with the question."""
        return _best_of_pages(self._pages, self._index.scores(question), documents, above=0.0)


class PlainSum:
    """The sum of page BM25, unit BM25 and dense windows, each normalised from 0 to 1."""

    name = "plain sum"

    def __init__(self, library: LibraryText, embedder: PassageEmbedder) -> None:
        self._library = library
        self._embedder = embedder
        self._page_search = PageBm25(library)
        both = zip(library.contexts, library.texts, strict=True)
        self._units = Bm25([f"{context} {text}" for context, text in both])

    def rank(self, question: str, documents: frozenset[int]) -> list[PageKey]:
        """See `Baseline`."""
        library = self._library
        (vector,) = self._embedder.embed_queries([question])
        near = library.vectors @ vector
        total: dict[PageKey, float] = defaultdict(float)
        for scores in (
            self._page_search.scores(question, documents),
            _best_of_pages(library.unit_pages, self._units.scores(question), documents, above=0.0),
            _best_of_pages(library.window_pages, near, documents, above=-np.inf),
        ):
            for page, score in _normalised(scores).items():
                total[page] += score
        return _ranked(total)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _best_of_pages(
    pages: Sequence[PageKey],
    scores: NDArray[np.floating],
    documents: frozenset[int],
    *,
    above: float,
) -> dict[PageKey, float]:
    best: dict[PageKey, float] = {}
    for index in np.flatnonzero(scores > above).tolist():
        page, score = pages[index], float(scores[index])
        if (not documents or page[0] in documents) and score > best.get(page, -np.inf):
            best[page] = score
    return best


def _normalised(scores: dict[PageKey, float]) -> dict[PageKey, float]:
    first = sorted(scores.values(), reverse=True)[:_NORMALISED_OVER]
    if not first:
        return {}
    span = first[0] - first[-1] + 1e-9
    return {page: (score - first[-1]) / span for page, score in scores.items()}


def _ranked(scores: dict[PageKey, float]) -> list[PageKey]:
    return sorted(scores, key=lambda page: (-scores[page], page))


def _library_text(connection: apsw.Connection) -> LibraryText:
    units: list[Any] = connection.execute(
        "SELECT document_id, page, text, context FROM units WHERE NOT embed ORDER BY id"
    ).fetchall()
    models = connection.execute("SELECT model_id, dimension FROM vector_models").fetchall()
    windows: list[Any] = (
        connection.execute(
            "SELECT u.document_id, u.page, v.vector FROM unit_vectors AS v"
            " JOIN units AS u ON u.id = v.unit_id ORDER BY u.id"
        ).fetchall()
        if models
        else []
    )
    windows_read: list[Any] = connection.execute(
        "SELECT count(*) FROM units WHERE embed"
    ).fetchall()
    vectors = [np.frombuffer(vector, "<f2").astype(np.float32) for _, _, vector in windows]
    return LibraryText(
        tuple((document, page) for document, page, _, _ in units),
        tuple(text for _, _, text, _ in units),
        tuple(context for _, _, _, context in units),
        tuple((document, page) for document, page, _ in windows),
        np.stack(vectors) if vectors else np.zeros((0, 0), np.float32),
        str(models[0][0]) if vectors else "",
        windows_read[0][0] - len(vectors),
    )


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
) -> tuple[ManualSource, ...]:
    """Bring the manuals that are among the PDFs into the library; returns the others."""
    found = find_manuals(labels.manuals, pdfs)
    take_in(workspace, sorted(found.paths.values()), progress)
    return found.missing


def run_labels(
    workspace: Workspace,
    labels: Labels,
    baselines: Sequence[Baseline],
    progress: Progress,
    beside: int = 0,
) -> LabelRun:
    """Ask every question of the manuals that are ready in the library, and rank it plainly too.

    beside: a question of scope "manual" is asked of its manual and of so many others, by every
    system.

    Raises: BenchError, if no manual of the labels is ready.
    """
    ready = {
        each.sha256: each.id for each in workspace.library.documents() if each.state == "ready"
    }
    documents = {each.slug: ready[each.sha256] for each in labels.manuals if each.sha256 in ready}
    missing = tuple(each for each in labels.manuals if each.sha256 not in ready)
    if not documents:
        raise BenchError("no manual of these labels is ready in the library")
    asker = LabelAsker(workspace, documents, beside)
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
    """Asks labelled questions of one library.

    documents: its ids, by the slug of the manual. beside: as for `run_labels`.
    """

    def __init__(self, workspace: Workspace, documents: Mapping[str, int], beside: int = 0) -> None:
        self._workspace = workspace
        self._beside = beside
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
        """Return the documents that are asked, none for all. Others are drawn by the question."""
        if question.scope != "manual":
            return frozenset()
        own = self._documents[manual.slug]
        drawn = sorted(
            (hashlib.sha256(f"{question.id} {slug}".encode()).digest(), document)
            for slug, document in self._documents.items()
            if document != own
        )
        return frozenset({own, *(document for _, document in drawn[: self._beside])})

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


BASELINE = "BM25 over pages, and a plain sum of three searches, of the same library"

TITLES = {
    "hit@1": "Hit@1",
    "hit@5": "Hit@5",
    "mrr": "MRR",
    "manual@1": "manual@1",
    "facts": "facts",
    "region_recall": "region recall",
    "region_precision": "region precis.",
    "refused_right": "refused right",
    "refused_wrong": "refused wrong",
    "calibration_error": "calibr. error",
    "calibration_error_of_perfect": "of perfect",
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


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the labels, the library and what decides."""
    parser.add_argument("labels", type=Path, help="a folder of labels")
    parser.add_argument("--manuals", type=Path, help="where manuals are that the library lacks")
    parser.add_argument("--library", type=Path, help="default: a temporary one")
    parser.add_argument("--split", choices=SPLITS, default="choose")
    parser.add_argument("--beside", type=int, default=0, help="other manuals asked with each one")
    parser.add_argument("--decider", choices=get_args(DeciderName), default="rules")
    parser.add_argument("--profile", default="lite", help="which models")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write all measures there")


def measure(options: argparse.Namespace) -> tuple[list[FoundFigure], list[str]]:
    """Ask the questions of a split, and print its tables.

    Raises: SystemExit, if the labels cannot be used or no manual of theirs can be had.
    """
    try:
        labels = read_labels(options.labels, options.split)
    except (LabelFileError, OSError) as error:
        raise SystemExit(f"The labels cannot be used: {error}") from error
    own = load_user_settings().settings
    column = Column(options.decider, options.profile)
    with ExitStack() as stack:
        place = options.library or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="groundwork-bench-"))
        )
        if options.manuals is not None:
            with closing(open_workspace(place, settings=own)) as workspace:
                take_in_manuals(workspace, labels, options.manuals, _say)
        workspace = stack.enter_context(
            closing(open_workspace(place, read_only=True, settings=column.settings(own)))
        )
        reason = column.impossible_in(workspace)
        if reason:
            raise SystemExit(f"{column.label}: not measured, {reason}")
        try:
            run = run_labels(workspace, labels, _baselines(workspace), _say, options.beside)
        except BenchError as error:
            raise SystemExit(f"{error}.\n{_missing(labels.manuals)}") from error
    if run.missing:
        _say(f"Not measured, because they are not in the library:\n{_missing(run.missing)}")
    if run.unfit:
        _say(f"Not asked, because their words are not on the page: {', '.join(run.unfit)}")
    how = {"split": options.split, "beside": options.beside, "measured": column.label}
    report = {**how, **_counts(labels), **run.report()}
    print_labels(report)
    if options.report is not None:
        text = json.dumps(report, indent=1, ensure_ascii=False)
        options.report.write_text(text + "\n", encoding="utf-8")
    return _figures(report["systems"]), [f"{report['labelled']} labelled questions, {column.label}"]


def _figures(systems: Mapping[str, Mapping[str, Any]]) -> list[FoundFigure]:
    ours, plain = systems[OURS], list(systems.values())[-1]
    return [
        FoundFigure(
            name=title,
            value=ours[name]["value"],
            baseline=(plain.get(name) or {}).get("value"),
            more_is_better=name in ("hit@1", "hit@5", "mrr", "manual@1", "facts"),
        )
        for name, title in TITLES.items()
        if ours.get(name)
    ]


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


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


def _missing(manuals: Sequence[ManualSource]) -> str:
    return "\n".join(f"  {each.slug}: {each.origin} ({each.sha256[:12]})" for each in manuals)


def _baselines(workspace: Workspace) -> list[Baseline]:
    text = LibraryText.read(workspace.database)
    if text.without_vector:
        _say(f"{text.without_vector} windows of the library have no vector yet, for any search.")
    found: list[Baseline] = [PageBm25(text)]
    embedder = _embedder_of(workspace, text.model_id)
    if embedder is None:
        _say("The plain sum is not measured: the text model of the library's vectors is not here.")
    else:
        found.append(PlainSum(text, embedder))
    return found


def _embedder_of(workspace: Workspace, model_id: str) -> PassageEmbedder | None:
    """Return the model that made the library's vectors; another one's cannot be compared."""
    embedder: PassageEmbedder | None = workspace.models.text()
    if embedder is None:
        try:
            embedder = load_text_embedder()
        except ModelError:
            return None
    return embedder if embedder.model_id == model_id else None
