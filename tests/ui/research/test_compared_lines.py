"""A report says what was compared once: on the cards, with the citations of its own lines."""

from __future__ import annotations

from desktop.ui.asking.report_view import divide_report
from desktop.ui.chat.research import Compared

PE = Compared("Tighten the nut with 8 Nm.", "PE stud; Torque: 6 Nm", False, "8 Nm instead of 6 Nm")
G1 = Compared("The test of G1 takes 2 min.", "Duration [s]: 120.", True, "2 minutes")
PE_LINE = (
    "Site notes say: “Tighten the nut with 8 Nm.” [1] The manual says: “PE stud; Torque: 6 Nm.” [2]"
)
G1_LINE = (
    "Site notes say: “The test of G1 takes 2 min.” [3] The manual says: “Duration (s): 120.” [4]"
)


def test_the_lines_of_the_cards_leave_the_text_and_take_their_headings_with_them():
    text = f"Contradictions\n- {PE_LINE}\n\nAgreements\n- {G1_LINE}"
    assert divide_report(text, (PE, G1)) == ("", [PE_LINE, G1_LINE])


def test_what_no_card_shows_stays_in_the_text():
    text = (
        f"Contradictions\nNo contradiction was found.\n\nAgreements\n- {G1_LINE}\n"
        "- A sentence of a model's own [5]"
    )
    rest, lines = divide_report(text, (G1,))
    assert rest == (
        "Contradictions\nNo contradiction was found.\n\nAgreements\n"
        "- A sentence of a model's own [5]"
    )
    assert lines == [G1_LINE]


def test_a_comparison_that_the_report_does_not_hold_has_no_line():
    text = f"Agreements\n- {G1_LINE}"
    assert divide_report(text, (PE, G1)) == ("", ["", G1_LINE])
    assert divide_report("It is all right [1].", (PE,)) == ("It is all right [1].", [""])


def test_the_same_comparison_twice_takes_two_lines_if_there_are_two():
    text = f"- {PE_LINE}\n- {PE_LINE}"
    assert divide_report(text, (PE, PE)) == ("", [PE_LINE, PE_LINE])
    assert divide_report(f"- {PE_LINE}", (PE, PE)) == ("", [PE_LINE, ""])
