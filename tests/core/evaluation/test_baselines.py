"""The plain searches that answers are compared with, over a library that was really read."""

import pytest

from scripts.bench.labels import Bm25, LibraryText, PageBm25, PlainSum
from tests.fakes.bookcase import bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import fill


@pytest.fixture
def shelf(tmp_path):
    """The text of two manuals, and the ids of pump.pdf and crane.pdf."""
    with bookcase_at(tmp_path, FakeEmbedder()) as bookcase:
        fill(bookcase)
        ids = {each.name: each.id for each in bookcase.library.documents()}
        yield LibraryText.read(bookcase.database), ids["pump.pdf"], ids["crane.pdf"]


def test_bm25_prefers_the_rare_word_and_the_shorter_text():
    index = Bm25(["the fuse of the pump", "the pump", "the pump and the pipe", "nothing"])
    fuse, short, long, other = index.scores("The FUSE of a pump?").tolist()
    assert fuse > short > long > other == 0


def test_bm25_of_nothing_finds_nothing():
    assert Bm25([]).scores("fuse").tolist() == []


def test_pages_are_found_by_their_words_alone(shelf):
    text, pump, _ = shelf
    ranked = PageBm25(text).rank("Replace fuse F2", frozenset())
    assert ranked[0] == (pump, 1)
    assert PageBm25(text).rank("Sicherung", frozenset()) == []


def test_a_question_to_a_manual_gets_pages_of_that_one_alone(shelf):
    text, pump, crane = shelf
    for baseline in (PageBm25(text), PlainSum(text, FakeEmbedder())):
        everywhere = baseline.rank("Which terminal and supply?", frozenset())
        assert {document for document, _ in everywhere} == {pump, crane}
        in_crane = baseline.rank("Which terminal and supply?", frozenset({crane}))
        assert {document for document, _ in in_crane} == {crane}


def test_the_sum_ranks_every_page_and_puts_first_what_all_three_find(shelf):
    text, _, crane = shelf
    ranked = PlainSum(text, FakeEmbedder()).rank("How do I reset the crane?", frozenset())
    assert ranked[0] == (crane, 1)
    assert set(ranked) >= set(text.window_pages)
    assert len(ranked) == len(set(ranked))
    assert text.model_id == FakeEmbedder().model_id
    assert text.without_vector == 0


def test_windows_without_a_vector_are_counted(tmp_path):
    with bookcase_at(tmp_path, None) as bookcase:
        fill(bookcase)
        text = LibraryText.read(bookcase.database)
    assert text.model_id == ""
    assert text.without_vector > 0
