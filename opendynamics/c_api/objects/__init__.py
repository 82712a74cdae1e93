"""objects.h: worlds, bodies, joints. One file per joint."""
