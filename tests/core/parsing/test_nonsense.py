"""Words that no page can show are told from codes, signs and other languages."""

import pytest

from desktop.core.parsing.completing import contradicts, nonsense_words


@pytest.mark.parametrize(
    "text",
    [
        "\ufffdrmware",
        "con\ufffdguration",
        "con\uf001guration",
        "of\ue00ace",
        "\ue041\ue042\ue043",
        "(cid:12)(cid:9)",
        "/g12/g34/g5",
        "a\x03b",
    ],
)
def test_a_word_with_lost_letters_is_nonsense(text):
    assert nonsense_words(["Check", text]).tolist() == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "\ufffd",  # a bullet
        "\ufffdClose",
        "CFE_\u2190\ufffd",  # a mark for a broken line
        "\uf0b7Fuse",
        "\uf02a\uf02a\uf02a\uf02a",  # signs of a symbol font
        "Größe",
        "µF",
        "5°C",
        "中文手册",
        "GPMC_AD7/x#",
    ],
)
def test_signs_codes_and_other_languages_are_not(text):
    assert nonsense_words([text]).tolist() == [False]


SHOWN = "Connect the sensor to terminals three and four, then close the cover of the unit."
SHIFTED = "".join(chr(ord(letter) + 3) for letter in SHOWN)


def test_what_ocr_sees_counts_only_if_it_is_language_and_long_enough():
    assert contradicts(SHIFTED, SHOWN)
    assert not contradicts(SHOWN, SHOWN.replace("o", "0"))
    assert not contradicts(SHIFTED, "Connect")
    assert not contradicts(SHIFTED, SHIFTED.replace("q", "x"))
