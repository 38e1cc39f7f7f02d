"""Convolutions of 3 by 3 for play on a CPU, by Winograd's minimal filtering, in compiled code."""
