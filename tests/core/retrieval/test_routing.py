"""Which words of a question find passages."""

from __future__ import annotations

from desktop.core.question.query import Question
from desktop.core.retrieval.lexical import TermPages
from desktop.core.retrieval.routing import Shelf, telling_groups

PAGES = dict.fromkeys(range(10), 1)
SHELF = Shelf({1: 10}, {1: frozenset({"hydra"})}, PAGES)


def on_pages(question: Question, **found: int) -> list[TermPages]:
    return [
        TermPages(frozenset(range(max(found.get(term, 0) for term in group))))
        for group in question.groups
    ]


def test_a_product_name_on_every_page_finds_no_passage():
    question = Question.parse("Which fuse has the Hydra?")
    telling = telling_groups(question, on_pages(question, fuse=8, hydra=6), SHELF)
    assert [group[0] for group in telling] == ["fuse"]


def test_a_product_name_on_few_pages_finds_its_passages():
    question = Question.parse("Which fuse has the Hydra?")
    telling = telling_groups(question, on_pages(question, fuse=8, hydra=5), SHELF)
    assert list(question.groups) == telling


def test_a_question_about_the_product_alone_is_searched_by_its_name():
    question = Question.parse("What is the Hydra?")
    telling = telling_groups(question, on_pages(question, hydra=10), SHELF)
    assert [group[0] for group in telling] == ["hydra"]
