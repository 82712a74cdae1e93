"""objects.h: worlds, bodies, joints. One file a joint."""
