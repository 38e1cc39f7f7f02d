"""The players that a document describes for Connect Four."""
