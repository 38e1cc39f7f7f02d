"""What the solvers of games share: tables on disk, what a solution tells of a game, and the command that solves."""
