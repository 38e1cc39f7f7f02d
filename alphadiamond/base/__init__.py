"""What every game and every package rests on: compilation, random numbers, results, errors of text, what a game is."""
