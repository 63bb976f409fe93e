// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, random } from "./load.mjs";

const { massCentres } = await load("state/centres.ts");
const { applyPose } = await load("state/poses.ts");

test("centres of mass are the means of the bodies' own, by mass; what has none has no centre", () => {
    const seed = Date.now() % 100000;
    const next = random(seed);
    for (let round = 0; round < 50; round++) {
        const items = [], bodies = [], poses = [];
        for (let k = 0; k < 5; k++) {
            const count = Math.floor(next() * 4);
            items.push({ name: `i${k}`, first_body: bodies.length, bodies: count });
            for (let b = 0; b < count; b++) {
                const q = Array.from({ length: 4 }, () => next() - 0.5);
                const length = Math.hypot(...q);
                poses.push(next(), next(), next(), ...q.map((c) => c / length));
                bodies.push({ mass: k === 2 ? 0 : next() + 0.1, com: [next(), next(), next()] });
            }
        }
        const pose = new Float32Array(poses), out = new Float32Array(15);
        const expected = items.flatMap((item) => {
            const own = Array.from({ length: item.bodies }, (_, b) => item.first_body + b);
            const mass = own.reduce((sum, b) => sum + bodies[b].mass, 0);
            if (!(mass > 0)) return [];
            return [0, 1, 2].map((c) => own.reduce((sum, b) => sum + bodies[b].mass * applyPose(pose, 7 * b, bodies[b].com)[c], 0) / mass);
        });
        assert.equal(massCentres({ items, bodies }, pose, out), expected.length / 3, `seed ${seed}`);
        expected.forEach((value, k) => assert.ok(Math.abs(out[k] - value) < 1e-5, `seed ${seed}`));
    }
});
