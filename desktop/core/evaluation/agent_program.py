"""The whole agent as one DSPy module, so that a DSPy optimiser can compile what it asks.

Importing this module loads DSPy: import it where an optimiser is about to run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.model_writer import answer_module
from desktop.core.agent.compiled_programs import (
    CompiledProgram,
    ModuleState,
    ProgramName,
    signature_hash,
)
from desktop.core.agent.deciding.model_decider import decision_module
from desktop.core.agent.tree_data import TreeData
from desktop.core.evaluation.examples import shortened
from desktop.core.language.dspy_setup import load_dspy

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.agent.compiled_programs import Trial
    from desktop.core.evaluation.measures import QuestionOutcome

    Play = Callable[[str, Trial], QuestionOutcome]

dspy = load_dspy()

NAMES: tuple[ProgramName, ...] = ("decision", "answer")
_LONGEST_EXAMPLE = 6_000
"""Characters; a longer one would crowd out what a question is about."""


class AgentProgram(dspy.Module):  # type: ignore[misc,name-defined] # dspy has no types
    """Called with a question's id it has the agent answer it; decision and answer are its parts.

    play: asks a question by its id, with a trial in place of the saved programs.
    """

    def __init__(self, play: Play) -> None:
        super().__init__()
        nothing = TreeData("")
        self.decision = dspy.Predict(decision_module(nothing, 0).predict.signature)
        self.answer = dspy.Predict(answer_module(nothing).predict.signature)
        self._play = _Shared(play)

    def forward(self, question_id: str) -> Any:
        """Ask; the calls of the parts go into DSPy's trace, as an optimiser expects it."""
        trial = ProgramTrial(self)
        outcome = self._play.play(question_id, trial)
        trace = dspy.settings.trace
        if trace is not None:
            trace += [
                (getattr(self, name), inputs, outputs) for name, inputs, outputs in trial.calls
            ]
        return dspy.Prediction(outcome=outcome)

    def only(self, *names: ProgramName) -> AgentProgram:
        """Return a copy with the examples of these parts alone."""
        copy: AgentProgram = self.deepcopy()
        for name in NAMES:
            part = getattr(copy, name)
            part.demos = clean_examples(part) if name in names else []
        return copy

    def example_counts(self) -> dict[str, int]:
        """Return how many examples each part has."""
        return {name: len(getattr(self, name).demos) for name in NAMES}

    def saved(self) -> dict[ProgramName, CompiledProgram]:
        """Return the parts that have examples, checked, as they are written down."""
        return {
            name: CompiledProgram(
                signature_hash=signature_hash(part.signature),
                state=ModuleState.model_validate(part.dump_state()),
            )
            for name in NAMES
            if (part := getattr(self, name)).demos
        }


class ProgramTrial:
    """Satisfies `Trial`: the parts of a program, in the agent's own modules.

    calls: name, example inputs and outputs of every call that succeeded.
    """

    def __init__(self, program: AgentProgram) -> None:
        self._program = program
        self.calls: list[tuple[ProgramName, dict[str, Any], dict[str, Any]]] = []

    def apply(self, module: Any, name: ProgramName) -> bool:
        """Give a module the part's examples and instructions, and listen to its calls."""
        part = getattr(self._program, name)
        module.predict.demos = clean_examples(part)
        instructions = part.signature.instructions
        module.predict.signature = module.predict.signature.with_instructions(instructions)
        module.predict.callbacks = [_Listener(self, name)]
        return bool(module.predict.demos)


class _Listener(dspy.utils.BaseCallback):  # type: ignore[misc,name-defined]
    def __init__(self, trial: ProgramTrial, name: ProgramName) -> None:
        self._trial = trial
        self._name = name
        self._inputs: dict[str, dict[str, Any]] = {}

    def on_module_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        self._inputs[call_id] = dict(inputs.get("kwargs", {}))

    def on_module_end(
        self, call_id: str, outputs: Any, exception: BaseException | None = None
    ) -> None:
        inputs = self._inputs.pop(call_id, {})
        if exception is None and outputs is not None:
            written = dict(outputs.items())
            short = shortened(inputs, written)
            told = {key: value for key, value in short.items() if key not in written}
            self._trial.calls.append((self._name, told, written))


class _Shared:
    """Keeps a DSPy module's copies on the one library: it is never copied itself."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __deepcopy__(self, _memo: object) -> _Shared:
        return self


def clean_examples(part: Any) -> list[dict[str, Any]]:
    """Return a part's examples with its own fields alone; without those that show nothing."""
    fields, inputs, outputs = (
        part.signature.fields,
        part.signature.input_fields,
        part.signature.output_fields,
    )
    cleaned = []
    for demo in part.demos:
        values = {key: value for key, value in dict(demo.items()).items() if key in fields}
        whole = all(key in values for key in outputs) and any(key in values for key in inputs)
        if whole and sum(len(str(value)) for value in values.values()) <= _LONGEST_EXAMPLE:
            cleaned.append(values)
    return cleaned
