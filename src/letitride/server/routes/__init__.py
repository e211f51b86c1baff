"""Routes: the addresses of the house, one module for each thing that people come for."""
