"""`python -m opendynamics` is the command `opendynamics`."""

import sys

from opendynamics.cli import main

if __name__ == "__main__":
    sys.exit(main())
