"""Reading a folder of labelled questions, and telling which manuals are not there."""

import hashlib
import json

import pytest

from scripts.bench.label_files import LabelFileError, find_manuals, read_labels
from tests.fakes.labels import PUMP_QUESTION, label_manual, write_labels


def test_only_the_manuals_of_the_split_are_read(tmp_path):
    manuals = [label_manual("pump", split="choose"), label_manual("crane", split="test")]
    write_labels(tmp_path, manuals, {"pump": [PUMP_QUESTION], "crane": [PUMP_QUESTION | {"id": 2}]})
    chosen = read_labels(tmp_path, "learn")
    assert chosen.manuals == ()
    assert chosen.questions == {}
    with pytest.raises(LabelFileError, match=r"crane\.jsonl, line 1, at id"):
        read_labels(tmp_path, "test")
    assert [each.id for each in read_labels(tmp_path, "choose").questions["pump"]] == ["q1"]


def test_words_are_inclusive_ranges(tmp_path):
    place = {"page": 3, "words": [[2, 4], [9, 9]], "value": "5 A"}
    write_labels(tmp_path, [label_manual("pump")], {"pump": [PUMP_QUESTION | {"answers": [place]}]})
    (question,) = read_labels(tmp_path).questions["pump"]
    assert question.asked[0].places[0].indices == {2, 3, 4, 9}
    assert question.pages == {3}


def test_a_question_of_two_parts_is_answerable_if_one_of_them_is(tmp_path):
    parts = [
        {"question": "Which fuse?", "answers": PUMP_QUESTION["answers"]},
        {"question": "Who sells it?", "answerable": False},
    ]
    both = {key: value for key, value in PUMP_QUESTION.items() if key != "answers"}
    write_labels(tmp_path, [label_manual("pump")], {"pump": [both | {"parts": parts}]})
    (question,) = read_labels(tmp_path).questions["pump"]
    assert [part.question for part in question.answered_parts] == ["Which fuse?"]
    assert question.answered_parts[0].answers[0].value == "5 A"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"text": "copied"}, "text"),
        ({"answers": [{"page": 0, "words": [[4, 2]]}]}, "no range"),
        ({"answers": []}, "answerable exactly when"),
        ({"answerable": False}, "answerable exactly when"),
        ({"scope": "shelf"}, "scope"),
    ],
)
def test_a_label_that_is_not_of_the_form_is_named_with_its_line(tmp_path, change, complaint):
    write_labels(tmp_path, [label_manual("pump")], {"pump": [PUMP_QUESTION | change]})
    with pytest.raises(LabelFileError, match=rf"pump\.jsonl, line 1.*{complaint}"):
        read_labels(tmp_path)


def test_an_id_that_stands_there_twice_is_refused(tmp_path):
    questions = {"pump": [PUMP_QUESTION], "crane": [PUMP_QUESTION]}
    write_labels(tmp_path, [label_manual("pump"), label_manual("crane")], questions)
    with pytest.raises(LabelFileError, match="q1 stands there twice"):
        read_labels(tmp_path)


def test_pairs_are_read_beside_the_questions(tmp_path):
    write_labels(tmp_path, [label_manual("pump")], {})
    pair = {"id": "p1", "page": 0, "words": [[0, 3]], "b": "It is 6 A.", "relation": "contradict"}
    (tmp_path / "pairs").mkdir()
    (tmp_path / "pairs" / "pump.jsonl").write_text(json.dumps(pair | {"type": "value"}) + "\n")
    (read,) = read_labels(tmp_path).pairs["pump"]
    assert read.relation == "contradict"
    assert read.indices == {0, 1, 2, 3}


def test_manuals_are_found_by_what_is_in_the_file_and_missing_ones_say_where_they_came_from(
    tmp_path,
):
    pdfs = tmp_path / "pdfs" / "more"
    pdfs.mkdir(parents=True)
    (pdfs / "renamed.pdf").write_bytes(b"a pump")
    pump = label_manual("pump", sha256=hashlib.sha256(b"a pump").hexdigest())
    write_labels(tmp_path, [pump, label_manual("crane")], {})
    found = find_manuals(read_labels(tmp_path).manuals, tmp_path / "pdfs")
    assert found.paths == {"pump": pdfs / "renamed.pdf"}
    (missing,) = found.missing
    assert missing.slug == "crane"
    assert missing.origin == "makers/manuals at abc: docs/crane.pdf"
