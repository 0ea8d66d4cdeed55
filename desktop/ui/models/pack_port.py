"""What the page does with models' files, as plain generators; the real work and the fake one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.models.generation import Cancelled
    from desktop.models.packs.download import Offer
    from desktop.ui.models.tasks import Event


class PackWork(Protocol):
    """Called on the threads of tasks and errands; refuses with a `ModelError`."""

    def import_from(self, source: Path, cancelled: Cancelled) -> Iterator[Event]:
        """Install a model from a folder or zip file."""

    def verify(self, model_id: str, cancelled: Cancelled) -> Iterator[Event]:
        """Hash every file."""

    def remove(self, model_id: str) -> None:
        """Delete the files."""

    def copy_to(self, model_id: str, target: Path, cancelled: Cancelled) -> Iterator[Event]:
        """Write a pack into the folder `target`."""

    def offer(self, model_id: str) -> Offer | None:
        """Return what a download would be; None if there is none. Quick, without a network."""

    def download(self, model_id: str, cancelled: Cancelled) -> Iterator[Event]:
        """Fetch and install a model; the only use of a network."""
