"""One glides to a highlight; it pulses once and then stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.ui.design.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterator


PLACES = [
    PageRegion(1, "manual.pdf", 0, "1-1", (Box(72, 150, 300, 165),)),
    PageRegion(1, "manual.pdf", 0, "1-1", (Box(72, 170, 300, 185),)),
]


@pytest.fixture
def still() -> Iterator[None]:
    look = theme().look
    theme().wear(replace(look, still=True))
    yield
    theme().wear(look)


def test_a_highlight_pulses_once_and_stays_with_its_number(opened, qtbot):
    strengths: list[float] = []
    opened.show_regions(PLACES)
    qtbot.waitUntil(lambda: opened.view.overlays.pulse > 0)
    strengths.append(opened.view.overlays.pulse)
    qtbot.waitUntil(lambda: not opened._pulse.running)
    assert opened.view.overlays.pulse == 0
    assert [number for number, _, _ in opened.view.overlays.on_page(1, 0).regions] == [2, 1]
    opened.actions_by_name["next_highlight"].trigger()
    assert opened._pulse.running


def test_with_reduced_motion_nothing_pulses(opened, still):
    opened.show_regions(PLACES)
    assert not opened._pulse.running
    assert opened.view.overlays.pulse == 0
    assert len(opened.highlight_rects(0)) == 2


def test_one_glides_to_a_highlight_and_it_pulses_when_it_is_in_view(opened, qtbot):
    seen: list[tuple[float, bool]] = []
    bar = opened.view.verticalScrollBar()
    bar.valueChanged.connect(lambda value: seen.append((value, opened._pulse.running)))
    opened.show_regions([replace(PLACES[0], page=2, label="1-3")])
    assert opened.view.gliding
    qtbot.waitUntil(lambda: opened._pulse.running)
    assert not opened.view.gliding
    assert len(seen) > 2
    assert not any(running for _, running in seen)
    [rect] = opened.highlight_rects(2)
    assert opened.view.viewport().rect().contains(rect.toAlignedRect())


def test_a_turn_of_the_wheel_ends_the_glide(opened, qtbot):
    opened.show_regions([replace(PLACES[0], page=2, label="1-3")])
    assert opened.view.gliding
    opened.view.verticalScrollBar().setValue(0)
    assert not opened.view.gliding
    qtbot.wait(50)
    assert opened.view.verticalScrollBar().value() == 0


def test_with_reduced_motion_a_highlight_is_in_view_at_once(opened, still):
    opened.show_regions([replace(PLACES[0], page=2, label="1-3")])
    assert not opened.view.gliding
    [rect] = opened.highlight_rects(2)
    assert opened.view.viewport().rect().contains(rect.toAlignedRect())
