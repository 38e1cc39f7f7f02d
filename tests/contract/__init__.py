"""What every game keeps to, and every player in every game."""
