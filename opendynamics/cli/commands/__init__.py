"""Commands. One file of this family is one command, and its docstring is the command's help.

A member has `add_arguments(parser)` and `run(options) -> int`, which returns the exit status; it raises UserError for
whatever the user can put right. `EXAMPLES`, if there, are shown at the end of the help.
"""
