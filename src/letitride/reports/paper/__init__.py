"""Paper: a report as data, and its forms as PDF, HTML and text; it computes nothing."""
