"""How fast a model is: measured while it works, remembered, and what is asked of it by it."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from desktop.core.agent.model_share import ModelShare
from desktop.core.settings.sections import AgentSettings
from desktop.models.generation import GenerationEnd, PromptProgress, TextPart, Usage
from desktop.models.speed import Speed, Speeds, timed
from tests.fakes.language_model import FakeLanguageModel

if TYPE_CHECKING:
    from desktop.models.generation import GenerationPart


def clock(step: float):
    ticks = count()
    return lambda: next(ticks) * step


def test_what_was_measured_is_known_after_a_start(tmp_path):
    Speeds(tmp_path / "speeds.json").measured("m", 50.0, 5.0)
    again = Speeds(tmp_path / "speeds.json")
    assert again.of("m") == Speed(50.0, 5.0)
    again.measured("m", 70.0, 0.0)  # on mains now; nothing was written
    assert Speeds(tmp_path / "speeds.json").of("m") == Speed(60.0, 5.0)


@pytest.mark.parametrize("text", ["", "[]", '{"m": 1}', '{"m": {"reading": "fast"}}'])
def test_a_damaged_file_costs_a_measurement_and_no_answer(tmp_path, text):
    file = tmp_path / "speeds.json"
    file.write_text(text)
    speeds = Speeds(file)
    assert speeds.of("m") is None
    speeds.measured("m", 50.0, 5.0)
    assert Speeds(file).of("m") == Speed(50.0, 5.0)


def test_a_generation_is_passed_on_and_measured_by_what_it_says_of_itself():
    parts: list[GenerationPart] = [
        PromptProgress(0, 100),
        PromptProgress(100, 100),
        *[TextPart("word")] * 10,
        GenerationEnd("stop", Usage(100, 0, 10, 2.0, 5.0)),
    ]
    told: list[tuple[float, float]] = []
    assert list(timed(iter(parts), lambda *speed: told.append(speed))) == parts
    assert told == [(50.0, 2.0)]


def test_one_that_is_given_up_while_it_reads_is_known_to_be_slow():
    told: list[tuple[float, float]] = []
    parts = iter([PromptProgress(0, 3_000), PromptProgress(100, 3_000)])
    running = timed(parts, lambda *speed: told.append(speed), clock(10.0))
    next(running), next(running)
    del running  # nobody reads on
    assert told  # before it has ended: the next question may be asked by then
    assert all(0 < reading < 20 and writing == 0 for reading, writing in told)


def asked_of(speed: Speed | None, **settings: object) -> tuple[bool, bool]:
    model = FakeLanguageModel()
    model.speed = speed
    share = ModelShare(lambda: model, AgentSettings.model_validate(settings))
    return share.to_decide() is not None, share.to_write() is not None


@pytest.mark.parametrize(
    ("speed", "does"),
    [
        (None, (True, True)),  # tried once
        (Speed(1_000, 40), (True, True)),
        (Speed(100, 7), (True, False)),
        (Speed(57, 5), (False, False)),
        (Speed(10, 1), (False, False)),
        (Speed(10, 0), (False, False)),  # it never came to write
    ],
)
def test_the_measured_speed_decides_what_a_model_is_asked_to_do(speed, does):
    assert asked_of(speed) == does


def share_after(*decisions: tuple[float, bool]) -> ModelShare:
    model = FakeLanguageModel()
    model.speed = Speed(1_000, 40)  # it seems fast, and something else keeps the machine busy
    share = ModelShare(lambda: model, AgentSettings())
    for seconds, ended in decisions:
        share.decided(seconds, ended)
    return share


@pytest.mark.parametrize("decision", [(107.0, True), (120.0, False)])
def test_a_decision_that_was_waited_for_too_long_is_not_asked_for_again(decision):
    share = share_after((3.0, True), decision)
    assert share.to_decide() is None
    assert share.to_write() is not None


def test_a_decision_that_a_person_stopped_says_nothing_of_the_model():
    assert share_after((40.0, True), (2.0, False)).to_decide() is not None
    assert share_after((107.0, True), (2.0, False)).to_decide() is None


@pytest.mark.parametrize(
    ("chosen", "does"),
    [
        ("both", (True, True)),
        ("decide", (True, False)),
        ("write", (False, True)),
        ("quote", (False, False)),
    ],
)
def test_a_persons_choice_is_kept_whatever_the_speed(chosen, does):
    assert asked_of(Speed(10, 1), model_does=chosen) == does


def test_why_the_manuals_are_quoted_beside_a_model_is_told():
    model = FakeLanguageModel()
    model.speed = Speed(57, 5)
    why = ModelShare(lambda: model, AgentSettings()).why_quoted()
    assert why == "the language model needs about 112 seconds for an answer here"
