"""Design tokens: the one table of lengths, type sizes and colours every panel is built from."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from desktop.core.library.annotations import Pen


class Space:
    """Distances in device-independent pixels, on a grid of 4.

    INSET: from a panel's edge to its contents. M is also the space between paragraphs.
    """

    HAIR = 2
    XS = 4
    S = 8
    M = 12
    L = 16
    XL = 24
    INSET = 20


class Size:
    """Fixed sizes; icons and corners agree everywhere.

    TARGET, ROW: the height of a control, and of one in a bar; GLOVE for both in glove mode
    (`wear_gloves`), so they are read when a widget is made and never kept. BAR: the bar above
    a panel, whose buttons can be hit over its whole height. POPUP_RADIUS: of menus, cards and
    bars that float over the page. SCROLL_BAR: the room that one takes; on a Mac it floats.
    PAGE: the least width of pages that can be read, at about three quarters of their printed
    size. LIBRARY, ANSWERS: the widths of these columns at first.
    """

    CONTROL = 32
    GLOVE = 44
    TARGET = CONTROL
    ROW = CONTROL
    ICON = 18
    RADIUS = 6
    CARD_RADIUS = 10
    POPUP_RADIUS = 10
    SCROLL_BAR = 0 if sys.platform == "darwin" else 12
    BAR = 44
    PANEL_HEADER = BAR
    PAGE = 656
    LIBRARY = 256
    ANSWERS = 440

    @classmethod
    def wear_gloves(cls, on: bool) -> bool:
        """Make future controls large or ordinary; return whether that is a change."""
        wanted = cls.GLOVE if on else cls.CONTROL
        new = wanted != cls.TARGET
        cls.TARGET = cls.ROW = wanted
        return new


class Type:
    """The type scale as factors on the interface's size: pixels / line height, at 100 %.

    11/16 caption, 13/20 interface, 15/24 answer, 17/24 section, 22/28 title, 28/34 fact.
    Weights are 400, 500 and 600.
    """

    INTERFACE_PX = 13
    SMALL = 11 / INTERFACE_PX
    BODY = 1.0
    LEAD = 15 / INTERFACE_PX
    SECTION = 17 / INTERFACE_PX
    TITLE = 22 / INTERFACE_PX
    FACT = 28 / INTERFACE_PX
    """The one value that answers."""
    LEADING = 126
    """Lines of an answer, in per cent of the font's own distance: 24 pixels for 15."""


class Paper:
    """What lies on the paper of a manual, which is white in light and in dark."""

    OWN_PENS: ClassVar[dict[Pen, tuple[str, str]]] = {
        "green": ("#b5ebb9", "#23733f"),
        "orange": ("#ffcf99", "#9c4a00"),
        "pink": ("#ffc0d9", "#b01f63"),
        "violet": ("#d8c8fa", "#6b3fa0"),
    }
    """Of people's own highlights: what is multiplied into the page, and its ink on white."""
    ACCENT = "#0b6bcb"
    DIMMED = 0.16
    """How much of the dark window's black lies over a dimmed page."""


class Shadow:
    """Of what floats: pixels down, pixels of blur, opacity of its black."""

    DOWN = 8
    BLUR = 24
    OPACITY = 0.14


@dataclass(frozen=True, slots=True)
class Signal:
    """A safety colour pair in the manner of ISO 3864: the band and what is written on it."""

    band: str
    ink: str
    wash: str


@dataclass(frozen=True, slots=True)
class Colours:
    """One colour scheme; text pairs keep at least the AA contrast of 4.5:1.

    window: the canvas. border: a hairline. border_strong: around inputs. disabled: what cannot
    be used now. site: what the site itself has noted, never taken for a manual. contrast: a
    scheme of high contrast, whose text pairs keep at least 7:1.
    """

    dark: bool
    contrast: bool
    window: str
    surface: str
    raised: str
    border: str
    border_strong: str
    text: str
    muted: str
    accent: str
    accent_ink: str
    accent_wash: str
    hover: str
    disabled: str
    good: str
    bad: str
    bad_wash: str
    attention: str
    site: str
    site_wash: str
    danger: Signal
    warning: Signal
    caution: Signal

    @property
    def trough(self) -> str:
        """The colour of a progress bar's empty part; a border may be as dark as the full part."""
        return self.hover if self.contrast else self.border


_TABLE = """
window        #f7f8fa #0f1215 #ffffff #000000
surface       #ffffff #171b1f #ffffff #000000
raised        #f7f8fa #1d2328 #ffffff #000000
border        #e6e8ec #20262c #000000 #ffffff
border_strong #d0d5db #39424b #000000 #ffffff
text          #14171a #e8ebee #000000 #ffffff
muted         #667079 #a3aeb8 #1f1f1f #e6e6e6
accent        #0b6bcb #6bb7ea #00318a #ffe04d
accent_ink    #ffffff #08151e #ffffff #000000
accent_wash   #eaf3fe #1b3a4f #d6e4ff #383100
hover         #f1f3f6 #232a31 #e6e6e6 #333333
disabled      #858e97 #6d7984 #6f6f6f #6f6f6f
good          #1a6b3c #6fcb92 #00501f #7dffaa
bad           #b3201b #ff8f87 #8c0000 #ffaea8
bad_wash      #fdf0ef #3a2022 #ffffff #000000
attention     #8a5200 #f0b35c #5c3300 #ffc266
site          #6b3fa0 #c9a9f2 #4a1a80 #dcc2ff
site_wash     #f5f0fb #32274a #ffffff #000000
danger.band   #c1121f #d3222e #a30010 #a30010
danger.ink    #ffffff #ffffff #ffffff #ffffff
danger.wash   #fdf1f1 #331c1f #ffffff #000000
warning.band  #f08019 #f08019 #ff9a2e #ff9a2e
warning.ink   #14110d #14110d #000000 #000000
warning.wash  #fef6ec #33261a #ffffff #000000
caution.band  #f7c600 #f7c600 #ffd400 #ffd400
caution.ink   #14110d #14110d #000000 #000000
caution.wash  #fdf9e6 #302b18 #ffffff #000000
"""
"""A row for each colour: in the light scheme, the dark one, and both of them in high contrast."""


def _scheme(column: int, *, dark: bool, contrast: bool = False) -> Colours:
    rows = (row.split() for row in _TABLE.strip().splitlines())
    values: dict[str, Any] = {name: colours[column] for name, *colours in rows}
    for name in ("danger", "warning", "caution"):
        values[name] = Signal(*(values.pop(f"{name}.{part}") for part in ("band", "ink", "wash")))
    return Colours(dark=dark, contrast=contrast, **values)


LIGHT = _scheme(0, dark=False)
DARK = _scheme(1, dark=True)
LIGHT_CONTRAST = _scheme(2, dark=False, contrast=True)
DARK_CONTRAST = _scheme(3, dark=True, contrast=True)


def colours_for(*, dark: bool, contrast: bool) -> Colours:
    """Return the scheme for what a person or the system has chosen."""
    if contrast:
        return DARK_CONTRAST if dark else LIGHT_CONTRAST
    return DARK if dark else LIGHT
