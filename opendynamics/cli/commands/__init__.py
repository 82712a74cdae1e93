"""Commands. One file of this family is one command, and its docstring is the command's help.

A member has `add_arguments(parser)` and `run(options) -> int`, which returns the exit status, and raises UserError for errors
that the user can fix. `EXAMPLES`, if defined, are shown at the end of the help.
"""
