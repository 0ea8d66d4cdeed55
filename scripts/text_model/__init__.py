"""Teaching the text model of equipment manuals: the questions and how they are learnt."""
