"""What the window needs of the model manager; the real one and the tests' fake satisfy it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.models.overview import MemoryStatus, ModelStatus, ProfileStatus


class Manager(Protocol):
    """Called from threads other than the UI's: looking may read the disk."""

    def models(self) -> list[ModelStatus]:
        """Every model of the catalogue and of this machine."""

    def memory(self) -> MemoryStatus:
        """What is used now."""

    def answering_profile(self) -> str:
        """The id of the profile that answers questions."""

    def profiles(self) -> list[ProfileStatus]:
        """The smallest first."""

    def choose_profile(self, profile_id: str) -> None:
        """Write the setting."""

    def unload(self, model_id: str) -> None:
        """Give a model's memory back."""

    def refresh(self) -> None:
        """Read the models' folder again."""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on any thread after any change; returns what ends that."""
