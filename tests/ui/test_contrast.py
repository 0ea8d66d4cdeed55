"""What is written can be read in every look: the contrasts of WCAG 2.2, by the tokens alone."""

from __future__ import annotations

from dataclasses import fields

import pytest
from PySide6.QtGui import QColor

from desktop.ui.design.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Colours, Signal
from desktop.ui.viewer import page_painter as paper

LOOKS = {
    "light": LIGHT,
    "dark": DARK,
    "light of high contrast": LIGHT_CONTRAST,
    "dark of high contrast": DARK_CONTRAST,
}
TEXT, TEXT_OF_HIGH_CONTRAST, EDGES = 4.5, 7.0, 3.0
INKS = ("text", "muted", "accent", "good", "bad", "attention", "site")
GROUNDS = ("window", "surface", "raised", "hover", "accent_wash", "bad_wash", "site_wash")
SIGNALS = ("danger", "warning", "caution")
EDGE_GROUNDS = ("window", "surface", "raised")


@pytest.fixture(params=list(LOOKS))
def look(request):
    return LOOKS[request.param]


def test_text_stands_out_from_everything_it_is_written_on(look):
    least = TEXT_OF_HIGH_CONTRAST if look.contrast else TEXT
    pairs = {(ink, ground): (value(look, ink), value(look, ground))
             for ink in INKS for ground in GROUNDS}  # fmt: skip
    pairs["accent_ink", "accent"] = (look.accent_ink, look.accent)
    for name in SIGNALS:
        signal: Signal = getattr(look, name)
        pairs[name, "band"] = (signal.ink, signal.band)
        for ink in ("text", "muted", "accent", "attention"):
            pairs[name, f"{ink} on its wash"] = (value(look, ink), signal.wash)
    assert faint(pairs, least) == {}


def test_the_focus_and_what_cannot_be_used_now_are_seen(look):
    """Inputs are told by their fill and words; the frame of the focused one and of a tick box
    (in the colour of quiet text) carry meaning, and in high contrast every frame does."""
    edges = ["disabled", "accent", "muted"]
    if look.contrast:
        edges += ["border", "border_strong"]
    pairs = {
        (edge, ground): (value(look, edge), value(look, ground))
        for edge in edges
        for ground in EDGE_GROUNDS
    }
    assert faint(pairs, EDGES) == {}


def test_what_cannot_be_used_now_does_not_look_like_text(look):
    for ground in EDGE_GROUNDS:
        there = contrast(look.text, value(look, ground))
        assert contrast(look.disabled, value(look, ground)) < there / 2


def test_every_colour_is_tested():
    names = {each.name for each in fields(Colours)} - {"dark", "contrast"}
    assert names == {*INKS, *GROUNDS, *SIGNALS, "border", "border_strong", "accent_ink",
                     "disabled"}  # fmt: skip


def test_black_print_is_read_through_every_mark_on_a_page():
    marks = {
        ("print", name): ("#000000", mark.name())
        for name, mark in vars(paper).items()
        if isinstance(mark, QColor) and name.startswith(("HIGHLIGHT", "FIND", "SELECTION"))
        and not name.endswith(("EDGE", "BAR"))
    }  # fmt: skip
    assert len(marks) >= 5
    assert faint(marks, TEXT_OF_HIGH_CONTRAST) == {}
    badges = {
        ("number", "BADGE"): (paper.BADGE_TEXT.name(), paper.BADGE.name()),
        ("number", "BADGE_CURRENT"): (paper.BADGE_TEXT.name(), paper.BADGE_CURRENT.name()),
        ("PAPER_NOTE", "PAPER"): (paper.PAPER_NOTE.name(), paper.PAPER.name()),
    }
    assert faint(badges, TEXT) == {}
    edges = {
        (name, "PAPER"): (getattr(paper, name).name(), paper.PAPER.name())
        for name in ("HIGHLIGHT_BAR", "FIND_EDGE", "REGION_EDGE", "RIBBON")
    }
    assert faint(edges, EDGES) == {}


def value(look: Colours, name: str) -> str:
    return str(getattr(look, name))


def faint(
    pairs: dict[tuple[str, str], tuple[str, str]], least: float
) -> dict[tuple[str, str], float]:
    found = {names: contrast(*pair) for names, pair in pairs.items()}
    return {names: round(ratio, 2) for names, ratio in found.items() if ratio < least}


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG: 1 for the same, 21 for black and white."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(name: str) -> float:
    colour = QColor(name)
    parts = [colour.redF(), colour.greenF(), colour.blueF()]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
