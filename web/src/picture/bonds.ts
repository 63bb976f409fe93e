// SPDX-License-Identifier: Apache-2.0
// Bonds between atoms as sticks, in the colours of the atoms at their ends.
import { BufferGeometry, Color, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh } from "three";
import { litMaterial, type TintedMaterial } from "./material.ts";
import type { Atoms } from "../wire/protocol.ts";

export class BondsView {
    readonly root = new Group();
    private bonds: Uint32Array | null = null;
    private mesh: InstancedMesh<BufferGeometry, TintedMaterial> | null = null;
    private width = 0;

    /** Two half sticks a bond; as thick as a part of the smallest atom. */
    build(atoms: Atoms | null, bonds: Uint32Array | null): void {
        this.mesh?.geometry.dispose();
        this.mesh?.material.dispose();
        this.mesh?.dispose();
        this.mesh = null;
        this.root.clear();
        this.bonds = bonds;
        if (!atoms || !bonds || bonds.length === 0) return;
        this.width = 0.13 * atoms.radius.reduce((least, r) => Math.min(least, r), Infinity);
        const stick = new CylinderGeometry(1, 1, 1, 10, 1, true).translate(0, 0.5, 0).rotateX(Math.PI / 2);
        this.mesh = new InstancedMesh<BufferGeometry, TintedMaterial>(stick, litMaterial(), bonds.length);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.frustumCulled = false;
        const colour = new Color();
        bonds.forEach((atom, k) => {
            const at = 4 * atom;
            this.mesh!.setColorAt(k, colour.setRGB(atoms.colour[at]! / 255, atoms.colour[at + 1]! / 255, atoms.colour[at + 2]! / 255, "srgb"));
        });
        this.root.add(this.mesh);
    }

    update(centres: Float32Array): void {
        if (!this.mesh || !this.bonds || !this.root.visible) return;
        const out = this.mesh.instanceMatrix.array as Float32Array;
        for (let k = 0; k < this.bonds.length; k++)
            writeStick(out, 16 * k, centres, 3 * this.bonds[k]!, 3 * this.bonds[k ^ 1]!, this.width);
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}

/** A stick from one centre half the way to the other. */
function writeStick(out: Float32Array, at: number, centres: Float32Array, i: number, j: number, width: number): void {
    const dx = (centres[j]! - centres[i]!) / 2, dy = (centres[j + 1]! - centres[i + 1]!) / 2, dz = (centres[j + 2]! - centres[i + 2]!) / 2;
    const length = Math.hypot(dx, dy, dz) || 1e-30;
    const zx = dx / length, zy = dy / length, zz = dz / length;
    // any two directions across it
    const [hx, hy, hz] = Math.abs(zz) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    let xx = hy * zz - hz * zy, xy = hz * zx - hx * zz, xz = hx * zy - hy * zx;
    const norm = width / Math.hypot(xx, xy, xz);
    xx *= norm;
    xy *= norm;
    xz *= norm;
    const matrix = [
        xx, xy, xz, 0,
        zy * xz - zz * xy, zz * xx - zx * xz, zx * xy - zy * xx, 0,
        dx, dy, dz, 0,
        centres[i]!, centres[i + 1]!, centres[i + 2]!, 1,
    ];
    out.set(matrix, at);
}
