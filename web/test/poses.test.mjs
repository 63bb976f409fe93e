// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, random } from "./load.mjs";

const { applyPose, composePose, PoseTable, unapplyPose } = await load("state/poses.ts");

const seed = Date.now() % 100000;
const next = random(seed);

function randomPose() {
    const q = Array.from({ length: 4 }, () => next() - 0.5);
    const length = Math.hypot(...q);
    return [next() * 4 - 2, next() * 4 - 2, next() * 4 - 2, ...q.map((c) => c / length)];
}

/** The oracle: a rotation matrix, row by row. */
function apply([x, y, z, w, a, b, c], p) {
    const R = [
        [1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
        [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
        [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)],
    ];
    return [x, y, z].map((t, i) => t + R[i][0] * p[0] + R[i][1] * p[1] + R[i][2] * p[2]);
}

function near(got, expected, tolerance = 1e-5) {
    got.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < tolerance, `seed ${seed}: ${got} is not ${expected}`));
}

function rowsOf(list, stride) {
    const words = new Uint32Array(list.length * stride);
    const floats = new Float32Array(words.buffer);
    list.forEach(({ ids, pose }, k) => {
        words.set(ids, k * stride);
        floats.set(pose, k * stride + ids.length);
    });
    return { count: list.length, stride, words, floats };
}
const groupRows = (list) => rowsOf(list.map(([body, group, pose]) => ({ ids: [body, group], pose })), 9);
const poseRows = (list) => rowsOf(list.map(([group, pose]) => ({ ids: [group], pose })), 8);

test("poses act as rotation matrices do", () => {
    for (let k = 0; k < 200; k++) {
        const a = randomPose(), b = randomPose(), p = [next(), next(), next()];
        const ab = new Float32Array(7);
        composePose(ab, 0, a, 0, b, 0);
        near(applyPose(ab, 0, p), apply(a, apply(b, p)));
        near(unapplyPose(a, 0, apply(a, p)), p);
    }
});

test("bodies follow their groups, through every change of groups", () => {
    const bodies = 12;
    const table = new PoseTable(bodies);
    const place = new Map(), groups = new Map();
    for (let frame = 0; frame < 60; frame++) {
        table.clearChanged();
        const regrouped = [], moved = [];
        for (let body = 0; body < bodies; body++)
            if (frame === 0 || next() < 0.2) regrouped.push([body, Math.floor(next() * bodies), randomPose()]);
        for (let group = 0; group < bodies; group++) if (frame === 0 || next() < 0.3) moved.push([group, randomPose()]);
        const before = [...table.pose];
        for (const [body, group, pose] of regrouped) place.set(body, [group, pose]);
        for (const [group, pose] of moved) groups.set(group, pose);
        table.apply(groupRows(regrouped), poseRows(moved));
        const changed = new Set(table.changed.subarray(0, table.changedCount));
        assert.equal(changed.size, table.changedCount, "each once");
        for (let body = 0; body < bodies; body++) {
            const [group, pose] = place.get(body);
            near([...table.pose.subarray(7 * body, 7 * body + 3)], apply(groups.get(group), pose));
            const same = before.slice(7 * body, 7 * body + 7).every((v, c) => v === table.pose[7 * body + c]);
            assert.ok(same || changed.has(body), `seed ${seed}: body ${body} moved unnoticed`);
        }
    }
});

test("bodies and groups that cannot be are refused", () => {
    const table = new PoseTable(2);
    const pose = [0, 0, 0, 1, 0, 0, 0];
    assert.throws(() => table.apply(groupRows([[2, 0, pose]]), undefined), /no body/);
    assert.throws(() => table.apply(undefined, poseRows([[4000000000, pose]])), /no group/);
});
