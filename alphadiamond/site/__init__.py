"""The page without a server: static files with rules, search and networks for a visitor's own browser."""
