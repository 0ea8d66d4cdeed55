"""What belongs to one run of the agent, and to no other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.agent.call_log import CallLog
from desktop.core.agent.commitments import Delivered

if TYPE_CHECKING:
    from desktop.core.agent.clock import Deadline
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.jobs import CancelToken


@dataclass(slots=True)
class Question:
    """A question while it is answered.

    ended: a tool has ended it. repeated: the tool whose last call was one it had run before.
    delivered: what its events have brought.
    """

    tree_data: TreeData
    cancel: CancelToken
    deadline: Deadline
    calls: CallLog = field(default_factory=CallLog)
    delivered: Delivered = field(default_factory=Delivered)
    ended: bool = False
    repeated: str = ""
