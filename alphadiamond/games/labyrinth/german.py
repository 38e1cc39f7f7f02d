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

LESSONS: Final = {
    "What is paid, and the cheapest ways home": "Bezahltes und die billigsten Wege ins Ziel",
    "You are at home and pass. {}": "Du bist im Ziel und setzt aus. {}",
    "{}; alone, your cheapest way home costs {}": "{}; allein kostet dein billigster Weg ins Ziel {}",
    "The way home": "Der Weg ins Ziel",
    "You are green, at the top left, and your home is the green corner at the bottom right. Red runs "
    "the other way. In turn you each go one cell; a step costs {}, and whoever pays less in the end "
    "wins.": (
        "Du bist Grün, oben links, und dein Ziel ist die grüne Ecke unten rechts. Rot läuft andersherum. "
        "Abwechselnd geht ihr je ein Feld; ein Schritt kostet {}, und wer am Ende weniger zahlt, gewinnt."
    ),
    "Click the cell beside you. The digits step too, as they lie on a keypad.": (
        "Klick das Feld neben dir. Auch die Ziffern gehen, wie sie auf dem Ziffernblock liegen."
    ),
    "What a step costs rises from it. Point at a cell far off, and the cheapest way there is shown.": (
        "Was ein Schritt kostet, steigt von ihm auf. Zeig auf ein fernes Feld, dann siehst du den "
        "billigsten Weg dorthin."
    ),
    "Cutting corners": "Ecken abkürzen",
    "You may go in all eight directions, between two walls as well. A diagonal step costs {}, less "
    "than two straight ones.": (
        "Du darfst in alle acht Richtungen, auch zwischen zwei Wänden hindurch. Ein schräger Schritt "
        "kostet {}, weniger als zwei gerade."
    ),
    "Go from e2 to d3 in one step.": "Geh in einem Schritt von e2 nach d3.",
    "Round the corner in one go.": "In einem Zug um die Ecke.",
    "Look for d3, down to the left.": "Such d3, links unten.",
    "Traps": "Fallen",
    "Entering a trap costs {} more, every time and whoever it is. Often there is a way past it.": (
        "Eine Falle zu betreten kostet {} mehr, jedes Mal und für jeden. Oft führt ein Weg daran vorbei."
    ),
    "Get on to the south-east without entering the trap on f3.": (
        "Geh weiter nach Südosten, ohne die Falle auf f3 zu betreten."
    ),
    "Past it, between the walls.": "Vorbei, zwischen den Wänden hindurch.",
    "That is not the way past the trap: f4 is open.": "So geht es nicht an der Falle vorbei: f4 ist frei.",
    "Power-ups": "Boni",
    "Whoever first enters a power-up pays {} less for that step, and it is gone for both. A small "
    "detour can be worth it, if the other does not come first.": (
        "Wer einen Bonus zuerst betritt, zahlt für den Schritt {} weniger, und er ist für beide weg. Ein "
        "kleiner Umweg kann sich lohnen, wenn der andere nicht zuerst da ist."
    ),
    "Take a power-up.": "Nimm einen Bonus.",
    "The step has brought something in.": "Der Schritt hat etwas eingebracht.",
    "A power-up lies right below you, and another beside it.": (
        "Ein Bonus liegt direkt unter dir, ein zweiter daneben."
    ),
    "The other runner": "Der andere Läufer",
    "Both may stand in one cell, but whoever enters the cell of the other pays {} more. The two "
    "corners alone are safe. So a narrow passage can be held.": (
        "Beide dürfen auf einem Feld stehen, aber wer das Feld des anderen betritt, zahlt {} mehr. Nur "
        "die zwei Ecken sind sicher. So lässt sich ein enger Gang halten."
    ),
    "Red is in the way to the east. Go round.": "Rot steht im Weg nach Osten. Geh außen herum.",
    "From there the way east is free again.": "Von dort ist der Weg nach Osten wieder frei.",
    "That is no way round: entering red's cell costs {} more, and west leads back.": (
        "Das führt nicht herum: Rots Feld zu betreten kostet {} mehr, und nach Westen geht es zurück."
    ),
    "Home in time": "Rechtzeitig im Ziel",
    "Who is at home stays there and passes. The game is over when both are at home, or after 48 "
    "plies: whoever is still on the way then pays {} more. The lower total wins.": (
        "Wer im Ziel ist, bleibt dort und setzt aus. Die Partie endet, wenn beide im Ziel sind, oder nach "
        "48 Halbzügen: wer dann noch unterwegs ist, zahlt {} mehr. Die kleinere Summe gewinnt."
    ),
    "Red is at home and has paid 200. Win.": "Rot ist im Ziel und hat 200 gezahlt. Gewinne.",
    "Home, with 196 to 200.": "Im Ziel, mit 196 zu 200.",
    "Your home is the corner right beside you.": "Dein Ziel ist die Ecke direkt neben dir.",
}
"""The same for the lessons and the coach."""
