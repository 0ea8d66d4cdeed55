"""What is seen of a page that may or may not answer."""

import numpy as np
import pytest

from desktop.core.page_words import PageWords
from desktop.core.retrieval.confidence import support_of
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote

PAGE = Evidence(1, "loom_l9.pdf", "Instructions", 0, "1", 1.0, (), ())


def observed(question, said, page=""):
    words = tuple(page.split())
    read = PageWords(words, np.zeros((len(words), 4), np.float32), np.zeros(len(words), np.int32))
    asked = Question.parse(question)
    quote = RankedQuote(Quote(said, "paragraph", "", (), ()), 1.0, (False,) * len(asked.groups), 0)
    return support_of(asked, [PAGE], [quote], read, None)


@pytest.mark.parametrize(
    ("question", "unquoted"),
    [
        ("How is the warp of the Loom L9 wound?", 0.0),
        ("How is the warp of the loom wound with reel R4?", 1.0),
        ("How is the warp of the Loom L9 wound with reel R4?", 0.5),
    ],
)
def test_a_quote_need_not_repeat_the_code_that_the_manual_is_called_by(question, unquoted):
    assert observed(question, "Wind the warp evenly.").codes_unquoted == unquoted


def test_the_name_of_the_manual_takes_nothing_from_what_a_quote_says():
    said = "Wind the warp evenly."
    named = observed("How do I wind the warp of the L9?", said).together
    assert named > observed("How do I wind the warp of the R4?", said).together


@pytest.mark.parametrize(
    ("question", "page", "german"),
    [
        ("Wie wird die Kette gespannt?", "Die Kette wird von Hand gespannt und nicht genäht.", 1.0),
        ("Wie wird die Kette gespannt?", "The warp is wound by hand and is not sewn.", 0.0),
        ("How is the warp wound?", "The warp is wound by hand and is not sewn.", 0.0),
    ],
)
def test_only_german_on_a_german_page_makes_up_for_what_the_text_model_reads_less_well(
    question, page, german
):
    assert observed(question, "L9", page).german == german
