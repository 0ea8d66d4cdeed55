"""An answer's text as safe rich text: everything escaped, citation marks as chips."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from desktop.ui import wording
from desktop.ui.safe_browser import LINK_SCHEME

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.core.events import CitationEvent, PageRegion, WarningBlockEvent
    from desktop.ui.tokens import Colours

_MARK = re.compile(r"\[(\d{1,3})\]")
_ITEM = re.compile(r"^\s*(?:[-•*]|\d{1,2}[.)])\s+")


def answer_html(text: str, citations: Collection[int], colours: Colours) -> str:
    """Return `text` with "[1]" as a chip wherever citation 1 is known.

    Nothing of `text` is ever markup: a manual may contain tags, a model may write them.
    """
    paragraphs = [_paragraph(line, citations, colours) for line in text.split("\n")]
    return "".join(paragraphs)


def answer_for_copying(
    question: str,
    text: str,
    citations: Sequence[CitationEvent],
    warnings: Sequence[WarningBlockEvent],
) -> str:
    """Return the answer with its warnings and sources as plain text."""
    parts = [question.strip(), "", text.strip()]
    for block in warnings:
        parts += ["", f"{block.level}: {block.text.strip()} ({_source(block.source)})"]
    if citations:
        parts.append("")
    parts += [f"[{each.number}] {_source(each.source)}: “{each.quote}”" for each in citations]
    return "\n".join(parts) + "\n"


def _source(source: PageRegion) -> str:
    return f"{source.document}, {wording.page_label(source.label, source.page)}"


def _paragraph(line: str, citations: Collection[int], colours: Colours) -> str:
    if not line.strip():
        return ""
    indent = 14 if _ITEM.match(line) else 0
    inner = "".join(_pieces(line, citations, colours))
    return f'<p style="margin:0 0 8px {indent}px; line-height:130%">{inner}</p>'


def _pieces(line: str, citations: Collection[int], colours: Colours) -> list[str]:
    pieces = []
    end = 0
    for mark in _MARK.finditer(line):
        number = int(mark[1])
        if number in citations:
            # the chip brings its own space
            pieces.append(html.escape(line[end : mark.start()].removesuffix(" ")))
            pieces.append(_chip(number, colours))
        else:
            pieces.append(html.escape(line[end : mark.end()]))
        end = mark.end()
    pieces.append(html.escape(line[end:]))
    return pieces


def _chip(number: int, colours: Colours) -> str:
    style = (
        f"text-decoration:none; font-weight:600; color:{colours.accent}; "
        f"background-color:{colours.accent_wash}"
    )
    return f'<a href="{LINK_SCHEME}:{number}" style="{style}">&nbsp;[{number}]&nbsp;</a>'
