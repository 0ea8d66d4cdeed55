"""What a nameplate says: maker, model, serial number and ratings, told by labels and shapes."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from desktop.core.quantities import quantities_in, unit_name
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.structure.values import BoxTuple, PhotoLine

Field = Literal["model", "serial", "maker", "rating", "other"]
LABELS: Final = "nameplate.toml"

_ALIKE: Final = 0.6
"""Share of pieces that a label must have in common with one of the examples."""
_MOST_WORDS: Final = 3
_EDGES: Final = " \t:;.,|·-–=#*"
_SEPARATORS = re.compile(r"[:=|]|\s{2,}")
_SCREWS: Final = frozenset({"o", "0", "@", "®"})
"""What OCR takes the four screws of a plate for."""
_NEAR: Final = 2.2
"""Heights of print below a label within which its value stands."""
_SAME_ROW: Final = 0.6
_FAR, _BELOW = 3.0, 0.2
_SLOPES: Final = tuple(step / 50 for step in range(-9, 10))
"""Down by across: a photo is held up to ten degrees askew."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The words on a plate, as written there; "" or empty where nothing was made out.

    lines: all of it, from top to bottom. ratings: lines or values with their units.
    telling: what may name the thing in a manual: all but ratings, dates and serial
    number.
    """

    lines: tuple[str, ...]
    maker: str = ""
    model: str = ""
    serial: str = ""
    ratings: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()


@dataclass(slots=True)
class _Piece:
    """A label and the value after it; either may be empty."""

    label: str
    value: str
    field: Field | None
    box: BoxTuple


def read_plate(lines: Sequence[PhotoLine]) -> Plate:
    """Sort what OCR read of a plate. lines: with boxes in pixels, in any order."""
    words = [line for line in lines if line.text.casefold() not in _SCREWS]
    ordered = sorted(words, key=lambda line: (line.box[1], line.box[0]))
    pieces = [piece for line in ordered for piece in _pieces(line)]
    _fill_from_neighbours(pieces)
    said: dict[Field, list[str]] = {}
    for piece in pieces:
        if piece.field is not None and piece.value:
            said.setdefault(piece.field, []).append(piece.value)
    ratings = [
        f"{piece.label} {piece.value}".strip()
        for piece in pieces
        if piece.value
        and (piece.field == "rating" or (piece.field is None and _is_amount(piece.value)))
    ]
    telling = [
        piece.value
        for piece in pieces
        if piece.value and piece.field in (None, "model", "maker") and not _is_amount(piece.value)
    ]
    return Plate(
        tuple(line.text for line in ordered),
        _first(said, "maker") or _largest_words(ordered, pieces),
        _first(said, "model"),
        _first(said, "serial"),
        tuple(dict.fromkeys(ratings)),
        tuple(dict.fromkeys(telling)),
    )


def field_of(label: str) -> Field | None:
    """Return what a label announces, by the examples of `nameplate.toml`; None for no label."""
    wanted = _trigrams(label)
    if not wanted:
        return None
    best, field = 0.0, None
    for known, pieces in _examples():
        shared = len(wanted & pieces) / len(wanted | pieces)
        if shared > best:
            best, field = shared, known
    return field if best >= _ALIKE else None


def _pieces(line: PhotoLine) -> Iterator[_Piece]:
    """Yield the labels of a line, each with what follows it up to the next one."""
    words = list(re.finditer(r"\S+", line.text))
    begun: list[tuple[int, int, str, Field]] = []  # of each label: where it and its value begin
    at = 0
    while at < len(words):
        found = None
        for count in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            start, end = words[at].start(), words[at + count - 1].end()
            text = line.text[start:end]
            if count == 1 and (cut := _SEPARATORS.search(text)) and cut.start():
                text, end = text[: cut.start()], start + cut.end()
            elif _SEPARATORS.search(text[:-1]):
                continue
            field = field_of(text)
            if at and _is_number(words[at - 1].group()) and unit_name(text.strip(_EDGES)):
                field = None  # the unit of the number before it
            if field is not None:
                found = (start, end, text.strip(_EDGES), field)
                at += count
                break
        if found is None:
            at += 1
        elif not begun or line.text[begun[-1][1] : found[0]].strip(_EDGES):
            begun.append(found)
    first = begun[0][0] if begun else len(line.text)
    if rest := line.text[:first].strip(_EDGES):
        yield _Piece("", rest, None, line.box)
    for place, (_start, end, label, field) in enumerate(begun):
        stop = begun[place + 1][0] if place + 1 < len(begun) else len(line.text)
        value = line.text[end:stop].strip(_EDGES)
        if not value and any(map(str.isdigit, label)):
            yield _Piece("", label, field, line.box)  # "IP44" says it all
        else:
            yield _Piece(label, value, field, _part(line, end, stop))


def _part(line: PhotoLine, start: int, stop: int) -> BoxTuple:
    """Return roughly where some characters of a line are; the whole line for none."""
    if stop <= start:
        return line.box
    x0, y0, x1, y1 = line.box
    step = (x1 - x0) / max(1, len(line.text))
    return x0 + start * step, y0, x0 + stop * step, y1


def _fill_from_neighbours(pieces: list[_Piece]) -> None:
    """Give labels that stand alone the value to the right of them, else the one below."""
    labels = [piece for piece in pieces if piece.field is not None and not piece.value]
    values = [piece for piece in pieces if piece.field is None and piece.value]
    if not labels or not values:
        return
    slope = min(_SLOPES, key=lambda slope: _misfit(labels, values, slope))
    for label in labels:
        near = [(far, each) for each in values if (far := _distance(label, each, slope)) < _FAR]
        if near:
            _, value = min(near, key=lambda each: each[0])
            label.value, value.value = value.value, ""
            values.remove(value)


def _misfit(labels: Sequence[_Piece], values: Sequence[_Piece], slope: float) -> float:
    """Return how badly labels and values line up if the plate is turned by a slope."""
    nearest = (min(_distance(label, value, slope) for value in values) for label in labels)
    return sum(min(_FAR, far) for far in nearest) + 2 * abs(slope)


def _distance(label: _Piece, value: _Piece, slope: float) -> float:
    """Return how far a value is from its label, in heights of print; `_FAR` for too far.

    A value to the right counts as nearer than one below. slope: of the plate's lines,
    down by across.
    """
    height = max(1.0, _height(label, slope))
    across = ((value.box[0] - label.box[2]) / height, (value.box[0] - label.box[0]) / height)
    down = (_middle(value) - _middle(label)) / height
    centres = (value.box[0] + value.box[2] - label.box[0] - label.box[2]) / 2 / height
    beside = abs(down - slope * centres)
    if beside < _SAME_ROW and across[0] > -_SAME_ROW:
        return beside + max(0.0, across[0]) / 100
    below = down - slope * centres
    if _SAME_ROW < below <= _NEAR and abs(across[1] + slope * below) < 1:
        return _BELOW + abs(across[1] + slope * below) / 2
    return _FAR


def _middle(piece: _Piece) -> float:
    return (piece.box[1] + piece.box[3]) / 2


def _height(piece: _Piece, slope: float) -> float:
    """Return the height of the print: the box of a turned line is higher."""
    x0, y0, x1, y1 = piece.box
    return max((y1 - y0) / 3, y1 - y0 - abs(slope) * (x1 - x0))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


def _is_amount(text: str) -> bool:
    """Whether a text is nothing but amounts with their units, such as "230 V 50 Hz"."""
    amounts = [each for each in quantities_in(text) if each.unit]
    if not amounts:
        return False
    rest = list(text)
    for each in amounts:
        rest[each.start : each.end] = " " * (each.end - each.start)
    return sum(map(str.isalnum, rest)) <= len(text) / 3


def _largest_words(lines: Sequence[PhotoLine], pieces: Sequence[_Piece]) -> str:
    """Return the words in the largest print, where the maker's name is."""
    free = {piece.box for piece in pieces if piece.field is None and piece.value}
    named = [
        line
        for line in lines
        if line.box in free
        and sum(map(str.isalpha, line.text)) > 2
        and not any(map(str.isdigit, line.text))
    ]
    return max(named, key=lambda line: line.box[3] - line.box[1]).text if named else ""


def _first(said: dict[Field, list[str]], field: Field) -> str:
    return next(iter(said.get(field, ())), "")


@lru_cache(maxsize=1)
def _examples() -> tuple[tuple[Field, frozenset[str]], ...]:
    with resource(LABELS).open("rb") as file:
        table: dict[Field, list[str]] = tomllib.load(file)  # type: ignore[assignment]
    return tuple((field, _trigrams(text)) for field, texts in table.items() for text in texts)


@lru_cache(maxsize=4_096)
def _trigrams(text: str) -> frozenset[str]:
    """Return the three-character pieces of a label, ignoring case and punctuation."""
    folded = "".join(
        "0" if sign.isdigit() else sign if sign.isalpha() else " " for sign in text.casefold()
    )
    marked = f" {' '.join(folded.split())} "
    return (
        frozenset(marked[at : at + 3] for at in range(len(marked) - 2))
        if marked.strip()
        else (frozenset())
    )
