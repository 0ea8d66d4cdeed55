"""How much is told of procedures that are asked for, beside the first quote alone.

    python -m scripts.bench procedures PDFS [--library FOLDER] [--questions held] [--failures]

`scripts/labels/procedures` holds questions on 31 manuals, each with the words of every step that
has to be told, in order, and of what may be told besides; a sixth have no answer in their manual,
but something near. No text of the manuals is stored; they are known by their hash. Each question is
asked of its own manual. Rules and thresholds were chosen on `choose`; `held` was asked at the end.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from desktop.app import load_user_settings, open_workspace
from desktop.core.evaluation.bench import gather, take_in
from desktop.core.evaluation.cited import cited_words
from desktop.core.evaluation.figures import Column, Figure
from desktop.core.evaluation.measures import last_event
from desktop.core.events import CitationEvent
from scripts.bench.label_files import WordPlace, find_manuals, read_sources

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from desktop.core.workspace import Workspace

BASELINE = "the first quote of the same answer alone"
LABELS = Path(__file__).parents[1] / "labels" / "procedures"
_TOLD = 0.9
"""So much of the words of a step is the whole step: signs of keys are read in different ways."""

Place = tuple[int, int]
"""A page, counted from 0, and a word of it."""


class Procedure(BaseModel):
    """A question that asks how something is done.

    steps: what has to be told, () if its manual does not say it. may: what may be told besides.
    printed: how it stands on the page.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    manual: str
    set: Literal["choose", "held"]
    question: str
    lang: str
    printed: str
    steps: tuple[WordPlace, ...]
    may: tuple[WordPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question. told: the words told, first: those of the first quote alone."""

    asked: Procedure
    answered: bool
    told: frozenset[Place]
    first: frozenset[Place]

    def share(self, words: frozenset[Place]) -> float:
        """Return how much of all steps some words are, 0 to 1."""
        steps = _places(self.asked.steps)
        return len(steps & words) / len(steps)

    def is_whole(self, words: frozenset[Place]) -> bool:
        """Whether some words are all steps."""
        each = [_places([step]) for step in self.asked.steps]
        return all(len(step & words) >= _TOLD * len(step) for step in each)

    @property
    def belongs(self) -> float:
        """How much of what is told is of the steps, or may stand beside them."""
        right = _places([*self.asked.steps, *self.asked.may])
        return len(right & self.told) / (len(self.told) or 1)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("pdfs", type=Path, help="a folder with the manuals")
    parser.add_argument("--library", type=Path, help="default: a temporary one")
    parser.add_argument("--questions", choices=("choose", "held"), default="held")
    parser.add_argument("--failures", action="store_true", help="show what is not told whole")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Ask every question whose manual is there. Raises: SystemExit, if none is."""
    lines = (LABELS / "questions.jsonl").read_text("utf-8").splitlines()
    asked = [Procedure.model_validate_json(line) for line in lines]
    asked = [each for each in asked if each.set == options.questions]
    own, column = load_user_settings().settings, Column("rules", "lite")
    with ExitStack() as stack:
        folder = options.library or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        slugs = {each.manual for each in asked}
        sources = [each for each in read_sources(LABELS / "manuals.json") if each.slug in slugs]
        paths = find_manuals(sources, options.pdfs).paths
        with closing(open_workspace(folder, settings=own)) as workspace:
            take_in(workspace, list(paths.values()), print)
        workspace = stack.enter_context(
            closing(open_workspace(folder, read_only=True, settings=column.settings(own)))
        )
        ready = {each.name: each.id for each in workspace.library.documents()}
        documents = {slug: ready[path.name] for slug, path in paths.items() if path.name in ready}
        found = [
            _outcome(workspace, each, documents[each.manual])
            for each in asked
            if each.manual in documents
        ]
    if not found:
        raise SystemExit(f"None of the manuals is in {options.pdfs}; see {LABELS}/manuals.json.")
    if options.failures:
        _show(found)
    return _figures(found), [f"{len(found)} of {len(asked)} questions, {column.label}"]


def _outcome(workspace: Workspace, asked: Procedure, document: int) -> Outcome:
    events = gather(workspace, asked.question, documents=frozenset([document]))
    result = last_event(events)
    told = [
        frozenset((each.source.page, word) for word in cited_words(workspace, each, "").marked)
        for each in events
        if isinstance(each, CitationEvent)
    ]
    answered = result is not None and result.answered
    return Outcome(asked, answered, frozenset().union(*told), next(iter(told), frozenset()))


def _figures(found: Sequence[Outcome]) -> list[Figure]:
    known = [each for each in found if each.asked.steps]
    unknown = [each for each in found if not each.asked.steps]
    told = [each for each in known if each.answered]
    figures = [
        Figure(
            name=f"all steps told, of {len(known)}",
            value=_mean(each.is_whole(each.told) for each in known),
            baseline=_mean(each.is_whole(each.first) for each in known),
            more_is_better=True,
        ),
        Figure(
            name="words of the steps told",
            value=_mean(each.share(each.told) for each in known),
            baseline=_mean(each.share(each.first) for each in known),
            more_is_better=True,
        ),
        Figure(
            name=f"words told that belong, of {len(told)} answers",
            value=_mean(each.belongs for each in told),
            more_is_better=True,
        ),
        Figure(name="refused", value=_mean(not each.answered for each in known)),
        Figure(
            name=f"refused without an answer, of {len(unknown)}",
            value=_mean(not each.answered for each in unknown),
            more_is_better=True,
        ),
    ]
    by_print: dict[str, list[bool]] = defaultdict(list)
    for each in known:
        by_print[each.asked.printed].append(each.is_whole(each.told))
    figures += [
        Figure(name=f"  {printed}, of {len(whole)}", value=_mean(whole), more_is_better=True)
        for printed, whole in sorted(by_print.items())
    ]
    return figures


def _show(found: Iterable[Outcome]) -> None:
    for each in found:
        if each.asked.steps and not each.is_whole(each.told):
            what = f"{each.share(each.told):.2f}" if each.answered else "refused"
            print(f"{each.asked.manual}: {each.asked.question} {what}")
        elif not each.asked.steps and each.answered:
            print(f"{each.asked.manual}: {each.asked.question} is answered")


def _places(places: Iterable[WordPlace]) -> frozenset[Place]:
    return frozenset((each.page, word) for each in places for word in each.indices)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / (len(found) or 1)
