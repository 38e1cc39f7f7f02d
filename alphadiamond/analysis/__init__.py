"""What players think of positions and games: opinions, exact values, mistakes, tables, pictures, JSON."""
