"""A simulated browser: reads the scene that the server sends, and acts like a mouse."""

from __future__ import annotations

import threading
import time
from collections import Counter

import msgspec
import viser
import zstandard
from viser import _messages
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


class FakeBrowser:
    """Connected until it is closed; `counts` are the messages that came, by kind, and of node updates by what they set."""

    def __init__(self, url, origin=None):
        address = url.replace("http://", "ws://")
        self._socket = connect(
            address, subprotocols=[f"viser-v{viser.__version__}"], origin=origin, compression=None, max_size=None
        )
        self.counts = Counter()
        self.bytes = 0
        self.texts = {}
        self.groups = {}
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        camera = {"wxyz": (1, 0, 0, 0), "position": (0, 0, 5), "fov": 1.0, "near": 0.1, "far": 100.0}
        camera |= {"image_height": 100, "image_width": 100, "look_at": (0, 0, 0), "up_direction": (0, 0, 1)}
        self.send(_messages.ViewerCameraMessage(**camera))

    def _listen(self):
        unpack = zstandard.ZstdDecompressor()
        try:
            for data in self._socket:
                self.bytes += len(data)
                packed = int.from_bytes(data[8:16], "little")
                for message in msgspec.msgpack.decode(unpack.decompress(data[16 : 16 + packed]))["messages"]:
                    self._take(message)
        except ConnectionClosed:
            pass

    def _take(self, message):
        kind = message["type"]
        self.counts[kind] += 1
        if kind == "SceneNodeUpdateMessage":
            self.counts.update(message["updates"].keys())
        if kind == "GuiButtonGroupMessage":
            self.groups.update(dict.fromkeys(message["props"]["options"], message["uuid"]))
        if kind == "NotificationShowMessage":
            self.texts[message["uuid"]] = message["props"]["body"]

    def send(self, message):
        self._socket.send(msgspec.msgpack.encode(message.as_serializable_dict([])))

    def press(self, handle, value=True):
        """A button, a box or a slider of the panel."""
        self.send(_messages.GuiUpdateMessage(handle._impl.uuid, {"value": value}))

    def press_labelled(self, label):
        """A button of a group, by its label."""
        until(lambda: label in self.groups)
        self.send(_messages.GuiUpdateMessage(self.groups[label], {"value": label}))

    def click(self, handle, instance):
        rest = {"ray_origin": (0, 0, 5), "ray_direction": (0, 0, -1), "screen_pos": (0.5, 0.5), "modifier": None}
        self.send(_messages.SceneNodeClickMessage(handle.name, instance, **rest))

    def drag(self, handle, instance, phase, start, end):
        rest = {"start_screen_pos": (0.5, 0.5), "end_screen_pos": (0.5, 0.5), "button": "left", "modifier": None}
        rest |= {"start_position": tuple(map(float, start)), "end_position": tuple(map(float, end))}
        self.send(_messages.SceneNodeDragMessage(phase, handle.name, instance, **rest))

    def close(self):
        self._socket.close()
        self._thread.join(5)

    def vanish(self):
        """As if the machine with the browser had been switched off: no goodbye."""
        self._socket.socket.close()
        self._thread.join(5)


def until(condition, seconds=120.0):
    """Wait for a state, rather than for a time; no longer than it has to, and much longer than a busy machine takes."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to this"
        time.sleep(0.01)
