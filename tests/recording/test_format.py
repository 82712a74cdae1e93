"""docs/recordings.md suffices to read a recording: a reader written from it, in plain Python, finds the same."""

import json
import struct
import zlib
from math import floor, sqrt

import numpy as np
import pytest

import opendynamics as od


def planes(data, size):
    count = len(data) // size
    return [bytes(data[j * count + i] for j in range(size)) for i in range(count)]


def whole_numbers(data, count):
    width, numbers = data[0], []
    for i in range(count):
        folded = sum(data[1 + j * count + i] << (8 * j) for j in range(width))
        numbers.append(-(folded + 1) // 2 if folded & 1 else folded // 2)
    return numbers


def chunks(data):
    assert data[:8] == b"\x89ODR\r\n\x1a\n"
    at = 8
    while at < len(data):
        kind, length, crc = struct.unpack_from("<4sII", data, at)
        payload = data[at + 12 : at + 12 + length]
        assert zlib.crc32(data[at : at + 8] + payload) == crc
        yield kind, payload
        at += 12 + length


def span(payload):
    first, frames, tracks, count, _, start, end = struct.unpack_from("<QIIIIdd", payload)
    sections, at = {}, 40 + 12 * count
    for k in range(count):
        name, raw, length = struct.unpack_from("<4sII", payload, 40 + 12 * k)
        sections[name] = zlib.decompress(payload[at : at + length])
        assert len(sections[name]) == raw
        at += length
    stays = [struct.unpack("<III", row) for row in planes(sections[b"TRAK"], 12)]
    assert len(stays) == tracks and len(sections[b"TIME"]) == 8 * frames
    assert struct.unpack_from("<d", sections[b"TIME"])[0] == start and end >= start
    return first, stays, sections


def decoded(header, payload):
    """Positions and orientations by frame and body."""
    first, stays, sections = span(payload)
    later = sum(end - begin - 1 for _, begin, end in stays)
    keys, residuals = whole_numbers(sections[b"PKEY"], 3 * len(stays)), whole_numbers(sections[b"PRES"], 3 * later)
    turn_keys, turn_residuals = (
        whole_numbers(sections[b"QKEY"], 4 * len(stays)),
        whole_numbers(sections[b"QRES"], 3 * later),
    )
    switches = dict(struct.unpack("<IB", row) for row in planes(sections[b"QSWI"], 5))
    flags = sections[b"FLAG"]
    step, length = header["position_step"], header["orientation_scale"]
    found, column, at = {}, 0, 0
    for t, (body, begin, end) in enumerate(stays):
        x1 = x2 = [keys[c * len(stays) + t] for c in range(3)]
        q1 = q2 = q = [turn_keys[c * len(stays) + t] for c in range(4)]
        k = max(range(4), key=lambda c: (abs(q[c]), -c))
        state = 0
        for frame in range(begin, end):
            x = x1
            if frame > begin:
                x = [2 * x1[c] - x2[c] + residuals[c * later + column] for c in range(3)]
                if column in switches:
                    k = switches[column] & 3
                    if switches[column] & 4:
                        q1, q2 = [-n for n in q1], [-n for n in q2]
                q, reported = [0] * 4, 0
                for c in range(4):
                    if c != k:
                        q[c] = 2 * q1[c] - q2[c] + turn_residuals[reported * later + column]
                        reported += 1
                q[k] = floor(sqrt(max(length**2 - sum(n * n for n in q), 0)) + 0.5)
                column += 1
            x1, x2, q1, q2 = x, x1, q, q1
            state ^= flags[at]
            at += 1
            size = sqrt(sum(n * n for n in q))
            found[first + frame, body] = [n * step for n in x], [n / size for n in q], state
    return found


def test_a_reader_of_ones_own(tmp_path):
    world = od.World(gravity=(0, 0, -9.81), name="for others")
    world.add_plane()
    bodies = [
        world.add_body(od.Box((0.3, 0.2, 0.1)), position=(k, 0, 0.5), angular_velocity=(20, 7 * k, -9), name=f"box {k}")
        for k in range(4)
    ]
    with od.Recorder(world, tmp_path / "run.odr", velocities=True, contacts=True) as recorder:
        world.advance(0.01, steps=40)
        bodies[1].destroy()
        world.add_body(od.Sphere(0.1), position=(9, 9, 9), name="late")
        world.advance(0.01, steps=30)
        recorder.flush()
        world.advance(0.01, steps=10)
    found, header, reported, kinds = {}, None, {}, []
    for kind, payload in chunks((tmp_path / "run.odr").read_bytes()):
        kinds.append(kind)
        if kind == b"HEAD":
            header = json.loads(payload)
        elif kind == b"STRU":
            reported |= {
                body["id"]: body["name"]
                for body in json.loads(zlib.decompress(payload)).get("bodies", {}).get("set", [])
            }
        elif kind == b"FRAM":
            found |= decoded(header, payload)
        elif kind == b"ENDE":
            assert json.loads(payload) == {"frames": 81}
    assert (
        header["format"] == 1 and header["world"] == "for others" and set(kinds) == {b"HEAD", b"STRU", b"FRAM", b"ENDE"}
    )
    recording = od.Recording(tmp_path / "run.odr")
    assert tuple(reported.values()) == recording.bodies == ("box 0", "box 1", "box 2", "box 3", "late")
    positions, quaternions = recording.positions, recording.quaternions
    assert len(found) == np.isfinite(positions[:, :, 0]).sum() == 81 * 3 + 41 + 40
    for (frame, body), (x, q, state) in found.items():
        assert x == pytest.approx(positions[frame, body].tolist(), abs=1e-12)
        assert q == pytest.approx(quaternions[frame, body].tolist(), abs=1e-12)
        assert state == 2
