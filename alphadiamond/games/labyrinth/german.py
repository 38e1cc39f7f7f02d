"""The Labyrinth's words in German."""

from typing import Final

GERMAN: Final = {
    "green": "Grün",
    "red": "Rot",
    "runner": "Läufer",
    "runners": "Läufer",
    "cell": "Feld",
    "A new maze in every game. Two runners want to the other's corner, and whoever pays less on the way wins.": (
        "In jeder Partie ein neuer Irrgarten. Zwei Läufer wollen in die Ecke des anderen; wer unterwegs weniger zahlt, "
        "gewinnt."
    ),
    "1 ply left": "noch 1 Halbzug",
    "{} plies left": "noch {} Halbzüge",
    "both at home": "beide im Ziel",
    "the deadline": "Zeit um",
    "{} has paid {}, {} {}, lateness included": "{} hat {} gezahlt, {} {}, mit Verspätung",
    "{} has paid {}, {} {}": "{} hat {} gezahlt, {} {}",
}
