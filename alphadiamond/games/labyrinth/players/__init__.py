"""Players of the Labyrinth alone."""
