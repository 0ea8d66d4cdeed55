"""Knowledge bases over every embedded backend, and structurers that follow a script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop.core.notes.desk import connect_notes
from knowledge.atlas import Coverage, compose_atlas
from knowledge.base import knowledge_base_of, memory_knowledge_base, sqlite_knowledge_base
from knowledge.domain import NamedManual
from knowledge.services.base import JsonFile
from knowledge.services.graph import FileGraphService
from knowledge.services.key_value import FileKeyValueService
from knowledge.services.retrieval import FileRetrievalService

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from knowledge.atlas import Atlas
    from knowledge.domain import Domain

BACKENDS = ("memory", "file", "sqlite")


def knowledge_base(backend: str, folder: Path, vectors=None, **options):
    """Open the knowledge base that a backend keeps in a folder."""
    if backend == "memory":
        return memory_knowledge_base(vectors, **options)
    if backend == "file":
        file = JsonFile(folder / "knowledge.json")
        services = FileKeyValueService(file), FileRetrievalService(file, vectors)
        return knowledge_base_of(*services, FileGraphService(file), **options)
    path = folder / "knowledge.db"
    return sqlite_knowledge_base(lambda: connect_notes(path), vectors, **options)


def atlas_of(domain: Domain, manual_names: Sequence[str], *, about=(), **told) -> Atlas:
    """Return the Atlas of a library that has these manuals, given by file name or title."""
    manuals = [NamedManual(number, name, name) for number, name in enumerate(manual_names)]
    return compose_atlas(Coverage.of([domain], manuals).around(about), **told)


class ScriptedStructurer:
    """Answers in turn, JSON for what is no string; remembers what it was asked."""

    def __init__(self, *answers):
        self._answers = list(answers)
        self.requests = []

    def structure(self, request):
        self.requests.append(request)
        answer = self._answers.pop(0)
        return answer if isinstance(answer, str) else json.dumps(answer)
