"""Who acts when no person does: the automatic dealer and the bots; pure but for the chance that is handed in."""
