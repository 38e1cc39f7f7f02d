"""A game on this machine, whatever shows it: the session, its players and analysts, and the games that are kept."""
