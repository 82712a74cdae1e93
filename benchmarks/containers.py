"""Containers for recordings: ``python -m benchmarks.containers [--steps N]``, after ``pip install mcap zarr``.

Frames of the two scenes of `benchmarks.recording` (1,000 bodies), each written in: our own format; MCAP, one message per
frame; MCAP with our coded spans as messages, so that only the container differs; and Zarr, chunks of 125 frames in a folder
or in one zip. The other formats store poses alone, as whole numbers with our tolerances (int32 for positions, int16 for
quaternions), with the best compression that the library has for them (zstd; for Zarr with bit shuffle). Times are processor
time. The file is then cut at 60 % of its bytes, as if the program had been killed, and read as far as the library can.
"""

from __future__ import annotations

import argparse
import struct
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

import opendynamics as od
from benchmarks.recording import H, heap, storm
from benchmarks.run import machine
from opendynamics.io.recording import chunks
from opendynamics.io.recording.chunks import ChunkFile
from opendynamics.io.recording.spans import HEAD, Precision, Span, head_of

SPAN = 125  # frames of a chunk
STEP, SCALE = 2e-5, 32767.0  # m of a whole number; length of a quaternion
KEPT = 0.6  # part of the file that is left
SEEKS = 12

Integers = npt.NDArray[Any]


@dataclass
class Frames:
    """The recorded poses as whole numbers, and the recording that they are from."""

    positions: Integers
    quaternions: Integers
    times: npt.NDArray[np.float64]
    path: Path


# -- our own -----------------------------------------------------------------------------------------------------------


class Odr:
    """As a Recorder writes it, with shapes, energies and which bodies sleep."""

    name, suffix = "odr", ".odr"

    def write(self, frames: Frames, path: Path) -> float:
        """Play the recording and capture each of its frames; returns s, less those of playing alone."""
        source = od.Recording(frames.path)
        world = source.world()
        spent = []
        for written in (None, path):
            recorder = od.Recorder(world, written, every=0) if written else None
            start = time.process_time()
            for number in range(1, len(source)):
                source.put(world, number)
                if recorder is not None:
                    recorder.capture()
            if recorder is not None:
                recorder.close()
            spent.append(time.process_time() - start)
        return spent[1] - spent[0]

    def open(self, path: Path) -> Callable[[int], Any]:
        """Returns a function that reads the positions of a frame."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", od.RecordingWarning)
            recording = od.Recording(path)
        self.count = len(recording)
        return lambda number: recording[number].positions

    def frames_left(self, path: Path) -> int:
        """How many frames of a file that was cut can be read."""
        read = self.open(path)
        read(self.count - 1)
        return self.count


# -- MCAP --------------------------------------------------------------------------------------------------------------


class Mcap:
    """A message for each frame, in chunks of MCAP's own that zstd packs."""

    name, suffix, packed = "MCAP, frames", ".mcap", False
    file: IO[bytes] | None = None

    def messages(self, frames: Frames) -> Iterator[tuple[int, bytes]]:
        """Number of the first frame, and content."""
        for number, (places, turns) in enumerate(zip(frames.positions, frames.quaternions, strict=True)):
            yield number, places.tobytes() + turns.tobytes()

    def write(self, frames: Frames, path: Path) -> float:
        """Write all messages; s."""
        from mcap.writer import CompressionType, Writer

        contents = self.messages(frames)
        start = time.process_time()
        with open(path, "wb") as file:
            size = SPAN * (frames.positions[0].nbytes + frames.quaternions[0].nbytes)
            writer = (
                Writer(file, chunk_size=1, compression=CompressionType.NONE)
                if self.packed
                else Writer(file, chunk_size=size, compression=CompressionType.ZSTD)
            )
            writer.start(profile="", library="benchmark")
            schema = writer.register_schema(name="frame", encoding="", data=b"")
            channel = writer.register_channel(topic="/frames", message_encoding="raw", schema_id=schema)
            for number, content in contents:
                writer.add_message(channel_id=channel, log_time=number, publish_time=number, data=content)
            writer.finish()
        return time.process_time() - start

    def decoded(self, content: bytes, number: int) -> Any:
        """The positions of a frame."""
        bodies = len(content) // 20
        return STEP * np.frombuffer(content, np.int32, 3 * bodies).reshape(-1, 3)

    def open(self, path: Path) -> Callable[[int], Any]:
        """Returns a function that reads the positions of a frame, using the index at the end of the file."""
        from mcap.reader import make_reader

        self.close()
        self.file = open(path, "rb")  # noqa: SIM115
        reader = make_reader(self.file)
        reader.get_summary()

        def read(number: int) -> Any:
            least = number - self.reach(number)
            found = next(reader.iter_messages(starting_at=least, ending_before=number + 1))
            return self.decoded(found[2].data, number)

        return read

    def close(self) -> None:
        """Close the file opened last."""
        if self.file is not None:
            self.file.close()

    def reach(self, number: int) -> int:
        """How many frames the message with a frame may begin before it."""
        return 0

    def frames_left(self, path: Path) -> int:
        """How many frames of a file that was cut can be read: from the start, as its index is gone."""
        from mcap.exceptions import McapError
        from mcap.reader import NonSeekingReader

        self.close()
        last = -1
        try:
            with open(path, "rb") as file:
                for _, _, message in NonSeekingReader(file).iter_messages(log_time_order=False):
                    last = message.log_time + self.frames_of(message.data) - 1
        except (McapError, EOFError, struct.error):
            pass
        return last + 1

    def frames_of(self, content: bytes) -> int:
        """How many frames are in a message."""
        return 1


class McapSpans(Mcap):
    """Our coded spans, already packed, as messages. The time does not include coding."""

    name, packed = "MCAP, our spans", True

    def messages(self, frames: Frames) -> Iterator[tuple[int, bytes]]:
        """Number of the first frame, and content."""
        header = od.Recording(frames.path).header
        self.precision = Precision(*(float(header[k]) for k in ("position_step", "orientation_scale", "velocity_step")))
        self.firsts = []
        file = ChunkFile(frames.path)
        for place in file.places:
            if place.kind == chunks.FRAMES:
                content = file.read(place, "frames")
                self.firsts.append(head_of(content[: HEAD.size], len(content), file.fail_in(place))[0])
                yield self.firsts[-1], content

    def decoded(self, content: bytes, number: int) -> Any:
        """The positions of a frame."""
        first = self._head(content)[0]
        span = Span(content, self.precision, False, lambda *words: ValueError(words))
        return span.states[span.rows(number - first), :3]

    def reach(self, number: int) -> int:
        """How many frames the message with a frame may begin before it."""
        return number - max(first for first in self.firsts if first <= number)

    def frames_of(self, content: bytes) -> int:
        """How many frames are in a message."""
        return int(self._head(content)[1])

    def _head(self, content: bytes) -> tuple[int, ...]:
        return head_of(content[: HEAD.size], len(content), lambda *words: ValueError(words))


# -- Zarr --------------------------------------------------------------------------------------------------------------


class Zarr:
    """Two arrays in a folder, a file for each chunk."""

    name, suffix = "Zarr, folder", ".zarr"

    def store(self, path: Path, mode: str) -> Any:
        """Where it is."""
        return path

    def write(self, frames: Frames, path: Path) -> float:
        """Append one span after another, as a recorder would; s."""
        import zarr
        from zarr.codecs import BloscCodec

        start = time.process_time()
        store = self.store(path, "w")
        group = zarr.create_group(store=store)
        for name in ("positions", "quaternions"):
            values = getattr(frames, name)
            array = group.create_array(
                name,
                shape=(0, *values.shape[1:]),
                chunks=(SPAN, *values.shape[1:]),
                dtype=values.dtype,
                compressors=BloscCodec(cname="zstd", clevel=5, shuffle="bitshuffle", typesize=values.itemsize),
            )
            for first in range(0, len(values), SPAN):
                array.append(values[first : first + SPAN])
        if hasattr(store, "close"):
            store.close()
        return time.process_time() - start

    def open(self, path: Path) -> Callable[[int], Any]:
        """Returns a function that reads the positions of a frame."""
        import zarr

        positions = zarr.open_group(self.store(path, "r"), mode="r")["positions"]
        self.count = positions.shape[0]
        return lambda number: STEP * positions[number]

    def frames_left(self, path: Path) -> int:
        """How many frames can be read if the last file was cut; chunks that are there and whole."""
        files = sorted(path.glob("positions/c/*/0/0"), key=lambda file: int(file.parts[-3]))
        last = files[int(KEPT * len(files))]
        for file in files[files.index(last) + 1 :]:
            file.unlink()
        last.write_bytes(last.read_bytes()[: last.stat().st_size // 2])
        read, left = self.open(path), 0
        for number in range(0, self.count, SPAN):
            try:
                left += SPAN * bool(read(number).any())
            except Exception:
                break
        return left


class ZippedZarr(Zarr):
    """The same in one file."""

    name, suffix = "Zarr, zip", ".zip"

    def store(self, path: Path, mode: str) -> Any:
        """Where it is."""
        from zarr.storage import ZipStore

        return ZipStore(path, mode=mode)

    def write(self, frames: Frames, path: Path) -> float:
        """Write it; zip files of which entries were replaced warn of that."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return super().write(frames, path)

    def frames_left(self, path: Path) -> int:
        """How many frames of a truncated file can be read: a zip's list of entries is at its end."""
        try:
            self.open(path)
        except Exception:
            return 0
        return self.count


# -- measuring ---------------------------------------------------------------------------------------------------------


def simulated(make: Callable[[], od.World], steps: int, path: Path) -> Frames:
    """Run a scene and record it."""
    world = make()
    with od.Recorder(world, path):
        world.advance(H, steps=steps)
    recording = od.Recording(path)
    turns = np.round(SCALE * recording.quaternions).astype(np.int16)
    return Frames(np.round(recording.positions / STEP).astype(np.int32), turns, recording.times, path)


def spent(call: Callable[[], Any]) -> tuple[float, Any]:
    """s of the processor, and the result."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def measure(container: Any, frames: Frames, folder: Path) -> str:
    """A row of the table."""
    path = folder / f"{type(container).__name__}{container.suffix}"
    writing = container.write(frames, path)
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files)
    opening = min(spent(lambda: container.open(path))[0] for _ in range(3))
    seeking = []
    for number in np.random.default_rng(1).integers(len(frames.times), size=SEEKS).tolist():
        read = container.open(path)
        took, found = spent(lambda read=read, number=number: read(number))
        assert np.abs(found - STEP * frames.positions[number]).max() < 2 * STEP
        seeking.append(took)
    if len(files) == 1:
        path.write_bytes(path.read_bytes()[: int(KEPT * size)])
    left = container.frames_left(path) / len(frames.times)
    return (
        f"| {container.name} | {size / 1e6:.2f} MB, {len(files)} file{'s' * (len(files) > 1)} | "
        f"{1e3 * writing / len(frames.times):.2f} ms | {1e3 * opening:.1f} ms | {1e3 * np.median(seeking):.1f} ms | {left:.0%} |"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.containers", description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--scene", choices=["heap", "storm"], action="append", help="both unless given")
    options = parser.parse_args(arguments)
    kinds = {"mcap": (Mcap, McapSpans), "zarr": (Zarr, ZippedZarr)}
    containers: list[Any] = [Odr()]
    for module, members in kinds.items():
        if find_spec(module) is None:
            print(f"{module} is not installed: pip install {module}")
        else:
            containers += [member() for member in members]
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for scene in options.scene or ["heap", "storm"]:
            (folder / scene).mkdir()
            frames = simulated({"heap": heap, "storm": storm}[scene], options.steps, folder / f"{scene}.odr")
            print(f"\n{scene}: {frames.positions.shape[0]} frames of {frames.positions.shape[1]} bodies\n")
            print("| container | size | writing a frame | opening | first frame by its number | frames left |")
            print("|---|---|---|---|---|---|")
            for container in containers:
                print(measure(container, frames, folder / scene), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
