"""collision.h: geoms and contacts. One file a shape."""
