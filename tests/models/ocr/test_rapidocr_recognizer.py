import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from desktop.models.adapters import ocr
from desktop.models.adapters.ocr import RapidOcrRecognizer
from desktop.models.errors import ModelDamaged, ModelNotInstalled

SMALL = ImageFont.load_default(14)


@pytest.fixture(scope="module")
def recognizer():
    return RapidOcrRecognizer()


def drawn(*lines):
    image = Image.new("RGB", (900, 80 + 90 * len(lines)), "white")
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text(
            (60, 60 + 90 * number), line, fill="black", font=ImageFont.load_default(40)
        )
    return np.array(image)


def test_lines_are_read_from_top_to_bottom_with_their_boxes(recognizer):
    first, second = recognizer.recognize(drawn("Connect terminal B+", "Rated 24 V, 5 A"))
    assert first.text == "Connect terminal B+"
    assert "24 V" in second.text
    x0, y0, x1, y1 = first.box
    assert 40 < x0 < 75
    assert 40 < y0 < 75
    assert 350 < x1 < 560
    assert y1 < second.box[1]
    assert 0.8 < first.confidence <= 1.0


def test_an_image_without_text_has_no_lines(recognizer):
    assert recognizer.recognize(np.full((400, 300, 3), 255, np.uint8)) == []


def test_red_text_is_read_as_red_text(recognizer):
    image = drawn("WARNING")
    image[(image < 128).all(axis=2)] = (220, 30, 30)
    assert [line.text for line in recognizer.recognize(image)] == ["WARNING"]


def test_a_page_on_its_head_is_read(recognizer):
    upright = drawn("Connect terminal B+", "Rated 24 V, 5 A")
    read = recognizer.recognize(np.ascontiguousarray(np.rot90(upright, 2)))
    assert sorted(line.text for line in read) == ["Connect terminal B+", "Rated 24 V, 5 A"]


@pytest.mark.parametrize("turns", [1, 3], ids=["upwards", "downwards"])
def test_a_label_beside_a_drawing_is_read_whichever_way_it_runs(recognizer, turns):
    image = np.full((900, 900, 3), 255, np.uint8)
    label = np.rot90(drawn("BATTERY 12 V"), turns)
    image[: label.shape[0], : label.shape[1]] = label
    assert [line.text for line in recognizer.recognize(image)] == ["BATTERY 12 V"]


def test_a_strip_of_one_line_is_read_with_its_place(recognizer):
    strip = drawn("beagleboard.org")[50:115]
    (line,) = recognizer.recognize(strip)
    assert line.text == "beagleboard.org"
    x0, y0, x1, y1 = line.box
    assert 40 < x0 < 75
    assert 0 <= y0 < y1 <= strip.shape[0]
    assert 300 < x1 < 500


def test_small_print_of_a_large_drawing_is_read_where_it_stands(recognizer):
    image = np.full((800, 4400, 3), 255, np.uint8)
    label = Image.new("RGB", (320, 26), "white")
    ImageDraw.Draw(label).text((5, 3), "Relay K12, 24 V DC", fill="black", font=SMALL)
    for left in (100, 1700, 4000):
        for top in range(200, 600, 26):
            image[top : top + 26, left : left + 320] = np.array(label)
    lines = recognizer.recognize(image)
    assert [line.text for line in lines] == ["Relay K12, 24 V DC"] * 48
    lefts = sorted(line.box[0] for line in lines)
    assert lefts == pytest.approx([105] * 16 + [1705] * 16 + [4005] * 16, abs=12)


def test_a_model_file_that_was_changed_is_never_loaded(monkeypatch):
    changed = dict.fromkeys(ocr.PUBLISHED_SHA256, "0" * 64)
    monkeypatch.setattr(ocr, "PUBLISHED_SHA256", changed)
    with pytest.raises(ModelDamaged):
        RapidOcrRecognizer().load()


def test_a_missing_model_file_is_reported_and_not_downloaded(monkeypatch, tmp_path):
    monkeypatch.setattr(ocr, "models_folder", lambda: tmp_path)
    with pytest.raises(ModelNotInstalled):
        RapidOcrRecognizer().load()
    assert not list(tmp_path.iterdir())
