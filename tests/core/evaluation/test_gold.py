import json

import pytest

from desktop.core.evaluation.gold import GoldFileError, read_gold

QUESTION = {
    "id": "q1",
    "kind": "table",
    "question": "Which fuse?",
    "document": "a.pdf",
    "pages": [3],
    "regions": [{"page": 3, "bbox": [1, 2, 3, 4]}],
}


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "gold.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def test_questions_are_read_with_their_pages_and_regions(written):
    (question,) = read_gold(written([QUESTION])).questions
    assert question.answerable
    assert question.gold_pages() == {("a.pdf", 3)}
    (region,) = question.regions
    assert region.bbox == (1, 2, 3, 4)


def test_a_question_without_a_manual_has_no_answer(written):
    (question,) = read_gold(written([QUESTION | {"document": None, "pages": []}])).questions
    assert not question.answerable
    assert question.gold_pages() == set()


def test_the_manuals_of_all_questions_are_known(written):
    over_two = QUESTION | {"evidence": [{"document": "b.pdf", "page": 1}]}
    unanswerable: dict[str, object] = QUESTION | {"document": None, "pages": []}
    assert read_gold(written([over_two, unanswerable])).documents == {"a.pdf", "b.pdf"}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ([QUESTION, QUESTION | {"pages": ["three"]}], "1.pages.0"),
        ([QUESTION | {"regions": [{"page": 3, "bbox": [1, 2]}]}], "0.regions.0.bbox"),
        ([{"id": "q1"}], "0.kind"),
        ("[{", "the start"),
        ({"questions": []}, "the start"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_place(written, content, place):
    with pytest.raises(GoldFileError, match=r"gold\.json") as error:
        read_gold(written(content))
    assert f"at {place}" in str(error.value)


def test_a_file_that_is_missing_is_no_mistake_in_it(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_gold(tmp_path / "none.json")
