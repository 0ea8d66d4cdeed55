"""Printing a PDF that we wrote."""

from __future__ import annotations

import pymupdf
from PySide6.QtPrintSupport import QPrinter

from desktop.ui.asking.handing_on import print_pages


def test_every_page_is_printed_as_large_as_the_paper_allows(qapp, tmp_path):
    source, target = tmp_path / "sheet.pdf", tmp_path / "printed.pdf"
    with pymupdf.open() as document:
        for _ in range(2):
            page = document.new_page(width=420, height=595)
            page.draw_rect(page.rect, color=(0, 0, 0), fill=(0, 0, 0))
        document.save(source)
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(target))
    assert print_pages(source, printer) == 2
    with pymupdf.open(target) as printed:
        assert printed.page_count == 2
        pixels = printed[0].get_pixmap(dpi=20)
        dark = sum(1 for at in range(0, len(pixels.samples), pixels.n) if pixels.samples[at] < 99)
        assert dark > 0.7 * pixels.width * pixels.height
