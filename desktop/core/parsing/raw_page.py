"""Everything that can be read off a page without understanding it.

The words are those of its text layer, letters of symbol fonts made readable.
"""

from __future__ import annotations

import logging
import unicodedata
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.leaders import line_numbers, with_leaders_apart
from desktop.core.parsing.mupdf import MuPage, load_mupdf, plain, reason
from desktop.core.parsing.pictured_letters import with_pictured_letters
from desktop.core.parsing.small_digits import with_small_digits
from desktop.core.parsing.symbol_fonts import with_signs
from desktop.core.structure.cut_words import with_hyphens
from desktop.core.structure.raw import UNKNOWN_SIGN, RawPage, RawRegion, RawSpan
from desktop.core.structure.signs import starts_item
from desktop.core.whole_words import CUT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop.core.structure.values import BoxTuple

SPACES = "\uf020\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000"
"""The space of symbol fonts, and others that part words; MuPDF knows the usual ones."""

Rows = Sequence[tuple[Any, ...]]
"""Words of MuPDF: x0, y0, x1, y1, text, block, line, word; not yet turned with the page."""

_FIRST, _LAST = 0xF021, 0xF07E
_LETTERS = {code: chr(code - 0xF000) for code in range(_FIRST, _LAST + 1)}
_TELLING, _LEAST = 3, 2
"""Letters and digits that some line of a page needs, before its lines of at least two are
taken for words rather than bullets."""


def with_letters(texts: Sequence[str], lines: NDArray[np.int32]) -> list[str]:
    """Return words with the letters that were meant. lines: the line of each word."""
    hidden = [
        index
        for index, text in enumerate(texts)
        if any(_FIRST <= ord(letter) <= _LAST for letter in text)
    ]
    if not hidden:
        return list(texts)
    letters: dict[int, int] = {}
    for index in hidden:
        said = texts[index].translate(_LETTERS)
        line = int(lines[index])
        letters[line] = letters.get(line, 0) + sum(letter.isalnum() for letter in said)
    known = list(texts)
    if max(letters.values()) < _TELLING:
        return known
    for index in hidden:
        if letters[int(lines[index])] >= _LEAST:
            known[index] = texts[index].translate(_LETTERS)
    return known


UNKNOWN_LETTER = UNKNOWN_SIGN
"""What MuPDF gives for a letter whose font does not say which character it is."""

_LEAST_LOST = 3
"""Letters of a word: one or two that no font knows are a bullet or an arrow."""
_MOST_BESIDE = 40.0
"""Points from a bullet to the text that it opens, where these are two lines for the PDF."""
_ICON = 1.5
"""Times the height of a line: a sign that is so high stands beside several."""
_SAME_PLACE = 0.6
"""Of a word's area: so much of it the same word covers that is drawn again."""
_MOST_WORDS, _MOST_ALIKE, _MOST_MARKS = 5_000, 8, 500
"""Of a page that is compared word by word; of words alike; of marks. A page of text has fewer."""


@dataclass(frozen=True, slots=True)
class TextLayer:
    """A page's words, and how many letters its fonts have no character for.

    lost: boxes of words that have not a single character, shape (k, 4); icons do not
    count.
    """

    words: PageWords
    unknown_letters: int
    lost: NDArray[np.float32]


def text_page(page: MuPage) -> tuple[Any, Rows]:
    """Return MuPDF's text page and its words; what is drawn again to look bold is there once.

    Letters without a character are U+FFFD, ligatures stay whole.
    """
    mupdf = load_mupdf()
    flags = (
        mupdf.TEXT_PRESERVE_WHITESPACE | mupdf.TEXT_MEDIABOX_CLIP | mupdf.TEXT_PRESERVE_LIGATURES
    )
    textpage = page.get_textpage(flags=flags)
    rows = textpage.extractWORDS(SPACES)
    if len(rows) > _MOST_WORDS or not _drawn_again(rows):
        return textpage, rows
    once = page.get_textpage(flags=flags | mupdf.TEXT_COLLECT_STYLES)
    read_once = once.extractWORDS(SPACES)
    return (textpage, rows) if _lost_letters(rows, read_once) else (once, read_once)


def _drawn_again(rows: Rows) -> bool:
    """Whether a word of MuPDF mostly covers the same word, drawn before it."""
    drawn: dict[str, deque[tuple[float, float, float, float]]] = {}
    for x0, y0, x1, y1, text, *_ in rows:
        if not text.isalnum():
            continue
        enough = _SAME_PLACE * (x1 - x0) * (y1 - y0)
        before = drawn.setdefault(text, deque(maxlen=_MOST_ALIKE))
        for left, top, right, bottom in before:
            width, height = min(x1, right) - max(x0, left), min(y1, bottom) - max(y0, top)
            if width > 0 and height > 0 and width * height > enough:
                return True
        before.append((x0, y0, x1, y1))
    return False


def _lost_letters(rows: Rows, once: Rows) -> bool:
    """Whether words are in pieces once nothing is drawn again.

    Where two texts lie over each other, MuPDF leaves out the letters that they share.
    """
    known = {row[4] for row in rows}
    for x0, y0, x1, y1, text, *_ in once:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if text not in known and any(
            text in row[4]
            and not _is_repeated(row[4].replace(text, ""), text)
            and row[0] <= x <= row[2]
            and row[1] <= y <= row[3]
            for row in rows
        ):
            return True
    return False


def _is_repeated(rest: str, text: str) -> bool:
    """Whether the rest of a word is the end or the beginning of a text once more, or more often."""
    parts = (part for n in range(1, len(rest) + 1) for part in (text[-n:], text[:n]))
    return not rest or any(part * (len(rest) // len(part)) == rest for part in parts)


def read_text_layer(page: MuPage, textpage: Any, rows: Rows) -> TextLayer:
    """Return the visible words in MuPDF's order, but each mark of a list before what it opens.

    textpage, rows: of `text_page`.
    """
    rows = with_small_digits(_rejoined(rows), textpage)
    rows = with_leaders_apart(rows, textpage)
    if not rows:
        return TextLayer(PageWords.empty(), 0, np.zeros((0, 4), np.float32))
    columns = tuple(zip(*rows, strict=True))
    boxes = displayed_boxes(page, np.array(columns[:4], np.float64).T)
    texts = _clean(columns[4])
    lines = line_numbers(columns[5], columns[6])
    order = _with_marks_first(texts, boxes, lines)
    if order is not None:
        texts, boxes, lines = [texts[at] for at in order], boxes[order], lines[order]
        lines = np.cumsum(np.diff(lines, prepend=lines[:1]) != 0, dtype=np.int32)
    if any(UNKNOWN_LETTER in text for text in texts):
        texts = with_hyphens(texts, boxes, lines)
    return _visible(with_letters(texts, lines), boxes, lines, page)


def _with_marks_first(
    texts: Sequence[str], boxes: NDArray[np.float32], lines: NDArray[np.int32]
) -> NDArray[np.intp] | None:
    """Return the words in an order in which "3." and bullets stand before what they open.

    Some programs write the marks of a list after its lines. None if nothing moves.
    lines: of each word, in their order.
    """
    first = np.diff(lines, prepend=-1) != 0
    starts = np.flatnonzero(first | (np.diff(boxes[:, 0], prepend=-np.inf) < 0))
    lefts, tops, _, bottoms = boxes[starts].T
    middles, heights = (tops + bottoms) / 2, bottoms - tops
    ends = np.append(starts[1:], len(lines))
    alone, closes = ends - starts == 1, np.append(first, True)[ends]
    # a text upside down goes back at every word
    opens = ~alone | (first[starts] & closes)
    places = np.arange(len(lines), dtype=np.float64)
    lone = np.flatnonzero(alone & closes).tolist()
    marks = [at for at in lone if starts_item(texts[starts[at]])]
    for at in marks if len(marks) <= _MOST_MARKS else ():
        mark = starts[at]
        if UNKNOWN_LETTER in texts[mark]:
            continue
        gaps = lefts - boxes[mark, 2]
        level = (tops < middles[at]) & (middles[at] < bottoms) & (heights[at] < heights * _ICON)
        gaps = np.where(level & (gaps >= 0) & (gaps <= _MOST_BESIDE), gaps, np.inf)
        opened = int(gaps.argmin())
        if gaps[opened] < np.inf and opened < at and opens[opened]:
            places[mark] = starts[opened] - 0.5
    order = places.argsort(kind="stable")
    return order if (np.diff(order) != 1).any() else None


_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_LETTERS_SHOWN = _LIGATURES | {ord(CUT): "-"}
_NO_GAP = 0.1
"""Of a line's height: between two words it is more than twice as much."""


def _rejoined(rows: Rows) -> list[tuple[Any, ...]]:
    """Join words that a space without width parts after a ligature, as InDesign writes it."""
    joined: list[tuple[Any, ...]] = []
    for row in rows:
        before = joined[-1] if joined else None
        if before is not None and ord(before[4][-1]) in _LIGATURES and before[5:7] == row[5:7]:
            (x0, y0, x1, y1), (left, top, right, bottom) = before[:4], row[:4]
            height = min(y1 - y0, bottom - top)
            if abs(left - x1) < _NO_GAP * height:
                hull = (x0, min(y0, top), right, max(y1, bottom))
                joined[-1] = (*hull, before[4] + row[4], *before[5:])
                continue
        joined.append(row)
    return joined


def displayed_boxes(page: MuPage, boxes: NDArray[np.float64]) -> NDArray[np.float32]:
    """Turn MuPDF's boxes, shape (n, 4), which ignore the page's rotation, with the page.

    PyMuPDF's own `rotation_matrix` forgets the page's UserUnit; its displayed size does not.
    """
    if not page.rotation:
        return boxes.astype(np.float32)
    width, height = page.rect.width, page.rect.height
    x0, y0, x1, y1 = boxes.T
    turned = {
        90: (width - y1, x0, width - y0, x1),
        180: (width - x1, height - y1, width - x0, height - y0),
        270: (y0, height - x1, y1, height - x0),
    }
    return np.stack(turned[page.rotation], axis=1).astype(np.float32)


def unturned_box(page: MuPage, box: BoxTuple) -> BoxTuple:
    """Undo `displayed_boxes` for one box."""
    width, height = page.rect.width, page.rect.height
    x0, y0, x1, y1 = box
    turned = {
        0: box,
        90: (y0, width - x1, y1, width - x0),
        180: (width - x1, height - y1, width - x0, height - y0),
        270: (height - y1, x0, height - y0, x1),
    }
    return turned[page.rotation]


def _clean(texts: tuple[str, ...]) -> list[str]:
    """Make every text free of white space and of what cannot be encoded."""
    joined = " ".join(texts)
    if not joined.isascii():
        texts = tuple(text.translate(_LETTERS_SHOWN) for text in texts)
    try:
        joined.encode()
    except UnicodeEncodeError:
        texts = tuple(plain(text) for text in texts)
    if not joined.isprintable():
        texts = tuple(map(_control_as_unknown, texts))
    if len(joined.split()) == len(texts):
        return list(texts)
    return ["".join(text.split()) for text in texts]


def _control_as_unknown(text: str) -> str:
    """Return a sign that is nothing but control characters as one that no font knows."""
    signs = len(text) < _LEAST_LOST and all(unicodedata.category(sign) == "Cc" for sign in text)
    return UNKNOWN_LETTER * len(text) if signs else text


def _visible(
    texts: list[str], boxes: NDArray[np.float32], lines: NDArray[np.int32], page: MuPage
) -> TextLayer:
    """Leave out words that nobody can see or read: cropped away, or without characters.

    What stands for a bullet or an arrow stays: without it, what it parts would run together.
    """
    size = page.rect
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    # Comparisons with NaN are false, so boxes that are no numbers go as well.
    keep = (x >= 0) & (x <= size.width) & (y >= 0) & (y <= size.height)
    missing = _missing_letters(texts)
    unknown = int(missing[keep].sum())
    known = np.array([len(text) for text in texts]) > missing
    lost = boxes[keep & ~known & (missing >= _LEAST_LOST)]
    keep &= known | _signs(known, missing, boxes, lines)
    if not keep.all():
        texts = [text for text, kept in zip(texts, keep, strict=True) if kept]
        boxes, lines = boxes[keep], lines[keep]
    return TextLayer(PageWords(tuple(texts), boxes, lines), unknown, lost)


def _signs(
    known: NDArray[np.bool_],
    missing: NDArray[np.int64],
    boxes: NDArray[np.float32],
    lines: NDArray[np.int32],
) -> NDArray[np.bool_]:
    """Return which words are signs that no font knows, in a line of words or right before one.

    Alone, such a sign is an icon or decoration.
    """
    signs = ~known & (missing > 0) & (missing < _LEAST_LOST)
    if not signs.any():
        return signs
    kept = signs & np.isin(lines, lines[known])
    tops, bottoms = boxes[:, 1], boxes[:, 3]
    for index in np.flatnonzero(signs[:-1] & ~kept[:-1] & known[1:]).tolist():
        gap = boxes[index + 1, 0] - boxes[index, 2]
        middle = (tops[index] + bottoms[index]) / 2
        level = tops[index + 1] <= middle <= bottoms[index + 1]
        kept[index] = level and 0 <= gap <= _MOST_BESIDE
    return kept


def _missing_letters(texts: list[str]) -> NDArray[np.int64]:
    """Return how many letters of each text have no character."""
    if UNKNOWN_LETTER not in "".join(texts):
        return np.zeros(len(texts), np.int64)
    return np.array([text.count(UNKNOWN_LETTER) for text in texts], np.int64)


_log = logging.getLogger(__name__)

# A wiring diagram may hold hundreds of thousands of strokes; no table needs that many.
_MOST_DRAWINGS = 20_000
_MOST_IMAGES = 2_000
_DRAWN_BOLD = 8  # FZ_STEXT_BOLD of MuPDF
_STRAIGHT = 0.5  # points that a line along the page may be aslant


def gather_page(
    number: int, page: MuPage, textpage: Any, layer: TextLayer, *, with_regions: bool
) -> RawPage:
    """Collect spans, drawings, images and layout regions of a page, not yet read by OCR."""
    log = page.get_bboxlog()
    spans = _spans(page, textpage)
    regions = layout_regions(page) if with_regions else ()
    drawn = _logged(log, ("fill-path", "stroke-path"))
    if any(region.kind == "table" for region in regions):
        drawn += lines_of_paths(page)
    return RawPage(
        page=number,
        width=page.rect.width,
        height=page.rect.height,
        spans=spans,
        words=with_pictured_letters(page, with_signs(layer.words, spans), spans),
        drawings=_boxes(page, drawn[:_MOST_DRAWINGS]),
        images=_boxes(page, _logged(log, ("fill-image", "fill-imgmask"))[:_MOST_IMAGES]),
        regions=regions,
        ocr=False,
    )


def layout_regions(page: MuPage) -> tuple[RawRegion, ...]:
    """Ask the layout model, if it is installed, which regions it sees."""
    try:
        page.get_layout()
    except Exception as error:  # a model's failure is not the page's: go on without regions
        _log.warning("layout model failed: %s", reason(error))
        return ()
    found = page.layout_information or []
    if not found:
        return ()
    boxes = _tuples(displayed_boxes(page, np.array([row[:4] for row in found], np.float64)))
    return tuple(RawRegion(str(row[4]), box) for row, box in zip(found, boxes, strict=True))


def _spans(page: MuPage, textpage: Any) -> tuple[RawSpan, ...]:
    mupdf = load_mupdf()
    rows = [
        (span, block["number"], row["dir"])
        for block in textpage.extractDICT()["blocks"]
        if block["type"] == 0
        for row in block["lines"]
        for span in _shown(row["spans"])
    ]
    if not rows:
        return ()
    boxes = displayed_boxes(page, np.array([span["bbox"] for span, *_ in rows], np.float64))
    width, height = page.rect.width, page.rect.height
    return _with_medium(
        RawSpan(
            text=plain(span["text"]).translate(_LETTERS_SHOWN),
            box=box,
            size=float(span["size"]),
            bold=_is_bold(span, mupdf),
            block=block,
            font=span["font"],
            turned=(abs(down) > abs(right)) != (page.rotation in (90, 270)),
        )
        for (span, block, (right, down)), box in zip(rows, _tuples(boxes), strict=True)
        if box[0] < width and box[2] > 0 and box[1] < height and box[3] > 0
    )


def _shown(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the spans of a line that show something; white space at its end goes with the last."""
    shown = [span for span in spans if span["text"].strip()]
    if shown and spans[-1]["text"].isspace():
        shown[-1]["text"] += " "
    return shown


def _is_bold(span: dict[str, Any], mupdf: Any) -> bool:
    """Whether letters are bold, also by being drawn twice."""
    drawn_bold = span["flags"] & mupdf.TEXT_FONT_BOLD or span["char_flags"] & _DRAWN_BOLD
    return bool(drawn_bold) or _named(span, "bold", "black", "demi", "heavy")


def _with_medium(spans: Iterable[RawSpan]) -> tuple[RawSpan, ...]:
    """Return the spans of a page, those in a medium weight bold where most letters are lighter."""
    found = tuple(spans)
    medium = [span for span in found if "medium" in span.font.lower()]
    if 2 * sum(len(s.text) for s in medium) >= sum(len(s.text) for s in found):
        return found
    return tuple(replace(span, bold=True) if span in medium else span for span in found)


def _named(span: dict[str, Any], *parts: str) -> bool:
    """Whether the font's name contains a part; many fonts leave their flags unset."""
    font = span["font"].lower()
    return any(part in font for part in parts)


def _logged(log: list[tuple[Any, ...]], kinds: tuple[str, ...]) -> list[BoxTuple]:
    """Return the box of each drawing operation of some kinds."""
    return [box for kind, box, *_ in log if kind in kinds]


def lines_of_paths(page: MuPage) -> list[BoxTuple]:
    """Return the lines along and across the page that are drawn several in one operation.

    The log has one box for all of them: programs that draw the rules of a table as one path would
    leave it without any. Of what is filled, whole boxes alone: other lines may outline letters.
    """
    found = []
    for path in page.get_cdrawings():
        for kind, *shape in path["items"] if len(path["items"]) > 1 else ():
            if kind == "re":
                found.append(tuple(shape[0]))
            elif kind == "l" and "s" in path["type"]:
                (x0, y0), (x1, y1) = shape
                if min(abs(x1 - x0), abs(y1 - y0)) <= _STRAIGHT:
                    found.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    return found


def _boxes(page: MuPage, rows: list[BoxTuple]) -> tuple[BoxTuple, ...]:
    """Return the visible part of some boxes."""
    if not rows:
        return ()
    boxes = displayed_boxes(page, np.array(rows, np.float64))
    width, height = page.rect.width, page.rect.height
    boxes = np.clip(np.nan_to_num(boxes), 0, np.array((width, height, width, height), np.float32))
    # Strokes have no width or no height, so only what is a point is left out.
    keep = (boxes[:, 2] > boxes[:, 0]) | (boxes[:, 3] > boxes[:, 1])
    return _tuples(boxes[keep])


def _tuples(boxes: Any) -> tuple[BoxTuple, ...]:
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist())
