"""A job sheet: the answer on one small page for the pocket, with what it is based on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from desktop.core.answering.quoted_lines import QuotedLines, key_lines, section_told, with_rows
from desktop.core.events import WARNING_LEVELS
from desktop.core.library.editions import slug
from desktop.core.paths import free_path
from desktop.core.reports.cited_pictures import cited_pictures
from desktop.core.reports.contents import moment, note_places, printable, quote_of, signal_word
from desktop.core.reports.pdf import MM_PER_POINT, MUTED, PAPER, WASH, PdfPage
from desktop.sentences import in_language, said, template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop.core.events import CitationEvent, PageRegion, WarningBlockEvent
    from desktop.core.page_drawing import PageDrawer
    from desktop.core.reports.cited_pictures import CitedPicture
    from desktop.core.reports.contents import AnsweredTurn

_MARGIN = 10.0  # millimetres
_TITLE, _BODY, _SMALL = 14.0, 11.0, 8.0  # points
_HIGHEST_PICTURE = 70.0  # millimetres
_APART = 2.0  # millimetres between rows
_LARGEST = 1.15
"""A part of a page is printed at most so much larger than it is in the manual."""
_MOST_PICTURES = 4
_SIZES = (1.0, 0.9, 0.8, 0.7)
_SHORTENED = said("… The whole answer does not fit on this sheet: see Groundwork or the manual.")
NOTICE: Final = said("Go by the manual: check it before you work on the equipment.")
_HEAD = template("Job sheet, {when}")
_TO_FILL_IN = said("Name ____________________   Asset ____________________   Date ______________")
_TICK_BOX = "☐ "
_WORDS = (NOTICE, _SHORTENED, said(_HEAD), said("page"), _TO_FILL_IN, _TICK_BOX)


def write_job_sheet(
    turn: AnsweredTurn,
    folder: Path,
    drawer: PageDrawer | None,
    titles: Mapping[int, str],
    drawn: Callable[[int, int], object] = lambda _drawn, _of: None,
) -> Path:
    """Write a sheet into `folder` and return its file; blocks.

    titles: of the manuals, by document id; see `titles_of`. drawn: called after each page with
    how many pages are drawn, and of how many.

    Letters and pictures get smaller, then fewer, until everything fits on one page
    (A5); an answer that is longer than that is cut, and the sheet says so.

    Raises: OSError.
    """
    shown = _by_page(turn.citations)
    pictures: list[CitedPicture] = []
    for picture in cited_pictures(shown[:_MOST_PICTURES], drawer, tight=True):
        pictures.append(picture)
        drawn(len(pictures), min(len(shown), _MOST_PICTURES))
    content = next(_attempts(turn, pictures, titles))
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{turn.answered_at:%Y-%m-%d}-{slug(turn.question) or 'answer'}"
    path = free_path(folder / f"{stem}.pdf")
    path.write_bytes(content)
    return path


def _attempts(
    turn: AnsweredTurn, pictures: Sequence[CitedPicture], titles: Mapping[int, str]
) -> Iterator[bytes]:
    """Yield sheets that fit on one page, the best first."""
    sheets = _Sheets(turn, titles)
    for count in range(len(pictures), -1, -1):
        for size in _SIZES:
            yield from sheets.tried(turn, pictures[:count], size)
    shortened = in_language(_SHORTENED, turn.language)
    lines = turn.answer.split("\n")
    words = turn.answer.split()
    while len(words) > 1:
        words = words[: int(len(words) * 0.8)]
        short = " ".join(words) if len(lines) == 1 else _first_lines(lines, len(" ".join(words)))
        cut = replace(turn, answer=f"{short}\n{shortened}", warnings=turn.warnings[:2])
        yield from sheets.tried(cut, (), _SIZES[-1])
    yield sheets.written(replace(turn, answer=shortened, warnings=()), (), _SIZES[-1])[0]


def _first_lines(lines: Sequence[str], letters: int) -> str:
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(line) > letters:
            break
        kept.append(line)
    return "\n".join(kept)


class _Sheets:
    """Attempts at one sheet; measured first, on one page with the typefaces read only once."""

    def __init__(self, turn: AnsweredTurn, titles: Mapping[int, str]) -> None:
        self._titles, self._characters = titles, _characters(turn, titles)
        self._measuring = PdfPage(self._characters, "A5", _MARGIN, numbered=False, measures=True)
        self._room = PAPER["A5"][1] - _MARGIN

    def tried(
        self, turn: AnsweredTurn, pictures: Sequence[CitedPicture], size: float
    ) -> Iterator[bytes]:
        """Yield the file if everything fits on one page. size: a factor of all letters."""
        self._measuring.pdf.add_page()
        _Sheet(self._measuring, self._titles, size, turn.language).write(turn, pictures)
        if self._measuring.pdf.get_y() > self._room:
            return
        content, pages = self.written(turn, pictures, size)
        if pages == 1:
            yield content

    def written(
        self, turn: AnsweredTurn, pictures: Sequence[CitedPicture], size: float
    ) -> tuple[bytes, int]:
        """Return the file and how many pages it has."""
        page = PdfPage(self._characters, "A5", _MARGIN, numbered=False)
        page.begin(printable(turn.question, one_line=True), turn.answered_at)
        _Sheet(page, self._titles, size, turn.language).write(turn, pictures)
        return bytes(page.pdf.output()), page.pdf.page_no()


class _Sheet:
    """Writes onto a page. size: a factor of all letters."""

    def __init__(
        self, page: PdfPage, titles: Mapping[int, str], size: float, language: str
    ) -> None:
        self._page, self._titles, self._size, self._language = page, titles, size, language

    def write(self, turn: AnsweredTurn, pictures: Sequence[CitedPicture]) -> None:
        """Write all from top to bottom."""
        head = said(_HEAD, when=moment(turn.answered_at, self._language))
        self._text(in_language(head, self._language), _SMALL, colour=MUTED, after=1)
        self._text(printable(turn.question, one_line=True), _TITLE, bold=True, after=2)
        for block in sorted(turn.warnings, key=lambda each: WARNING_LEVELS.index(each.level)):
            self._warning(block)
        if turn.doubt:
            self._text(turn.doubt, _BODY, bold=True, fill=WASH["CAUTION"], after=2)
        quoted = QuotedLines(turn.citations)
        forms = [each.form for each in turn.citations if each.form is not None]
        headings = {section_told(quoted.section(form)) for form in forms}
        bold = headings | key_lines(turn.citations)
        for line in with_rows(turn.answer, turn.citations).split("\n"):
            if not line.strip():
                self._page.pdf.ln(_APART * self._size)
            else:
                cited, _ = quoted.at(line) or (None, 0)
                done = cited is not None and cited.form is not None and cited.form.kind == "step"
                told = (_TICK_BOX if done else "") + printable(line.strip())
                self._text(told, _BODY, bold=line in bold, after=1)
        self._page.pdf.ln(1)
        places = self._places(turn.citations)
        for picture in pictures:
            if picture.png:
                widest = picture.points * MM_PER_POINT * _LARGEST
                highest, quote = _HIGHEST_PICTURE * self._size, quote_of(picture.citation)
                self._page.picture(picture.png, widest, highest, quote, after=1)
                self._text(places.pop(_page_key(picture.citation)), _SMALL, colour=MUTED, after=2)
        for line in (*places.values(), *note_places(turn)):
            self._text(line, _SMALL, colour=MUTED)
        self._text(in_language(NOTICE, self._language), _SMALL, colour=MUTED, after=3)
        self._text(in_language(_TO_FILL_IN, self._language), _SMALL)

    def _warning(self, block: WarningBlockEvent) -> None:
        level = signal_word(block.level, self._language)
        words = f"{level}: {printable(block.text, one_line=True)} ({self._page_of(block.source)})"
        self._text(words, _BODY, bold=True, fill=WASH[block.level], after=1.5)

    def _places(self, citations: Sequence[CitationEvent]) -> dict[tuple[int, int], str]:
        """Return "[1] [2] Title, Edition 3, page 4-1 (manual.pdf)" for each page."""
        marks: dict[tuple[int, int], list[str]] = defaultdict(list)
        for each in citations:
            marks[_page_key(each)].append(f"[{each.number}]")
        places = {}
        for each in _by_page(citations):
            source = each.source
            title = self._titles.get(source.document_id) or source.document
            where = f"{title}, {self._page_of(source)} ({source.document})"
            mark = " ".join(marks[_page_key(each)])
            places[_page_key(each)] = printable(f"{mark} {where}", one_line=True)
        return places

    def _page_of(self, source: PageRegion) -> str:
        page = said("page {label}", label=source.label or source.page + 1)
        return printable(in_language(page, self._language), one_line=True)

    def _text(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: tuple[int, int, int] = (20, 20, 20),
        fill: tuple[int, int, int] | None = None,
        after: float = 0.0,
    ) -> None:
        size = max(size * self._size, min(size, 7.0))
        self._page.text(text, size, bold=bold, colour=colour, fill=fill, after=after)


def _page_key(citation: CitationEvent) -> tuple[int, int]:
    return citation.source.document_id, citation.source.page


def _by_page(citations: Sequence[CitationEvent]) -> list[CitationEvent]:
    """Return one citation for each page, with the regions of all that cite it."""
    pages: dict[tuple[int, int], CitationEvent] = {}
    for each in citations:
        key = _page_key(each)
        first = pages.get(key)
        if first is None:
            pages[key] = each
            continue
        regions = dict.fromkeys((*first.source.regions, *each.source.regions))
        source = replace(first.source, regions=tuple(regions))
        pages[key] = replace(first, source=source, quote=f"{first.quote} {each.quote}")
    return list(pages.values())


def _characters(turn: AnsweredTurn, titles: Mapping[int, str]) -> set[str]:
    answer = with_rows(turn.answer, turn.citations)
    texts = [turn.question, turn.doubt, answer, *note_places(turn), "()[]0123456789-:.,"]
    texts += [in_language(each, turn.language) for each in _WORDS]
    texts += [signal_word(each.level, turn.language) for each in turn.warnings]
    texts += titles.values()
    texts += [f"{each.text} {each.source.label}" for each in turn.warnings]
    texts += [f"{each.source.document} {each.source.label}" for each in turn.citations]
    return set(printable("\n".join(texts)))
