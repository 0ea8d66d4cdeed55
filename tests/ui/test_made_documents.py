"""A document that is no PDF in the window: dropped, shown as pages, and it says what they are."""

from __future__ import annotations

from desktop.ui.files import acceptable
from tests.ui.real_window import LONG_MS, drop, row


def test_a_dropped_text_becomes_pages_that_say_what_they_were_made_of(real_window, tmp_path, qtbot):
    window = real_window(tmp_path / "library")
    path = tmp_path / "boiler.md"
    path.write_text("# Boiler notes\n\nClean the burner every year.\n", "utf-8")
    said: list[str] = []
    window.centre.said.connect(said.append)
    drop(window, path)
    qtbot.waitUntil(lambda: row(window, "Boiler notes") is not None, timeout=LONG_MS)
    record = next(each for each in window._model.records())
    assert record.made_from == "boiler.md"
    window.centre.open_document(record.id, 0)
    qtbot.waitUntil(lambda: "Page 1 of the PDF made from boiler.md" in said)
    field = window.centre._viewer.pill.page_field
    assert "boiler.md" in field.toolTip()


def test_the_window_takes_every_kind_and_no_other(tmp_path):
    kinds = ("a.pdf", "b.DOCX", "c.xlsx", "d.pptx", "e.epub", "f.html", "g.md", "h.txt", "i.tiff")
    paths = [tmp_path / name for name in (*kinds, "j.exe", "k.doc")]
    assert [path.name for path in acceptable(paths)] == list(kinds)
