"""Mutations of model files: damage by disks, editors or attackers."""

import re

EVIL = [
    b"../../../../../../etc/passwd", b"/etc/passwd", b"file:///etc/passwd", b"package://../etc/passwd", b"${HOME}/.bashrc",
    b"${SHARE}/../../x", b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"1e-308", b"99999999999999999999", b"-1", b"0",
    b"0.0", b"NULL", b"TRUE", b"[", b"]", b"{", b"}", b"[[[[", b'"', b"'", b"\\", b"\x00", b"\xff\xfe", b"&a", b"*a",
    b"<<: *a", b"<!ENTITY x SYSTEM 'file:///etc/passwd'>", b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"&#x0;", b"&x;",
    b"DEF A ", b"USE A ", b"PROTO P [ ] { P { } }", b"IS ", b"- ", b": ", b"\n", b"  ", b"!!python/object:os.system",
    b"<link name='a'/>", b"</robot>", b"<mesh filename='../../../../etc/passwd'/>", b"uri: /etc/passwd\n",
    b"type: SubBody\n    uri: SR1.body\n", b"Inline { url \"/etc/passwd\" }", b"9" * 400, b"a" * 5000, b"---\n", b"...\n",
]  # fmt: skip
NUMBER = re.compile(rb"-?\d+\.?\d*")
WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


def mutated(data: bytes, rng) -> bytes:
    """One to four changes of the bytes."""
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(CHANGES)(data, rng) or b" "
    return data


def _flip(data, rng):
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _cut(data, rng):
    a = rng.randrange(len(data))
    return data[:a] + data[a + rng.choice([1, 2, 10, 100, 1000]) :]


def _truncate(data, rng):
    return data[: rng.randrange(len(data))]


def _insert(data, rng):
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(EVIL) + data[at:]


def _repeat(data, rng):
    a = rng.randrange(len(data))
    part = data[a : a + rng.choice([1, 20, 200, 2000])]
    return data[:a] + part * rng.choice([2, 3, 200]) + data[a:]


def _lines(data, rng):
    lines = data.splitlines(keepends=True)
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(3)
    if what == 0:
        lines[a], lines[b] = lines[b], lines[a]
    elif what == 1:
        lines.insert(a, lines[b])
    else:
        del lines[a]
    return b"".join(lines)


def _replace(pattern, choices):
    def change(data, rng):
        found = list(pattern.finditer(data))
        if not found:
            return data
        one = rng.choice(found)
        new = rng.choice(choices) if rng.random() < 0.5 else rng.choice(found)[0]
        return data[: one.start()] + new + data[one.end() :]

    return change


def _nest(data, rng):
    at = rng.randrange(len(data) + 1)
    depth = rng.choice([50, 150, 3000])
    opening = rng.choice([b"[", b"{a: ", b"<link name='a'>", b"Group { children [ ", b"- - ", b"Transform { children "])
    return data[:at] + opening * depth + data[at:]


CHANGES = [_flip, _cut, _truncate, _insert, _repeat, _lines, _nest] + [_replace(NUMBER, EVIL), _replace(WORD, EVIL)] * 2
