"""Whether there is a display for the window."""

from __future__ import annotations

import os
import sys


def has_display() -> bool:
    """Return whether a window can be shown here."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform in {"offscreen", "minimal", "vnc"}:
        return platform == "vnc"
    if sys.platform != "linux":
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
