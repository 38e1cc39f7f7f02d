"""Studies of runs, searches and networks: what was measured once, as commands that measure it again."""
