// SPDX-License-Identifier: Apache-2.0
// What a ray meets, against marching along it in small steps through the solid's definition.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, random } from "./load.mjs";

const { meetShape, pickShapes } = await load("picture/pick.ts");
const seed = Date.now() % 100000;
const next = random(seed);
const size = [0.4, 0.7, 0.9];

const inside = {
    sphere: ([x, y, z]) => Math.hypot(x, y, z) <= size[0],
    box: ([x, y, z]) => Math.abs(x) <= size[0] / 2 && Math.abs(y) <= size[1] / 2 && Math.abs(z) <= size[2] / 2,
    cylinder: ([x, y, z]) => Math.hypot(x, y) <= size[0] && Math.abs(z) <= size[2] / 2,
    capsule: ([x, y, z]) => Math.hypot(x, y, Math.max(Math.abs(z) - size[2] / 2, 0)) <= size[0],
};

function march(solid, p, d) {
    const step = 1e-3;
    for (let t = 0; t < 6; t += step) if (solid(p.map((v, c) => v + t * d[c]))) return t;
    return Infinity;
}

/** Length inside of the solid, after a distance. */
function chord(solid, p, d, from) {
    let length = 0;
    for (let t = from + 1e-5; solid(p.map((v, c) => v + t * d[c])); t += 1e-4) length += 1e-4;
    return length;
}

function randomRay() {
    const d = [next() - 0.5, next() - 0.5, next() - 0.5];
    const length = Math.hypot(...d);
    const unit = d.map((v) => v / length);
    const through = [next() - 0.5, next() - 0.5, next() - 0.5];
    return [through.map((v, c) => v - 3 * unit[c]), unit];
}

for (const [type, solid] of Object.entries(inside))
    test(`a ray meets a ${type} where it begins`, () => {
        let hits = 0;
        for (let k = 0; k < 150; k++) {
            const [p, d] = randomRay();
            const met = meetShape(p, d, { type, size, mesh: -1 }, []);
            const expected = march(solid, p, d);
            // where a ray grazes, marching steps over what little there is
            if (expected === Infinity && (met === Infinity || chord(solid, p, d, met) < 3e-3)) continue;
            hits++;
            assert.ok(Math.abs(met - expected) < 2.5e-3, `seed ${seed}, ray ${k}: ${met} is not ${expected}`);
        }
        assert.ok(hits > 20);
    });

test("the nearest body is picked, and what stands still hides it", () => {
    const at = (z) => [0, 0, z, 1, 0, 0, 0];
    const sphere = (body, z) => ({ body, type: "sphere", size: [0.1, 0, 0], pose: at(z), mesh: -1 });
    const poses = new Float32Array([...at(1), ...at(2)]);
    const down = [[0, 0, 5], [0, 0, -1]];
    const hit = pickShapes(...down, [sphere(0, 0), sphere(1, 0)], [], poses);
    assert.equal(hit.body, 1);
    assert.ok(Math.abs(hit.distance - 2.9) < 1e-5 && Math.abs(hit.local[2] - 0.1) < 1e-5 && Math.abs(hit.point[2] - 2.1) < 1e-5);
    assert.equal(pickShapes(...down, [sphere(0, 0), sphere(0xffffffff, 4)], [], poses), null);
});

test("triangles are met from both sides", () => {
    const mesh = { vertices: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), indices: new Uint32Array([0, 1, 2]) };
    const shape = { type: "mesh", size, mesh: 0 };
    assert.ok(Math.abs(meetShape([0.2, 0.2, 1], [0, 0, -1], shape, [mesh]) - 1) < 1e-6);
    assert.ok(Math.abs(meetShape([0.2, 0.2, -1], [0, 0, 1], shape, [mesh]) - 1) < 1e-6);
    assert.equal(meetShape([0.8, 0.8, 1], [0, 0, -1], shape, [mesh]), Infinity);
});
