"""House: commands that run a house: serve it, staff it, check and back it up."""
