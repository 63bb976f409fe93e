// SPDX-License-Identifier: Apache-2.0
// Many arrows in two draw calls: shafts and heads are instances, so that heads keep their form whatever
// the length. Drawn over bodies where asked, as forces often act inside of them.
import { type BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Quaternion, Vector3 } from "three";
import { litMaterial, type TintedMaterial } from "./material.ts";

const UP = new Vector3(0, 0, 1);

export class Arrows {
    readonly root = new Group();
    private readonly shafts: InstancedMesh<BufferGeometry, TintedMaterial>;
    private readonly heads: InstancedMesh<BufferGeometry, TintedMaterial>;
    private count = 0;
    private readonly matrix = new Matrix4();
    private readonly turn = new Quaternion();
    private readonly direction = new Vector3();
    private readonly at = new Vector3();
    private readonly scale = new Vector3();

    constructor(private readonly capacity: number, overBodies = false) {
        const material = () => litMaterial({ over: overBodies });
        const shaft = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        const head = new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        this.shafts = new InstancedMesh<BufferGeometry, TintedMaterial>(shaft, material(), capacity);
        this.heads = new InstancedMesh<BufferGeometry, TintedMaterial>(head, material(), capacity);
        for (const mesh of [this.shafts, this.heads]) {
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.frustumCulled = false;
            mesh.renderOrder = overBodies ? 5 : 0;
            mesh.setColorAt(0, new Color()); // makes the colours
            this.root.add(mesh);
        }
        this.finish();
    }

    begin(): void {
        this.count = 0;
    }

    /** From a point along a vector, `width` thick; too short ones are left out. */
    add(from: ArrayLike<number>, vector: ArrayLike<number>, width: number, colour: Color): void {
        this.direction.set(vector[0]!, vector[1]!, vector[2]!);
        const length = this.direction.length();
        if (this.count === this.capacity || !(length > width)) return;
        const head = Math.min(4.5 * width, 0.6 * length);
        this.direction.divideScalar(length);
        this.turn.setFromUnitVectors(UP, this.direction);
        this.at.set(from[0]!, from[1]!, from[2]!);
        this.set(this.shafts, width, length - head, colour);
        this.at.addScaledVector(this.direction, length - head);
        this.set(this.heads, Math.min(2.2 * width, 0.4 * length), head, colour);
        this.count++;
    }

    finish(): void {
        for (const mesh of [this.shafts, this.heads]) {
            mesh.count = this.count;
            mesh.visible = this.count > 0; // else its program would be made for nothing
            mesh.instanceMatrix.needsUpdate = true;
            mesh.instanceColor!.needsUpdate = true;
        }
    }

    private set(mesh: InstancedMesh, width: number, length: number, colour: Color): void {
        this.matrix.compose(this.at, this.turn, this.scale.set(width, width, length));
        mesh.setMatrixAt(this.count, this.matrix);
        mesh.setColorAt(this.count, colour);
    }
}
