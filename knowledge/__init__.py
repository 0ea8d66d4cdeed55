"""What the agent knows before it reads: who it is and which domain it serves."""
