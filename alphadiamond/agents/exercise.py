"""A player asked in every way there is: so that all it needs is compiled."""

from alphadiamond.agents.base import Agent


def exercise(*agents: Agent) -> None:
    """Every way to ask a player, at the start of its game and after two plies."""
    for agent in agents:
        start = agent.game.sample_start()
        agent.analyse_many([start])
        agent.reset()
        list(agent.stream(start))
        after = start.play(agent.choose(start))
        agent.analyse(after.play(after.moves()[0]))
