// SPDX-License-Identifier: Apache-2.0
// Geometry of shapes, sized as sinew/model.h says. Shapes with the same key share one geometry and are
// drawn by one call; what differs only by scale has the same key.
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, PlaneGeometry, SphereGeometry } from "three";
import type { Mesh, Shape } from "../wire/protocol.ts";

/** Edge of the square that stands for an endless plane. */
export const PLANE_EDGE = 40;

export function geometryKey(shape: Shape): string {
    if (shape.mesh >= 0) return `mesh ${shape.mesh}`;
    return shape.type === "capsule" ? `capsule ${shape.size[0]} ${shape.size[2]}` : shape.type;
}

export function geometryScale(shape: Shape): [number, number, number] {
    const [x, y, z] = shape.size;
    switch (shape.type) {
        case "box": return [x, y, z];
        case "sphere": return [x, x, x];
        case "cylinder": return [x, x, z];
        default: return [1, 1, 1]; // vertices of meshes have their scale applied
    }
}

/** Corners of a round thing are fewer where there are many of them: thousands are small in the picture. */
function finenessOf(count: number): number {
    return count < 500 ? 1 : count < 3000 ? 0.6 : 0.3;
}

/** For `count` shapes that share it. */
export function makeGeometry(shape: Shape, meshes: Mesh[], count: number): BufferGeometry {
    const part = (corners: number) => Math.round(finenessOf(count) * corners);
    if (shape.mesh >= 0) return meshGeometry(meshes[shape.mesh]!);
    switch (shape.type) {
        case "box": return new BoxGeometry(1, 1, 1);
        case "sphere": return new SphereGeometry(1, part(32), part(20));
        case "cylinder": return new CylinderGeometry(1, 1, 1, part(40)).rotateX(Math.PI / 2);
        case "capsule": return new CapsuleGeometry(shape.size[0], shape.size[2], part(10), part(24)).rotateX(Math.PI / 2);
        case "plane": return new PlaneGeometry(PLANE_EDGE, PLANE_EDGE);
        default: return new BufferGeometry(); // a mesh that was not read
    }
}

const CREASE = Math.cos((35 * Math.PI) / 180);

/** Corners of its own for every triangle, whose normals are those of all triangles at that place which meet it at less than
 *  the crease angle: edges stay edges, and what is round looks round. */
function meshGeometry(mesh: Mesh): BufferGeometry {
    const { vertices, indices } = mesh;
    const faces = faceNormals(vertices, indices);
    const { first, corners } = cornersByVertex(vertices.length / 3, indices);
    const position = new Float32Array(3 * indices.length), normal = new Float32Array(3 * indices.length);
    for (let corner = 0; corner < indices.length; corner++) {
        const vertex = indices[corner]!, own = 3 * Math.floor(corner / 3);
        const ownLength = Math.hypot(faces[own]!, faces[own + 1]!, faces[own + 2]!);
        let x = 0, y = 0, z = 0;
        for (let k = first[vertex]!; k < first[vertex + 1]!; k++) {
            const other = 3 * Math.floor(corners[k]! / 3);
            const dot = faces[own]! * faces[other]! + faces[own + 1]! * faces[other + 1]! + faces[own + 2]! * faces[other + 2]!;
            const length = Math.hypot(faces[other]!, faces[other + 1]!, faces[other + 2]!);
            if (dot < CREASE * ownLength * length) continue;
            x += faces[other]!;
            y += faces[other + 1]!;
            z += faces[other + 2]!;
        }
        const size = Math.hypot(x, y, z) || 1;
        normal.set([x / size, y / size, z / size], 3 * corner);
        position.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setAttribute("normal", new BufferAttribute(normal, 3));
    return geometry;
}

/** Of each triangle, as long as twice its area. */
function faceNormals(v: Float32Array, indices: Uint32Array): Float32Array {
    const normals = new Float32Array(indices.length);
    for (let t = 0; t < indices.length; t += 3) {
        const a = 3 * indices[t]!, b = 3 * indices[t + 1]!, c = 3 * indices[t + 2]!;
        const ux = v[b]! - v[a]!, uy = v[b + 1]! - v[a + 1]!, uz = v[b + 2]! - v[a + 2]!;
        const wx = v[c]! - v[a]!, wy = v[c + 1]! - v[a + 1]!, wz = v[c + 2]! - v[a + 2]!;
        normals[t] = uy * wz - uz * wy;
        normals[t + 1] = uz * wx - ux * wz;
        normals[t + 2] = ux * wy - uy * wx;
    }
    return normals;
}

/** Corners of triangles at each vertex: those from first[v] to first[v + 1]. */
function cornersByVertex(vertices: number, indices: Uint32Array): { first: Uint32Array; corners: Uint32Array } {
    const first = new Uint32Array(vertices + 1), corners = new Uint32Array(indices.length);
    for (const vertex of indices) first[vertex + 1]!++;
    for (let v = 0; v < vertices; v++) first[v + 1]! += first[v]!;
    const next = first.slice();
    indices.forEach((vertex, corner) => (corners[next[vertex]!++] = corner));
    return { first, corners };
}
