"""The running reasoning as a tree: decisions, tools, results and the pages they found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

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
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.geometry import Box
from desktop.ui import wording
from desktop.ui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACE = Qt.ItemDataRole.UserRole + 1
LONGEST_VALUE = 300
OUTCOME_ICONS = {
    "answered": "circle-check",
    "partial": "triangle-alert",
    "not_found": "search-x",
    "clarification": "list-filter",
    "impossible": "info",
    "cancelled": "square",
    "failed": "circle-x",
}


class TraceModel(QStandardItemModel):
    """Two columns: what happened, and its milliseconds. Rows with a page carry it as PLACE."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(0, 2, parent)
        self.begin()
        self._written = 0

    def begin(self) -> None:
        """Forget the question before."""
        self.clear()
        self.setHorizontalHeaderLabels([_tr("Step"), _tr("Time")])
        self._written = 0

    def take(self, event: Event) -> QStandardItem | None:
        """Add an event; returns the new top-level row, or None when nothing was added."""
        match event:
            case DecisionEvent():
                return self._decision(event)
            case ResultEvent():
                return self._result(event)
            case StatusEvent():
                return self._row("clock", event.message)
            case ErrorEvent():
                return self._error(event)
            case WarningBlockEvent():
                page = wording.page_label(event.source.label, event.source.page)
                row = self._row("triangle-alert", f"{event.level}, {page}")
                row.setData(event.source, PLACE)
                return row
            case ConfidenceEvent():
                says = _tr("confidence {n} %: {reason}")
                return self._row(
                    "info", says.format(n=round(event.value * 100), reason=event.reason)
                )
            case ClarificationEvent():
                return self._clarification(event)
            case CompleteEvent():
                return self._complete(event)
            case CitationEvent() | NearestPageEvent():
                return self._place(event)
            case NoteCitationEvent():
                says = _tr("[{n}] site note: {title}")
                return self._row("file-text", says.format(n=event.number, title=event.note.title))
            case RevisionEvent():
                return self._revision(event)
            case ResearchProgressEvent():
                if event.state == "started":
                    return None
                says = f"{event.stage}: {event.message}"
                return self._row("route", says, event.milliseconds)
            case ResearchProposalEvent():
                return self._row("info", event.reason)
            case TokenEvent():
                self._written += 1
                return None

    def _decision(self, event: DecisionEvent) -> QStandardItem:
        row = self._row("route", f"{event.step}. {_tool_title(event.tool)}", event.milliseconds)
        if event.reasoning:
            _child(row, _tr("because: {text}").format(text=event.reasoning))
        for name, value in event.inputs.items():
            _child(row, f"{name}: {str(value)[:LONGEST_VALUE]}")
        return row

    def _result(self, event: ResultEvent) -> QStandardItem:
        count = len(event.objects)
        found = _tr("1 result") if count == 1 else _tr("{n} results").format(n=count)
        row = self._row("search", f"{_tool_title(event.tool)}: {found}", event.milliseconds)
        if event.message:
            _child(row, event.message)
        for found_object in event.objects:
            _evidence(row, found_object)
        return row

    def _error(self, event: ErrorEvent) -> QStandardItem:
        row = self._row("circle-x", event.message)
        if event.suggestion:
            _child(row, event.suggestion)
        if event.recoverable:
            _child(row, _tr("The agent goes on and chooses again."))
        return row

    def _clarification(self, event: ClarificationEvent) -> QStandardItem:
        row = self._row("list-filter", event.question)
        for option in event.options:
            _child(row, option)
        return row

    def _revision(self, event: RevisionEvent) -> QStandardItem:
        if event.reason:
            row = self._row("triangle-alert", event.reason[:LONGEST_VALUE])
            if event.new and event.new != event.old:
                _child(row, _tr("corrected: {text}").format(text=event.new[:LONGEST_VALUE]))
        elif event.new:
            says = _tr("marked: the cited pages do not say {what}")
            row = self._row(
                "triangle-alert", says.format(what=", ".join(event.unsupported)[:LONGEST_VALUE])
            )
        else:
            row = self._row("circle-x", _tr("withdrawn: the manuals do not say this"))
        _child(row, event.old[:LONGEST_VALUE])
        return row

    def _complete(self, event: CompleteEvent) -> QStandardItem:
        names = {
            "answered": _tr("answered"),
            "partial": _tr("answered in part"),
            "not_found": _tr("not in the manuals"),
            "clarification": _tr("asked back"),
            "impossible": _tr("cannot be answered"),
            "cancelled": _tr("stopped"),
            "failed": _tr("failed"),
        }
        steps = _tr("1 step") if event.steps == 1 else _tr("{n} steps").format(n=event.steps)
        text = _tr("{outcome} in {steps}").format(outcome=names[event.outcome], steps=steps)
        row = self._row(OUTCOME_ICONS[event.outcome], text, event.milliseconds)
        for missing in event.missing:
            _child(row, missing)
        return row

    def _place(self, event: CitationEvent | NearestPageEvent) -> QStandardItem:
        page = wording.page_label(event.source.label, event.source.page)
        if isinstance(event, CitationEvent):
            text, mark = f"[{event.number}] {event.source.document}, {page}", "book-open"
        else:
            text, mark = _tr("near: {place}").format(place=f"{event.source.document}, {page}"), ""
        row = self._row(mark or "file-text", text)
        row.setData(event.source, PLACE)
        return row

    def _row(self, mark: str, text: str, milliseconds: float | None = None) -> QStandardItem:
        item = _item(text)
        item.setIcon(icon(mark))
        took = wording.duration(milliseconds) if milliseconds is not None else ""
        time = _item(took)
        time.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(f"{text} {took}".strip(), Qt.ItemDataRole.AccessibleTextRole)
        self.appendRow([item, time])
        return item


def place_of(found: Mapping[str, Any]) -> PageRegion | None:
    """Read the page of a result's object; None when it is not a page."""
    try:
        boxes = tuple(Box(*map(float, corners)) for corners in found.get("regions", ()))
        return PageRegion(
            int(found["document_id"]),
            str(found.get("document", "")),
            int(found["page"]),
            str(found.get("label", "")),
            boxes,
        )
    except (KeyError, TypeError, ValueError):
        return None


def _evidence(row: QStandardItem, found: Mapping[str, Any]) -> None:
    place = place_of(found)
    if place is None:
        _child(row, str(found.get("text", found.get("_REF_ID", "")))[:LONGEST_VALUE])
        return
    parts = [f"{place.document}, {wording.page_label(place.label, place.page)}"]
    if isinstance(found.get("score"), int | float):
        parts.append(_tr("score {n}").format(n=f"{found['score']:.3f}"))
    if found.get("found_by"):
        parts.append(_tr("by {names}").format(names=", ".join(map(str, found["found_by"]))))
    child = _child(row, " · ".join(parts))
    child.setIcon(icon("file-text"))
    child.setData(place, PLACE)


def _child(row: QStandardItem, text: str) -> QStandardItem:
    item = _item(text)
    row.appendRow([item, _item("")])
    return item


def _item(text: str) -> QStandardItem:
    item = QStandardItem(" ".join(text.split()))
    item.setEditable(False)
    return item


def _tool_title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Trace", text)
