"""What is open and marked in the viewer, as text for the next start; the way back and forward."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.geometry import Box
from desktop.ui.viewer.document import ViewState
from desktop.ui.viewer.overlays import Highlight, Highlights
from desktop.ui.viewer.page_layout import LARGEST, Fit, PagePoint

Page = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config = ConfigDict(allow_inf_nan=False)  # another version may have written more


class Tab(_Part):
    """An open manual and where it was left. across, down: shares of the page."""

    document: int
    title: str
    page: Page
    across: float
    down: float
    zoom: Annotated[float, Field(gt=0, le=LARGEST)]
    fit: Annotated[str, Field(pattern="^(NONE|WIDTH|PAGE)$")]
    turn: Annotated[int, Field(ge=0, le=3)]
    in_a_row: Literal[1, 2]

    @classmethod
    def of(cls, document: int, title: str, state: ViewState) -> Tab:
        """Return what to write down about a manual."""
        return cls(
            document=document,
            title=title,
            page=state.point.page,
            across=state.point.across,
            down=state.point.down,
            zoom=state.zoom,
            fit=state.fit.name,
            turn=state.turn,
            in_a_row=2 if state.across == 2 else 1,
        )

    def state(self) -> ViewState:
        """Return where the manual was left."""
        return ViewState(
            PagePoint(self.page, self.across, self.down),
            self.zoom,
            Fit[self.fit],
            self.turn,
            self.in_a_row,
        )


class Mark(_Part):
    """A marked region; boxes in PDF points."""

    number: int
    document: int
    page: Page
    boxes: tuple[tuple[float, float, float, float], ...]


class Session(_Part):
    """Everything that comes back after a restart."""

    tabs: tuple[Tab, ...] = ()
    front: int | None = None
    marks: tuple[Mark, ...] = ()
    current: Annotated[int, Field(ge=0)] = 0
    beside: Session | None = None
    """Of the second pane, if there is one."""

    def only(self, known: Collection[int]) -> Session:
        """Leave out the manuals that are no longer in the library."""
        tabs = tuple(tab for tab in self.tabs if tab.document in known)
        front = self.front if self.front in known else (tabs[-1].document if tabs else None)
        marks = tuple(mark for mark in self.marks if mark.document in known)
        beside = None if self.beside is None else self.beside.only(known)
        return Session(tabs=tabs, front=front, marks=marks, current=self.current, beside=beside)

    def highlights(self) -> Highlights:
        """Return what was marked."""
        return Highlights(
            [
                Highlight(
                    mark.number, mark.document, mark.page, tuple(Box(*box) for box in mark.boxes)
                )
                for mark in self.marks
            ],
            self.current,
        )


def read_session(text: str) -> Session:
    """Return what was written down, an empty session if it cannot be used."""
    try:
        return Session.model_validate_json(text or "{}")
    except ValidationError:
        return Session()


_KEPT = 200


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a document."""

    document_id: int
    point: PagePoint


class History:
    """Two stacks, as in a browser."""

    def __init__(self) -> None:
        self._back: list[Location] = []
        self._forward: list[Location] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    def leave(self, location: Location) -> None:
        """Remember a place that a jump leaves; the way forward is lost."""
        self._forward.clear()
        if self._back and _same_page(self._back[-1], location):
            self._back.pop()
        self._back.append(location)
        del self._back[:-_KEPT]

    def back(self, here: Location | None) -> Location | None:
        """Return the place to go back to; `here` becomes reachable by `forward`."""
        return _move(self._back, self._forward, here)

    def forward(self, here: Location | None) -> Location | None:
        """Return the place that `back` left."""
        return _move(self._forward, self._back, here)

    def forget_document(self, document_id: int) -> None:
        for stack in (self._back, self._forward):
            stack[:] = [place for place in stack if place.document_id != document_id]


def _move(source: list[Location], target: list[Location], here: Location | None) -> Location | None:
    while len(source) > 1 and _same_page(source[-1], here):
        source.pop()  # stepping through highlights of one page leaves it again and again
    if not source:
        return None
    if here is not None:
        target.append(here)
    return source.pop()


def _same_page(one: Location, other: Location | None) -> bool:
    return other is not None and (
        (one.document_id, one.point.page) == (other.document_id, other.point.page)
    )
