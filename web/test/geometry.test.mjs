// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { makeGeometry } = await load("picture/shape_geometry.ts");

/** A prism of n sides around z, closed, vertices shared. */
function prism(n) {
    const vertices = [], indices = [];
    for (const z of [-1, 1]) for (let k = 0; k < n; k++) vertices.push(Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n), z);
    vertices.push(0, 0, -1, 0, 0, 1);
    for (let k = 0; k < n; k++) {
        const next = (k + 1) % n;
        indices.push(k, next, n + next, k, n + next, n + k, 2 * n, next, k, 2 * n + 1, n + k, n + next);
    }
    return { vertices: new Float32Array(vertices), indices: new Uint32Array(indices) };
}

const geometryOf = (mesh) => makeGeometry({ type: "mesh", mesh: 0 }, [mesh], 1);

test("edges sharper than the crease stay edges, and what is round looks round", () => {
    for (const [sides, smooth] of [[4, false], [36, true]]) {
        const geometry = geometryOf(prism(sides));
        const position = geometry.getAttribute("position"), normal = geometry.getAttribute("normal");
        for (let k = 0; k < position.count; k++) {
            const [x, y, z] = [normal.getX(k), normal.getY(k), normal.getZ(k)];
            assert.ok(Math.abs(Math.hypot(x, y, z) - 1) < 1e-5);
            // caps are flat whatever the sides are
            assert.ok(Math.abs(z) < 1e-5 || Math.abs(Math.abs(z) - 1) < 1e-5, `${x} ${y} ${z}`);
            if (Math.abs(z) > 0.5) continue;
            const outward = x * position.getX(k) + y * position.getY(k);
            assert.ok(smooth ? outward > 0.999 : Math.abs(outward - Math.SQRT1_2) < 1e-4, `${sides} sides: ${outward}`);
        }
    }
});
