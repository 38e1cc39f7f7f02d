"""Domineering as somebody else would add it, from docs/guides/add-a-game.md: a package outside of ours."""
