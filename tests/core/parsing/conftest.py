from dataclasses import replace

import pymupdf
import pytest

from desktop.core.parsing.process import ParserProcess
from desktop.core.parsing.service import InProcessParser
from desktop.core.settings.sections import ParserSettings

WORDS = "The battery test lasts 24 hours"


@pytest.fixture(scope="session")
def settings():
    """Without models, so that tests are fast."""
    return ParserSettings(ocr=False, layout_model=False)


@pytest.fixture
def in_process(settings):
    parser = InProcessParser(settings)
    yield parser
    parser.close()


@pytest.fixture
def make_process(settings):
    """Make parser processes, with other settings if wanted, and close them afterwards."""
    parsers = []

    def make(command=None, **changes):
        parser = ParserProcess(settings.model_copy(update=changes), command)
        parsers.append(parser)
        return parser

    yield make
    for parser in parsers:
        parser.close()


@pytest.fixture(scope="module")
def process(settings):
    parser = ParserProcess(settings)
    parser.warm_up()  # its thread belongs to the module, not to the first test
    yield parser
    parser.close()


@pytest.fixture
def make_pdf(tmp_path):
    """Write a PDF of some pages, each with its number and a sentence."""

    def make(name="manual.pdf", pages=5, change=None, **save):
        document = pymupdf.open()
        for number in range(pages):
            page = document.new_page(width=400, height=600)
            page.insert_text((50, 100), f"{WORDS}, page {number}.", fontsize=12)
        if change is not None:
            change(document)
        path = tmp_path / name
        document.save(path, **save)
        document.close()
        return path

    return make


def without_timing(layout):
    """A layout less what depends on how busy the machine is."""
    return replace(layout, slow_to_draw=False)
