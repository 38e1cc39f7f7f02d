"""Connect Four's words in German."""

from typing import Final

GERMAN: Final = {
    "Connect Four": "Vier gewinnt",
    "yellow": "Gelb",
    "red": "Rot",
    "disc": "Scheibe",
    "discs": "Scheiben",
    "column": "Spalte",
    "Seven columns, six rows, four in a row. Whoever begins can win, if every disc falls where it should.": (
        "Sieben Spalten, sechs Reihen, vier in einer Reihe. Wer beginnt, kann gewinnen, wenn jede Scheibe passt."
    ),
    "four in a row": "vier in einer Reihe",
    "full board": "volles Brett",
    "the board is full": "das Brett ist voll",
    "four in a row after {} discs": "vier in einer Reihe nach {} Scheiben",
}
