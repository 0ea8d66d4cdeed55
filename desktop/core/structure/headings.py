"""Which lines and blocks of a page are headings."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop.core.structure.blocks import SAME_SIZE, TO_REST, DraftBlock
from desktop.core.structure.raw import Segment, gap_between, hull, visual_rows
from desktop.core.structure.signs import is_numbered
from desktop.core.structure.text_parts import ENDS, SAME_LEFT, TITLE_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.raw import DocumentStyle

LONGEST_HEADING = 20
"""Words; what is longer was set, or seen, as a heading, but is a paragraph."""
_LONGEST_TITLE = 12  # words of a line that nothing but its words, or its place, makes a heading
# "6.9 Boot modes", "CHAPTER 4: THE BOARD"
_NUMBERED = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?!(?:[GMk]Hz|Ohm|VDC|VAC)\b)[^\W\d_a-z][\w/-]{2,}"
    r"|(?:CHAPTER|Chapter|KAPITEL|Kapitel)\s+\d)"
)


# "E02 - TORQUE", "■D8470 to D8595": what stands before its number says of which kind a code is.
_CODED = re.compile(r"\W{0,2}([A-Z]{1,3})[-.]?\d{1,5}\b(?!\s?[)=])")
_LEAST_CODED, _MOST_CODED = 2, 0.75
_FEW_CODES, _SHORT_CODE = 4, 2
_OPENS, _CLOSES = tuple("([{<"), tuple(")]}>")
_OF_CODE = ("/*", "//", "{", "}", "#include")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_OF_SECTION = re.compile(r"((?:\d{1,2}\.)*)(\d{1,2})\.?\s+\S")
_ROWS_OF_SIBLING = 2
_TOLD = frozenset({"text", "list", "table", "figure"})


def is_heading(segments: Sequence[Segment], text: str, style: DocumentStyle) -> bool:
    """Whether a text is set as a heading: few lines, larger or in bold, and numbered on a scan."""
    if not style.body_size or len(text.split()) > 14 or text.endswith((".", ";", ",")):
        return False
    if not any(character.isalpha() for character in text):
        return False
    rows = len(visual_rows(segments))
    if all(s.block < 0 for s in segments) and is_numbered_heading(text):
        return rows == 1
    larger = all(s.size >= TITLE_SIZE * style.body_size for s in segments)
    bold = all(s.bold for s in segments) and all(s.size >= style.body_size for s in segments)
    announces = text.endswith(":") and not (larger and bold)
    return rows <= 2 and (larger or bold) and not announces


def is_numbered_heading(text: str) -> bool:
    """Whether a line reads like a heading; on a scan its font does not tell."""
    if len(text.split()) > _LONGEST_TITLE or text.endswith((".", ":", ";", ",")):
        return False
    return bool(_NUMBERED.match(text))


def with_known_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a text for a heading if a heading of the page says the same in the same size."""
    known = {(block.text, block.segments[0].size) for block in blocks if block.kind == "heading"}
    return [
        replace(block, kind="heading")
        if block.kind == "text" and (block.text, block.segments[0].size) in known
        else block
        for block in blocks
    ]


def without_untitled(blocks: Sequence[DraftBlock], style: DocumentStyle) -> list[DraftBlock]:
    """Take headings for text whose words are no title, unless the document's outline has it.

    They are in brackets, set a value, end a sentence, or are codes: "[Normal]", "CH6=0",
    "FF FF 00 02 B2".
    """
    listed = {" ".join(entry.title.split()) for entry in style.outline}
    return [
        replace(block, kind="text")
        if block.kind == "heading" and _is_untitled(block.text) and block.text not in listed
        else block
        for block in blocks
    ]


def _is_untitled(text: str) -> bool:
    words = text.split()
    sentence = text.endswith(".") and len(words) > _LONGEST_TITLE and not is_numbered(text)
    in_brackets = text[:1] in _OPENS and text.find(_CLOSES[_OPENS.index(text[0])]) == len(text) - 1
    outside = _IN_BRACKETS.sub("", text)
    said = outside.split()[1:] if _OF_SECTION.match(outside) else outside.split()
    codes = len(said) > _FEW_CODES and 2 * sum(map(_is_code, said)) > len(said)
    return (
        sentence
        or in_brackets
        or codes
        or "=" in outside
        or "://" in text
        or text.startswith(_OF_CODE)
    )


def _is_code(word: str) -> bool:
    return any(map(str.isdigit, word)) or (len(word) <= _SHORT_CODE and word.isupper())


def with_siblings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a line for a heading if headings in the same print are numbered like it.

    That is the one before it, "6.4.3", or both before and after it: "1." and "3.".
    """
    numbered: dict[tuple[tuple[float, bool, int], str, int], list[int]] = {}
    for n, block in enumerate(blocks):
        may_be = block.kind in ("text", "list") and _is_title(block.text)
        number = _OF_SECTION.match(block.text) if may_be or block.kind == "heading" else None
        if number and len(visual_rows(block.segments)) <= _ROWS_OF_SIBLING:
            key = (_print_of(block), number[1], int(number[2]))
            numbered.setdefault(key, []).append(n)
    found: set[int] = set()
    for (look, chapter, last), places in sorted(numbered.items()):
        before, after = (
            any(
                n in found or blocks[n].kind == "heading"
                for n in numbered.get((look, chapter, other), ())
            )
            for other in (last - 1, last + 1)
        )
        if before and (chapter or after):
            found.update(places)
    return [replace(b, kind="heading") if n in found else b for n, b in enumerate(blocks)]


def with_coded_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take lines for headings that begin with codes of one kind and have text below: "E02 - Pump".

    In a list of codes, hardly any line has.
    """
    kinds: list[tuple[str, Segment, list[int]]] = []
    for n, block in enumerate(blocks):
        code = _CODED.match(block.text) if block.kind in ("text", "list", "heading") else None
        if not code or len(visual_rows(block.segments)) > 1 or block.text[-1:] in (*ENDS, ","):
            continue
        first = block.segments[0]
        alike = (lines for name, other, lines in kinds if name == code[1] and _alike(first, other))
        lines = next(alike, None)
        if lines is None:
            kinds.append((code[1], first, lines := []))
        lines.append(n)
    found: set[int] = set()
    for _, _, lines in kinds:
        below = [n + 1 for n in lines if n + 1 < len(blocks)]  # over the page there may be some
        told = sum(blocks[n].kind in _TOLD and n not in lines for n in below)
        if told >= max(_LEAST_CODED, _MOST_CODED * len(below)):
            found.update(lines)
    return [replace(b, kind="heading") if n in found else b for n, b in enumerate(blocks)]


def with_table_titles(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a line right above a table for a heading if one in the same print is above another."""
    over = [
        n
        for n, (block, below) in enumerate(pairwise(blocks))
        if below.kind == "table" and block.kind in ("heading", "text") and len(block.segments) == 1
    ]
    prints = {_print_of(blocks[n]) for n in over if blocks[n].kind == "heading"}
    titles = {n for n in over if _print_of(blocks[n]) in prints and _is_title(blocks[n].text)}
    return [replace(b, kind="heading") if n in titles else b for n, b in enumerate(blocks)]


def _alike(one: Segment, other: Segment) -> bool:
    same_size = abs(one.size - other.size) < SAME_SIZE
    return same_size and abs(one.box[0] - other.box[0]) <= SAME_LEFT


def _print_of(block: DraftBlock) -> tuple[float, bool, int]:
    """Return the size and weight of a block's first line, and where it begins."""
    first = block.segments[0]
    return round(first.size, 1), first.bold, round(first.box[0] / SAME_LEFT)


def _is_title(text: str) -> bool:
    return len(text.split()) <= _LONGEST_TITLE and text[-1:] not in (*ENDS, ",")


def with_whole_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Join a heading with the one right below it that goes on in small letters, in one print."""
    joined: list[DraftBlock] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last is not None and block.kind == "heading" and _goes_on(last, block):
            segments = (*last.segments, *block.segments)
            joined[-1] = replace(last, segments=segments, box=hull((last.box, block.box)))
        else:
            joined.append(block)
    return joined


def without_cut_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a heading for text whose last word is cut off: the line below goes on in small letters.

    As the name in a list of values does that needs two lines.
    """
    cut = {n for n, pair in enumerate(pairwise(blocks)) if _is_cut_by(*pair)}
    return [replace(b, kind="text") if n in cut else b for n, b in enumerate(blocks)]


def _is_cut_by(heading: DraftBlock, below: DraftBlock) -> bool:
    if below.kind not in ("text", "list", "table") or not _goes_on(heading, below):
        return False
    last, first = heading.segments[-1], visual_rows(below.segments)[0][0]
    return abs(first.box[0] - last.box[0]) <= SAME_LEFT


def _goes_on(heading: DraftBlock, below: DraftBlock) -> bool:
    """Whether what is right below a heading, in the same print, begins with a small letter."""
    if heading.kind != "heading" or not below.segments:
        return False
    last, first = heading.segments[-1], visual_rows(below.segments)[0][0]
    near = -TO_REST < gap_between([last], [first]) / (last.box[3] - last.box[1]) < TO_REST
    alike = first.bold == last.bold and abs(first.size - last.size) < SAME_SIZE
    begun = first.text[:2]
    return near and alike and len(begun) == 2 and begun.isalpha() and begun.islower()
