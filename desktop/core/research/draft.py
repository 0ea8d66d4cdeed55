"""A draft as sentences that cite sources by number, and the headings between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.written_draft import SentenceEnd, SentenceStream
from desktop.core.events import CitationEvent
from desktop.core.notes.wording import note_place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.events import NoteCitationEvent
    from desktop.core.research.report import CheckedReport

CONTRADICTIONS, AGREEMENTS = "Contradictions", "Agreements"
NOT_DECIDED = "Not decided: compare these yourself"
NO_CONTRADICTION, NO_AGREEMENT = "No contradiction was found.", "No agreement was found."
_EMPTY_LISTS = frozenset({NO_CONTRADICTION, NO_AGREEMENT})
_BULLETS = ("- ", "* ", "• ")
_HEADING = "\n\n## Sources\n"


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """text: without its marks and its bullet. cited: numbers of sources. bullet: of a list.

    heading: a title; it claims nothing. line: its line in the draft, from 0.
    """

    text: str
    cited: tuple[int, ...] = ()
    bullet: bool = False
    heading: bool = False
    line: int = 0

    @property
    def opening(self) -> bool:
        """Whether it only announces what follows."""
        return not self.cited and self.text.rstrip().endswith(":")

    @property
    def empty_list(self) -> bool:
        """Whether it stands for a list of monitor mode that has nothing in it."""
        return not self.cited and self.text in _EMPTY_LISTS

    @property
    def claims(self) -> bool:
        """Whether it states something that a source must carry."""
        return not self.heading and not self.opening and not self.empty_list

    def __str__(self) -> str:
        """Return it as it stands in a draft, without heading signs or bullet."""
        return self.text + (" " if self.cited else "") + "".join(f"[{n}]" for n in self.cited)


def read_draft(draft: str) -> list[DraftSentence]:
    """Split Markdown into sentences; marks belong to the sentence before them."""
    found: list[DraftSentence] = []
    for number, line in enumerate(draft.splitlines()):
        stripped = line.strip()
        if not stripped or set(stripped) <= set("-=_*"):
            continue
        if stripped.startswith("#"):
            found.append(DraftSentence(stripped.lstrip("# ").strip("* "), (), False, True, number))
            continue
        bullet = stripped.startswith(_BULLETS)
        found += _sentences(stripped[2:] if bullet else stripped, bullet, number)
    return found


def write_draft(sentences: Sequence[DraftSentence]) -> str:
    """Return sentences as Markdown again; headings that nothing follows are left out."""
    lines: list[str] = []
    last = -1
    for index, sentence in enumerate(sentences):
        following = sentences[index + 1] if index + 1 < len(sentences) else None
        if sentence.heading:
            if following is not None and not following.heading:
                lines += ["", f"## {sentence}"]
        elif sentence.line == last and lines and not lines[-1].startswith("#"):
            lines[-1] += f" {sentence}"
        else:
            lines.append(f"- {sentence}" if sentence.bullet else str(sentence))
        last = sentence.line
    return "\n".join(lines).strip()


def _sentences(text: str, bullet: bool, line: int) -> list[DraftSentence]:
    stream = SentenceStream()
    pieces = [*stream.feed(text), *stream.finish()]
    return [
        DraftSentence(piece.text, piece.cited, bullet and not index, False, line)
        for index, piece in enumerate(p for p in pieces if isinstance(p, SentenceEnd))
    ]


def with_sources(draft: str, context: Sequence[Mapping[str, Any]]) -> str:
    """Return a draft, whose numbers are those of the context, with the sources it names."""
    cited = sorted({number for each in read_draft(draft) for number in each.cited})
    lines = [f"[{n}] {context[n - 1].get('name', '')}" for n in cited if 1 <= n <= len(context)]
    return draft + (_HEADING + "\n".join(lines) if lines else "")


def with_places(report: CheckedReport) -> str:
    """Return a checked report with the places that it cites."""
    lines = [f"[{each.number}] {_place(each)}: “{each.quote}”" for each in report.citations]
    return report.text + (_HEADING + "\n".join(lines) if lines else "")


def _place(citation: CitationEvent | NoteCitationEvent) -> str:
    if isinstance(citation, CitationEvent):
        source = citation.source
        return f"{source.document}, page {source.label or source.page + 1}"
    return note_place(citation.note)
