"""Words are read once, and in the order of a reader, however the PDF writes them."""

import pytest

from desktop.core.page_words import PageWords


@pytest.fixture
def words(in_process, make_pdf):
    """Return the words of a page on which texts are written: each its place and itself."""

    def read(*texts):
        def dress(document):
            page = document.new_page()
            for at, text in texts:
                page.insert_text(at, text, fontsize=11)

        path = make_pdf(pages=0, change=dress)
        (page,) = in_process.read_text(path, 0, 1)
        return " ".join(PageWords.from_bytes(page.words).texts)

    return read


def test_what_is_drawn_again_to_look_bold_is_read_once(words):
    title = "Tightening torque"
    again = [((60 + shift, 100), title) for shift in (0, 0.4, 0.2)]

    assert words(*again, ((60, 130), "15 Nm for the ring")) == f"{title} 15 Nm for the ring"


def test_the_same_word_beside_itself_is_read_twice(words):
    assert words(((60, 100), "16 A"), ((100, 100), "16 A")) == "16 A 16 A"


def test_a_text_over_another_one_loses_no_letters(words):
    over = ((60, 100), "outside"), ((60, 100.2), "sideout"), ((60.3, 100), "outside")

    assert "outside" in words(*over)


@pytest.mark.parametrize("lower", [0, 1])
def test_the_mark_of_a_step_is_read_before_it_where_it_is_written_after(words, lower):
    steps = (
        ((80, 100), "Turn the compressor off."),
        ((60, 100 + lower), "1."),
        ((80, 115), "Unscrew the cover by turning it"),
        ((80, 130), "an eighth of a turn."),
        ((60, 115 + lower), "2."),
        ((80, 145), "Pull the filter out."),
        ((60, 145 + lower), "-"),
    )

    assert words(*steps) == (
        "1. Turn the compressor off. 2. Unscrew the cover by turning it an eighth of a turn. "
        "- Pull the filter out."
    )


def test_a_number_far_from_a_line_opens_nothing(words):
    cells = ((200, 100), "Relay"), ((60, 100), "1."), ((200, 115), "Fuse"), ((60, 115), "2.")

    assert words(*cells) == "Relay 1. Fuse 2."
