"""Sample of the possible mistakes: some in every folder of the package, more in larger ones."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

from .choice import PACKAGE
from .mutants import Mutant, mutants_of


def draw(root: Path, count: int, seed: int, only: str = "") -> list[tuple[str, Mutant]]:
    """`count` mistakes in files below `root`, the same ones for the same seed and sources; `only`: in paths with this text.

    Folders take part by the square root of how many mistakes they have room for, each at least once if `count` allows.
    """
    chance = random.Random(seed)
    found: dict[str, list[tuple[str, Mutant]]] = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        file = path.relative_to(root).as_posix()
        if only in file:
            mutants = [(file, mutant) for mutant in mutants_of(path.read_bytes())]
            found.setdefault(path.parent.relative_to(root).as_posix(), []).extend(mutants)
    folders = sorted(folder for folder, mutants in found.items() if mutants)
    weights = [math.sqrt(len(found[folder])) for folder in folders]
    wanted = Counter(chance.sample(folders, len(folders))[:count])
    wanted.update(chance.choices(folders, weights, k=count - wanted.total()))
    drawn = [one for folder in folders for one in _spread(found[folder], wanted[folder], chance)]
    chance.shuffle(drawn)
    return drawn


def _spread(mutants: list[tuple[str, Mutant]], count: int, chance: random.Random) -> list[tuple[str, Mutant]]:
    """So many of a folder's mistakes, of as many kinds as possible: large files and common kinds do not crowd out others."""
    left, taken, kinds = list(mutants), [], Counter[str]()
    for _ in range(min(count, len(left))):
        rarest = min(kinds[mutant.kind] for _, mutant in left)
        one = chance.choice([one for one in left if kinds[one[1].kind] == rarest])
        left.remove(one)
        taken.append(one)
        kinds[one[1].kind] += 1
    return taken
