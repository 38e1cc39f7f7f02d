"""Tree search guided by an evaluator, for many games at once."""

from alphadiamond.base.game import Game, States
from alphadiamond.search.judging import Evaluator
from alphadiamond.search.search import Roots, TreeSearch
from alphadiamond.search.settings import SearchSettings

__all__ = ["Evaluator", "Game", "Roots", "SearchSettings", "States", "TreeSearch"]
