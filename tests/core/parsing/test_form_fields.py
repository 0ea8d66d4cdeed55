"""What somebody has filled into a form is read, and drawn where the viewer shows it."""

import numpy as np
import pymupdf
import pytest

from desktop.core.parsing.service import InProcessParser


@pytest.fixture
def form(tmp_path):
    """Two pages: a filled field and a ticked box, and a page without a form."""
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=200)
        field = pymupdf.Widget()
        field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
        field.field_name, field.field_value = "serial", "SN 4711 X"
        field.rect, field.text_fontsize = pymupdf.Rect(20, 20, 200, 60), 20
        page.add_widget(field)
        box = pymupdf.Widget()
        box.field_type = pymupdf.PDF_WIDGET_TYPE_CHECKBOX
        box.field_name, box.field_value = "checked", True
        box.rect = pymupdf.Rect(20, 100, 60, 140)
        page.add_widget(box)
        document.new_page(width=300, height=200)
        document.save(tmp_path / "form.pdf")
    return tmp_path / "form.pdf"


@pytest.fixture
def parser(settings):
    parser = InProcessParser(settings)
    yield parser
    parser.close()


def test_pages_with_form_fields_are_left_to_the_parser_which_draws_what_is_in_them(form, parser):
    with_form, without = (parser.read_layout(form, page) for page in (0, 1))
    assert with_form.slow_to_draw
    assert not without.slow_to_draw
    drawn = parser.draw(form, 0, 2.0)
    pixels = np.frombuffer(drawn.rgb, np.uint8).reshape(drawn.height, drawn.width, 3)
    field, box = pixels[44:116, 44:396], pixels[204:276, 44:116]
    assert (field < 100).any()
    assert (box < 100).any()
