"""The words a person can say, and which of them they meant."""

import difflib
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.base.notation import IllegalMoveError
from alphadiamond.errors import AlphaDiamondError

COMMANDS: Final = {
    "help": "these words",
    "board": "the board again",
    "moves": "all legal moves, numbered",
    "hint": "a good move",
    "analyse": "what the players think: analyse, or analyse minimax:depth=8",
    "simulate": "the path finders side by side, where pieces look for their way: simulate, or simulate chebyshev",
    "logs": "what happened to each runner, one letter a step, and its Huffman code",
    "back": "take back your last move",
    "redo": "play again what was taken back",
    "level": "the opponents, or another one: level, level 3, level expert, level mcts:seconds=2",
    "new": "a new game: new, or new with a side, to play that side",
    "save": "keep the game: save, or save FILE",
    "load": "go on with a game: load FILE",
    "resume": "go on with the game that was left unfinished",
    "position": "the position as text",
    "plain": "sentences in place of pictures, for screen readers: plain on, plain off",
    "go": "let the players go on, when you are watching",
    "resign": "give the game up",
    "quit": "leave; an unfinished game is kept",
}
WAY_COMMANDS: Final = ("simulate", "logs")
"""For games alone whose pieces look for their way."""
_OTHER_WORDS: Final = {
    "undo": "back",
    "analyze": "analyse",
    "analysis": "analyse",
    "levels": "level",
    "players": "level",
    "exit": "quit",
    "bye": "quit",
    "?": "help",
}


class NotUnderstoodError(AlphaDiamondError):
    """What the person said is neither a move nor a command; it says what could have been meant."""


@dataclass(frozen=True)
class Command:
    name: str
    argument: str = ""


def understand(line: str, position: Any) -> Any | Command:
    """A move by its name or number, or a command by its name or the beginning of it."""
    words = line.split(None, 1)
    word, argument = words[0].lower(), words[1].strip() if len(words) > 1 else ""
    moves = position.moves()
    if word in COMMANDS or word in _OTHER_WORDS:
        return Command(_OTHER_WORDS.get(word, word), argument)
    if not argument:
        by_name = {str(move): move for move in moves}
        if word in by_name:  # before the numbers: in some games a number is the name of a move
            return by_name[word]
        if word.isdecimal():
            if not 1 <= int(word) <= len(moves):
                raise NotUnderstoodError(f"there is no move {word}: the moves are numbered 1 to {len(moves)}")
            return moves[int(word) - 1]
        begun = [name for name in by_name if name.startswith(f"{word}-") or (len(word) > 1 and name.startswith(word))]
        if begun:
            raise NotUnderstoodError(f"which one: {', '.join(begun)}?")
        _refuse_illegal(word, position)
    meant = [name for name in COMMANDS if name.startswith(word)]
    if len(meant) == 1:
        return Command(meant[0], argument)
    if meant:
        raise NotUnderstoodError(f"{word!r} could be {' or '.join(meant)}")
    near = difflib.get_close_matches(word, [*COMMANDS, *(str(move) for move in moves)], n=1)
    hint = f"did you mean {near[0]}?" if near else "say help for what there is, moves for the legal moves"
    raise NotUnderstoodError(f"{line.strip()[:40]!r} is neither a move nor a command: {hint}")


def _refuse_illegal(word: str, position: Any) -> None:
    """Say why a move cannot be made, before its name is taken for the beginning of a command: `ne` into a wall is not
    `new`."""
    try:
        position.play(word)
    except AlphaDiamondError as error:
        if "-" in word or (isinstance(error, IllegalMoveError) and position.outcome is None):
            raise NotUnderstoodError(str(error)) from None
