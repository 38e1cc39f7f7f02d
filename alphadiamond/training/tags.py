"""The names of a run's curves, what each of them tells, and the page that shows those that matter."""

from collections.abc import Sequence
from typing import Any

from alphadiamond.errors import AlphaDiamondError

_DESCRIPTIONS = {
    "loss/total": "All losses together. Falls fast, then slowly; a jump up means divergence.",
    "loss/policy": "Cross-entropy of the policy and the search's recommendation, whose entropy is its floor.",
    "loss/value": "Cross-entropy of the predicted result and the target.",
    "loss/soft": "Cross-entropy of policy and recommendation, both to the power of 1/4, where that is learnt.",
    "loss/reply": "Cross-entropy of the predicted reply of the opponent, where the model has that head.",
    "loss/survival": "Cross-entropy of which beads survive, where the model has that head.",
    "policy/entropy": "How undecided the policy is, in nats. Falls as the network learns; near 0 early means collapse.",
    "policy/divergence": "How far the search's recommendation is from the policy: what is left to learn from search.",
    "learner/learning_rate": "The learning rate: warm-up, plateau, half cosine to a twentieth.",
    "learner/gradient_norm": "Norm of the gradient before it is cut.",
    "learner/value_accuracy": "How often the likeliest predicted result is the target's likeliest.",
    "learner/steps": "Steps of the optimiser so far.",
    "learner/skipped": "Steps left out because the loss or a gradient was not finite. Should stay at 0.",
    "replay/window": "Samples in the replay window.",
    "replay/age": "Mean age of the window's samples in iterations.",
    "replay/samples": "New samples of this iteration.",
    "games/played": "Games that ended in this iteration.",
    "games/plies": "Mean length of a game in plies.",
    "games/draws": "Share of games drawn. With random moves in self-play a fifth is usual, without them most.",
    "games/decided": "Share of games won by somebody.",
    "games/first_move_wins": "Share of games from the start of the game that the first to move wins.",
    "regret/positions": "Positions that all workers together keep for games to begin with again.",
    "gate/score": "Points per game of the candidate against the champion.",
    "gate/low": "Lower end of the 95 % interval of the gate's score.",
    "gate/high": "Upper end of the 95 % interval of the gate's score.",
    "gate/pairs": "Pairs of games the sequential test needed.",
    "gate/passed": "1 if the candidate became champion.",
    "gate/promotions": "Candidates that have passed so far.",
    "exam/kept": "Share of positions in which the champion's bare policy keeps the exact value. Only measured.",
    "exam/result": "Share of the exam's positions whose result the value head predicts.",
    "elo/earlier": "Rating in Elo among the run's own snapshots, the first at 0, from random placements.",
    "search/cache_hit_rate": "Share of evaluations answered by the cache.",
    "speed/simulations_per_second": "Simulations of all workers per second of self-play.",
    "speed/games_per_second": "Games finished per second of self-play.",
    "speed/iteration_seconds": "Seconds of the whole iteration.",
    "speed/selfplay_seconds": "Seconds of self-play of the mean worker; it runs beside learning.",
    "speed/learning_seconds": "Seconds of learning.",
    "speed/waiting_seconds": "Seconds the loop waited for self-play. Near 0: learning is what takes the time.",
    "speed/gate_seconds": "Seconds of the gate's games.",
    "speed/evaluation_seconds": "Seconds of the evaluation's games.",
    "progress/games": "Games played so far.",
    "cluster/workers": "Workers that play, on all machines together.",
    "cluster/nodes": "Machines that they play on.",
    "cluster/lost_workers": "Workers that have died so far, with their machine or alone. Their games go on elsewhere.",
    "cluster/late_workers": "Workers that the quorum did not wait for; what they bring counts in the next iteration.",
    "cluster/refused_harvests": "Results so far that no worker can have made, and were refused. Should stay at 0.",
    "cluster/sample_age": "Mean age of the new samples in iterations. Above 0: late workers play with older weights.",
    "cluster/update_bytes": "Bytes of one update of the weights.",
    "cluster/harvest_bytes": "Bytes of this iteration's results.",
}
_FAMILIES = {
    "cluster/speed/": "Simulations per second of all workers on {}.",
    "score/": "Points per game of the champion against {}.",
    "elo/": "The score against {} as a difference in Elo, within 1,000: games from random openings.",
    "endings/": "Share of games that ended like this: {}.",
    "starts/": "Share of games whose start is of this kind: {}.",
    "regret/": "How far, at most in a game, value targets are from what the search said; games whose start is: {}.",
    "exam/": "Share of positions with {} in which the champion's bare policy keeps the exact value. Only measured.",
}
_BOUNDS = {"low": "Lower end of the 95 % interval of: ", "high": "Upper end of the 95 % interval of: "}


def tag_of(player: str) -> str:
    """A player's text as part of a tag."""
    return player.replace(":", "_").replace("=", "_").replace(",", "_").replace("/", "_")


def describe(tag: str) -> str:
    """What a curve tells; every tag that is written has a description."""
    if tag in _DESCRIPTIONS:
        return _DESCRIPTIONS[tag]
    head, _, bound = tag.rpartition("/")
    if bound in _BOUNDS and head:
        return _BOUNDS[bound] + describe(head)
    for family, text in _FAMILIES.items():
        if tag.startswith(family):
            return text.format(tag.removeprefix(family).replace("_", " "))
    raise AlphaDiamondError(f"no description of the curve {tag}")


def page(baselines: Sequence[str]) -> dict[str, Any]:
    """The curves that matter, for TensorBoard's page of custom scalars."""
    anchor = f"elo/{tag_of(anchor_of(baselines))}" if baselines else "elo/none"
    return {
        "AlphaDiamond": {
            "loss": ["Multiline", ["loss/policy", "loss/value"]],
            "divergence of search from prior": ["Multiline", ["policy/divergence"]],
            "policy entropy": ["Multiline", ["policy/entropy"]],
            "exam: value kept": ["Multiline", ["exam/kept"]],
            "score against the baselines": ["Multiline", ["score/.*"]],
            "rating among its own snapshots": ["Margin", ["elo/earlier", "elo/earlier/low", "elo/earlier/high"]],
            f"match Elo against {anchor_of(baselines)}": ["Margin", [anchor, f"{anchor}/low", f"{anchor}/high"]],
            "gate": ["Margin", ["gate/score", "gate/low", "gate/high"]],
            "how games end": ["Multiline", ["games/decided", "games/draws", "games/first_move_wins"]],
            "speed": ["Multiline", ["speed/simulations_per_second"]],
        }
    }


def anchor_of(baselines: Sequence[str]) -> str:
    """The baseline that the rating on the terminal refers to: Minimax of depth 4 if it plays, else the last."""
    wanted = "minimax:depth=4"
    return wanted if wanted in baselines or not baselines else baselines[-1]
