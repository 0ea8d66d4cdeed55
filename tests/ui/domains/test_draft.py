from __future__ import annotations

import pytest

from desktop.ui.domains.editor import Draft, ProfileDraft, blank_draft, draft_of, read_draft
from knowledge.domain import Domain, NamedManual
from knowledge.domains import built_in_domains

GOOD = ProfileDraft(title="Operator", patterns="crane*")


@pytest.mark.parametrize("domain", built_in_domains(), ids=lambda each: each.name)
def test_a_domain_survives_the_fields_unchanged(domain):
    assert read_draft(draft_of(domain), domain.name, domain) == domain


def test_what_the_fields_do_not_show_is_kept():
    base = built_in_domains()[0].model_copy(update={"style": "Short.", "end_goal": "Sure."})
    read = read_draft(draft_of(base), base.name, base)
    assert isinstance(read, Domain)
    assert (read.style, read.end_goal) == ("Short.", "Sure.")


@pytest.mark.parametrize(
    ("draft", "field", "sentence"),
    [
        (Draft(title=" ", manuals=(GOOD,)), "title", "Give the product a name."),
        (Draft(title="x"), "manuals", "Describe at least one manual."),
        (
            Draft(title="x", manuals=(GOOD, ProfileDraft())),
            "manuals.1.patterns",
            "Name the file or title you mean.",
        ),
        (
            Draft(title="x" * 301, manuals=(GOOD,)),
            "title",
            "This is longer than 300 characters.",
        ),
        (
            Draft(title="x", manuals=(ProfileDraft(patterns="a\nb\n" + "c" * 301),)),
            "manuals.0.patterns",
            "Line 3 is longer than 300 characters.",
        ),
        (
            Draft(title="x", manuals=(GOOD,), search_strategy="line\n" * 101),
            "search_strategy",
            "This is more than 100 lines.",
        ),
        (
            Draft(title="x", manuals=(GOOD,), glossary=f"{'t' * 301} = word"),
            "glossary",
            "This is longer than 300 characters.",
        ),
    ],
)
def test_what_is_wrong_is_said_for_its_field(draft, field, sentence):
    assert read_draft(draft, "x") == {field: sentence}


def test_terms_are_read_as_they_are_written():
    read = read_draft(
        Draft(title="x", manuals=(GOOD,), units=" bar, V ,", glossary="CU-20 = unit , box\nset\n"),
        "x",
    )
    assert isinstance(read, Domain)
    assert read.units == ("bar", "V")
    assert read.glossary == {"CU-20": ("unit", "box"), "set": ()}


def test_a_new_domain_begins_with_the_manuals_that_nobody_described():
    draft = blank_draft([NamedManual(1, "pump [new].pdf", "Pump")])
    read = read_draft(Draft(title="Pump", manuals=draft.manuals), "pump")
    assert isinstance(read, Domain)
    assert read.covers("pump [new].pdf", "") is not None
    assert blank_draft([]).manuals == (ProfileDraft(),)
