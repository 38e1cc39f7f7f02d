"""Proofs about players: every position that can come up against every reply, and certificates of what was found."""
