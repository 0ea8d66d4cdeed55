"""Taking the pictures: every look and size of what is on the screen, in small files."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from desktop.ui.design.theme import apply_theme, colours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop.ui.window.main_window import MainWindow

SCHEMES = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
COLOURS = 256
SETTLE_SECONDS = 0.6
"""For pulses to end and layouts to come to rest."""
DRAW_SECONDS = 60.0
MARGIN = 24
"""Left free around a dialog, so that the window behind it is seen."""


@dataclass(frozen=True, slots=True)
class Look:
    """One way to see a state. name: as files have it, for example "light-1280x800".

    scale: pixels for one of the window's, as a dense screen has them.
    """

    scheme: str
    size: QSize
    scale: int = 1

    @property
    def name(self) -> str:
        """What it is called."""
        dense = f"@{self.scale}x" if self.scale > 1 else ""
        return f"{self.scheme}-{self.size.width()}x{self.size.height()}{dense}"


LARGE, USUAL, SMALL = QSize(1440, 900), QSize(1280, 800), QSize(1024, 700)
ALL_LOOKS = (Look("light", LARGE), Look("dark", USUAL))
"""Of every state; between them they show both schemes and both sizes."""
MORE_LOOKS = (
    Look("light", SMALL),
    Look("dark", SMALL),
    Look("dark", LARGE),
    Look("light", USUAL, 2),
    Look("dark", USUAL, 2),
)
"""Of the fact card, which everybody sees first."""


class Camera:
    """Writes pictures into a folder and remembers which."""

    def __init__(self, folder: Path, looks: tuple[Look, ...] = ALL_LOOKS) -> None:
        """looks: that every state is taken in."""
        self.folder = folder
        self.looks = looks
        self.taken: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take(
        self,
        name: str,
        window: MainWindow,
        arrange: Callable[[], object] = lambda: None,
        *,
        above: Callable[[], QWidget | None] = lambda: None,
    ) -> None:
        """Take one state in every look.

        arrange: called whenever the panels were given their first sizes again.
        above: the dialog or second window that is open over the window.
        """
        for look in self.each_look(window):
            arrange()
            self.shoot(name, look, window, above())

    def each_look(self, window: MainWindow) -> Iterator[Look]:
        """Give the window one look after the other."""
        for look in self.looks:
            wear(look, window)
            yield look

    def shoot(
        self,
        name: str,
        look: Look,
        window: MainWindow,
        above: QWidget | None = None,
        *,
        resting: bool = True,
    ) -> None:
        """Save what is seen now, once pages are drawn and nothing moves if that is wanted."""
        if above is not None:
            _fit(above, look.size)
        if resting:
            rest(window)
        picture = grab(window, look.scale)
        if above is not None:
            _lay_over(picture, above)
        self.save(picture, f"{name}-{look.name}.png")

    def save(self, picture: QPixmap, name: str) -> None:
        """Write a picture with few colours."""
        target = self.folder / name
        write_small(picture.toImage(), target)
        self.taken.append(target)
        print(f"{name}  {target.stat().st_size / 1000:.0f} kB", flush=True)


def grab(window: QWidget, scale: int) -> QPixmap:
    """Return what a window shows, painted with so many pixels for each of its own."""
    picture = QPixmap(window.size() * scale)
    picture.setDevicePixelRatio(scale)
    window.render(picture)
    picture.setDevicePixelRatio(1)
    return picture


def wear(look: Look, window: MainWindow) -> None:
    """Give a window its colours and size, and its panels their first places."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, SCHEMES[look.scheme])
    window.resize(look.size)  # maybe larger than the screen that offscreen pretends to have
    let_run(0.1)
    window.lay_out_anew()


def rest(window: MainWindow) -> None:
    """Wait until pages are drawn and nothing moves."""
    let_run(SETTLE_SECONDS)
    let_run(DRAW_SECONDS, lambda: not _drawing(window))
    let_run(SETTLE_SECONDS)


def let_run(seconds: float, finished: Callable[[], bool] = lambda: False) -> bool:
    """Run the window's loop until something is finished, at most so many seconds."""
    end = time.monotonic() + seconds
    while not (done := finished()) and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)
    return done


def write_small(image: QImage, target: Path) -> None:
    """Write a PNG of at most 256 colours: text and drawings lose nothing that is seen."""
    from PIL import Image

    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    size = (plain.width(), plain.height())
    picture = Image.frombuffer(
        "RGB", size, bytes(plain.constBits()), "raw", "RGB", plain.bytesPerLine(), 1
    )
    few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    median = picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    # The first keeps small bright marks, the second soft shades: take what is nearer.
    nearest = min((few, median), key=lambda each: _distance(picture, each.convert("RGB")))
    nearest.save(target, optimize=True)


def _distance(one: object, other: object) -> float:
    import numpy as np

    first, second = (np.asarray(each, np.int16) for each in (one, other))
    return float(np.square(first - second, dtype=np.int32).mean())


def _drawing(window: MainWindow) -> bool:
    from desktop.ui.chat.citations import Cover, CropButton
    from desktop.ui.viewer.panel import ViewerPanel

    pictures: list[CropButton | Cover] = [
        *window.findChildren(CropButton),
        *window.findChildren(Cover),
    ]
    return any(each.pending_drawings() for each in window.findChildren(ViewerPanel)) or any(
        each.isVisible() and not each.drawn for each in pictures
    )


def _fit(above: QWidget, size: QSize) -> None:
    room = size - QSize(2 * MARGIN, 2 * MARGIN)
    above.resize(above.size().boundedTo(room))


def _lay_over(picture: QPixmap, above: QWidget) -> None:
    """Draw a second window where a window manager puts it: over the middle of the first."""
    seen = above.grab()
    left = (picture.width() - seen.width()) // 2
    top = (picture.height() - seen.height()) // 2
    painter = QPainter(picture)
    painter.drawPixmap(QPoint(left, top), seen)
    painter.setPen(QColor(colours().border_strong))
    painter.drawRect(left - 1, top - 1, seen.width() + 1, seen.height() + 1)
    painter.end()
