"""Follow-up questions on the sample manuals: the page of the answer is found by them."""

from __future__ import annotations

import pytest

from desktop.core.question.query import Query

FOLLOW_UPS = [
    ("How long does the internal battery test last?", "and for the external one?", "operator", 10),
    ("What can be set in Menu 53?", "and in Menu 45?", "operator", 9),
    ("What is the tightening torque for terminals X2:1 to X2:6?", "And for X8?", "install", 8),
    (
        "What is the part number of the external battery box?",
        "and of the non-return valve cartridge?",
        "operator",
        17,
    ),
    ("What does alarm E07 mean?", "and E10?", "operator", 14),
    ("What does jumper J9 do?", "When is it closed?", "install", 12),
    ("What is the internal battery G1?", "How is it replaced?", "operator", 11),
    (
        "Which backup fuse does the site have to provide?",
        "Which rating does it need?",
        "install",
        4,
    ),
    ("How far may an RS-485 line reach?", "and how long may its stubs be?", "install", 12),
    ("Wie wird eine Störung quittiert?", "Und wo steht das?", "operator", 18),
    ("How long does the internal battery test last?", "How often is it repeated?", "operator", 10),
    ("How many drops may a mechanical seal lose?", "How many is that per minute?", "operator", 12),
]


@pytest.mark.parametrize(
    ("before", "prompt", "manual", "page"), FOLLOW_UPS, ids=[each[1] for each in FOLLOW_UPS]
)
def test_the_page_that_answers_a_follow_up_is_among_the_first_found(
    samples, before, prompt, manual, page
):
    found = samples.searcher.search(Query(prompt, before=before))
    places = [(each.document, each.page) for each in found[:6]]
    assert any(manual in document and place == page for document, place in places), places


def test_a_follow_up_finds_more_pages_in_the_first_place_than_its_words_alone(samples):
    def first(query: Query, manual: str, page: int) -> bool:
        found = samples.searcher.search(query)[:1]
        return any(manual in each.document and each.page == page for each in found)

    alone = sum(first(Query(prompt), manual, page) for _, prompt, manual, page in FOLLOW_UPS)
    after = sum(
        first(Query(prompt, before=before), manual, page)
        for before, prompt, manual, page in FOLLOW_UPS
    )
    assert after > alone
    assert after >= len(FOLLOW_UPS) - 3
