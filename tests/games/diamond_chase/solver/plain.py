"""A second solver, as plain as it can be: it shares no code with the package, and goes forward where the solver goes
backward.

Value iteration on the layer of 4 against 4, from which no move leads out but into the end of the game: in round n every
position that is not decided looks at all its moves, until a round decides nothing.
"""

from tests.games.diamond_chase import reference

NODES = len(reference.NODES)
NEIGHBOURS = [[reference.NODES.index(name) for name in sorted(reference.NEIGHBOURS[node])] for node in reference.NODES]
AROUND = [sum(1 << other for other in row) for row in NEIGHBOURS]

Board = tuple[int, int]  # bits in the order of reference.NODES: the side to move, the opponent
Result = tuple[int, int]  # 1, 0 or -1 for the side to move, and the plies to the end


def _symmetries() -> list[list[int]]:
    """The turns and mirrorings, by renaming the compass points."""
    found = []
    for turns in range(4):
        for mirrored in (False, True):
            ring = "nesw"[turns:] + "nesw"[:turns]
            compass = dict(zip("nesw", ring[:1] + ring[:0:-1] if mirrored else ring, strict=True))
            names = ["".join(compass.get(letter, letter) for letter in name) for name in reference.NODES]
            found.append([reference.NODES.index(name) for name in names])
    return found


SYMMETRIES = _symmetries()


def trapped(own: int, opp: int) -> int:
    full = own | opp
    return sum(1 << n for n in range(NODES) if own >> n & 1 and not AROUND[n] & ~full and AROUND[n] & opp)


def moves(own: int, opp: int) -> list[Board]:
    """(own, opp) after every move, still from the mover's view."""
    found = []
    for source in range(NODES):
        if own >> source & 1:
            for target in NEIGHBOURS[source]:
                if not (own | opp) >> target & 1:
                    moved = own ^ 1 << source ^ 1 << target
                    left = opp ^ trapped(opp, moved)
                    found.append((moved ^ trapped(moved, left), left))
    return found


def search(own: int, opp: int, depth: int) -> Result | None:
    """The result with its distance where it is decided within `depth` plies."""
    if own.bit_count() < 4:
        return -1, 0
    if opp.bit_count() < 4:
        return 1, 0
    if depth == 0:
        return None
    replies = [search(left, moved, depth - 1) for moved, left in moves(own, opp)]
    if wins := [reply[1] for reply in replies if reply and reply[0] == -1]:
        return 1, min(wins) + 1
    if all(reply and reply[0] == 1 for reply in replies):
        return -1, max(reply[1] for reply in replies if reply) + 1
    return None


def solve_four_against_four() -> dict[Board, Result]:
    """Every stable position of 4 against 4, one of each class under symmetry, with its result."""
    fours = [mask for mask in range(1 << NODES) if mask.bit_count() == 4]
    images = {mask: [sum(1 << s[n] for n in range(NODES) if mask >> n & 1) for s in SYMMETRIES] for mask in fours}
    smallest = {mask: min(images[mask]) for mask in fours}
    leading = {mask: [k for k, image in enumerate(images[mask]) if image == smallest[mask]] for mask in fours}

    def canonical(own: int, opp: int) -> Board:
        return smallest[own], min(images[opp][k] for k in leading[own])

    boards = [
        (own, opp)
        for own in fours
        if smallest[own] == own
        for opp in fours
        if not own & opp and canonical(own, opp) == (own, opp) and not trapped(own, opp) and not trapped(opp, own)
    ]
    numbers = {board: number for number, board in enumerate(boards)}
    next_numbers: list[list[int]] = []
    results: dict[int, Result] = {}
    for number, (own, opp) in enumerate(boards):
        quiet = []
        for moved, left in moves(own, opp):
            if left.bit_count() < 4:
                results[number] = 1, 1
            elif moved.bit_count() == 4:
                quiet.append(numbers[canonical(left, moved)])
        next_numbers.append(quiet)  # a move that costs the mover a bead loses at once, and decides nothing else
    for number, quiet in enumerate(next_numbers):
        if not quiet and number not in results:
            results[number] = -1, 1
    distance = 1
    while True:
        distance += 1
        new: dict[int, Result] = {}
        for number, quiet in enumerate(next_numbers):
            if number in results:
                continue
            known = [results.get(after) for after in quiet]
            if any(reply is not None and reply[0] == -1 for reply in known):
                new[number] = 1, distance
            elif all(reply is not None and reply[0] == 1 for reply in known):
                new[number] = -1, distance
        if not new:
            break
        results |= new
    return {board: results.get(number, (0, 0)) for number, board in enumerate(boards)}
