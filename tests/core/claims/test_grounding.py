"""Which words on a page carry a written sentence, and when nothing does."""

from __future__ import annotations

import pytest

from desktop.core.claims.comparison import Comparison
from desktop.core.claims.grounding import PassageGrounding
from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.page_words import PageWords
from desktop.core.reader.evidence import Evidence
from desktop.core.reader.passages import NumberedPassage
from tests.fakes.comparer import ScriptedComparer
from tests.fakes.language_model import FakeLanguageModel

HEADER = "Manual › 4.3 Torques › Terminal | Screw | Torque"
ROWS = ("X1:1 to X1:4 | PZ 2 | 1.8 Nm", "X2:1 to X2:6 | PZ 2 | 1.2 Nm")
TIGHTEN = "Tighten the terminals X1:1 to X1:4 with 1.8 Nm."


def passage(number: int, page: int, kind: str, context: str, *texts: str) -> NumberedPassage:
    units = tuple(
        Passage(i, kind, text, context, (Box(0, 10.0 * i, 100, 10.0 * i + 9),), (), 1.0)
        for i, text in enumerate(texts)
    )
    return NumberedPassage(number, Evidence(1, "a.pdf", "A", page, str(page), 1, (), units), units)


def grounding(verdicts: dict[tuple[str, str], str | float], model: object = None):
    passages = (
        passage(1, 7, "row", HEADER, *ROWS),
        passage(2, 3, "row", "Manual › 3 Pipes › Joint | Torque", "Transmitter B1 | 18 Nm"),
    )
    comparison = Comparison(ScriptedComparer(verdicts), lambda: model)  # type: ignore[arg-type,return-value]
    return PassageGrounding(passages, lambda _document, _page: PageWords.empty(), comparison)


@pytest.mark.parametrize("cited", [[1], [2], [], [9]])
def test_a_sentence_is_carried_by_the_row_that_says_it_whatever_it_cites(cited):
    grounded = grounding({("X1:1", TIGHTEN[:10]): "agree"}).ground(TIGHTEN, cited)
    (carrier,) = grounded.carriers
    assert (carrier.passage.number, carrier.quote) == (1, ROWS[0])
    assert [box.y0 for box in carrier.source.regions] == [0]
    assert grounded.sure


def test_a_row_is_compared_with_its_headings():
    found = grounding({("Torque: 1.8 Nm", "Tighten"): "agree"}).ground(TIGHTEN, [1])
    assert found.carriers


def test_a_sentence_that_a_cited_row_contradicts_does_not_stand_whatever_else_agrees():
    verdicts: dict[tuple[str, str], str | float] = {
        ("X1:1", "Tighten"): "agree",
        ("X2:1", "Tighten"): "contradict",
    }
    said = "Tighten all terminals with a PZ 2 driver."
    assert grounding(verdicts).ground(said, [1]).carriers == ()


def test_the_row_of_another_part_does_not_speak_against_the_row_with_the_amount():
    verdicts: dict[tuple[str, str], str | float] = {
        ("X1:1", "Tighten"): "agree",
        ("X2:1", "Tighten"): "contradict",
    }
    assert grounding(verdicts).ground(TIGHTEN, [1]).carriers


def test_an_amount_that_stands_in_no_passage_takes_the_sentence_with_it():
    said = "Tighten the terminals X1:1 to X1:4 with 2.8 Nm."
    grounded = grounding({("X1:1", "Tighten"): "agree"}).ground(said, [1])
    assert grounded.carriers == ()
    assert grounded.unsupported == ("2.8 Nm",)


def test_what_the_text_model_is_not_sure_of_stands_only_if_a_language_model_agrees():
    verdicts: dict[tuple[str, str], str | float] = {("X1:1", "Tighten"): 0.5}
    for reply, stands in (('{"verdicts": ["agree"]}', True), ('{"verdicts": ["open"]}', False)):
        grounds = grounding(verdicts, FakeLanguageModel(reply))
        grounded = grounds.ground(TIGHTEN, [1])
        assert not grounded.sure
        assert grounds.settle(TIGHTEN, grounded) is stands
    grounds = grounding(verdicts)
    assert not grounds.settle(TIGHTEN, grounds.ground(TIGHTEN, [1]))


def test_what_nothing_says_is_carried_by_nothing():
    assert grounding({}).ground("Call the fire brigade first.", [1, 2]).carriers == ()


def test_a_sentence_that_only_announces_claims_nothing_unless_it_gives_an_amount():
    grounds = grounding({})
    assert grounds.is_opening("Proceed as follows:")
    assert not grounds.is_opening("Tighten with 99 Nm:")
