"""Dame's words in German."""

from typing import Final

GERMAN: Final = {
    "white": "Weiß",
    "black": "Schwarz",
    "man": "Stein",
    "men": "Steine",
    "square": "Feld",
    "Twelve men on thirty-six squares, and none of them turns back. Break through, or take whoever is in the way.": (
        "Zwölf Steine auf sechsunddreißig Feldern, und keiner kehrt um. Brich durch oder schlag, was im Weg steht."
    ),
    "far rank": "durchgebrochen",
    "no men": "keine Steine",
    "no move": "kein Zug",
    "a man has reached {}": "ein Stein hat {} erreicht",
    "{} has no man left": "{} hat keinen Stein mehr",
    "{} has no move": "{} kann nicht ziehen",
}
