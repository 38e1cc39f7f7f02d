"""Players on a command line: their texts hold `=`, `:` and commas, which Hydra wants quoted."""

from collections.abc import Collection, Sequence


def split_specs(text: str) -> list[str]:
    """`random,mcts:simulations=100,seed=2` is two players: what has a value but no name belongs to the one before."""
    specs: list[str] = []
    for piece in text.split(","):
        head, equals, _ = piece.partition("=")
        if equals and ":" not in head and specs:
            specs[-1] += f",{piece.strip()}"
        else:
            specs.append(piece.strip())
    return [spec for spec in specs if spec]


def quote_specs(arguments: Sequence[str], *, players: Collection[str], lists: Collection[str]) -> list[str]:
    """Put the quotes that Hydra needs around the players among `key=value` arguments; what is quoted stays.

    `players` are the keys that hold one player, `lists` those that hold several, with or without brackets.
    """
    return [_quoted(argument, players, lists) for argument in arguments]


def _quoted(argument: str, players: Collection[str], lists: Collection[str]) -> str:
    key, equals, value = argument.partition("=")
    if not equals or any(mark in value for mark in "'\""):
        return argument
    if key in players and value not in ("null", ""):
        return f"{key}='{value}'"
    if key in lists and value not in ("null", ""):
        return f"{key}=[{','.join(repr(spec) for spec in split_specs(value.removeprefix('[').removesuffix(']')))}]"
    return argument
