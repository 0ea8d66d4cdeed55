"""Pages of a fictional manual and right answers from them, in the manual's words and others."""

from __future__ import annotations

from desktop.core.critic.values import CheckedSentence, CitedPassage
from desktop.core.evaluation.perturbations import CheckedAnswer

_PAGES = {
    1: "The battery test lasts 24 hours and repeats every hour. The battery must not be "
    "disconnected during the test. A new battery is charged within 5 h at 13.8 V.",
    2: "1. Open the drain valve on the left side.\n2. Wait 10 min until the tank is empty.\n"
    "3. Close the drain valve again.\n4. Tighten the four cover screws to 18 Nm.\n"
    "5. Switch the controller on at S1.",
    3: "The inlet pressure is 2.5 bar. The outlet pressure is limited to 6 bar by the relief "
    "valve. Never operate the pump without water.",
    4: "Connect the sensor cable to terminal X1:3. The sensor needs a supply of 24 V and draws "
    "120 mA. The cable should be shorter than 50 m.",
    5: "The siren can be silenced with the key YES. The fault lamp is lit until the log is read. "
    "Do not use solvents for cleaning the display.",
    6: "1. Press and hold RESET for 8 s.\n2. Release the key when the lamp flashes.\n"
    "3. Enter the installer code.\n4. Select menu 41 and confirm with YES.",
    7: "The ambient temperature must be between -10 °C and 55 °C. The housing is made of steel.",
    8: "Check the oil level every 500 hours. The gearbox holds 1.2 l of oil.",
}
_ANSWERS: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = (
    (
        "How long does the battery test last?",
        (("The battery test lasts 24 hours and repeats every hour.", 1),),
    ),
    (
        "May I disconnect the battery while it is tested?",
        (("The battery must not be disconnected during the test.", 1),),
    ),
    ("How is a new battery charged?", (("A new battery is charged at 13.8 V within 5 hours.", 1),)),
    (
        "How do I drain the tank?",
        (
            ("1. Open the drain valve on the left side.", 2),
            ("2. Wait 10 min until the tank is empty.", 2),
            ("3. Close the drain valve again.", 2),
            ("4. Tighten the four cover screws to 18 Nm.", 2),
            ("5. Switch the controller on at S1.", 2),
        ),
    ),
    (
        "What are the pressures at inlet and outlet?",
        (
            ("The pressure at the inlet is 2.5 bar.", 3),
            ("The outlet pressure is limited to 6 bar by the relief valve.", 3),
        ),
    ),
    ("Can the pump run dry?", (("Never operate the pump without water.", 3),)),
    (
        "Where does the sensor cable go, and what does the sensor need?",
        (
            ("Connect the cable of the sensor to terminal X1:3.", 4),
            ("The sensor needs 24 V and draws 120 mA.", 4),
        ),
    ),
    ("How long may the cable be?", (("The cable should be shorter than 50 m.", 4),)),
    ("How is the siren silenced?", (("The siren can be silenced with the key YES.", 5),)),
    ("How do I clean the display?", (("Do not use solvents for cleaning the display.", 5),)),
    (
        "What are the steps to reset the panel?",
        (
            ("1. Press and hold RESET for 8 s.", 6),
            ("2. Release the key when the lamp flashes.", 6),
            ("3. Enter the installer code.", 6),
            ("4. Select menu 41 and confirm with YES.", 6),
        ),
    ),
    (
        "In which ambient temperature may it stand?",
        (("The ambient temperature must be between -10 °C and 55 °C.", 7),),
    ),
    (
        "How often is the oil checked and how much is there?",
        (
            ("Check the level of the oil every 500 hours.", 8),
            ("The gearbox holds 1.2 l of oil.", 8),
        ),
    ),
)


def page(label: int, number: int) -> CitedPassage:
    """Return a page as the citation of a number."""
    return CitedPassage.of_text(number, _PAGES[label], "Pump P-200", str(label))


def right_answers() -> list[CheckedAnswer]:
    """Return the right answers with the pages they cite."""
    answers = []
    for question, said in _ANSWERS:
        labels = list(dict.fromkeys(label for _, label in said))
        numbers = {label: number for number, label in enumerate(labels, 1)}
        sentences = tuple(CheckedSentence(text, (numbers[label],)) for text, label in said)
        passages = tuple(page(label, number) for label, number in numbers.items())
        answers.append(CheckedAnswer(question, sentences, passages))
    return answers


LABELS = tuple(_PAGES)
