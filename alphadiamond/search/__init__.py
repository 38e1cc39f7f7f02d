"""Tree search guided by an evaluator, for many games at once."""

from alphadiamond.base.game import Game, States
from alphadiamond.search.base import EvaluateFn, Roots
from alphadiamond.search.search import TreeSearch
from alphadiamond.settings.search import SearchSettings

__all__ = ["EvaluateFn", "Game", "Roots", "SearchSettings", "States", "TreeSearch"]
