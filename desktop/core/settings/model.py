"""All settings together."""

from __future__ import annotations

from pydantic import Field

from desktop.core.settings.knowledge import KnowledgeSettings
from desktop.core.settings.reasoning import ReasoningSettings
from desktop.core.settings.sections import (
    AgentSettings,
    BackupSettings,
    IngestionSettings,
    ModelSettings,
    ParserSettings,
    ReasoningTraceSettings,
    RetrievalSettings,
    Section,
)
from desktop.core.settings.sources import SourceTierSettings
from desktop.core.settings.window import WindowSettings


class Settings(Section):
    """Every section; the defaults are what a fresh installation uses."""

    window: WindowSettings = Field(default_factory=WindowSettings, title="Window")
    parser: ParserSettings = Field(default_factory=ParserSettings, title="Reading PDFs")
    ingestion: IngestionSettings = Field(
        default_factory=IngestionSettings, title="Taking in manuals"
    )
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
