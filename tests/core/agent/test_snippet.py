"""What is shown of a page that is near and no answer."""

from __future__ import annotations

from desktop.core.agent.tools.text_response import near_page
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence


def snippet(*texts: str, kinds: tuple[str, ...] = ("row",)) -> str:
    passages = [
        Passage(n, kind, text, "", (), (), 0.5)
        for n, (kind, text) in enumerate(zip(kinds, texts, strict=True))
    ]
    return near_page(Evidence(1, "pump.pdf", "Pump", 0, "1", 1.0, (), tuple(passages))).snippet


def test_the_dots_of_a_table_of_contents_are_one_sign():
    assert snippet("4.1 Open | . . . . . . . . 19") == "4.1 Open | … 19"
    assert snippet("4.1 Open........19") == "4.1 Open… 19"
    assert snippet("It takes 2.5 s. Then... it stops.") == "It takes 2.5 s. Then... it stops."


def test_a_long_passage_is_cut_between_words():
    shown = snippet("relay " * 100)
    assert shown.endswith("relay …")
    assert len(shown) < 250


def test_what_a_page_says_is_shown_and_not_what_it_is_called():
    kinds = ("heading", "caption", "paragraph")
    assert snippet("Alarms", "Table 7-1", "Press RESET.", kinds=kinds) == "Press RESET."
    assert snippet("Alarms", kinds=("heading",)) == "Alarms"


def test_what_a_page_says_stands_below_its_heading():
    told = Passage(0, "item", "Lift the lever.", "Printer › 7 Care › Paper jam:", (), (), 0.5)
    page = Evidence(1, "printer.pdf", "Printer", 0, "1", 1.0, (), (told,))
    assert near_page(page).snippet == "Paper jam: Lift the lever."
