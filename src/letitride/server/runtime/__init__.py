"""Runtime: what all of the server runs on: batched writes, requests, rates, pace, metrics, worker threads."""
