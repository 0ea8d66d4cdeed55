"""What is shown of a page that is near and no answer."""

from __future__ import annotations

from desktop.core.agent.tools.text_response import snippet
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence


def near(text: str) -> Evidence:
    passage = Passage(1, "row", text, "", (), (), 0.5)
    return Evidence(1, "pump.pdf", "Pump", 0, "1", 1.0, (), (passage,))


def test_the_dots_of_a_table_of_contents_are_one_sign():
    assert snippet(near("4.1 Open | . . . . . . . . 19")) == "4.1 Open | … 19"
    assert snippet(near("4.1 Open........19")) == "4.1 Open… 19"
    assert snippet(near("It takes 2.5 s. Then... it stops.")) == "It takes 2.5 s. Then... it stops."


def test_a_long_passage_is_cut_between_words():
    shown = snippet(near("relay " * 100))
    assert shown.endswith("relay …")
    assert len(shown) < 250
