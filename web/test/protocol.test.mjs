// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, random } from "./load.mjs";
import { bytesOf, fields, frame, header, rows, scene, section, text } from "./messages.mjs";

const { decode, encode, ProtocolError } = await load("wire/protocol.ts");

test("a hello is its JSON", () => {
    const hello = { protocol: 1, program: "sinew 0.1.0", client: 3, colour: "#4477aa", gallery: [], catalogue: [{ kind: "energy", unit: "J", needs: ["index"] }] };
    assert.deepEqual(decode(text(1, hello)), { kind: "hello", number: 1, hello });
});

test("a scene's arrays come out of its blob", () => {
    const blob = Buffer.concat([
        fields([0, 0, 0, 1, 0, 0, 0, 1, 0].map((v) => ["f", v])), Buffer.alloc(4), fields([0, 1, 2].map((v) => ["u", v])),
    ]);
    const message = decode(scene({ generation: 7, meshes: [{ vertex: { at: 0, count: 3 }, index: { at: 40, count: 1 } }], bodies: [{ parent: -1 }], shapes: [] }, blob));
    assert.equal(message.scene.generation, 7);
    assert.deepEqual([...message.scene.meshes[0].vertices], [0, 0, 0, 1, 0, 0, 0, 1, 0]);
    assert.deepEqual([...message.scene.meshes[0].indices], [0, 1, 2]);
    assert.equal(message.scene.atoms, null);
    assert.equal(message.scene.bodies[0].parent, 0xffffffff);
});

test("a scene whose places lie beyond its end is refused", () => {
    for (const at of [0, 8, -8, 1e12])
        assert.throws(() => decode(scene({ meshes: [{ vertex: { at, count: 3 }, index: { at: 0, count: 0 } }] })), ProtocolError);
});

test("a frame has its sections, and unknown ones are skipped", () => {
    const message = decode(frame({ time: 1.5, step: 1500, generation: 2, number: 9 }, [
        section(99, Buffer.from([1, 2, 3])),
        section(1, rows([[["u", 4], ...[1, 2, 3, 1, 0, 0, 0].map((v) => ["f", v])]])),
        section(2, rows([[["u", 5], ["u", 4], ...[0, 0, 1, 1, 0, 0, 0].map((v) => ["f", v])]])),
        section(6, rows([[["d", 0.001], ["d", 10]], [["d", 0.002], ["d", 11]]], 1)),
        section(7, rows([[["u", 3], ["u", 1], ["d", 0.5], ["d", -1], ["d", 2]]])),
    ]));
    assert.equal(message.number, 9);
    const { frame: got } = message;
    assert.equal(got.time, 1.5);
    assert.equal(got.step, 1500);
    assert.equal(got.poses.words[0], 4);
    assert.deepEqual([...got.poses.floats.subarray(1, 4)], [1, 2, 3]);
    assert.deepEqual([...got.groups.words.subarray(0, 2)], [5, 4]);
    assert.deepEqual([...got.samples.data], [0.001, 10, 0.002, 11]);
    assert.deepEqual([got.joint.body, ...got.joint.q, ...got.joint.v, ...got.joint.force], [3, 0.5, -1, 2]);
});

test("an answer carries the number of its request", () => {
    const message = decode(bytesOf(Buffer.concat([header(7), fields([["u", 12], ["u", 0]]), Buffer.from('{"ok":true,"hand":2}')])));
    assert.deepEqual(message.answer, { ok: true, hand: 2, request: 12 });
});

test("whatever bytes come, they are decoded or refused", () => {
    const seed = Date.now() % 100000;
    const next = random(seed);
    const good = [
        frame({}, [section(1, rows([[["u", 0], ...Array(7).fill(["f", 1])]])), section(6, rows([[["d", 0], ["d", 1]]], 1))]),
        text(4, { paused: false }), scene({ meshes: [{ vertex: { at: 0, count: 1 }, index: { at: 0, count: 1 } }] }, Buffer.alloc(24)),
    ];
    for (let k = 0; k < 3000; k++) {
        const bytes = new Uint8Array(good[k % good.length].slice(0));
        const cut = next() < 0.3 ? Math.floor(next() * bytes.length) : bytes.length;
        for (let change = 0; change < 4; change++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
        try {
            decode(bytes.buffer.slice(0, cut));
        } catch (error) {
            assert.ok(error instanceof ProtocolError, `seed ${seed}, case ${k}: ${error.stack}`);
        }
    }
});

test("orders are laid out as the protocol says", () => {
    const grab = Buffer.from(encode.grab(5, 7, 1, [1, 2, 3], [4, 5, 6]));
    assert.equal(grab.length, 40);
    assert.deepEqual([grab[0], grab.readUInt32LE(4), grab.readUInt32LE(8), grab.readUInt32LE(12)], [2, 5, 7, 1]);
    assert.deepEqual([16, 20, 24, 28, 32, 36].map((at) => grab.readFloatLE(at)), [1, 2, 3, 4, 5, 6]);
    const move = Buffer.from(encode.move(3, 12.5, [1, 2, 3]));
    assert.equal(move.length, 52);
    assert.deepEqual([move[0], move.readUInt32LE(8), move.readDoubleLE(16), move.readFloatLE(24), move.readFloatLE(36)], [3, 3, 12.5, 1, 1]);
    const joint = Buffer.from(encode.joint(1, 4, [0.25, 0.5], 1));
    assert.deepEqual([joint[0], joint[1], joint.readUInt32LE(8), joint.readUInt32LE(12), joint.readDoubleLE(24)], [14, 1, 4, 2, 0.5]);
    assert.equal(Buffer.from(encode.scene(1, "tablé")).subarray(8).toString(), "tablé");
});
