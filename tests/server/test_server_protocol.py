# SPDX-License-Identifier: Apache-2.0
"""The viewer's protocol, by a client over loopback: what is shown, and what clients may do."""
import json
import math
import os
import struct
import subprocess
import time

from conftest import SINEW
from viewer_client import WORLD, turn


def distance(a, b):
    return math.dist(a, b)


def test_hello_scene_and_frames_tell_what_the_model_is(start):
    program = start("run", "table")
    client = program.connect()
    hello, scene, state = client.hello, client.scene, client.state
    assert hello["protocol"] == 1 and hello["program"].startswith("sinew ") and hello["client"] == 1
    assert {"humanoid", "table", "hrp2"} <= {entry["name"] for entry in hello["gallery"]}
    assert all(entry["about"] and entry["kind"] in ("scene", "model") for entry in hello["gallery"])
    assert {"energy", "joint", "felt"} <= {entry["kind"] for entry in hello["catalogue"]}
    assert client.numbers == list(range(1, len(client.numbers) + 1))  # one number a message

    assert scene["name"] == "table" and "mug" in scene["about"] and scene["floor"] is True
    assert scene["step"] == 0.001 and scene["gravity"] == [0, 0, -9.81]
    assert scene["unit"]["symbol"] == "m" and scene["camera"]["target"] == [0, 0, 0.75]
    assert [body["name"] for body in scene["bodies"]] == "mug book second_book ball pen die wedge".split()
    assert scene["dof"] == 6 * 7 and scene["atoms"] is None and scene["replay"] is None
    assert all(body["joint"]["type"] == "free" and body["joint"]["nq"] == 7 for body in scene["bodies"])
    items = [item for item in scene["items"] if item["bodies"]]
    assert [(item["name"], item["first_body"]) for item in items] == [
        (body["name"], k) for k, body in enumerate(scene["bodies"])
    ]
    mug = scene["bodies"][client.body("mug")]
    assert abs(mug["mass"] - 0.35) < 1e-6 and scene["items"][mug["item"]]["name"] == "mug"
    shapes = {shape["type"] for shape in scene["shapes"]}
    assert {"box", "sphere", "capsule", "cylinder", "plane", "hull"} <= shapes
    wedge = next(shape for shape in scene["shapes"] if shape["type"] == "hull")
    mesh = scene["meshes"][wedge["mesh"]]
    corners = client.array(mesh["vertex"], "f", 3)
    triangles = client.array(mesh["index"], "I", 3)
    assert len(corners) == 6 and all(k < 6 for triangle in triangles for k in triangle)
    assert any(distance(corner, (0.05, 0.03, 0)) < 1e-6 for corner in corners)

    assert len(client.places) == len(client.shades) == 7
    client.hold_still()  # at a moment that is the same on every machine: 200 steps from the start
    client.ask("RESET")
    client.until(lambda c: c.scenes == 2 and len(c.places) == 7)
    client.steps(200)
    assert distance(client.position(client.body("mug")), (0.2, -0.15, 0.8)) < 1e-3
    book = [c for c in client.contacts if client.body("book") in (c["a"], c["b"])]
    weight = sum(c["force"][2] * (1 if c["a"] == client.body("book") else -1) for c in book)
    assert abs(weight - 0.5 * 9.81) < 0.1  # the table carries it, and it carries the other one
    assert state["joints"] == 7 and state["dynamics"] == "aba" and not state["paused"]
    assert state["clients"] == [{"client": 1, "colour": hello["colour"]}]
    client.close()


def test_frames_agree_with_a_run_of_the_same_scene(start, tmp_path):
    """Poses after N steps are those of `sinew sim`, which knows no viewer."""
    path = tmp_path / "fall.yaml"
    path.write_text(
        "version: 1\nobjects:\n- {name: a, box: [0.1, 0.2, 0.3], at: [0, 0, 9], mass: 1, w: [1, 2, 3], v: [1, 0, 2]}\n"
        "- {name: b, sphere: 0.1, at: [2, 0, 9], mass: 2, w: [0, 1, 0]}\n"
    )
    program = start("run", str(path))
    client = program.connect()
    client.hold_still()
    time_s = client.time
    subprocess.run(
        [SINEW, "sim", str(path), "--duration", str(time_s), "--record", "again.sinew"], cwd=tmp_path, check=True,
        capture_output=True,
    )  # fmt: skip
    subprocess.run([SINEW, "export", "again.sinew", "-o", "again.csv"], cwd=tmp_path, check=True, capture_output=True)
    lines = (tmp_path / "again.csv").read_text().splitlines()
    row = dict(zip(lines[0].split(","), lines[-1].split(",")))
    assert abs(float(row["time_s"]) - time_s) < 1e-9
    for body, start_at in (("a", (0, 0, 9)), ("b", (2, 0, 9))):
        found = [float(value) for name, value in row.items() if name.startswith(f"q:{body}[")]
        found[:3] = [x + y for x, y in zip(found[:3], start_at)]  # free joints count from there
        pose = client.pose(client.body(body))
        assert distance(pose[:3], found[:3]) < 1e-5, (lines[0], pose, found)
        assert min(distance(pose[3:], found[3:]), distance(pose[3:], [-x for x in found[3:]])) < 1e-5


def test_a_grabbed_body_follows(start, boxes):
    client = start("run", boxes).connect()
    body = client.body("a")
    hand = client.grab(body, point=(0.05, 0, 0), target=(0.05, 0, 1))
    client.watch({"kind": "pull", "hand": hand})

    def anchor():
        pose = client.pose(body)
        return [p + t for p, t in zip(pose[:3], turn(pose[3:], (0.05, 0, 0)))]

    for k in range(61):
        client.move(hand, (0.05 + 0.3 * k / 60, 0, 1))
        client.frames_more(1)
    client.until(lambda c: distance(anchor(), (0.35, 0, 1)) < 5e-3 and distance(c.hands[hand]["anchor"], anchor()) < 1e-4)
    assert max(numbers[0] for _, numbers in client.samples) > 0.01  # it was pulled there
    info = client.hands[hand]
    assert info["owner"] == client.hello["client"] and info["body"] == body and info["flags"] & 1
    red, green, blue = (int(client.hello["colour"][k : k + 2], 16) for k in (1, 3, 5))
    assert info["rgba"] == red | green << 8 | blue << 16 | 255 << 24 and info["stiffness"] > 0
    client.release(hand)
    client.until(lambda c: hand not in c.hands)
    assert client.release(hand, good=False)["error"]
    client.close()


def test_what_is_felt_is_the_force_in_the_simulation(start, boxes):
    """Samples of one step are of one moment: hands add up in each, and where a body rests in them they carry its weight."""
    client = start("run", boxes).connect()
    client.text("EDIT", "add: {name: load, box: [0.2, 0.2, 0.2], mass: 2, at: [0, 1, 1]}")
    client.until(lambda c: len(c.places) == 3)
    body = client.body("load")
    at = client.position(body)
    hands = [client.grab(body, point=(x, 0, 0), target=(at[0] + x, at[1], at[2])) for x in (-0.05, 0.05)]
    client.text("EDIT", "gravity: [0, 0, -8]")
    kinds = [{"kind": kind, **one} for kind in ("felt", "pull") for one in ({"hand": hands[0]}, {"hand": hands[1]}, {})]
    client.watch(*kinds)

    def rests(c):
        c.frames_more(1)
        rows = [numbers for _, numbers in c.samples[-200:]]
        # a part in a thousand of the weight: what the springs still swing when it counts as rest
        return len(rows) == 200 and all(abs(row[k] - 16) < 0.016 for row in rows for k in (2, 5))

    client.until(rests)
    for time_s, (felt, felt_other, mine, pull, pull_other, my_pull) in client.samples:
        assert mine == felt + felt_other and my_pull == pull + pull_other, time_s
    client.close()


def test_weight_is_felt(start, tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text("version: 1\nfloor: true\nobjects:\n- {name: a, box: [0.1, 0.1, 0.1], mass: 2, at: [0, 0, 0.05]}\n")
    client = start("run", str(path)).connect()
    hand = client.grab(0)
    for k in range(90):
        client.move(hand, (0, 0, 0.05 + 0.5 * min(k, 60) / 60))
        client.frames_more(1)
    client.until(lambda c: abs(c.hands[hand]["on_body"][2] - 2 * 9.81) < 0.02)
    client.until(lambda c: abs(c.hands[hand]["on_hand"][2] + 2 * 9.81) < 0.02)
    assert client.position(0)[2] > 0.2
    client.close()


def test_time_stands_still_goes_in_steps_and_at_another_pace(start, boxes):
    client = start("run", boxes).connect()
    client.number("PAUSE", 1)
    client.until(lambda c: c.state["paused"])
    client.frames_more(2)
    step = client.step
    client.frames_more(3)
    assert client.step == step
    client.number("STEP", 5)
    client.until(lambda c: c.step == step + 5)
    client.frames_more(2)
    assert client.step == step + 5
    assert client.number("STEP", 0, good=False)["error"]
    client.real("PACE", 0.1)
    client.number("PAUSE", 0)
    client.until(lambda c: c.state["pace"] == 0.1 and not c.state["paused"])
    client.frames_more(1)
    begin, clock = client.time, time.monotonic()
    client.until(lambda c: c.time > begin + 0.1)
    # however slow the machine is, it is not faster; what frames were on their way, and are late, is 50 ms
    assert client.time - begin < 0.1 * (time.monotonic() - clock) + 0.05
    assert client.real("PACE", 1e-9, good=False)["error"]
    client.close()


def test_joints_budget_algorithm_and_reset(start, pendulum):
    program = start("run", pendulum)
    client = program.connect()
    assert client.scene["controllers"] == ["hold"] and not client.scene["adaptive"]
    assert "adaptive" in client.number("BUDGET", 1, good=False)["error"]
    client.number("PAUSE", 1)
    client.number("INSPECT", 1)
    client.joint_to(1, [0.7])
    client.until(lambda c: c.joint and abs(c.joint["q"][0] - 0.7) < 1e-12)
    assert client.joint["body"] == 1 and client.joint["v"] == (0.0,)
    assert client.joint_to(1, [0.1, 0.2], good=False)["error"] and client.joint_to(99, [0.1], good=False)["error"]
    client.joint_to(1, [0.5], flags=1)  # the controller's target
    assert "algorithm" in client.text("DYNAMICS", "magic", good=False)["error"]
    scenes = client.scenes
    client.text("DYNAMICS", "adaptive")
    client.until(lambda c: c.scenes > scenes and c.scene["adaptive"] and c.joint is None and c.frames)
    client.number("INSPECT", 1)
    client.until(lambda c: c.joint)
    client.until(lambda c: c.state["dynamics"] == "adaptive")
    client.number("BUDGET", 1)
    client.until(lambda c: c.state["max_active"] == 1 and c.state["active"] <= 1)
    client.until(lambda c: sorted(c.shades.values()) in ([0, 1], [1, 1]))
    client.ask("RESET")
    client.until(lambda c: c.scenes > scenes + 1)
    client.close()


def test_things_come_and_go_and_what_a_hand_holds_may_go(start, boxes):
    client = start("run", boxes).connect()
    hand = client.grab(client.body("b"))
    client.until(lambda c: hand in c.hands and c.hands[hand]["flags"] & 1)
    scenes = client.scenes
    client.text("EDIT", "add: {name: ball, sphere: 0.1, at: [0, 0, 3], mass: 1}")
    client.until(lambda c: c.scenes == scenes + 1 and len(c.places) == 3)
    assert client.scene["bodies"][client.body("ball")]["mass"] == 1
    client.text("EDIT", "gravity: [0, 0, -1]")
    client.until(lambda c: c.position(c.body("ball"))[2] < 2.9)
    client.text("EDIT", "remove: b")
    client.until(lambda c: c.scenes == scenes + 2 and hand not in c.hands)
    for bad in ("remove: b", "add: {name: x, model: /etc/passwd}", "nonsense", "add: {name: [", "plugin: {name: x}"):
        assert client.text("EDIT", bad, good=False)["error"], bad
    client.close()


def test_steps_go_on_while_an_edit_is_made_ready(start, boxes):
    """Requests that the stepping thread answers between two steps are answered, one after the other, before the edit is."""
    client = start("run", boxes).connect()
    client.text("EDIT", "add: {name: long, generate: 'chain:10000', at: [5, 0, 0]}")
    client.until(lambda c: len(c.scene["items"]) == 3 and c.places, 60)
    client.send("EDIT", b"surface: {item: long, material: {mu: 0.1}}", 800)
    between = 0
    while 800 not in client.answers:
        client.number("INSPECT", 0)
        between += 800 not in client.answers
    assert client.answers[800]["ok"] and between >= 3, between
    # what waits for another one is made in its turn
    for number, words in enumerate(("remove: long", "add: {name: long, sphere: 0.1, at: [0, 0, 4]}", "gravity: [0, 0, -3]"), 900):
        client.send("EDIT", words.encode(), number)
    client.until(lambda c: {900, 901, 902} <= set(c.answers), 60)
    assert all(client.answers[number]["ok"] for number in (900, 901, 902))
    client.until(lambda c: len(c.scene["bodies"]) == 3 and c.places, 60)
    client.close()


def test_scenes_of_the_gallery_follow_each_other(start, boxes):
    program = start("run", boxes)
    client, other = program.connect(), program.connect()
    hand = client.grab(0)
    assert "gallery" in client.text("SCENE", "/etc/passwd", good=False)["error"]
    client.text("SCENE", "pendulum")
    for one in (client, other):
        one.until(lambda c: c.scene["name"] == "pendulum" and c.places)
    assert hand not in client.hands
    client.text("SCENE", "stack:6")
    client.until(lambda c: c.scene["name"] == "stack:6" and len(c.places) == 6)
    assert client.grab(3) is not None
    client.close()
    other.close()


def test_recordings_are_made_and_played(start, boxes, tmp_path):
    program = start("run", boxes)
    client = program.connect()
    path = client.number("RECORD", 1)["path"]
    assert client.number("RECORD", 1, good=False)["error"]
    client.until(lambda c: c.state["recording"] == path)
    hand = client.grab(0)
    start_s = client.time
    for k in range(30):
        client.move(hand, (0, 0, 1 + 0.005 * k))
        client.frames_more(1)
    client.until(lambda c: c.time > start_s + 0.4 and c.position(0)[2] > 1.1)
    client.number("RECORD", 0)
    assert client.number("RECORD", 0, good=False)["error"]
    client.until(lambda c: not c.state["recording"])
    client.close()
    program.end()
    file = tmp_path / path
    assert file.exists()
    subprocess.run([SINEW, "replay", str(file), "--verify"], check=True, capture_output=True)

    replay = start("replay", str(file))
    client = replay.connect()
    length = client.scene["replay"]["seconds"]
    begin = client.scene["replay"]["begin"]
    assert length > 0.3 and client.state["replay"] is not None
    assert "recording" in client.text("EDIT", "gravity: [0, 0, 1]", good=False)["error"]
    assert client.ask("GRAB", struct.pack("<II6f", 0, 0, *[0] * 6), good=False)["error"]
    client.until(lambda c: c.time > begin + 0.2)
    client.number("PAUSE", 1)
    client.real("SEEK", begin + 0.1)
    client.until(lambda c: abs(c.time - begin - 0.1) < 2e-3)
    client.frames_more(1)
    low = client.position(0)[2]
    client.number("STEP", 3)
    client.until(lambda c: abs(c.time - begin - 0.103) < 1e-9)
    client.real("SEEK", begin + length)
    client.until(lambda c: abs(c.time - begin - length) < 2e-3)
    client.frames_more(1)
    assert client.position(0)[2] > low + 0.01  # the hand has lifted it
    client.close()


def test_quantities_are_sampled_each_step(start, boxes):
    client = start("run", boxes).connect()
    answer = client.watch(
        {"kind": "energy", "index": 3}, {"kind": "joint", "body": 0, "index": 2}, {"kind": "velocity", "body": 0, "index": 5},
        {"kind": "contact"}, {"kind": "rate", "name": "simulation"}, {"kind": "active"}, {"kind": "residual"},
        {"kind": "points"}, {"kind": "sensor", "name": "where", "index": 2},
    )  # fmt: skip
    assert len(answer["names"]) == len(answer["units"]) == 9 and answer["units"][:3] == ["J", "m", "m/s"]
    client.until(lambda c: len(c.samples) > 200)
    times = [t for t, _ in client.samples]
    assert all(abs(b - a - 1e-3) < 1e-9 for a, b in zip(times, times[1:]))  # every step
    assert all(abs(n[1]) < 1e-9 and abs(n[8] - 1) < 1e-9 and n[5] == 2 for _, n in client.samples)
    for bad in ([{"kind": "magic"}], [{"kind": "joint", "body": 7, "index": 0}], [{"kind": "joint", "body": 0, "index": 9}],
                [{"kind": "sensor", "name": "no"}], [{"kind": "energy", "index": 9}], [{"kind": "rate"}], [{}] * 99):  # fmt: skip
        assert client.watch(*bad, good=False)["error"]
    assert client.text("WATCH", "{", good=False)["error"] and client.text("WATCH", "7", good=False)["error"]
    client.watch()
    client.close()


def test_two_people_have_a_hand_each(start, boxes):
    program = start("run", boxes)
    one, two = program.connect(), program.connect()
    first, second = one.grab(0), two.grab(1)
    assert first != second and one.hello["colour"] != two.hello["colour"]
    for k in range(40):
        one.move(first, (0, 0.005 * k, 1))
        two.move(second, (0.5, -0.005 * k, 1))
        two.move(first, (9, 9, 9))  # not his
        one.frames_more(1)
        two.frames_more(1)
    for client in (one, two):
        client.until(lambda c: {h["owner"] for h in c.hands.values()} == {1, 2})
    assert len({h["rgba"] for h in one.hands.values()}) == 2
    assert two.release(first, good=False)["error"]
    one.until(lambda c: c.position(0)[1] > 0.1 and c.position(1)[1] < -0.1)
    assert abs(one.position(0)[0]) < 0.05
    two.close()  # while it holds
    one.until(lambda c: set(c.hands) == {first})
    one.close()


def test_meters_and_clocks(start, boxes):
    client = start("run", boxes).connect()
    hand = client.grab(0)

    def measured(c):  # of moves in the last half second
        c.move(hand, (0.001 * (len(c.frames) % 60), 0, 1))
        c.frames_more(1)
        return c.meters and c.meters["server"]["pointer_ms"] > 0

    client.until(measured)
    meters = client.meters
    assert [loop["name"] for loop in meters["loops"]] == ["simulation", "coupling", "haptics"]
    assert meters["loops"][2]["hand"] == hand and len(meters["step"]["stages"]) == 9
    assert meters["hands"][0]["hand"] == hand and not meters["hands"][0]["latched"]
    assert meters["server"]["bytes_s"] > 0 and 0 < meters["server"]["cpu"] < 1
    clock = time.monotonic() * 1e3
    answer = client.real("PING", clock)
    assert answer["clock"] == clock and answer["server_ms"] > 0
    client.close()


def test_it_ends_by_itself_after_its_duration(start, boxes):
    program = start("run", boxes, "--duration", "0.5", "--json")
    out, _ = program.process.communicate(timeout=60)
    assert program.process.returncode == 0
    report = json.loads(out)
    assert report["ok"] and abs(report["simulated_s"] - 0.5) < 1e-9 and os.path.exists(program.folder)


def test_the_world_is_no_body(start, boxes):
    client = start("run", boxes).connect()
    for body in (WORLD, 2, 1 << 31):
        assert client.ask("GRAB", struct.pack("<II6f", body, 0, *[0] * 6), good=False)["error"]
    client.close()


def test_a_recording_waits_for_who_looks(start, boxes, tmp_path):
    """A short one would be over before a page is there."""
    subprocess.run([SINEW, "sim", boxes, "--duration", "0.05", "--record", "short.sinew"], cwd=tmp_path, check=True, capture_output=True)
    program = start("replay", "short.sinew")
    time.sleep(0.5)  # ten times as long as it is
    client = program.connect()
    assert client.time < 0.05 and not client.state["paused"]
    client.until(lambda c: c.state["paused"] and abs(c.time - 0.05) < 1e-9)  # its end
    client.close()
