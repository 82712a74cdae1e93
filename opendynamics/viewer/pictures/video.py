"""Video: frames, or pictures of worlds, written to an MP4, GIF or WebP file with ffmpeg."""

from __future__ import annotations

import base64
import html
import os
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal

import numpy as np

from opendynamics.api import checks
from opendynamics.api.describing import count
from opendynamics.api.files import beside
from opendynamics.api.progress import progress as show_progress
from opendynamics.api.suggestions import Closed, explain_calls
from opendynamics.api.world import World
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.ffmpeg import require_ffmpeg
from opendynamics.viewer.pictures.files import MOVING, checked_path
from opendynamics.viewer.pictures.renderer import Renderer, effort_of

Quality = Literal["draft", "normal", "high"]

# ffmpeg's options for each format. Players of MP4 need an even number of pixels; one row or column may be dropped.
EVEN = "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv"
BT709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1"]
PALETTE = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"
ENCODERS = {
    ".mp4": [
        "-vf",
        EVEN,
        "-c:v",
        "libx264",
        "-crf",
        "20",
        "-pix_fmt",
        "yuv420p",
        *BT709,
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
    ],
    ".gif": ["-vf", PALETTE, "-loop", "0", "-f", "gif"],
    ".webp": ["-c:v", "libwebp_anim", "-quality", "70", "-compression_level", "5", "-loop", "0", "-f", "webp"],
}
MAX_EMBEDDED = 30_000_000  # maximum size of a film shown in a notebook, bytes
LEAST = {".mp4": 2}  # pixels along a side


@explain_calls
class Video(Closed):
    """A film on disk. It is a context manager: when it ends, for whatever reason, the frames added so far are a playable film.

        with od.Video("clip.mp4", fps=30) as video:
            for _ in range(150):
                world.advance(1 / 300, steps=10)
                video.add(world)

    Args:
        path: of a file that ends in .mp4, .gif or .webp.
        fps: frames per second.
        quality: of added worlds: "draft" (1 ray per pixel), "normal" (4, soft shadows) takes five to nine times as long,
            "high" (16, every pixel traced) about forty times.
        progress: whether to show a progress bar in the terminal; True, or the expected number of frames.
        settings: settings of od.Renderer for added worlds: `size`, and `samples`, `shadows`, `ambient` and `adaptive` instead
            of `quality`.

    ValueError and OSError name an error in the path, before anything is done; ImportError a missing package.
    """

    path: Path
    fps: float
    frames: int
    size: tuple[int, int] | None

    def __init__(
        self,
        path: Any,
        *,
        fps: float = 30.0,
        quality: Quality = "draft",
        progress: bool | int = False,
        **settings: Any,
    ) -> None:
        self.path = checked_path(path, MOVING, "a film")
        self.fps = checks.positive("the frames a second of a film", fps)
        self._total = 0 if isinstance(progress, bool) else checks.count("the frames of a film", progress, 1)
        settings = {**effort_of(quality), **settings}
        self.frames = 0
        self.size = None
        self._ffmpeg = require_ffmpeg()
        self._settings: dict[str, Any] = settings
        self._renderer: Renderer | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: IO[bytes] | None = None
        self._ended = False
        self._bar = ExitStack()
        self._update = self._bar.enter_context(show_progress(self._total, self.path.name)) if progress else None

    def add(self, frame: Any, camera: Camera | None = None) -> None:
        """Add a frame: uint8 (h, w, 3), sRGB, of the size of the first; or a picture of the current World from a camera."""
        if self._ended:
            raise ValueError(f"the film {self.path} has ended; make a new one")
        picture = self._picture(frame, camera)
        if self._process is None:
            self._start((picture.shape[1], picture.shape[0]))
        elif (picture.shape[1], picture.shape[0]) != self.size:
            raise ValueError(f"all frames of {self.path} must be of the size {self.size}, not {picture.shape[1::-1]}")
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(picture.tobytes())
        except OSError:
            raise self._failure() from None
        self.frames += 1
        if self._update is not None:
            self._update(min(self.frames, self._total), self._text() if self.frames > self._total else "")

    def _text(self) -> str:
        return f"{self.path.name}: {count(self.frames, 'frame')}, {self.frames / self.fps:.1f} s"

    def _picture(self, frame: Any, camera: Camera | None) -> Any:
        if isinstance(frame, World):
            if self._renderer is None or self._renderer.world is not frame:
                self._renderer = Renderer(frame, **({"size": self.size} if self.size else {}) | self._settings)
            return self._renderer.render(camera)
        picture = np.asarray(frame)
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            what = f"an array of shape {picture.shape} and type {picture.dtype}" if picture.ndim else repr(frame)
            raise TypeError(f"a frame must be a World, or uint8 of shape (height, width, 3), not {what}")
        return picture

    def _start(self, size: tuple[int, int]) -> None:
        suffix = self.path.suffix.lower()
        if min(size) < LEAST.get(suffix, 1):
            raise ValueError(f"frames of {self.path} must have at least {LEAST[suffix]} x {LEAST[suffix]} pixels")
        self.size = size
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115
        command = [self._ffmpeg, "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
        command += ["-s", f"{size[0]}x{size[1]}", "-r", f"{self.fps:.6f}", "-i", "-", "-an", *ENCODERS[suffix]]
        # Not in the terminal's process group: Ctrl-C must not reach it before the film is complete.
        self._process = subprocess.Popen(
            [*command, self._target],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._messages,
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )

    def close(self) -> None:
        """End the film; one without frames leaves no file. OSError if it could not be written."""
        if self._ended:
            return
        self._ended = True
        self._bar.close()
        if self._process is None:
            return
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            failed = self._process.wait() != 0
        except OSError:
            failed = True
        if failed:
            raise self._failure()
        if self._messages is not None:
            self._messages.close()
        os.replace(beside(self.path), self.path)

    @property
    def _target(self) -> str:
        """What ffmpeg writes to. Without the protocol, it would take one for the part of a name before a colon."""
        return f"file:{beside(self.path)}"

    def _failure(self) -> OSError:
        """End the process, and report its output."""
        self._ended = True
        self._bar.close()
        assert self._process is not None and self._messages is not None and self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        self._messages.seek(0)
        text = self._messages.read().decode(errors="replace").replace(self._target, str(self.path))
        said = text.strip().splitlines()
        self._messages.close()
        Path(beside(self.path)).unlink(missing_ok=True)
        return OSError(f"{self.path} could not be written: {said[-1] if said else 'ffmpeg ended early'}")

    def _repr_html_(self) -> str:
        """The film itself, for notebooks, once it has ended."""
        if not self._ended or not self.path.is_file() or self.path.stat().st_size > MAX_EMBEDDED:
            return f"<pre>{html.escape(repr(self))}</pre>"
        suffix = self.path.suffix.lower()
        data = base64.b64encode(self.path.read_bytes()).decode()
        if suffix == ".mp4":
            return f'<video controls loop src="data:video/mp4;base64,{data}"></video>'
        return f'<img alt="" src="data:image/{suffix[1:]};base64,{data}">'

    def __repr__(self) -> str:
        state = "film" if self._ended else "unfinished film"
        return f"<Video {str(self.path)!r}: {state} of {count(self.frames, 'frame')}, {self.frames / self.fps:.2f} s>"

    def __enter__(self) -> Video:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except OSError:
            if error is None:
                raise
