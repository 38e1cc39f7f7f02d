"""Holding a game to what everything else expects of it: `alphadiamond.games.check_game`."""
