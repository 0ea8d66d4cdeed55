from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from desktop.core.critic.answer_sentences import answer_sentences
from desktop.core.critic.checks import check_answer
from desktop.core.critic.corrections import corrections_for
from desktop.core.critic.values import CheckedSentence, CitedPassage
from desktop.core.evaluation.perturbations import KINDS, perturbed
from desktop.core.events import RevisionEvent, TokenEvent
from tests.core.critic.pages import LABELS, page, right_answers

if TYPE_CHECKING:
    from desktop.core.critic.values import Finding
    from desktop.core.evaluation.perturbations import CheckedAnswer


def said(text: str, *cited: int) -> CheckedSentence:
    return CheckedSentence(text, cited or (1,))


def findings(answer: CheckedAnswer) -> tuple[Finding, ...]:
    return check_answer(answer.sentences, answer.passages, answer.question)


def kinds(sentences, passages, question="") -> list[str]:
    return [finding.kind for finding in check_answer(sentences, passages, question)]


def test_right_answers_raise_no_alarm():
    assert [each.question for each in right_answers() if findings(each)] == []


def test_most_of_a_hundred_seeded_errors_are_found_and_no_right_answer_is_blamed():
    random = Random(20261122)
    answers = right_answers()

    def elsewhere(passage: CitedPassage, random: Random) -> CitedPassage:
        other = random.choice([label for label in LABELS if str(label) != passage.label])
        return page(other, passage.number)

    made: dict[str, int] = dict.fromkeys(KINDS, 0)
    caught: dict[str, int] = dict.fromkeys(KINDS, 0)
    for kind in KINDS:
        while made[kind] < 20:
            wrong = perturbed(kind, random.choice(answers), random, elsewhere)
            if wrong is None:
                continue
            made[kind] += 1
            caught[kind] += bool(findings(wrong))
    untouched = [random.choice(answers) for _ in range(100)]

    assert sum(made.values()) == 100
    assert sum(caught.values()) >= 90
    assert min(caught.values()) >= 15
    assert sum(bool(findings(each)) for each in untouched) == 0


def test_a_value_that_is_not_in_the_cited_words_is_named_with_the_page():
    (found,) = check_answer([said("The battery test lasts 30 hours.")], [page(1, 1)])
    assert found.kind == "value"
    assert found.unsupported == ("30 hours",)
    assert "page 1" in found.message
    assert found.instead is not None
    assert found.instead.text.startswith("The battery test lasts 24 hours")


def test_a_value_of_the_question_needs_no_page():
    sentence = said("For the P-200 at site 12 the inlet pressure is 2.5 bar.")
    assert kinds([sentence], [page(3, 1)], "What is the inlet pressure at site 12?") == []


def test_a_sentence_on_the_wrong_page_is_unsupported():
    assert kinds([said("The siren can be silenced with the key YES.")], [page(7, 1)]) == [
        "unsupported"
    ]


def test_a_sentence_without_a_citation_is_unsupported_but_an_opening_is_not():
    sentences = [CheckedSentence("Proceed as follows:"), CheckedSentence("The housing is blue.")]
    assert [f.sentence for f in check_answer(sentences, [page(7, 1)])] == [1]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The battery must be disconnected during the test.", 1),
        ("Use solvents for cleaning the display.", 5),
        ("The siren can not be silenced with the key YES.", 5),
        ("The housing isn't made of steel.", 7),
    ],
)
def test_a_sentence_that_says_the_opposite_is_found(text, label):
    assert kinds([said(text)], [page(label, 1)]) == ["negation"]


def test_german_denials_are_understood():
    passage = CitedPassage.of_text(1, "Den Deckel bei laufender Pumpe nicht öffnen.", "", "3")
    assert kinds([said("Den Deckel bei laufender Pumpe öffnen.")], [passage]) == ["negation"]
    assert kinds([said("Bei laufender Pumpe den Deckel nicht öffnen.")], [passage]) == []


def test_two_terminals_swapped_between_two_rows_are_found():
    passage = CitedPassage.of_text(1, "Connect red wire to X1:1.\nConnect black wire to X1:2.")
    assert kinds([said("Connect red wire to X1:1.")], [passage]) == []
    assert kinds([said("Connect red wire to X1:2.")], [passage]) == ["value"]


def test_a_missing_step_is_named_where_it_belongs():
    answer = next(each for each in right_answers() if "drain" in each.question)
    told = [each for index, each in enumerate(answer.sentences) if index != 2]
    (found,) = check_answer(told, answer.passages, answer.question)
    assert (found.kind, found.sentence) == ("missing_step", 1)
    assert "Close the drain valve" in found.message


def test_one_step_alone_is_no_procedure_with_steps_missing():
    question = "How tight are the cover screws?"
    sentence = said("4. Tighten the four cover screws to 18 Nm.")
    assert kinds([sentence], [page(2, 1)], question) == []


def test_two_pages_with_other_values_for_the_same_contradict_each_other():
    one = CitedPassage.of_text(1, "The test pressure is 10 bar.", "Manual", "4")
    other = CitedPassage.of_text(2, "The test pressure is 12 bar.", "Bulletin", "1")
    sentences = [said("The test pressure is 10 bar.", 1), said("The test pressure is 12 bar.", 2)]
    (found,) = check_answer(sentences, [one, other])
    assert found.kind == "contradiction"
    assert "10 bar" in found.message
    assert "12 bar" in found.message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The inlet pressure is 10 bar.", "The outlet pressure is 12 bar."),
        ("The test pressure is 10 bar.", "The test pressure is 10 bar, never more."),
        ("The pressure of the P-200 is 10 bar.", "The pressure of the P-300 is 12 bar."),
        ("The test pressure is 10 bar.", "The test pressure lasts for 12 min."),
    ],
)
def test_what_speaks_of_two_things_or_agrees_is_no_contradiction(one, other):
    passages = [CitedPassage.of_text(1, one, "A", "1"), CitedPassage.of_text(2, other, "B", "2")]
    assert kinds([said(one, 1), said(other, 2)], passages) == []


def corrected(sentences, passages, question=""):
    found = check_answer(sentences, passages, question)
    return corrections_for(found, sentences, passages, question)


def test_a_wrong_value_is_corrected_to_the_words_of_the_page():
    (correction,) = corrected([said("The inlet pressure is 3.5 bar.")], [page(3, 1)])
    assert correction.text == "The inlet pressure is 2.5 bar."
    assert "3.5 bar" in correction.reason


def test_a_sentence_that_another_cited_page_says_gets_that_citation():
    sentences = [
        said("The housing is made of steel.", 1),
        said("The gearbox holds 1.2 l of oil.", 2),
    ]
    (correction,) = corrected(sentences, [page(8, 1), page(7, 3), page(8, 2)])
    assert (correction.text, correction.cited) == ("The housing is made of steel.", (3,))


def test_a_sentence_that_no_page_says_is_withdrawn():
    (correction,) = corrected([said("The motor is painted green at the factory.")], [page(3, 1)])
    assert correction.text == ""


def test_missing_steps_follow_the_step_before_them():
    answer = next(each for each in right_answers() if "reset" in each.question)
    told = [answer.sentences[0], answer.sentences[3]]
    corrections = corrected(told, answer.passages, answer.question)
    assert [a.quote.text for c in corrections for a in c.additions] == [
        "2. Release the key when the lamp flashes.",
        "3. Enter the installer code.",
    ]
    assert corrections[0].sentence == 0


def test_statements_are_read_off_the_stream_with_their_place_and_without_what_was_withdrawn():
    text = "It is 5 A. [1] Nobody says this.\n1. Open it. [2][3]\n"
    withdrawn = RevisionEvent(1, text.index("Nobody"), "Nobody says this.", "")
    found = answer_sentences([TokenEvent(text[:20]), TokenEvent(text[20:]), withdrawn])
    assert [(each.checked.text, each.checked.cited) for each in found] == [
        ("It is 5 A.", (1,)),
        ("1. Open it.", (2, 3)),
    ]
    assert [text[each.start :].startswith(each.streamed) for each in found] == [True, True]


def _in_own_words(text, *pages):
    passages = [CitedPassage.of_text(n, page, f"p{n}.pdf") for n, page in enumerate(pages, 1)]
    return check_answer([CheckedSentence(text, tuple(range(1, len(pages) + 1)))], passages)


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("Power the control board with 12-24 V.", "The control board is powered with 12-24V (DC)."),
        (
            "The calibrated length is 99.5-100.5 mm.",
            "Your length is calibrated within (ie, 99.5-100.5mm) of it.",
        ),
        ("The loop gives 10 to 20 mA.", "The loop gives 10-20mA."),
        ("Use a 2.5 inch hard disk.", "Only a 2.5'' hard disk can be used."),
        ("Section 2.5.5: 192.168.1.254.", "2.5.5 Network\nThe address is 192.168.1.254."),
    ],
)
def test_a_value_in_another_spelling_is_the_same_value(said, page):
    assert _in_own_words(said, page) == ()
    wrong = re.sub(r"\d(?=\D*$)", "7", said)
    assert _in_own_words(wrong, page)


def test_a_count_of_the_same_things_stands_for_it_wherever_it_is_said():
    pages = (
        "The ThorGuard system can accommodate up to 250 users.",
        "The user number is an individual number of the system user with up to eight digits.",
    )
    assert _in_own_words("The system supports up to 250 individual users.", *pages) == ()
    assert _in_own_words("The system supports up to 300 individual users.", *pages)


def test_a_sentence_may_join_what_two_places_say():
    box = "72-5035 | External battery box G2 | 2 batteries 12 V 18 Ah, fuse 6 A"
    battery = "72-2024 | Battery G1 | 12 V 7 Ah"
    passages = [
        CitedPassage.of_text(1, box, "installation manual"),
        CitedPassage.of_text(2, battery, "operator manual"),
    ]
    right = "Box 72-5035 (installation manual), battery 72-2024 (operator manual)."
    assert kinds([said(right, 1, 2)], passages) == []
    assert kinds([said(right.replace("2024", "2027"), 1, 2)], passages) == ["value"]


def test_a_sentence_that_a_page_break_cuts_does_not_contradict_its_own_beginning():
    whole = "If it is good, the menu shows BATTERY OK after two minutes, if not, BATTERY LOW."
    cut = "is good, the menu shows BATTERY OK after two minutes, if"
    assert _in_own_words("The menu shows BATTERY OK after two minutes.", whole, cut) == ()
