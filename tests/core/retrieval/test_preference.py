"""How opinions of domains reach the ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.question.query import Query
from desktop.core.reader.evidence import Evidence
from desktop.core.retrieval.routing import Preference
from desktop.core.retrieval.search import Searcher
from desktop.core.settings.sections import RetrievalSettings
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator

BATTERY = "The backup battery is in the lower part of the cabinet."


def page(document_id: int, cover: float = 1.0) -> Evidence:
    return Evidence(document_id, "a.pdf", "", 0, "", 1.0, (), (), cover)


class Opinions:
    """Says of every question what it was told to say."""

    def __init__(self, *opinions: dict[int, float]) -> None:
        self.opinions = opinions

    def preferred(self, question: str) -> tuple[dict[int, float], ...]:
        assert question
        return self.opinions


def order(preference: Preference, *pages: Evidence) -> list[int]:
    return [each.document_id for each in preference.kept_together(list(pages))]


def test_a_manual_is_off_route_as_far_as_another_of_its_product_is_asked_for():
    preference = Preference([{1: 1.0, 2: 0.25}, {5: 1.0}])
    assert preference.off_route(1) == 0
    assert preference.off_route(2) == 0.75
    assert preference.off_route(5) == 0
    assert preference.off_route(99) == 0
    assert Preference().off_route(1) == 0


def test_manuals_asked_for_alike_are_both_among_the_first_pages():
    both = Preference([{1: 1.0, 2: 1.0}])
    assert order(both, *map(page, (1, 1, 1, 1, 2, 2))) == [1, 1, 2, 1, 1, 2]
    assert order(both, *map(page, (1, 1, 2, 1))) == [1, 1, 2, 1]


def test_of_three_manuals_asked_for_alike_none_is_missing():
    three = Preference([{1: 1.0, 2: 1.0, 3: 1.0}])
    assert order(three, *map(page, (1, 1, 1, 1, 2, 3)))[:3] == [1, 2, 3]


def test_manuals_of_another_product_are_not_pulled_forward():
    both = Preference([{1: 1.0, 2: 1.0}])
    assert order(both, *map(page, (7, 1, 1, 1, 2))) == [7, 1, 1, 1, 2]


def test_a_page_that_says_little_of_the_question_is_not_pulled_forward():
    both = Preference([{1: 1.0, 2: 1.0}])
    assert order(both, *map(page, (1, 1, 1, 1)), page(2, 0.3)) == [1, 1, 1, 1, 2]


def test_one_preferred_manual_moves_nothing_by_hand():
    one = Preference([{1: 1.0, 2: 0.0}])
    assert order(one, *map(page, (1, 1, 1, 1, 2))) == [1, 1, 1, 1, 2]
    assert order(one) == []


@pytest.fixture(scope="module")
def twins(tmp_path_factory) -> Iterator[Bookcase]:
    """Two manuals with the same words."""
    with bookcase_at(tmp_path_factory.mktemp("twins")) as bookcase:
        for name in ("one.pdf", "two.pdf"):
            bookcase.add(name, [Sheet().heading("Battery").text(BATTERY), Sheet().text("Notes.")])
        bookcase.add("other.pdf", [Sheet().text("The backup battery of the crane.")])
        yield bookcase


def found(bookcase: Bookcase, *opinions: dict[int, float]) -> list[str]:
    searcher = Searcher(bookcase.database, None, RetrievalSettings(), Opinions(*opinions))
    return [page.document for page in searcher.search(Query("Where is the backup battery?"))]


@pytest.mark.parametrize(("wanted", "other"), [("one.pdf", "two.pdf"), ("two.pdf", "one.pdf")])
def test_between_pages_that_are_equally_good_the_preferred_manual_decides(twins, wanted, other):
    order = found(twins, {twins.id_of(wanted): 1.0, twins.id_of(other): 0.0})
    assert order.index(wanted) < order.index(other)


def test_without_an_opinion_nothing_changes(twins):
    plain = [page.document for page in twins.search("Where is the backup battery?")]
    assert found(twins) == plain
    assert found(twins, {twins.id_of("other.pdf"): 1.0}) == plain


def test_a_page_that_answers_alone_comes_first_whatever_is_preferred(twins):
    searcher = Searcher(
        twins.database,
        None,
        RetrievalSettings(),
        Opinions({twins.id_of("one.pdf"): 1.0, twins.id_of("other.pdf"): 0.0}),
    )
    first = searcher.search(Query("Where is the battery of the crane?"))[0]
    assert first.document == "other.pdf"
