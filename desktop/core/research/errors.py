"""What can go wrong in deep research; each says what the orchestrator does instead.

ResearchError
|- NoValidSourcesError   nothing that the mode lets in: say so, name another mode
|- AgentError            one agent did not do its part: the rules take it over
   |- NoLanguageModel    there is no model to ask
   |- AgentTimedOut      it took longer than its settings allow
   `- ReplyNotUnderstood its reply could not be used, not even after asking again
"""

from __future__ import annotations

from desktop.sentences import SaidError, counted, said, template

MODES = (template("strict"), template("discovery"), template("monitor"))
STAGES = (template("analyst"), template("critic"), template("writer"), template("search"))
"""Names that stand in sentences; `said(name)` is one of them for people."""


class ResearchError(SaidError):
    """Base of what deep research raises."""


class NoValidSourcesError(ResearchError):
    """No source is left after filtering.

    mode: whose rules left nothing. dropped: how many sources there were. time: when
    they had to be from, if that left nothing.
    """

    def __init__(self, mode: str, dropped: int, time: str = "") -> None:
        found = counted(dropped, "1 source was", "{n} sources were")
        reason = said("Nothing readable was found.")
        if dropped and time:
            reason = said(
                "No source is known to be from that time ({time}): {found} found.",
                time=time,
                found=found,
            )
        elif dropped:
            reason = said(
                "No source is left in {mode} mode: {found} found, none of them reliable.",
                mode=said(mode),
                found=found,
            )
        super().__init__(reason)
        self.mode = mode
        self.dropped = dropped


class AgentError(ResearchError):
    """An agent did not do its part."""


class NoLanguageModel(AgentError):  # noqa: N818 - named after the state
    """There is no language model to ask."""


class AgentTimedOut(AgentError):  # noqa: N818 - named after the state
    """An agent took longer than it may. agent: its name. seconds: how long it was given."""

    def __init__(self, agent: str, seconds: float) -> None:
        super().__init__(
            said(
                "The {agent} took longer than {seconds} seconds.",
                agent=agent,
                seconds=f"{seconds:g}",
            )
        )
        self.agent = agent
        self.seconds = seconds


class ReplyNotUnderstood(AgentError):  # noqa: N818 - named after the state
    """A reply does not hold what was asked for."""
