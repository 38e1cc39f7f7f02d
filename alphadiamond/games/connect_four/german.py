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

LESSONS: Final = {
    "Open lines": "Offene Reihen",
    "Dropping a disc": "Eine Scheibe einwerfen",
    "You are yellow, and yellow moves first. A disc falls to the lowest empty place of its column.": (
        "Du bist Gelb, und Gelb beginnt. Eine Scheibe fällt auf den untersten freien Platz ihrer Spalte."
    ),
    "Click a column, press its number, or use the arrows and Enter.": (
        "Klick eine Spalte, drück ihre Zahl oder nimm Pfeile und Enter."
    ),
    "That is a move. The middle is a good place to begin: most lines run through it.": (
        "Das ist ein Zug. Die Mitte ist ein guter Anfang: die meisten Reihen laufen durch sie."
    ),
    "Four in a row": "Vier in einer Reihe",
    "Four discs of one colour side by side win at once. You have three.": (
        "Vier Scheiben einer Farbe nebeneinander gewinnen sofort. Du hast drei."
    ),
    "Add the fourth, on either side.": "Setz die vierte, links oder rechts.",
    "Four in a row. Red had three as well, but it was your turn.": (
        "Vier in einer Reihe. Rot hatte auch drei, aber du warst am Zug."
    ),
    "Red wins next if you do not. Look at the lowest row.": (
        "Sonst gewinnt Rot als Nächstes. Sieh auf die unterste Reihe."
    ),
    "Upright": "Senkrecht",
    "A column counts as well as a row.": "Eine Spalte zählt so viel wie eine Reihe.",
    "Finish the column.": "Mach die Spalte voll.",
    "Four on top of each other.": "Vier übereinander.",
    "That was another column. Yours is the fourth.": "Das war eine andere Spalte. Deine ist die vierte.",
    "Across": "Schräg",
    "So do both diagonals, and they are the ones that are overlooked. Yours climbs from the lower left.": (
        "Beide Schrägen auch, und gerade sie werden übersehen. Deine steigt von links unten."
    ),
    "Find the disc that finishes it.": "Finde die Scheibe, die sie vollendet.",
    "Four on a diagonal. The discs below, even red ones, were the stairs.": (
        "Vier auf der Schrägen. Die Scheiben darunter, auch rote, waren die Treppe."
    ),
    "Look at columns 1, 2 and 3: each of your discs lies one higher than the last.": (
        "Sieh auf die Spalten 1, 2 und 3: jede deiner Scheiben liegt eine höher als die vorige."
    ),
    "Blocking": "Abwehren",
    "Red has three in a row, and one end is still open.": ("Rot hat drei in einer Reihe, und ein Ende ist noch offen."),
    "Put a disc there before red does.": "Setz eine Scheibe dorthin, bevor Rot es tut.",
    "Blocked. Look for red's threats before every move.": "Abgewehrt. Sieh vor jedem Zug nach Rots Drohungen.",
    "Red would win now. The open end is column 6.": "Jetzt würde Rot gewinnen. Das offene Ende ist Spalte 6.",
    "Two at once": "Zwei zugleich",
    "One threat can be blocked, two cannot. Three in a row with both ends open are two threats.": (
        "Eine Drohung lässt sich abwehren, zwei nicht. Drei in einer Reihe mit zwei offenen Enden sind zwei Drohungen."
    ),
    "Make a row of three with room on both sides.": "Bilde eine Dreierreihe mit Platz auf beiden Seiten.",
    "Red can block only one end: you win whatever it does. A full board without four is a draw.": (
        "Rot kann nur ein Ende abwehren: du gewinnst auf jeden Fall. Ein volles Brett ohne vier ist remis."
    ),
    "Red can still answer that. Go on in the lowest row, beside your two discs.": (
        "Darauf hat Rot noch eine Antwort. Weiter in der untersten Reihe, neben deinen zwei Scheiben."
    ),
    "You can win: look at column {}": "Du kannst gewinnen: sieh auf Spalte {}",
    "Careful: block column {}": "Vorsicht: wehr Spalte {} ab",
    "Leave column {} alone: the place on top of it would win for the other side": (
        "Lass Spalte {} in Ruhe: der Platz darüber würde für die andere Seite gewinnen"
    ),
    "Your move: the middle is worth most": "Dein Zug: die Mitte ist am meisten wert",
}
"""The same for the lessons and the coach."""
