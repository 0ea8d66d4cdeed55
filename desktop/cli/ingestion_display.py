"""Progress bars while manuals are read, and the summary when it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO, assert_never

from rich.progress import MofNCompleteColumn, TaskID, TextColumn

from desktop.cli.progress import Bars, print_marked
from desktop.core.library.values import (
    DocumentChanged,
    DocumentRecord,
    DuplicateFound,
    FileRefused,
    IngestionEvent,
    PageFailed,
    PassName,
    PassProgress,
    WantedRead,
)

MOST_PAGES = 5
"""How many failed pages of one manual are listed one by one."""

PASS_TITLES: dict[PassName, str] = {
    "text": "text",
    "layout": "layout",
    "vectors": "meaning",
    "pictures": "pictures",
}


class IngestionDisplay:
    """Follows ingestion events in a `with`. interrupted: set by whoever runs the ingestion."""

    def __init__(self, output: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = Bars(
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}", style="dim"),
            output=output,
            clock=clock,
        )
        self._console = self._progress.console
        self._all = self._progress.add_task("All manuals", pace="", visible=False)
        self._bars: dict[tuple[int, PassName], TaskID] = {}
        self._documents: dict[int, DocumentRecord] = {}
        self._refused: list[FileRefused] = []
        self._duplicates: list[DuplicateFound] = []
        self._failed_pages: list[PageFailed] = []
        self.interrupted = False

    def __enter__(self) -> IngestionDisplay:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to add."""
        return not (self._documents or self._refused or self._duplicates)

    @property
    def failures(self) -> int:
        """How many files did not get into the library."""
        bad = {"failed", "needs_password"}
        not_read = sum(document.state in bad for document in self._documents.values())
        return not_read + len(self._refused)

    def protected(self) -> list[DocumentRecord]:
        """Return the manuals that are waiting for their password."""
        return [d for d in self._documents.values() if d.state == "needs_password"]

    def show(self, event: IngestionEvent) -> None:
        """Handle one ingestion event."""
        match event:
            case PassProgress():
                self._advance(event)
            case DocumentChanged():
                self._documents[event.document.id] = event.document
                self._count_all()
            case DuplicateFound():
                self._duplicates.append(event)
                if event.document.state == "needs_password":
                    self._documents[event.document.id] = event.document
            case FileRefused():
                self._refused.append(event)
            case WantedRead():
                pass  # nobody asks beside the command
            case PageFailed():
                self._failed_pages.append(event)
            case _:
                assert_never(event)

    def summarize(self) -> None:
        """Print what became of every file."""
        for document in self._documents.values():
            self._line(*_verdict(document))
        for duplicate in self._duplicates:
            name, known = duplicate.path.name, duplicate.document.name
            remark = "already in the library" + (f" as {known}" if known != name else "")
            self._line("=", name, remark)
        for refused in self._refused:
            self._line("x", str(refused.path), f"refused: {refused.reason}")
        self._list_failed_pages()
        if self.is_empty:
            self._console.print("No PDF file was found there.", markup=False)
        if self.interrupted:
            self._console.print(
                "Interrupted. Run the same command again to continue.", markup=False
            )

    def _list_failed_pages(self) -> None:
        of_document: dict[int, list[PageFailed]] = {}
        for failed in self._failed_pages:
            of_document.setdefault(failed.document_id, []).append(failed)
        for document_id, pages in of_document.items():
            name = self._name(document_id)
            for failed in pages[:MOST_PAGES]:
                title = PASS_TITLES[failed.pass_name]
                subject = f"{name}, page {failed.page + 1}"
                self._line("!", subject, f"{title}: {failed.reason}")
            if len(pages) > MOST_PAGES:
                self._line("!", name, f"{len(pages) - MOST_PAGES} more pages like these")

    def _count_all(self) -> None:
        unfinished = sum(d.being_read for d in self._documents.values())
        total = len(self._documents)
        self._progress.update(
            self._all, completed=total - unfinished, total=total, visible=total > 1
        )

    def _advance(self, event: PassProgress) -> None:
        name, title = self._name(event.document_id), PASS_TITLES[event.pass_name]
        pace = _pace(event)
        how_far = f"{name}: {title}, {event.done} of {event.total} pages"
        self._progress.say_now_and_then(f"{how_far}, {pace}".rstrip(", "))
        key = (event.document_id, event.pass_name)
        if key not in self._bars:
            self._bars[key] = self._progress.add_task(f"{name} {title}", pace="")
        finished = event.total > 0 and event.done >= event.total
        self._progress.update(
            self._bars[key],
            completed=event.done,
            total=event.total,
            pace=pace,
            visible=not finished,
        )

    def _name(self, document_id: int) -> str:
        document = self._documents.get(document_id)
        return document.name if document else f"manual {document_id}"

    def _line(self, sign: str, subject: str, remark: str) -> None:
        print_marked(self._console, sign, f"{subject}: {remark}")


def _verdict(document: DocumentRecord) -> tuple[str, str, str]:
    """Return the sign, the name and what became of it."""
    pages = f"{document.page_count} page{'s' if document.page_count != 1 else ''}"
    match document.state:
        case "ready":
            remark = f"ready, {pages}"
            if document.failed_pages:
                remark += f", {document.failed_pages} of them not read in full"
            if document.reason:
                remark += f". {document.reason}"
            return "+", document.name, remark
        case "needs_password":
            return "x", document.name, "protected; give its password with --password"
        case "failed":
            return "x", document.name, f"failed: {document.reason}"
        case "cancelled":
            return "-", document.name, "cancelled"
        case "queued" | "indexing":
            return "-", document.name, f"not finished, {max(document.done)} of {pages}"
        case _:
            assert_never(document.state)


def _pace(event: PassProgress) -> str:
    if event.seconds_left is None:
        return ""
    rate = event.pages_per_second
    return f"{rate:.{0 if rate >= 10 else 1}f} pages/s, {_duration(event.seconds_left)} left"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
