from hypothesis import given
from hypothesis import strategies as st

from desktop.core.structure.reading_order import reading_order

coordinates = st.floats(0, 1000, allow_nan=False)
boxes = st.lists(
    st.tuples(coordinates, coordinates, coordinates, coordinates).map(
        lambda b: (min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
    ),
    max_size=25,
)


@given(boxes)
def test_every_box_is_read_exactly_once(page):
    assert sorted(reading_order(page)) == list(range(len(page)))


@given(boxes, st.randoms())
def test_lines_below_each_other_are_read_from_top_to_bottom(page, random):
    stack = [(x0, 100.0 * i, x1, 100.0 * i + 20) for i, (x0, _, x1, _) in enumerate(page)]
    shuffled = random.sample(range(len(stack)), len(stack))
    order = reading_order([stack[index] for index in shuffled])
    assert [shuffled[index] for index in order] == list(range(len(stack)))


def test_columns_are_read_one_after_the_other():
    left = [(0, 0, 100, 30), (0, 40, 100, 90)]
    right = [(120, 0, 220, 45), (120, 55, 220, 90)]
    assert reading_order([right[0], left[0], right[1], left[1]]) == [1, 3, 0, 2]


def test_columns_whose_paragraphs_end_at_the_same_heights_are_not_read_across():
    title = (0, 0, 220, 20)
    left = [(0, 30, 100, 60), (0, 75, 100, 115), (0, 130, 100, 160)]
    right = [(120, 34, 220, 65), (120, 80, 220, 100), (120, 126, 220, 140)]
    note = (0, 200, 220, 220)
    page = [title, left[0], right[0], left[1], right[1], left[2], right[2], note]
    assert reading_order(page) == [0, 1, 3, 5, 2, 4, 6, 7]


def test_the_end_of_one_list_beside_the_beginning_of_another_one_is_not_read_on_from_there():
    # a page of Danfoss, FC 51: "3.3" has seven steps, the eight of "3.4" go on in the second column
    tops = [96, 119, 170, 208, 310, 350, 373, 411, 452, 482, 511, 528, 557, 573, 678, 718, 741]
    ends = [105, 151, 188, 227, 316, 361, 393, 444, 473, 503, 519, 549, 565, 606, 685, 729, 761]
    left = [(56.0, top, 286.0, end) for top, end in zip(tops, ends, strict=True)]
    tops = [96, 137, 166, 195, 224, 241, 270, 286, 391]
    ends = [128, 157, 186, 216, 232, 262, 278, 317, 398]
    right = [(321.0, top, 534.0, end) for top, end in zip(tops, ends, strict=True)]
    numbers = {7 + n: n + 1 for n in range(7)} | {17 + n: n + 1 for n in range(8)}
    order = reading_order([*left, *right], (), (0, 5, 15), numbers)
    assert order == list(range(26))


def test_lists_side_by_side_are_read_one_after_the_other_if_their_numbers_count_on():
    left = [(0, 20.0 * row, 80, 20.0 * row + 10) for row in range(5)]
    right = [(100, 20.0 * row, 200, 20.0 * row + 10) for row in range(5)]
    numbers = {n: n % 5 + 1 for n in range(10)}
    assert reading_order([*left, *right], (), (), numbers) == list(range(10))
    assert reading_order([*left, *right]) == [0, 5, 1, 6, 2, 7, 3, 8, 4, 9]


def test_a_list_goes_on_in_the_next_column():
    columns = [
        [(x, 20.0 * row, x + wide, 20.0 * row + 10) for row in range(rows)]
        for x, wide, rows in ((0, 80, 3), (100, 40, 3), (150, 90, 2))
    ]
    boxes = [box for column in columns for box in column]
    down = {n: n + 1 for n in range(8)}
    assert reading_order(boxes, (), (), down) == list(range(8))
    across = [0, 3, 6, 1, 4, 7, 2, 5]
    assert reading_order(boxes, (), (), {n: at for at, n in enumerate(across)}) == across
    assert reading_order(boxes) == across


def test_each_of_several_headings_is_read_with_the_column_below_it():
    heads = [(0, 0, 60, 12), (120, 0, 190, 12)]
    tables = [(2, 20, 100, 200), (122, 20, 220, 90)]
    note = (120, 100, 220, 120)
    assert reading_order([*heads, *tables, note], (), [0, 1]) == [0, 2, 1, 3, 4]


def test_rows_of_a_form_are_read_across():
    names = [(0, 30.0 * row, 80, 30.0 * row + 10) for row in range(4)]
    values = [(100, 30.0 * row + 1, 200, 30.0 * row + 12) for row in range(4)]
    assert reading_order([*names, *values]) == [0, 4, 1, 5, 2, 6, 3, 7]


def test_icons_are_read_before_the_words_beside_them():
    icons = [(0, 0, 20, 20), (0, 50, 20, 70)]
    words = [(40, 5, 200, 30), (40, 52, 200, 80)]
    assert reading_order([*icons, *words]) == [0, 2, 1, 3]


def test_a_side_heading_is_read_before_the_paragraph_beside_it():
    heading, paragraph, below = (0, 0, 50, 10), (60, 0, 200, 60), (60, 70, 200, 100)
    assert reading_order([below, paragraph, heading]) == [2, 1, 0]


def test_boxes_that_cannot_be_cut_apart_are_read_from_above():
    assert reading_order([(0, 50, 100, 150), (0, 0, 100, 100)]) == [1, 0]


LEFT = [(20, 60.0 * n, 100, 60.0 * n + 40) for n in range(4)]
RIGHT = [(120, 55.0 * n + 9, 220, 55.0 * n + 45) for n in range(4)]


def test_numbers_beside_a_column_are_read_with_it():
    numbers = [(0, 60.0 * n, 10, 60.0 * n + 20) for n in range(4)]
    order = reading_order([*numbers, *LEFT, *RIGHT])
    assert order == [0, 4, 1, 5, 2, 6, 3, 7, 8, 9, 10, 11]


def test_columns_end_where_a_line_is_drawn_across_them():
    page = [*LEFT[:2], *RIGHT[:2], *((x0, y0 + 130, x1, y1 + 130) for x0, y0, x1, y1 in LEFT[:2])]
    page += [(x0, y0 + 130, x1, y1 + 130) for x0, y0, x1, y1 in RIGHT[:2]]
    assert reading_order(page) == [0, 1, 4, 5, 2, 3, 6, 7]
    assert reading_order(page, [(0, 115, 220, 116)]) == list(range(8))
    assert reading_order(page, [(0, 115, 100, 116)]) == [0, 1, 4, 5, 2, 3, 6, 7]


def test_headings_with_a_line_under_all_of_them_are_read_with_their_columns():
    headings = [(20, -40, 100, -20), (120, -40, 220, -20)]
    page, line = [*headings, *LEFT, *RIGHT], [(0, -15, 220, -14)]
    assert reading_order(page, line, headings=(0, 1)) == [0, 2, 3, 4, 5, 1, 6, 7, 8, 9]


def test_a_heading_below_columns_is_read_with_what_stands_below_it():
    heading, table = (20, 260, 100, 280), (20, 290, 220, 400)
    page = [*LEFT, *RIGHT, heading, table]
    assert reading_order(page, headings=[8]) == list(range(10))


def test_headings_beside_the_text_are_no_column():
    headings = [(0, 120.0 * n, 80, 120.0 * n + 12) for n in range(3)]
    texts = [(90, 40.0 * n + 4, 250, 40.0 * n + 34) for n in range(9)]
    order = reading_order([*headings, *texts])
    assert order == [0, 3, 4, 5, 1, 6, 7, 8, 2, 9, 10, 11]


def test_narrow_columns_that_begin_with_headings_side_by_side_are_read_one_after_the_other():
    left = [(0, 0, 80, 15), (0, 30, 140, 120), (0, 140, 140, 290), (0, 310, 140, 380)]
    middle = [(170, 0, 250, 15), (170, 30, 310, 120)]
    right = [(340, 0, 420, 15), (340, 30, 500, 150)]
    table = (170, 302, 500, 600)
    page = [*left, *middle, *right, table]
    assert reading_order(page, (), [0, 4, 6]) == list(range(9))


def test_labels_beside_text_are_read_with_it_though_one_of_them_is_a_heading():
    labels = [(0, 0, 80, 15), (0, 100, 80, 115)]
    text = [(120, 0, 500, 80), (120, 100, 500, 190)]
    assert reading_order([*labels, *text], (), [0, 1]) == [0, 2, 1, 3]


def test_a_column_that_drawings_fill_is_read_before_the_next_one():
    left = [(0, 0, 100, 10), (0, 150, 100, 160), (0, 300, 100, 310)]
    right = [(120, 4, 220, 60), (120, 70, 220, 140), (120, 166, 220, 290)]
    page = [left[0], right[0], right[1], left[1], right[2], left[2]]
    shapes = [(10, 20, 90, 140), (10, 170, 90, 290)]
    assert reading_order(page, shapes) == [0, 3, 5, 1, 2, 4]
    assert reading_order(page) == [0, 1, 2, 3, 4, 5]  # side headings beside their texts


def test_a_heading_in_the_gap_between_two_columns_is_over_both():
    # a page of Keithley, 2400: "GENERAL" stands between the columns that it is over
    heading = (250.0, 0.0, 291.0, 6.0)
    left = [(40.0, y, 249.0, y + 20) for y in (13.0, 40.0, 65.0, 92.0)]
    right = [(280.0, y, 501.0, y + 18) for y in (10.0, 35.0, 58.0, 83.0)]
    assert reading_order([*left, heading, *right], (), (4,)) == [4, 0, 1, 2, 3, 5, 6, 7, 8]
