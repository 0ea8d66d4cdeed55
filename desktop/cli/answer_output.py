"""An answer on a terminal, as a report in a folder, and as pictures of its cited pages."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path, PurePath
from textwrap import shorten
from typing import TYPE_CHECKING, Final, TextIO, assert_never

from desktop.cli.options import Refused
from desktop.core.agent.decision import OTHER_MODEL
from desktop.core.agent.deliverables import MISSING
from desktop.core.agent.tools.export_report import ASK_FIRST
from desktop.core.answering.answer import read_with_told, sureness_told
from desktop.core.answering.quoted_lines import QuotedLines, row_told
from desktop.core.errors import PdfNeedsPassword
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    NoteCitationEvent,
    PageRegion,
    ResearchProgressEvent,
    ResearchProposalEvent,
    ResultEvent,
    RevisionEvent,
    StatusEvent,
    Sureness,
    TokenEvent,
    WarningBlockEvent,
    to_json,
)
from desktop.core.notes.note import note_place
from desktop.core.page_drawing import LibraryDrawer, highlight, write_png
from desktop.core.problems import explain
from desktop.core.reports.contents import LEVELS
from desktop.core.research.proposal import NO_VALID_SOURCES, WITHOUT_MODEL
from desktop.core.structure.signs import cells_apart
from desktop.sentences import ENGLISH, in_language, said

if TYPE_CHECKING:
    from desktop.core.events import QuotedForm
    from desktop.core.workspace import Workspace

PIXELS_PER_POINT = 2.0
_NEAREST_LINES: Final = said("The nearest lines:")
_IN_DOUBT: Final = ("check", "differs")
_NOT_TOLD: Final = (DecisionEvent, ResultEvent, StatusEvent)
_LONGEST_WAIT: Final = 0.5
"""Seconds from the first words to the last of what is quoted, at most."""
_LONGEST_NAMED: Final = 60
"""Characters of a sentence that something is added to."""


IN_COMMANDS: Final[dict[str, str]] = {
    MISSING["export_report"]: "No report was saved. Save one with: groundwork ask … --report DIR",
    MISSING["draft_email"]: "No e-mail was drafted. Ask again in the same conversation: "
    'groundwork ask --conversation last "Draft an e-mail about it."',
    MISSING["job_sheet"]: "No job sheet was saved. Ask again in the same conversation: "
    'groundwork ask --conversation last "Make a job sheet of it."',
    ASK_FIRST: "Put the question in the same sentence, or ask it first and continue with: "
    "groundwork ask --conversation last …",
    OTHER_MODEL: "See the models and how fast they are here with: groundwork models list",
    NO_VALID_SOURCES: "Try --mode discovery, or set the tiers of your documents with: "
    "groundwork documents set NAME --tier N.",
    WITHOUT_MODEL: "There is no language model: the report quotes the manuals word for word. "
    "See what can be installed with: groundwork models list",
}
"""What the window advises, as commands."""


class AnswerPrinter:
    """Writes the answer to `output` word by word; everything else goes to `notes`.

    On a terminal the current status takes one line, which the next one overwrites.
    """

    def __init__(self, output: TextIO, notes: TextIO, language: str = ENGLISH) -> None:
        """language: in which it says how sure an answer is, as the answer's own lines are."""
        self._output = output
        self._notes = notes
        self._language = language
        self._status = ""
        self._on_terminal = notes.isatty()
        self._writing = False
        self._written = ""
        self._held: str | None = ""
        self._row_above: QuotedForm | None = None
        self._quoted = QuotedLines()
        self._sureness: Sureness | None = None
        self._told_sureness = False
        self._read_with = ""
        self._citations: list[CitationEvent | NoteCitationEvent] = []
        self._nearest: list[NearestPageEvent] = []
        self._waiting: list[Event] | None = []
        self._waits_until = math.inf

    def show(self, event: Event) -> None:
        """Write one event; the citations are listed when the last one comes.

        What is quoted comes at once: it waits until it is known how sure it is, and a doubt stands
        above it. What a language model writes is shown as it comes.
        """
        if self._waiting is None or isinstance(event, _NOT_TOLD):
            self._show(event)
            return
        self._waiting.append(event)
        now = time.monotonic()
        self._waits_until = min(self._waits_until, now + _LONGEST_WAIT)
        if isinstance(event, (ConfidenceEvent, CompleteEvent)) or now >= self._waits_until:
            waited, self._waiting = self._waiting, None
            cited = [each.source for each in waited if isinstance(each, CitationEvent)]
            if cited and isinstance(event, ConfidenceEvent) and event.sureness in _IN_DOUBT:
                self._tell_sureness(event.sureness, cited)
                self._write("\n")
                self._told_sureness = True
            for each in waited:
                self._show(each)

    def _show(self, event: Event) -> None:
        if not isinstance(event, StatusEvent) and self._status:
            self._notes.write(f"\r{' ' * len(self._status)}\r")
            self._notes.flush()
            self._status = ""
        match event:
            case StatusEvent():
                self._show_status(event)
            case TokenEvent():
                words = in_language(event.content, self._language)
                self._writing = True
                self._written += words
                self._tell(words)
            case CitationEvent() | NoteCitationEvent():
                self._citations.append(event)
                pages = (each for each in self._citations if isinstance(each, CitationEvent))
                self._quoted = QuotedLines(pages)
            case RevisionEvent():
                self._show_revision(event)
            case NearestPageEvent():
                self._nearest.append(event)
            case WarningBlockEvent():
                self._end_line()
                level = in_language(LEVELS[event.level], self._language)
                told = f"{level}: {_one_line(event.text)} ({place(event.source)})\n"
                self._write(f"\n{told}" if self._written else f"{told}\n")
            case ClarificationEvent():
                self._show_clarification(event)
            case ErrorEvent():
                self._show_error(event)
            case CompleteEvent():
                self._finish(event)
            case ResearchProgressEvent():
                self._show_progress(event)
            case ResearchProposalEvent():
                self._end_line()
                self._notes.write(
                    f"{event.reason} Check it against every manual with: groundwork research "
                    f'"{_one_line(event.question)}"\n'
                )
            case ConfidenceEvent():
                self._sureness = event.sureness
                self._read_with = read_with_told(_one_line(event.read_with))
            case DecisionEvent() | ResultEvent():
                pass
            case _:
                assert_never(event)

    def _tell(self, words: str) -> None:
        """Write words of the answer; hold a line that may become a quoted row until it is clear."""
        for number, part in enumerate(words.split("\n")):
            if number:
                self._end_held()
                self._write("\n")
                self._held = ""
            if self._held is None:
                self._write(part)
                continue
            self._held += part
            row = self._quoted.row_at(self._held)
            if row is not None:
                form, number_of_row, end = row
                self._write(row_lines(form, number_of_row, self._row_above))
                self._row_above = form
                self._held = self._held[end:]
            if row is not None or not self._quoted.may_be_at(self._held):
                self._end_held()

    def _end_held(self) -> None:
        if self._held:
            self._row_above = None
        self._write(self._held or "")
        self._held = None

    def _show_status(self, event: StatusEvent) -> None:
        self._end_line()
        said = _one_line(_in_commands(event.message))
        if self._on_terminal:
            self._notes.write(f"\r{said}{' ' * (len(self._status) - len(said))}")
            self._status = said
        else:
            self._notes.write(f"({said})\n")
        self._notes.flush()

    def _show_clarification(self, event: ClarificationEvent) -> None:
        if not self._writing:  # else it has been written as the answer's words
            self._write(_one_line(event.question))
        self._writing = True
        self._end_line()
        for number, option in enumerate(event.options, 1):
            self._write(f"  {number}. {_one_line(option)}\n")
        for choice in event.choices:
            names = " ".join(f'--manual "{_one_line(name)}"' for name in choice.manuals)
            self._notes.write(f'Ask again: groundwork ask "{_one_line(choice.prompt)}" {names}\n')

    def _show_progress(self, event: ResearchProgressEvent) -> None:
        if event.state == "started":
            return
        self._end_line()
        where = f"{event.iteration}/{event.max_iterations} " if event.iteration else ""
        self._notes.write(f"{where}{event.stage}: {_one_line(event.message)}\n")
        self._notes.flush()

    def _show_revision(self, event: RevisionEvent) -> None:
        """Say it after the sentence: a terminal cannot take back what it has written."""
        if self._held:
            self._end_held()
        if event.superseded:
            self._end_line()
            self._write("\nIn other words:\n")
            return
        kept = event.old.strip()
        added = event.new.removeprefix(kept) if event.new.startswith(kept) else ""
        added = re.sub(r"^(?:\s*\[\d+\])+", "", added).strip()
        if event.reason and added:
            self._write(f"\nAfter “{shorten(kept, _LONGEST_NAMED, placeholder=' …')}”:\n{added}")
            return
        if event.reason:
            corrected = event.new if event.new != event.old else ""
            says = f"{event.reason} {corrected and f'Corrected: {_one_line(corrected)}'}"
            self._write(f"\n({says.strip()})")
            return
        withdrawn = "withdrawn: the manuals do not say this"
        says = withdrawn if not event.new else f"not in the manuals: {', '.join(event.unsupported)}"
        if not self._written.rstrip().endswith(event.old.rstrip()):
            says = f'"{_one_line(event.old)}": {says}'
        self._write(f" ({says})")

    def _show_error(self, event: ErrorEvent) -> None:
        if event.recoverable and event.tool:
            return  # the agent goes on; the trace of --json has it
        self._end_line()
        suggestion = _in_commands(event.suggestion)
        self._notes.write(f"{event.message} {suggestion}".strip() + "\n")

    def _finish(self, event: CompleteEvent) -> None:
        self._end_line()
        if self._read_with:
            self._write(f"\n{in_language(self._read_with, self._language)}\n")
        if self._citations:
            if self._sureness is not None and event.answered and not self._told_sureness:
                cited = [c.source for c in self._citations if isinstance(c, CitationEvent)]
                self._write("\n")
                self._tell_sureness(self._sureness, cited)
            self._write("\n")
        for (source, section, is_told), each in groupby(self._citations, self._place_and_told):
            citations = list(each)
            if is_told:
                numbers = "".join(f"[{citation.number}]" for citation in citations)
                self._write(f"{numbers} {source}{section and f': {section}'}\n")
                continue
            for citation in citations:
                quote = _one_line(cells_apart(citation.quote))
                self._write(f'[{citation.number}] {source}: "{quote}"\n')
        if self._nearest:
            self._write(f"\n{in_language(_NEAREST_LINES, self._language)}\n")
        for near in self._nearest:
            self._write(f"  {place(near.source)}: {_one_line(cells_apart(near.snippet))}\n")
        for missing in event.missing:
            self._notes.write(f"{_in_commands(missing)}\n")
        if event.outcome == "cancelled":
            self._notes.write("Stopped.\n")

    def _tell_sureness(self, sureness: Sureness, cited: Sequence[PageRegion]) -> None:
        self._write(f"{in_language(sureness_told(sureness, cited), self._language)}.\n")

    def _place_and_told(self, citation: CitationEvent | NoteCitationEvent) -> tuple[str, str, bool]:
        """Return where quoted words are, below what heading, and whether the answer tells them."""
        form = citation.form if isinstance(citation, CitationEvent) else None
        section = self._quoted.section(form) if form is not None else ()
        return _source(citation), _one_line(section[-1]) if section else "", form is not None

    def _end_line(self) -> None:
        if self._writing:
            self._end_held()
            self._write("\n")
            self._writing, self._held = False, ""

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()


def print_events(events: Iterable[Event], *, as_json: bool, language: str = ENGLISH) -> list[Event]:
    """Print each event as it comes, as JSON or as an answer in a language; returns them all."""
    printer = AnswerPrinter(sys.stdout, sys.stderr, language)
    printed: list[Event] = []
    for event in events:
        printed.append(event)
        if as_json:
            sys.stdout.write(to_json(event) + "\n")
            sys.stdout.flush()
        else:
            printer.show(event)
    return printed


def row_lines(form: QuotedForm, number: int, above: QuotedForm | None = None) -> str:
    """Return a quoted row as a terminal shows it. number: its citation's. above: see `row_told`."""
    lead, cells = row_told(form, above)
    widest = max((len(name) for name, _ in cells), default=0)
    below = [f"    {name:<{widest}}  {cell}" if name else f"    {cell}" for name, cell in cells]
    return "\n".join([f"{lead} [{number}]", *below])


def _in_commands(advice: str) -> str:
    """Return advice with the commands that do what the window's buttons do."""
    for in_window, here in IN_COMMANDS.items():
        advice = advice.replace(in_window, here)
    return advice


def place(source: PageRegion) -> str:
    """Return manual and page as a person would look them up."""
    position = str(source.page + 1)
    printed = f"page {source.label or position}"
    return f"{source.document}, {printed}" + (
        f" (page {position} of the file)" if source.label not in ("", position) else ""
    )


def _source(citation: CitationEvent | NoteCitationEvent) -> str:
    if isinstance(citation, NoteCitationEvent):
        return note_place(citation.note)
    older = f" (older revision, {citation.newer} is in the library)" if citation.newer else ""
    return place(citation.source) + older


def _one_line(text: str) -> str:
    return " ".join(text.split())


def save_answer(
    workspace: Workspace, question: str, events: Iterable[Event], folder: Path
) -> Path | None:
    """Write a report into a new folder in `folder`; return its PDF, if any. Raises: Refused."""
    from desktop.core.reports.contents import answered_turn
    from desktop.core.reports.report import titles_of, write_report

    answered = answered_turn(question, events)
    if answered is None:
        return None
    library = workspace.library
    drawer = LibraryDrawer(library, workspace.parser)
    try:
        return write_report(answered, folder, drawer, titles_of(library)).pdf
    except OSError as error:
        problem = explain(error)
        raise Refused(f"The report was not written: {problem.title}. {problem.advice}") from error


def write_cited_pages(
    workspace: Workspace, citations: Sequence[CitationEvent], folder: Path
) -> Iterator[Path]:
    """Draw each cited page once into `folder`; yields the files in the order of citation.

    Raises: Refused, after the last page, if some belong to a protected manual.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawer = LibraryDrawer(workspace.library, workspace.parser)
    by_page: dict[tuple[int, int], list[CitationEvent]] = {}
    for citation in citations:
        key = (citation.source.document_id, citation.source.page)
        by_page.setdefault(key, []).append(citation)
    protected: set[str] = set()
    for place_of, cited in by_page.items():
        target = folder / _file_name(cited[0])
        boxes = [box for citation in cited for box in citation.source.regions]
        try:
            drawn = drawer.draw(*place_of, PIXELS_PER_POINT)
        except PdfNeedsPassword:
            protected.add(cited[0].source.document)
            continue
        write_png(target, highlight(drawn.image, drawn.width, boxes))
        yield target
    if protected:
        names = ", ".join(sorted(protected))
        raise Refused(f"Pages of a protected manual can only be drawn with --password: {names}")


def _file_name(citation: CitationEvent) -> str:
    stem = PurePath(citation.source.document).stem
    label = citation.source.label or str(citation.source.page + 1)
    return re.sub(r"[^\w.-]+", "_", f"{citation.number:02d}-{stem}-page-{label}") + ".png"
