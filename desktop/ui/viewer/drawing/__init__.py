"""Pictures of pages: what to draw, who draws it, and what is kept."""
