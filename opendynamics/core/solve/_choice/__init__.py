"""How the solvers "auto" and "pgs" choose the solver of each island."""
