"""One JSON file that several file services keep their data in, replaced as a whole."""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from knowledge.errors import KnowledgeStoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Section(Protocol):
    """What a service keeps in a section of the file, as values of JSON."""

    def dump(self) -> Any:
        """Return everything the service holds."""

    def load(self, values: Any) -> None:
        """Hold these values instead of what the service holds; None for none."""


class JsonFile:
    """A file of named sections. A reader sees the old file or the new one, never a part.

    It belongs to one process at a time; services of one file share its transactions.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sections: dict[str, Section] = {}
        self._lock = threading.RLock()
        self._depth = 0
        self._values = self._read()

    def attach(self, name: str, section: Section) -> None:
        """Let a service keep a section, and give it what the file holds of it."""
        if name in self._sections:
            raise KnowledgeStoreError(f"{self._path.name}: two services want section {name}.")
        section.load(self._values.get(name))
        self._sections[name] = section

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write the file once all of what is done inside succeeded; undo it if it raised."""
        with self._lock:
            before = self._dump() if self._depth == 0 else None
            self._depth += 1
            try:
                yield
                if before is not None:
                    self._write(before)
            except BaseException:
                if before is not None:
                    for name, section in self._sections.items():
                        section.load(before[name])
                raise
            finally:
                self._depth -= 1

    def _dump(self) -> dict[str, Any]:
        return {name: section.dump() for name, section in self._sections.items()}

    def _write(self, before: dict[str, Any]) -> None:
        values = self._dump()
        if values == before:
            return
        text = json.dumps(self._values | values, ensure_ascii=False, sort_keys=True)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(f".{self._path.name}.partial")
        try:
            with partial.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, self._path)
        except OSError as error:
            raise KnowledgeStoreError(f"{self._path} cannot be written: {error}") from error

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise KnowledgeStoreError(f"{self._path} cannot be read: {error}") from error
        if not isinstance(values, dict):
            raise KnowledgeStoreError(f"{self._path} holds no knowledge.")
        return values
