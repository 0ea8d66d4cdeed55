"""The committed sample manuals keep what the product is shown and measured with."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
INSTALLATION = "hx200_installation_manual.pdf"
OPERATION = "hx200_operator_manual.pdf"
QUESTIONS: list[dict[str, Any]] = json.loads(
    (SAMPLES / "questions.json").read_text(encoding="utf-8")
)
ANSWERABLE = [question for question in QUESTIONS if question["kind"] != "unanswerable"]
UNANSWERABLE = [question for question in QUESTIONS if question["kind"] == "unanswerable"]


@pytest.fixture(scope="module")
def manuals() -> Iterator[dict[str, pymupdf.Document]]:
    opened = {name: pymupdf.open(SAMPLES / "manuals" / name) for name in (INSTALLATION, OPERATION)}
    yield opened
    for document in opened.values():
        document.close()


def _page_with_label(document: pymupdf.Document, label: str) -> pymupdf.Page:
    return next(page for page in document if page.get_label() == label)


def _words_in(page: pymupdf.Page, box: list[float]) -> list[str]:
    """Words whose middle lies in a box given on the page as displayed."""
    area = pymupdf.Rect(box)
    words = []
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        seen = pymupdf.Rect(x0, y0, x1, y1) * page.rotation_matrix
        if area.contains((seen.tl + seen.br) / 2):
            words.append(text)
    return words


@pytest.mark.parametrize("name", [INSTALLATION, OPERATION])
def test_each_manual_has_a_size_that_a_demo_needs(
    manuals: dict[str, pymupdf.Document], name: str
) -> None:
    assert 14 <= manuals[name].page_count <= 24
    assert sum(path.stat().st_size for path in (SAMPLES / "manuals").iterdir()) < 1_500_000


@pytest.mark.parametrize("name", [INSTALLATION, OPERATION])
def test_every_outline_entry_leads_to_the_page_that_carries_its_title(
    manuals: dict[str, pymupdf.Document], name: str
) -> None:
    document = manuals[name]
    outline = document.get_toc()
    assert len(outline) > 25
    for _, title, number in outline:
        page = document[number - 1]
        if page.get_text().strip():
            assert " ".join(title.split()) in " ".join(page.get_text().split())


@pytest.mark.parametrize("name", [INSTALLATION, OPERATION])
def test_page_labels_agree_with_the_labels_printed_in_the_margin(
    manuals: dict[str, pymupdf.Document], name: str
) -> None:
    for page in manuals[name]:
        if page.get_text().strip():
            foot = [0, page.rect.height - 70, page.rect.width, page.rect.height]
            assert _words_in(page, foot)[-1] == page.get_label()
    labels = [page.get_label() for page in manuals[name]]
    assert labels[:3] == ["i", "ii", "1-1"]
    assert len(set(labels)) == len(labels)


def test_only_the_checklist_is_a_scan_without_text(manuals: dict[str, pymupdf.Document]) -> None:
    scans = [
        (name, page.get_label())
        for name, document in manuals.items()
        for page in document
        if page.get_images() or not page.get_text().strip()
    ]
    assert scans == [(INSTALLATION, "5-3")]
    page = _page_with_label(manuals[INSTALLATION], "5-3")
    assert page.get_text().strip() == ""
    assert len(page.get_images()) == 1


def test_the_wiring_diagram_is_a_turned_page_of_lines_and_labels(
    manuals: dict[str, pymupdf.Document],
) -> None:
    page = _page_with_label(manuals[INSTALLATION], "4-4")
    assert page.rotation == 90
    assert page.rect.width > page.rect.height
    assert len(page.get_drawings()) > 150
    assert {"X5", "B1", "RS-485", "S-130", "P2", "CU-20"} <= set(page.get_text().split())


def test_the_hydraulic_layout_is_seen_through_an_offset_crop_box(
    manuals: dict[str, pymupdf.Document],
) -> None:
    page = _page_with_label(manuals[INSTALLATION], "3-3")
    assert page.cropbox.x0 > 0
    assert page.cropbox.y0 > 0
    assert (page.rect.width, page.rect.height) == (595, 842)


def test_the_questions_cover_every_kind_and_both_languages() -> None:
    assert len(ANSWERABLE) == 40
    assert len(UNANSWERABLE) == 60
    kinds = Counter(question["kind"] for question in ANSWERABLE)
    assert set(kinds) == {
        "spec", "table", "procedure", "troubleshooting", "figure", "where", "paraphrase", "cross",
    }  # fmt: skip
    assert kinds["cross"] == 3
    assert {question["lang"] for question in QUESTIONS} == {"en", "de"}
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", ANSWERABLE, ids=lambda question: question["id"])
def test_the_words_of_every_answer_are_where_the_gold_says(
    manuals: dict[str, pymupdf.Document], question: dict[str, Any]
) -> None:
    assert question["regions"]
    places = {(place["document"], place["page"]) for place in question["evidence"]}
    for region in question["regions"]:
        page = manuals[region["document"]][region["page"]]
        assert (region["document"], region["page"]) in places
        assert page.rect.contains(pymupdf.Rect(region["bbox"]))
        if region["text"] is not None and not region.get("image_only"):
            found = " ".join(_words_in(page, region["bbox"]))
            assert region["text"] in found
            assert Counter(region["text"].split()) <= Counter(
                _words_in(page, region.get("row_bbox", region["bbox"]))
            )


def test_a_region_on_the_scan_holds_ink(manuals: dict[str, pymupdf.Document]) -> None:
    regions = [
        region
        for question in ANSWERABLE
        for region in question["regions"]
        if region.get("image_only")
    ]
    assert regions
    for region in regions:
        page = manuals[region["document"]][region["page"]]
        picture = page.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY, clip=region["bbox"])
        dark = sum(level < 120 for level in picture.samples)
        assert dark > 0.02 * len(picture.samples)


def test_a_cross_question_needs_both_manuals() -> None:
    for question in ANSWERABLE:
        if question["kind"] == "cross":
            documents = {place["document"] for place in question["evidence"]}
            assert documents == {INSTALLATION, OPERATION}


def test_an_unanswerable_question_points_nowhere() -> None:
    for question in UNANSWERABLE:
        assert question["document"] is None
        assert question["pages"] == question["evidence"] == question["regions"] == []


@pytest.mark.parametrize("name", [INSTALLATION, OPERATION])
def test_every_table_and_figure_that_the_text_names_exists(
    manuals: dict[str, pymupdf.Document], name: str
) -> None:
    text = " ".join(" ".join(page.get_text() for page in manuals[name]).split())
    named = set(re.findall(r"(?:Table|Figure) [0-9A-Z]-\d+", text))
    captions = {
        f"{kind} {label}"
        for kind, label in re.findall(r"(Table|Figure) ([0-9A-Z]-\d+) [A-Z]", text)
    }
    assert named
    assert named <= captions


def test_the_operator_manual_answers_the_question_of_the_demo(
    manuals: dict[str, pymupdf.Document],
) -> None:
    text = " ".join(_page_with_label(manuals[OPERATION], "5-1").get_text().split())
    assert "internal battery test lasts 2 minutes; the measurement is repeated every 6" in text
    assert "external battery test lasts 24 hours; the measurement is repeated hourly" in text
