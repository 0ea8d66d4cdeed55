"""What a domain says about manuals and questions."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from knowledge.domain import Domain, ManualProfile, NamedManual
from tests.fakes.knowledge import atlas_of

BOILER = Domain(
    name="b7",
    title="Boiler B7",
    description="You are a technical assistant for the boiler B7.",
    manuals=(
        ManualProfile(
            title="Fitting instructions",
            patterns=("b7_fitting*", "Boiler B7 - fitting"),
            audience="Fitters",
            purpose="Pipes and wiring",
            use_for=("How do I fit...",),
            cues=("wire", "pipe", "RS-485"),
        ),
        ManualProfile(
            title="Householder's guide",
            patterns=("b7_guide.pdf",),
            use_for=("How do I set...",),
            cues=("menu", "switch on"),
        ),
    ),
    components=("burner",),
)
FITTING = NamedManual(1, "B7_fitting_rev3.pdf", "Scan 0001")
GUIDE = NamedManual(2, "b7_guide.pdf", "B7")
CRANE = NamedManual(3, "crane.pdf", "Crane")


def preferred(question: str, *manuals: NamedManual):
    return BOILER.preferred(question, manuals or (FITTING, GUIDE, CRANE))


@pytest.mark.parametrize(
    ("name", "title", "expected"),
    [
        ("B7_FITTING_v2.pdf", "", "Fitting instructions"),
        ("scan.pdf", "boiler b7 - Fitting", "Fitting instructions"),
        ("b7_guide.pdf", "", "Householder's guide"),
        ("my_b7_guide.pdf", "", None),
        ("crane.pdf", "Crane", None),
    ],
)
def test_a_manual_is_known_by_its_file_name_or_title_whatever_its_case(name, title, expected):
    profile = BOILER.covers(name, title)
    assert (profile.title if profile else None) == expected


def test_a_question_prefers_the_manual_whose_cues_it_uses():
    assert preferred("How is the thermostat wired?") == {1: 1.0, 2: 0.0}
    assert preferred("Which menus are there?") == {1: 0.0, 2: 1.0}


def test_a_code_is_a_cue_however_it_is_written():
    assert preferred("Is there RS485?")[1] == preferred("Is there RS-485?")[1] == 1.0


def test_a_phrase_counts_less_than_a_cue():
    weights = preferred("How do I set the pipe pressure?")
    assert weights[1] == 1.0
    assert 0 < weights[2] < 1


def test_a_phrase_alone_leans_but_does_not_decide():
    weights = preferred("How do I set the clock?")
    assert weights[2] == 1.0
    assert 0 < weights[1] < 1


def test_a_question_about_a_part_asks_for_every_manual():
    assert preferred("What is the burner for?") == {1: 1.0, 2: 1.0}


def test_a_cue_beside_a_part_still_decides():
    assert preferred("How is the burner wired?") == {1: 1.0, 2: 0.0}


def test_a_question_that_says_nothing_has_no_preference():
    assert preferred("How heavy is it?") == {}
    assert preferred("") == {}


def test_only_manuals_of_the_domain_are_weighed():
    assert 3 not in preferred("How is the crane wired?")
    assert preferred("How is the crane wired?", CRANE) == {}


def test_a_word_inside_another_word_is_no_cue():
    assert preferred("What is a pipeline?") == {}


def test_unknown_fields_and_odd_names_are_refused():
    with pytest.raises(ValidationError):
        Domain.model_validate({**BOILER.model_dump(), "mood": "good"})
    with pytest.raises(ValidationError):
        Domain.model_validate({**BOILER.model_dump(), "name": "../b7"})


def test_the_atlas_tells_what_each_manual_is_for_and_which_one_is_missing():
    told = atlas_of(BOILER, ["b7_guide.pdf"], user_profile="A fitter", context="Cellar 2")
    text = told.agent_description
    assert text.startswith("You are a technical assistant for the boiler B7.")
    assert "### 1. Fitting instructions (not in this library)" in text
    assert "### 2. Householder's guide (b7_guide.pdf)" in text
    assert "A fitter" in text
    assert "Cellar 2" in text
