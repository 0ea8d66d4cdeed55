"""Generic services below the three layers: key-value, retrieval, graph.

| backend | key_value | retrieval | graph |
|---|---|---|---|
| memory | MemoryKeyValueService | MemoryRetrievalService | MemoryGraphService |
| one JSON file | FileKeyValueService | FileRetrievalService | FileGraphService |
| SQLite | SQLiteKeyValueService | SQLiteFTS5RetrievalService | SQLiteGraphService |
| NetworkX, a view of another one | | | NetworkxGraphService |
| for teams, in `optional` | Redis | Chroma, LanceDB, Elasticsearch | FalkorDB, Neo4j |

Services that share a `JsonFile` or a `KnowledgeDatabase` share its transactions.
"""
