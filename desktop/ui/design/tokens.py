"""Design tokens: the one table of lengths, type sizes and colours every panel is built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

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
    bars that float over the page. PAGE: the least width of pages that can be read, at about three
    quarters of their printed size.
    """

    CONTROL = 32
    GLOVE = 44
    TARGET = CONTROL
    ROW = CONTROL
    ICON = 18
    RADIUS = 6
    CARD_RADIUS = 10
    POPUP_RADIUS = 10
    BAR = 44
    PANEL_HEADER = BAR
    PAGE = 656

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


LIGHT = Colours(
    dark=False,
    contrast=False,
    window="#f7f8fa",
    surface="#ffffff",
    raised="#f7f8fa",
    border="#e6e8ec",
    border_strong="#d0d5db",
    text="#14171a",
    muted="#667079",
    accent="#0b6bcb",
    accent_ink="#ffffff",
    accent_wash="#eaf3fe",
    hover="#f1f3f6",
    disabled="#858e97",
    good="#1a6b3c",
    bad="#b3201b",
    bad_wash="#fdf0ef",
    attention="#8a5200",
    site="#6b3fa0",
    site_wash="#f5f0fb",
    danger=Signal("#c1121f", "#ffffff", "#fdf1f1"),
    warning=Signal("#f08019", "#14110d", "#fef6ec"),
    caution=Signal("#f7c600", "#14110d", "#fdf9e6"),
)

DARK = Colours(
    dark=True,
    contrast=False,
    window="#0f1215",
    surface="#171b1f",
    raised="#1d2328",
    border="#20262c",
    border_strong="#39424b",
    text="#e8ebee",
    muted="#a3aeb8",
    accent="#6bb7ea",
    accent_ink="#08151e",
    accent_wash="#1b3a4f",
    hover="#232a31",
    disabled="#6d7984",
    good="#6fcb92",
    bad="#ff8f87",
    bad_wash="#3a2022",
    attention="#f0b35c",
    site="#c9a9f2",
    site_wash="#32274a",
    danger=Signal("#d3222e", "#ffffff", "#331c1f"),
    warning=Signal("#f08019", "#14110d", "#33261a"),
    caution=Signal("#f7c600", "#14110d", "#302b18"),
)

LIGHT_CONTRAST = Colours(
    dark=False,
    contrast=True,
    window="#ffffff",
    surface="#ffffff",
    raised="#ffffff",
    border="#000000",
    border_strong="#000000",
    text="#000000",
    muted="#1f1f1f",
    accent="#00318a",
    accent_ink="#ffffff",
    accent_wash="#d6e4ff",
    hover="#e6e6e6",
    disabled="#6f6f6f",
    good="#00501f",
    bad="#8c0000",
    bad_wash="#ffffff",
    attention="#5c3300",
    site="#4a1a80",
    site_wash="#ffffff",
    danger=Signal("#a30010", "#ffffff", "#ffffff"),
    warning=Signal("#ff9a2e", "#000000", "#ffffff"),
    caution=Signal("#ffd400", "#000000", "#ffffff"),
)

DARK_CONTRAST = Colours(
    dark=True,
    contrast=True,
    window="#000000",
    surface="#000000",
    raised="#000000",
    border="#ffffff",
    border_strong="#ffffff",
    text="#ffffff",
    muted="#e6e6e6",
    accent="#ffe04d",
    accent_ink="#000000",
    accent_wash="#383100",
    hover="#333333",
    disabled="#6f6f6f",
    good="#7dffaa",
    bad="#ffaea8",
    bad_wash="#000000",
    attention="#ffc266",
    site="#dcc2ff",
    site_wash="#000000",
    danger=Signal("#a30010", "#ffffff", "#000000"),
    warning=Signal("#ff9a2e", "#000000", "#000000"),
    caution=Signal("#ffd400", "#000000", "#000000"),
)


def colours_for(*, dark: bool, contrast: bool) -> Colours:
    """Return the scheme for what a person or the system has chosen."""
    if contrast:
        return DARK_CONTRAST if dark else LIGHT_CONTRAST
    return DARK if dark else LIGHT
