"""Diamond Chase's words in German."""

from typing import Final

GERMAN: Final = {
    "green": "Grün",
    "red": "Rot",
    "bead": "Perle",
    "beads": "Perlen",
    "node": "Knoten",
    "Twenty-one nodes, twelve beads, no luck. Shut your opponent in before you are shut in yourself.": (
        "Einundzwanzig Knoten, zwölf Perlen, kein Glück. Schließ die anderen ein, bevor du eingeschlossen wirst."
    ),
    "repetition": "Wiederholung",
    "no capture": "nichts geschlagen",
    "the position came up for the third time": "die Stellung kam zum dritten Mal vor",
    "a hundred plies without a capture": "hundert Halbzüge, ohne dass geschlagen wurde",
    "{} has {} beads left": "{} hat noch {} Perlen",
}
