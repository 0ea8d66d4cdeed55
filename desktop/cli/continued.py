"""A question of the command line within a conversation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from desktop.cli.conversations import chosen_conversation
from desktop.cli.opening import opened_workspace
from desktop.core.errors import LibraryBusy

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from desktop.core.workspace import Workspace

NEW = "new"
NOT_KEPT = (
    "The library is open in another Groundwork: this answer is not kept in the conversation.\n"
)


def opened_to_continue(stack: ExitStack, folder: Path) -> Workspace:
    """Open a library so that it keeps what is asked; beside a window it is only read."""
    try:
        return stack.enter_context(opened_workspace(folder))
    except LibraryBusy:
        sys.stderr.write(NOT_KEPT)
    return stack.enter_context(opened_workspace(folder, read_only=True))


def continued(
    workspace: Workspace, wanted: str, document_ids: frozenset[int]
) -> tuple[int | None, frozenset[int]]:
    """Return the conversation to ask in, and the manuals to ask.

    wanted: a number, "last" or "new". document_ids: what was asked for now; if that is
    nothing, the manuals that the conversation was about, as far as they are still there.

    Raises: Refused, if there is no such conversation.
    """
    conversations = workspace.conversations
    if wanted.strip().casefold() == NEW:
        if conversations.read_only:
            return None, document_ids
        return conversations.create(document_ids=document_ids), document_ids
    record = chosen_conversation(conversations, wanted)
    present = {document.id for document in workspace.library.documents()}
    return record.id, document_ids or (record.document_ids & present)
