"""A vision model is asked what a photo shows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.core.events import CompleteEvent, ConfidenceEvent, ErrorEvent, TokenEvent
from desktop.core.jobs import CancelToken
from desktop.core.picture_questions import NO_MODEL, PictureReader
from desktop.core.structure.values import PageImage, PhotoText
from desktop.models.errors import ModelNotInstalled
from tests.fakes.vision import FakeVision

if TYPE_CHECKING:
    from desktop.core.events import Event

PHOTO = PhotoText((), PageImage(4, 3, b"\xff" * 36))


def asked(
    vision: FakeVision | None, prompt: str = "What is it?", *, cancelled: bool = False
) -> list[Event]:
    async def run() -> list[Event]:
        token = CancelToken()
        if cancelled:
            token.cancel()
        reader = PictureReader(lambda: vision, PHOTO)
        return [event async for event in reader.run(prompt, cancel=token)]

    return asyncio.run(run())


def outcome(events: list[Event]) -> str:
    assert isinstance(events[-1], CompleteEvent)
    return events[-1].outcome


def test_what_the_model_says_is_the_answer_and_hardly_sure():
    events = asked(FakeVision("A pump."))
    assert "".join(e.content for e in events if isinstance(e, TokenEvent)).strip() == "A pump."
    assert [e.value for e in events if isinstance(e, ConfidenceEvent)] == [pytest.approx(0.4)]
    assert outcome(events) == "answered"


def test_without_a_model_it_says_so():
    events = asked(None)
    assert NO_MODEL in [e.content for e in events if isinstance(e, TokenEvent)]
    assert outcome(events) == "not_found"


def test_that_it_says_nothing_is_told_in_the_language_of_the_question():
    events = asked(FakeVision(""), "Was ist das für ein Bauteil an der Pumpe?")
    assert "Das Bildmodell" in "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert outcome(events) == "not_found"


def test_a_model_that_fails_is_told():
    events = asked(FakeVision(ModelNotInstalled("It is gone.")))
    assert any(isinstance(event, ErrorEvent) for event in events)
    assert outcome(events) == "failed"


def test_one_that_is_stopped_ends_as_stopped():
    assert outcome(asked(FakeVision("A pump."), cancelled=True)) == "cancelled"
