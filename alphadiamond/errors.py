"""The root of every error that a person can cause and put right."""


class AlphaDiamondError(Exception):
    """A fault in what was given to us; its text is one line that says what to do."""
