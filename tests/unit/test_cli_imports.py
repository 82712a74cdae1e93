"""Imports of the command line before the command is known."""

import subprocess
import sys


def test_numba_is_not_imported_to_read_the_arguments():
    program = (
        "import sys; from opendynamics.cli.program import make_parser; make_parser(); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
