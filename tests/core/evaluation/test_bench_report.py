"""What is written of a bench: the Markdown, and what changed since an earlier one."""

import json

import pytest

from desktop.core.evaluation.bench import (
    OldReportError,
    compare,
    markdown,
    read_report,
    report,
    same_column,
    shortcomings,
)
from desktop.core.evaluation.cited import CitedWords
from desktop.core.evaluation.gold import GoldQuestion
from desktop.core.evaluation.measures import Conduct, QuestionOutcome, figures


def asked(id_, page=None, answer="", box=None, kind="spec"):
    return GoldQuestion.model_validate(
        {
            "id": id_,
            "kind": kind,
            "question": f"What of {id_} | <b>?",
            "answer": answer,
            "document": None if page is None else "a.pdf",
            "pages": [] if page is None else [page],
            "regions": [] if box is None else [{"page": page, "bbox": box}],
        }
    )


def went(question, *ranked, said="", warned=None, gold_words=()):
    conduct = Conduct("answered" if said else "not_found", said, "", 1, 1, 1, 1, 0.1, False, ())
    pages = tuple(("a.pdf", page) for page in ranked)
    cited = pages[0] if said and pages else None
    return QuestionOutcome(
        question,
        pages,
        cited,
        bool(said),
        20.0,
        conduct,
        warned=warned,
        citations=(CitedWords(pages[0], frozenset({0, 1}), 1.0),) if cited else (),
        gold_words=gold_words,
    )


GOOD = went(asked("good", 3, "5 A and 24 V"), 3, said="5 A at 24 V DC [1].", warned=True)
HALF = went(asked("half", 3, "5 A and 24 V"), 7, 3, said="The fuse is 5 A [1].", warned=False)
REFUSED = went(asked("refused", 3, "5 A", box=(1, 1, 9, 9)), 8)
INVENTED = went(asked("invented"), 2, said="It is red [1].")
SILENT = went(asked("silent"), 2)
PART = went(
    asked("part", 3), 3, said="It is red [1].", gold_words=((("a.pdf", 3), frozenset(range(4))),)
)
ALL = [GOOD, HALF, REFUSED, INVENTED, SILENT]


def column(*outcomes, decider="rules"):
    return {"decider": decider, "profile": "lite", **report(outcomes)}


def test_facts_are_counted_where_the_expected_answer_names_some():
    words_alone = went(asked("words", 3, "below the lid"), 3, said="Somewhere else [1].")
    assert figures([GOOD, HALF, REFUSED, words_alone])["fact_recall"] == 0.5
    assert figures([words_alone])["fact_recall"] is None


def test_refusals_are_measured_by_how_often_they_are_right_and_how_many_are_made():
    found = figures(ALL)
    assert found["refusal_precision"] == 0.5  # "silent" rightly, "refused" wrongly
    assert found["refusal_recall"] == 0.5  # "invented" was answered
    assert figures([GOOD])["refusal_precision"] is None


def test_warnings_count_where_the_cited_section_has_some():
    assert figures(ALL)["warnings_carried"] == 0.5
    assert figures([SILENT])["warnings_carried"] is None


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (GOOD, []),
        (SILENT, []),
        (
            HALF,
            [
                "right page at place 2",
                "50% of the facts",
                "warnings of the cited section missing",
            ],
        ),
        (REFUSED, ["right page not found", "refused, although the manuals answer it"]),
        (INVENTED, ["answered, although the manuals do not"]),
        (PART, ["50% of the region"]),
    ],
)
def test_what_went_wrong_is_said_in_words(outcome, says):
    (row,) = report([outcome])["questions"]
    assert shortcomings(row) == says


def test_the_report_says_what_was_expected_and_what_was_found_instead():
    text = markdown([column(*ALL)], ["questions of gold.json"])
    assert "| spec | 0.33 |" in text
    assert "Questions that failed: 3 of 5" in text
    half = text[text.index("#### half") : text.index("#### refused")]
    assert "- Expected: a.pdf page 4: 5 A and 24 V" in half
    assert "- Found instead: a.pdf page 8, a.pdf page 4" in half
    assert "- Answered: The fuse is 5 A \\[1\\]., citing a.pdf page 8" in half
    assert "- Expected: that it is not in the manuals" in text
    assert "#### good" not in text


def test_words_of_questions_and_manuals_cannot_become_markup():
    text = markdown([column(INVENTED)])
    assert "What of invented \\| \\<b\\>?" in text
    assert "<b>" not in text.replace("\\<b\\>", "")


def test_a_comparison_names_the_measures_and_the_questions_that_moved():
    better = went(HALF.question, 3, said="5 A, 24 V [1].", warned=True)
    worse = went(GOOD.question, 9, said="", warned=None)
    found = compare(column(GOOD, HALF, SILENT), column(worse, better, INVENTED))
    moved = {change.name: change.difference for change in found.measures}
    assert moved["hit@1"] == 0
    assert moved["hit@5"] == -0.5
    changed = {change.id: change for change in found.questions}
    assert set(changed) == {"good", "half"}
    assert changed["half"].better == (
        "page at 2, now at 1",
        "warnings met",
        "facts 50% to 100%",
    )
    assert changed["good"].worse == (
        "page at 1, now not found",
        "answer refused",
        "facts 100% to 0%",
    )
    assert (found.added, found.gone) == (("invented",), ("silent",))


def test_a_comparison_takes_the_column_of_the_same_decider_and_profile():
    old = [column(GOOD, decider="dspy"), column(GOOD)]
    assert same_column(old, column(HALF)) is old[1]
    assert same_column(old, column(HALF, decider="prompt")) is None
    assert same_column(old[:1], column(HALF)) is old[0]


def test_an_old_report_is_read_with_one_column_and_with_several(tmp_path):
    path = tmp_path / "old.json"
    path.write_text(json.dumps(column(GOOD)))
    (single,) = read_report(path)
    assert single["overall"]["n"] == 1
    path.write_text(json.dumps({"columns": [single, single], "not_measured": {}}))
    assert len(read_report(path)) == 2


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"columns": [3]}'])
def test_a_file_that_is_no_report_is_told_apart(tmp_path, text):
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(OldReportError, match=r"old\.json is not"):
        read_report(path)
