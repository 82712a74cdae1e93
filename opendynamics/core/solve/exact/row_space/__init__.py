"""Islands solved in row space: elimination in an envelope, then the bounded rows that remain."""
