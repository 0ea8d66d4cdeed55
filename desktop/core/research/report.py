"""A draft and a report: sentences that cite sources by number, checked against them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.written_draft import SentenceEnd, SentenceStream
from desktop.core.answering.answer import Statement
from desktop.core.answering.wording import quoted_form, shown_text
from desktop.core.claims.comparison import ITEM_SIGN
from desktop.core.claims.grounding import Carrier, PassageGrounding
from desktop.core.errors import DocumentNotFound
from desktop.core.events import CitationEvent, NoteCitationEvent, PageRegion
from desktop.core.notes.note import note_place
from desktop.core.page_words import PageWords
from desktop.core.question.languages import language_of
from desktop.core.question.query import Question
from desktop.core.reader.quotes import quotes_of
from desktop.core.research.sources import NO_DOCUMENT
from desktop.core.structure.sentences import sentences_of
from desktop.core.structure.signs import with_plain_signs, without_bullet
from desktop.sentences import in_language, quoted, said, template

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.events import QuotedForm, WarningBlockEvent
    from desktop.core.research.handler import ResearchHandler

UNCONFIRMED = template("not confirmed")
NOT_FOUND = said("Not found in the sources")
CONTRADICTIONS, AGREEMENTS = template("Contradictions"), template("Agreements")
MAY_CONTRADICT = template("Likely contradictions: check the page")
NOT_DECIDED = template("Not decided: compare these yourself")
NO_CONTRADICTION = template("No contradiction was found.")
NO_AGREEMENT = template("No agreement was found.")
SUPPORTED, CONTRADICTED = template("The claim is supported"), template("The claim is contradicted")
UNDECIDED = template("Not decided: compare the claim with this")
OTHER_VALUE = template("The manual gives another value: compare the claim with it")
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
        """Whether it stands for an empty list of monitor mode."""
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


def on_one_line(text: str) -> str:
    """Return a manual's words on one line, without what would look like a citation or a bullet."""
    line = " ".join(with_plain_signs(text).replace("[", "(").replace("]", ")").split())
    return without_bullet(line)


def write_draft(sentences: Sequence[DraftSentence]) -> str:
    """Return sentences as Markdown again; headings with nothing below them are left out."""
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


def with_own_marks(draft: str, texts: Mapping[int, str]) -> str:
    """Return a draft in which every sentence that a source says word by word cites it.

    A quotation of several sentences often has one mark, at its end. texts: of the
    sources, by number. A sentence that the sources of its line contain is taken to be
    from them.
    """
    sentences = read_draft(draft)
    if all(each.cited or not each.claims for each in sentences):
        return draft
    letters = {number: _letters(text) for number, text in texts.items()}
    marked = []
    for sentence in sentences:
        if sentence.claims and not sentence.cited:
            beside = [n for each in sentences if each.line == sentence.line for n in each.cited]
            wanted = _letters(sentence.text)
            said = [n for n in (*beside, *letters) if wanted and wanted in letters.get(n, "")]
            sentence = replace(sentence, cited=tuple(said[:1]))
        marked.append(sentence)
    return write_draft(marked)


def _letters(text: str) -> str:
    """Return the letters and digits of a text, without the sign that opens an item."""
    text = ITEM_SIGN.sub("", text)
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _sentences(text: str, bullet: bool, line: int) -> list[DraftSentence]:
    stream = SentenceStream()
    pieces = [*stream.feed(text), *stream.finish()]
    found: list[DraftSentence] = []
    opened = -1  # where the quotation begins that is still open
    for piece in (each for each in pieces if isinstance(each, SentenceEnd)):
        found.append(DraftSentence(piece.text, piece.cited, bullet and not found, False, line))
        if opened < 0 and piece.text.count("“") > piece.text.count("”"):
            opened = len(found) - 1
        elif opened >= 0 and "”" in piece.text:
            # its mark counts for all of its sentences
            found[opened:] = [
                each if each.cited else replace(each, cited=piece.cited) for each in found[opened:]
            ]
            opened = -1
    return found


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
        if source.document_id == NO_DOCUMENT:
            return source.document
        return f"{source.document}, page {source.label or source.page + 1}"
    return note_place(citation.note)


SITE_SAYS, MANUAL_SAYS = template("Site notes say: "), template("The manual says: ")
_LEAD = (SITE_SAYS, MANUAL_SAYS)
_OURS = frozenset(
    {CONTRADICTIONS, NO_CONTRADICTION, MAY_CONTRADICT, NOT_DECIDED, AGREEMENTS, NO_AGREEMENT}
    | {SUPPORTED, CONTRADICTED, UNDECIDED, OTHER_VALUE, template("Nothing was found.")}
)
"""What rules write into a report beside the words of its sources."""


@dataclass
class CheckedReport:
    """text: what may be shown, its marks are numbers of `citations`. withdrawn: sentences that
    no source carries. sources: names of what is cited, in order. warnings: that govern it.
    """  # noqa: D205

    text: str = ""
    citations: list[CitationEvent | NoteCitationEvent] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    warnings: tuple[WarningBlockEvent, ...] = ()

    def tell_not_found(self, parts: Sequence[str], language: str) -> None:
        """Say at the end which parts of the question no source answers."""
        if parts:
            heading = in_language(NOT_FOUND, language)
            self.text += f"\n\n## {heading}\n" + "\n".join(f"- {part}" for part in parts)


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
        self._passages = {passage.number: passage for passage in passages}
        self._page_words = handler.page_words
        self._warnings = handler.warnings
        self._grounding = PassageGrounding(passages, self._words, handler.comparison)
        self._numbers: dict[PageRegion | tuple[str, str], int] = {}
        self._found = CheckedReport()
        self._question = question
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
            if checked is None and _LEAD[0].strip() in report.splitlines()[sentence.line]
        }
        for sentence, checked in checked_all:
            if sentence.line in halved:
                continue
            if checked is None:
                continue
            told = (checked.text, checked.cited)
            if not (kept and checked.claims and told == (kept[-1].text, kept[-1].cited)):
                kept.append(checked)
        tells = any(each.claims or each.empty_list for each in kept)
        self._found.text = write_draft([self._told(each) for each in kept]) if tells else ""
        cited = (each for each in self._found.citations if isinstance(each, CitationEvent))
        stated = [Statement(each.quote, each.source, each.quote) for each in cited]
        self._found.warnings = self._warnings(stated)
        return self._found

    def _told(self, sentence: DraftSentence) -> DraftSentence:
        """Return a sentence with our own words put into the language of the question."""
        text = sentence.text
        if text in _OURS:
            return replace(sentence, text=in_language(said(text), self._language))
        lead = next((each for each in _LEAD if text.startswith(each)), "")
        words = text[len(lead) :]
        if lead and words.startswith("“") and words.endswith("”"):
            words = quoted(words[1:-1], self._language)
        before = in_language(said(lead), self._language) if lead else ""
        return replace(sentence, text=before + words)

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
        carriers = tuple(filter(None, [self._verbatim(said, cited)]))
        if not carriers:
            grounding = self._grounding.ground(said, cited)
            carriers = grounding.carriers
            if not carriers or not self._grounding.settle(said, grounding):
                self._found.withdrawn.append(sentence.text)
                return None
        numbers = tuple(dict.fromkeys(self._cite(each, sentence.text) for each in carriers))
        return replace(sentence, cited=numbers)

    def _verbatim(self, said: str, cited: Sequence[int]) -> Carrier | None:
        """Return where a whole sentence of a source is found word for word, as in a warning.

        A part of a sentence may say the opposite of the whole, so it does not count.
        """
        wanted = _letters(said)
        for passage in (self._passages[number] for number in cited):
            page = passage.evidence
            for unit in passage.units:
                if wanted not in {_letters(each) for each in sentences_of(unit.text)}:
                    continue
                quotes = quotes_of(unit, self._words(page.document_id, page.page))
                quote = next((each for each in quotes if wanted in _letters(each.text)), None)
                boxes = quote.boxes if quote is not None else unit.boxes
                text = quote.text if quote is not None else unit.text
                return Carrier(passage, page.region(tuple(boxes)), text, text)
        return None

    def _row(self, carrier: Carrier, told: str) -> QuotedForm | None:
        """Return how a row reads on its page, None if it is no row or told in other words."""
        page = carrier.passage.evidence
        words = self._words(page.document_id, page.page)
        rows = (unit for unit in carrier.passage.units if unit.kind == "row")
        for quote in (quote for unit in rows for quote in quotes_of(unit, words)):
            if on_one_line(shown_text(quote)) == on_one_line(told):
                form = quoted_form(quote, words, Question.parse(self._question), None)
                return replace(form, told=told)
        return None

    def _cite(self, carrier: Carrier, told: str) -> int:
        """Return the number of a place; pages and notes are one sequence."""
        source = self._sources[carrier.passage.number]
        place = carrier.source if source.note is None else (source.url, carrier.quote)
        if place in self._numbers:
            return self._numbers[place]
        number = self._numbers[place] = len(self._numbers) + 1
        found = self._found
        if source.note is None:
            form = self._row(carrier, told)
            found.citations.append(CitationEvent(number, carrier.source, carrier.quote, form=form))
        else:
            found.citations.append(NoteCitationEvent(number, source.note, carrier.quote))
        if source.name not in found.sources:
            found.sources.append(source.name)
        return number
