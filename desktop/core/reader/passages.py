"""Numbered passages, which the writing model is given and cites by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.structure.signs import CELL_SEPARATOR, CONTEXT_SEPARATOR
from desktop.core.structure.units import without_title

if TYPE_CHECKING:
    from desktop.core.library.units import Passage
    from desktop.core.reader.evidence import Evidence


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """Some units of a page that belong to one section.

    number: how the answer cites it, from 1. units: in reading order. reference: the
    `_REF_ID` of the page in the environment, "" if it is not there.
    """

    number: int
    evidence: Evidence
    units: tuple[Passage, ...]
    reference: str = ""

    @property
    def manual(self) -> str:
        """Title and file name of its manual."""
        title, name = self.evidence.title.strip(), self.evidence.document
        return f"{title} ({name})" if title and title != name else name

    @property
    def page_label(self) -> str:
        """The number printed on the page."""
        return self.evidence.label or str(self.evidence.page + 1)

    @property
    def section(self) -> str:
        """The headings that its units have in common."""
        return CONTEXT_SEPARATOR.join(section_of(self.units[0]))

    @property
    def lines(self) -> tuple[str, ...]:
        """Its text: one line per unit, a table's rows below their header."""
        found: list[str] = []
        header = ""
        for unit in self.units:
            own = header_of(unit)
            if own and own != header:
                found.append(own)
            header = own
            found.append(" ".join(unit.text.split()))
        return tuple(found)


def section_of(unit: Passage) -> tuple[str, ...]:
    """Return the headings above a unit, without the manual's title and a table's header."""
    parts = [part for part in without_title(unit.context).split(CONTEXT_SEPARATOR) if part]
    return tuple(parts[:-1] if parts and header_of(unit) else parts)


def header_of(unit: Passage) -> str:
    """Return the column headings of a table's row, "" if there are none."""
    last = unit.context.split(CONTEXT_SEPARATOR)[-1]
    return last if unit.kind == "row" and CELL_SEPARATOR.strip() in last else ""
