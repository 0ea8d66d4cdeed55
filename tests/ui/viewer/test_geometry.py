from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRect

from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.ui.viewer.document import page_for, shown
from desktop.ui.viewer.overlays import FindHit, FindHits, Selection, WordPlace
from desktop.ui.viewer.page_layout import (
    Fit,
    PagePoint,
    PageStrip,
    fitted,
    larger,
    smaller,
)
from desktop.ui.viewer.render_queue import TILE, images_for
from desktop.ui.viewer.selection import citation, nearest_word, word_at
from desktop.ui.viewer.session import History, Location

A4 = (595.0, 842.0)


def strip_of(*sizes: tuple[float, float], scale: float = 1.0, width: int = 800) -> PageStrip:
    return PageStrip(np.array(sizes, np.float64), scale, 10, width)


def test_pages_lie_centred_below_each_other_without_overlap():
    strip = strip_of(A4, (842.0, 595.0), A4, width=1000)
    rects = [strip.rect(page) for page in range(3)]
    assert [rect.y() for rect in rects] == [10, 862, 1467]
    assert all(abs(rect.x() + rect.width() / 2 - 500) <= 1 for rect in rects)
    assert strip.height == rects[-1].bottom() + 11


def test_only_pages_that_show_at_least_a_pixel_are_visible():
    strip = strip_of(A4, A4, A4)
    assert list(strip.visible(0, 10)) == []
    assert list(strip.visible(0, 11)) == [0]
    assert list(strip.visible(851, 863)) == [0, 1]
    assert list(strip.visible(852, 862)) == []


def test_the_main_page_is_the_one_that_fills_most_of_the_view():
    strip = strip_of(A4, A4, A4)
    assert strip.main_page(0, 700) == 0
    assert strip.main_page(600, 1300) == 1


def test_a_place_on_a_page_survives_zooming():
    point = PagePoint(2, 0.25, 0.75)
    for scale in (0.3, 1.0, 4.0):
        strip = strip_of(A4, A4, A4, scale=scale)
        found = strip.locate(*strip.position(point))
        assert found.page == 2
        assert found.across == pytest.approx(0.25)
        assert found.down == pytest.approx(0.75)


def test_five_thousand_pages_and_absurd_sizes_still_have_places():
    strip = strip_of(*([A4] * 4999), (200_000.0, 0.5), scale=2.0)
    assert strip.rect(4999).width() == 400_000
    assert strip.rect(4999).height() == 1


def test_a_page_of_usual_size_is_one_image_and_a_large_one_a_coarse_one_with_tiles():
    seen = QRect(0, 0, 900, 800)
    assert len(images_for(1, 0, 900, 1200, seen)) == 1
    coarse, *tiles = images_for(1, 0, 5000, 7000, QRect(1500, 2000, 900, 800))
    assert coarse.width * coarse.height <= 2_000_000
    covered = {key.clip[:2] for key in tiles if key.clip}
    assert covered == {(x, y) for x in (1024, 2048) for y in (1024, 2048)}


def test_tiles_end_at_the_edge_of_the_page():
    *_, last = images_for(1, 0, 5000, 7000, QRect(4500, 6500, 900, 800))
    assert last.clip is not None
    x, y, width, height = last.clip
    assert (x + width, y + height) == (5000, 7000)
    assert max(width, height) <= TILE


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("4-11", 3),
        ("p. 4-11", 3),
        ("4-11 (4 of 5)", 3),
        ("2", 4),  # the printed 2 wins over the second page
        ("#2", 1),
        ("3", 2),
        ("IV", 0),
        ("9", None),
        ("0", None),
        ("", None),
        ("pump", None),
    ],
)
def test_a_typed_page_is_a_printed_label_first_and_a_number_second(typed, page):
    assert page_for(typed, ["iv", "", "", "4-11", "2"]) == page


def test_a_label_that_occurs_twice_leads_to_the_next_of_them():
    labels = ["1", "2", "1", "2"]
    assert page_for("1", labels, current=0) == 2
    assert page_for("1", labels, current=2) == 0


def test_the_page_field_shows_label_and_number_unless_they_are_the_same():
    assert shown("4-11", 60, 128) == "4-11 (61 of 128)"
    assert shown("61", 60, 128) == "61 of 128"
    assert shown("", 60, 128) == "61 of 128"


def test_fits_fill_the_room_and_a_huge_page_can_still_be_seen_whole():
    assert fitted(Fit.WIDTH, (500, 1000), (1000, 500), 2.0) == pytest.approx(1.0)
    assert fitted(Fit.PAGE, (500, 1000), (1000, 500), 2.0) == pytest.approx(0.25)
    assert fitted(Fit.PAGE, (200_000, 200_000), (1000, 1000), 1.0) == pytest.approx(0.005)


def test_zoom_steps_go_through_100_percent_in_both_directions():
    assert larger(0.93) == 1.0
    assert smaller(1.07) == 1.0
    assert larger(1.0) == 1.1
    assert larger(8.0) == 8.0


def words() -> PageWords:
    texts = "Disconnect the battery before service".split()
    boxes = [(10 + 40 * n, 100, 45 + 40 * n, 112) for n in range(3)]
    boxes += [(10 + 40 * n, 120, 45 + 40 * n, 132) for n in range(2)]
    return PageWords(tuple(texts), np.array(boxes, np.float32), np.array([0, 0, 0, 1, 1]))


def test_selected_text_keeps_the_line_breaks_in_either_direction():
    one, other = WordPlace(0, 1), WordPlace(0, 3)
    for selection in (Selection(one, other), Selection(other, one)):
        assert selection.text({0: words()}) == "the battery\nbefore"
        assert selection.boxes(0, words()) == (Box(50, 100, 125, 112), Box(10, 120, 45, 132))


def test_a_selection_across_pages_takes_the_pages_between_whole():
    selection = Selection(WordPlace(0, 4), WordPlace(2, 0))
    pages = {0: words(), 1: words(), 2: words()}
    assert selection.text(pages) == ("service\nDisconnect the battery\nbefore service\nDisconnect")


def test_beside_a_line_the_nearest_word_is_one_of_that_line():
    assert nearest_word(words(), 300, 125) == 4
    assert word_at(words(), 300, 125) is None
    assert word_at(words(), 60, 105) == 1
    assert nearest_word(PageWords.empty(), 1, 1) is None


def test_a_citation_names_title_and_printed_page():
    labels = {60: "4-11", 61: "4-12"}
    assert citation("24\nNm", "Pump", range(60, 61), labels.__getitem__) == (
        "“24 Nm” — Pump, p. 4-11"
    )
    assert citation("24 Nm", "Pump", range(60, 62), labels.__getitem__).endswith("pp. 4-11 to 4-12")


def test_history_goes_back_and_forward_and_a_new_jump_cuts_what_was_ahead():
    history = History()
    a, b, c = (Location(1, PagePoint(page)) for page in (0, 5, 9))
    history.leave(a)
    history.leave(b)
    assert history.back(c) == b
    assert history.forward(b) == c
    assert history.back(c) == b
    history.leave(b)
    assert not history.can_go_forward


def test_the_current_hit_is_the_first_at_or_after_the_page_one_reads():
    hits = FindHits(start_page=4)
    assert not hits.add([FindHit(1, ()), FindHit(2, ())])
    assert hits.add([FindHit(5, ()), FindHit(9, ())])
    assert hits.current == FindHit(5, ())
    assert (hits.number, len(hits), hits.finished) == (3, 4, False)
    hits.finish()
    assert (hits.number, len(hits), hits.finished) == (3, 4, True)
    hits.step(1)
    hits.step(1)
    assert (hits.number, len(hits)) == (1, 4)


def test_hits_only_before_the_page_one_reads_lead_to_the_first():
    hits = FindHits(start_page=4)
    hits.add([FindHit(1, ())])
    assert hits.current is None
    assert hits.finish()
    assert (hits.number, len(hits)) == (1, 1)


@pytest.mark.parametrize("pages", [1, 2, 3, 4, 5])
def test_every_page_of_two_in_a_row_is_found_where_it_lies(pages):
    strip = PageStrip(np.array([A4] * pages, np.float64), 1.0, 10, 2000, across=2)
    for page in range(pages):
        rect = strip.rect(page)
        assert strip.page_at(rect.y() + 5, rect.x() + 5) == page
        assert page in strip.visible(rect.y(), rect.bottom())
    assert list(strip.visible(0, strip.height)) == list(range(pages))
    assert strip.height == strip.rect(pages - 1).bottom() + 11
