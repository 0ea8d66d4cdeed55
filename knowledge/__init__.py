"""What the agent knows before it reads.

Who it is and which domain it serves: `atlas`, `domain`, `domain_shelf`, `domains/`, `cues`.

What engineers told it, from a note to the prompt:

    text -> ingestion_cli -> loader (security) -> base
    base = metadata + pieces + graph, over services/ (key_value, retrieval, graph)
    question -> base.retrieve (graph) -> provider (formatter)

`base` makes a knowledge base in one call, `team` exchanges it with a shared one, `ports` says what
this room asks of others.
"""
