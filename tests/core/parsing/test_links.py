"""Links are read with their place on the page as displayed; nothing is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
import pytest

from desktop.core.parsing.process import ParserProcess
from desktop.core.parsing.service import InProcessParser
from desktop.core.settings.sections import ParserSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.parsing.parser import Parser


def linked_manual(path: Path, rotation: int = 0) -> Path:
    with pymupdf.open() as pdf:
        for _ in range(3):
            pdf.new_page(width=595, height=842)
        place = pymupdf.Rect(72, 100, 200, 120)
        pdf[0].insert_link(
            {"kind": pymupdf.LINK_GOTO, "from": place, "page": 2, "to": pymupdf.Point(72, 400)}
        )
        below, lowest = (place + pymupdf.Rect(0, by, 0, by) for by in (100, 200))
        pdf[0].insert_link(
            {"kind": pymupdf.LINK_URI, "from": below, "uri": "https://example.com/pump"}
        )
        pdf[0].insert_link({"kind": pymupdf.LINK_LAUNCH, "from": lowest, "file": "run-me.exe"})
        pdf[0].set_rotation(rotation)
        pdf.save(path)
    return path


@pytest.fixture
def parser() -> Iterator[Parser]:
    parser = InProcessParser(ParserSettings())
    yield parser
    parser.close()


def test_a_link_leads_to_a_page_or_says_its_address(parser: Parser, tmp_path: Path):
    inside, outside, program = parser.read_links(linked_manual(tmp_path / "m.pdf"), 0)
    assert (inside.page, inside.down, inside.address) == (2, 400.0, "")
    assert inside.box == (72.0, 100.0, 200.0, 120.0)
    assert (outside.page, outside.address) == (-1, "https://example.com/pump")
    assert (program.page, program.address) == (-1, "run-me.exe")


def test_links_of_a_rotated_page_stand_where_the_page_shows_them(parser: Parser, tmp_path: Path):
    inside = parser.read_links(linked_manual(tmp_path / "m.pdf", rotation=90), 0)[0]
    assert inside.box == (722.0, 72.0, 742.0, 200.0)


def test_a_page_without_links_and_one_that_is_not_there_have_none(parser: Parser, tmp_path: Path):
    path = linked_manual(tmp_path / "m.pdf")
    assert parser.read_links(path, 1) == ()
    assert parser.read_links(path, 99) == ()


def test_links_come_through_the_pipe_of_the_parser_process(tmp_path: Path):
    parser = ParserProcess(ParserSettings())
    try:
        links = parser.read_links(linked_manual(tmp_path / "m.pdf"), 0)
    finally:
        parser.close()
    assert [link.page for link in links] == [2, -1, -1]
