import numpy as np

from desktop.models.adapters.ocr import LONGEST_SIDE, pieces


def test_a_page_is_one_piece():
    page = np.zeros((1754, 1240, 3), np.uint8)
    ((left, top, piece),) = pieces(page)
    assert (left, top) == (0, 0)
    assert piece is page


def test_pieces_of_a_large_drawing_cover_it_once_and_know_their_places():
    drawing = np.random.default_rng(5).integers(0, 255, (3508, 4961, 3), np.uint8)
    again = np.zeros_like(drawing)
    covered = 0
    for left, top, piece in pieces(drawing):
        height, width = piece.shape[:2]
        assert max(height, width) <= LONGEST_SIDE
        again[top : top + height, left : left + width] = piece
        covered += height * width
    assert np.array_equal(again, drawing)
    assert covered == drawing.shape[0] * drawing.shape[1]


def test_a_cut_goes_between_what_is_written():
    drawing = np.full((1000, 3000, 3), 255, np.uint8)
    drawing[100:900:3, 200:1450] = 0
    drawing[100:900:3, 1480:2900] = 0
    (_, _, first), (left, _, _) = pieces(drawing)
    assert first.shape[1] == left
    assert 1450 <= left <= 1480
