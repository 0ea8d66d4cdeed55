"""Data that ships with Groundwork: icons, themes, sample manuals and the text model."""
