// SPDX-License-Identifier: Apache-2.0
// Centres of mass of items, from the masses of their bodies and where those are. Pure.
import type { Scene } from "../wire/protocol.ts";

/** x, y, z of each item that has mass, one after the other; how many there are. `out` has room for all items. */
export function massCentres(scene: Scene, pose: Float32Array, out: Float32Array): number {
    let count = 0;
    for (const item of scene.items) {
        let mass = 0, x = 0, y = 0, z = 0;
        for (let body = item.first_body; body < item.first_body + item.bodies; body++) {
            const { mass: m, com } = scene.bodies[body]!;
            const i = 7 * body;
            const qw = pose[i + 3]!, qx = pose[i + 4]!, qy = pose[i + 5]!, qz = pose[i + 6]!;
            const tx = 2 * (qy * com[2] - qz * com[1]), ty = 2 * (qz * com[0] - qx * com[2]), tz = 2 * (qx * com[1] - qy * com[0]);
            mass += m;
            x += m * (pose[i]! + com[0] + qw * tx + qy * tz - qz * ty);
            y += m * (pose[i + 1]! + com[1] + qw * ty + qz * tx - qx * tz);
            z += m * (pose[i + 2]! + com[2] + qw * tz + qx * ty - qy * tx);
        }
        if (!(mass > 0)) continue;
        out[3 * count] = x / mass;
        out[3 * count + 1] = y / mass;
        out[3 * count + 2] = z / mass;
        count++;
    }
    return count;
}
