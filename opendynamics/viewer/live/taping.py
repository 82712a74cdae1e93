"""A recording requested by a browser, which is sent to it as a file (.odr) at the end."""

from __future__ import annotations

import tempfile
from pathlib import Path

from opendynamics.io.recording.recorder import Recorder
from opendynamics.scenes import Scene


class Tape:
    """One recording at a time. ValueError for calls out of sequence."""

    def __init__(self) -> None:
        self._recorder: Recorder | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def seconds(self) -> float | None:
        """Recorded time so far, s; None if nothing is being recorded."""
        return None if self._recorder is None else self._recorder.time

    def start(self, scene: Scene, name: str) -> None:
        """Record every step from now on."""
        self.stop()
        self._folder = tempfile.TemporaryDirectory(prefix="opendynamics-")
        path = Path(self._folder.name) / f"{file_name(name)}.odr"
        about = {"camera": list(map(float, scene.camera)), "target": list(map(float, scene.target))}
        try:
            self._recorder = Recorder(scene.world, path, contacts=True, channels=scene.channels, about=about)
        except BaseException:
            self._folder.cleanup()
            raise

    def stop(self) -> tuple[str, bytes]:
        """End the recording: name and contents of its file, both empty if there was none."""
        recorder, folder = self._recorder, self._folder
        self._recorder = self._folder = None
        if recorder is None or folder is None:
            return "", b""
        recorder.close()
        content = recorder.path.read_bytes()
        folder.cleanup()
        return recorder.path.name, content


def file_name(name: str) -> str:
    """A name of a file, without its suffix, that every file system takes: of at most 60 letters, which are up to 240 bytes."""
    short = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)[:60]
    return short.strip("._") or "opendynamics"
