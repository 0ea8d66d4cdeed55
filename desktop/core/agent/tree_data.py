"""The state of one question, shared by every decision and every tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.agent.environment import Environment
from desktop.core.agent.progress import Progress
from desktop.core.agent.question_trace import QuestionTrace
from desktop.core.agent.requests import Requested
from desktop.core.conversations.values import question_before
from knowledge.atlas import Atlas

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from desktop.core.agent.citations import ShownQuotes
    from desktop.core.events import Outcome
    from desktop.core.reports.contents import AnsweredTurn

LONGEST_QUERY = 2_000
"""Characters of a pasted question that are searched for."""
_SHOWN_KEYS = ("reasoning", "inputs", "parsed_info")


@dataclass
class TreeData:
    """What is known so far.

    conversation_history: {"role": "user" or "assistant", "content": text}, oldest first.
    tasks_completed: per prompt {"prompt": text, "task": [what was done, in order]}.
    errors: what went wrong, by tool; a success of the tool clears its list.
    collection_names: manuals that can be searched. document_ids: only these, or all if empty.
    impossible: why the decider gave up, "" while it has not.
    withdrawn: tools that failed for good in this question, and how.
    rules_decide: the language model failed, rules decide the rest of this question.
    model_asked, without_model: a language model was asked in this question; it failed or was
        too slow, so that rules decide and the manuals are quoted.
    outcome: set by the tool that ends the question.
    conversation_id: of the stored conversation it belongs to, 0 for none.
    user_profile, context: about the person who asks and the place; the Atlas tells both.
    atlas_about: makes the Atlas of some manuals, by id; blocking.
    unanswered: the parts of the question that were left unanswered. still_read: that manuals were
    still being read when it was answered.
    commitments: what has to be delivered, see `commitments`.
    requested: what is asked, and what is to be made of the answer; `user_prompt` is the question
        without that. handing_on: the answer that it is made of, None for the last one.
    shown: the quotes that a person sees while a language model works. progress: of models.
    trace: where it is written down how the answer was reached.
    knowledge: what is known beside the manuals, by info_type; written by people of the site.
    site, asset: where the person is, "" if nobody said.
    """

    user_prompt: str
    environment: Environment = field(default_factory=Environment)
    conversation_history: list[dict[str, str]] = field(default_factory=list)
    tasks_completed: list[dict[str, Any]] = field(default_factory=list)
    atlas: Atlas = field(default_factory=Atlas)
    atlas_about: Callable[[Collection[int]], Atlas] = lambda _documents: Atlas()
    errors: dict[str, list[str]] = field(default_factory=dict)
    num_iterations: int = 0
    max_iterations: int = 10
    collection_names: tuple[str, ...] = ()
    document_ids: frozenset[int] = frozenset()
    impossible: str = ""
    withdrawn: dict[str, str] = field(default_factory=dict)
    rules_decide: bool = False
    model_asked: bool = False
    without_model: bool = False
    outcome: Outcome | None = None
    conversation_id: int = 0
    user_profile: str = ""
    context: str = ""
    knowledge: dict[str, str] = field(default_factory=dict)
    commitments: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    still_read: tuple[str, ...] = ()
    requested: Requested = field(default_factory=lambda: Requested(""))
    handing_on: AnsweredTurn | None = None
    shown: ShownQuotes | None = None
    progress: Progress = field(default_factory=Progress)
    trace: QuestionTrace = field(default_factory=QuestionTrace.off)
    site: str = ""
    asset: str = ""

    @property
    def own_words(self) -> str:
        """The question as its user put it, for a search."""
        return self.user_prompt.strip()[:LONGEST_QUERY]

    def words_before(self, query: str) -> str:
        """Return the question before a person's; what a model searches for stands alone."""
        is_own = query.split() == self.own_words.split()
        return question_before(self.conversation_history) if is_own else ""

    def update_tasks_completed(
        self,
        task: str,
        reasoning: str,
        inputs: Mapping[str, Any],
        parsed_info: str = "",
        *,
        successful: bool = True,
    ) -> None:
        """Append a step, and what came of it, to the present prompt's train of thought."""
        if not self.tasks_completed or self.tasks_completed[-1]["prompt"] != self.user_prompt:
            self.tasks_completed.append({"prompt": self.user_prompt, "task": []})
        self.tasks_completed[-1]["task"].append(
            {
                "task": task,
                "iteration": self.num_iterations,
                "successful": successful,
                "reasoning": reasoning,
                "inputs": dict(inputs),
                "parsed_info": parsed_info,
            }
        )

    def tasks_completed_string(self) -> str:
        """Return the train of thought in nested tags, for a model to read."""
        return "".join(
            f"<prompt_{number}>\nPrompt: {entry['prompt']}\n"
            + "".join(_task_text(index, task) for index, task in enumerate(entry["task"], 1))
            + f"</prompt_{number}>\n"
            for number, entry in enumerate(self.tasks_completed, 1)
        )

    def add_error(self, tool: str, message: str) -> None:
        """Remember what went wrong, for the next decision."""
        self.errors.setdefault(tool, []).append(message)

    def clear_errors(self, tool: str) -> None:
        """Forget a tool's errors after it succeeded."""
        self.errors.pop(tool, None)

    def get_errors(self, tool: str | None = None) -> list[dict[str, str]]:
        """Return the errors of one tool, or of all, as {"tool": ..., "message": ...}."""
        tools = list(self.errors) if tool is None else [tool]
        return [
            {"tool": name, "message": message}
            for name in tools
            for message in self.errors.get(name, [])
        ]


def _task_text(number: int, task: Mapping[str, Any]) -> str:
    state = "SUCCESSFUL" if task["successful"] else "UNSUCCESSFUL"
    lines = [f"<task_{number}>", f"Chosen action: {task['task']} ({state})"]
    lines += [f"{key.capitalize()}: {task[key]}" for key in _SHOWN_KEYS if task[key]]
    lines.append(f"</task_{number}>")
    return "\n".join(lines) + "\n"
