"""To see a world: shapes as triangles, colours, the live view in the browser."""
