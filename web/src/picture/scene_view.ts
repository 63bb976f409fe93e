// SPDX-License-Identifier: Apache-2.0
// Bodies of the scene as three.js objects: one instanced mesh for all shapes of one geometry. A frame
// moves only the instances of bodies that changed: 10^4 bodies cost some 10^4 small matrices.
import {
    BufferGeometry, Color, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh, type Material, Quaternion, Vector3,
} from "three";
import { composePose } from "../state/poses.ts";
import { NONE, type Body, type Rows, type Scene, type Shape } from "../wire/protocol.ts";
import { geometryKey, geometryScale, makeGeometry } from "./shape_geometry.ts";
import { litMaterial, SELECTED } from "./material.ts";
import type { Store } from "../state/store.ts";
import { PALETTE } from "../base/theme.ts";

interface Batch {
    mesh: InstancedMesh<BufferGeometry, Material>;
    mark: InstancedBufferAttribute;
    shapes: Shape[];
}

interface Instance {
    batch: Batch;
    index: number;
    shape: Shape;
}

const IDENTITY = new Float32Array([0, 0, 0, 1, 0, 0, 0]);
const scratch = new Float32Array(7);

export class SceneView {
    readonly root = new Group();
    private batches: Batch[] = [];
    private ofBody: Instance[][] = [];

    constructor(private readonly store: Store, private readonly shadows: boolean) {
        store.onActivity.on((rows) => this.markRows(rows));
    }

    build(scene: Scene): void {
        this.clear();
        this.ofBody = scene.bodies.map(() => []);
        const shapes = drawnShapes(scene);
        const byKey = new Map<string, Shape[]>();
        for (const shape of shapes) {
            const key = `${geometryKey(shape)} ${shape.colour[3].toFixed(2)}`;
            const list = byKey.get(key);
            if (list) list.push(shape);
            else byKey.set(key, [shape]);
        }
        for (const list of byKey.values()) this.addBatch(scene, list);
        for (let body = 0; body < scene.bodies.length; body++) this.markBody(body);
    }

    /** Moves what the last frames moved. */
    update(): void {
        const { changed, changedCount, pose } = this.store.poses;
        for (let k = 0; k < changedCount; k++) {
            const body = changed[k]!;
            for (const instance of this.ofBody[body]!) {
                place(instance, pose, 7 * body);
                instance.batch.mesh.instanceMatrix.needsUpdate = true;
            }
        }
    }

    /** Marks a body as selected, or no longer. */
    markBody(body: number): void {
        const selected = body === this.store.selected ? SELECTED : 0;
        for (const { batch, index } of this.ofBody[body] ?? []) {
            batch.mark.array[index] = (this.store.activity[body] ?? 0) + selected;
            batch.mark.needsUpdate = true;
        }
    }

    private markRows(rows: Rows): void {
        for (let k = 0; k < rows.count; k++) this.markBody(rows.words[2 * k]!);
    }

    private addBatch(scene: Scene, shapes: Shape[]): void {
        const geometry = makeGeometry(shapes[0]!, scene.meshes, shapes.length);
        const mark = new InstancedBufferAttribute(new Float32Array(shapes.length), 1).setUsage(DynamicDrawUsage);
        geometry.setAttribute("mark", mark);
        const mesh = new InstancedMesh<BufferGeometry, Material>(geometry, litMaterial({ opacity: shapes[0]!.colour[3], marks: true, shadows: this.shadows }), shapes.length);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.castShadow = this.shadows;
        mesh.frustumCulled = false;
        const batch = { mesh, mark, shapes };
        const colour = new Color();
        shapes.forEach((shape, index) => {
            mesh.setColorAt(index, colour.setRGB(...shownColour(scene, shape), "srgb"));
            const instance = { batch, index, shape };
            place(instance, IDENTITY, 0);
            if (shape.body !== NONE) this.ofBody[shape.body]?.push(instance);
        });
        this.batches.push(batch);
        this.root.add(mesh);
    }

    private clear(): void {
        for (const { mesh } of this.batches) {
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose();
        }
        this.root.clear();
        this.batches = [];
    }
}

/** The floor is drawn as scenery; of the rest what is for the eye, and where a body has nothing, what it touches with,
 *  or a stand-in. */
export function drawnShapes(scene: Scene): Shape[] {
    const there = scene.shapes.filter((shape) => !isFloor(shape) && isDrawable(shape));
    const seen = new Set(there.filter((shape) => shape.visual).map((shape) => shape.body));
    const shapes = there.filter((shape) => shape.visual || (shape.collision && !seen.has(shape.body)));
    if (scene.atoms) return shapes;
    const drawn = new Set(shapes.map((shape) => shape.body));
    return [...shapes, ...scene.bodies.flatMap((body, k) => (drawn.has(k) ? [] : standIns(scene, k, body)))];
}

/** A mesh that could not be read is only a name. */
function isDrawable(shape: Shape): boolean {
    return shape.mesh >= 0 || (shape.type !== "mesh" && shape.type !== "hull");
}

/** A body without shapes: a ball at its centre of mass, and a rod from its joint through it. */
function standIns(scene: Scene, index: number, body: Body): Shape[] {
    const [x, y, z] = body.com;
    const length = 2 * Math.hypot(x, y, z);
    const common = { body: index, colour: [0.7, 0.7, 0.7, 1] as [number, number, number, number], mesh: -1, collision: false, visual: true };
    const ball: Shape = { ...common, type: "sphere", size: [0.016 * scene.radius, 0, 0], pose: [x, y, z, 1, 0, 0, 0] };
    if (length < 0.01 * scene.radius) return [ball];
    // turns z to the centre of mass
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(x, y, z).normalize());
    const rod: Shape = { ...common, type: "capsule", size: [0.007 * scene.radius, 0, length], pose: [x, y, z, turn.w, turn.x, turn.y, turn.z] };
    return [ball, rod];
}

export function isFloor(shape: Shape): boolean {
    const [, , , , x, y] = shape.pose as [number, number, number, number, number, number, number];
    return shape.type === "plane" && shape.body === NONE && Math.hypot(x, y) < 1e-3;
}

/** Grey that a file says nothing about gets a colour of its item, so that things can be told apart. */
function shownColour(scene: Scene, shape: Shape): [number, number, number] {
    const [r, g, b] = shape.colour;
    const unset = [r, g, b].every((c) => Math.abs(c - 0.7) < 1e-6);
    if (!unset || shape.body === NONE) return [r, g, b];
    const item = scene.bodies[shape.body]!.item;
    const tone = new Color(PALETTE[item % PALETTE.length]!).lerp(new Color(0.75, 0.75, 0.75), 0.35);
    return [tone.r, tone.g, tone.b].map((c) => Math.pow(c, 1 / 2.2)) as [number, number, number];
}

function place(instance: Instance, pose: Float32Array, at: number): void {
    composePose(scratch, 0, pose, at, instance.shape.pose, 0);
    writeMatrix(instance.batch.mesh.instanceMatrix.array as Float32Array, 16 * instance.index, scratch, geometryScale(instance.shape));
}

/** Column-major 4x4 of a pose and a scale. */
export function writeMatrix(out: Float32Array, at: number, pose: ArrayLike<number>, scale: readonly [number, number, number]): void {
    const w = pose[3]!, x = pose[4]!, y = pose[5]!, z = pose[6]!;
    const [sx, sy, sz] = scale;
    out[at] = (1 - 2 * (y * y + z * z)) * sx;
    out[at + 1] = 2 * (x * y + w * z) * sx;
    out[at + 2] = 2 * (x * z - w * y) * sx;
    out[at + 3] = 0;
    out[at + 4] = 2 * (x * y - w * z) * sy;
    out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
    out[at + 6] = 2 * (y * z + w * x) * sy;
    out[at + 7] = 0;
    out[at + 8] = 2 * (x * z + w * y) * sz;
    out[at + 9] = 2 * (y * z - w * x) * sz;
    out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
    out[at + 11] = 0;
    out[at + 12] = pose[0]!;
    out[at + 13] = pose[1]!;
    out[at + 14] = pose[2]!;
    out[at + 15] = 1;
}
