"""Calls of the command line, for the tests of its commands."""

from opendynamics.cli import main


def ask(capsys, *words):
    """Status, stdout and stderr of a command."""
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys, *words):
    """The message of a command that was misused."""
    status, out, err = ask(capsys, *words)
    assert status == 2 and out == ""
    assert err.startswith("opendynamics: ") and "Traceback" not in err
    return err
