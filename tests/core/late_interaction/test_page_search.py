"""Page search in stages against exact MaxSim over the vectors as the model made them."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.late_interaction import code_table
from desktop.core.late_interaction.code_table import PageIndex
from desktop.core.late_interaction.page_search import (
    CandidateCounts,
    NumpyScorer,
    PageSearch,
    calibrate,
    is_unmeasured,
    load_counts,
    measure_if_grown,
)
from desktop.core.late_interaction.page_vectors import (
    packed_remainders,
    quantized,
    read_pages,
    remainders,
    turning,
)
from desktop.core.library.documents import delete_document
from desktop.core.store.database import Database
from tests.core.late_interaction.page_samples import (
    MODEL,
    add_manual,
    made_up_page,
    maxsim,
    question_about,
    unit,
)

pytestmark = pytest.mark.slow

EVERYTHING = CandidateCounts(1.0, 1.0, 0, MODEL)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """400 pages of five manuals; read only."""
    chance = np.random.default_rng(1)
    sizes = [(12, 8), (8, 12), (10, 8), (12, 8), (5, 4)]
    manuals = [[made_up_page(chance, *size) for _ in range(80)] for size in sizes]
    with Database.open(tmp_path_factory.mktemp("shelf")) as database:
        stored = [add_manual(database, pages, f"m{n}") for n, pages in enumerate(manuals)]
        pages = {
            page_id: page
            for (_, ids), manual in zip(stored, manuals, strict=True)
            for page_id, page in zip(ids, manual, strict=True)
        }
        yield database, pages, [document for document, _ in stored]


def searched(database, **options):
    return PageSearch(database, NumpyScorer(), **options)


def true_scores(question, pages):
    return {page_id: maxsim(question, page.vectors) for page_id, page in pages.items()}


def test_stored_vectors_score_nearly_as_the_model_made_them(shelf):
    database, pages, _ = shelf
    chance = np.random.default_rng(2)
    page_id, page = next(iter(pages.items()))
    question = question_about(page, chance)
    found = searched(database).exact(question, np.array([page_id]), 1)
    assert found[0].score == pytest.approx(maxsim(question, page.vectors), abs=0.02)


def test_strong_coordinates_do_not_make_the_stored_vectors_coarse(tmp_path):
    chance = np.random.default_rng(13)
    page = made_up_page(chance, 12, 8)
    leaning = unit(page.vectors + 3 * np.eye(page.vectors.shape[1])[0])
    with Database.open(tmp_path) as database:
        _, ids = add_manual(database, [replace(page, vectors=leaning)], "m0")
        stored = database.read(lambda c: read_pages(c, ids))[0]
    plain, scales = quantized(leaning)
    error = np.abs(stored.originals() - leaning).mean()
    assert error < 0.8 * np.abs(plain * scales[:, None] - leaning).mean()


def test_a_small_library_is_searched_exactly(shelf):
    database, pages, documents = shelf
    chance = np.random.default_rng(3)
    search = searched(database)
    in_first = dict(list(pages.items())[:80])
    for page in list(in_first.values())[::16]:
        question = question_about(page, chance)
        found = search.search(question, MODEL, {documents[0]}, 5)
        truth = true_scores(question, in_first)
        assert found[0].page_id == max(truth, key=truth.__getitem__)
        fifth = sorted(truth.values())[-5]
        for each in found:  # pages that are equal but for the rounding may change places
            assert each.score == pytest.approx(truth[each.page_id], abs=0.02)
            assert truth[each.page_id] >= fifth - 0.04


def test_the_stages_find_what_comparing_everything_finds(shelf):
    database, pages, _ = shelf
    chance = np.random.default_rng(4)
    staged, whole = searched(database, exact_pages=0), searched(database, exact_pages=10_000)
    *_, counts = calibrate(database, staged.index)
    kept = 0
    for page in list(pages.values())[::10]:
        question = question_about(page, chance)
        best = {each.page_id for each in whole.search(question, MODEL, (), 5)}
        found = staged.search(question, MODEL, (), 5, counts)
        kept += len(best & {each.page_id for each in found})
        assert [each.score for each in found] == sorted((e.score for e in found), reverse=True)
    assert kept / 200 >= 0.99


def test_stages_that_let_everything_through_change_nothing(shelf):
    database, pages, _ = shelf
    chance = np.random.default_rng(5)
    staged, whole = searched(database, exact_pages=0), searched(database, exact_pages=10_000)
    for page in list(pages.values())[::50]:
        question = question_about(page, chance)
        assert staged.search(question, MODEL, (), 9, EVERYTHING) == whole.search(
            question, MODEL, (), 9
        )


def test_only_the_chosen_manuals_are_searched(shelf):
    database, pages, documents = shelf
    chance = np.random.default_rng(6)
    page = list(pages.values())[200]  # of the third manual
    question = question_about(page, chance)
    for exact_pages in (0, 1_000):
        search = searched(database, exact_pages=exact_pages)
        found = search.search(question, MODEL, {documents[1], documents[3]}, 20)
        allowed = {*list(pages)[80:160], *list(pages)[240:320]}
        assert len(found) == 20
        assert {each.page_id for each in found} <= allowed
        everywhere = search.search(question, MODEL, (), 1)
        assert everywhere[0].page_id == list(pages)[200]


def test_vectors_of_another_model_are_never_compared(shelf):
    database, pages, _ = shelf
    question = question_about(next(iter(pages.values())), np.random.default_rng(7))
    assert searched(database).search(question, "another@1", (), 5) == []
    assert searched(database).search(question[:, :64], MODEL, (), 5) == []


def test_pages_come_and_go_while_the_index_is_open(tmp_path):
    chance = np.random.default_rng(8)
    pages = [made_up_page(chance) for _ in range(30)]
    with Database.open(tmp_path) as database:
        search = searched(database, exact_pages=0)
        question = question_about(pages[25], chance)
        assert search.search(question, MODEL, (), 3) == []
        first, _ = add_manual(database, pages[:20], "first")
        _, ids = add_manual(database, pages[20:], "second")
        assert search.search(question, MODEL, (), 3)[0].page_id == ids[5]
        database.write(lambda c: delete_document(c, first))
        found = search.search(question, MODEL, (), 30)
        assert {each.page_id for each in found} == set(ids)
        _, again = add_manual(database, pages[:20], "first again")
        assert set(ids).isdisjoint(again)
        other = question_about(pages[3], chance)
        assert search.search(other, MODEL, (), 1)[0].page_id == again[3]
        assert database.check() == []


def test_page_ids_that_are_used_again_belong_to_the_new_page(tmp_path):
    chance = np.random.default_rng(9)
    old, new = [made_up_page(chance) for _ in range(4)], [made_up_page(chance) for _ in range(4)]
    with Database.open(tmp_path) as database:
        search = searched(database, exact_pages=0)
        document, ids = add_manual(database, old, "old")
        question = question_about(old[2], chance)
        before = search.search(question, MODEL, (), 1)[0]
        database.write(lambda c: delete_document(c, document))
        _, ids_again = add_manual(database, new, "new")
        assert ids_again == ids  # SQLite gives the same row ids out
        after = search.search(question, MODEL, (), 1)[0]
        assert after.score < before.score
        reopened = searched(database, exact_pages=0).search(question, MODEL, (), 4)
        assert search.search(question, MODEL, (), 4) == reopened


def test_calibration_measures_the_librarys_own_pages_and_keeps_the_recall(shelf):
    database, _, _ = shelf
    index = PageIndex(database)
    *_, counts = calibrate(database, index)
    assert counts is not None
    assert counts.pages == 400
    assert 5 / 400 <= counts.fine <= counts.rough <= 1.0
    *_, again = calibrate(database, index)
    assert again == counts  # the same pages tell the same


def test_a_library_is_measured_when_it_has_grown_and_says_so(tmp_path):
    chance = np.random.default_rng(10)
    with Database.open(tmp_path) as database:
        add_manual(database, [made_up_page(chance, 4, 4) for _ in range(160)], "first")
        assert database.read(is_unmeasured)
        measure_if_grown(database, lambda: True)
        assert database.read(is_unmeasured)  # stopped: nothing is kept
        measure_if_grown(database, lambda: False)
        assert not database.read(is_unmeasured)
        assert database.read(load_counts).pages == 160
        add_manual(database, [made_up_page(chance, 4, 4) for _ in range(90)], "second")
        assert database.read(is_unmeasured)


def test_an_index_is_loaded_once_and_then_only_what_is_new(shelf, monkeypatch):
    database, _, _ = shelf
    index = PageIndex(database)
    index.refresh()
    added = []
    monkeypatch.setattr(code_table.CodeTable, "add", lambda *_: added.append(1))
    assert index.refresh() == (MODEL, 128)
    assert not added
    assert len(index.pages()) == 400


@given(
    seed=st.integers(0, 2**32 - 1),
    dimension=st.sampled_from([32, 64, 128, 320]),
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=12),
)
def test_codes_in_memory_score_as_the_formula_says(seed, dimension, counts):
    from desktop.core.late_interaction.page_vectors import (
        page_codes,
        question_codes,
        rotation,
        words_of,
    )

    chance = np.random.default_rng(seed)
    pages = [unit(chance.standard_normal((count, dimension))) for count in counts]
    question = unit(chance.standard_normal((5, dimension)))
    table = code_table.CodeTable(words_of(dimension))
    for slot, page in enumerate(pages):
        table.add([slot], page_codes(page)[None])
    codes = question_codes(question)
    turned = question @ rotation(dimension)
    sizes = np.abs(turned).mean(axis=1, keepdims=True)
    one = np.sign(turned) * sizes
    two = one * np.where(np.abs(turned) > sizes, 1.5, 0.5)
    for slot, page in enumerate(pages):
        signs = np.where(page @ rotation(dimension) > 0, 1.0, -1.0)
        slots = np.array([slot])
        expected = (one @ signs.T).max(axis=1).sum()
        assert table.scores_of_all(codes)[slot] == pytest.approx(expected, rel=1e-3, abs=1e-3)
        assert table.scores_of(codes, slots, two_bits=False)[0] == pytest.approx(
            expected, rel=1e-3, abs=1e-3
        )
        expected = (two @ signs.T).max(axis=1).sum()
        assert table.scores_of(codes, slots, two_bits=True)[0] == pytest.approx(
            expected, rel=1e-3, abs=1e-3
        )


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 50))
def test_eight_bits_with_a_scale_per_vector_are_within_half_a_step(seed, count):
    vectors = unit(np.random.default_rng(seed).standard_normal((count, 64)))
    whole, scales = quantized(vectors)
    error = np.abs(whole * scales[:, None] - vectors)
    assert (error <= scales[:, None] * 0.5001).all()


def test_a_search_can_be_asked_from_several_threads_while_pages_are_added(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    chance = np.random.default_rng(11)
    pages = [made_up_page(chance, 6, 6) for _ in range(40)]
    with Database.open(tmp_path) as database:
        _, ids = add_manual(database, pages[:10], "m0")
        search = searched(database, exact_pages=0)
        question = question_about(pages[4], chance)

        def ask(_):
            time.sleep(0.001)
            return search.search(question, MODEL, (), 1)[0].page_id

        with ThreadPoolExecutor(3) as pool:
            asked = pool.map(ask, range(12))
            for number in range(1, 4):
                add_manual(database, pages[10 * number : 10 * number + 10], f"m{number}")
            assert set(asked) == {ids[4]}


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(1, 70), count=st.integers(1, 9))
def test_what_rounding_left_is_kept_to_an_eighth_of_a_step(seed, dimension, count):
    vectors = unit(np.random.default_rng(seed).standard_normal((count, dimension)))
    whole, scales = quantized(vectors)
    kept = remainders(packed_remainders(vectors, whole, scales), dimension)
    error = np.abs((whole + kept) * scales[:, None] - vectors)
    assert (error <= scales[:, None] * 0.1251).all()


def test_leading_pages_that_are_close_are_compared_more_exactly_than_eight_bits_allow(tmp_path):
    chance = np.random.default_rng(21)
    page = made_up_page(chance, 12, 8)
    question = question_about(page, chance)
    shifts = 0.0005 * chance.standard_normal((12, 1, page.vectors.shape[1]))
    alike = [replace(page, vectors=unit(page.vectors + shift)) for shift in shifts]
    with Database.open(tmp_path) as database:
        _, ids = add_manual(database, alike, "m0")
        true = true_scores(question, dict(zip(ids, alike, strict=True)))
        found = searched(database).search(question, MODEL, (), 12)
    turn = turning(page.vectors.shape[1])
    rounded = [quantized(each.vectors @ turn) for each in alike]
    by_eight_bits = NumpyScorer().scores(question @ turn, rounded)
    error = max(abs(each.score - true[each.page_id]) for each in found)
    wrong = max(abs(a - true[b]) for a, b in zip(by_eight_bits, ids, strict=True))
    assert error < 0.5 * wrong
