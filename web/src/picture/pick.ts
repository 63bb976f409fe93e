// SPDX-License-Identifier: Apache-2.0
// What a ray meets first: each shape is tested in its own frame, by its formula or by its triangles. Pure.
import { composePose, rotatePose, unapplyPose } from "../state/poses.ts";
import { NONE, type Atoms, type Mesh, type Shape } from "../wire/protocol.ts";

export type Vec = [number, number, number];

export interface Hit {
    body: number;
    /** along the ray, whose direction is a unit vector */
    distance: number;
    /** world */
    point: Vec;
    /** in the body */
    local: Vec;
    /** that was hit; undefined: a shape was */
    atom?: number;
}

const IDENTITY = new Float32Array([0, 0, 0, 1, 0, 0, 0]);

/** Nearest of the shapes of moving bodies; null when there is none, or something that stands still is before it. */
export function pickShapes(origin: Vec, direction: Vec, shapes: Shape[], meshes: Mesh[], poses: Float32Array): Hit | null {
    let nearest = Infinity;
    let body = NONE;
    const pose = new Float32Array(7);
    for (const shape of shapes) {
        composePose(pose, 0, shape.body === NONE ? IDENTITY : poses, shape.body === NONE ? 0 : 7 * shape.body, shape.pose, 0);
        const from = unapplyPose(pose, 0, origin);
        const inverse = [0, 0, 0, pose[3]!, -pose[4]!, -pose[5]!, -pose[6]!];
        const distance = meetShape(from, rotatePose(inverse, 0, direction), shape, meshes);
        if (distance < nearest) {
            nearest = distance;
            body = shape.body;
        }
    }
    return body === NONE ? null : makeHit(origin, direction, nearest, body, poses);
}

export function pickAtoms(origin: Vec, direction: Vec, atoms: Atoms, centres: Float32Array, scale: number, poses: Float32Array): Hit | null {
    let nearest = Infinity;
    let atom = -1;
    for (let k = 0; k < atoms.count; k++) {
        const from: Vec = [origin[0] - centres[3 * k]!, origin[1] - centres[3 * k + 1]!, origin[2] - centres[3 * k + 2]!];
        const distance = meetSphere(from, direction, atoms.radius[k]! * scale);
        if (distance < nearest) {
            nearest = distance;
            atom = k;
        }
    }
    const body = atom < 0 ? NONE : atoms.body[atom]!;
    return body === NONE ? null : { ...makeHit(origin, direction, nearest, body, poses), atom };
}

function makeHit(origin: Vec, direction: Vec, distance: number, body: number, poses: Float32Array): Hit {
    const point = along(origin, direction, distance);
    return { body, distance, point, local: unapplyPose(poses, 7 * body, point) };
}

export function along(origin: ArrayLike<number>, direction: ArrayLike<number>, distance: number): Vec {
    return [origin[0]! + distance * direction[0]!, origin[1]! + distance * direction[1]!, origin[2]! + distance * direction[2]!];
}

/** Distance to the surface along a ray in the frame of the shape, or Infinity. */
export function meetShape(p: Vec, d: Vec, shape: Shape, meshes: Mesh[]): number {
    const [x, y, z] = shape.size;
    if (shape.mesh >= 0) return meetMesh(p, d, meshes[shape.mesh]!);
    switch (shape.type) {
        case "sphere": return meetSphere(p, d, x);
        case "box": return meetBox(p, d, [x / 2, y / 2, z / 2]);
        case "cylinder": return Math.min(meetTube(p, d, x, z / 2), meetDisc(p, d, x, z / 2), meetDisc(p, d, x, -z / 2));
        case "capsule":
            return Math.min(
                meetTube(p, d, x, z / 2), meetSphere([p[0], p[1], p[2] - z / 2], d, x), meetSphere([p[0], p[1], p[2] + z / 2], d, x),
            );
        case "plane": return d[2] < 0 && p[2] > 0 ? -p[2] / d[2] : Infinity;
        default: return Infinity;
    }
}

function ahead(t: number): number {
    return t > 0 ? t : Infinity;
}

function meetSphere(p: Vec, d: Vec, radius: number): number {
    const b = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
    const c = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - radius * radius;
    const root = b * b - c;
    return root < 0 ? Infinity : ahead(-b - Math.sqrt(root));
}

function meetBox(p: Vec, d: Vec, half: Vec): number {
    let enter = -Infinity, leave = Infinity;
    for (let k = 0; k < 3; k++) {
        const a = (-half[k]! - p[k]!) / d[k]!, b = (half[k]! - p[k]!) / d[k]!;
        if (d[k] === 0) {
            if (Math.abs(p[k]!) > half[k]!) return Infinity;
            continue;
        }
        enter = Math.max(enter, Math.min(a, b));
        leave = Math.min(leave, Math.max(a, b));
    }
    return enter <= leave ? ahead(enter) : Infinity;
}

/** The side of a cylinder around z. */
function meetTube(p: Vec, d: Vec, radius: number, half: number): number {
    const a = d[0] * d[0] + d[1] * d[1];
    const b = p[0] * d[0] + p[1] * d[1];
    const c = p[0] * p[0] + p[1] * p[1] - radius * radius;
    const root = b * b - a * c;
    if (root < 0 || a === 0) return Infinity;
    const t = (-b - Math.sqrt(root)) / a;
    return Math.abs(p[2] + t * d[2]) <= half ? ahead(t) : Infinity;
}

function meetDisc(p: Vec, d: Vec, radius: number, z: number): number {
    const t = (z - p[2]) / d[2];
    return Math.hypot(p[0] + t * d[0], p[1] + t * d[1]) <= radius ? ahead(t) : Infinity;
}

const spheres = new WeakMap<Mesh, { centre: Vec; radius: number }>();

function boundingSphere(mesh: Mesh): { centre: Vec; radius: number } {
    const known = spheres.get(mesh);
    if (known) return known;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    mesh.vertices.forEach((value, k) => {
        low[k % 3] = Math.min(low[k % 3]!, value);
        high[k % 3] = Math.max(high[k % 3]!, value);
    });
    const centre = low.map((value, k) => (value + high[k]!) / 2) as Vec;
    const sphere = { centre, radius: Math.hypot(...low.map((value, k) => (high[k]! - value) / 2)) };
    spheres.set(mesh, sphere);
    return sphere;
}

/** Both sides of every triangle, as meshes are not always wound as they should. */
function meetMesh(p: Vec, d: Vec, mesh: Mesh): number {
    const { centre, radius } = boundingSphere(mesh);
    const from: Vec = [p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]];
    if (Math.hypot(...from) > radius && meetSphere(from, d, radius) === Infinity) return Infinity;
    const { vertices, indices } = mesh;
    let nearest = Infinity;
    for (let k = 0; k < indices.length; k += 3) {
        const t = meetTriangle(p, d, vertices, 3 * indices[k]!, 3 * indices[k + 1]!, 3 * indices[k + 2]!);
        if (t < nearest) nearest = t;
    }
    return nearest;
}

function meetTriangle(p: Vec, d: Vec, v: Float32Array, a: number, b: number, c: number): number {
    const ex = v[b]! - v[a]!, ey = v[b + 1]! - v[a + 1]!, ez = v[b + 2]! - v[a + 2]!;
    const fx = v[c]! - v[a]!, fy = v[c + 1]! - v[a + 1]!, fz = v[c + 2]! - v[a + 2]!;
    const hx = d[1] * fz - d[2] * fy, hy = d[2] * fx - d[0] * fz, hz = d[0] * fy - d[1] * fx;
    const det = ex * hx + ey * hy + ez * hz;
    if (det === 0) return Infinity;
    const sx = p[0] - v[a]!, sy = p[1] - v[a + 1]!, sz = p[2] - v[a + 2]!;
    const u = (sx * hx + sy * hy + sz * hz) / det;
    const qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex;
    const w = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
    return u >= 0 && w >= 0 && u + w <= 1 ? ahead((fx * qx + fy * qy + fz * qz) / det) : Infinity;
}
