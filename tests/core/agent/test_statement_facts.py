"""Numbers, units, terminals and part codes are checked to the letter."""

from __future__ import annotations

import pytest

from desktop.core.agent.answering.statement_facts import Ground, facts_of

MANUAL = Ground(
    [
        "The pump needs 24VDC. Wait five seconds. Connect PE to terminal J1C of S-130.",
        "Operate at -20 to 60 °C, 10 - 20 mA, 1,800 rpm. The test lasts 24 hours. page 4-11",
        "It draws 1.5 Ampere. A 2-wire cable. X2:1 to X2:6 are free, X3:7 is not.",
    ]
)

WIRED = Ground(
    [
        'Pull-ups of 5.6K and 120R, 4.7 kΩ at the input, +/-0.25 V. Supply 5 VDC, 2.5"',
        "19 200 baud, range 0+70C. Set bit 1 in the menu. Mask 0xFFFF. Width 3 in.",
        "Mode: Idle; Current (mA): 350; Pin: 3. Tolerance .35V",
    ]
)


def test_needless_zeros_make_no_other_value():
    printed = Ground(
        ["POWER JACK 5.00 VDC ONLY! 2.50 A, -5.0 V to 12,0 V, release 1.10, 10,000 Hz"]
    )
    told = "It needs 5 V DC. It draws 2.5 A. It gives 12 V or -5V or -5.0 V. It runs at 10000 Hz."
    assert not [fact.text for fact in facts_of(told) if not printed.supports(fact)]
    for other in ("25 A", "50 V", "1.1", "10 Hz", "-12 V", "500 V"):
        assert not any(printed.supports(fact) for fact in facts_of(f"It is {other}."))
    assert all(Ground(["5 V, 12 V"]).supports(fact) for fact in facts_of("5.00 V and 12.0V"))


def unsupported(sentence: str) -> list[str]:
    return [fact.text for fact in facts_of(sentence) if not MANUAL.supports(fact)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It needs 24 V DC.",
        "Wait 5 s.",
        "Wait 5 seconds.",
        "Connect PE to J1C of the S-130.",
        "From -20 °C to 60 °C.",
        "Between 10 and 20 mA.",
        "10-20 mA",
        "It runs at 1800 rpm.",
        "It is a 24-hour test, see page 4-11.",
        "It draws 1.5 A.",
        "Use a cable with 2 wires.",
        "3. Wait 5 seconds.",
        "Use terminals X2:3 and X3:7.",
        "Nothing to check here.",
    ],
)
def test_what_the_manual_says_is_supported_in_other_spellings_too(sentence):
    assert unsupported(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Use 5.6 kOhm, 5.6 kΩ or 5.6K.",
        "A resistor of 120 ohms.",
        "It has 4.7K.",
        "Regulated to +/-0.25 V.",
        "Tolerance 0.35 V",
        "It needs 5 V DC.",
        "19200 baud",
        "Up to +70 °C.",
        "If bit 1 in the menu is set",
        "Write 0xffff.",
        "It is 3 inches wide.",
        "Idle it draws 350 mA.",
        "Do this. 2. Do that.",
    ],
)
def test_values_are_known_in_the_spellings_of_data_sheets(sentence):
    assert [fact.text for fact in facts_of(sentence) if not WIRED.supports(fact)] == []


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Use 56 kOhm.", ["56 kOhm"]),
        ("Use 5.6 ohm.", ["5.6 ohm"]),
        ("Use 120K.", ["120K"]),
        ("It needs 5 VAC.", ["5 VAC"]),
        ("9600 baud", ["9600 baud"]),
        ("Write 0xFFF0.", ["0xFFF0"]),
        ("It is 4 inches wide.", ["4 inches"]),
        ("It draws 3 mA.", ["3 mA"]),
    ],
)
def test_other_values_stay_wrong_in_any_spelling(sentence, wrong):
    assert [fact.text for fact in facts_of(sentence) if not WIRED.supports(fact)] == wrong


def test_a_unit_is_told_once_with_its_number():
    assert [fact.text for fact in facts_of("It takes 5 VDC and 24 V DC.")] == [
        "5 VDC",
        "24 V",
        "DC",
    ]


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("It needs 24 A.", ["24 A"]),
        ("It needs 240 V.", ["240 V"]),
        ("Wait 6 seconds.", ["6 seconds"]),
        ("Wait six seconds.", ["six seconds"]),
        ("Connect S-131.", ["S-131"]),
        ("Connect terminal J1D and COM.", ["J1D", "COM"]),
        ("Down to -60 °C.", ["-60 °C"]),
        ("10-30 mA", ["10-30 mA"]),
        ("It draws 15 A.", ["15 A"]),
        ("See page 4-12.", ["4-12"]),
        ("Use terminals X2:7 and X3:1.", ["X2:7", "X3:1"]),
        ("Connect terminal L to N+.", ["N+", "L"]),
    ],
)
def test_what_it_does_not_say_is_named_as_it_was_written(sentence, wrong):
    assert unsupported(sentence) == wrong
