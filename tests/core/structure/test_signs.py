"""Signs of symbol fonts are read as what those fonts draw; bullets are not words."""

from desktop.core.structure.signs import with_plain_signs, without_bullet


def test_signs_of_office_fonts_are_what_a_person_sees_on_the_page():
    assert with_plain_signs("Menu \uf0e0 Setup, 25 \uf0b0C \uf0b1 2") == "Menu → Setup, 25 °C ± 2"


def test_an_icon_that_nothing_can_show_is_left_out():
    for sign in ("\ue812", "\x01", "\ufffd", "\U000f0123"):
        assert with_plain_signs(f"Press {sign} Start") == "Press Start"
    assert with_plain_signs("24 V\n230 V") == "24 V\n230 V"


def test_a_text_loses_the_bullet_or_arrow_that_it_begins_with_and_no_sign_of_a_number():
    for text in ("• Indoor use only", "-> Indoor use only", "➢ Indoor use only"):
        assert without_bullet(text) == "Indoor use only"
    assert without_bullet("-5 °C") == "-5 °C"
    assert without_bullet("–") == "–"
