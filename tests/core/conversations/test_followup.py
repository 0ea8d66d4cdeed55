"""Follow-up questions as they are searched for, with the sample manuals' own subjects."""

from __future__ import annotations

import pytest

from desktop.core.conversations.followup import resolved
from desktop.core.evaluation.gold import read_gold
from desktop.core.paths import resources_folder

SAMPLES = read_gold(resources_folder() / "samples" / "questions.json").questions
BATTERY = "How long does the internal battery test last?"
PAIRS = [
    (BATTERY, "and for the external one?", "How long does the external battery test last?"),
    (BATTERY, "How often is it repeated?", "How often is it repeated? internal battery test last"),
    ("What can be set in Menu 53?", "And in Menu 54?", "What can be set in Menu 54?"),
    (
        "What is the tightening torque for terminals X2:1 to X2:6?",
        "What about X8?",
        "What is the tightening torque for terminals X8?",
    ),
    (
        "What is the part number of the non-return valve cartridge?",
        "and of the mechanical seal?",
        "What is the part number of the mechanical seal?",
    ),
    (
        "How do I change the setpoint of the discharge pressure?",
        "Which code does it need?",
        "Which code does it need? change setpoint discharge pressure",
    ),
    (
        "What does jumper J9 do when it is closed?",
        "and J10?",
        "What does jumper J10 do when it is closed?",
    ),
    (
        "Which relay contact is closed in fault and without power?",
        "Which one is open?",
        "Which one is open? relay contact fault power",
    ),
    (
        "Which backup fuse does the site have to provide for the station?",
        "Where is it mounted?",
        "Where is it mounted? backup fuse site provide station",
    ),
    ("What does E07 mean?", "Is that dangerous?", "Is that dangerous? E07 mean"),
    ("What does E07 mean?", "What should I do then?", "What should I do then? E07 mean"),
    ("Was bedeutet E07?", "Was muss ich dann tun?", "Was muss ich dann tun? bedeutet E07"),
    (
        "How is the internal battery G1 replaced?",
        "Do I have to switch it off before?",
        "Do I have to switch it off before? internal battery G1 replaced",
    ),
    (
        "How is the internal battery G1 replaced?",
        "what tools",
        "what tools internal battery G1 replaced",
    ),
    (
        "Wie lange dauert der Test der internen Batterie?",
        "und bei der externen?",
        "Wie lange dauert der Test der externen Batterie?",
    ),
    ("Wie wird eine Störung quittiert?", "Und wo steht das?", "wo steht das? Störung quittiert"),
    (
        "What can be set in Menu 53?",
        "Who may change this setting?",
        "Who may change this setting? set Menu 53",
    ),
    (
        "How is the internal battery G1 replaced?",
        "How often?",
        "How often? internal battery G1 replaced",
    ),
    (
        "Where do I find the results of the last battery tests?",
        "What about the alarm log?",
        "Where do I find the results of the last battery tests? alarm log",
    ),
]
ALONE = [
    "battery test",
    "fuse F12",
    "Menu 41?",
    "E07",
    "torque terminal X2:1",
    "Where is the type plate?",
    "If the battery is low, how do I replace it?",
    "The display shows E07. What does it mean and what should I do?",
    "Is it possible to connect two pumps to the relay?",
    "How long does it take to charge the battery?",
    "Does the pump have a filter in it?",
    "What is the mass of pump P1 without its motor?",
    "How do I reset this device?",
    "Do I have to drain the tank before I clean it?",
    "What torque for terminal X2",
    "What is the voltage that the sensor needs?",
    "And how do I set the clock of the display?",
    "What about the warranty conditions for spare parts bought later?",
    "How is the other pump vented?",
    "What can I do against water hammer?",
    "Gibt es einen Filter?",
    "Wie stellen Sie den Druck ein?",
    "Ist das Ventil offen?",
]


def asked(*questions: str) -> list[dict[str, str]]:
    said = []
    for question in questions:
        said.append({"role": "user", "content": question})
        said.append({"role": "assistant", "content": "It lasts 2 minutes and repeats hourly."})
    return said


@pytest.mark.parametrize(("before", "prompt", "wanted"), PAIRS, ids=lambda text: str(text)[:30])
def test_a_follow_up_is_searched_for_with_the_subject_of_the_question_before(
    before, prompt, wanted
):
    assert resolved(prompt, asked(before)) == wanted


@pytest.mark.parametrize("question", [each.question for each in SAMPLES] + ALONE)
def test_a_question_that_stands_alone_is_never_changed(question):
    assert resolved(question, asked(BATTERY)) == question


def test_a_chain_of_follow_ups_keeps_the_subject():
    history = asked(BATTERY, "and for the external one?")
    assert resolved("how often?", history) == "how often? external battery test last"


def test_a_new_subject_ends_the_chain():
    history = asked(BATTERY, "Where is the type plate of the station?")
    assert resolved("how large is it?", history) == "how large is it? type plate station"


@pytest.mark.parametrize("prompt", ["and for the external one?", "why?", "", "??", "and"])
def test_without_a_question_before_nothing_is_added(prompt):
    assert resolved(prompt, []) == prompt
    assert resolved(prompt, [{"role": "assistant", "content": "Hello"}]) == prompt
