"""The window: play, watch and analyse. `alphadiamond.client.app.run` opens it."""
