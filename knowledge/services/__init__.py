"""Generic services below the three layers: key-value, retrieval, graph.

| backend | key_value | retrieval | graph |
|---|---|---|---|
| memory | MemoryKeyValueService | MemoryRetrievalService | MemoryGraphService |
| one JSON file | FileKeyValueService | FileRetrievalService | FileGraphService |
| SQLite | SQLiteKeyValueService | SQLiteFTS5RetrievalService | SQLiteGraphService |
| SQLite, which NetworkX may look at | | | NetworkxGraphService |
| Redis | `redis.RedisKeyValueService` | | |
| Chroma, LanceDB, Elasticsearch | | `vector_databases` | |
| FalkorDB, Neo4j | | | `cypher` |

Services that share a `JsonFile` or a `KnowledgeDatabase` share its transactions.

The last three rows are clients of databases that a team shares; each needs its own library and is
given a client of it. Their contracts are tested against the real thing, a server where there is
one, except for Elasticsearch and Neo4j: these two are experimental (Neo4j's queries are those that
FalkorDB runs). They have no transaction that spans calls, so `base.ClientService` puts back what a
failed one changed: other readers may see its changes meanwhile, and a process that is killed leaves
them.
"""
