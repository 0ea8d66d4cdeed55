"""What one running tool adds to its entry of the reasoning trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.events import (
    CitationEvent,
    ConfidenceEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    ResultEvent,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.events import PageRegion


@dataclass(slots=True)
class ToolTrace:
    """The entry of one running tool: what its events add to it.

    thought: takes the place of the one that it began with, "" leaves that.
    """

    entry_id: str | None
    thought: str = ""
    evidence: list[str] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    error: str | None = None
    suggestion: str = ""

    def take(self, event: Event) -> None:
        """Note what an event of the tool says."""
        match event:
            case ResultEvent():
                self.evidence.append(event.message)
                self.metrics["hits"] = self.metrics.get("hits", 0) + len(event.objects)
                scores = [o["score"] for o in event.objects if isinstance(o.get("score"), float)]
                if scores:
                    self.metrics["score"] = max(scores)
                self.attachments += [a for o in event.objects if (a := _attachment(o)) is not None]
            case CitationEvent(source=source) | NearestPageEvent(source=source):
                self.attachments.append(page_attachment(source))
            case ConfidenceEvent(reasons=reasons):
                self.evidence += reasons
            case ErrorEvent():
                self.evidence.append(event.message)
            case _:
                pass


def _attachment(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the page, region or file that an object of a result is about."""
    if isinstance(found.get("document_id"), int) and isinstance(found.get("page"), int):
        page = {
            key: found[key] for key in ("document_id", "document", "page", "label") if key in found
        }
        if found.get("regions"):
            page["regions"] = [list(box) for box in found["regions"]]
        return {"type": "region" if "regions" in page else "page", **page}
    for key in ("draft", "pdf"):
        if found.get(key):
            return {"type": "file", "path": str(found[key])}
    return None


def page_attachment(source: PageRegion) -> dict[str, Any]:
    """Return a page, or the region that is framed on it, as an entry of a trace has it."""
    return {
        "type": "region" if source.regions else "page",
        "document_id": source.document_id,
        "document": source.document,
        "page": source.page,
        "label": source.label,
        "regions": [[round(edge, 1) for edge in box.as_tuple()] for box in source.regions],
    }
