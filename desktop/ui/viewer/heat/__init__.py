"""Where pages look like the question, laid over them."""
