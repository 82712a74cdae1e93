"""States of a bounded row: free (w = 0), at a bound (w pushes it there), or fixed because both bounds are equal."""

FREE, AT_LO, AT_HI, FIXED = 0, 1, 2, 3

# Violations of a row's condition below this are rounding errors; relative to the largest force.
SIGN_TOLERANCE = 1e-13
