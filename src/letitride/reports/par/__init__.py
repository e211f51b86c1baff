"""Par: par sheets, best play and live figures of a paytable."""
