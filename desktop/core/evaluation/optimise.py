"""Learning a prompt from examples: which questions teach, which ones judge, what counts.

For a DSPy optimiser the whole agent is one DSPy module. Importing this module loads DSPy.
"""

from __future__ import annotations

import contextlib
import io
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import fmean
from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.model_writer import answer_module
from desktop.core.agent.compiled_programs import (
    CompiledFile,
    CompiledProgram,
    ModuleState,
    ProgramName,
    signature_hash,
)
from desktop.core.agent.model_decider import decision_module
from desktop.core.agent.tree_data import TreeData
from desktop.core.errors import LibraryError
from desktop.core.evaluation.bench import ask_one, gather, outcome_of
from desktop.core.evaluation.examples import (
    decision_examples,
    demos_of,
    in_turns,
    of_other_questions,
    shortened,
)
from desktop.core.evaluation.figures import Column
from desktop.core.language.dspy_setup import load_dspy

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.agent.compiled_programs import Trial
    from desktop.core.evaluation.measures import QuestionOutcome

    Play = Callable[[str, Trial], QuestionOutcome]
    from collections.abc import Sequence

    from desktop.core.evaluation.bench import OpenLibrary, Progress
    from desktop.core.evaluation.examples import DecisionExample
    from desktop.core.evaluation.gold import GoldFile, GoldQuestion
    from desktop.core.jobs import CancelToken
    from desktop.core.settings.sections import Settings
    from desktop.core.workspace import Workspace

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

    def __call__(self, module: Any, name: ProgramName) -> bool:
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
    of = part.signature
    cleaned = []
    for demo in part.demos:
        values = {key: value for key, value in dict(demo.items()).items() if key in of.fields}
        whole = values.keys() >= of.output_fields.keys()
        whole = whole and not values.keys().isdisjoint(of.input_fields)
        if whole and sum(len(str(value)) for value in values.values()) <= _LONGEST_EXAMPLE:
            cleaned.append(values)
    return cleaned


class OptimiseError(LibraryError):
    """There is nothing to optimise, or too little to do it with."""


def split(
    questions: Sequence[GoldQuestion], train_share: float, chance: random.Random
) -> tuple[list[GoldQuestion], list[GoldQuestion]]:
    """Divide questions, both kinds alike, into those to learn from and those to measure with.

    Raises: OptimiseError, if one half would be empty.
    """
    train: list[GoldQuestion] = []
    test: list[GoldQuestion] = []
    for answerable in (True, False):
        group = sorted((q for q in questions if q.answerable is answerable), key=lambda q: q.id)
        chance.shuffle(group)
        end = round(len(group) * train_share)
        train += group[:end]
        test += group[end:]
    if not any(q.answerable for q in train) or not any(q.answerable for q in test):
        raise OptimiseError("there are too few questions to learn from some and ask others")
    chance.shuffle(train)
    return train, test


_REFUSED = ("not_found", "impossible")
_FALLBACK_FACTOR = 0.8


def score(outcome: QuestionOutcome) -> float:
    """Return 0 to 100.

    What the manuals answer: how many of the expected facts are there and not wrong (the mean
    of that and the judgement, if there is one; without an expected answer whether a right
    page is cited), times the share of statements that are grounded. What they do not answer:
    100 for saying so. A decision that could not be used costs a fifth.
    """
    question, conduct = outcome.question, outcome.conduct
    if conduct is None:
        return 0.0
    factor = _FALLBACK_FACTOR if conduct.fallen_back else 1.0
    if not question.answerable:
        return 100.0 * factor if conduct.outcome in _REFUSED else 0.0
    if not conduct.answered or not conduct.statements:
        return 0.0
    return _right(outcome) * conduct.grounded / conduct.statements * factor


def mean_score(outcomes: Sequence[QuestionOutcome]) -> float:
    """Return the mean, rounded to a tenth; 0 without any."""
    return round(fmean(map(score, outcomes)), 1) if outcomes else 0.0


def _right(outcome: QuestionOutcome) -> float:
    question, conduct = outcome.question, outcome.conduct
    assert conduct is not None
    if not question.answer:
        return 100.0 if outcome.cited in question.gold_pages() else 0.0
    facts = float(conduct.compared(question.answer).score)
    return facts if outcome.judged is None else (facts + outcome.judged) / 2


_GOOD_SCORE = 60.0
"""A question that went at least so well may become an example."""
_MOST_CHOOSING = 12
"""Questions on which the candidates are compared."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """train_share: of the questions. examples: at most this many in a prompt."""

    train_share: float = 0.6
    examples: int = 3
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Optimised:
    """What came of a run.

    before, after: mean score of the questions it did not see, 0 to 100. examples: in
    the compiled parts. compiled: what can be saved, None if nothing was better than
    before.
    """

    model_id: str
    train: tuple[str, ...]
    test: tuple[str, ...]
    before: float
    after: float
    chosen: str
    examples: dict[str, int]
    compiled: CompiledFile | None

    @property
    def improved(self) -> bool:
        """Whether there is something worth keeping."""
        return self.compiled is not None


def optimise(
    open_library: OpenLibrary,
    own: Settings,
    gold: GoldFile,
    wanted: Wanted,
    progress: Progress,
    cancel: CancelToken,
    traced: Sequence[DecisionExample] = (),
) -> Optimised:
    """Compile the programs of the library's language model. Blocks, for hours if it is large.

    The same questions, model and seed give the same result.

    traced: right decisions of earlier conversations, tried as further examples. Those of the
    questions themselves are left out, or the measure would know its answers.

    Raises: OptimiseError; Cancelled; ModelError.
    """
    train, test = split(gold.questions, wanted.train_share, random.Random(wanted.seed))
    with open_library(Column("rules", "lite").settings(own), True) as workspace:
        labelled = _labelled(workspace, train, progress, cancel)
    with open_library(own, True) as workspace:
        run = _Optimising(workspace, wanted, progress, cancel)
        return run.run(
            train,
            test,
            labelled,
            of_other_questions(traced, [each.question for each in gold.questions]),
        )


def _labelled(
    workspace: Workspace, questions: Sequence[GoldQuestion], progress: Progress, cancel: CancelToken
) -> dict[str, dict[str, Any]]:
    """Return by question one decision that rules made, where it led to a good answer.

    The first and the last take turns, or an example would only ever show how to begin.
    """
    examples: dict[str, dict[str, Any]] = {}
    for question in questions:
        events = gather(workspace, question.question, cancel)
        if score(outcome_of(workspace, question, events, 0.0)) < _GOOD_SCORE:
            continue
        decisions = decision_examples(question.question, events)
        if decisions:
            examples[question.id] = decisions[0 if len(examples) % 2 == 0 else -1]
    progress(f"rules answered {len(examples)} of {len(questions)} questions well")
    return examples


class _Optimising:
    """One run, on one workspace."""

    def __init__(
        self, workspace: Workspace, wanted: Wanted, progress: Progress, cancel: CancelToken
    ) -> None:
        model = workspace.models.language()
        if model is None:
            raise OptimiseError("there is no language model whose programs could be compiled")
        self._model_id = model.model_id
        self._workspace = workspace
        self._wanted = wanted
        self._progress = progress
        self._cancel = cancel
        self._questions: dict[str, GoldQuestion] = {}

    def run(
        self,
        train: Sequence[GoldQuestion],
        test: Sequence[GoldQuestion],
        labelled: dict[str, dict[str, Any]],
        traced: Sequence[DecisionExample] = (),
    ) -> Optimised:
        """Measure, compile, choose, measure again."""
        self._questions = {each.id: each for each in (*train, *test)}
        before = mean_score([self._ask(each, "before") for each in test])
        self._progress(f"before: {before:.1f} on {len(test)} questions")
        chosen, program = self._chosen(self._compiled(train, labelled), train, traced)
        after = before
        if chosen:
            after = mean_score([self._play(each.id, program, "after") for each in test])
            self._progress(f"after: {after:.1f} on {len(test)} questions")
        return Optimised(
            model_id=self._model_id,
            train=tuple(each.id for each in train),
            test=tuple(each.id for each in test),
            before=before,
            after=after,
            chosen=chosen,
            examples=program.example_counts(),
            compiled=self._file(program, before, after, len(test)) if after > before else None,
        )

    def _compiled(
        self, train: Sequence[GoldQuestion], labelled: dict[str, dict[str, Any]]
    ) -> AgentProgram:
        """Have DSPy collect the examples."""
        examples = [
            dspy.Example(question_id=each.id, **labelled.get(each.id, {})).with_inputs(
                "question_id"
            )
            for each in train
        ]
        optimiser = dspy.BootstrapFewShot(
            metric=lambda _example, prediction, _trace: score(prediction.outcome),
            metric_threshold=_GOOD_SCORE,
            max_bootstrapped_demos=self._wanted.examples,
            max_labeled_demos=self._wanted.examples,
            max_rounds=1,
            max_errors=1,  # what a question fails of is an outcome: an exception is the end
        )
        labelled_first = sorted(examples, key=lambda each: each.question_id not in labelled)
        printed = io.StringIO()  # DSPy prints what it does; our caller shows progress of its own
        with (
            dspy.context(lm=None, callbacks=[], disable_history=True),
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
        ):
            compiled: AgentProgram = optimiser.compile(
                AgentProgram(self._trying("learning")), trainset=labelled_first
            )
        self._cancel.check()
        return compiled

    def _chosen(
        self,
        compiled: AgentProgram,
        train: Sequence[GoldQuestion],
        traced: Sequence[DecisionExample],
    ) -> tuple[str, AgentProgram]:
        """Return the best of both parts, either, and none, by questions that gave no example.

        With decisions of traces there is one candidate more, which has them in place of others.
        """
        both = compiled.only("decision", "answer")
        counts = both.example_counts()
        candidates = {"decision": compiled.only("decision"), "answer": compiled.only("answer")}
        candidates = {name: each for name, each in candidates.items() if counts[name]}
        if len(candidates) == 2:
            candidates = {"decision and answer": both, **candidates}
        remembered = self._with_traced(both, traced)
        if remembered.decision.demos != both.decision.demos:
            candidates["decision with traces"] = remembered
        if not candidates:
            return "", both
        demos = [*both.decision.demos, *both.answer.demos]
        shown = {str(demo.get("user_prompt", "")) for demo in demos}
        fresh = [each for each in train if each.question not in shown] or list(train)
        asked = fresh[:_MOST_CHOOSING]
        scores = {"": mean_score([self._ask(each, "choosing") for each in asked])}
        for name, candidate in candidates.items():
            found = [self._play(each.id, candidate, "choosing") for each in asked]
            scores[name] = mean_score(found)
            self._progress(f"examples for {name}: {scores[name]:.1f}, without {scores['']:.1f}")
        best = max(candidates, key=lambda name: scores[name])
        return (best, candidates[best]) if scores[best] >= scores[""] else ("", both)

    def _with_traced(
        self, program: AgentProgram, traced: Sequence[DecisionExample]
    ) -> AgentProgram:
        """Return a copy whose decisions have examples of traces, half of them at least."""
        copy = program.only("decision", "answer")
        room = max(1, self._wanted.examples // 2)
        chosen = in_turns(
            demos_of(traced), max(room, self._wanted.examples - len(copy.decision.demos))
        )
        if chosen:
            kept = copy.decision.demos[: self._wanted.examples - len(chosen)]
            copy.decision.demos = [*kept, *chosen]
        return copy.only("decision", "answer")

    def _file(
        self, program: AgentProgram, before: float, after: float, questions: int
    ) -> CompiledFile:
        return CompiledFile(
            model_id=self._model_id,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            before=before,
            after=after,
            questions=questions,
            programs=program.saved(),
        )

    def _trying(self, stage: str) -> Any:
        """Return what asks a question by its id with a trial."""

        def play(question_id: str, trial: Trial) -> QuestionOutcome:
            with self._workspace.programs.trying(trial):
                return self._ask(self._questions[question_id], stage)

        return play

    def _play(self, question_id: str, program: AgentProgram, stage: str) -> QuestionOutcome:
        outcome: QuestionOutcome = self._trying(stage)(question_id, ProgramTrial(program))
        return outcome

    def _ask(self, question: GoldQuestion, stage: str) -> QuestionOutcome:
        outcome = ask_one(self._workspace, question, self._cancel)
        self._progress(f"{stage}: {question.id} {score(outcome):.0f}")
        return outcome
