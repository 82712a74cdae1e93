"""Mutations of recordings with correct checksums: of chunks, heads, sections and JSON, compressed again as by writers."""

import struct
import zlib

from opendynamics.io.recording import chunks
from opendynamics.io.recording.arrays import HEAD as ARRAY
from opendynamics.io.recording.spans import HEAD as SPAN
from opendynamics.io.recording.spans import SECTION
from tests.robustness.mutations import EXTREME, PATTERNS, bomb, change_bytes, change_json


def change_recording(rng, data):
    """A change of one chunk, or of their order, or of bytes."""
    if rng.random() < 0.1:
        return change_bytes(rng, data)
    found = split(data)
    k = rng.randrange(len(found))
    kind = rng.randrange(10)
    if kind < 7:
        found[k] = found[k][0], change_payload(rng, *found[k])
    elif kind == 7:
        del found[k]
    elif kind == 8:
        found.insert(rng.randrange(len(found)), found[k])
    else:
        found[k] = rng.choice((b"HEAD", b"ARRY", b"STRU", b"FRAM", b"ENDE", b"NOTE")), found[k][1]
    return chunks.MAGIC + b"".join(chunks.packed(*chunk) for chunk in found)


def split(data):
    found, at = [], len(chunks.MAGIC)
    while at < len(data):
        kind, length, _ = chunks.HEAD.unpack_from(data, at)
        found.append((kind, data[at + chunks.HEAD.size : at + chunks.HEAD.size + length]))
        at += chunks.HEAD.size + length
    return found


def change_payload(rng, kind, payload):
    if rng.random() < 0.1:
        return change_bytes(rng, payload)
    if kind == chunks.HEADER:
        return change_json(rng, payload)
    if kind == chunks.STRUCTURE:
        return (
            bomb(rng.choice(PATTERNS), 15)
            if rng.random() < 0.05
            else zlib.compress(change_json(rng, zlib.decompress(payload)), 1)
        )
    if kind == chunks.ARRAY:
        return change_array(rng, payload)
    return change_span(rng, payload) if kind == chunks.FRAMES else change_bytes(rng, payload)


def change_array(rng, payload):
    _, _, dimensions, _ = ARRAY.unpack_from(payload)
    begin = ARRAY.size + 4 * dimensions
    head, stream = bytearray(payload[:begin]), payload[begin:]
    kind = rng.randrange(4)
    if kind == 0:
        head[rng.randrange(len(head))] = rng.randrange(256)
    elif kind == 1:
        struct.pack_into("<I", head, 8 + 4 * rng.randrange(dimensions), u32(rng))
    elif kind == 2:
        stream = bomb(rng.choice(PATTERNS), 15)
    else:
        stream = zlib.compress(change_bytes(rng, zlib.decompress(stream)), 1)
    return bytes(head) + stream


def change_span(rng, payload):
    """A field of the head, of the list of sections, or what a section holds, with the length that it has or had."""
    head = list(SPAN.unpack_from(payload))
    sections, at = [], SPAN.size + head[3] * SECTION.size
    for k in range(head[3]):
        name, raw, length = SECTION.unpack_from(payload, SPAN.size + k * SECTION.size)
        sections.append([name, raw, payload[at : at + length]])
        at += length
    section = rng.choice(sections)
    kind = rng.randrange(12)
    if kind == 0:
        head[rng.randrange(4)] = u32(rng)
    elif kind == 1:
        head[rng.choice((5, 6))] = float(rng.choice([n for n in EXTREME if abs(n) < 1e300 or n != n]))
    elif kind == 2:
        section[1] = u32(rng)
    elif kind == 3:
        section[0] = rng.choice(sections)[0]
    elif kind == 4:
        sections.remove(section)
    elif kind == 5:
        section[1], section[2] = rng.choice((section[1], 1 << 28, (1 << 32) - 1)), bomb(rng.choice(PATTERNS), 15)
    else:
        content = change_content(rng, zlib.decompress(section[2]))
        section[1:] = len(content) if kind < 11 else section[1], zlib.compress(content, 1)
    heads = b"".join(SECTION.pack(name, raw, len(stream)) for name, raw, stream in sections)
    return SPAN.pack(*head) + heads + b"".join(stream for _, _, stream in sections)


def change_content(rng, content):
    """Mostly a change that keeps the length, so that the content is checked."""
    if not content or rng.random() < 0.2:
        return change_bytes(rng, content)
    out = bytearray(content)
    for _ in range(rng.choice((1, 2, 20))):
        out[rng.randrange(len(out))] = rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256)))
    return bytes(out)


def u32(rng):
    number = rng.choice(EXTREME)
    return (number if isinstance(number, int) else rng.randrange(1 << 32)) & 0xFFFFFFFF
