"""A scripted searcher: each question gets what a test laid out for it, or fails as told."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.question.query import Query


def page_found(
    text: str,
    page: int = 4,
    *,
    document_id: int = 1,
    document: str = "pump.pdf",
    score: float = 1.0,
) -> Evidence:
    """Return evidence with one passage on a page labelled "4-<page>"."""
    box = Box(10.0, 20.0, 110.0, 32.0)
    passage = Passage(page, "paragraph", text, "4 Wiring", (box,), (), score)
    return Evidence(
        document_id, document, "Pump", page, f"4-{page}", score, ("lexical",), (passage,)
    )


class FakeSearcher:
    """Answers searches in the order of `enqueue`; afterwards with the last one again."""

    def __init__(self, *answers: Sequence[Evidence] | Exception) -> None:
        self.queries: list[Query] = []
        self._answers = list(answers) or [[]]
        self.release: threading.Event | None = None
        self.searching = threading.Event()

    def block(self) -> threading.Event:
        """Make searches wait until the returned event is set (or two seconds passed)."""
        self.release = threading.Event()
        return self.release

    def search(self, query: Query) -> list[Evidence]:
        self.queries.append(query)
        self.searching.set()
        if self.release is not None:
            self.release.wait(2.0)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return list(answer)

    def together(self, query: Query, found: Sequence[Evidence]) -> list[Evidence]:
        """Rank nothing: every page once, as it was found."""
        return list({(page.document_id, page.page): page for page in reversed(found)}.values())[
            ::-1
        ]
