"""The pictures of the documentation: small, true to what was seen, and of states there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter

from scripts.screenshots.__main__ import main
from scripts.screenshots.camera import ALL_LOOKS, COLOURS, MORE_LOOKS, write_small

SCREENSHOTS = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
MOST_BYTES = 120_000


def test_a_picture_keeps_its_size_and_its_marks_in_few_colours(tmp_path):
    shown = QImage(301, 120, QImage.Format.Format_RGB32)
    painter = QPainter(shown)
    shades = QLinearGradient(0, 0, 301, 120)
    shades.setColorAt(0, QColor("#102030"))
    shades.setColorAt(1, QColor("#f0f8ff"))
    painter.fillRect(shown.rect(), shades)
    painter.fillRect(40, 40, 60, 14, QColor("#ffd84d"))
    painter.end()
    write_small(shown, tmp_path / "picture.png")
    kept = QImage(str(tmp_path / "picture.png"))
    assert kept.size() == shown.size()
    assert 1 < kept.colorCount() <= COLOURS
    mark, original = kept.pixelColor(60, 46), QColor("#ffd84d")
    for part in (QColor.red, QColor.green, QColor.blue):
        assert abs(part(mark) - part(original)) < 24


def test_a_state_that_does_not_exist_is_refused_with_those_that_do(qapp, capsys, monkeypatch):
    for name in ("GROUNDWORK_HOME", "QT_QPA_PLATFORM"):
        monkeypatch.setenv(name, "offscreen")  # set back when the test is over
    assert main(["--only", "holiday"]) == 2
    said = capsys.readouterr().out
    assert "holiday" in said
    assert "first-run" in said


@pytest.mark.parametrize("look", [*ALL_LOOKS, *MORE_LOOKS], ids=lambda look: look.name)
def test_every_kept_picture_is_small_and_as_large_as_its_name_says(look):
    pictures = sorted(SCREENSHOTS.glob(f"*-{look.name}.png"))
    assert len(pictures) >= (18 if look in ALL_LOOKS else 1)
    for picture in pictures:
        assert picture.stat().st_size <= MOST_BYTES * look.scale
        assert QImage(str(picture)).size() == look.size * look.scale
