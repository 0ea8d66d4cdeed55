"""Every setting, declared once: a section for each area, and all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from desktop.core.settings import BEST_TIER, UNVERIFIED_TIER
from desktop.core.settings.file import (
    LEAST_TEXT_PERCENT,
    MOST_TEXT_PERCENT,
    TEXT_PERCENT_STEP,
    Contrast,
    Language,
    Scheme,
)

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
        description="Runs everything in one process. A damaged or very heavy PDF can then freeze "
        "or crash the application.",
    )
    page_seconds: float = Field(
        default=10.0,
        gt=0,
        title="Time per page",
        description="A page that takes longer is abandoned.",
    )
    document_seconds: float = Field(
        default=15.0,
        gt=0,
        title="Time to open",
        description="A file that takes longer is abandoned.",
    )
    memory_gib: float = Field(
        default=2.0, gt=0, title="Memory", description="Above this, the reader is restarted."
    )
    max_megapixels: float = Field(
        default=40.0,
        gt=0,
        title="Largest drawn page",
        description="Pages are drawn no larger than this.",
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
    """How manuals are added to the library."""

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
        description="What was read is saved after this many pages at most.",
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
        description="A manual that would leave less is not added.",
    )
    battery_percent: int = Field(
        default=30,
        ge=0,
        le=100,
        title="Wait on battery below",
        description="On battery, indexing waits below this level, and resumes by itself when the "
        "computer is plugged in. 0 never waits.",
        json_schema_extra=AT_ONCE,
    )


class RetrievalSettings(Section):
    """How much a search returns."""

    pages_per_search: int = Field(
        default=10,
        ge=1,
        le=50,
        title="Pages per search",
        description="Pages that one search passes to the answer.",
    )
    newest_revision: bool = Field(
        default=True,
        title="The newest revision wins",
        description="Where a newer revision of a manual says just as much, pages of the older "
        "one are left out, unless the question asks for it.",
    )
    pictures: Literal["auto", "always", "chosen"] = Field(
        default="auto",
        title="Pictures of pages in every search",
        description="Where pages were read by how they look, 'auto' also searches their pictures "
        "once the model for it is in memory; it is loaded with the first question if "
        "there is room. 'always' waits for it. With 'chosen', they are searched only "
        "when a language model chooses to.",
    )


class AgentSettings(Section):
    """How long and how often the agent may try to answer one question, and what it is told."""

    user_profile: str = Field(
        default="",
        max_length=LONGEST_REMARK,
        title="About you",
        description="What answers should know about the person asking, such as their trade.",
        json_schema_extra=AT_ONCE,
    )
    context: str = Field(
        default="",
        max_length=LONGEST_REMARK,
        title="About this place",
        description="What answers should know about where the equipment is.",
        json_schema_extra=AT_ONCE,
    )

    max_iterations: int = Field(
        default=6,
        ge=2,
        le=50,
        title="Steps per question",
        description="After this many steps the agent answers with what it has.",
    )
    time_limit_seconds: float = Field(
        default=120.0,
        gt=0,
        title="Time per question",
        description="A question that takes longer is stopped, with a message.",
    )
    least_confidence: float = Field(
        default=0.45,  # refuses one in twenty questions that the manuals answer
        ge=0,
        le=1,
        title="Minimum confidence",
        description="Below this, Groundwork says it is not in the manuals.",
    )
    nearest_pages: int = Field(
        default=3,
        ge=0,
        le=10,
        title="Nearest pages",
        description="How many pages to show when the answer is not in the manuals.",
        json_schema_extra=AT_ONCE,
    )
    decider: Literal["auto", "dspy", "prompt", "rules"] = Field(
        default="auto",
        title="What decides the next step",
        description="'auto' and 'dspy' ask the language model, if there is one; 'prompt' asks it "
        "with one fixed prompt; 'rules' never asks it.",
    )
    model_does: Literal["auto", "both", "write", "decide", "quote"] = Field(
        default="auto",
        title="What the language model does",
        description="'auto' gives it the work it can do in time on this computer, as measured, "
        "and lets it decide only where the manuals do not surely answer; "
        "'both' has it decide and write, 'write' or 'decide' only that; 'quote' "
        "quotes the manuals. The Models page shows how fast it is.",
        json_schema_extra=AT_ONCE,
    )
    patience_seconds: float = Field(
        default=60.0,
        ge=1,
        title="Longest wait for the language model",
        description="With 'auto' the model is not asked for anything that takes longer. A "
        "quoted answer is always shown at once.",
        json_schema_extra=AT_ONCE,
    )
    passage_tokens: int = Field(
        default=3_000,
        ge=200,
        le=100_000,
        title="Passage tokens",
        description="The language model gets at most this much of the manuals for an answer. "
        "More takes longer to read.",
    )
    answer_tokens: int = Field(
        default=800,
        ge=50,
        le=10_000,
        title="Longest answer in tokens",
        description="A longer written answer stops there and says so.",
    )


class ModelSettings(Section):
    """Which models are used, and how much memory they may take together."""

    profile: str = Field(
        default="auto",
        title="Profile",
        description="Which models work together. “Automatic” takes the largest profile that fits "
        "this computer and whose models are installed.",
    )
    memory_gib: float | None = Field(
        default=None,
        gt=0,
        title="Memory for models",
        description="“Automatic” leaves a quarter of the computer's memory, at least 4 GiB, for "
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
        title="Model that finds pages by appearance",
        description="An installed model instead of the profile's.",
    )
    pages_by: Literal["auto", "mlx", "torch"] = Field(
        default="auto",
        title="Runtime of the model that finds pages by appearance",
        description="On a Mac: MLX, or torch with colpali-engine on its graphics processor "
        "(MPS). Both give the same vectors; 'auto' uses MLX where it is installed.",
    )
    text: str = Field(
        default="",
        title="Model that finds passages by meaning",
        description="An installed model instead of the built-in one. Changing the model rebuilds "
        "all the library's text vectors.",
    )

    def by_role(self) -> dict[Role, str]:
        """The models chosen instead of the profile's, by role; "" where none is."""
        return {
            "language": self.language,
            "vision": self.vision,
            "pages": self.pages,
            "text": self.text,
            "speech": "",
        }


class BackupSettings(Section):
    """Automatic backups of what the library knows; its manuals are not copied again."""

    every_hours: float = Field(
        default=24.0,
        ge=1.0,
        le=24.0 * 31,
        title="Hours between backups",
        description="While the window is open, the library's database is copied this often.",
    )
    kept: int = Field(
        default=5,
        ge=1,
        le=60,
        title="Backups to keep",
        description="Older ones are removed. Backups made by hand always stay.",
    )


class ReasoningTraceSettings(Section):
    """What is recorded about how an answer was reached."""

    enabled: bool = Field(
        default=True,
        title="Record how answers were reached",
        description="Decisions, searches, checks and corrections for every question, kept with "
        "the conversation in the library. Passwords and keys are left out.",
    )
    in_prompts: Literal["off", "corrections", "all"] = Field(
        default="corrections",
        title="What a language model is told of it",
        description="'corrections' includes what was corrected earlier in the conversation, "
        "'all' the last steps too. More takes longer to read.",
    )
    critic: Literal["auto", "model", "rules", "off"] = Field(
        default="auto",
        title="Check answers before they are final",
        description="'rules' compares every sentence with the cited words. 'auto' also asks the "
        "language model, if there is one, when the rules find something wrong, or "
        "when the answer is a procedure or cites several pages. 'model' asks it "
        "about every answer, which takes longer.",
    )


class WindowSettings(Section):
    """How the window looks, and which language it uses."""

    scheme: Scheme = Field(
        default="system",
        title="Theme",
        description="Light for daylight, dark for dim rooms.",
        json_schema_extra=AT_ONCE,
    )
    high_contrast: Contrast = Field(
        default="system",
        title="High contrast",
        description="Black on white or white on black, with strong borders.",
        json_schema_extra=AT_ONCE,
    )
    text_percent: int = Field(
        default=100,
        ge=LEAST_TEXT_PERCENT,
        le=MOST_TEXT_PERCENT,
        multiple_of=TEXT_PERCENT_STEP,
        title="Text size",
        description="Relative to normal size.",
        json_schema_extra=AT_ONCE,
    )
    reduced_motion: bool = Field(
        default=False,
        title="Less motion",
        description="No animation.",
        json_schema_extra=AT_ONCE,
    )
    glove_mode: bool = Field(
        default=False,
        title="Glove mode",
        description="Larger buttons and rows, for gloves and touch screens.",
        json_schema_extra=AT_ONCE,
    )
    dim_pages: bool = Field(
        default=True,
        title="Dim pages in the dark",
        description="White pages are dimmed slightly while the window is dark.",
        json_schema_extra=AT_ONCE,
    )
    language: Language = Field(
        default="system",
        title="Language",
        description="Language of the window. Manuals and answers keep their own.",
        json_schema_extra=AT_ONCE,
    )
    welcome_seen: bool = Field(
        default=False,
        title="Welcome page seen",
        description="It is shown once.",
        json_schema_extra=HIDDEN,
    )


class SourceTier(Section):
    """How far a source is to be trusted, and what kind it is."""

    tier: int = Field(
        ge=BEST_TIER,
        le=UNVERIFIED_TIER,
        title="Tier",
        description="1 maker's manual or standard, 2 bulletin or company procedure, 3 training "
        "material, 4 site note, 5 unverified.",
    )
    type: str = Field(min_length=1, max_length=40, title="Type", description="Such as 'bulletin'.")


def _tiers(tier: int, kind: str, *patterns: str) -> dict[str, SourceTier]:
    return {pattern: SourceTier(tier=tier, type=kind) for pattern in patterns}


# The more telling words come first: a "training manual" is training, a "bulletin on the
# operator manual" a bulletin.
DEFAULT_TABLE: dict[str, SourceTier] = {
    **_tiers(
        4,
        "site note",
        *("site note*", "field note*", "logbook", "shift log", "handover note*", "site report"),
        *("visit report", "betriebstagebuch"),
    ),
    **_tiers(
        3,
        "training",
        *("training manual", "training course", "training material*", "training handbook"),
        *("training guide", "training module", "course notes", "course material*", "course book"),
        *("lesson *", "slides", "presentation", "workbook", "webinar", "schulung*", "training"),
    ),
    **_tiers(
        2,
        "bulletin",
        *("service bulletin*", "technical bulletin*", "safety bulletin*", "bulletin", "recall"),
        *("service letter*", "service information", "field safety notice", "product notice"),
        *("technical note", "errata", "erratum", "servicemitteilung"),
    ),
    **_tiers(
        2,
        "procedure",
        *("standard operating procedure*", "sop", "company procedure*", "work instruction*"),
        *("method statement", "site procedure*", "permit to work", "betriebsanweisung"),
        "arbeitsanweisung",
    ),
    **_tiers(
        1,
        "standard",
        *("international standard", "european standard", "british standard", "iso *", "iec *"),
        *("en 1*", "en 5*", "en 6*", "din en *", "nfpa *", "ansi *"),
    ),
    **_tiers(
        1,
        "manual",
        *("*manual*", "*handbook*", "*handbuch*", "*anleitung*", "user* guide", "setup guide"),
        *("installation guide", "* guide", "reference", "datasheet", "data sheet", "datenblatt"),
        *("schematic*", "wiring diagram*", "schaltplan", "parts list", "parts catalog*"),
        *("instructions", "manuel*", "notice d *", "manuale*", "specification*"),
    ),
}
"""A document that none of these fits is unverified."""


class SourceTierSettings(Section):
    """Trust level of a document when nobody has set one."""

    table: dict[str, SourceTier] = Field(
        default_factory=lambda: dict(DEFAULT_TABLE),
        title="Kinds of documents",
        description="Words in a document's title, file name or first page, and the kind they "
        "stand for; '*' stands for any letters. The first match counts, the "
        "document's name before all else.",
    )


_LONGEST_NAME = 80


class KnowledgeSettings(Section):
    """Who asks, and how notes get into answers and prompts."""

    person: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your name",
        description="Your name in notes and imported knowledge: “alice” is the person "
        "user:alice. Answers follow the rules and use the profile kept for you.",
        json_schema_extra=AT_ONCE,
    )
    role: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your role",
        description="Such as “shift lead”: what is known for role:shift-lead applies to you too.",
        json_schema_extra=AT_ONCE,
    )
    site: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your site",
        description="Where you are, unless you choose another place: its notes apply to you.",
        json_schema_extra=AT_ONCE,
    )
    asset: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your equipment",
        description="What you work on unless you choose something else.",
        json_schema_extra=AT_ONCE,
    )
    team: list[str] = Field(
        default_factory=list,
        title="What your team shares",
        description="Addresses of the services that keep it, as `groundwork knowledge connect` "
        "sets them. A folder is exchanged with while a window is open; nothing else is reached but "
        "by `groundwork knowledge sync`.",
        json_schema_extra=HIDDEN,
    )
    notes_in_answers: bool = Field(
        default=True,
        title="Cite notes in answers",
        description="Notes about the chosen asset and site appear below the manuals' answer, "
        "each with its date and its author's role.",
    )
    wait_seconds: float = Field(
        default=5.0,
        gt=0,
        title="Longest wait for notes",
        description="Anything notes and other knowledge cannot supply within this many seconds "
        "is left out, and the answer says so.",
    )
    conflict: Literal["merge", "feed_only", "attribute_only"] = Field(
        default="merge",
        title="What you said and what notes say",
        description="About you and this place: 'merge' tells a language model both, 'feed_only' "
        "only the notes, if there are any, 'attribute_only' only what is in the "
        "settings.",
    )


class StrictMode(Section):
    """Only what can be relied on."""

    max_tier: int = Field(
        default=2,
        ge=BEST_TIER,
        le=UNVERIFIED_TIER,
        title="Worst tier allowed",
        description="Sources of a worse tier, and unknown ones, are left out.",
    )


class DiscoveryMode(Section):
    """Everything, with a warning on what is less certain."""

    max_tier: int = Field(
        default=5,
        ge=BEST_TIER,
        le=UNVERIFIED_TIER,
        title="Worst tier allowed",
        description="5 allows all sources.",
    )


class MonitorMode(Section):
    """What the site believes against what the maker says."""

    compare_tiers: tuple[int, int] = Field(
        default=(1, 5),
        title="Tiers compared",
        description="The best tier, and the worst it is compared with; these include notes and "
        "documents of tier 4.",
    )


class ModeConfigs(Section):
    """What each mode lets in."""

    strict: StrictMode = Field(default_factory=StrictMode, title="Official sources")
    discovery: DiscoveryMode = Field(default_factory=DiscoveryMode, title="All sources")
    monitor: MonitorMode = Field(default_factory=MonitorMode, title="Check of notes")


class ReasoningSettings(Section):
    """Deep research: an analyst, a critic and a writer work on one question."""

    enabled: bool = Field(
        default=True,
        title="Deep research",
        description="When off, such questions are answered by an ordinary search.",
    )
    max_iterations: int = Field(
        default=3,
        ge=1,
        le=10,
        title="Rounds",
        description="How often the analyst may act on the critic's objections.",
    )
    analyst_timeout: float = Field(
        default=60.0, gt=0, title="Analyst, seconds", description="For one draft."
    )
    critic_timeout: float = Field(
        default=30.0, gt=0, title="Critic, seconds", description="For one review."
    )
    writer_timeout: float = Field(
        default=45.0, gt=0, title="Writer, seconds", description="For the report."
    )
    time_limit_seconds: float = Field(
        default=420.0,
        gt=0,
        title="Total time",
        description="After that, the report is written from what was found.",
    )
    pages_per_search: int = Field(
        default=8,
        ge=1,
        le=50,
        title="Pages per search",
        description="How many pages each search adds.",
    )
    max_sources: int = Field(
        default=24,
        ge=2,
        le=200,
        title="Maximum sources",
        description="Pages and notes read for one question.",
    )
    site_notes: int = Field(
        default=100,
        ge=1,
        le=2_000,
        title="Site statements compared",
        description="Notes looked at in one comparison with the manuals.",
    )
    mode_configs: ModeConfigs = Field(
        default_factory=ModeConfigs, title="Modes", description="Which tiers each mode lets in."
    )


class Settings(Section):
    """Every section; the defaults are what a fresh installation uses."""

    window: WindowSettings = Field(default_factory=WindowSettings, title="Window")
    parser: ParserSettings = Field(default_factory=ParserSettings, title="Reading PDFs")
    ingestion: IngestionSettings = Field(default_factory=IngestionSettings, title="Adding manuals")
    retrieval: RetrievalSettings = Field(default_factory=RetrievalSettings, title="Search")
    agent: AgentSettings = Field(default_factory=AgentSettings, title="Answering")
    models: ModelSettings = Field(default_factory=ModelSettings, title="Models")
    reasoning_trace: ReasoningTraceSettings = Field(
        default_factory=ReasoningTraceSettings, title="Reasoning trace"
    )
    reasoning: ReasoningSettings = Field(default_factory=ReasoningSettings, title="Deep research")
    source_tiers: SourceTierSettings = Field(
        default_factory=SourceTierSettings, title="Trust in documents"
    )
    knowledge: KnowledgeSettings = Field(default_factory=KnowledgeSettings, title="Notes")
    backups: BackupSettings = Field(default_factory=BackupSettings, title="Backups")
