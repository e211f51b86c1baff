"""Net: what every connection meets besides the routes: limits on requests, sockets, the page, the API reference."""
