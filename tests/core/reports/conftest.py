from __future__ import annotations

from datetime import datetime

import pytest

from desktop.core.events import CitationEvent, PageRegion, WarningBlockEvent
from desktop.core.geometry import Box
from desktop.core.reports.contents import AnsweredTurn

ROW = PageRegion(1, "pump.pdf", 60, "4-11", (Box(60, 200, 300, 220),))
WHOLE = PageRegion(2, "crane.pdf", 3, "4", ())
TITLES = {1: "P-7 Pump"}


@pytest.fixture
def turn():
    """An answer with two sources and a warning."""
    return AnsweredTurn(
        "How long does the battery test last?",
        "The test lasts 24 hours at 5 Ω ±2 µF → repeat hourly. [1]\n"
        "Warte 3 Stunden, größer: ⌀8. [2]",
        (CitationEvent(1, ROW, "lasts 24 hours"), CitationEvent(2, WHOLE, "drei Stunden")),
        (WarningBlockEvent("DANGER", "High voltage inside.", ROW),),
        datetime.fromisoformat("2026-03-05T14:30:00+01:00"),
    )
