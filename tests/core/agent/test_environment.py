"""What tools have found, as decisions read it."""

from __future__ import annotations

import json

from desktop.core.agent.environment import Environment
from desktop.core.agent.tool_output import Error, Result
from desktop.sentences import said


def pages(*numbers, **metadata):
    return Result(tuple({"page": number, "score": 0.1} for number in numbers), metadata, "pages")


def test_every_object_gets_a_reference_from_tool_name_entry_and_place():
    environment = Environment()
    environment.add("search", pages(4))
    stored = environment.add("search", pages(5, 6))
    assert [found["_REF_ID"] for found in stored] == ["search_pages_1_0", "search_pages_1_1"]


def test_an_object_found_again_keeps_its_first_reference_and_is_stored_once():
    environment = Environment()
    environment.add("search", pages(4))
    again = Result(({"page": 4, "score": 0.9},), {}, "pages")
    shown = environment.add("search", again)
    assert shown[0]["_REF_ID"] == "search_pages_0_0"
    assert shown[0]["page"] == 4
    assert environment.find("search", "pages")[1]["objects"] == [
        {"_REF_ID": "search_pages_0_0", "repeated": True}
    ]


def test_find_gives_nothing_for_what_was_never_found():
    environment = Environment()
    environment.add("search", pages(4, query="x"))
    assert environment.find("search", "other") == environment.find("other", "pages") == []
    (entry,) = environment.find("search", "pages")
    assert entry["metadata"] == {"query": "x"}


def test_an_environment_with_only_empty_results_is_empty():
    environment = Environment()
    assert environment.is_empty()
    environment.add("search", pages())
    assert environment.is_empty()
    environment.add("search", pages(1))
    assert not environment.is_empty()


def test_the_hidden_environment_is_neither_shown_nor_counted():
    environment = Environment()
    environment.hidden_environment["secret"] = "x" * 1000
    assert environment.to_llm_context() == ""
    assert environment.estimate_tokens() == 0


def test_the_context_stays_within_its_tokens_and_ends_at_a_whole_line():
    environment = Environment()
    environment.add("search", pages(*range(100)))
    whole = environment.to_llm_context()
    short = environment.to_llm_context(max_tokens=100)
    assert 0 < len(short) <= 400
    objects, _, note = short.rpartition("\n")
    assert whole.startswith(objects)
    assert objects.endswith("}")
    assert note.endswith("more objects are not shown)")
    assert environment.estimate_tokens() >= len(whole) / 4


def test_a_message_fills_its_placeholders_and_leaves_unknown_ones_out():
    result = Result(
        ({"page": 3, "label": "4-1"}, {"page": 9, "label": "4-7"}, {"page": 9, "label": "4-7"}),
        {"query": "fuse"},
        "pages",
        llm_message="{num_objects} of {name} for '{query}': {page}; {page_numbers} {nonsense}!",
    )
    assert result.message() == "3 of pages for 'fuse': 4-1; 4-1, 4-7 !"


def test_a_message_with_braces_that_are_no_placeholder_does_not_fail():
    assert Result((), llm_message="{} {0} {a.b} {x!r} {{").message() == "{} {0} {a.b} {x!r} {{"


def test_a_person_who_sees_the_objects_reads_a_shorter_message_where_there_is_one():
    short = Result(
        ({"page": 7},), llm_message="Saw {page}.", told=said("{num_objects} page", num_objects=1)
    )
    assert str(short.message_for_people()) == str(said("{num_objects} page", num_objects=1))
    plain = Result(({"page": 7},), llm_message="Saw it.")
    assert plain.message_for_people() == plain.message()


def test_an_errors_feedback_includes_what_to_try_next():
    assert Error("No results.", suggestion="Try different words.").feedback() == (
        "No results. Try different words."
    )


def test_a_context_too_small_for_everything_leaves_out_whole_objects_and_says_how_many():
    environment = Environment()
    environment.add("search", Result(tuple({"content": "word " * 40} for _ in range(1)), {}, "a"))
    environment.add("search", Result(({"content": "long " * 400},), {}, "b"))
    environment.add("search", Result(({"content": "short"},), {}, "c"))
    context = environment.to_llm_context(max_tokens=150)
    assert "<search.a>" in context
    assert "<search.c>" in context
    assert "long long" not in context
    assert context.endswith("(1 more objects are not shown)")
    for line in context.splitlines():
        if line.startswith("{"):
            json.loads(line)


def test_the_models_own_tokenizer_counts_when_there_is_one():
    environment = Environment()
    environment.add("search", pages(4))
    assert environment.estimate_tokens(lambda text: len(text.split())) > 0
    assert environment.estimate_tokens(lambda _text: 7) == 7


def test_a_reference_resolves_after_the_environment_was_cleared():
    environment = Environment()
    environment.add("search", pages(4))
    environment.clear()
    assert environment.is_empty()
    assert environment.object_of("search_pages_0_0") == {
        "_REF_ID": "search_pages_0_0",
        "page": 4,
        "score": 0.1,
    }
    assert environment.object_of("search_pages_9_9") is None
