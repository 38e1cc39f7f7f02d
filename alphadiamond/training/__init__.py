"""Self-play learning: games, replay, learner, gate, evaluation, and the loop that names them in order."""
