"""collision.h: geoms and contacts. One file per shape."""
