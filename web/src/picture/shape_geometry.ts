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

function meshGeometry(mesh: Mesh): BufferGeometry {
    const indexed = new BufferGeometry();
    indexed.setAttribute("position", new BufferAttribute(mesh.vertices, 3));
    indexed.setIndex(new BufferAttribute(mesh.indices, 1));
    // Corners of its own for every triangle: edges stay edges, few triangles do not look like rubber.
    const flat = indexed.toNonIndexed();
    flat.computeVertexNormals();
    if (mesh.indices.length > 3 * 400) smoothNormals(flat);
    return flat;
}

const CREASE = Math.cos((35 * Math.PI) / 180);

/** Averages the normals of corners at one place that differ by less than the crease angle. */
function smoothNormals(geometry: BufferGeometry): void {
    const position = geometry.getAttribute("position").array;
    const normal = geometry.getAttribute("normal").array as Float32Array;
    const faces = normal.slice();
    const corners = new Map<string, number[]>();
    for (let i = 0; i < position.length; i += 3) {
        const key = `${position[i]!.toFixed(5)} ${position[i + 1]!.toFixed(5)} ${position[i + 2]!.toFixed(5)}`;
        const list = corners.get(key);
        if (list) list.push(i);
        else corners.set(key, [i]);
    }
    for (const list of corners.values()) {
        for (const i of list) {
            let x = 0, y = 0, z = 0;
            for (const j of list) {
                if (faces[i]! * faces[j]! + faces[i + 1]! * faces[j + 1]! + faces[i + 2]! * faces[j + 2]! < CREASE) continue;
                x += faces[j]!;
                y += faces[j + 1]!;
                z += faces[j + 2]!;
            }
            const length = Math.hypot(x, y, z) || 1;
            normal[i] = x / length;
            normal[i + 1] = y / length;
            normal[i + 2] = z / length;
        }
    }
}
