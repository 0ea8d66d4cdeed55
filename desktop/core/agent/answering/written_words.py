"""Text of our own as the tokens of an answer, so that it streams like any other."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from desktop.core.events import TokenEvent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_WORD = re.compile(r"\s*\S+|\s+$")


async def written(text: str) -> AsyncGenerator[TokenEvent, None]:
    """Yield a text word by word, white space kept; a cancelled answer stops between two."""
    for word in _WORD.findall(text):
        yield TokenEvent(word)
        await asyncio.sleep(0)
