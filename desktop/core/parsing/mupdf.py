"""The only door to PyMuPDF: imported late, silent, and with its errors told apart.

PyMuPDF takes a second to import and holds the interpreter lock while it works, so
nothing but the parser's own process (or `InProcessParser`) may walk through here.
"""

from __future__ import annotations

import logging
import os
import re
from functools import cache
from typing import Any

from desktop.models.adapters.ocr.onnx_sessions import modest_sessions

_CODE = re.compile(r"^code=\d+: ")
"""How MuPDF's own messages begin; the number tells nobody anything."""

_log = logging.getLogger(__name__)

MuPdf = Any
"""The module pymupdf, which has no types."""
MuDocument = Any
"""A pymupdf.Document."""
MuPage = Any
"""A pymupdf.Page."""


@cache
def load_mupdf() -> MuPdf:
    """Import PyMuPDF and keep it from writing to the terminal."""
    # Set while importing, else PyMuPDF already talks on standard output then.
    os.environ.setdefault("PYMUPDF_MESSAGE", f"logging:name={__name__},level={logging.DEBUG}")
    os.environ.setdefault("PYMUPDF_LOG", f"logging:name={__name__},level={logging.DEBUG}")
    with modest_sessions():  # importing it loads the layout model
        import pymupdf

    pymupdf.g_exceptions_verbose = 0  # else every exception it handles is written out
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def plain(text: str) -> str:
    """Return text that can be encoded: MuPDF lets lone surrogates of damaged files through."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def reason(error: BaseException) -> str:
    """Return why MuPDF failed, in one short line."""
    if isinstance(error, MemoryError):
        return "not enough memory"
    lines = plain(str(error)).strip().splitlines()
    return _CODE.sub("", lines[0] if lines else type(error).__name__)[:200]
