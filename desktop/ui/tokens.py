"""Design tokens: the few lengths, type sizes and colours every panel is built from."""

from __future__ import annotations

from dataclasses import dataclass


class Space:
    """Distances in device-independent pixels."""

    HAIR = 2
    XS = 4
    S = 8
    M = 12
    L = 16
    XL = 24
    XXL = 40


class Size:
    """Fixed sizes: a hit target fits a gloved finger, icons and corners agree everywhere.

    ROW: where room for what is read counts more, such as a step of the trace or the bars above
    a page, which have to hold many buttons in a narrow window.
    """

    TARGET = 44
    ROW = 34
    ICON = 18
    RADIUS = 6
    CARD_RADIUS = 10
    PANEL_HEADER = 48


class Type:
    """Factors on the system's font size, so that the user's own choice is respected."""

    SMALL = 0.9
    BODY = 1.0
    LEAD = 1.12
    TITLE = 1.35
    FACT = 2.15
    """28 px where the system's text has 13: the one value that answers."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A safety colour pair in the manner of ISO 3864: the band and what is written on it."""

    band: str
    ink: str
    wash: str


@dataclass(frozen=True, slots=True)
class Colours:
    """One colour scheme; text pairs keep at least the AA contrast of 4.5:1.

    site: what the site itself has noted, never taken for a manual. contrast: a scheme of high
    contrast, whose text pairs keep at least 7:1.
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
    good: str
    bad: str
    bad_wash: str
    attention: str
    site: str
    site_wash: str
    danger: Signal
    warning: Signal
    caution: Signal
    note: Signal

    @property
    def disabled(self) -> str:
        """What cannot be used now; in high contrast the border's colour would look usable."""
        return "#6f6f6f" if self.contrast else self.border_strong

    def signal(self, level: str) -> Signal:
        """Return the colours of a safety block's signal word."""
        match level:
            case "DANGER":
                return self.danger
            case "WARNING":
                return self.warning
            case "CAUTION":
                return self.caution
            case _:
                return self.note


LIGHT = Colours(
    dark=False,
    contrast=False,
    window="#eef0f2",
    surface="#ffffff",
    raised="#f6f7f8",
    border="#d3d8dd",
    border_strong="#7c8792",
    text="#12171c",
    muted="#515c67",
    accent="#0a5a8c",
    accent_ink="#ffffff",
    accent_wash="#dcebf5",
    hover="#e3e7ea",
    good="#1a6b3c",
    bad="#b3201b",
    bad_wash="#fbe9e7",
    attention="#8a5200",
    site="#6b3fa0",
    site_wash="#f0e9f9",
    danger=Signal("#c1121f", "#ffffff", "#fdeeee"),
    warning=Signal("#f08019", "#14110d", "#fef3e7"),
    caution=Signal("#f7c600", "#14110d", "#fdf8e1"),
    note=Signal("#0b5394", "#ffffff", "#eaf2fa"),
)

DARK = Colours(
    dark=True,
    contrast=False,
    window="#14181c",
    surface="#1b2025",
    raised="#232a30",
    border="#343d45",
    border_strong="#6d7984",
    text="#e9edf0",
    muted="#a3aeb8",
    accent="#6bb7ea",
    accent_ink="#08151e",
    accent_wash="#1b3a4f",
    hover="#2a3239",
    good="#6fcb92",
    bad="#ff8f87",
    bad_wash="#3a2022",
    attention="#f0b35c",
    site="#c9a9f2",
    site_wash="#32274a",
    danger=Signal("#d3222e", "#ffffff", "#331c1f"),
    warning=Signal("#f08019", "#14110d", "#33261a"),
    caution=Signal("#f7c600", "#14110d", "#302b18"),
    note=Signal("#1565a8", "#ffffff", "#18293a"),
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
    good="#00501f",
    bad="#8c0000",
    bad_wash="#ffffff",
    attention="#5c3300",
    site="#4a1a80",
    site_wash="#ffffff",
    danger=Signal("#a30010", "#ffffff", "#ffffff"),
    warning=Signal("#ff9a2e", "#000000", "#ffffff"),
    caution=Signal("#ffd400", "#000000", "#ffffff"),
    note=Signal("#00318a", "#ffffff", "#ffffff"),
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
    good="#7dffaa",
    bad="#ffaea8",
    bad_wash="#000000",
    attention="#ffc266",
    site="#dcc2ff",
    site_wash="#000000",
    danger=Signal("#a30010", "#ffffff", "#000000"),
    warning=Signal("#ff9a2e", "#000000", "#000000"),
    caution=Signal("#ffd400", "#000000", "#000000"),
    note=Signal("#8fc7ff", "#000000", "#000000"),
)


def colours_for(*, dark: bool, contrast: bool) -> Colours:
    """Return the scheme for what a person or the system has chosen."""
    if contrast:
        return DARK_CONTRAST if dark else LIGHT_CONTRAST
    return DARK if dark else LIGHT
