"""Whether the warnings of a cited section came with the answer."""

from desktop.core.evaluation.cited import warnings_carried
from desktop.core.events import CitationEvent, PageRegion, WarningBlockEvent
from desktop.core.geometry import Box
from desktop.core.structure.values import Block

LIVE = "DANGER Live parts behind the cover. Switch off first."
OPEN = Block(1, "text", "Remove the cover.", (10, 10, 90, 20), ("Fuses",))
DANGER = Block(2, "warning", LIVE, (10, 40, 90, 50), ("Fuses",), warning="DANGER")
NOTE = Block(3, "warning", "NOTE Keep the screws.", (10, 60, 90, 70), ("Fuses",), warning="NOTE")
ELSEWHERE = Block(4, "warning", LIVE, (10, 80, 90, 90), ("Brakes",), warning="DANGER")


def citation(page=4):
    source = PageRegion(1, "a.pdf", page, "5", (Box(10, 10, 90, 20),))
    return CitationEvent(1, source, "Remove the cover.")


def shown(text):
    return WarningBlockEvent("DANGER", text, citation().source)


def carried(blocks, *events, before=()):
    return warnings_carried([citation(), *events], lambda _, page: blocks if page == 4 else before)


def test_a_section_without_grave_warnings_counts_neither_way():
    assert carried([OPEN, NOTE, ELSEWHERE]) is None
    assert warnings_carried([], lambda *_: [DANGER]) is None


def test_a_warning_that_is_left_out_is_noticed():
    assert carried([OPEN, DANGER]) is False
    assert carried([OPEN, DANGER], shown("Another thing altogether is said here.")) is False


def test_a_warning_may_come_without_its_safety_word():
    assert carried([OPEN, DANGER], shown(LIVE.removeprefix("DANGER "))) is True


def test_a_warning_on_the_page_before_belongs_to_the_section_that_goes_on():
    assert carried([OPEN], before=[DANGER]) is False
    assert carried([OPEN], shown(LIVE), before=[DANGER]) is True
    assert carried([OPEN], before=[ELSEWHERE]) is None
