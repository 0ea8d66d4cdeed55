"""Page labels out of the rules of a PDF."""

from __future__ import annotations

import pytest

from desktop.core.parsing.documents import page_labels


@pytest.mark.parametrize(
    ("prefix", "style", "said"),
    [
        ("A-", "D", ("A-1", "A-2")),
        ("<FEFF0034002D>", "D", ("4-1", "4-2")),
        ("<FEFF00330033>", "", ("33", "33")),
        ("<342D>", "D", ("4-1", "4-2")),
        ("<b>", "D", ("<b>1", "<b>2")),
    ],
)
def test_a_prefix_is_read_in_both_spellings_of_a_pdf(prefix, style, said):
    rule = {"startpage": 0, "prefix": prefix, "style": style, "firstpagenum": 1}
    assert page_labels([rule], 2) == said
