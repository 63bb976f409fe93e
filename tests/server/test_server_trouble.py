# SPDX-License-Identifier: Apache-2.0
"""Clients that do not belong, break the rules, do not listen, or vanish: never the program's trouble."""
import math
import os
import random
import socket
import struct
import time
from urllib.parse import urlsplit

import pytest
from viewer_client import TYPE, Client, Closed, WebSocket, connect, message


def closing(client):
    """The status that a connection is closed with; None: it is gone before that could be read."""
    try:
        while True:
            client.pump() if isinstance(client, Client) else client.receive()
    except Closed as closed:
        return closed.status
    except OSError:
        return None


def port_of(program):
    return urlsplit(program.address).port


def http(port, request):
    with socket.create_connection(("127.0.0.1", port), 20) as s:
        s.sendall(request)
        s.shutdown(socket.SHUT_WR)
        answer = b""
        while data := s.recv(65536):
            answer += data
    return answer


def test_only_who_has_the_token_gets_in(start, boxes):
    program = start("run", boxes)
    port = port_of(program)
    right = program.address.split("=")[1]
    assert len(right) == 32
    for token in ("", "wrong", right[:-1], right + "0", right[:-1] + ("0" if right[-1] != "0" else "1"), "x" * 70):
        assert closing(WebSocket(port, f"/ws?token={token}")) == 1008
    assert closing(WebSocket(port, "/ws")) == 1008
    # a page from elsewhere, and another name that was made to point here
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}"):
        assert closing(WebSocket(port, f"/ws?token={right}", {"Origin": origin})) == 1008
    assert WebSocket(port, f"/ws?token={right}", {"Host": f"evil.example:{port}"}).status == 403
    assert b" 403 " in http(port, b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        fine = connect(program.address, headers={"Host": host, "Origin": f"http://{host}"})
        fine.close()
    other = start("run", boxes)
    assert other.address.split("=")[1] != right


def test_http_that_is_none(start, boxes):
    program = start("run", boxes)
    port = port_of(program)
    local = f"Host: 127.0.0.1:{port}\r\n".encode()
    assert b" 404 " in http(port, b"GET /../../etc/passwd HTTP/1.1\r\n" + local + b"\r\n")
    assert b" 404 " in http(port, b"GET /nothing HTTP/1.0\r\n" + local + b"\r\n")
    assert b" 405 " in http(port, b"POST / HTTP/1.1\r\n" + local + b"Content-Length: 3\r\n\r\nabc")
    assert b" 400 " in http(port, b"GET /ws HTTP/1.1\r\n" + local + b"\r\n")
    for bad in (b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/2\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n",
                b"GET / HTTP/1.1\r\n" + local + local + b"\r\n", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n"):  # fmt: skip
        assert b" 400 " in http(port, bad), bad[:30]
    two = http(port, b"GET / HTTP/1.1\r\n" + local + b"\r\nGET /nothing HTTP/1.1\r\n" + local + b"\r\n")
    assert two.count(b"HTTP/1.1 200") == 1 and two.count(b"HTTP/1.1 404") == 1  # one after the other
    program.connect().close()


def bad_messages():
    """Each breaks one rule."""
    grab = struct.pack("<II6f", 0, 0, *[0] * 6)
    yield b""
    yield b"\x01\0\0"
    yield message("RESET") + b"\0"
    yield bytes([0]) + bytes(7)
    yield bytes([20]) + bytes(7)
    yield bytes([255]) * 64
    yield message("PAUSE", struct.pack("<II", 1, 7))  # what is 0 is 0
    yield message("PAUSE", struct.pack("<II", 1, 0), flags=1)
    yield struct.pack("<BBHI", TYPE["RESET"], 0, 1, 0)
    yield message("GRAB", grab[:-1])
    yield message("GRAB", grab + b"\0")
    yield message("GRAB", struct.pack("<II6f", 0, 0, math.nan, *[0] * 5))
    yield message("MOVE", struct.pack("<IId3f4f", 0, 0, 0, math.inf, 0, 0, 1, 0, 0, 0))
    yield message("MOVE", struct.pack("<IId3f4f", 0, 0, 0, 0, 0, 0, 9, 0, 0, 0))  # no rotation
    yield message("MOVE", struct.pack("<IId3f4f", 0, 0, math.nan, 0, 0, 0, 1, 0, 0, 0))
    yield message("PACE", struct.pack("<d", math.nan))
    yield message("JOINT", struct.pack("<II", 0, 0))
    yield message("JOINT", struct.pack("<II8d", 0, 8, *[0] * 8))
    yield message("JOINT", struct.pack("<IId", 0, 0xFFFFFFFF, 0))
    yield message("EDIT", b"\xff\xfe")
    yield message("EDIT", b"a\0b")
    yield message("EDIT", b"\xed\xa0\x80")
    yield message("ACK", struct.pack("<II", 1 << 30, 0))  # of what was not sent


def test_bad_messages_close_the_connection_and_nothing_else(start, boxes):
    program = start("run", boxes)
    other = program.connect()
    for bad in bad_messages():
        client = Client(program.address)
        client.ws.send(bad)
        assert closing(client) == 1002, bad
    # bits that make no frame, not masked, text, fragments in disorder
    for opcode, more in ((2, {"masked": False}), (2, {"reserved": 0x40}), (3, {}), (1, {}), (0, {}), (9, {"final": False})):
        client = Client(program.address)
        client.ws.send_frame(opcode, bytes(8), **more)
        assert closing(client) == 1002, (opcode, more)
    other.frames_more(5)
    assert other.state["clients"][0]["client"] == 1
    other.close()


def test_messages_have_a_length(start, boxes):
    program = start("run", boxes)
    most = 64 * 1024
    client = program.connect()
    assert "error" in client.text("EDIT", "#" * (most - 8), good=False)  # as long as one may be
    client.ws.send(message("EDIT", b"#" * (most - 7)))
    assert closing(client) == 1009
    client = program.connect()
    client.ws.send_frame(2, b"#" * most, final=False)
    client.ws.send_frame(0, b"#", final=True)
    assert closing(client) == 1009
    client = program.connect()
    client.ws.socket.sendall(bytes([0x82, 0xFF]) + struct.pack(">Q", 1 << 40) + bytes(4))  # only says so
    assert closing(client) == 1009
    # in pieces it is a message like any other
    client = program.connect()
    whole = message("PAUSE", struct.pack("<II", 1, 0), request=77)
    client.ws.send_frame(2, whole[:3], final=False)
    client.ws.send_frame(9, b"still there?")
    client.ws.send_frame(0, whole[3:9], final=False)
    client.ws.send_frame(0, whole[9:])
    assert client.until(lambda c: c.answers.get(77))["ok"]
    client.close()


def test_noise_of_any_kind(start, boxes):
    """Random bytes, as frames and without; from a printed seed."""
    seed = int(os.environ.get("SINEW_SEED", random.randrange(1 << 30)))
    print("seed", seed)
    noise = random.Random(seed)
    program = start("run", boxes)
    other = program.connect()
    for k in range(60):
        client = Client(program.address)
        try:
            for _ in range(8):
                body = noise.randbytes(noise.randrange(80))
                if k % 3 == 0:
                    client.ws.socket.sendall(body)
                elif k % 3 == 1:
                    client.ws.send(bytes([noise.randrange(1, 20), 0, 0, 0, 1, 0, 0, 0]) + body)
                else:
                    client.ws.send_frame(noise.randrange(16), body, final=noise.random() < 0.8)
        except OSError:
            pass  # it was closed meanwhile
        client.close()
    other.frames_more(5)
    assert program.runs()
    other.close()


def test_who_vanishes_while_holding_lets_go(start, boxes):
    program = start("run", boxes)
    client, other = program.connect(), program.connect()
    hand = client.grab(0)
    other.until(lambda c: hand in c.hands)
    client.ws.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()  # at once, with a reset
    other.until(lambda c: hand not in c.hands)
    other.close()


def test_who_falls_silent_lets_go(start, boxes):
    """Its connection stays, but it says nothing any more: the body is not pulled after two seconds."""
    program = start("run", boxes)
    client, other = program.connect(), program.connect()
    other.text("EDIT", "gravity: [0, 0, -5]")
    hand = client.grab(0)
    client.until(lambda c: hand in c.hands and c.hands[hand]["on_body"][2] > 1)  # of 2.5 N; as long as it listens
    other.until(lambda c: hand in c.hands and max(abs(x) for x in c.hands[hand]["on_body"]) < 1e-6)
    height = other.position(0)[2]
    other.until(lambda c: c.position(0)[2] < height - 1)  # it falls
    client.close()
    other.close()


def test_who_does_not_listen_loses_pictures_and_nobody_waits(start):
    program = start("run", "stack:6")
    stalled = Client(program.address, acknowledge=False)  # never reads, never acknowledges
    lazy = connect(program.address, acknowledge=False)
    client = program.connect()
    begin, frames = client.time, len(client.frames)
    client.until(lambda c: c.time > begin + 1.5 and len(c.frames) > frames + 60)
    clock = time.monotonic()
    while time.monotonic() < clock + 1.5:
        lazy.pump()  # what waited, and meters that come all the time
    assert len(lazy.frames) == 2  # two are ahead, and no more
    stalled.close()
    lazy.close()
    client.close()


def test_there_is_an_end_to_viewers(start, boxes):
    program = start("run", boxes)
    clients = [program.connect() for _ in range(16)]
    assert closing(Client(program.address)) == 1013
    clients.pop().close()
    clients[0].until(lambda c: len(c.state["clients"]) == 15)
    program.connect().close()
    for client in clients:
        client.close()


def test_it_says_good_bye(start, boxes):
    program = start("run", boxes)
    client = program.connect()
    client.grab(0)
    program.end()
    assert closing(client) in (1001, None)


def test_a_port_that_is_taken(start, boxes):
    import subprocess

    from conftest import SINEW

    program = start("run", boxes)
    second = subprocess.run(
        [SINEW, "run", boxes, "--no-open", "--port", str(port_of(program))], capture_output=True, text=True, timeout=60
    )
    assert second.returncode == 1 and "--port" in second.stderr
