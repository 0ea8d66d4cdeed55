"""How counts and sizes are said."""

from __future__ import annotations

import pytest

from desktop.ui import wording


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "1 kB"),
        (700, "1 kB"),
        (223_840, "224 kB"),
        (999_400, "999 kB"),
        (999_600, "1.0 MB"),
        (4_230_000, "4.2 MB"),
        (82_000_000, "82 MB"),
        (1_340_000_000, "1.3 GB"),
    ],
)
def test_the_size_of_a_file_is_said_in_as_many_digits_as_matter(qapp, count, said):
    assert wording.file_size(count) == said
