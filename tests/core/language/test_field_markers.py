from hypothesis import given
from hypothesis import strategies as st

from desktop.core.language.field_markers import COMPLETED, UnmarkedText, marker


def read(*pieces):
    """All that was shown of a text that came in these pieces."""
    reader = UnmarkedText("response")
    return "".join([*map(reader.feed, pieces), reader.finish()])


def test_a_piece_is_shown_as_soon_as_it_comes():
    reader = UnmarkedText("response")
    assert reader.feed("It lasts") == "It lasts"
    assert reader.feed(" 24 hours [1]") == " 24 hours [1]"
    assert reader.feed(" and [[ repeats") == " and [[ repeats"


def test_only_what_may_still_become_a_marker_is_held_back():
    reader = UnmarkedText("response")
    assert reader.feed("see [[ ## comp") == "see"
    assert reader.feed("rehensive") == " [[ ## comprehensive"


def test_markers_that_nobody_asked_for_are_taken_out():
    assert read(f"{marker('response')}\nIt lasts 24 hours.\n\n{COMPLETED}\nor") == (
        "It lasts 24 hours."
    )


def test_what_was_held_back_is_shown_at_the_end():
    assert read("a list: [[ ## ") == "a list: [[ ##"


PIECE = st.sampled_from([marker("response"), COMPLETED, "[", "[[", " ", "[[ ## "])


@given(st.lists(PIECE | st.text("ab[]# \n", max_size=6), max_size=12), st.data())
def test_it_does_not_matter_where_a_text_is_cut(pieces, data):
    text = "".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    cut = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert read(*cut) == read(text)
