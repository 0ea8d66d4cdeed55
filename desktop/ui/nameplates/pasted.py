"""Pictures on the clipboard and in a drag: their bytes, still to be decoded elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from desktop.ui.files import dropped_paths

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QMimeData

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic")
_FORMATS = ("image/jpeg", "image/png", "image/webp", "image/tiff", "image/bmp")


def is_picture(path: Path) -> bool:
    """Whether a file is a picture, by its name."""
    return path.suffix.lower() in PICTURES


def picture_in(data: QMimeData) -> bytes | Path | None:
    """Return the picture of a clipboard or a drag: its file or its bytes, None for text.

    A table or a text that is copied is offered as a picture, too: that is no picture.
    """
    found = next(filter(is_picture, dropped_paths(data)), None)
    if found is not None or data.hasUrls():
        return found
    if data.hasText():
        return None
    offered = next((each for each in _FORMATS if data.hasFormat(each)), None)
    if offered is not None:
        return bytes(data.data(offered).data())
    if data.hasImage():  # a screen shot on macOS: the system's own pixels
        image = data.imageData()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        if isinstance(image, QImage) and image.save(buffer, "PNG"):  # type: ignore[call-overload]
            return bytes(buffer.data().data())
    return None
