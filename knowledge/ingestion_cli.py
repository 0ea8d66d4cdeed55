"""From free text to knowledge: structured by a model or by rules, checked, recorded, loaded."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from knowledge.domain_files import write_domain_file
from knowledge.errors import KnowledgeFileError, StructuringFailed
from knowledge.ports import StructuringRequest
from knowledge.security import check_text, secret_in
from knowledge.structuring import STRUCTURING_PROMPT, read_structure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from knowledge.loader import KnowledgeDataLoader, LoadSummary
    from knowledge.ports import Structurer

MOST_RETRIES = 2
"""Times a malformed answer is asked for again."""


@dataclass(frozen=True, slots=True)
class StructuredText:
    """A text and the knowledge it was found to hold, before anything is kept.

    faults: what was wrong with the attempts before the one that did it.
    """

    text: str
    data: dict[str, Any]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a text. record: the file of the check-in record, None without one."""

    structured: StructuredText
    summary: LoadSummary
    record: Path | None = None
    artifacts: Mapping[str, str] = field(default_factory=dict)


class KnowledgeIngestionCLI:
    """Takes free text in. `structure` shows what would be kept, `keep` keeps it.

    check_ins: a folder that a record of every text is kept in, None for no records. now: the
    time that records are given.
    """

    def __init__(
        self,
        structurer: Structurer,
        loader: KnowledgeDataLoader,
        *,
        max_retries: int = MOST_RETRIES,
        check_ins: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._structurer = structurer
        self._loader = loader
        self._max_retries = max_retries
        self._check_ins = check_ins
        self._now = now

    def ingest(self, text: str, artifacts: Mapping[str, str] | None = None) -> Ingested:
        """Structure a text and keep it.

        artifacts: what else belongs to the record, by name (where the text came from).

        Raises: KnowledgeRefused, before a model sees the text. StructuringFailed.
            KnowledgeStoreError.
        """
        return self.keep(self.structure(text), artifacts)

    def structure(self, text: str) -> StructuredText:
        """Return what a text holds; nothing is kept.

        Raises: KnowledgeRefused, before a model sees the text. StructuringFailed.
        """
        check_text(text)
        faults: list[str] = []
        for _ in range(self._max_retries + 1):
            request = StructuringRequest(STRUCTURING_PROMPT, text, faults[-1] if faults else "")
            try:
                data = read_structure(self._structurer.structure(request))
            except KnowledgeFileError as error:
                faults.append(str(error))
            else:
                return StructuredText(text, data, tuple(faults))
        raise StructuringFailed(len(faults), faults[-1])

    def keep(
        self, structured: StructuredText, artifacts: Mapping[str, str] | None = None
    ) -> Ingested:
        """Keep what a text holds, as it was structured or as a person edited it.

        Raises: KnowledgeFileError. KnowledgeStoreError.
        """
        summary = self._loader.load(structured.data)
        record = self._record(structured, summary, artifacts or {}) if self._check_ins else None
        return Ingested(structured, summary, record, artifacts or {})

    def _record(
        self, structured: StructuredText, summary: LoadSummary, artifacts: Mapping[str, str]
    ) -> Path:
        """Write the check-in record; a part that bears a secret is left out of it."""
        assert self._check_ins is not None
        now = self._now()
        parts = {
            "raw_input": structured.text,
            "structured_output": structured.data,
            "artifacts": dict(artifacts),
        }
        record = {
            "checked_in": now.isoformat(timespec="seconds"),
            **{name: _without_secret(part) for name, part in parts.items()},
            "faults": list(structured.faults),
            "summary": asdict(summary),
        }
        digest = blake2b(structured.text.encode(), digest_size=6).hexdigest()
        name = f"{now.strftime('%Y%m%dT%H%M%S%f')}-{digest}.json"
        text = json.dumps(record, ensure_ascii=False, indent=2)
        return write_domain_file(self._check_ins / name, text)


def _without_secret(part: Any) -> Any:
    text = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
    secret = secret_in(text)
    return f"left out: it seems to contain {secret}" if secret else part
