"""What is drawn, by whom, in which order, and how much of it is kept."""

from __future__ import annotations

import random
import threading
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pymupdf
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop.core.geometry import Box
from desktop.core.library.annotations import PENS, Annotation
from desktop.core.page_words import PageWords
from desktop.ui.design.theme import Look, theme
from desktop.ui.viewer.overlays import PageMarks
from desktop.ui.viewer.page_painter import PageFrame, _badges, annotation_at, paint_marks
from desktop.ui.viewer.render_queue import DrawRequest, ImageCache, ImageKey, RenderQueue
from desktop.ui.viewer.render_service import RenderService
from tests.ui.viewer.fakes import FakeLibrary

if TYPE_CHECKING:
    from desktop.ui.viewer.panel import ViewerPanel


def request(page: int, *, slow: bool = False) -> DrawRequest:
    return DrawRequest(ImageKey(1, page, 100, 100), Path("x.pdf"), None, 100.0, slow)


def image(side: int) -> QImage:
    return QImage(side, side, QImage.Format.Format_RGB32)


def ink(panel: ViewerPanel, page: int) -> int:
    """Count dark pixels on the page as the window shows it."""
    grabbed = panel.view.viewport().grab().toImage()
    area = panel.view.page_frame(page).area.toRect().intersected(grabbed.rect())
    return sum(
        grabbed.pixelColor(x, y).lightness() < 100
        for x in range(area.left() + 2, area.right() - 2, 2)
        for y in range(area.top() + 2, area.bottom() - 2, 2)
    )


def is_at(panel: ViewerPanel, document_id: int) -> bool:
    return panel.current_location() == (document_id, 0)


def heavy_manual(path: Path) -> Path:
    """Write a page that takes QtPdf a while."""
    numbers = random.Random(1)
    lines = "\n".join(
        "{} {} m {} {} l S".format(*(numbers.randint(0, 800) for _ in range(4)))
        for _ in range(12_000)
    )
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=600, height=800)
        page.insert_text((72, 100), "x")
        pdf.update_stream(page.get_contents()[0], lines.encode())
        pdf.save(path)
    return path


def test_visible_pages_are_taken_before_neighbours_and_thumbnails():
    queue = RenderQueue()
    queue.want("thumbnails", [request(7)])
    queue.want("near", [request(3)])
    queue.want("visible", [request(2)])
    order = []
    for _ in range(3):
        taken = queue.take("qtpdf")
        assert taken is not None
        order.append(taken.key.page)
        queue.finish("qtpdf")
        queue.delivered(taken.key)
    assert order == [2, 3, 7]


def test_pages_scrolled_away_are_never_drawn():
    queue = RenderQueue()
    queue.want("visible", [request(1), request(2)])
    queue.want("visible", [request(9)])
    taken = queue.take("qtpdf")
    assert taken is not None
    assert taken.key.page == 9
    queue.finish("qtpdf")
    queue.delivered(taken.key)
    assert queue.pending() == 0


def test_what_is_drawn_but_not_delivered_is_not_drawn_again():
    queue = RenderQueue()
    queue.want("visible", [request(1)])
    assert queue.take("qtpdf") == request(1)
    queue.finish("qtpdf")
    queue.want("visible", [request(1), request(2)])
    assert queue.take("qtpdf") == request(2)


def test_slow_pages_go_to_the_parser_only():
    queue = RenderQueue()
    queue.want("visible", [request(1, slow=True), request(2)])
    by_qtpdf, by_parser = queue.take("qtpdf"), queue.take("parser")
    assert by_qtpdf is not None
    assert by_parser is not None
    assert (by_qtpdf.key.page, by_parser.key.page) == (2, 1)


def test_the_parser_helps_out_while_qtpdf_hangs_on_a_page():
    queue = RenderQueue()
    queue.want("visible", [request(1), request(2)])
    assert queue.take("qtpdf") == request(1)
    assert queue.take_now("parser") is None
    queue.help_wanted()
    assert queue.take("parser") == request(2)


def test_the_cache_stays_below_its_bytes_and_drops_what_was_not_used():
    cache = ImageCache(max_bytes=3 * 4 * 100 * 100)
    keys = [ImageKey(1, page, 100, 100) for page in range(4)]
    for key in keys[:3]:
        cache.put(key, image(100))
    assert cache.get(keys[0]) is not None
    cache.put(keys[3], image(100))
    assert keys[0] in cache
    assert keys[1] not in cache
    assert cache.used_bytes <= 3 * 4 * 100 * 100
    cache.put(ImageKey(1, 9, 500, 500), image(500))
    assert ImageKey(1, 9, 500, 500) not in cache


def test_the_largest_image_of_a_page_stands_in_while_another_size_is_drawn():
    cache = ImageCache()
    cache.put(ImageKey(1, 0, 50, 50), image(50))
    cache.put(ImageKey(1, 0, 200, 200), image(200))
    cache.put(ImageKey(1, 0, 900, 900, (0, 0, 300, 300)), image(300))
    best = cache.best_whole_page(1, 0)
    assert best is not None
    assert best.width() == 200
    assert cache.best_whole_page(1, 1) is None


def test_an_opened_manual_shows_its_pages(opened):
    assert ink(opened, 0) > 20


def test_paper_is_white_before_the_page_is_drawn(panel, qtbot):
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 0))
    panel.view.go_to_page(8)
    area = panel.view.page_frame(8).area
    grabbed = panel.view.viewport().grab().toImage()
    assert grabbed.pixelColor(area.center().toPoint()) == QColor(Qt.GlobalColor.white)


def test_sharp_tiles_let_nothing_of_the_coarse_page_show_through(opened, qtbot):
    cache = opened._service.cache
    opened.view.set_zoom(4.0)
    qtbot.waitUntil(lambda: any(key.clip for key in cache._images))
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0)
    whole = [key for key in cache._images if key.page == 0 and key.clip is None]
    coarse = max(whole, key=lambda key: key.width)
    stained = QImage(coarse.width, coarse.height, QImage.Format.Format_RGB32)
    stained.fill(Qt.GlobalColor.red)
    cache.put(coarse, stained)
    grabbed = opened.view.viewport().grab().toImage()
    seen = opened.view.page_frame(0).area.toRect().intersected(grabbed.rect())
    colours = {
        grabbed.pixelColor(x, y).name()
        for x in range(seen.left(), seen.right(), 7)
        for y in range(seen.top(), seen.bottom(), 7)
    }
    assert "#ffffff" in colours
    assert "#ff0000" not in colours


def test_a_page_already_drawn_is_turned_to_within_one_frame(opened, qtbot):
    for page in (1, 2):
        opened.view.go_to_page(page)
        qtbot.waitUntil(lambda: opened.pending_drawings() == 0)
    started = time.thread_time()  # others on the machine are not counted
    opened.view.go_to_page(1)
    opened.view.viewport().repaint()
    seconds = time.thread_time() - started
    assert ink(opened, 1) > 20
    assert seconds < 0.033  # two frames


def test_a_page_known_to_be_slow_is_drawn_by_the_parser(show, manual, parser):
    library = FakeLibrary(manual)
    library.mark_slow(1, 0)
    panel = show(library)
    assert set(parser.drawn) == {0}
    assert ink(panel, 0) > 20


def test_a_page_that_nobody_can_draw_says_why_on_its_paper(make_panel, manual, parser, qtbot):
    library = FakeLibrary(manual)
    library.mark_slow(1, 0)
    parser.broken = True
    panel = make_panel(library)
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.pending_drawings() == 0 and bool(parser.drawn))
    qtbot.wait(50)
    assert ink(panel, 0) > 5
    qtbot.wait(50)
    assert len(parser.drawn) == 1, "a failed page must not be tried again and again"


def test_an_encrypted_manual_is_drawn_with_its_password(show, manual):
    locked = manual.with_name("locked.pdf")
    with pymupdf.open(manual) as pdf:
        pdf.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="größe", owner_pw="o")
    library = FakeLibrary(locked)
    library.passwords[1] = "größe"
    panel = show(library)
    assert ink(panel, 0) > 20


def test_a_high_zoom_is_sharp_and_stays_within_the_cache(opened, qtbot):
    opened.view.set_zoom(8.0)
    qtbot.waitUntil(lambda: not opened.view.zooming)
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0)
    assert opened.view.page_frame(0).area.width() > 6000
    assert opened._service.cache.used_bytes < 192 * 1024 * 1024


def test_nothing_of_the_library_is_read_on_the_ui_thread(show, manual, qtbot):
    library = FakeLibrary(manual)
    panel = show(library)
    panel.find_bar.open_bar("battery")
    qtbot.waitUntil(lambda: panel.find_bar.count.text() == "1 of 12")
    assert threading.main_thread().name not in library.called_on


def test_a_manual_whose_file_is_gone_does_not_break_the_viewer(
    make_panel, manual, parser, qtbot, caplog
):
    library = FakeLibrary(manual)
    library.page_records[1] = library.pages(1)
    library.records[1] = library.document(1)
    parser.broken = True
    manual.unlink()
    panel = make_panel(library)
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 0))
    qtbot.waitUntil(lambda: panel.pending_drawings() == 0)
    assert "cannot be drawn" in caplog.text


def test_a_heavy_page_does_not_freeze_the_window(make_panel, tmp_path, qtbot):
    path = heavy_manual(tmp_path / "heavy.pdf")
    library = FakeLibrary(path)
    # MuPDF would hold the interpreter itself while it reads the fake library's words
    library.word_overrides[1, 0] = PageWords.empty()
    panel = make_panel(library)
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 0))
    turns = 0
    while panel.pending_drawings():
        QApplication.processEvents()
        time.sleep(0.001)
        turns += 1
    assert turns > 20  # a window that waits for the page comes to two or three


def test_more_manuals_than_are_kept_open_are_drawn_again_and_again(make_panel, tmp_path, qtbot):
    paths = [tmp_path / f"{number}.pdf" for number in range(6)]
    for number, path in enumerate(paths):
        with pymupdf.open() as pdf:
            pdf.new_page(width=595, height=842).insert_text(
                (72, 100), f"Manual {number}", fontsize=40
            )
            pdf.save(path)
    panel = make_panel(FakeLibrary(*paths))
    for document_id in (1, 2, 3, 4, 5, 6, 1, 4, 2):
        panel.open_document(document_id)
        qtbot.waitUntil(partial(is_at, panel, document_id))
        panel._service.forget_document(document_id)
        panel.view.view_moved()
        qtbot.waitUntil(lambda: panel.pending_drawings() == 0)
        assert ink(panel, 0) > 20


@pytest.mark.parametrize("slow", [False, True], ids=["by QtPdf", "by the parser"])
def test_closing_while_a_page_is_drawn_waits_for_it_and_leaves_no_thread(
    make_panel, tmp_path, parser, qtbot, slow
):
    library = FakeLibrary(heavy_manual(tmp_path / "heavy.pdf"))
    if slow:
        library.mark_slow(1, 0)
    panel = make_panel(library)
    panel.open_document(1)
    drawing = panel._service._qtpdf
    qtbot.waitUntil(lambda: bool(parser.drawn) if slow else drawing._drawing is not None)
    panel.shutdown()
    names = {thread.name for thread in threading.enumerate()}
    assert not {name for name in names if name.startswith("viewer-")}
    panel.close()


def test_pictures_do_not_pile_up_while_somebody_scrolls_on_and_on(parser, qtbot):
    service = RenderService(parser)
    try:
        for page in range(300):
            picture = QImage(8, 8, QImage.Format.Format_ARGB32)
            service._keep(ImageKey(1, page, 8, 8), picture)
            qtbot.wait(1)  # never so long that nothing arrives for a while
        assert len(service._fresh) < 200
    finally:
        service.shutdown()


def test_badges_of_lines_close_together_stand_in_the_order_of_the_lines():
    """The current one is painted last, wherever its line is."""
    lines = [
        Annotation(
            "",
            0,
            (Box(50, 100 + 14 * row, 350, 110 + 14 * row),),
            PENS[0],
            "",
            f"line {row}",
            id=row,
        )
        for row in range(4)
    ]
    frame = PageFrame(QRectF(100, 0, 600, 800), 600, 800)
    marks = PageMarks(annotations=(*lines[1:], lines[0]))
    found = [annotation_at(frame, marks, QPointF(90, y)) for y in range(60, 240)]
    met = [own.comment for own in dict.fromkeys(found) if own is not None]
    assert met == ["line 0", "line 1", "line 2", "line 3"]
    places = [60 + at for at, own in enumerate(found) if own is not None]
    assert sum(places) / len(places) == pytest.approx(126, abs=2)  # the middle of the lines


def badges(tops: list[int], zoom: float) -> list[tuple[list[int], QRectF]]:
    marks = PageMarks()
    for number, top in enumerate(tops, start=1):
        marks.regions.append((number, (Box(50, top, 350, top + 10),), False))
    frame = PageFrame(QRectF(24, 0, 600 * zoom, 800 * zoom), 600, 800)
    return [(ends, area) for area, ends, _ in _badges(frame, marks)[0]]


@pytest.mark.parametrize("zoom", [0.4, 0.75, 1.0, 2.0])
def test_every_number_stands_at_its_line_at_every_zoom(zoom):
    tops = [100, 113, 126, 300, 420]
    found = badges(tops, zoom)
    for number, top in enumerate(tops, start=1):
        [area] = [area for ends, area in found if ends[0] <= number <= ends[-1]]
        assert area.top() <= (top + 5) * zoom <= area.bottom()
        assert len(tops) > len(found) or abs(area.center().y() - (top + 5) * zoom) < 0.1
    for (_, above), (_, below) in pairwise(found):
        assert above.bottom() <= below.top() + 4
    assert [ends for ends, _ in badges(tops, 0.4)] == [[1, 3], [4], [5]]
    assert [len(ends) for ends, _ in badges(tops, 2.0)] == [1] * 5


def test_words_that_several_quotes_share_are_marked_as_lightly_as_others():
    header, rows = Box(10, 10, 190, 24), [Box(10, 40 + 30 * n, 190, 54 + 30 * n) for n in range(3)]
    sheet = QImage(200, 200, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#c0c0c0"))
    painter = QPainter(sheet)
    frame = PageFrame(QRectF(0, 0, 200, 200), 200, 200)
    marks = PageMarks()
    marks.regions += [(n, (header, row), n == 1) for n, row in enumerate(rows, start=1)]
    paint_marks(painter, frame, marks)
    painter.end()
    assert sheet.pixelColor(100, 17) == sheet.pixelColor(100, 47) != QColor("#c0c0c0")


def test_paper_is_dimmed_in_a_dark_window_unless_a_person_wants_it_white(opened, qtbot):
    def paper() -> str:
        place = opened.view.page_frame(0).area.topLeft().toPoint() + QPoint(12, 12)
        return str(opened.view.viewport().grab().toImage().pixelColor(place).name())

    seen = []
    for look in (
        Look(Qt.ColorScheme.Dark),
        Look(Qt.ColorScheme.Dark, dim_pages=False),
        Look(Qt.ColorScheme.Light),
    ):
        theme().wear(look)
        seen.append(paper())
    assert "#c0c0c0" < seen[0] < "#e0e0e0"
    assert seen[1:] == ["#ffffff", "#ffffff"]
