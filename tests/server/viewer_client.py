# SPDX-License-Identifier: Apache-2.0
"""A client of the viewer, from docs/protocol.md alone: WebSocket, messages, frames put together.

Standard library only, so that the tests need nothing else, and so that another client can be written by looking here.
"""
import base64
import hashlib
import json
import os
import socket
import struct
import time
from urllib.parse import parse_qs, urlsplit

HELLO, SCENE, FRAME, STATE, METERS, EVENT, ANSWER = range(1, 8)
NAMES = (
    "ACK GRAB MOVE RELEASE PAUSE STEP RESET PACE BUDGET DYNAMICS SCENE EDIT RECORD JOINT WATCH INSPECT SEEK PING "
    "DRAWN"
).split()
TYPE = {name: k + 1 for k, name in enumerate(NAMES)}
WORLD = 0xFFFFFFFF


class Closed(Exception):
    """The server has closed the connection."""

    def __init__(self, status, reason):
        super().__init__(f"{status}: {reason}")
        self.status, self.reason = status, reason


class WebSocket:
    """Just enough of RFC 6455."""

    def __init__(self, port, path, headers=(), timeout=20):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": f"127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "sinew.1",
        }
        fields.update(headers)
        head = f"GET {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items()) + "\r\n"
        self.socket.sendall(head.encode())
        self.buffer = bytearray()
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        answer, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = answer.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines[1:])}
        if self.status == 101:
            guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            expected = base64.b64encode(hashlib.sha1((key + guid).encode()).digest()).decode()
            assert self.headers["sec-websocket-accept"] == expected
            assert self.headers["sec-websocket-protocol"] == "sinew.1"

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Closed(None, "the connection is gone")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    def send_frame(self, opcode, payload, final=True, masked=True, reserved=0):
        size = len(payload)
        head = bytes([(0x80 if final else 0) | reserved | opcode])
        bit = 0x80 if masked else 0
        if size < 126:
            head += bytes([bit | size])
        elif size < 1 << 16:
            head += bytes([bit | 126]) + struct.pack(">H", size)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", size)
        if masked:
            mask = os.urandom(4)
            head += mask
            long_mask = mask * (size // 4 + 1)
            payload = (int.from_bytes(payload, "little") ^ int.from_bytes(long_mask[:size], "little")).to_bytes(
                size, "little"
            )
        self.socket.sendall(head + payload)

    def send(self, payload):
        self.send_frame(2, payload)

    def receive(self):
        """The next message; pings are answered."""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            assert not second & 0x80, "servers do not mask"
            assert first & 0x80, "messages of this server are whole"
            payload = self._take(size)
            opcode = first & 0x0F
            if opcode == 8:
                status = struct.unpack(">H", payload[:2])[0] if size >= 2 else None
                raise Closed(status, payload[2:].decode())
            if opcode == 9:
                self.send_frame(10, payload)
            elif opcode == 2:
                return payload
            else:
                assert opcode == 10, f"opcode {opcode}"

    def close(self):
        self.socket.close()


def message(name, body=b"", request=0, flags=0):
    return struct.pack("<BBHI", TYPE[name], flags, 0, request) + body


class Client:
    """One viewer, with the picture that it has."""

    def __init__(self, address, acknowledge=True, headers=(), token=None):
        parts = urlsplit(address)
        token = parse_qs(parts.query)["token"][0] if token is None else token
        self.ws = WebSocket(parts.port, f"/ws?token={token}", headers)
        self.acknowledge = acknowledge
        self.requests = 0
        self.numbers = []  # of messages
        self.hello = self.scene = self.state = self.meters = None
        self.blob = b""
        self.scenes = 0
        self.frames = []  # sizes
        self.time, self.step, self.generation = 0.0, 0, None
        self.poses, self.places, self.shades = {}, {}, {}
        self.contacts, self.hands, self.samples, self.joint = [], {}, [], None
        self.events, self.answers = [], {}

    # ---- reading

    def pump(self):
        """Takes one message; its type."""
        data = self.ws.receive()
        kind, flags, zero, number = struct.unpack_from("<BBHI", data)
        assert flags == 0 and zero == 0
        self.numbers.append(number)
        if kind == SCENE:
            self._read_scene(data)
        elif kind == FRAME:
            self._read_frame(data)
            if self.acknowledge:
                self.send("ACK", struct.pack("<II", number, 0))
        elif kind == ANSWER:
            request, zero = struct.unpack_from("<II", data, 8)
            assert zero == 0
            self.answers[request] = json.loads(data[16:])
        else:
            value = json.loads(data[8:])
            if kind == HELLO:
                self.hello = value
            elif kind == STATE:
                self.state = value
            elif kind == METERS:
                self.meters = value
            else:
                assert kind == EVENT, kind
                self.events.append(value)
        return kind

    def _read_scene(self, data):
        (size,) = struct.unpack_from("<I", data, 8)
        self.scene = json.loads(data[12 : 12 + size])
        start = (12 + size + 7) // 8 * 8
        assert not any(data[12 + size : start])
        self.blob = data[start:]
        self.scenes += 1
        self.poses, self.places, self.shades = {}, {}, {}
        self.samples = []

    def array(self, place, form, width=1):
        """Numbers of the blob."""
        values = struct.unpack_from(f"<{place['count'] * width}{form}", self.blob, place["at"])
        return [values[k : k + width] for k in range(0, len(values), width)] if width > 1 else list(values)

    def _read_frame(self, data):
        self.time, self.step, generation, sections = struct.unpack_from("<dQII", data, 8)
        assert generation == self.scene["generation"], "a frame of another scene"
        self.frames.append(len(data))
        self.contacts, self.hands, self.joint = [], {}, None
        at = 32
        for _ in range(sections):
            kind, zero, size = struct.unpack_from("<HHI", data, at)
            assert zero == 0
            self._read_section(kind, data[at + 8 : at + 8 + size])
            at = (at + 8 + size + 7) // 8 * 8
        assert at == len(data), "bytes left over"

    def _read_section(self, kind, payload):
        count, second = struct.unpack_from("<II", payload)
        rest = payload[8:]
        if kind == 1:
            for group, *pose in struct.iter_unpack("<I7f", rest):
                self.poses[group] = pose
        elif kind == 2:
            for body, group, *pose in struct.iter_unpack("<II7f", rest):
                self.places[body] = (group, pose)
        elif kind == 3:
            for body, shade in struct.iter_unpack("<II", rest):
                self.shades[body] = shade
        elif kind == 4:
            self.contacts = [
                {"a": c[0], "b": c[1], "point": c[2:5], "normal": c[5:8], "force": c[8:11], "mu": c[11], "gap": c[12]}
                for c in struct.iter_unpack("<II11f", rest)
            ]
        elif kind == 5:
            for h in struct.iter_unpack("<IIII13fI", rest):
                self.hands[h[0]] = {
                    "owner": h[1], "body": h[2], "flags": h[3], "anchor": h[4:7], "hand": h[7:10],
                    "on_body": h[10:13], "on_hand": h[13:16], "stiffness": h[16], "rgba": h[17],
                }  # fmt: skip
            assert len(self.hands) == count
        elif kind == 6:
            self.samples += [(s[0], s[1:]) for s in struct.iter_unpack(f"<{second + 1}d", rest)]
        elif kind == 7:
            body, nq = struct.unpack_from("<II", rest)
            numbers = struct.unpack_from(f"<{(len(rest) - 8) // 8}d", rest, 8)
            nv = (len(numbers) - nq) // 2
            self.joint = {"body": body, "q": numbers[:nq], "v": numbers[nq : nq + nv], "force": numbers[nq + nv :]}
        else:
            raise AssertionError(f"section {kind}")

    def until(self, condition, seconds=90):
        """Reads until it holds; what it returned. The patience is for machines that do other things, too."""
        end = time.monotonic() + seconds
        while not (value := condition(self)):
            late = f"did not happen within {seconds} s; state {self.state}; hands {self.hands}; meters {self.meters}"
            assert time.monotonic() < end, late
            self.pump()
        return value

    def frames_more(self, count):
        want = len(self.frames) + count
        self.until(lambda c: len(c.frames) >= want)

    def body(self, name):
        return next(i for i, b in enumerate(self.scene["bodies"]) if b["name"] == name)

    def pose(self, body):
        """Of a body: its group's times its place in it."""
        group, place = self.places[body]
        return compose(self.poses[group], place)

    def position(self, body):
        return self.pose(body)[:3]

    # ---- asking

    def send(self, name, body=b"", request=0, flags=0):
        self.ws.send(message(name, body, request, flags))

    def ask(self, name, body=b"", flags=0, good=True):
        """Sends it and waits for the answer."""
        self.requests += 1
        request = self.requests
        self.send(name, body, request, flags)
        answer = self.until(lambda c: c.answers.pop(request, None))
        if good is not None:
            assert answer["ok"] == good, answer
        return answer

    def hold_still(self):
        """Pauses; no step is on its way any more."""
        self.number("PAUSE", 1)
        self.until(lambda c: c.state["paused"])
        self.frames_more(2)

    def steps(self, count):
        """So many steps from where it stands still: what comes of them depends on nobody's pace."""
        goal = self.step + count
        self.number("STEP", count)
        self.until(lambda c: c.step == goal)

    def number(self, name, value, **more):
        return self.ask(name, struct.pack("<II", value, 0), **more)

    def real(self, name, value, **more):
        return self.ask(name, struct.pack("<d", value), **more)

    def text(self, name, text, **more):
        return self.ask(name, text.encode(), **more)

    def grab(self, body, point=(0, 0, 0), target=None, flags=0, **more):
        target = self.position(body) if target is None else target
        return self.ask("GRAB", struct.pack("<II3f3f", body, flags, *point, *target), **more).get("hand")

    def move(self, hand, target, turn=(1, 0, 0, 0)):
        self.send("MOVE", struct.pack("<IId3f4f", hand, 0, time.monotonic() * 1e3, *target, *turn))

    def release(self, hand, **more):
        return self.number("RELEASE", hand, **more)

    def joint_to(self, body, numbers, flags=0, **more):
        return self.ask("JOINT", struct.pack(f"<II{len(numbers)}d", body, len(numbers), *numbers), flags=flags, **more)

    def watch(self, *quantities, **more):
        return self.text("WATCH", json.dumps(quantities), **more)

    def close(self):
        self.ws.close()


def turn(q, v):
    """Quaternion w x y z on a vector."""
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def compose(a, b):
    p = [s + t for s, t in zip(a[:3], turn(a[3:], b[:3]))]
    w, x, y, z = a[3:]
    W, X, Y, Z = b[3:]
    return p + [
        w * W - x * X - y * Y - z * Z, w * X + x * W + y * Z - z * Y,
        w * Y - x * Z + y * W + z * X, w * Z + x * Y - y * X + z * W,
    ]  # fmt: skip


def connect(address, **more):
    """A client that has its first picture."""
    client = Client(address, **more)
    client.until(lambda c: c.frames and c.state)
    return client
