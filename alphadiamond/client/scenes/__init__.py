"""The scenes, one a file."""
