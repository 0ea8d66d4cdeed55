"""The first pages are read sentence by sentence, and in the language of the question first."""

from __future__ import annotations

import pytest

from desktop.core.retrieval.tokens import asked_language
from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder

PROSE = Sheet().text(
    "Terminals of the drive are tightened with a torque.",
    "The torque of drive terminals is checked every year.",
    "Wrong torque damages the terminals of the drive.",
)
SENTENCE = (
    Sheet()
    .text(
        "The cover is held by four screws. Drive terminals need a torque of 1.2 Nm.",
        "Close the cover after that. The lamp at the door shows when power is on.",
        "Keep the key of the cover in the office. The fan needs no service.",
    )
    .text("Nothing else of this page speaks of it.")
)


@pytest.fixture(params=[None, FakeEmbedder()], ids=["words alone", "with vectors"])
def shelf(request, tmp_path):
    with bookcase_at(tmp_path, request.param) as opened:
        yield opened


def test_the_sentence_that_answers_goes_before_a_page_that_speaks_of_it_all_along(shelf):
    shelf.add("drive.pdf", [PROSE, SENTENCE, Sheet().text("Write to the office.")])
    found = shelf.search("Which torque do the drive terminals need?")
    assert [page.page for page in found][:2] == [1, 0]
    assert found[0].features.quote > found[1].features.quote


@pytest.mark.parametrize(
    ("question", "manual"),
    [
        ("Wie wird der Motor geschmiert?", "motor_de.pdf"),
        ("How is the Motor greased?", "motor_en.pdf"),
        ("Wie wird der Motor des Krans XK-500 geschmiert?", "kran_en.pdf"),
    ],
)
def test_of_manuals_in_two_languages_the_one_in_the_questions_own_comes_first(
    shelf, question, manual
):
    shelf.add("motor_de.pdf", [Sheet().text("Der Motor ist mit dem Fett der Werkstatt versorgt.")])
    shelf.add("motor_en.pdf", [Sheet().text("The Motor is supplied with the grease of the shop.")])
    crane = Sheet().text("The Motor of the XK-500 is supplied with the grease of the shop.")
    shelf.add("kran_en.pdf", [crane], title="Crane XK-500")
    assert shelf.search(question)[0].document == manual


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie wird die Pumpe entlüftet?", "de"),
        ("How is the pump vented?", "en"),
        ("E17", None),
    ],
)
def test_the_language_of_a_question_is_told_by_its_small_words(question, language):
    assert asked_language(question) == language


def test_a_page_that_is_not_embedded_yet_is_not_put_behind_those_that_are(tmp_path):
    with bookcase_at(tmp_path, FakeEmbedder()) as shelf:
        other = Sheet().text("Drive terminals are marked in red. Torque is named here as well.")
        shelf.add("drive.pdf", [SENTENCE, other])
        question = "Which torque do the drive terminals need?"
        before = [(page.page, page.features.dense > 0) for page in shelf.search(question)]
        shelf.database.write(_forget_the_vectors_of_the_first_page)
        after = [(page.page, page.features.dense > 0) for page in shelf.search(question)]
    assert before == after == [(0, True), (1, True)]


def _forget_the_vectors_of_the_first_page(connection):
    units = "SELECT id FROM units WHERE page = 0"
    connection.execute(f"DELETE FROM unit_vectors WHERE unit_id IN ({units})")
    pages = "SELECT id FROM pages WHERE page = 0"
    connection.execute(f"DELETE FROM page_passes WHERE pass = 'vectors' AND page_id IN ({pages})")
