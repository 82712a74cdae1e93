"""Reads mutated files in a separate process with limited memory: `python -m tests.robustness.attack READER FIRST END`.

Prints a line of JSON: how many files were read or refused, which ones failed and how, the longest time of one and the
growth of the process. Mutation k of a reader is always the same: its generator is seeded by the reader's name and k.
"""

import contextlib
import gc
import io
import json
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from tests.robustness.mutations import PATTERNS, bomb
from tests.robustness.readers import READERS

MAX_BYTES = 200 << 20
MAX_SECONDS = 2.0  # of processor time
MAX_MESSAGE = 1500  # characters


def attack(reader, first, end, folder):
    """Read mutations `first` to `end` - 1."""
    originals = reader.originals()
    for number, (suffix, data) in enumerate(originals):
        reader.read(write(folder / f"original{number}{suffix}", data))  # compiled, loaded, imported
    for pattern in PATTERNS if reader.packed else ():
        bomb(pattern, reader.packed)
    gc.collect()
    before = limit_memory()
    found = {"read": 0, "refused": 0, "failures": [], "seconds": 0.0}
    for k in range(first, end):
        rng = random.Random(f"{reader.name} {k}")
        suffix, data = rng.choice(originals)
        path = write(folder / f"mutated{suffix}", reader.change(rng, data))
        begin = time.process_time()
        problem = read(reader, path, found)
        seconds = time.process_time() - begin
        found["seconds"] = max(found["seconds"], seconds)
        if problem is None and seconds > MAX_SECONDS:
            problem = f"takes {seconds:.1f} s"
        if problem is not None:
            found["failures"].append([k, problem])
    found["bytes"] = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return found


def read(reader, path, found):
    """The fault in reading a file; None if it is read, or rejected properly."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error")
            for category in reader.warns:
                warnings.simplefilter("ignore", category)
            reader.read(path)
    except reader.errors as error:
        found["refused"] += 1
        return wrong_message(str(error), path)
    except BaseException as error:
        trace = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(trace.filename).name}:{trace.lineno}: {str(error)[:300]}"
    found["read"] += 1
    return None


def wrong_message(message, path):
    """A message names the file, and can be read."""
    if str(path) not in message:
        return f"does not name the file: {message[:300]}"
    return f"a message of {len(message)} characters" if len(message) > MAX_MESSAGE else None


def write(path, data):
    path.write_bytes(data)
    return path


def limit_memory():
    """Let the process grow by no more than MAX_BYTES from here on; returns the memory that it takes now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MAX_BYTES,) * 2)
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main():
    name, first, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(attack(READERS[name], first, end, Path(folder))))


if __name__ == "__main__":
    main()
