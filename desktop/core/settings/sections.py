"""The settings of each area of the core, one section each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

if TYPE_CHECKING:
    from desktop.models.roles import Role

LONGEST_REMARK = 2_000
"""Characters of what a person tells about themselves or a place; more is not read."""


AT_ONCE: dict[str, JsonValue] = {"at_once": True}
"""Marks a field whose change is felt while the program runs; others at its next start."""

HIDDEN: dict[str, JsonValue] = {"hidden": True}
"""Marks a field that the settings dialog does not show."""


class Section(BaseModel):
    """Base of every section: unknown keys are refused, assignments are checked."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class ParserSettings(Section):
    """Limits for the process that reads untrusted PDF files."""

    in_process: bool = Field(
        default=False,
        title="Read PDFs in this process",
        description="Runs everything in one process. A damaged or very heavy PDF can then "
        "freeze or end the application.",
    )
    page_seconds: float = Field(
        default=10.0,
        gt=0,
        title="Time per page",
        description="A page that takes longer is given up.",
    )
    document_seconds: float = Field(
        default=15.0,
        gt=0,
        title="Time to open",
        description="A file that takes longer is given up.",
    )
    memory_gib: float = Field(
        default=2.0, gt=0, title="Memory", description="The reader is restarted above this."
    )
    max_megapixels: float = Field(
        default=40.0,
        gt=0,
        title="Largest drawn page",
        description="Pages are drawn smaller than this.",
    )
    ocr: bool = Field(
        default=True, title="Read scanned pages", description="Recognise text on pages without any."
    )
    layout_model: bool = Field(
        default=True,
        title="Recognise tables and figures",
        description="A small model looks at every page: better regions, but a third of a "
        "second more per page.",
    )


class IngestionSettings(Section):
    """How manuals are taken into the library."""

    commit_milliseconds: int = Field(
        default=250,
        ge=10,
        le=10_000,
        title="Longest time between saves",
        description="What was read is saved at least this often.",
    )
    commit_pages: int = Field(
        default=50,
        ge=1,
        le=1_000,
        title="Most pages between saves",
        description="What was read is saved after so many pages at the latest.",
    )
    embedding_batch: int = Field(
        default=4,
        ge=1,
        le=256,
        title="Passages per vector step",
        description="A question waits for at most one such step.",
    )
    free_space_mib: int = Field(
        default=200,
        ge=0,
        title="Disk space to leave free",
        description="A manual that would leave less is not taken in.",
    )
    battery_percent: int = Field(
        default=30,
        ge=0,
        le=100,
        title="Wait on battery below",
        description="On battery, indexing waits while less is left, and goes on by itself when "
        "the computer is plugged in. 0 never waits.",
        json_schema_extra=AT_ONCE,
    )


class RetrievalSettings(Section):
    """How much a search brings back."""

    pages_per_search: int = Field(
        default=10,
        ge=1,
        le=50,
        title="Pages per search",
        description="How many pages one search hands to the answer.",
    )
    newest_revision: bool = Field(
        default=True,
        title="The newest revision wins",
        description="Where a newer revision of a manual says as much, pages of the older one are "
        "left out, unless the question asks for it.",
    )
    pictures: Literal["auto", "always", "chosen"] = Field(
        default="auto",
        title="Pictures of pages in every search",
        description="Where pages were read by their look, 'auto' searches their pictures as well "
        "once the model for it is in memory, where it is loaded with the first question if there "
        "is room; 'always' waits for it; with 'chosen' they are searched only where a language "
        "model chooses to.",
    )
    lexical_pages: int = Field(
        default=80,
        ge=1,
        le=1_000,
        title="Pages by words",
        description="Pages that full-text search brings into the ranking.",
    )
    lexical_units: int = Field(
        default=400,
        ge=1,
        le=5_000,
        title="Passages by words",
        description="Passages that full-text search brings into the ranking.",
    )
    dense_units: int = Field(
        default=150,
        ge=1,
        le=4_000,
        title="Passages by meaning",
        description="Passages that text vectors bring into the ranking.",
    )
    pages_read: int = Field(
        default=12,
        ge=1,
        le=200,
        title="Pages read closely",
        description="Pages whose sentences and rows are compared with the question one by one.",
    )
    units_read: int = Field(
        default=48,
        ge=8,
        le=400,
        title="Sentences and rows read by the text model",
        description="The best by words and meaning of their passage; each costs a run of it.",
    )


class AgentSettings(Section):
    """How long and how often the agent may try to answer one question, and what it is told."""

    user_profile: str = Field(
        default="",
        max_length=LONGEST_REMARK,
        title="About you",
        description="What the agent should know about the person who asks, such as their trade.",
        json_schema_extra=AT_ONCE,
    )
    context: str = Field(
        default="",
        max_length=LONGEST_REMARK,
        title="About this place",
        description="What the agent should know about where the equipment stands.",
        json_schema_extra=AT_ONCE,
    )

    max_iterations: int = Field(
        default=6,
        ge=2,
        le=50,
        title="Steps per question",
        description="After so many steps the agent answers with what it has.",
    )
    time_limit_seconds: float = Field(
        default=120.0,
        gt=0,
        title="Time per question",
        description="A question that takes longer is stopped and says so.",
    )
    least_confidence: float = Field(
        default=0.45,  # refuses one in twenty questions that the manuals answer
        ge=0,
        le=1,
        title="Least confidence",
        description="Below this the answer is that it is not in the manuals.",
    )
    hopeless_confidence: float = Field(
        default=0.25,
        ge=0,
        le=1,
        title="Hopeless below",
        description="Below this a language model is not even asked to answer; between this and "
        "the least confidence it may find what the words alone did not show.",
    )
    nearest_pages: int = Field(
        default=3,
        ge=0,
        le=10,
        title="Nearest pages",
        description="How many pages to show when the answer is not in the manuals.",
    )
    decider: Literal["auto", "dspy", "prompt", "rules"] = Field(
        default="auto",
        title="What decides the next step",
        description="'auto' and 'dspy' ask the language model, where there is one; 'prompt' asks "
        "it with one fixed prompt text; 'rules' never asks it.",
    )
    model_does: Literal["auto", "both", "write", "decide", "quote"] = Field(
        default="auto",
        title="What the language model does",
        description="'auto' asks it for what it does in time on this computer, as measured; "
        "'both' has it decide and write, 'write' and 'decide' one of them; 'quote' has the "
        "manuals quoted. The Models page says how fast it is.",
        json_schema_extra=AT_ONCE,
    )
    patience_seconds: float = Field(
        default=60.0,
        ge=1,
        title="Longest wait for the language model",
        description="With 'auto' it is not asked for what takes longer. A quoted answer is shown "
        "at once, whatever it does.",
        json_schema_extra=AT_ONCE,
    )
    passage_tokens: int = Field(
        default=3_000,
        ge=200,
        le=100_000,
        title="Tokens of passages",
        description="At most so much of the manuals is given to the language model for an "
        "answer. More takes longer to read.",
    )
    answer_tokens: int = Field(
        default=800,
        ge=50,
        le=10_000,
        title="Longest answer in tokens",
        description="A written answer that gets longer ends there and says so.",
    )


class ModelSettings(Section):
    """Which models are used, and how much memory they may take together."""

    profile: str = Field(
        default="auto",
        title="Profile",
        description="Which models work together; 'auto' takes the largest profile that fits "
        "this computer and whose models are installed.",
    )
    memory_gib: float | None = Field(
        default=None,
        gt=0,
        title="Memory for models",
        description="Empty: a quarter of the computer's memory, at least 4 GiB, is left to "
        "everything else.",
    )
    language: str = Field(
        default="",
        title="Model that answers",
        description="An installed model instead of the profile's.",
    )
    vision: str = Field(
        default="",
        title="Model that reads pictures",
        description="An installed model instead of the profile's.",
    )
    pages: str = Field(
        default="",
        title="Model that finds pages by their look",
        description="An installed model instead of the profile's.",
    )
    pages_by: Literal["auto", "mlx", "torch"] = Field(
        default="auto",
        title="What runs the model that finds pages by their look",
        description="On a Mac MLX, or torch with colpali-engine on its graphics processor (MPS). "
        "Both give the same vectors; 'auto' takes MLX where it is installed.",
    )
    text: str = Field(
        default="",
        title="Model that finds passages by meaning",
        description="An installed model instead of the built-in one. Another model makes all "
        "text vectors of the library again.",
    )

    def by_role(self) -> dict[Role, str]:
        """The models chosen instead of the profile's, by role; "" where none is."""
        return {
            "language": self.language,
            "vision": self.vision,
            "pages": self.pages,
            "text": self.text,
        }


class BackupSettings(Section):
    """Automatic backups of what the library knows; the manuals' copies are not copied again."""

    every_hours: float = Field(
        default=24.0,
        ge=1.0,
        le=24.0 * 31,
        title="Hours between backups",
        description="While the window is open, the library's database is copied that often.",
    )
    kept: int = Field(
        default=5,
        ge=1,
        le=60,
        title="Backups to keep",
        description="Older ones are removed. Backups made by hand always stay.",
    )


class ReasoningTraceSettings(Section):
    """What is written down about how an answer was reached."""

    enabled: bool = Field(
        default=True,
        title="Record how answers were reached",
        description="Decisions, searches, checks and corrections of every question, kept with "
        "the conversation in the library. Passwords and keys are left out.",
    )
    in_prompts: Literal["off", "corrections", "all"] = Field(
        default="corrections",
        title="What a language model is told of it",
        description="'corrections' tells what was corrected earlier in the conversation, 'all' "
        "the last steps too. More takes longer to read.",
    )
    critic: Literal["auto", "model", "rules", "off"] = Field(
        default="auto",
        title="Check answers before they stand",
        description="'rules' compares every sentence with the cited words. 'auto' also asks the "
        "language model, where there is one, if the rules found something wrong, or if the answer "
        "is a procedure or cites several pages. 'model' asks it about every answer, which takes "
        "longer.",
    )
