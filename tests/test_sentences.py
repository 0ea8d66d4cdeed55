from __future__ import annotations

import copy
import json
import pickle
from dataclasses import dataclass
from typing import Annotated

import pydantic
import pytest

from desktop.core.agent.answering.refusals import not_in_manuals
from desktop.core.agent.deliverables import plan_told
from desktop.core.agent.tools.list_manuals import _sentence
from desktop.core.conversations.rows import event_from_json, event_to_store
from desktop.core.errors import CarrierRefused, PdfNeedsPassword
from desktop.core.events import (
    CompleteEvent,
    ConfidenceEvent,
    Event,
    ResultEvent,
    RevisedText,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    to_json,
)
from desktop.core.parsing.messages import Failed
from desktop.core.problems import explain
from desktop.core.question.languages import language_of
from desktop.sentences import (
    KeepsSentences,
    Sentence,
    begun,
    counted,
    from_text,
    from_values,
    full,
    in_language,
    joined,
    message,
    put_back,
    quoted,
    said,
    to_text,
    to_values,
    together,
    translations,
)
from knowledge.errors import DomainFileError, KnowledgeRefused
from knowledge.security import check_text

PROTECTED = said("Reading made no progress ({stage}).", stage="text")


def test_a_sentence_is_plain_english_for_whoever_does_not_translate_it():
    sentence = said("Searching {n} manuals", n=3)
    assert sentence == "Searching 3 manuals"
    assert json.loads(json.dumps(sentence)) == "Searching 3 manuals"
    assert sentence.template == "Searching {n} manuals"


def test_braces_in_a_sentence_without_values_stay():
    assert said("Replace {part}") == "Replace {part}"


def test_a_sentence_is_told_in_german_with_its_values_and_so_are_sentences_in_it():
    rejected = said("Rejected: {objections}.", objections=counted(1, "1 objection", "{n}"))
    assert in_language(rejected, "en") == "Rejected: 1 objection."
    assert in_language(rejected, "de") == "Zurückgewiesen: 1 Einwand."


@pytest.mark.parametrize(
    "words",
    ["Searching 3 manuals", "The disk is full", "Tighten the nut of the PE stud with 8 Nm."],
)
def test_plain_text_is_somebody_elses_and_stays_as_it_is(words):
    assert in_language(words, "de") == words
    assert in_language(said("Say instead: {text}", text=words), "de") == (
        f"Stattdessen sagen: {words}"
    )


def test_an_exception_keeps_the_sentence_that_it_was_raised_with():
    error = CarrierRefused(said("The file library.db is missing."))
    assert str(error) == "The file library.db is missing."
    assert type(str(error)) is str
    assert in_language(message(error), "de") == "Die Datei library.db fehlt."
    nested = said("{reason} Nothing was written.", reason=error)
    assert nested == "The file library.db is missing. Nothing was written."
    assert in_language(nested, "de") == "Die Datei library.db fehlt. Nichts wurde geschrieben."
    assert message(ValueError("of somebody else")) == "of somebody else"


def test_what_is_wrong_with_a_file_is_told_as_a_problem_in_german():
    problem = explain(PdfNeedsPassword(said("the PDF is encrypted")))
    assert in_language(problem.title, "de") == "Diese PDF-Datei ist geschützt"


def test_the_knowledge_base_has_sentences_of_the_same_kind(tmp_path):
    error = DomainFileError(tmp_path / "pumps.toml", "it is empty")
    assert in_language(message(error), "de") == "pumps.toml wird nicht benutzt: it is empty"
    with pytest.raises(KnowledgeRefused) as refused:
        check_text("The password: hunter2hunter2!")
    told = in_language(message(refused.value), "de")
    assert "Der Text" in told
    assert "Zeile 1" in told


def test_a_list_is_told_with_its_last_word_between():
    plan = plan_told(("answer", "cite_page", "export_report"))
    assert plan == "Planned: an answer, the page it is on and a report."
    assert " und Bericht" in in_language(plan, "de")
    assert joined(["one"], last=said(" and ")) == "one"
    assert joined(["a", "b"], "; ") == "a; b"
    assert together([said("Answered."), said("Failed.")]) == "Answered. Failed."


def test_a_part_of_a_sentence_becomes_a_full_one_in_any_language():
    reason = said("the PDF is encrypted")
    assert full(reason) == "The PDF is encrypted."
    assert begun(reason) == "The PDF is encrypted"
    german = in_language(reason, "de")
    assert in_language(full(reason), "de") == f"{german[:1].upper()}{german[1:]}."


def test_what_is_written_down_is_a_sentence_again():
    nested = said("{name}: {error}", name="pump", error=PROTECTED)
    written = to_text(nested)
    assert json.loads(written) == {
        "said": "{name}: {error}",
        "values": {"name": "pump", "error": to_values(PROTECTED)},
    }
    read = from_text(written)
    assert read == nested
    assert in_language(read, "de") == in_language(nested, "de") != nested
    assert to_text(written) == written  # whoever hands it on does not write it twice


def test_a_plain_text_of_an_older_version_is_read_as_it_is():
    assert from_text("Found by words only.") == "Found by words only."
    assert to_text("The seal lasts.") == "The seal lasts."


@pytest.mark.parametrize(
    "text",
    [
        '{"said": ',
        '{"said": "{x}"}',
        '{"said": "{x.__class__}", "values": {"x": "a"}}',
        '{"said": "{x:>999999999}", "values": {"x": "a"}}',
        '{"said": "{x!r}", "values": {"x": "a"}}',
        '{"said": "{y}", "values": {"x": "a"}}',
        '{"said": 3, "values": []}',
    ],
)
def test_what_somebody_else_wrote_asks_for_nothing_but_values(text):
    assert from_text(text) == text


def test_sentences_within_a_document_of_json_come_back():
    document = {"a": [PROTECTED, 3, None], "b": {"c": "plain"}}
    written = json.dumps(to_values(document))
    read = from_values(json.loads(written))
    assert read == document
    assert read["a"][0].template == PROTECTED.template


@dataclass(frozen=True)
class Checked:
    text: str
    lines: tuple[str, ...] = ()


def test_a_sentence_finds_its_way_through_pydantic():
    known = {"text": PROTECTED, "lines": ["plain", PROTECTED]}
    read = pydantic.TypeAdapter(Checked).validate_json(json.dumps(known))
    assert not isinstance(read.text, Sentence)
    read = put_back(read, known)
    assert read.text.template == read.lines[1].template == PROTECTED.template

    class Model(pydantic.BaseModel):
        reason: Annotated[str, KeepsSentences()] = pydantic.Field(default="", max_length=5)

    assert Model(reason=PROTECTED).reason is PROTECTED
    with pytest.raises(pydantic.ValidationError):
        Model(reason="longer than that")


@pytest.mark.parametrize(
    "event",
    [
        StatusEvent(said("Searching {n} manuals", n=3)),
        TokenEvent(said("I did not find the answer in your manuals.")),
        ConfidenceEvent(0.5, "plain", (PROTECTED, "plain")),
        CompleteEvent("partial", 1.0, 2, (said("There is no answer."),)),
        ResultEvent("list_manuals", "manuals", "manuals", ({"state": said("ready")},), {}, "x"),
    ],
)
def test_a_stored_event_can_be_told_in_another_language(event):
    read = event_from_json(event_to_store(event))
    assert read == event
    assert event_to_store(read) == event_to_store(event)
    assert '"said"' in event_to_store(event)
    assert '"said"' not in to_json(event)  # for other programs it is English
    assert event_from_json(to_json(event)) == event  # as older versions wrote it


def test_an_answer_of_one_sentence_stays_one_until_it_is_shown():
    sentence = not_in_manuals([], frozenset(), ("S-130",))
    events: list[Event] = [TokenEvent("\n"), TokenEvent(sentence)]
    assert in_language(RevisedText(events).text, "de").startswith("Ich habe die Antwort")
    taken_back: list[Event] = [
        TokenEvent("8 Nm. "),
        RevisionEvent(0, 0, "8 Nm. ", "", superseded=True),
        *events,
    ]
    assert in_language(RevisedText(taken_back).text, "de").startswith("Ich habe die Antwort")
    more = [*events, TokenEvent(" And more.")]
    assert in_language(RevisedText(more).text, "de") == f"\n{sentence} And more."


def test_a_code_that_no_manual_names_is_not_found_whatever_lines_are_near():
    assert str(not_in_manuals([], frozenset(), ("F-12",), near=True)).startswith("I did not find")
    assert str(not_in_manuals([], frozenset(), near=True)).startswith("Not sure")


def test_a_fault_of_the_reading_process_keeps_its_sentence():
    failed = Failed.of(PdfNeedsPassword(said("the PDF is encrypted")))
    assert in_language(message(failed.error()), "de") != str(failed.error())


def test_a_copied_sentence_can_still_be_translated():
    sentence = said("Searching {n} manuals", n=3)
    for copied in (copy.deepcopy(sentence), pickle.loads(pickle.dumps(sentence))):
        assert copied == sentence
        assert (copied.template, copied.values) == (sentence.template, sentence.values)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie wird die interne Batterie G1 ersetzt?", "de"),
        ("Was zeigt dies? (Seite 4-1 von HX-200)", "de"),
        ("Welche Handbücher gibt es?", "de"),
        ("What is the tightening torque for terminals X2:1 to X2:6?", "en"),
        ("What was changed in F-12?", "en"),
        ("X2:1", "en"),
    ],
)
def test_the_program_speaks_the_language_of_the_question(question, language):
    assert language_of(question) == language


def test_the_list_of_manuals_is_written_in_the_language_of_the_question():
    manual = {
        "title": "Pump P-200",
        "document": "p200.pdf",
        "pages": 4,
        "language": said("English"),
        "state": said("ready"),
        "sections": ("Safety",),
        "text": "",
    }
    assert _sentence([manual], "de") == (
        "In dieser Bibliothek gibt es 1 Handbuch:\n"
        "- Pump P-200 (p200.pdf, 4 Seiten, Englisch, bereit): Safety"
    )
    assert _sentence([manual], "en").startswith("There is 1 manual in this library:")


def test_words_of_another_stand_between_the_marks_of_the_language():
    assert (quoted("8 Nm", "en"), quoted("8 Nm", "de")) == ("“8 Nm”", "„8 Nm“")


def test_every_template_has_its_translation():
    assert len(translations("de")) > 500
    assert all(translations("de").values())
