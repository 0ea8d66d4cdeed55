"""Compare free notes of a site with the manuals, and count what the monitor states of them.

    python -m scripts.bench monitor
    python -m scripts.bench monitor --library FOLDER --statements FILE [--part NAME]

FILE is a JSON list of objects: statement, relation ("contradiction" or "agreement" with the manual)
and lines, parts of the manual's words that decide it; part tells lists apart. Without options:
statements on the sample manuals, which are taken in first. No language model takes part.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from desktop.app import open_workspace
from desktop.core.evaluation.figures import Figure
from desktop.core.events import ResultEvent, TokenEvent
from desktop.core.jobs import CancelToken
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.core.notes.search import NoteSearch
from desktop.core.paths import resources_folder
from desktop.core.research.report import MAY_CONTRADICT, NOT_DECIDED
from desktop.core.settings.sections import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from desktop.core.events import Event
    from desktop.core.workspace import Workspace

BASELINE = "nothing: the relations were written down beforehand"
_STATEMENTS = Path(__file__).with_name("site_statements.json")
_QUESTION = "Do our site notes agree with the manuals?"
_AGAINST = ("contradiction", "likely")


class SiteStatement(BaseModel):
    """What a site says, how the manual stands to it, and words of the lines that decide it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: str
    relation: Literal["contradiction", "agreement"]
    lines: tuple[str, ...]
    manual: str = ""
    kind: str = ""
    part: str = ""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the library and the statements."""
    parser.add_argument("--library", type=Path, help="a library that has the manuals")
    parser.add_argument("--statements", type=Path, default=_STATEMENTS)
    parser.add_argument("--part", default="", help="only the statements of this part")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Run the monitor over all statements as notes."""
    read = TypeAdapter(list[SiteStatement]).validate_json(options.statements.read_bytes())
    statements = [each for each in read if options.part in ("", each.part)]
    began = time.monotonic()
    if options.library is not None:
        events = _monitored(options.library, statements)
    else:
        with tempfile.TemporaryDirectory() as folder:
            _take_samples_in(Path(folder))
            began = time.monotonic()
            events = _monitored(Path(folder), statements)
    seconds = (time.monotonic() - began) / max(1, len(statements))
    return _figures(events, statements, seconds)


def _take_samples_in(folder: Path) -> None:
    with closing(open_workspace(folder, settings=Settings())) as workspace:
        workspace.ingestion.enqueue(
            sorted(resources_folder().joinpath("samples", "manuals").glob("*.pdf"))
        )
        for _ in workspace.ingestion.run(CancelToken()):
            pass


def _monitored(library: Path, statements: list[SiteStatement]) -> list[Event]:
    notes = NoteDesk()
    for each in statements:
        notes.add(Note(each.statement, role="fitter"))
    with closing(open_workspace(library, read_only=True, settings=Settings())) as workspace:
        research = workspace.deep_research
        assert research is not None
        research.notes = notes
        research.note_search = NoteSearch(notes, workspace.library)
        named = {each.manual for each in statements} - {""}
        manuals = [each.id for each in workspace.library.documents() if each.name in named]
        return _events(workspace, frozenset(manuals))


def _events(workspace: Workspace, manuals: frozenset[int]) -> list[Event]:
    queue: SimpleQueue[Event | None] = SimpleQueue()
    workspace.research(_QUESTION, "monitor", manuals, queue.put, lambda: queue.put(None))
    return list(iter(queue.get, None))


@dataclass(frozen=True, slots=True)
class _Told:
    """What the monitor made of a statement.

    place: of its line in the report, -1 without one. cited: the maker's words that were stated
    beside it. shown: a line that decides stands beside it.
    """

    statement: SiteStatement
    verdict: str
    place: int
    cited: str
    shown: bool

    @property
    def decides(self) -> bool:
        """Whether what was cited has the words that decide."""
        return any(_folded(words) in _folded(self.cited) for words in self.statement.lines)


def _figures(
    events: list[Event], statements: list[SiteStatement], seconds: float
) -> tuple[list[Figure], list[str]]:
    results = (each for each in events if isinstance(each, ResultEvent))
    (found,) = (each for each in results if each.name == "comparison")
    pairs = {each["site_statement"]: each for each in found.objects}
    report = "".join(each.content for each in events if isinstance(each, TokenEvent))
    lines = [_folded(line) for line in report.splitlines()]
    told = [_told(each, pairs, lines) for each in statements]
    figures = [
        figure
        for verdict, limits in (("contradiction", (0.95, 0.75)), ("agreement", (None, None)))
        for figure in _of_verdict(told, verdict, *limits)
    ]
    against = [each for each in told if each.statement.relation == "contradiction"]
    named = [each for each in told if each.verdict in _AGAINST]
    figures += [
        _share("stated or likely contradictions that are any", [e in against for e in named]),
        _share("contradictions that are stated or likely", [e in named for e in against]),
        _share("the line that decides is shown", [each.shown for each in told]),
        _share("undecided: a contradiction stands above an agreement", _in_order(told)),
        Figure(name="a statement", value=seconds, unit="s"),
    ]
    details = [
        f"{each.statement.relation}, {each.verdict}{', its line' if each.shown else ''}: "
        f"{each.statement.statement}{' | ' if each.cited else ''}{each.cited}"
        for each in told
    ]
    return figures, details


def _told(statement: SiteStatement, pairs: dict[str, dict[str, Any]], lines: list[str]) -> _Told:
    said = _folded(statement.statement.rstrip("."))
    place = next((number for number, line in enumerate(lines) if said in line), -1)
    pair = pairs.get(statement.statement)
    verdict = pair["verdict"] if pair is not None else "left out"
    if pair is None and place >= 0:
        headings = [line for line in lines[:place] if line in _HEADINGS]
        verdict = _HEADINGS[headings[-1]] if headings else "open"
    beside = lines[place] if place >= 0 else ""
    shown = any(_folded(words) in beside for words in statement.lines)
    return _Told(
        statement, verdict, place, pair["official_statement"] if pair is not None else "", shown
    )


def _of_verdict(
    told: list[_Told], verdict: str, precision: float | None, recall: float | None
) -> Iterator[Figure]:
    stated = [each for each in told if each.verdict == verdict]
    right = [each for each in stated if each.statement.relation == verdict]
    there = [each.verdict == verdict for each in told if each.statement.relation == verdict]
    yield _share(
        f"{verdict}s stated that are any",
        [each.statement.relation == verdict for each in stated],
        precision,
    )
    yield _share(f"{verdict}s that are stated", there, recall)
    yield _share(f"{verdict}s stated with the line that decides", [e.decides for e in right])


def _in_order(told: list[_Told]) -> list[bool]:
    """Return of each undecided contradiction and agreement whether the former stands above."""
    places: dict[str, list[int]] = {"contradiction": [], "agreement": []}
    for each in told:
        if each.verdict in ("open", "likely"):
            places[each.statement.relation].append(each.place)
    return [one < other for one in places["contradiction"] for other in places["agreement"]]


def _share(name: str, hits: list[bool], limit: float | None = None) -> Figure:
    """Return how many of some are so; of none all are."""
    value = sum(hits) / len(hits) if hits else 1.0
    name = f"{name} (of {len(hits)})"
    return Figure(name=name, value=value, limit=limit, more_is_better=True)


def _folded(text: str) -> str:
    return "".join(text.casefold().split())


_HEADINGS = {_folded(MAY_CONTRADICT): "likely", _folded(NOT_DECIDED): "open"}
