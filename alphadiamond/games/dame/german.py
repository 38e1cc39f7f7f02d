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

LESSONS: Final = {
    "what can be taken must be": "es muss geschlagen werden",
    "Men and how far they are": "Steine und wie weit sie sind",
    "Moving": "Ziehen",
    "You are white, below, and white moves first. A man goes one dark square forward, to the left or "
    "to the right, and never back.": (
        "Du bist Weiß, unten, und Weiß beginnt. Ein Stein geht ein dunkles Feld vor, nach links oder "
        "rechts, und nie zurück."
    ),
    "Pick one of your men that are ringed, then a dark square before it.": (
        "Nimm einen deiner umringten Steine, dann ein dunkles Feld davor."
    ),
    "That is a move. Click, drag, or use the arrows and Enter: whatever you like.": (
        "Das ist ein Zug. Klick, zieh oder nimm Pfeile und Enter: wie du magst."
    ),
    "Taking": "Schlagen",
    "A man jumps over an enemy right before it onto the empty square behind, and the enemy comes off. "
    "Whoever can take must take: the gold square shows it, and no other man may move.": (
        "Ein Stein springt über einen Gegner direkt vor ihm auf das leere Feld dahinter, und der Gegner "
        "kommt vom Brett. Wer schlagen kann, muss: das goldene Feld zeigt es, und kein anderer Stein darf "
        "ziehen."
    ),
    "Jump with the man on c3, over d4 to e5.": "Spring mit dem Stein auf c3 über d4 nach e5.",
    "Taken. Your other man could not have moved: a capture comes first.": (
        "Geschlagen. Dein anderer Stein hätte nicht ziehen dürfen: Schlagen geht vor."
    ),
    "Going on": "Weiterschlagen",
    "A man that has taken and can take again goes on, and all of it is one move.": (
        "Ein Stein, der geschlagen hat und wieder schlagen kann, springt weiter, und alles ist ein Zug."
    ),
    "Click every square where your man lands, or only the last one: c3, then e5.": (
        "Klick jedes Feld, auf dem dein Stein landet, oder nur das letzte: c3, dann e5."
    ),
    "Two at once. A man can never take more than two in one move here.": (
        "Zwei auf einmal. Mehr als zwei schlägt ein Stein hier nie in einem Zug."
    ),
    "Which one?": "Welcher?",
    "Here are two ways to take, and you may choose. Look what black can take back.": (
        "Hier kannst du auf zwei Arten schlagen und darfst wählen. Sieh, was Schwarz zurückschlagen kann."
    ),
    "Take so that your man is safe.": "Schlag so, dass dein Stein sicher steht.",
    "At the edge nobody can jump over you.": "Am Rand springt niemand über dich.",
    "Black jumps back: f6 over e5. Try the other way.": (
        "Schwarz springt zurück: f6 über e5. Versuch den anderen Weg."
    ),
    "Giving one": "Einen geben",
    "Since black must take as well, you can make it go where you want. If your man goes to d4, black "
    "has to jump over it, and you jump back.": (
        "Weil auch Schwarz schlagen muss, kannst du es hinlenken, wo du willst. Geht dein Stein nach d4, "
        "muss Schwarz darüberspringen, und du springst zurück."
    ),
    "Offer a man on d4.": "Biete einen Stein auf d4 an.",
    "Black must take it, and lands where you can take: one for one, when you wish it.": (
        "Schwarz muss ihn schlagen und landet, wo du schlagen kannst: einer gegen einen, wann du willst."
    ),
    "That gives nothing. Move from c3 to d4, right before black's man.": (
        "Das gibt nichts. Zieh von c3 nach d4, direkt vor den schwarzen Stein."
    ),
    "Winning": "Gewinnen",
    "Whoever first brings a man to the far rank wins. So does whoever takes all men, or leaves the "
    "other side without a move.": (
        "Wer zuerst einen Stein auf die letzte Reihe bringt, gewinnt. Ebenso, wer alle Steine schlägt "
        "oder der anderen Seite keinen Zug lässt."
    ),
    "Win.": "Gewinne.",
    "You are through. There are no draws in this game: every move goes forward.": (
        "Du bist durch. Remis gibt es hier nicht: jeder Zug geht vorwärts."
    ),
    "Your man on e5 is one step from the far rank.": "Dein Stein auf e5 ist einen Schritt vor der letzten Reihe.",
    "You can win: look at {}": "Du kannst gewinnen: sieh auf {}",
    "You must take: the gold squares show with whom": "Du musst schlagen: die goldenen Felder zeigen, womit",
    "Whatever you do, something can be taken: look what you get for it": (
        "Was du auch tust, etwas kann geschlagen werden: sieh, was du dafür bekommst"
    ),
    "Your man on {} is nearly through": "Dein Stein auf {} ist fast durch",
    "Your move: keep together, and leave no empty square behind a man": (
        "Dein Zug: bleib beisammen und lass hinter keinem Stein ein leeres Feld"
    ),
}
"""The same for the lessons and the coach."""
