"""How counts, times and sizes are said to people, the same everywhere in the window."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QTime

from desktop.core.settings import BEST_TIER, UNVERIFIED_TIER
from desktop.ui.language import tr

if TYPE_CHECKING:
    from desktop.core.events import WarningLevel

SHORTEST_MS = 100.0


def number(value: float, decimals: int = 0) -> str:
    """Return "1,293", "0.6" as numbers are written here: "1.293", "0,6"."""
    locale = QLocale()
    if locale.language() == QLocale.Language.C:  # a system that says nothing of its country
        return f"{value:,.{decimals}f}"
    return locale.toString(float(value), "f", decimals)


_SIGNS = frozenset("-–−±~<>≤≥")


def unbroken(text: str) -> str:
    """Return a text in which a line does not end between a number and its sign or its unit."""
    said, *words = text.split(" ")
    for word in words:
        is_unit = word[:1].isalpha() or word.startswith(("°", "%", "‰"))
        is_signed = said[-1:] in _SIGNS and word[:1].isdecimal()
        joined = is_signed or (is_unit and said[-1:].isdecimal())
        said += ("\N{NO-BREAK SPACE}" if joined else " ") + word
    return said


def unbroken_value(value: str) -> str:
    """Return a value whose units stay whole where a line ends: "m/min" may part at its slash."""
    return unbroken(value).replace("/", "/\N{WORD JOINER}")


def quoted(text: str) -> str:
    """Return someone else's words in the quotation marks used here: “…”, „…“."""
    return tr("“{text}”").format(text=text)


def pages(count: int) -> str:
    """Return "1 page", "1,293 pages"."""
    return tr("1 page") if count == 1 else tr("{n} pages").format(n=number(count))


def manuals(count: int) -> str:
    """Return "1 manual", "3 manuals"."""
    return tr("1 manual") if count == 1 else tr("{n} manuals").format(n=number(count))


def questions(count: int) -> str:
    """Return "1 question", "3 questions"."""
    return tr("1 question") if count == 1 else tr("{n} questions").format(n=number(count))


def day_and_time(stamp: str) -> str:
    """Return a moment (ISO 8601) as it is said here: only the time today, else the day."""
    try:
        moment = datetime.fromisoformat(stamp).astimezone()
    except ValueError:
        return stamp
    locale, short = QLocale(), QLocale.FormatType.ShortFormat
    if moment.date() == datetime.now().astimezone().date():
        clock = QTime(moment.hour, moment.minute)
        return tr("today {time}").format(time=locale.toString(clock, short))
    return locale.toString(QDate(moment.year, moment.month, moment.day), "d MMM yyyy")


def time_left(seconds: float) -> str:
    """Return a time left that does not flicker: seconds, then minutes, then hours."""
    if seconds < 5:
        return tr("a few seconds left")
    if seconds < 55:
        return tr("{n}\u00a0s\u00a0left").format(n=int(round(seconds / 5) * 5))
    if seconds < 3300:
        return tr("{n}\u00a0min\u00a0left").format(n=max(1, round(seconds / 60)))
    return tr("{n}\u00a0h\u00a0left").format(n=number(seconds / 3600, 1))


def took(milliseconds: float | None) -> str:
    """Return how long something took, "" if unknown or too short for a person to notice."""
    if milliseconds is None or milliseconds < SHORTEST_MS:
        return ""
    return duration(milliseconds)


def duration(milliseconds: float) -> str:
    """Return "0.1 s", "1.2 s"."""
    return tr("{n} s").format(n=number(max(SHORTEST_MS, milliseconds) / 1000, 1))


def file_size(count: int) -> str:
    """Return "219 kB", "4.2 MB", "1.3 GB", of 1000 bytes as files are listed nowadays."""
    unit, names = 1000, (tr("{n} kB"), tr("{n} MB"), tr("{n} GB"))
    for name in names:
        amount = count / unit
        if round(amount) < 1000 or name is names[-1]:
            break
        unit *= 1000
    decimals = 1 if amount < 10 and unit > 1000 else 0
    return name.format(n=number(max(amount, 1.0 if unit == 1000 else amount), decimals))


def reveal() -> str:
    """Return what showing a file in its folder is called on this system."""
    return tr("Reveal in Finder") if sys.platform == "darwin" else tr("Reveal in Files")


def page_label(text: str, page: int) -> str:
    """Return "page 4-11" for the printed label, or the page's place in the file."""
    return tr("page {label}").format(label=text or page + 1)


def short_page(text: str, page: int) -> str:
    """Return "p. 4-11", as it stands on a chip."""
    return tr("p. {label}").format(label=text or page + 1)


TIERS = range(BEST_TIER, UNVERIFIED_TIER + 1)


def tier_title(tier: int) -> str:
    """Return "1 · Maker's manual or standard"."""
    names = (
        tr("Maker’s manual or standard"),
        tr("Bulletin or company procedure"),
        tr("Training material"),
        tr("Site note"),
        tr("Unverified"),
    )
    return f"{tier} · {names[tier - BEST_TIER]}"


def source_kind(source_type: str) -> str:
    """Return the kind of a document; one that a person has named stays as it is."""
    known = {
        "manual": tr("Manual"),
        "standard": tr("Standard"),
        "bulletin": tr("Bulletin"),
        "procedure": tr("Procedure"),
        "training": tr("Training"),
        "site note": tr("Site note"),
        "unverified": tr("Unverified"),
    }
    return known.get(source_type, source_type)


def signal_word(level: WarningLevel) -> str:
    """Return a level as the standards call it: "GEFAHR" for "DANGER"."""
    return {
        "DANGER": tr("DANGER"),
        "WARNING": tr("WARNING"),
        "CAUTION": tr("CAUTION"),
        "NOTE": tr("NOTE"),
    }[level]


def percent(share: float) -> str:
    """Return "43%"; 100% only when it is done."""
    return tr("{n}%").format(n=min(99, int(share * 100)) if share < 1 else 100)
