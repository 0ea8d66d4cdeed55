"""A manual that holds the same text in two languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.fakes.bookcase import Bookcase

ENGLISH, FRENCH = range(3), range(4, 7)


@pytest.fixture(scope="module")
def bookcase(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bookcase]:
    folder: Path = tmp_path_factory.mktemp("languages")
    with bookcase_at(folder, FakeEmbedder()) as opened:
        opened.add("charger.pdf", [*_english(), Sheet().rows(["75/50", "14.4"]), *_french()])
        yield opened


def _english() -> list[Sheet]:
    return [
        Sheet()
        .heading("Battery")
        .text("The absorption voltage of the MPPT 75/50 is 28.4 V for every lithium battery."),
        Sheet()
        .heading("Installation")
        .text("First connect the battery to the charger, and then connect the solar panels."),
        Sheet()
        .heading("Fault finding")
        .text("The charger does not work if the battery has been connected the wrong way round."),
    ]


def _french() -> list[Sheet]:
    return [
        Sheet()
        .heading("Batterie")
        .text("La tension d'absorption du MPPT 75/50 est de 28,4 V pour les batteries lithium."),
        Sheet()
        .heading("Installation")
        .text("Branchez d'abord la batterie au chargeur, puis branchez les panneaux solaires."),
        Sheet()
        .heading("Dépannage")
        .text("Le chargeur ne marche pas si la batterie a été branchée avec les pôles inversés."),
    ]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Quelle est la tension absorption MPPT 75/50 lithium ?", FRENCH[0]),
        ("What is the absorption voltage MPPT 75/50 lithium?", ENGLISH[0]),
        ("Dans quel ordre faut-il brancher la batterie à l'installation ?", FRENCH[1]),
    ],
)
def test_the_page_in_the_language_of_the_question_comes_first(bookcase, question, page):
    assert bookcase.search(question)[0].page == page


def test_pages_know_their_language_and_those_in_another_one_are_marked(bookcase):
    found = bookcase.search("Quelle est la tension absorption MPPT 75/50 lithium ?")
    languages = {page.page: page.language for page in found}
    assert languages[ENGLISH[0]] == "en"
    assert languages[FRENCH[0]] == "fr"
    marked = {page.page for page in found if page.other_language}
    assert marked == {page.page for page in found if page.language == "en"}


@pytest.mark.parametrize(
    "question", ["Wie hoch ist die Spannung des MPPT 75/50 für Lithium?", "MPPT 75/50 lithium"]
)
def test_a_question_in_neither_language_or_none_prefers_neither(bookcase, question):
    assert not any(page.other_language for page in bookcase.search(question))


def test_an_answer_is_told_in_one_language(bookcase):
    for question in ("Quelle est la tension du MPPT 75/50 ?", "MPPT 75/50 lithium 28"):
        told = {each.source.page for each in bookcase.ask(question).statements}
        assert told
        assert told.isdisjoint(FRENCH) or told.isdisjoint(ENGLISH)


def test_a_manual_that_an_older_version_read_is_searched_as_before(bookcase):
    question = "Quelle est la tension absorption MPPT 75/50 lithium ?"
    kept = bookcase.database.read(
        lambda c: c.execute("SELECT language, id FROM pages ORDER BY id").fetchall()
    )
    bookcase.database.write(lambda c: c.execute("UPDATE pages SET language = ''"))
    try:
        found = bookcase.search(question)
        assert found
        assert not any(page.other_language or page.language for page in found)
    finally:
        bookcase.database.write(
            lambda c: c.executemany("UPDATE pages SET language = ? WHERE id = ?", kept)
        )


def test_a_page_in_two_other_languages_is_marked_for_a_question_in_a_third(tmp_path):
    spanish = " ".join(["Antes de coser, coloque la canilla y pase el hilo por la guia."] * 8)
    french = " ".join(["Avant de coudre, placez la canette et passez le fil dans le guide."] * 8)
    english = " ".join(["Before you sew, insert the bobbin and pass the thread through it."] * 8)
    with bookcase_at(tmp_path, FakeEmbedder()) as opened:
        sheets = [Sheet().heading("Bobbin").text(english), Sheet().text(spanish).text(french)]
        opened.add("sewing.pdf", [*sheets, Sheet().heading("Hilo").text(spanish)])
        found = opened.search("Where do I pass the thread of the bobbin (canilla, canette)?")
        asked_in_french = opened.search("Comment passer le fil de la canette dans le guide ?")
    assert {page.page for page in found if page.other_language} == {1, 2}
    assert {page.page for page in asked_in_french if page.other_language} == {0, 2}


def test_a_cover_in_another_language_makes_no_manual_in_two(tmp_path):
    spanish = " ".join(["Antes de coser, coloque la canilla y pase el hilo por la guia."] * 8)
    english = " ".join(["Before you sew, insert the bobbin and pass the thread through it."] * 8)
    with bookcase_at(tmp_path, FakeEmbedder()) as opened:
        sheets = [Sheet().heading(f"Bobbin {n} canilla").text(english) for n in range(4)]
        opened.add("sewing.pdf", [Sheet().text(spanish), *sheets])
        found = opened.search("¿Cómo se pasa el hilo de la canilla por la guia?")
    assert {page.language for page in found} == {"en", "es"}
    assert not any(page.other_language for page in found)


def test_manuals_in_the_language_of_the_question_come_before_others(tmp_path):
    with bookcase_at(tmp_path, FakeEmbedder()) as opened:
        english = " ".join(["Before you sew, insert the bobbin K2 and pass the thread."] * 8)
        french = " ".join(["Avant de coudre, placez la canette K2 et passez le fil."] * 8)
        opened.add("sewing.pdf", [Sheet().text(english)])
        opened.add("couture.pdf", [Sheet().text(french)])
        found = opened.search("Comment placer la canette K2 avant de coudre ?")
    prior = {page.document: page.prior for page in found}
    assert prior["couture.pdf"] > prior["sewing.pdf"]
