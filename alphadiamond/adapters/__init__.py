"""The game and its players in other libraries: PettingZoo and OpenSpiel. Nothing of them is imported here."""
