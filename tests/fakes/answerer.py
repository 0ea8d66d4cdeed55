"""A scripted answerer: quotes the best passage of every page, or says it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.answering.answer import Answer, Statement
from desktop.core.events import WarningBlockEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.reader.evidence import Evidence


class FakeAnswerer:
    """Finds an answer unless told otherwise; `prepared` replaces what it would say.

    sure, unsure: its confidence where it finds an answer, and where it finds none.
    """

    def __init__(
        self,
        *,
        found: bool = True,
        prepared: Answer | None = None,
        sure: float = 0.9,
        unsure: float = 0.1,
    ) -> None:
        self.questions: list[str] = []
        self._found = found
        self._prepared = prepared
        self._sure, self._unsure = sure, unsure

    def answer(self, question: str, evidence: Sequence[Evidence]) -> Answer:
        self.questions.append(question)
        if self._prepared is not None:
            return self._prepared
        if not self._found:
            return Answer(False, (), (), tuple(evidence), self._unsure, "No page carries it.")
        statements = tuple(
            Statement(page.passages[0].text, page.region(), page.passages[0].text)
            for page in evidence
        )
        text = "Disconnect the mains first."
        safety = (WarningBlockEvent("WARNING", text, evidence[0].region()),)
        return Answer(True, statements, safety, (), self._sure, "The words stand on the page.")
