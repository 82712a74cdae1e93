"""common.h: types, constants, configuration."""
