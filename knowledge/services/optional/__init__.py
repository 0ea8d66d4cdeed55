"""Clients of databases that a team shares. Each needs its own library and is given a client.

| backend | class | library |
|---|---|---|
| Redis | `redis.RedisKeyValueService` | redis |
| Chroma | `chroma.ChromaRetrievalService` | chromadb |
| LanceDB | `lancedb.LanceDBRetrievalService` | lancedb |
| Elasticsearch | `elasticsearch.ElasticsearchRetrievalService` | elasticsearch |
| Neo4j | `neo4j.Neo4jGraphService` | neo4j |

A client has no transaction that spans calls, so `undo` puts back what a failed one changed: other
readers may see its changes meanwhile, and a process that is killed leaves them.
"""
