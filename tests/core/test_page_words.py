import string
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.core.whole_words import CUT
from tests.fakes.parser import words_of

word = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters=CUT),
    min_size=1,
    max_size=12,
)
number = st.floats(-1e4, 1e4, width=32)


@st.composite
def pages(draw):
    texts = draw(st.lists(word, max_size=30))
    boxes = [draw(st.tuples(number, number, number, number)) for _ in texts]
    lines = sorted(draw(st.integers(0, 9)) for _ in texts)
    return PageWords(
        tuple(texts),
        np.asarray(boxes, np.float32).reshape(-1, 4),
        np.asarray(lines, np.int32),
        draw(st.booleans()),
        draw(st.none() | st.just(np.arange(len(texts)) % 3 == 0)),
    )


@given(pages())
def test_a_page_is_read_as_it_was_stored(page):
    again = PageWords.from_bytes(page.to_bytes())
    assert again.texts == page.texts
    assert np.array_equal(again.boxes, page.boxes)
    assert np.array_equal(again.lines, page.lines)
    assert again.from_ocr == page.from_ocr
    assert np.array_equal(again.are_recognized, page.are_recognized)
    assert again.text == page.text


@given(pages())
def test_the_plain_text_has_the_pages_lines(page):
    lines = page.text.split("\n") if page.text else []
    assert len(lines) == len(set(page.lines.tolist()))
    assert " ".join(lines) == " ".join(page.texts)


def test_a_highlight_over_two_lines_has_a_box_on_each():
    page = words_of("Open the valve\nthen close it")
    first, second = page.line_boxes(1, 3)
    assert first == Box(*page.boxes[1][:2].tolist(), *page.boxes[2][2:].tolist())
    assert second == page.box(3)


def test_a_single_word_is_highlighted_alone():
    page = words_of("Open the valve")
    assert page.line_boxes(2, 2) == (page.box(2),)


@pytest.mark.parametrize(("first", "last"), [(-1, 0), (2, 1), (0, 3)])
def test_words_that_are_not_there_have_no_boxes(first, last):
    with pytest.raises(IndexError):
        words_of("Open the valve").line_boxes(first, last)


def test_a_page_that_was_just_read_is_not_unpacked_again():
    data = words_of("Open the valve").to_bytes()
    assert PageWords.from_bytes(bytes(data)) is PageWords.from_bytes(bytes(bytearray(data)))


def test_an_empty_page_is_stored_and_read():
    again = PageWords.from_bytes(PageWords.empty().to_bytes())
    assert len(again) == 0
    assert again.text == ""


@given(st.binary(max_size=60))
def test_other_bytes_are_refused(data):
    with pytest.raises(ValueError, match="damaged"):
        PageWords.from_bytes(data)


@given(st.binary(max_size=60))
def test_other_compressed_bytes_are_refused(data):
    with pytest.raises(ValueError, match="damaged"):
        PageWords.from_bytes(zlib.compress(data))


@pytest.mark.parametrize("data", [b"\x94\xa4\x00\x00\x00\x80", b"\xc4"])
def test_bytes_that_are_no_text_are_damaged_too(data):
    with pytest.raises(ValueError, match="damaged"):
        PageWords.from_bytes(zlib.compress(data))


@given(st.integers(1, 400), st.sampled_from(string.printable.encode()))
def test_a_changed_byte_is_noticed_or_harmless(position, byte):
    """What a person sees is never a page with words and boxes that do not belong together."""
    data = bytearray(words_of("Connect terminal J1C to the battery of 24 V\nand wait").to_bytes())
    data[position % len(data)] = byte
    try:
        page = PageWords.from_bytes(bytes(data))
    except ValueError:
        return
    assert len(page.texts) == len(page.boxes) == len(page.lines)
