"""What the first stage of a search gives to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reader.reader import PageToRead
    from desktop.core.retrieval.routing import Preference


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the first stage gives: the question, and pages for the reader, best first."""

    question: Question
    pages: tuple[PageToRead, ...]
    behind: tuple[Evidence, ...]
    preference: Preference
