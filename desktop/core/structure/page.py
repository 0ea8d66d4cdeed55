"""One page understood: its title and furniture, blocks with their sections, and its units."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath
from statistics import median
from typing import TYPE_CHECKING

from desktop.core.structure.captions import is_caption
from desktop.core.structure.cut_words import spellings_of
from desktop.core.structure.grids import with_whole_grids
from desktop.core.structure.page_blocks import draft_blocks
from desktop.core.structure.raw import (
    DocumentStyle,
    RawPage,
    Segment,
    hull,
    page_segments,
    visual_rows,
)
from desktop.core.structure.sentences import words_in
from desktop.core.structure.signs import DRAWN_SIGN, LEADERS, is_numbered, with_plain_signs
from desktop.core.structure.text_parts import ENDS, TITLE_SIZE
from desktop.core.structure.turned import turned_page
from desktop.core.structure.units import open_table, page_units
from desktop.core.structure.unruled_tables import table_regions
from desktop.core.structure.values import Block, Unit
from desktop.core.whole_words import text_of, whole_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.structure.blocks import DraftBlock
    from desktop.core.structure.table_heads import TableHead
    from desktop.core.structure.turned import TurnedPage
    from desktop.core.structure.values import BlockKind, BoxTuple, OutlineEntry

_NOT_A_TITLE = re.compile(
    r"(\.(pdf|docx?|indd|fm|book|qxd|odt|tex|dvi|ps|pmd|p65|xls|ppt|cdr|tmp)x?\b"
    r"|^untitled|^microsoft word|^document\d*$|^manualslib\b|^\W*$|^[\d\W_]+$|^layout \d|^print\b)",
    re.IGNORECASE,
)
_FEWEST_WORDS, _MOST_WORDS = 3, 14
_FEWEST_ENTRIES = 4
"""Of a table of contents without leaders: fewer numbers may count up by chance."""
_BELOW = 12.0  # points between the right ends of numbers below each other
_LEAST_SPACED = 4
_COVER = 1.8
"""Words of a cover are so many times as large as most others: larger than a heading."""


def document_title(metadata_title: str, first_page: RawPage | None) -> str:
    """Return a title for people and for the index, "" if nothing says one.

    What the metadata say counts if two thirds of its words stand on the first page, or that page is
    no cover: programs leave the names of templates and of other files in the metadata.
    """
    title = " ".join(metadata_title.split())
    title = title if _is_title(title) else ""
    is_file_name = "_" in title and " " not in title
    if is_file_name:
        title = name_as_title(title)
    if first_page is None:
        return title
    if title and _is_strange(first_page, title):
        title = ""
    if title and not ((is_file_name or _is_cover(first_page)) and _lacks(first_page, title)):
        return title
    return largest_words(first_page) or title


def name_as_title(file_name: str) -> str:
    """Return a file's name as a title: without its ending, with spaces where it has none."""
    stem = PurePath(file_name).stem.replace("_", " ").strip()
    if " " not in stem and stem.count("-") > 1:  # one alone may belong to the name: HX-200
        stem = stem.replace("-", " ").strip()
    return stem or file_name


def _is_cover(page: RawPage) -> bool:
    """Whether a page has words as large as a cover's."""
    sizes = sorted(s.size for s in page_segments(page))
    return bool(sizes) and sizes[-1] >= _COVER * sizes[len(sizes) // 4]


def _is_strange(page: RawPage, title: str) -> bool:
    """Whether the first page has words, and hardly any letter of a title: another script's."""
    printed = {letter for word in page.words.texts for letter in word.casefold()}
    letters = [letter for letter in title.casefold() if letter.isalpha()]
    return bool(printed) and 2 * sum(letter in printed for letter in letters) < len(letters)


def _lacks(page: RawPage, title: str) -> bool:
    """Whether more than a third of a title's words do not stand on a page."""
    printed = set(words_in(" ".join(s.text for s in page_segments(page)).casefold()))
    words = words_in(title.casefold())
    return 3 * sum(word in printed for word in words) < 2 * len(words)


def largest_words(page: RawPage) -> str:
    """Return the largest text in the upper part of a title page, "" if nothing stands out.

    Smaller text belongs to it while there are hardly any words, as below a maker's name.
    """
    segments = [s for s in _above_contents(page) if _may_be_in_title(s.text)]
    if not segments:
        return ""
    sizes = sorted({s.size for s in segments}, reverse=True)
    chosen: list[Segment] = []
    for size in sizes[:3]:
        words = sum(len(s.text.split()) for s in chosen)
        if words >= _FEWEST_WORDS and size < 0.6 * sizes[0]:
            break
        more = [s for s in segments if s.size == size]
        if chosen and words + sum(len(s.text.split()) for s in more) > _MOST_WORDS:
            break
        chosen += more
    rows = [_unspaced(" ".join(s.text for s in row)) for row in visual_rows(chosen)]
    if sum(map(is_numbered, rows)) > 1:  # a list of contents
        return ""
    words_of_title = " ".join(rows).split()
    most = 2 * _MOST_WORDS if _is_cover(page) else _MOST_WORDS
    title = text_of(dict.fromkeys(words_of_title))
    return title if 1 <= len(words_of_title) <= most and _is_title(title) else ""


def _may_be_in_title(text: str) -> bool:
    """Whether it has letters and no address: "Downloaded from www.manualslib.com" names nothing."""
    return sum(map(str.isalpha, text)) >= 2 and "www." not in text.casefold()


def _unspaced(text: str) -> str:
    """Return a line that is set with spaces between its letters without these: "M A N U A L"."""
    letters = text.split()
    spaced = len(letters) >= _LEAST_SPACED and all(len(each) == 1 for each in letters)
    return "".join(letters) if spaced else text


def _above_contents(page: RawPage) -> list[Segment]:
    """Return the segments above the heading of a page's table of contents, all without one."""
    rows = visual_rows([s for s in page_segments(page) if s.text.strip()])
    entries = [n for n, row in enumerate(rows) if any(LEADERS.search(s.text) for s in row)]
    end = (1 - _MARGIN_SHARE) * page.height  # below it stands the page's own number
    entries = entries or _counting([[s for s in row if s.box[1] < end] for row in rows])
    upper = rows[: max(0, entries[0] - 1)] if len(entries) > 1 else rows
    heading = rows[len(upper)][0].text if len(upper) < len(rows) else ""
    return [segment for row in upper for segment in row if segment.text != heading]


def _counting(rows: Sequence[Sequence[Segment]]) -> list[int]:
    """Return the rows that name something before a number, if these count up as page numbers do.

    They do in each column: a list of contents may have two side by side.
    """
    columns: list[list[Segment]] = []
    counted: list[int] = []
    for n, row in enumerate(rows):
        for name, number in pairwise(row):
            if not (number.text.strip().isdecimal() and any(map(str.isalpha, name.text))):
                continue
            column = next((c for c in columns if abs(c[0].box[2] - number.box[2]) < _BELOW), None)
            if column is None:
                columns.append(column := [])
            column.append(number)
            counted += [n] if n not in counted else []
    numbers = [[int(each.text) for each in column] for column in columns]
    counts_up = all(a <= b for column in numbers for a, b in pairwise(column))
    return counted if sum(map(len, numbers)) >= _FEWEST_ENTRIES and counts_up else []


def _is_title(title: str) -> bool:
    return sum(c.isalpha() for c in title) >= 4 and not _NOT_A_TITLE.search(title)


# The part of the page height at top and bottom where furniture stands, and of the width beside
# the text, where tabs name the language or the chapter.
_MARGIN_SHARE, _TAB_SHARE = 0.12, 0.05
_ENOUGH_PAGES = 3
_MOST_FURNITURE, _ROWS_BELOW = 2, 5  # pieces of a running header; lines below headings
# Heights of a line between a line of the margin and the text that it belongs to.
_NEXT_LINE, _BELOW_TITLE = 0.7, 2.5
_TO_NUMBER, _TO_NEXT_CELL = 3.0, 0.3
"""Sizes of a title between it and its number; share of the page's width between two cells."""
_COVERS, _LEAST_LETTERS, _LEAST_SAID = 2, 2, 4
"""Pages with names in large print, which head nothing; letters of words; words of a text."""
_MOST_PATTERNS = 5_000
_PAGE = "page|seite|sheet|blatt|p[aá]gina|sidan?|sivu|stron[ay]|strana|oldal"
_OF = "of|von|de|di|van|av|z"
_LABEL = re.compile(
    rf"^(?:(?:{_PAGE}|p\.?|p[aá]g\.?|str\.)\s*[|:]?\s*)?"
    r"((?:[A-Za-z]{1,2}|\d{1,3})(?:\s?[-–—]\s?|\.)\d{1,4}|\d{1,4}"
    r"|(?=[ivxl])(?:xl|l?x{0,3})(?:i[xv]|v?i{0,3}))"
    rf"(?:\s*(?:/|{_OF})\s*\d{{1,5}})?$",
    re.IGNORECASE,
)
_NUMBER_OF_TITLE = re.compile(r"\d{1,2}(?:\.|(?:\.\d{1,3})+\.?)")
_AROUND = " -–—|"  # "- 12 -"
_IN_LINE = re.compile(
    rf"\b(?:{_PAGE})\s*[|:]?\s+(\d{{1,4}}(?:[-–]\d{{1,4}})?)(?:\s*(?:/|{_OF})\s*\d+)?", re.I
)


def in_margin(segment: Segment, raw: RawPage) -> bool:
    """Whether a segment stands where headers, footers and tabs with a word do.

    Of what is turned, a number too: the document's own.
    """
    return _is_tab(segment, raw.width) or _over_or_under(segment, raw.height)


def _is_tab(segment: Segment, page_width: float) -> bool:
    share = _MARGIN_SHARE if segment.turned else _TAB_SHARE
    is_beside = abs(segment.centre[0] - page_width / 2) > (0.5 - share) * page_width
    return is_beside and (segment.turned or any(map(str.isalpha, segment.text)))


def _over_or_under(segment: Segment, page_height: float) -> bool:
    return abs(segment.centre[1] - page_height / 2) > (0.5 - _MARGIN_SHARE) * page_height


def pattern(text: str) -> str:
    """Return a margin line with its numbers replaced, equal on every page.

    Without spaces, which OCR does not see alike on every page, and without what is drawn in it.
    """
    return re.sub(r"\d+", "#", "".join(text.casefold().replace(DRAWN_SIGN, "").split()))


def margin_lines(raw: RawPage) -> frozenset[str]:
    """Return the patterns of what stands in a page's margins."""
    return frozenset(pattern(s.text) for s in page_segments(raw) if in_margin(s, raw))


def is_furniture(segment: Segment, raw: RawPage, style: DocumentStyle) -> bool:
    """Whether a segment is a running header, footer or page number."""
    if not in_margin(segment, raw):
        return False
    if pattern(segment.text) in style.repeated:
        return True
    return any(
        region.kind in ("page-header", "page-footer") and segment.stands_in(region.box, margin=1)
        for region in raw.regions
    )


def _is_watermark(segment: Segment, style: DocumentStyle) -> bool:
    """Whether words in large print run aslant: their box is both higher and wider than they are.

    Among others they would be read as words of the lines that they cross.
    """
    x0, y0, x1, y1 = segment.box
    return segment.size > _COVER * style.body_size and min(x1 - x0, y1 - y0) > 3 * segment.size


def furniture_of(segments: Sequence[Segment], raw: RawPage, style: DocumentStyle) -> list[Segment]:
    """Return the running headers, footers and page numbers of a page.

    A table may begin or end in the margin, and so may a list: there, "54" is the key of a row,
    or the number of a step, although it looks like a page number, as long as something else
    is in that row. The headings of a table on top of the page may be those of many pages.
    """
    found = [segment for segment in segments if is_furniture(segment, raw, style)]
    text = [segment for segment in segments if segment not in found]
    for segment in sorted(found, key=lambda s: abs(s.centre[1] - raw.height / 2)):
        if _is_of_this_page(segment, raw.page, style) and (
            _is_sentence(segment.text) or _is_near(segment, text, raw, style)
        ):
            text.append(segment)
            found.remove(segment)
    between = _between_text(segments, found, raw.width) if found else []
    found = [segment for segment in found if segment not in between]
    kept: list[Segment] = []
    for region in raw.regions if found else ():
        is_table = region.kind == "table" and _reaches_out_of_margin(region.box, raw.height)
        if not is_table and region.kind != "list-item":
            continue
        inside = [segment for segment in segments if segment.stands_in(region.box, margin=1)]
        rows = visual_rows(inside)
        heads = _repeated_head(rows, found) if is_table else []
        for row in rows:
            if row in heads or any(segment not in found for segment in row):
                kept += [segment for segment in row if not segment.turned]
    headers = [r.box for r in raw.regions if r.kind in ("page-header", "page-footer")]
    kept = [s for s in kept if not any(s.stands_in(box, margin=1) for box in headers)]
    return [segment for segment in found if segment not in kept]


def _between_text(
    segments: Sequence[Segment], found: Sequence[Segment], page_width: float
) -> list[Segment]:
    """Return what looks like a header or footer, but is text: "2510H" in a column of addresses.

    Lines of text stand right above and below it, or it is the number of the title on its right, or
    one of several numbers, as in the first row of a table: a page has one.
    """
    rows = visual_rows([s for s in segments if not s.turned and not _is_tab(s, page_width)])
    text = [[s for s in row if s not in found] for row in rows]
    kept = []
    for place, row in enumerate(rows):
        others = [s for s in row if s in found]
        above, below = text[place - 1 : place], text[place + 1 : place + 2]
        numbers = len(others) == len(row) > 1 and all(s.text.isdecimal() for s in row)
        numbers &= all(b.box[0] - a.box[2] < _TO_NEXT_CELL * page_width for a, b in pairwise(row))
        close = [_are_close(above, [row]), _are_close([row], below)]
        if all(close) or (numbers and any(close)):
            kept += others
        else:
            pairs = pairwise(row)
            kept += [s for s, title in pairs if title in text[place] and _is_its_number(s, title)]
    return kept


def _are_close(above: Sequence[Sequence[Segment]], below: Sequence[Sequence[Segment]]) -> bool:
    """Whether a line follows closely on another one; not if one of them is missing."""
    if not any(above) or not any(below):
        return False
    height = max(s.box[3] - s.box[1] for s in below[0])
    return min(s.box[1] for s in below[0]) - max(s.box[3] for s in above[0]) < height


def _is_its_number(segment: Segment, title: Segment) -> bool:
    """Whether a segment is the number of the title on its right: "2.3"."""
    near = title.box[0] - segment.box[2] < _TO_NUMBER * title.size
    return near and segment.size == title.size and bool(_NUMBER_OF_TITLE.fullmatch(segment.text))


def _repeated_head(
    rows: Sequence[Sequence[Segment]], found: Sequence[Segment]
) -> Sequence[Sequence[Segment]]:
    """Return the lines of headings that a table has on many pages, none if it has a running header.

    They have more pieces than that, and, unless they are many, hardly more than the lines below.
    """
    end = next((n for n, row in enumerate(rows) if any(s not in found for s in row)), len(rows))
    head = rows[:end]
    below = max((len(row) for row in rows[end : end + _ROWS_BELOW]), default=0)
    pieces = [len(row) for row in head]
    if sum(pieces) <= _MOST_FURNITURE:
        return []
    return head if max(pieces) <= below + 1 or max(pieces) > 2 * _MOST_FURNITURE else []


def _is_of_this_page(segment: Segment, page: int, style: DocumentStyle) -> bool:
    """Whether a line of the margin stands on no page nearby, and is no page's label."""
    line = pattern(segment.text)
    known = style.nearby is None or line in style.nearby or line in style.repeated
    if known or page < _COVERS:
        return False
    return not _label_in(segment.text)


def _is_sentence(text: str) -> bool:
    words = (word for word in text.split() if sum(map(str.isalpha, word)) >= _LEAST_LETTERS)
    return text[-1:] in ENDS and sum(1 for _ in words) >= _LEAST_SAID


def _is_near(segment: Segment, text: Sequence[Segment], raw: RawPage, style: DocumentStyle) -> bool:
    """Whether a line of the margin belongs to the page's text: right beside it, or its heading.

    One that says the same as a line of the text names the section, as running headers do. In bold
    above the text it is a heading, however far from it: of 480 pages of 60 manuals, four were.
    """
    x0, y0, x1, y1 = segment.box
    if any(s.box[1] < segment.centre[1] < s.box[3] for s in text):
        return True
    if sum(map(str.isalpha, segment.text)) < _LEAST_LETTERS:
        return False
    is_above = y1 < raw.height / 2
    if is_above and segment.bold:
        return all(_plain(s.text) != _plain(segment.text) for s in text)
    if any(same_title(s.text, segment.text) for s in text):
        return False
    beside = [s for s in text if s.box[0] < x1 and s.box[2] > x0 and not s.turned]
    gaps = [s.box[1] - y1 if is_above else y0 - s.box[3] for s in beside]
    gaps = [gap for gap in gaps if gap > y0 - y1]
    if not gaps:
        return False
    is_title = is_above and segment.size >= TITLE_SIZE * style.body_size
    return min(gaps) < (_BELOW_TITLE if is_title else _NEXT_LINE) * (y1 - y0)


def _reaches_out_of_margin(box: BoxTuple, page_height: float) -> bool:
    return box[1] < (1 - _MARGIN_SHARE) * page_height and box[3] > _MARGIN_SHARE * page_height


class RunningLines:
    """Margin lines of pages read by OCR, where no sample shows beforehand what they repeat."""

    def __init__(self) -> None:
        """Begin without pages."""
        self._pages: Counter[str] = Counter()

    def after(self, raw: RawPage, segments: Iterable[Segment]) -> frozenset[str]:
        """Take in a page; return the margin lines that were seen on enough pages by now."""
        patterns = {pattern(s.text) for s in segments if in_margin(s, raw)}
        if len(self._pages) < _MOST_PATTERNS:
            self._pages.update(patterns)
        return frozenset(line for line in patterns if self._pages[line] >= _ENOUGH_PAGES)


def margin_label(segments: Sequence[Segment], page_height: float) -> str:
    """Return the page number printed in the margins, "" if there is none."""
    margins = [segment for segment in segments if _over_or_under(segment, page_height)]
    labels = (_label_in(s.text) for s in sorted(margins, key=lambda s: -s.centre[1]))
    return next(filter(None, labels), "")


def _label_in(text: str) -> str:
    """Return the page label that a line of the margin says, "" if it says none."""
    match = _LABEL.match(text.strip(_AROUND)) or _IN_LINE.search(text)
    return re.sub(r"\s?[–—-]\s?", "-", match.group(1)) if match else ""


def learn_style(pages: Sequence[RawPage], style: DocumentStyle) -> DocumentStyle:
    """Return `style` with the body size, running lines and spellings of sample pages."""
    sizes: Counter[float] = Counter()
    patterns: Counter[str] = Counter()
    for raw in pages:
        segments = page_segments(raw)
        for segment in segments:
            sizes[round(segment.size * 2) / 2] += len(segment.text)
        patterns.update({pattern(s.text) for s in segments if in_margin(s, raw)})
    enough = max(3, round(0.2 * len(pages)))
    repeated = frozenset(text for text, times in patterns.items() if times >= enough and text)
    body = max(sizes, key=lambda size: sizes[size]) if sizes else 0.0
    spellings = frozenset().union(*(spellings_of(raw.words) for raw in pages))
    return replace(style, body_size=body, repeated=repeated, spellings=spellings)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that a text stands under. size: of its font in points, 0 if unknown."""

    title: str
    size: float = 0.0


def section_paths(
    blocks: Sequence[DraftBlock],
    page: int,
    outline: Sequence[OutlineEntry],
    continued: Sequence[Heading],
) -> list[tuple[Heading, ...]]:
    """Return the headings over each block (outermost first); a heading is below itself.

    continued: those at the end of the page before, used where the outline says nothing else. Of
    headings that the outline lacks, one is below another of its page, or of its chapter.
    """
    outline = [entry for entry in outline if not _names_nothing(entry.title)]
    outlined = outline_path(outline, page)
    path = _untitled(outlined)
    is_same = [each.title for each in path] == [each.title for each in continued[: len(path)]]
    path = tuple(continued) if is_same else path
    on_page = [entry for entry in outline if entry.page == page]
    paths: list[tuple[Heading, ...]] = []
    base = path[: len(outlined)] if outline else path
    is_first = True
    here: list[Heading] = []
    for block in blocks:
        if block.kind == "heading":
            entry = next((e for e in on_page if same_title(e.title, block.text)), None)
            own = Heading(block.text, max(s.size for s in block.segments))
            if entry is not None:
                base = _untitled(_chain(outline, entry))
                path = base
            else:
                over = [each for each in path[len(base) :] if each in here or _counts_on(each, own)]
                further = _below(list(filter(_may_be_over, over)), own, is_first=is_first)
                path = (*base[:4], *further) if outline else _below(path, own, is_first=is_first)
                here.append(own)
            is_first = False
        paths.append(path)
    return paths


def _names_nothing(title: str) -> bool:
    """Whether an entry of an outline is no section's: a caption, or where to get something."""
    return is_caption(title) or "://" in title


def _untitled(titles: Sequence[str]) -> tuple[Heading, ...]:
    return tuple(map(Heading, titles))


def outline_path(outline: Sequence[OutlineEntry], page: int) -> tuple[str, ...]:
    """Return the outline titles open at the top of a page."""
    before = [entry for entry in outline if 0 <= entry.page < page]
    return _chain(outline, before[-1]) if before else ()


def same_title(one: str, other: str) -> bool:
    """Whether two headings are the same but for numbering, case and spaces."""
    first, second = _plain(one), _plain(other)
    return bool(first) and bool(second) and (first == second or first.endswith(second))


def _plain(title: str) -> str:
    return re.sub(r"^[\W\d_]+|\W+", "", title.casefold())


def _chain(outline: Sequence[OutlineEntry], entry: OutlineEntry) -> tuple[str, ...]:
    titles = [entry.title]
    level = entry.level
    for candidate in reversed(outline[: outline.index(entry)]):
        if candidate.level < level:
            titles.append(candidate.title)
            level = candidate.level
    return tuple(" ".join(title.split()) for title in reversed(titles))


def _below(path: Sequence[Heading], own: Heading, *, is_first: bool) -> tuple[Heading, ...]:
    """Return the headings over one, with it, without an outline: by its number, else by its size.

    Below a section with a number of several parts ("3.9.2") one without a number goes if it is not
    larger. is_first: of its page; where sizes are unknown it follows the last one before.
    """
    number = _number(own.title)
    if number:
        over = (each for each in path if _number(each.title))
        return (*(h for h in over if number.startswith(_number(h.title) + ".")), own)
    over_it = list(path)
    while over_it and not _is_over(over_it[-1], own):
        unknown = not over_it.pop().size
        if unknown and is_first:
            break
    return (*over_it[:_MOST_OVER], own)


def _counts_on(over: Heading, own: Heading) -> bool:
    """Whether a heading has the number of a chapter that another one's number begins with."""
    return bool(_number(over.title)) and _number(own.title).startswith(f"{_number(over.title)}.")


def _may_be_over(heading: Heading) -> bool:
    """Whether others may stand below a heading: a tab with a language or an outcry has none."""
    letters = sum(map(str.isalpha, heading.title))
    is_code = any(map(str.isdecimal, heading.title))
    return (is_code or letters >= _LEAST_OF_HEADING) and heading.title[-1:] not in "!?"


def _is_over(other: Heading, own: Heading) -> bool:
    if not other.size:
        return False
    is_section = "." in _number(other.title)
    return other.size > own.size + (-_SAME_SIZE if is_section else _SAME_SIZE)


def _number(title: str) -> str:
    """Return the chapter number a heading starts with ("6.1.8"), "" if there is none."""
    match = re.match(r"\s*(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s", title)
    return match.group(1) if match else ""


# Points; and so many headings over the one that is told last.
_SAME_SIZE, _MOST_OVER = 0.4, 3
_LEAST_OF_HEADING = 4  # letters
# A cover is among so many pages and has fewer words.
_FRONT_PAGES, _FEW_WORDS = 5, 150
# Recognised lines vary in height: a heading of a scan stands out by more than in print.
_OCR_HEADING = 1.15


@dataclass(frozen=True, slots=True)
class PageStructure:
    """A page understood.

    open_table: the head of a table that may go on over the page. open_section: the headings that
    the text at its end stands under.
    """

    blocks: tuple[Block, ...]
    units: tuple[Unit, ...]
    open_table: TableHead | None
    open_section: tuple[Heading, ...] = ()


def understand_page(
    raw: RawPage,
    style: DocumentStyle,
    continued: Sequence[Heading] = (),
    head: TableHead | None = None,
) -> PageStructure:
    """Return the blocks and units of a page, in reading order.

    continued: the headings at the end of the page before, for PDFs without outline.
    head: of the table that the page before ends with.
    """
    turned = turned_page(raw)
    if turned is not None:
        upright = understand_page(turned.upright, style, continued, head)
        others = understand_page(turned.others, style, upright.open_section)
        return _joined(upright, others, turned)
    segments = page_segments(raw)
    if raw.ocr and segments:  # text heights in an image are not font sizes
        sizes = [s.size for s in segments for _ in s.text]
        style = replace(style, body_size=_OCR_HEADING * median(sizes))
    marks = [segment for segment in segments if _is_watermark(segment, style)]
    segments = [segment for segment in segments if segment not in marks]
    raw = replace(raw, regions=tuple(with_whole_grids(raw.regions, raw.drawings, segments)))
    furniture = furniture_of(segments, raw, style)
    text = [s for s in segments if s not in furniture]
    if raw.ocr and not raw.regions:
        raw = replace(raw, regions=table_regions(text))
    drafts = draft_blocks(raw, text, style)
    named = section_paths(drafts, raw.page, style.outline, continued)
    paths = [tuple(with_plain_signs(each.title).strip() for each in path) for path in named]
    units = page_units(drafts, paths, raw.words, style.title, head)
    blocks = [_block(i, d, p) for i, (d, p) in enumerate(zip(drafts, paths, strict=True))]
    blocks += _furniture_blocks([*furniture, *marks], raw, len(blocks))
    below = named[-1] if named else tuple(continued)
    below = _going_on(below, raw, style, drafts, named)
    return PageStructure(tuple(blocks), tuple(units), open_table(drafts, head), below)


def _going_on(
    path: tuple[Heading, ...],
    raw: RawPage,
    style: DocumentStyle,
    blocks: Sequence[DraftBlock],
    paths: Sequence[tuple[Heading, ...]],
) -> tuple[Heading, ...]:
    """Return the headings that the next page goes on with: not those of a cover or of contents.

    Nor one that says nothing but words of the document's title: it stands before all of them.
    """
    listed = {
        heading
        for block, (*_, heading) in ((b, p) for b, p in zip(blocks, paths, strict=True) if p)
        if _is_contents(block, raw.page)
    }
    ends = [place for place, heading in enumerate(path) if heading in listed]
    path = path[: ends[0]] if ends else path
    title = set(words_in(style.title.casefold()))
    path = tuple(each for each in path if not title.issuperset(words_in(each.title.casefold())))
    if style.outline or raw.page >= _FRONT_PAGES or len(raw.words) >= _FEW_WORDS:
        return path
    return tuple(heading for heading in path if heading.size < _COVER * style.body_size)


def _is_contents(block: DraftBlock, page: int) -> bool:
    """Whether a block lists headings, with leaders up to their pages.

    On the first pages of a document, numbers that count up are pages without leaders.
    """
    rows = visual_rows(block.segments)
    texts = (" ".join(s.text for s in row) for row in rows)
    listed = sum(1 for row in texts if LEADERS.search(row) and row[-1:].isdigit())
    counted = len(_counting(rows)) if page < _FRONT_PAGES else 0
    return listed >= _FEWEST_ENTRIES or 4 * counted >= 3 * len(rows) > 0


def _joined(upright: PageStructure, others: PageStructure, turned: TurnedPage) -> PageStructure:
    """Return both parts of a turned page as one, the boxes of the other part where they are."""
    count = len(upright.blocks)
    blocks = (
        replace(each, position=count + each.position, box=turned.back((each.box,))[0])
        for each in others.blocks
    )
    units = (
        replace(
            each,
            block=count + each.block,
            boxes=turned.back(each.boxes),
            header_boxes=turned.back(each.header_boxes),
        )
        for each in others.units
    )
    return PageStructure(
        (*upright.blocks, *blocks), (*upright.units, *units), None, others.open_section
    )


def _block(position: int, draft: DraftBlock, path: tuple[str, ...]) -> Block:
    level = len(path) if draft.kind == "heading" else 0
    section = tuple(map(whole_text, path))
    text = with_plain_signs(whole_text(draft.text)).strip()
    return Block(position, draft.kind, text, draft.box, section, level, draft.warning)


def _furniture_blocks(furniture: Sequence[Segment], raw: RawPage, start: int) -> list[Block]:
    blocks: list[Block] = []
    groups: tuple[tuple[BlockKind, list[Segment]], ...] = (
        ("header", [s for s in furniture if s.centre[1] < raw.height / 2]),
        ("footer", [s for s in furniture if s.centre[1] >= raw.height / 2]),
    )
    for kind, group in groups:
        if group:
            text = " ".join(s.text for s in group)
            blocks.append(Block(start + len(blocks), kind, text, hull(s.box for s in group)))
    return blocks
