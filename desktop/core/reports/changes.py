"""What changed between two revisions of a manual, as Markdown, PDF, or values for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.reports.contents import moment, place, printable, signal_word, titled
from desktop.core.reports.pdf import INK, MUTED, WASH, PdfPage
from desktop.core.reports.report import escaped
from desktop.core.revisions.changes import GROUPS
from desktop.sentences import ENGLISH, Sentence, counted, in_language, said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from desktop.core.events import WarningLevel
    from desktop.core.library.values import DocumentRecord
    from desktop.core.revisions.changes import Change, Comparison, Group, Side, Verb

_TITLE, _HEADING, _BODY, _SMALL = 16.0, 12.0, 10.0, 8.5  # points
_GROUPS: dict[Group, Sentence] = {
    "warning": said("Warnings"),
    "value": said("Values"),
    "step": said("Steps"),
    "table": said("Tables"),
    "text": said("Other text"),
    "moved": said("Moved"),
}
_VERBS: dict[Verb, Sentence] = {
    "added": said("added"),
    "removed": said("removed"),
    "changed": said("changed"),
    "moved": said("moved"),
    "reordered": said("in another order"),
}
_UNSURE = said("less sure: read by OCR")
_BEFORE, _NOW = said("before"), said("now")
_NOTHING = said("Only the layout has changed.")
_NOTICE = said(
    "Found by comparing what both manuals say, passage by passage. Go by the manual: check it "
    "before you work on the equipment."
)


def group_name(group: Group) -> Sentence:
    """Return what a group of changes is called."""
    return _GROUPS[group]


def verb_name(change: Change) -> Sentence:
    """Return what happened to a passage, as one word."""
    return _VERBS[change.verb]


def headline(change: Change) -> str:
    """Return a change in one line: amounts as "1.2 Nm → 1.5 Nm", else the words."""
    if change.values:
        return "; ".join(f"{old or '–'} → {new or '–'}" for old, new in change.values)
    side = change.new or change.old
    return "" if side is None else printable(side.text, one_line=True)


def manual_name(record: DocumentRecord) -> str:
    """Return a manual's title with its revision, "Title, Rev C (file.pdf)"."""
    title = record.title.strip() or record.name
    return f"{titled(title, record.revision or record.revision_date)} ({record.name})"


def unread_said(comparison: Comparison) -> Sentence:
    """Return how much could not be compared, "" if all was."""
    return (
        counted(
            comparison.unread,
            "One page is still unread and was not compared.",
            "{n} pages have not been read yet and were not compared.",
        )
        if comparison.unread
        else said("")
    )


def write_changes(
    comparison: Comparison, path: Path, when: datetime, language: str = ENGLISH
) -> None:
    """Write a report as PDF or Markdown, according to the ending of the file name.

    Raises: OSError.
    """
    report = _Report(comparison, when, language)
    if path.suffix.casefold() == ".pdf":
        path.write_bytes(report.as_pdf())
    else:
        path.write_text(report.as_markdown(), encoding="utf-8")


def as_values(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain values; boxes are points of the page, top-left origin."""
    return {
        "old": _manual_values(comparison.old),
        "new": _manual_values(comparison.new),
        "unread_pages": comparison.unread,
        "counts": {group: len(comparison.of_group(group)) for group in GROUPS},
        "changes": [
            {
                "group": change.group,
                "change": change.verb,
                "level": change.level,
                "values": [{"old": old, "new": new} for old, new in change.values],
                "count": change.count,
                "sure": change.sure,
                "old": _side_values(change.old),
                "new": _side_values(change.new),
            }
            for change in comparison.changes
        ],
    }


def _manual_values(record: DocumentRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "name": record.name,
        "title": record.title,
        "revision": record.revision,
        "revision_date": record.revision_date,
    }


def _side_values(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "text": side.text,
        "page": side.region.page,
        "label": side.region.label,
        "section": list(side.section),
        "boxes": [[round(edge, 1) for edge in box.as_tuple()] for box in side.region.regions],
    }


class _Report:
    def __init__(self, comparison: Comparison, when: datetime, language: str) -> None:
        self._comparison, self._when, self._language = comparison, when, language

    def as_markdown(self) -> str:
        """Return the whole report."""
        return "\n\n".join(self._markdown()) + "\n"

    def _markdown(self) -> Iterator[str]:
        yield f"# {escaped(self._title())}"
        yield "  \n".join(escaped(line) for line in self._heading())
        for group in GROUPS:
            changes = self._comparison.of_group(group)
            if changes:
                yield f"## {self._told(group_name(group))} ({len(changes)})"
            for number, change in enumerate(changes, 1):
                yield f"**{number}. {escaped(self._about(change))}**"
                for text, where in self._sides(change):
                    yield f"> {escaped(text)}\n>\n> *{escaped(where)}*"

    def as_pdf(self) -> bytes:
        """Return the file."""
        page = PdfPage(set(self.as_markdown()) | set("→–()0123456789"))
        page.begin(self._title(), self._when)
        page.text(self._title(), _TITLE, bold=True, after=1)
        for line in self._heading():
            page.text(line, _SMALL, colour=MUTED)
        page.pdf.ln(3)
        for group in GROUPS:
            changes = self._comparison.of_group(group)
            if changes:
                heading = f"{self._told(group_name(group))} ({len(changes)})"
                page.text(heading, _HEADING, bold=True, after=2)
            for number, change in enumerate(changes, 1):
                fill = WASH.get(change.level) if group == "warning" else None
                page.text(f"{number}. {self._about(change)}", _BODY, bold=True, fill=fill)
                for text, where in self._sides(change):
                    page.text(text, _BODY, colour=INK)
                    page.text(where, _SMALL, colour=MUTED, after=1)
                page.pdf.ln(2)
        return bytes(page.pdf.output())

    def _title(self) -> str:
        title = self._comparison.new.title.strip() or self._comparison.new.name
        return printable(self._told(said("What changed: {title}", title=title)), one_line=True)

    def _heading(self) -> Iterator[str]:
        old, new = self._comparison.old, self._comparison.new
        yield self._told(said("Before: {manual}", manual=manual_name(old)))
        yield self._told(said("Now: {manual}", manual=manual_name(new)))
        yield moment(self._when, self._language)
        if self._comparison.unread:
            yield self._told(unread_said(self._comparison))
        yield self._told(_NOTICE if self._comparison.changes else _NOTHING)

    def _about(self, change: Change) -> str:
        told = [self._told(verb_name(change))]
        if change.level:
            level: WarningLevel = change.level  # type: ignore[assignment]  # one of the levels
            told.insert(0, signal_word(level, self._language))
        if change.values:
            told.append(headline(change))
        if not change.sure:
            told.append(self._told(_UNSURE))
        return printable(", ".join(told), one_line=True)

    def _sides(self, change: Change) -> Iterator[tuple[str, str]]:
        """Yield the words of each side and where they are."""
        for side, when, record in (
            (change.old, _BEFORE, self._comparison.old),
            (change.new, _NOW, self._comparison.new),
        ):
            if side is not None:
                where = place(side.region, record.title, self._language)
                section = f" › {side.section[-1]}" if side.section else ""
                text = printable(side.text, one_line=True)
                yield text, printable(f"{self._told(when)}: {where}{section}", one_line=True)

    def _told(self, sentence: str) -> str:
        return in_language(sentence, self._language)
