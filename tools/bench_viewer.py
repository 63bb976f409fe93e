#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the viewer costs, measured by clients over loopback: frames of 10^4 bodies, the pointer's way into the
simulation, and whether viewers slow it down.

usage: tools/bench_viewer.py [--json] [PROGRAM]      PROGRAM: build/sinew if not given
"""
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "server"))
from viewer_client import Client, connect  # noqa: E402

SECONDS = 6
MANY = """version: 1
gravity: [0, 0, 0]
step: 0.01
objects:
- {name: ball, sphere: 0.05, mass: 1, at: [0, 0, 1], v: [0.1, 0.05, 0.02], w: [1, 2, 3],
   repeat: {count: [100, 100, 1], spacing: [0.3, 0.3, 0]}}
"""
TWO = """version: 1
gravity: [0, 0, 0]
objects:
- {name: a, box: [0.1, 0.1, 0.1], mass: 0.5, at: [0, 0, 1]}
- {name: b, sphere: 0.05, mass: 0.5, at: [0.5, 0, 1]}
"""


class Counter(Client):
    """Takes frames without looking into them, so that the client costs little."""

    def _read_frame(self, data):
        self.frames.append(len(data))


class Program:
    def __init__(self, program, folder, scene):
        import subprocess

        path = os.path.join(folder, "scene.yaml")
        Path(path).write_text(scene)
        words = [program, "run", path, "--no-open", "--port", "0"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().split(": ", 1)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        import signal

        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)


def meters(client, seconds, each=lambda: None):
    """All that came within so long."""
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        before = client.meters
        each()
        client.pump()
        if client.meters is not before:
            found.append(client.meters)
    return found


def many_bodies(program, folder):
    with Program(program, folder, MANY) as running:
        client = Counter(running.address)
        client.until(lambda c: len(c.frames) > 10 and c.meters, 120)
        found = meters(client, SECONDS)
        frames = sum(m["server"]["frames_s"] for m in found)
        cpu = sum(m["server"]["cpu"] for m in found) / frames
        return {
            "case": "bodies-10000",
            "frames_s": frames / len(found),
            "frame_bytes": statistics.median(client.frames),
            "cpu_ms_a_frame": 1e3 * cpu,
            "core_share_at_60_hz": 60 * cpu,
        }


def pointer(program, folder):
    with Program(program, folder, TWO) as running:
        client = connect(running.address)
        hand = client.grab(0)
        count = [0]

        def move():
            if len(client.frames) > count[0]:  # once a frame, as a page does
                count[0] = len(client.frames)
                client.move(hand, (0.001 * (count[0] % 100), 0, 1))

        way = [m["server"]["pointer_ms"] for m in meters(client, SECONDS, move) if m["server"]["pointer_ms"] > 0]
        pings = []
        for _ in range(100):
            begin = time.monotonic()
            client.real("PING", begin)
            pings.append(1e3 * (time.monotonic() - begin))
        return {
            "case": "pointer",
            "to_simulation_ms": statistics.median(way),
            "to_simulation_worst_half_second_ms": max(way),
            "ping_ms": statistics.median(pings),
        }


def viewers(program, folder):
    with Program(program, folder, TWO) as running:
        client = connect(running.address)

        def rate():
            return statistics.median(m["loops"][0]["rate_hz"] for m in meters(client, SECONDS))

        alone = rate()
        others = [connect(running.address) for _ in range(2)]
        stalled = Client(running.address, acknowledge=False)
        ended = threading.Event()

        def look(one):
            while not ended.is_set():
                one.pump()

        threads = [threading.Thread(target=look, args=(one,)) for one in others]
        for thread in threads:
            thread.start()
        four = rate()
        ended.set()
        for thread in threads:
            thread.join()
        stalled.close()
        return {"case": "viewers-4", "rate_hz_1": alone, "rate_hz_4_one_stalled": four, "ratio": four / alone}


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    program = os.path.abspath(words[0] if words else "build/sinew")
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(program, folder) for measure in (many_bodies, pointer, viewers)]
    if "--json" in sys.argv:
        print(json.dumps({"bench": "viewer", "rows": rows}, indent=1))
        return
    for row in rows:
        print(row.pop("case"))
        for name, value in row.items():
            print(f"  {name:36}{value:12.4g}")


if __name__ == "__main__":
    main()
