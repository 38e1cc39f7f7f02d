"""The game in a terminal: the board in letters, moves by name or number; over ssh, in a pipe, for a screen reader."""
