"""An answer's text as safe rich text: everything escaped, citation marks as chips."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.core.notes.wording import note_place
from desktop.ui import wording
from desktop.ui.controls import plain_tooltip
from desktop.ui.safe_browser import LINK_SCHEME

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from desktop.core.events import CitationEvent, NoteCitationEvent, PageRegion, WarningBlockEvent
    from desktop.core.revised_text import TextPiece
    from desktop.ui.tokens import Colours

_MARK = re.compile(r"\[(\d{1,3})\]")
_ITEM = re.compile(r"^\s*(?:[-•*]|\d{1,2}[.)])\s+")


def answer_html(
    pieces: Sequence[TextPiece],
    citations: Collection[int],
    colours: Colours,
    notes: Collection[int] = (),
) -> str:
    """Return an answer with "[1]" as a chip wherever citation 1 is known.

    notes: the numbers that cite notes of the site; their chips look and read otherwise.

    What is not supported is amber, what was withdrawn is struck out. Nothing of the text is
    ever markup: a manual may contain tags, a model may write them.
    """
    chips = {number: _chip(number, colours) for number in citations}
    chips |= {number: _note_chip(number, colours) for number in notes}
    lines: list[tuple[str, str]] = [("", "")]
    for piece in pieces:
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                lines.append(("", ""))
            plain, inner = lines[-1]
            lines[-1] = (plain + part, inner + _piece(piece, part, chips, colours))
    return "".join(_paragraph(plain, inner) for plain, inner in lines)


def answer_for_copying(
    question: str,
    text: str,
    citations: Sequence[CitationEvent],
    warnings: Sequence[WarningBlockEvent],
    notes: Sequence[NoteCitationEvent] = (),
) -> str:
    """Return the answer with its warnings and sources as plain text."""
    parts = [question.strip(), "", text.strip()]
    for block in warnings:
        parts += ["", f"{block.level}: {block.text.strip()} ({_source(block.source)})"]
    if citations or notes:
        parts.append("")
    parts += [f"[{each.number}] {_source(each.source)}: “{each.quote}”" for each in citations]
    parts += [f"[{each.number}] {note_place(each.note)}: “{each.quote}”" for each in notes]
    return "\n".join(parts) + "\n"


def _source(source: PageRegion) -> str:
    return f"{source.document}, {wording.page_label(source.label, source.page)}"


def _paragraph(line: str, inner: str) -> str:
    if not line.strip():
        return ""
    indent = 14 if _ITEM.match(line) else 0
    return f'<p style="margin:0 0 8px {indent}px; line-height:130%">{inner}</p>'


def _piece(piece: TextPiece, part: str, chips: Mapping[int, str], colours: Colours) -> str:
    if piece.withdrawn:
        struck = f"text-decoration:line-through; color:{colours.muted}"
        return _span(part, struck, _tr("Withdrawn: the manuals do not say this"))
    if not piece.unsupported:
        return "".join(_pieces(part, chips))
    wrong = ", ".join(piece.unsupported)
    tip = _tr("The cited pages do not say this: {what}").format(what=wrong)
    amber = f"color:{colours.attention}; background-color:{colours.caution.wash}"
    strong = f"{amber}; font-weight:600; text-decoration:underline"
    marked = re.compile("|".join(re.escape(each) for each in piece.unsupported))
    end, inner = 0, ""
    for found in marked.finditer(part):
        inner += _span(part[end : found.start()], amber, tip) + _span(found.group(), strong, tip)
        end = found.end()
    return inner + _span(part[end:], amber, tip)


def _span(text: str, style: str, tip: str) -> str:
    if not text:
        return ""
    title = html.escape(plain_tooltip(tip))
    return f'<span style="{style}" title="{title}">{html.escape(text)}</span>'


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerText", text)


def _pieces(line: str, chips: Mapping[int, str]) -> list[str]:
    pieces = []
    end = 0
    for mark in _MARK.finditer(line):
        number = int(mark[1])
        if number in chips:
            # the chip brings its own space
            pieces.append(html.escape(line[end : mark.start()].removesuffix(" ")))
            pieces.append(chips[number])
        else:
            pieces.append(html.escape(line[end : mark.end()]))
        end = mark.end()
    pieces.append(html.escape(line[end:]))
    return pieces


def _chip(number: int, colours: Colours) -> str:
    return _link(number, f"[{number}]", colours.accent, colours.accent_wash)


def _note_chip(number: int, colours: Colours) -> str:
    # a word besides the colour: not everybody sees one
    return _link(number, f"[{number}]\u00a0{_tr('note')}", colours.site, colours.site_wash)


def _link(number: int, text: str, ink: str, wash: str) -> str:
    style = f"text-decoration:none; font-weight:600; color:{ink}; background-color:{wash}"
    return f'<a href="{LINK_SCHEME}:{number}" style="{style}">&nbsp;{html.escape(text)}&nbsp;</a>'
