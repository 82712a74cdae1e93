"""Mutations of files, from a seeded generator: of bytes, words of text, and JSON, and decompression bombs."""

import functools
import gzip
import json
import math
import struct
import zlib

MIB = 1 << 20
EXTREME = [
    *(0, 1, -1, 2, 255, 256, 65535, 1 << 31, (1 << 31) - 1, 1 << 32, (1 << 32) - 1, 1 << 53, 1 << 63, (1 << 64) - 1),
    *(-(1 << 31), 10**30, 10**400, 0.5, -0.5, 1e-320, 1e-200, 1e200, 1.7e308, math.nan, math.inf, -math.inf),
]
NESTED = "lists in lists"  # stands for them: Python cannot write objects nested so deeply
PATTERNS = [b"\0", b"\n", b" ", b"[", b"[[],", b'{"a":', b"0,", b"plane 0 0 1 0\n", b'["\xf0\x9f\x98\x80",']


@functools.cache
def bomb(pattern, wbits):
    """A zlib (15) or gzip (31) stream of a few hundred kB that unpacks to 256 MiB."""
    packer = zlib.compressobj(1, zlib.DEFLATED, wbits)
    piece = pattern * (MIB // len(pattern))
    return b"".join([*(packer.compress(piece) for _ in range(256)), packer.flush()])


# -- bytes ------------------------------------------------------------------------------------------------------------


def flip_bits(rng, data):
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5, 20))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def overwrite(rng, data):
    """Some bytes by a number, as in a header's counts."""
    at = rng.randrange(len(data))
    number = rng.choice(EXTREME)
    whole = number & ((1 << 64) - 1) if isinstance(number, int) else rng.randrange(1 << 64)
    new = rng.choice(
        [
            struct.pack(rng.choice(("<I", ">I")), whole & 0xFFFFFFFF),
            struct.pack("<Q", whole),
            struct.pack("<d", number if isinstance(number, float) else float(whole)),
            bytes([rng.randrange(256)]),
        ]
    )
    return data[:at] + new + data[at + len(new) :]


def truncate(rng, data):
    return data[: rng.randrange(len(data))]


def _part(rng, data):
    a, b = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    return a, min(b, a + rng.choice((1, 4, 16, 256, len(data))))


def remove(rng, data):
    a, b = _part(rng, data)
    return data[:a] + data[b:]


def duplicate(rng, data):
    a, b = _part(rng, data)
    return data[:b] + data[a:b] * rng.choice((1, 1, 2, 30)) + data[b:]


def swap(rng, data):
    a, b = _part(rng, data)
    length = b - a
    c = rng.randrange(len(data) + 1)
    if a - length < c < b:
        return data[b:] + data[a:b] + data[:a]
    part = data[a:b]
    return data[:c] + part + data[c:a] + data[b:] if c < a else data[:a] + data[b:c] + part + data[c:]


def insert_noise(rng, data):
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.choice((1, 3, 40, 1000))) + data[at:]


BYTES = [flip_bits, flip_bits, overwrite, overwrite, truncate, remove, duplicate, swap, insert_noise]


def change_bytes(rng, data):
    """A change of bytes without regard to their meaning."""
    return rng.choice(BYTES)(rng, data) if data else rng.randbytes(rng.randrange(40))


# -- text -------------------------------------------------------------------------------------------------------------


def number_word(rng):
    number = rng.choice(EXTREME)
    return repr(number) if rng.random() < 0.9 else rng.choice(("0x10", "1_0", "١", "--1", "1e", "nan(1)", ""))


def change_text(rng, data):
    """Words replaced, removed, swapped; lines removed, doubled, moved."""
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        k = rng.randrange(len(lines))
        words = lines[k].split()
        kind = rng.randrange(8)
        if kind < 4 and words:
            words[rng.randrange(len(words))] = number_word(rng).encode()
        elif kind == 4 and words:
            del words[rng.randrange(len(words))]
        elif kind == 5 and words:
            i, j = rng.randrange(len(words)), rng.randrange(len(words))
            words[i], words[j] = words[j], words[i]
        elif kind == 6:
            words = rng.choice(lines).split()
        else:
            lines.insert(rng.randrange(len(lines)), b" ".join(words))
        lines[k] = b" ".join(words)
    return b"\n".join(lines)


# -- JSON -------------------------------------------------------------------------------------------------------------


def strange(rng):
    """A value that is seldom what belongs where it is put."""
    kind = rng.randrange(9)
    if kind < 4:
        return rng.choice(EXTREME)
    return rng.choice([None, True, "inf", "word", "\ud800" * 3, {}, [], [0.0] * rng.choice((1, 3, 9, 1000)), NESTED])


def change_value(rng, root):
    """One change somewhere in what JSON said; returns the new root."""
    places = [(None, None)]
    todo = [root]
    while todo:
        found = todo.pop()
        keys = list(found) if isinstance(found, dict) else range(len(found)) if isinstance(found, list) else ()
        for key in keys:
            places.append((found, key))
            todo.append(found[key])
    # Long lists of numbers do not crowd out the rest: half of the time, something of a dictionary.
    named = [place for place in places if isinstance(place[0], dict)]
    owner, key = rng.choice(named if named and rng.random() < 0.5 else places)
    if owner is None:
        return strange(rng)
    kind = rng.randrange(6)
    if kind < 3:
        owner[key] = strange(rng)
    elif kind == 3:
        del owner[key]
    elif kind == 4:
        other, where = rng.choice(places[1:])
        owner[key] = json.loads(json.dumps(other[where]))
    elif isinstance(owner, list):
        owner[key:key] = owner[key : key + 1] * rng.choice((1, 2, 100))
    else:
        owner[rng.choice(("", "set", "__class__", "threads", "step", str(key) + "x"))] = owner.pop(key)
    return root


def change_json(rng, data):
    root = json.loads(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        root = change_value(rng, root)
    depth = rng.choice((3, 30, 3000, 100_000))
    text = json.dumps(root).replace(json.dumps(NESTED), "[" * depth + "]" * depth)
    return text.replace(str(10**30), "9" * rng.choice((20, 5000))).encode()


# -- streams ----------------------------------------------------------------------------------------------------------


def in_gzip(change):
    """Changes of what a gzip file holds, of the file itself, and files that unpack without end."""

    def changed(rng, data):
        kind = rng.random()
        if kind < 0.15:
            return change_bytes(rng, data)
        if kind < 0.2:
            return data * rng.choice((0, 1)) + bomb(rng.choice(PATTERNS), 31)
        if kind < 0.25:
            return change(rng, gzip.decompress(data))  # not packed any more
        return gzip.compress(change(rng, gzip.decompress(data)), 1, mtime=0)

    return changed


def either(*changes):
    """One of several changes."""
    return lambda rng, data: rng.choice(changes)(rng, data)
