"""Fakes for what reads pixels, and fonts that hide what they show."""

import pymupdf

from desktop.models.roles import RecognizedLine

PIXELS = 150 / 72
HELVETICA = pymupdf.Font("helv")


class ScriptedRecognizer:
    """Reads the same lines in every image."""

    def __init__(self, *lines):
        self.lines = lines
        self.images = []

    def recognize(self, image):
        self.images.append(image)
        return self.lines


class PlacedRecognizer:
    """Reads in every image, one after the other, the lines of the next script."""

    def __init__(self, *scripts):
        self.scripts = list(scripts)
        self.images = []

    def recognize(self, image):
        self.images.append(image)
        return self.scripts.pop(0)


def at(text, x, y, width, confidence=0.95, height=12):
    """A recognised line, x and y in points from the corner of what is read."""
    box = (x * PIXELS, y * PIXELS, (x + width) * PIXELS, (y + height) * PIXELS)
    return RecognizedLine(text, box, confidence)


def write_in_hiding_font(page, place, text, said=None, size=10):
    """Write text in a font that says of its letters what `said` gives; without it, nothing.

    said: gives the character that stands in the text layer for a shown one.
    """
    document = page.parent
    name = f"H{document.xref_length()}"
    page.insert_font(fontname=name, fontbuffer=HELVETICA.buffer)
    page.insert_text(place, text, fontname=name, fontsize=size)
    (font,) = (xref for xref, *_, used, _ in page.get_fonts() if used == name)
    if said is None:
        document.xref_set_key(font, "ToUnicode", "null")
        return
    rows = "\n".join(
        f"<{HELVETICA.has_glyph(ord(letter)):04x}> <{ord(said(letter)):04x}>"
        for letter in sorted(set(text))
    )
    table = int(document.xref_get_key(font, "ToUnicode")[1].split()[0])
    document.update_stream(
        table,
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def"
        " /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange"
        f" {len(set(text))} beginbfchar {rows} endbfchar endcmap end end".encode(),
    )
