"""Which words of a question find passages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from desktop.core.question.query import Question
from desktop.core.retrieval.lexical import TermPages
from desktop.core.retrieval.routing import Route, Shelf, naming_groups, routes, telling_groups

PAGES = np.ones(10, np.uint32)
SHELF = Shelf({1: 10}, {1: frozenset({"hydra"})}, PAGES)


def on_pages(question: Question, **found: int) -> list[TermPages]:
    return [
        TermPages(np.arange(count), {1: count})
        for group in question.groups
        for count in (max(found.get(term, 0) for term in group),)
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


def routed(question: str, *manuals: dict[str, int]) -> list[Route]:
    """Return the routes to manuals of 100 pages, whose names are those of their terms in capitals.

    manuals: on how many pages each term stands.
    """
    asked = Question.parse(question)
    names = {
        document: frozenset(term.lower() for term in terms if term.isupper())
        for document, terms in enumerate(manuals, 1)
    }
    counts = [{term.lower(): count for term, count in terms.items()} for terms in manuals]
    occurrences = []
    for group in asked.groups:
        found = [max(terms.get(term, 0) for term in group) for terms in counts]
        per_document = {document: count for document, count in enumerate(found, 1) if count}
        occurrences.append(TermPages(np.arange(sum(found)), per_document))
    pages = np.repeat(np.arange(1, len(manuals) + 1, dtype=np.uint32), 100)
    shelf = Shelf(dict.fromkeys(names, 100), names, pages)
    found_routes = routes(asked, occurrences, shelf, list(names))
    return [found_routes[document] for document in names]


def test_a_word_of_its_name_names_a_manual_unless_others_say_it_too():
    chiller, washer = routed("How is the washer cleaned?", {"CHILLER": 40}, {"WASHER": 9})
    assert (chiller.named, washer.named) == (0.0, 1.0)
    assert (chiller.alone, washer.alone) == (False, True)
    chiller, washer = routed("How is the washer cleaned?", {"washer": 5}, {"WASHER": 9})
    assert (chiller.named, washer.named) == (0.0, 0.0)


def test_no_other_manual_has_a_word_that_names_one_alone():
    washer, other = routed("How is the washer cleaned?", {"WASHER": 90}, {"washer": 1})
    assert (washer.named, washer.alone) == (1.0, False)
    assert other.named == 0.0


def test_a_word_on_most_pages_names_a_manual_unless_others_say_it_too():
    chiller, washer = routed("Which coolant is allowed?", {"coolant": 70}, {"coolant": 1})
    assert (chiller.named, washer.named) == (1.0, 0.0)
    chiller, washer = routed("Which coolant is allowed?", {"coolant": 70}, {"coolant": 5})
    assert (chiller.named, washer.named) == (0.0, 0.0)


def test_the_name_of_a_manual_among_others_is_not_read_with_the_question():
    shelf = replace(SHELF, page_counts={1: 10, 2: 10})
    question = Question.parse("Which fuse has the Hydra?")
    names = naming_groups(question, on_pages(question, fuse=8, hydra=6), shelf)
    assert names == {("hydra",)}
    assert replace(question, names=names).wording == "Which fuse has the"
    assert not naming_groups(question, on_pages(question, fuse=8, hydra=6), SHELF)
    alone = Question.parse("What is the Hydra?")
    assert not naming_groups(alone, on_pages(alone, hydra=6), shelf)
