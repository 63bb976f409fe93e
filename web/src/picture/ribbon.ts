// SPDX-License-Identifier: Apache-2.0
// A ribbon along the backbone of each chain: a smooth curve through its atoms, broad where the backbone
// winds, made anew when atoms moved.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh } from "three";
import { litMaterial, type TintedMaterial } from "./material.ts";
import { PALETTE } from "../base/theme.ts";

const PARTS = 6; // of the curve between two atoms
const AROUND = 8; // corners of the cross-section

interface Chain {
    atoms: Uint32Array;
    position: BufferAttribute;
    normal: BufferAttribute;
    mesh: Mesh<BufferGeometry, TintedMaterial>;
}

export class RibbonView {
    readonly root = new Group();
    private chains: Chain[] = [];
    private width = 1;

    /** `width`: half of the broad side, in the unit of the scene. */
    build(ribbon: Uint32Array[] | null, width: number): void {
        for (const { mesh } of this.chains) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.root.clear();
        this.width = width;
        this.chains = (ribbon ?? []).filter((atoms) => atoms.length > 3).map((atoms, k) => this.addChain(atoms, k));
    }

    update(centres: Float32Array): void {
        if (!this.root.visible) return;
        for (const chain of this.chains) {
            sweep(chain, centres, this.width);
            chain.position.needsUpdate = chain.normal.needsUpdate = true;
        }
    }

    private addChain(atoms: Uint32Array, k: number): Chain {
        const rings = (atoms.length - 1) * PARTS + 1;
        const geometry = new BufferGeometry();
        const position = new BufferAttribute(new Float32Array(3 * rings * AROUND), 3).setUsage(DynamicDrawUsage);
        const normal = new BufferAttribute(new Float32Array(3 * rings * AROUND), 3).setUsage(DynamicDrawUsage);
        geometry.setAttribute("position", position);
        geometry.setAttribute("normal", normal);
        geometry.setIndex(ringIndices(rings));
        const mesh = new Mesh(geometry, litMaterial({ colour: PALETTE[k % PALETTE.length]!, side: DoubleSide }));
        mesh.frustumCulled = false;
        this.root.add(mesh);
        return { atoms, position, normal, mesh };
    }
}

function ringIndices(rings: number): number[] {
    const indices: number[] = [];
    for (let r = 0; r + 1 < rings; r++)
        for (let s = 0; s < AROUND; s++) {
            const a = r * AROUND + s, b = r * AROUND + ((s + 1) % AROUND);
            indices.push(a, a + AROUND, b, b, a + AROUND, b + AROUND);
        }
    return indices;
}

/** Cross-sections along the curve; the broad side follows how the backbone bends. */
function sweep(chain: Chain, centres: Float32Array, width: number): void {
    const count = chain.atoms.length;
    const at = (i: number, c: number) => centres[3 * chain.atoms[Math.min(Math.max(i, 0), count - 1)]! + c]!;
    const side = [0, 0, 1];
    const p = [0, 0, 0], t = [0, 0, 0], bend = [0, 0, 0];
    let ring = 0;
    for (let i = 0; i < count; i++) {
        for (let part = 0; part < (i + 1 < count ? PARTS : 1); part++) {
            const u = part / PARTS;
            for (let c = 0; c < 3; c++) {
                const a = at(i - 1, c), b = at(i, c), d = at(i + 1, c), e = at(i + 2, c);
                p[c] = 0.5 * (2 * b + (d - a) * u + (2 * a - 5 * b + 4 * d - e) * u * u + (3 * b - a - 3 * d + e) * u * u * u);
                t[c] = 0.5 * (d - a + 2 * (2 * a - 5 * b + 4 * d - e) * u + 3 * (3 * b - a - 3 * d + e) * u * u);
                bend[c] = (1 - u) * (a - 2 * b + d) + u * (b - 2 * d + e);
            }
            normalise(t);
            const across = cross(t, bend);
            // carried on smoothly, and never turned over
            const sign = dot(across, side) < 0 ? -1 : 1;
            for (let c = 0; c < 3; c++) side[c] = 0.75 * side[c]! + 0.25 * sign * across[c]! / (Math.hypot(...across) || 1);
            const along = dot(side, t);
            for (let c = 0; c < 3; c++) side[c] = side[c]! - along * t[c]!;
            normalise(side);
            writeRing(chain, ring++, p, side, cross(side, t), width);
        }
    }
}

function writeRing(chain: Chain, ring: number, p: number[], broad: number[], thin: number[], width: number): void {
    for (let s = 0; s < AROUND; s++) {
        const angle = (2 * Math.PI * s) / AROUND;
        const x = Math.cos(angle), y = Math.sin(angle);
        for (let c = 0; c < 3; c++) {
            const k = 3 * (ring * AROUND + s) + c;
            chain.position.array[k] = p[c]! + width * (x * broad[c]! + 0.22 * y * thin[c]!);
            chain.normal.array[k] = 0.3 * x * broad[c]! + y * thin[c]!;
        }
    }
}

function dot(a: number[], b: number[]): number {
    return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function cross(a: number[], b: number[]): number[] {
    return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function normalise(a: number[]): void {
    const length = Math.hypot(...a) || 1;
    for (let c = 0; c < 3; c++) a[c] = a[c]! / length;
}
