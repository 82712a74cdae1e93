"""Projects: Choreonoid's `.cnoid` files, read, run and written back including the contents of other programs."""
