"""Equipment that is named in another language than its manual's is known by the title."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.question.query import Query
from desktop.models.built_in import load_text_embedder
from tests.fakes.bookcase import Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fakes.bookcase import Bookcase


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bookcase]:
    """An English band saw and a German wall box, each with a cable and a weight."""
    with bookcase_at(tmp_path_factory.mktemp("workshop"), load_text_embedder()) as bookcase:
        bookcase.add(
            "saw.pdf",
            (
                Sheet().heading("Technical data").text("The net mass is 78 kg."),
                Sheet().heading("Supply").text("The power lead is 3 m in length."),
            ),
            title="Woodworking Bandsaw Operating Instructions",
        )
        bookcase.add(
            "box.pdf",
            (
                Sheet().heading("Technische Daten").text("Das Gewicht beträgt 5 kg."),
                Sheet().heading("Anschluss").text("Das Kabel ist 7 m lang."),
            ),
            title="Ladestation für Elektroautos Betriebsanleitung",
        )
        yield bookcase


@pytest.mark.parametrize(
    ("question", "manual"),
    [
        ("Wie hoch ist das Gewicht der Bandsäge?", "saw.pdf"),
        ("Wie lang ist das Kabel der Bandsäge?", "saw.pdf"),
        ("Wie hoch ist das Gewicht der Wallbox?", "box.pdf"),
        ("Wie lang ist das Kabel?", "box.pdf"),
    ],
)
def test_the_manual_whose_title_says_what_is_asked_about_comes_first(workshop, question, manual):
    assert workshop.searcher.search(Query(question))[0].document == manual
