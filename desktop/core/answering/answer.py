"""An answer in statements, each with its citation, and the roles that write one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.events import PageRegion, QuotedForm, Sureness, WarningBlockEvent
    from desktop.core.reader.evidence import Evidence

_SURE: Final[dict[Sureness, str]] = {
    "stated": said("Stated in the manual"),
    "likely": said("Likely: confirm on the page"),
    "check": said("Check the page: this may not be the answer"),
    "differs": said("A note of your site gives another value than the manual"),
}
_ONE_OF_THESE: Final = said("Check the pages: one of these places may be the answer")


def sureness_told(sureness: Sureness, sources: Iterable[PageRegion] = ()) -> str:
    """Return how far an answer can be relied on. sources: where it quotes from."""
    pages = {(each.document_id, each.page) for each in sources}
    return _ONE_OF_THESE if sureness == "check" and len(pages) > 1 else _SURE[sureness]


def read_with_told(question: str) -> str:
    """Return that an answer takes a question as following up the one before, "" if it does not."""
    return (
        said("Read with your previous question: {question}", question=question) if question else ""
    )


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of an answer and where it stands; quote is verbatim from the page.

    above: a line that announces it and what follows, and claims nothing; mostly empty. form: how
    the quote stands on its page; None if the text is not the quote itself.
    """

    text: str
    source: PageRegion
    quote: str
    above: str = ""
    form: QuotedForm | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """found: False means "not in your manuals"; then statements is empty, nearest is not.

    safety: the warnings that govern the cited sections, verbatim.
    unanswered: the parts of the question that the manuals most likely do not answer. by_model: a
    language model wrote it, it is not quoted.
    """

    found: bool
    statements: tuple[Statement, ...]
    safety: tuple[WarningBlockEvent, ...]
    nearest: tuple[Evidence, ...]
    confidence: float
    reason: str
    unanswered: tuple[str, ...] = ()
    by_model: bool = False


class Answerer(Protocol):
    """Writes the answer to a question from evidence alone."""

    def answer(self, question: str, evidence: Sequence[Evidence]) -> Answer:
        """Answer `question` from `evidence` (best first), or say that it is not there."""
