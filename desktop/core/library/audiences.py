"""For whom a manual was written, read off its title, headings and first pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.cues import meets, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_TITLE_WEIGHT = 4.0
_TITLE_PAGE_WEIGHT = 3.0
_OPENING_WEIGHT = 2.0
_HEADING_WEIGHT = 1.0
_MOST_HEADINGS = 4
# One heading alone says nothing: every manual has a word about installation.
_LEAST = 2.0
_TITLE_PAGE = 300
# More of a manual's words than this are not looked at.
_LONGEST_OPENING = 4_000


@dataclass(frozen=True, slots=True)
class Audience:
    """A kind of reader, how a manual for it looks, and which questions are his.

    named: as a profile names it. tasks: what he asks about, in a sentence on strategy.
    in_title, in_headings: words that give such a manual away. in_opening: phrases on its
    first pages that do, word for word.
    """

    named: str
    purpose: str
    tasks: str
    in_title: tuple[str, ...]
    in_opening: tuple[str, ...]
    in_headings: tuple[str, ...]
    use_for: tuple[str, ...]
    cues: tuple[str, ...]


INSTALLER = Audience(
    named="Installers, electricians",
    purpose="Mounting, wiring, connections, commissioning",
    tasks="Installation and wiring",
    in_title=("installation", "installer", "wiring", "mounting", "setup", "commissioning",
              "technical manual", "Montage", "Montageanleitung", "Einbau", "Einbauanleitung",
              "Inbetriebnahme", "Installationsanleitung", "Installationshandbuch"),
    in_opening=("for installers", "trained installer", "for the electrician",
                "commissioning engineers",
                "Elektrofachkraft", "Installateur"),
    in_headings=("installation", "wiring", "mounting", "commissioning", "terminals",
                 "connecting", "dimensions", "Montage", "Anschluss", "Inbetriebnahme"),
    use_for=("How do I wire...", "Where do I connect...", "How do I install..."),
    cues=("wire", "wiring", "cable", "terminal", "connection", "connect", "jumper", "mount",
          "installation", "install", "commission", "torque", "fuse", "supply voltage",
          "verdrahten", "anschließen", "Klemme", "montieren", "Montage", "Inbetriebnahme"),
)  # fmt: skip

OPERATOR = Audience(
    named="Operators, users",
    purpose="Operation, menus, display, daily use",
    tasks="Operation and menu",
    in_title=("user", "operator", "operating", "owner", "operation", "Benutzer",
              "Benutzerhandbuch", "Bedienung", "Bedienungsanleitung", "Betriebsanleitung"),
    in_opening=("for operators", "caretaker", "daily use", "daily basis", "end users", "Betreiber",
                "Bediener"),
    in_headings=("operation", "menu", "display", "daily use", "alarms", "front panel", "settings",
                 "Bedienung", "Anzeige", "Einstellungen"),
    use_for=("How do I set...", "What does the LED mean...", "Which menu..."),
    cues=("menu", "display", "screen", "key", "button", "light", "LED", "setting", "alarm", "code",
          "switch on", "switch off", "daily", "operate", "Menü", "Taste", "Anzeige", "einschalten",
          "ausschalten", "einstellen", "Störung"),
)  # fmt: skip

SERVICE = Audience(
    named="Service engineers",
    purpose="Maintenance, repair, spare parts",
    tasks="Maintenance and repair",
    in_title=("service", "maintenance", "repair", "workshop", "spare parts", "troubleshooting",
              "Wartung", "Wartungsanleitung", "Reparatur", "Instandhaltung", "Ersatzteile"),
    in_opening=("for service engineers", "for the service engineer", "service technicians",
                "Servicetechniker"),
    in_headings=("maintenance", "repair", "troubleshooting", "spare parts", "disassembly",
                 "Wartung", "Reparatur", "Fehlersuche"),
    use_for=("How do I replace...", "How often must ... be serviced", "How do I repair..."),
    cues=("maintenance", "replace", "spare part", "part number", "lubricate", "interval", "repair",
          "troubleshooting", "worn", "Wartung", "ersetzen", "Ersatzteil", "Reparatur"),
)  # fmt: skip

DESIGNER = Audience(
    named="Engineers, developers",
    purpose="How it is built: circuits, registers, interfaces",
    tasks="Circuit, register and interface",
    in_title=("schematic", "reference", "datasheet", "data sheet", "developer", "programmer",
              "API", "hardware manual", "Schaltplan", "Datenblatt"),
    in_opening=("schematic page", "application programmer", "data sheet", "Schaltplan"),
    in_headings=("API", "schematics", "registers", "pinout", "data structure", "interface"),
    use_for=("On which sheet...", "Which register...", "Which pin..."),
    cues=("schematic", "sheet", "register", "pinout", "circuit", "API", "datasheet", "Schaltplan"),
)  # fmt: skip

AUDIENCES = (INSTALLER, OPERATOR, SERVICE, DESIGNER)


def audience_of(title: str, headings: Sequence[str], opening: str) -> Audience | None:
    """Return for whom a manual was written, None if nothing tells.

    title: with the file name, if that tells more. headings: titles of its chapters.
    opening: the text of its first pages, the title page first.
    """
    in_title = words_of(title)
    in_headings = [words_of(heading) for heading in headings]
    said = " ".join(opening[:_LONGEST_OPENING].casefold().split())
    title_page = said[:_TITLE_PAGE]

    def speaks_for(audience: Audience) -> float:
        met = sum(any(meets(cue, h) for cue in audience.in_headings) for h in in_headings)
        return (
            _TITLE_WEIGHT * any(meets(cue, in_title) for cue in audience.in_title)
            + _TITLE_PAGE_WEIGHT * any(_stands(word, title_page) for word in audience.in_title)
            + _OPENING_WEIGHT * any(_stands(phrase, said) for phrase in audience.in_opening)
            + _HEADING_WEIGHT * min(met, _MOST_HEADINGS)
        )

    best = max(AUDIENCES, key=speaks_for)
    return best if speaks_for(best) >= _LEAST else None


def kinds_of(title: str) -> frozenset[str]:
    """Return the words of a title that say what kind of manual it is, as cues."""
    words = words_of(title)
    return frozenset(cue for a in AUDIENCES for cue in a.in_title if meets(cue, words))


def _stands(phrase: str, text: str) -> bool:
    """Whether a phrase stands in running text as it is, or in the plural."""
    return re.search(rf"\b{re.escape(phrase.casefold())}s?\b", text) is not None
