"""Players that know Diamond Chase: its own searches, the fuzzy player and the hybrid."""
