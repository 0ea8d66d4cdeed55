"""Replies of agents that were asked exactly the same before."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from desktop.core.trace.redaction import redacted_values

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

logger = logging.getLogger(__name__)

_MOST = 200


class ReplyCache:
    """Keeps the last replies in memory and, with a folder, on the disk beside the logs.

    What a disk refuses is only not kept.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the reply of a key, None if there is none."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return dict(self._kept[key])
        if self._folder is None:
            return None
        try:
            values = json.loads((self._folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return values if isinstance(values, dict) else None

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply in place of the oldest one."""
        self._kept[key] = dict(reply)
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        if self._folder is None:
            return
        try:
            self._write(self._folder, key, reply)
        except OSError as error:
            logger.warning("a reply was not kept: %s", type(error).__name__)

    def _write(self, folder: Path, key: str, reply: Mapping[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        safe = redacted_values(dict(reply))
        if safe != reply:
            return  # a reply without its secret is another reply
        fresh = folder / f".{key}.{os.getpid()}"
        fresh.write_text(json.dumps(safe, ensure_ascii=False), encoding="utf-8")
        fresh.replace(folder / f"{key}.json")
        kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-_MOST]:
            path.unlink(missing_ok=True)


def key_of(prompt: str, model_id: str, variables: Mapping[str, Any]) -> str:
    """Return what tells this question to this model from every other one."""
    told = json.dumps([prompt, model_id, variables], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()
