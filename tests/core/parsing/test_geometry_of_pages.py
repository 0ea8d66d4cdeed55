"""Boxes must lie where a person sees the ink, however the page is turned or cropped."""

import numpy as np
import pymupdf
import pytest

from desktop.core.page_words import PageWords
from desktop.core.parsing import raw_page
from desktop.core.parsing.raw_page import gather_page, read_text_layer, text_page
from desktop.core.structure.raw import RawRegion


def set_user_unit(page):
    page.parent.xref_set_key(page.xref, "UserUnit", "2")


def crop(page):
    page.set_cropbox((30, 40, 380, 560))


def move_media_box(page):
    page.parent.xref_set_key(page.xref, "MediaBox", "[-50 -70 350 530]")


def leave(page):
    pass


@pytest.fixture
def one_word(make_pdf):
    def make(rotation, change):
        def dress(document):
            page = document.new_page(width=400, height=600)
            page.insert_text((120, 200), "HEATER", fontsize=40)
            change(page)
            page.set_rotation(rotation)

        return make_pdf(pages=0, change=dress)

    return make


def ink_box(image, pixels_per_point):
    pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
    ys, xs = np.nonzero(pixels.min(axis=2) < 128)
    ends = np.array((xs.min(), ys.min(), xs.max() + 1, ys.max() + 1))
    return ends / pixels_per_point


@pytest.mark.parametrize("change", [leave, crop, move_media_box, set_user_unit])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_word_box_meets_the_drawn_ink(in_process, one_word, rotation, change):
    path = one_word(rotation, change)
    (text,) = in_process.read_text(path, 0, 1)
    words = PageWords.from_bytes(text.words)
    image = in_process.draw(path, 0, 2.0)

    ink, box = ink_box(image, 2.0), words.boxes[0]

    assert words.texts == ("HEATER",)
    assert (image.width, image.height) == (round(text.width * 2), round(text.height * 2))
    assert (box[:2] <= ink[:2] + 0.5).all()
    assert (box[2:] >= ink[2:] - 0.5).all()
    # Along the line a box ends with its letters; across it leaves room for accents.
    along = 0 if rotation in (0, 180) else 1
    allowed = 8 if change is set_user_unit else 4
    assert abs(box[along] - ink[along]) < allowed
    assert abs(box[along + 2] - ink[along + 2]) < allowed


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_layout_boxes_meet_the_drawn_ink_as_well(in_process, one_word, rotation):
    path = one_word(rotation, crop)
    layout = in_process.read_layout(path, 0)
    ink = ink_box(in_process.draw(path, 0, 2.0), 2.0)

    box = np.array(layout.blocks[0].box)

    assert (box[:2] <= ink[:2] + 1).all()
    assert (box[2:] >= ink[2:] - 1).all()


def test_words_that_are_cropped_away_are_not_there(in_process, make_pdf):
    def crop_first_line_away(document):
        document[0].insert_text((50, 300), "visible")
        document[0].set_cropbox((0, 200, 400, 600))

    (text,) = in_process.read_text(make_pdf(change=crop_first_line_away), 0, 1)

    assert PageWords.from_bytes(text.words).texts == ("visible",)


def test_a_clip_is_a_part_of_the_page_as_displayed(in_process, one_word):
    path = one_word(90, crop)
    (text,) = in_process.read_text(path, 0, 1)
    box = tuple(PageWords.from_bytes(text.words).boxes[0].tolist())
    whole = in_process.draw(path, 0, 1.0)
    part = in_process.draw(path, 0, 1.0, box)

    assert (part.width, part.height) == pytest.approx((box[2] - box[0], box[3] - box[1]), abs=2)
    assert dark_pixels(part) == dark_pixels(whole) > 100


def test_a_clip_beside_the_page_draws_nothing(in_process, make_pdf):
    image = in_process.draw(make_pdf(), 0, 1.0, (1000, 1000, 1100, 1100))

    assert (image.width, image.height, image.rgb) == (0, 0, b"")


def test_a_huge_page_is_drawn_within_the_pixel_limit(in_process, make_pdf):
    path = make_pdf(pages=0, change=lambda d: d.new_page(width=200_000, height=150_000))

    image = in_process.draw(path, 0, 2.0)

    assert 30e6 < image.width * image.height <= 40e6
    assert image.width / image.height == pytest.approx(4 / 3, rel=0.01)


def test_a_very_long_strip_is_drawn_within_the_longest_side(in_process, make_pdf):
    path = make_pdf(pages=0, change=lambda d: d.new_page(width=200_000, height=2))

    assert 0 < in_process.draw(path, 0, 2.0).width <= 32_001


def test_an_empty_page_box_still_gives_a_page(in_process, make_pdf):
    def empty_box(document):
        document.xref_set_key(document[0].xref, "MediaBox", "[0 0 0 0]")

    path = make_pdf(change=empty_box)
    (text,) = in_process.read_text(path, 0, 1)

    assert not text.error
    assert text.width > 0
    assert in_process.draw(path, 0, 1.0).width > 0


def test_form_fields_and_annotations_are_drawn_on_white(in_process, make_pdf):
    import pymupdf

    def add(document):
        page = document.new_page(width=200, height=200)
        field = pymupdf.Widget()
        field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
        field.field_name, field.field_value = "serial", "XXXXXXXX"
        field.rect = pymupdf.Rect(20, 20, 180, 60)
        page.add_widget(field)
        page.add_rect_annot((20, 100, 180, 140)).update(fill_color=(0, 0, 0))

    path = make_pdf(pages=0, change=add)

    assert dark_pixels(in_process.draw(path, 0, 1.0, (20, 20, 180, 60))) > 20
    assert dark_pixels(in_process.draw(path, 0, 1.0, (20, 100, 180, 140))) > 4000
    assert in_process.draw(path, 0, 1.0).rgb[:3] == b"\xff\xff\xff"


def dark_pixels(image):
    pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
    return int((pixels.min(axis=2) < 128).sum())


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_line_is_turned_if_it_runs_up_or_down_the_page_as_displayed(rotation):
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=600)
        page.insert_text((120, 200), "upright")
        page.insert_text((50, 400), "beside", rotate=90)
        page.set_rotation(rotation)
        textpage, rows = text_page(page)
        layer = read_text_layer(page, textpage, rows)
        raw = gather_page(0, page, textpage, layer, with_regions=False)
    turned = {span.text: span.turned for span in raw.spans}
    is_across = rotation in (90, 270)
    assert turned == {"upright": is_across, "beside": not is_across}


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("change", [leave, crop])
def test_lines_drawn_in_one_operation_are_where_they_are_drawn_one_by_one(
    monkeypatch, rotation, change
):
    monkeypatch.setattr(raw_page, "layout_regions", lambda _: (RawRegion("table", (0, 0, 9, 9)),))

    def drawn(at_once):
        with pymupdf.open() as document:
            page = document.new_page(width=400, height=600)
            shape = page.new_shape()
            for start, end in (
                ((50, 100), (350, 100)),
                ((50, 150), (350, 150)),
                ((50, 100), (50, 150)),
            ):
                shape.draw_line(start, end)
                if not at_once:
                    shape.finish(width=0)
            if at_once:
                shape.finish(width=0)
            shape.commit()
            change(page)
            page.set_rotation(rotation)
            textpage, rows = text_page(page)
            layer = read_text_layer(page, textpage, rows)
            return gather_page(0, page, textpage, layer, with_regions=True).drawings

    alone = {tuple(np.round(box)) for box in drawn(at_once=False)}
    assert len(alone) == 3
    assert alone < {tuple(np.round(box)) for box in drawn(at_once=True)}
