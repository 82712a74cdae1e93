"""Islands solved in the space of rows: elimination in an envelope, then the bounded rows that remain."""
