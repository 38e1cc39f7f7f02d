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

LESSONS: Final = {
    "Beads and freedom": "Perlen und Freiheit",
    "Diamond Chase is small enough to be solved. It takes a minute or two and about 120 MB of disk, "
    "once. Then the perfect player can be had, every move has its exact value, and your accuracy can "
    "be counted.": (
        "Diamond Chase ist klein genug, um gelöst zu werden. Das dauert einmal ein, zwei Minuten und "
        "braucht etwa 120 MB Platz. Danach gibt es den perfekten Spieler, jeder Zug hat seinen exakten "
        "Wert, und deine Genauigkeit wird gezählt."
    ),
    "Moving": "Ziehen",
    "You are green, at the south, and green moves first. A bead goes along a line to the next node, "
    "if that is empty.": (
        "Du bist Grün, im Süden, und Grün beginnt. Eine Perle geht entlang einer Linie zum nächsten "
        "Knoten, wenn er leer ist."
    ),
    "Pick one of your beads that glow, then a ringed node.": (
        "Nimm eine deiner leuchtenden Perlen, dann einen umringten Knoten."
    ),
    "That is a move. Click, drag, or use the arrows and Enter: whatever you like.": (
        "Das ist ein Zug. Klick, zieh oder nimm Pfeile und Enter: wie du magst."
    ),
    "Trapping": "Fangen",
    "A bead with no empty node beside it and an enemy next to it is trapped, and comes off the board. "
    "Red's bead on w has only one way out left: wi.": (
        "Eine Perle ohne leeren Knoten und mit einem Gegner daneben ist gefangen und kommt vom Brett. "
        "Rots Perle auf w hat nur noch einen Ausweg: wi."
    ),
    "Close it: move a bead to wi. Gold with a number means that a move takes something.": (
        "Verschließ ihn: zieh eine Perle nach wi. Gold mit einer Zahl heißt, dass ein Zug etwas schlägt."
    ),
    "Trapped. One bead less for red.": "Gefangen. Eine Perle weniger für Rot.",
    "That leaves red's bead its way out. Try again: the bead on cw can close it.": (
        "Das lässt Rots Perle den Ausweg. Noch einmal: die Perle auf cw kann ihn verschließen."
    ),
    "Shut in, but safe": "Eingeschlossen, aber sicher",
    "Look at s, your southernmost bead. It cannot move, yet it stands: only its own side is beside "
    "it. A bead is trapped only when an enemy touches it too.": (
        "Sieh auf s, deine südlichste Perle. Sie kann nicht ziehen und steht doch: nur eigene sind neben "
        "ihr. Gefangen ist eine Perle erst, wenn auch ein Gegner sie berührt."
    ),
    "Let it out: move the bead on si, the only one of the three round it that can.": (
        "Lass sie heraus: zieh die Perle auf si, die einzige der drei um sie, die es kann."
    ),
    "Now s has room. Beads that are shut in cannot help you.": (
        "Jetzt hat s Platz. Eingeschlossene Perlen helfen dir nicht."
    ),
    "The bead on s is still shut in. Move the one on si.": (
        "Die Perle auf s ist noch eingeschlossen. Zieh die auf si."
    ),
    "Trapping yourself": "Sich selbst fangen",
    "Your own move can take the last empty node from one of your own beads. If an enemy touches it, "
    "it is lost. The red ! warns you.": (
        "Dein eigener Zug kann einer eigenen Perle den letzten leeren Knoten nehmen. Berührt sie ein "
        "Gegner, ist sie verloren. Das rote ! warnt dich."
    ),
    "See what happens: move from cw to wi.": "Sieh, was geschieht: zieh von cw nach wi.",
    "Your bead on w had no way out left, and red stood beside it. Remember the red !": (
        "Deine Perle auf w hatte keinen Ausweg mehr, und Rot stand daneben. Denk an das rote !"
    ),
    "That was safe. For once, walk into it: cw to wi.": ("Das war sicher. Lauf dieses eine Mal hinein: cw nach wi."),
    "Taking comes first": "Erst wird geschlagen",
    "The same corner, but now sw is yours. What you trap comes off before anything of yours does, and "
    "that makes room.": (
        "Dieselbe Ecke, aber jetzt gehört sw dir. Was du fängst, kommt vor dem Deinen vom Brett, und das macht Platz."
    ),
    "Move to wi again, and look what is left.": "Zieh wieder nach wi und sieh, was bleibt.",
    "Red's bead on ws came off first, so yours on w has room again. A capture can save your own.": (
        "Rots Perle auf ws kam zuerst weg, so hat deine auf w wieder Platz. Ein Fang kann die eigenen retten."
    ),
    "Not this one: the bead on cw, to wi.": "Nicht diese: die Perle auf cw, nach wi.",
    "Winning": "Gewinnen",
    "Whoever has fewer than four beads has lost. Red has four left, and one of them is nearly shut in.": (
        "Wer weniger als vier Perlen hat, hat verloren. Rot hat noch vier, und eine ist fast eingeschlossen."
    ),
    "Find the move that wins.": "Finde den Zug, der gewinnt.",
    "Three beads left: you win. A game also ends in a draw when a position comes up for the third "
    "time, or after a hundred plies without a capture.": (
        "Noch drei Perlen: du gewinnst. Remis ist es, wenn eine Stellung zum dritten Mal vorkommt oder "
        "hundert Halbzüge nichts geschlagen wird."
    ),
    "Red is still in it. Look at the west corner.": "Rot ist noch dabei. Sieh in die westliche Ecke.",
    "You can take a bead: look at {}": "Du kannst eine Perle fangen: sieh auf {}",
    "Careful: {} has only one way out": "Vorsicht: {} hat nur einen Ausweg",
    "Your move: come closer, and keep room behind you": "Dein Zug: rück näher und behalt Platz hinter dir",
}
"""The same for the lessons and the coach."""
