"""The players for other programs: one JSON object a line in, one or more out. See docs/reference/engine.md."""
