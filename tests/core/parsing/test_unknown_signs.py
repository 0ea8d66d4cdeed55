"""Signs of fonts that do not say which character they show keep apart what they part."""

import pytest

from tests.core.parsing.reading import HELVETICA, write_in_hiding_font

LAMPS = (("red light", "Standby"), ("green light", "Measuring"), ("red flashing", "Wire broken"))


@pytest.fixture
def units(in_process, make_pdf):
    """Return what the units of a page say that `dress` has written on."""

    def read(dress):
        path = make_pdf(pages=0, change=lambda document: dress(document.new_page()))
        layout = in_process.read_layout(path, 0)
        return [unit.text for unit in layout.units if unit.kind != "window"]

    return read


def write_line(page, y, left, right):
    """Write a sign as a bullet, then what two texts with a sign between them say."""
    write_in_hiding_font(page, (60, y), "\N{BULLET}")
    blanks = " " * int((64 - HELVETICA.text_length(left, 10)) / HELVETICA.text_length(" ", 10))
    page.insert_text((75, y), left + blanks, fontsize=10)
    write_in_hiding_font(page, (140, y), "=")
    page.insert_text((154, y), right, fontsize=10)


def test_each_line_that_a_sign_opens_is_an_item_and_a_sign_within_it_stays(units):
    def dress(page):
        page.insert_text((60, 100), "The lamp shows what the gauge does:", fontsize=10)
        for number, lamp in enumerate(LAMPS):
            write_line(page, 116 + 14 * number, *lamp)

    assert units(dress)[1:] == [f"\N{BULLET} {lamp} \ufffd {state}" for lamp, state in LAMPS]


def test_a_single_sign_at_the_left_of_a_sentence_opens_no_item(units):
    def dress(page):
        page.insert_text((60, 100), "Set the gauge to zero and turn the upper screw", fontsize=10)
        write_in_hiding_font(page, (60, 113), "=")
        page.insert_text((74, 113), "until the lamp is green.", fontsize=10)

    assert " ".join(units(dress)).endswith("screw \ufffd until the lamp is green.")


def test_a_sign_that_no_words_are_beside_is_decoration(units):
    def dress(page):
        page.insert_text((60, 100), "Set the gauge to zero.", fontsize=10)
        write_in_hiding_font(page, (60, 300), "=")

    assert units(dress) == ["Set the gauge to zero."]
