"""Signs of symbol fonts are read as what those fonts draw; bullets are not words."""

import pytest

from desktop.core.structure.signs import (
    NUMBER,
    is_torn_off,
    starts_item,
    with_plain_signs,
    without_bullet,
)


def test_signs_of_office_fonts_are_what_a_person_sees_on_the_page():
    assert with_plain_signs("Menu \uf0e0 Setup, 25 \uf0b0C \uf0b1 2") == "Menu → Setup, 25 °C ± 2"


@pytest.mark.parametrize("sign", ["\ue812", "\uf0db\uf0dc", "\ufffd", "\U000f0123"])
def test_a_sign_that_nothing_can_show_leaves_an_ellipsis_inside_a_text_alone(sign):
    assert with_plain_signs(f"{sign} Press {sign} or\n{sign} Start") == "Press … or\nStart"


def test_quotation_marks_around_the_picture_of_a_key_do_not_stand_empty():
    assert (
        with_plain_signs("Press “ ” and„“, then “OK” “Start”")
        == "Press “…” and„…“, then “OK” “Start”"
    )


def test_control_characters_are_no_signs():
    assert with_plain_signs("24 V\x01\n\x9f230 V") == "24 V\n230 V"


def test_a_text_loses_the_bullet_or_arrow_that_it_begins_with_and_no_sign_of_a_number():
    for text in ("• Indoor use only", "-> Indoor use only", "➢ Indoor use only"):
        assert without_bullet(text) == "Indoor use only"
    assert without_bullet("-5 °C") == "-5 °C"
    assert without_bullet("–") == "–"


@pytest.mark.parametrize(
    "text",
    ["4.Make sure", "(4)Make sure", "\uff084\uff09 Make sure", "4\uff09Make", "4. Make sure"],
)
def test_a_number_opens_an_item_also_without_a_space_and_in_full_width_brackets(text):
    assert starts_item(text)
    match = NUMBER.match(text)
    assert match is not None
    assert match[2] == "4"


@pytest.mark.parametrize("text", ["4.5 V", "4.x", "24VDC", "4Make sure"])
def test_values_and_versions_open_no_item(text):
    assert NUMBER.match(text) is None
    assert not starts_item(text)


@pytest.mark.parametrize("text", ["(low)", "10.0RT)", "\uff08low\uff09"])
def test_what_brackets_close_is_the_end_of_another_text(text):
    assert is_torn_off(text)


@pytest.mark.parametrize("text", ["Shunt (QN18)", "Valve", "(S2) switch"])
def test_what_has_both_brackets_in_it_is_a_text_of_its_own(text):
    assert not is_torn_off(text)
