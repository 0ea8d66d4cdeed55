"""The report as an event stream: each sentence checked against the filtered sources.

What no source of the context carries is left out, and so is a number that cites none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from desktop.core.claims.grounding import Carrier, PassageGrounding
from desktop.core.errors import DocumentNotFound
from desktop.core.events import CitationEvent, NoteCitationEvent
from desktop.core.page_words import PageWords
from desktop.core.research.draft import DraftSentence, read_draft, write_draft
from desktop.core.research.review import UNCONFIRMED
from desktop.core.research.sources import NO_DOCUMENT
from desktop.core.sentences import template
from desktop.core.spoken import in_language, language_of, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.events import PageRegion
    from desktop.core.research.handler import ResearchHandler

_LEAD = (template("The site says: "), template("The manual says: "))
_OURS = frozenset(
    {template("Contradictions"), template("No contradiction was found.")}
    | {template("Not decided: compare these yourself")}
    | {template("Agreements"), template("No agreement was found.")}
    | {template("The claim is supported"), template("The claim is contradicted")}
    | {template("Nothing was found.")}
)
"""What rules write into a report beside the words of its sources."""


@dataclass
class CheckedReport:
    """text: what may be shown, its marks are numbers of `citations`. withdrawn: sentences that
    no source carries. sources: names of what is cited, in order.
    """  # noqa: D205

    text: str = ""
    citations: list[CitationEvent | NoteCitationEvent] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)


def checked_report(
    report: str, context: Sequence[Mapping[str, Any]], handler: ResearchHandler, question: str
) -> CheckedReport:
    """Check a report; its numbers become those of its own citations. Blocks: pages are read."""
    return _Checking(context, handler, question).run(report)


class _Checking:
    def __init__(
        self, context: Sequence[Mapping[str, Any]], handler: ResearchHandler, question: str
    ) -> None:
        self._sources = {
            number: source
            for number, item in enumerate(context, 1)
            if (source := handler.sources.of(item)) is not None
        }
        passages = [source.passage(number) for number, source in self._sources.items()]
        self._page_words = handler.page_words
        self._grounding = PassageGrounding(passages, self._words, handler.comparison)
        self._numbers: dict[PageRegion | tuple[str, str], int] = {}
        self._found = CheckedReport()
        self._language = language_of(
            question, *(unit.text for each in passages for unit in each.units)
        )

    def run(self, report: str) -> CheckedReport:
        kept: list[DraftSentence] = []
        checked_all = [(sentence, self._checked(sentence)) for sentence in read_draft(report)]
        # half a comparison says nothing: without one side the other goes too
        halved = {
            sentence.line
            for sentence, checked in checked_all
            if checked is None and self._compares(sentence.line, report)
        }
        for sentence, checked in checked_all:
            if sentence.line in halved:
                continue
            if checked is not None and not (kept and _repeats(kept[-1], checked)):
                kept.append(checked)
        tells = any(each.claims or each.empty_list for each in kept)
        self._found.text = write_draft([self._told(each) for each in kept]) if tells else ""
        return self._found

    @staticmethod
    def _compares(line: int, report: str) -> bool:
        return _LEAD[0].strip() in report.splitlines()[line]

    def _told(self, sentence: DraftSentence) -> DraftSentence:
        """Return a sentence whose words of ours are in the language of the question."""
        text = sentence.text
        if text in _OURS:
            return replace(sentence, text=in_language(text, self._language))
        lead = next((each for each in _LEAD if text.startswith(each)), "")
        words = text[len(lead) :]
        if lead and words.startswith("“") and words.endswith("”"):
            words = quoted(words[1:-1], self._language)
        return replace(sentence, text=in_language(lead, self._language) + words)

    def _words(self, document_id: int, page: int) -> PageWords:
        """Return the words of a page; none of a note, or of a manual deleted meanwhile."""
        if document_id == NO_DOCUMENT:
            return PageWords.empty()
        try:
            return self._page_words(document_id, page)
        except DocumentNotFound:
            return PageWords.empty()

    def _checked(self, sentence: DraftSentence) -> DraftSentence | None:
        if not sentence.claims:
            return sentence
        cited = [number for number in sentence.cited if number in self._sources]
        said = sentence.text
        for lead in _LEAD:
            said = said.removeprefix(lead)
        said = said.replace(f" ({UNCONFIRMED})", "")
        grounding = self._grounding.ground(said, cited)
        if not grounding.carriers or not self._grounding.settle(said, grounding):
            self._found.withdrawn.append(sentence.text)
            return None
        numbers = tuple(dict.fromkeys(self._cite(each) for each in grounding.carriers))
        return DraftSentence(
            sentence.text, numbers, sentence.bullet, sentence.heading, sentence.line
        )

    def _cite(self, carrier: Carrier) -> int:
        """Return the number of a place; pages and notes are one sequence."""
        source = self._sources[carrier.passage.number]
        place = carrier.source if source.note is None else (source.url, carrier.quote)
        if place in self._numbers:
            return self._numbers[place]
        number = self._numbers[place] = len(self._numbers) + 1
        found = self._found
        if source.note is None:
            found.citations.append(CitationEvent(number, carrier.source, carrier.quote))
        else:
            found.citations.append(NoteCitationEvent(number, source.note, carrier.quote))
        if source.name not in found.sources:
            found.sources.append(source.name)
        return number


def _repeats(before: DraftSentence, sentence: DraftSentence) -> bool:
    """Whether a sentence only says the one before it again."""
    same = (before.text, before.cited) == (sentence.text, sentence.cited)
    return same and sentence.claims
