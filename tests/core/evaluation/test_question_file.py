"""Questions that a person marked as answered wrongly, kept with the library."""

import json
import threading

import pytest

from desktop.core.evaluation.gold import QuestionFile, QuestionFileError, read_gold


@pytest.fixture
def file(tmp_path):
    return QuestionFile(tmp_path / "library" / "questions.json")


def test_a_library_without_the_file_has_no_questions(file):
    assert file.list() == ()
    assert not file.remove("own-1")


def test_a_wrong_answer_is_kept_with_its_right_page_and_note(file):
    file.add("Which fuse?", "It is 10 A.", ("pump.pdf", 4), note=" see the lid ")
    (kept,) = QuestionFile(file.path).list()
    assert (kept.question, kept.wrong_answer, kept.note) == (
        "Which fuse?",
        "It is 10 A.",
        "see the lid",
    )
    assert kept.gold().gold_pages() == {("pump.pdf", 4)}
    assert kept.answer == ""


def test_a_bench_reads_the_file_as_it_stands_without_what_nobody_knows(file):
    file.add("Which fuse?", "10 A", ("pump.pdf", 4))
    file.add("Which oil?", "Any", None, unanswerable=True)
    file.add("Which bolt?", "M8", None)
    fuse, oil = read_gold(file.path).questions
    assert fuse.answerable
    assert not oil.answerable
    assert file.questions() == (fuse, oil)
    assert [each.kind for each in file.list()] == ["wrong_answer", "unanswerable", "open"]


def test_a_removed_question_is_gone_and_its_number_of_the_last_one_only_is_used_again(file):
    for question in ("a", "b", "c"):
        file.add(question, "", None)
    assert file.remove("own-2")
    assert [each.id for each in file.list()] == ["own-1", "own-3"]
    assert file.add("d", "", None).id == "own-4"


@pytest.mark.parametrize("content", ["[{", '[{"id": "x"}]', '[{"question": "a", "more": 1}]'])
def test_a_damaged_file_is_told_and_never_written_over(file, content):
    file.path.parent.mkdir()
    file.path.write_text(content)
    with pytest.raises(QuestionFileError, match=r"questions\.json, at"):
        file.add("Which fuse?", "", None)
    assert file.path.read_text() == content


def test_a_reader_never_sees_half_a_file(file):
    file.add("first", "x" * 20_000, None)
    seen, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            seen.append(len(json.loads(file.path.read_text())))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(20):
        file.add(str(number), "x" * 20_000, None)
    stop.set()
    reader.join()
    assert seen == sorted(seen)
    assert [path.name for path in file.path.parent.iterdir()] == ["questions.json"]
