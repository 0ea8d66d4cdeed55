"""The bench of tagged PDFs counts a row as found only if a unit has all of it and nothing else."""

from collections import Counter

import pytest

from scripts.bench.tagged import _compare
from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import COLUMNS, FUSE, HEADER, PUMP, table


def chains(words, tops):
    """Tag each word as of the cell that it stands in; tops: of the rows as the author sees them."""
    found = []
    for x, y in zip(*words.centres, strict=True):
        row = sum(top <= y for top in tops)
        cell = sum(left <= x for left in COLUMNS)
        found.append((("Table", 0), ("TR", row), ("TD", cell)))
    return found


@pytest.mark.parametrize(("tops", "found"), [((200, 220, 240), 3), ((200, 240), 1)])
def test_a_row_is_found_if_a_unit_is_all_of_it_and_no_more(tops, found):
    raw = table(DrawnPage(), FUSE, PUMP, header=HEADER).raw()
    _, units = structure_page(raw, style())
    numbers = Counter[str]()
    missed = list(
        _compare(raw.words, chains(raw.words, tops), [u for u in units if u.kind == "row"], numbers)
    )
    assert numbers["rows"] == len(tops)
    assert numbers["rows found"] == found == numbers["rows"] - len(missed)
