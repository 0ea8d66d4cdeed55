"""Teaching the text model to read two texts together: reranking places, comparing statements."""
