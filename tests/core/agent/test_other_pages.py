"""Which pages are quoted beside the first one, and how that is told."""

from __future__ import annotations

import asyncio

import pytest

from desktop.core.agent.answering.answer import Answer, Statement
from desktop.core.agent.answering.citations import Citations
from desktop.core.agent.answering.quoted_writer import quoted
from desktop.core.agent.other_pages import fits, other_pages
from desktop.core.events import PageRegion, TokenEvent
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from tests.fakes.bookcase import Sheet, bookcase_at

ASKED = Question.parse("Which fuse protects the loom?")


def page(number: int, score: float, document: int = 1, title: str = "Loom") -> Evidence:
    return Evidence(document, f"{title}.pdf", title, number, str(number), score, (), ())


@pytest.mark.parametrize(
    ("scores", "quoted_too"),
    [
        ((2.0, 1.5, 1.4), []),
        ((2.0, 1.9, 1.3), [1]),
        ((2.0, 1.99, 1.98, 1.97, 1.96), [1, 2, 3]),
    ],
)
def test_further_pages_are_quoted_only_if_the_first_may_be_the_wrong_one(scores, quoted_too):
    found = [page(number, score) for number, score in enumerate(scores)]
    others = other_pages(ASKED, found)
    assert [other.page for other in others.pages] == quoted_too
    assert not others.asked


def test_a_question_about_two_manuals_asks_for_a_page_of_each():
    asked = Question.parse("Which fuses do the Loom and the Carder have?")
    found = [page(0, 2.0), page(1, 1.9), page(2, 1.2, 2, "Carder")]
    others = other_pages(asked, found)
    assert others.asked
    assert [other.document_id for other in others.pages] == [2]


@pytest.mark.parametrize(
    ("question", "text", "kind"),
    [
        ("Which fuse protects the loom?", "3.1 Fuses", "heading"),
        ("Which fuse protects the loom?", "3.1 Fuses ........ 12", "row"),
        ("What does code E07 mean?", "E09: the band slips.", "row"),
        ("Which terminals must never get 24 V?", "X7 gets 24 V.", "paragraph"),
        ("How long is the outer band?", "The inner band is 3 m long.", "paragraph"),
    ],
)
def test_what_speaks_of_something_else_does_not_stand_beside_the_answer(question, text, kind):
    assert not fits(Quote(text, kind, "", (), ()), Question.parse(question))


def test_what_says_as_much_stands_beside_the_answer():
    assert fits(Quote("Fuse F2 protects the motor.", "paragraph", "", (), ()), ASKED)


def test_pages_that_may_answer_as_well_are_announced_in_the_language_of_the_question(tmp_path):
    with bookcase_at(tmp_path) as bookcase:
        bookcase.add("loom.pdf", [Sheet().text("Fuse F2 protects the motor of the loom.")])
        bookcase.add("drive.pdf", [Sheet().text("Fuse F4 protects the drive of the loom.")])
        first, *rest = bookcase.ask("Which fuse protects the loom?").statements
        assert not first.above
        assert [each.above for each in rest] == ["These pages may answer it as well:"]
        assert {first.source.document, rest[0].source.document} == {"loom.pdf", "drive.pdf"}
        bookcase.add("webstuhl.pdf", [Sheet().text("Die Sicherung F2 schützt den Webstuhl.")])
        bookcase.add("antrieb.pdf", [Sheet().text("Die Sicherung F4 schützt den Webstuhl auch.")])
        _, *rest = bookcase.ask("Welche Sicherung schützt den Webstuhl?").statements
        assert [each.above for each in rest] == ["Auch auf diesen Seiten kann die Antwort stehen:"]


def test_the_announcement_stands_on_a_line_of_its_own_and_cites_nothing():
    def source(number: int) -> PageRegion:
        return PageRegion(1, "loom.pdf", number, str(number), ())

    statements = (
        Statement("Fuse F2.", source(0), "Fuse F2."),
        Statement("Fuse F4.", source(1), "Fuse F4.", "Also:"),
    )
    answer = Answer(True, statements, (), (), 1.0, "")

    async def text() -> str:
        written = [output async for output in quoted(answer, Citations({}))]
        return "".join(token.content for token in written if isinstance(token, TokenEvent))

    assert asyncio.run(text()) == "Fuse F2. [1]\nAlso:\nFuse F4. [2]"
