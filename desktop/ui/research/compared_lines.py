"""Which lines of a report say what was compared, so that the window says it once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.research.reports import Compared

BULLET = "- "
_LIKE_MARKS = str.maketrans("[]", "()")
"""The report writes brackets of a statement so: they would be taken for a citation's."""


def divide_report(text: str, compared: Sequence[Compared]) -> tuple[str, list[str]]:
    """Return the report without the lines of the comparisons, and the line of each of them.

    A comparison that the report does not hold has "". A heading goes with the lines below it.
    """
    lines = text.split("\n")
    taken: dict[int, int] = {}
    for number, each in enumerate(compared):
        found = (
            at for at, line in enumerate(lines) if at not in taken.values() and _says(line, each)
        )
        at = next(found, None)
        if at is not None:
            taken[number] = at
    said = [
        lines[taken[n]].removeprefix(BULLET) if n in taken else "" for n in range(len(compared))
    ]
    gone = set(taken.values())
    kept = [
        line for at, line in enumerate(lines) if at not in gone and not _heads_only(lines, at, gone)
    ]
    return "\n".join(kept).strip(), said


def _says(line: str, compared: Compared) -> bool:
    return line.startswith(BULLET) and all(
        _as_written(each) in line for each in (compared.site, compared.maker)
    )


def _as_written(statement: str) -> str:
    return statement.translate(_LIKE_MARKS).rstrip(" .")


def _heads_only(lines: Sequence[str], at: int, gone: set[int]) -> bool:
    """Whether everything below a line, down to the next one that is no bullet, is gone."""
    if lines[at].startswith(BULLET) or not lines[at].strip():
        return False
    below = [n for n in range(at + 1, len(lines)) if lines[n].strip()]
    headed = []
    for n in below:
        if not lines[n].startswith(BULLET):
            break
        headed.append(n)
    return bool(headed) and set(headed) <= gone
