"""Clients of databases that a team shares. Each needs its own library and is given a client.

| backend | class | library |
|---|---|---|
| Redis | `redis.RedisKeyValueService` | redis |
| Chroma | `chroma.ChromaRetrievalService` | chromadb |
| LanceDB | `lancedb.LanceDBRetrievalService` | lancedb |
| FalkorDB | `cypher.FalkorDBGraphService` | falkordblite (in a file), falkordb (a server) |
| Elasticsearch | `elasticsearch.ElasticsearchRetrievalService` | elasticsearch |
| Neo4j | `cypher.Neo4jGraphService` | neo4j |

The contract of each is tested against the real thing, a server where there is one, except for
Elasticsearch and Neo4j: these two are experimental (Neo4j's queries are those that FalkorDB runs).

A client has no transaction that spans calls, so `undo` puts back what a failed one changed: other
readers may see its changes meanwhile, and a process that is killed leaves them.
"""
