"""The lines of an answer that quote, found again in its text; and how they stand in plain text.

The window draws each quote in the form that it has on its page; a terminal writes a row as what
leads it and a line for each heading, reports and the clipboard in the order of its columns, and
steps below the heading of their procedure.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from desktop.core.structure.signs import without_bullet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.events import CitationEvent, QuotedForm

IN_ORDER: Final = ("step", "item")
"""Forms of what is read from its top, below a heading."""
_TOLD_TWICE: Final = 8
"""Words of a value that may stand below itself in its row, at most."""
PROSE_FORMS: Final = ("text", *IN_ORDER)
"""Forms of what a section consists of, beside tables and drawings."""


class QuotedLines:
    """What stands in the text for each quote: its words and the mark of its citation."""

    def __init__(self, citations: Iterable[CitationEvent] = ()) -> None:
        """Keep those that have a form."""
        self._citations = {
            f"{each.form.told} [{each.number}]": each
            for each in citations
            if each.form is not None and each.form.told
        }
        forms = [each.form for each in self._citations.values() if each.form is not None]
        self._told = {form.told for form in forms if form.kind == "text"}
        self._above_lists = {form.section[-1:] for form in forms if form.kind in IN_ORDER}

    def section(self, form: QuotedForm) -> tuple[str, ...]:
        """Return the headings above a quote, without the line above its list if that is told."""
        is_told = form.kind in IN_ORDER and self._told.issuperset(form.section[-1:])
        return form.section[:-1] if is_told else form.section

    def announces(self, form: QuotedForm) -> bool:
        """Whether it is the line above a list that is told as well."""
        return form.kind == "text" and (form.told,) in self._above_lists

    def at(self, line: str) -> tuple[CitationEvent, int] | None:
        """Return whose quote a line begins with, after a bullet or at once, and where it ends."""
        bullet = len(line) - len(without_bullet(line))
        for begin in dict.fromkeys((0, bullet)):
            found = [each for each in self._citations if line.startswith(each, begin)]
            if found:
                longest = max(found, key=len)
                return self._citations[longest], begin + len(longest)
        return None

    def row_at(self, line: str) -> tuple[QuotedForm, int, int] | None:
        """Return the row that a line begins with, the number of its citation, where it ends."""
        citation, end = self.at(line) or (None, 0)
        if citation is None or citation.form is None or citation.form.kind != "row":
            return None
        return citation.form, citation.number, end

    def may_be_at(self, line: str) -> bool:
        """Whether a line that is still being written may turn out to begin with a quote."""
        bare = without_bullet(f"{line} …").removesuffix(" …").removesuffix("…")
        return any(each.startswith((line, bare)) for each in self._citations)


def with_rows(text: str, citations: Iterable[CitationEvent]) -> str:
    """Return an answer in which steps stand below their heading, and quoted rows apart.

    What follows them from another section has its own heading, or stands apart without one.
    A row is a line for each heading with its cell in the order of the columns, the first one
    with the mark of the citation.
    """
    quoted = QuotedLines(citations)
    told: list[str] = []
    last = ""
    was_row = False
    for line in text.split("\n"):
        citation, _ = quoted.at(line) or (None, 0)
        form = citation.form if citation else None
        row = quoted.row_at(line)
        headed = form is not None and (
            form.kind in (*IN_ORDER, "row") or bool(last) or quoted.announces(form)
        )
        section = quoted.section(form) if form and headed else ()
        heading = section_told(section)
        if (was_row or row is not None) and told and told[-1] and line:
            told.append("")
        if headed and heading != last:
            if told and (told[-1],) == section[-1:]:  # its sub-heading
                told.pop()
            told += [heading] if heading or (told and told[-1]) else ()
            last = heading
        was_row = row is not None
        if row is None:
            told.append(line)
            continue
        form, number, end = row
        first, *others = row_lines(form)
        told += [f"{first} [{number}]{line[end:]}", *others]
    return "\n".join(told)


def key_lines(citations: Iterable[CitationEvent]) -> frozenset[str]:
    """Return the lines of `with_rows` with which a row begins: its key, such as a fault's code."""
    return frozenset(
        f"{row_lines(each.form)[0]} [{each.number}]"
        for each in citations
        if each.form is not None and each.form.kind == "row"
    )


def row_lines(form: QuotedForm) -> list[str]:
    """Return a row in the order of its columns, a line for each heading or line of a cell."""
    headings = form.headings or ("",) * len(form.cells)
    told: list[str] = []
    for name, cell in zip((" ".join(each.split()) for each in headings), form.cells, strict=True):
        lines = [" ".join(line.split()) for line in cell.split("\n") if line.strip()]
        if name and len(lines) == 1:
            told.append(f"{name}: {lines[0]}")
        elif lines:
            told += [f"{name}:", *lines] if name else lines
    if not form.headings and "\n" not in "".join(form.cells):  # a short row needs no lines
        return [" · ".join(told)]
    return told or [form.told]


def section_told(section: Sequence[str]) -> str:
    """Return the headings right above a quote: "5 Service › 5.2 Pump"."""
    return " › ".join(section[-2:])


def in_common(above: QuotedForm | None, form: QuotedForm) -> int:
    """Return how many first cells a row shares with the one told before it, in the same table.

    They name the entry that both are of: a fault with several causes.
    """
    if above is None or not _same_table(above, form):
        return 0
    pairs = zip(above.cells, form.cells, strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return shared if any(cell.strip() for cell in form.cells[shared:]) else 0


def _same_table(above: QuotedForm | None, form: QuotedForm) -> bool:
    """Whether a row was told before another one, under the same headings."""
    if above is None:
        return False
    are_rows = above.kind == form.kind == "row"
    return are_rows and (above.section, above.headings) == (form.section, form.headings)


def row_told(
    form: QuotedForm, above: QuotedForm | None = None
) -> tuple[str, list[tuple[str, str]]]:
    """Return what leads a quoted row, and each heading with its cell; none if it has no headings.

    The cell that answers leads, else the caption of the table, else the name of the row. above: the
    row told before it; if it is of the same table, cells that name the entry both are of are not
    told again, nor is the caption, and the first cell after them leads where none answers. What
    leads is told again below, where its heading is, unless it names the row or is long.
    """
    cells = [" ".join(cell.split()) for cell in form.cells]
    shared = in_common(above, form)
    value = cells[form.asked] if form.asked >= 0 else ""
    once = bool(value) and (form.asked == 0 or len(value.split()) > _TOLD_TWICE)
    kept = [n for n in range(shared, len(cells)) if cells[n] and not (once and n == form.asked)]
    if not form.headings:
        row = " · ".join(cells[n] for n in kept)
        return (value, [("", row)] if row else []) if value else (row, [])
    told = [(" ".join(form.headings[n].split()), cells[n]) for n in kept]
    if value or (form.section and not _same_table(above, form)):
        return value or " ".join(form.section[-1].split()), told
    return told[0][1], told[1:]
