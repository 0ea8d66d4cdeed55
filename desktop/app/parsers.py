"""Builds the parsers, which read and draw PDFs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings import Settings


def make_parser(settings: Settings) -> Parser:
    """Return the parser of the settings; its process starts when it is first needed."""
    if settings.parser.in_process:
        from desktop.core.parsing.in_process import InProcessParser
        from desktop.models.text_recognition import load_text_recognizer

        return InProcessParser(settings.parser, load_text_recognizer)
    from desktop.core.parsing.process import ParserProcess

    return ParserProcess(settings.parser)


def warm_up(parser: Parser) -> None:
    """Start a parser's process in the background: the first file then waits 2 s less."""
    from desktop.core.parsing.process import ParserProcess

    if isinstance(parser, ParserProcess):
        parser.warm_up()
