"""Projects: Choreonoid's `.cnoid` files, read, run and written back with all that belongs to other programs."""
