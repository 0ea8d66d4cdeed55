from hypothesis import given
from hypothesis import strategies as st

from desktop.core.language.marked_fields import FieldText, MarkedFields, marker


def read(reader, *pieces):
    """All that was shown of a text that came in these pieces, field by field."""
    shown = [part for piece in pieces for part in reader.feed(piece)]
    texts: dict[str, str] = {}
    for part in (*shown, *reader.finish()):
        texts[part.field] = texts.get(part.field, "") + part.text
    return texts


def test_a_single_field_needs_no_marker():
    assert read(MarkedFields(("response",)), "It lasts ", "24 hours.") == {
        "response": "It lasts 24 hours."
    }


def test_a_piece_is_shown_as_soon_as_it_comes():
    reader = MarkedFields(("response",))
    assert reader.feed("It lasts") == [FieldText("response", "It lasts")]
    assert reader.feed(" 24 hours [1]") == [FieldText("response", " 24 hours [1]")]
    assert reader.feed(" and [[ repeats") == [FieldText("response", " and [[ repeats")]


def test_only_what_may_still_become_a_marker_is_held_back():
    reader = MarkedFields(("response",))
    assert reader.feed("see [[ ## comp") == [FieldText("response", "see")]
    assert reader.feed("rehensive") == [FieldText("response", " [[ ## comprehensive")]


def test_markers_that_nobody_asked_for_are_taken_out():
    text = f"{marker('response')}\nIt lasts 24 hours.\n\n{marker('completed')}\n"
    assert read(MarkedFields(("response",)), text) == {"response": "It lasts 24 hours."}


def test_several_fields_are_told_apart():
    text = f"Sure!\n{marker('response')}\n24 hours.\n\n{marker('reasoning')} page 4 says so\n"
    assert read(MarkedFields(("response", "reasoning")), text) == {
        "response": "24 hours.",
        "reasoning": "page 4 says so",
    }


def test_the_first_value_of_a_repeated_field_counts():
    text = "{0}a{1}b{0}c{2}d".format(marker("x"), marker("y"), marker("completed"))
    assert read(MarkedFields(("x", "y")), text) == {"x": "a", "y": "b"}


def test_what_was_held_back_is_shown_at_the_end():
    assert read(MarkedFields(("response",)), "a list: [[ ## ") == {"response": "a list: [[ ##"}


PIECE = st.sampled_from(["[[ ## a ## ]]", "[[ ## b ## ]]", "[[ ## completed ## ]]", "[", "[[", " "])


@given(st.lists(PIECE | st.text("ab[]# \n", max_size=6), max_size=12), st.data())
def test_it_does_not_matter_where_a_text_is_cut(pieces, data):
    text = "".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    cut = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    fields = data.draw(st.sampled_from([("a",), ("a", "b")]))
    assert read(MarkedFields(fields), *cut) == read(MarkedFields(fields), text)
