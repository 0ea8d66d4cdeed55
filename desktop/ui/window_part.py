"""What the window is made of beside its panels: each gets the workspace and ends by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace


class WindowPart(Protocol):
    """Carries out one kind of thing that a person can do in the window."""

    def open_workspace(self, workspace: Workspace) -> None:
        """Work with this library from now on."""

    def close(self) -> None:
        """Finish or stop the work and join its threads."""
