"""python -m tests.mutation: make small mistakes in the package, one at a time, and see whether the tests detect them.

A mistake that no test notices shows what is not tested. Results stand in build/mutation/SEED-COUNT.json, so that a run that
was broken off goes on; `--again` tries those that survived once more, with the tests as they are now. What changes nothing
that a test could see is listed in equivalent.json: file, line before and after without indentation, and the reason.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from .choice import ROOT, tests_for
from .copy import Copy
from .mutants import Mutant, mutants_of
from .sample import draw

FOLDER = ROOT / "build" / "mutation"
EQUIVALENT = Path(__file__).parent / "equivalent.json"
FOREVER = 1e6  # s


def main(words: list[str] | None = None) -> int:
    """Run the command; 0 if at most a tenth survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many mistakes (100)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--budget", type=float, default=30.0, help="s of tests for each mistake (30)")
    parser.add_argument("--files", type=int, default=8, help="most test files for each mistake (8)")
    parser.add_argument("--only", default="", help="in files whose path contains this")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("--list", action="store_true", help="only list the mistakes and their tests")
    chosen = parser.parse_args(words)
    if chosen.list:
        for file, mutant in draw(ROOT, chosen.count, chosen.seed, chosen.only):
            before, after = changed_line(ROOT / file, mutant)
            print(f"{file}:{mutant.line}: {mutant.kind}\n  - {before}\n  + {after}")
            print("   ", *tests_for(file, mutant.inside)[: chosen.files])
        return 0
    copy = Copy(FOLDER)
    results = Results(FOLDER / f"{chosen.seed}-{chosen.count}{chosen.only.replace('/', '-')}.json")
    if chosen.again or not results.found:
        copy.make()
    copy.restore()
    if chosen.again:
        drawn = results.survivors(copy.folder)
    else:
        drawn = draw(copy.folder, chosen.count, chosen.seed, chosen.only)
    for file, mutant in sorted(
        drawn, key=lambda one: "/core/" in one[0]
    ):  # the modules that have to be compiled come last
        if chosen.again or results.key(file, *place_of(copy.folder / file, mutant)) not in results.found:
            print(results.add(file, mutant, copy, chosen.files, chosen.budget), flush=True)
    return results.print_table(copy)


def changed_line(path: Path, mutant: Mutant) -> tuple[str, str]:
    """The line of a mistake, before and after."""
    source = path.read_bytes()
    before, after = (text.splitlines()[mutant.line - 1] for text in (source, mutant.apply(source)))
    return before.decode().strip(), after.decode().strip()


def place_of(path: Path, mutant: Mutant) -> tuple[str, str, int]:
    """The line of a mistake, before and after, and how many equal ones come before it in the file."""
    line = changed_line(path, mutant)
    equal = (other for other in mutants_of(path.read_bytes()) if changed_line(path, other) == line)
    return *line, sum(other.start < mutant.start for other in equal)


def equivalent(file: str, before: str, after: str) -> str:
    """Why a mistake changes nothing; empty if it does."""
    for entry in json.loads(EQUIVALENT.read_text()):
        if (entry["file"], entry["before"], entry["after"]) == (file, before, after):
            return str(entry["reason"])
    return ""


class Results:
    """The results so far, in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}

    @staticmethod
    def key(file: str, before: str, after: str, number: int) -> str:
        """The name of a mistake, which stays the same where other lines change."""
        return f"{file}\n- {before}\n+ {after}" + (f"\n{number}" if number else "")

    def survivors(self, root: Path) -> list[tuple[str, Mutant]]:
        """Mistakes that were not noticed, in the sources as they are now."""
        left = [result for result in self.found.values() if result["outcome"] == "survived"]
        found = []
        for result in left:
            path = root / result["file"]
            for mutant in mutants_of(path.read_bytes()) if path.exists() else ():
                if place_of(path, mutant) == (result["before"], result["after"], result["number"]):
                    found.append((result["file"], mutant))
                    break
        return found

    def add(self, file: str, mutant: Mutant, copy: Copy, files: int, budget: float) -> str:
        """Try a mistake; returns a line that says how it went."""
        before, after, number = place_of(copy.folder / file, mutant)
        result: dict[str, Any] = {
            "file": file,
            "line": mutant.line,
            "kind": mutant.kind,
            "before": before,
            "after": after,
            "number": number,
        }
        reason = equivalent(file, before, after)
        if reason:
            result |= {"outcome": "equivalent", "by": reason, "seconds": 0.0}
        else:
            tests = tests_for(file, mutant.inside)[:files]
            end = copy.run_with(file, mutant, tests, budget)
            result |= {
                "outcome": "survived" if end.passed else "killed",
                "by": end.by,
                "seconds": round(end.seconds, 1),
            }
        self.found[self.key(file, before, after, number)] = result
        self.path.write_text(json.dumps(self.found, indent=1))
        place = f"{file}:{mutant.line}: {mutant.kind}"
        return f"{len(self.found):4} {result['outcome']:10} {place}  {result['by']}  ({result['seconds']:.0f} s)"

    def _try_killers(self, copy: Copy) -> None:
        """Mistakes that were noticed only by tests that fail without them, too, have survived."""
        killed = [result for result in self.found.values() if result["outcome"] == "killed" and "::" in result["by"]]
        while killed:
            end = copy.run(sorted({result["by"] for result in killed}), FOREVER)
            unsound = [result for result in killed if result["by"] == end.by]
            if not unsound:
                break
            print(f"fails without mistakes, too: {end.by}")
            for result in unsound:
                result["outcome"] = "survived"
            killed = [result for result in killed if result["by"] != end.by]
        self.path.write_text(json.dumps(self.found, indent=1))

    def print_table(self, copy: Copy) -> int:
        """Print how many were noticed, and those that were not; 1 if these are more than a tenth."""
        self._try_killers(copy)
        found = list(self.found.values())
        survived = [result for result in found if result["outcome"] == "survived"]
        counted = sum(result["outcome"] != "equivalent" for result in found)
        print(f"\n{len(found)} mistakes: {counted - len(survived)} killed, {len(survived)} survived,", end=" ")
        print(f"{len(found) - counted} equivalent")
        for result in survived:
            print(f"\n{result['file']}:{result['line']}: {result['kind']}\n- {result['before']}\n+ {result['after']}")
        return int(10 * len(survived) > counted)


if __name__ == "__main__":
    sys.exit(main())
