// SPDX-License-Identifier: Apache-2.0
// Contact points: a disc at each, the force as an arrow, and the friction cone it must stay in.
import {
    type BufferGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Quaternion, Vector3,
} from "three";
import { Arrows } from "./arrows.ts";
import { flatMaterial, type TintedMaterial } from "./material.ts";
import type { Store } from "../state/store.ts";
import type { Theme } from "../base/theme.ts";

const MOST = 4096;
const UP = new Vector3(0, 0, 1);

export class ContactsView {
    readonly root = new Group();
    readonly arrows = new Arrows(MOST, true);
    readonly cones = new Group();
    private readonly discs: InstancedMesh<BufferGeometry, TintedMaterial>;
    private readonly cone: InstancedMesh<BufferGeometry, TintedMaterial>;
    private readonly colour = new Color();
    private readonly matrix = new Matrix4();
    private readonly turn = new Quaternion();
    private readonly normal = new Vector3();
    private readonly point = new Vector3();
    private readonly scale = new Vector3();

    constructor(private readonly store: Store) {
        this.discs = instanced(new CylinderGeometry(1, 1, 0.25, 16).rotateX(Math.PI / 2), 1);
        // its tip at the contact, opening along the normal
        this.cone = instanced(new ConeGeometry(1, 1, 28, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5), 0.22);
        this.discs.renderOrder = 4;
        this.cone.renderOrder = 3;
        this.cones.add(this.cone);
        this.root.add(this.discs, this.cones, this.arrows.root);
    }

    applyTheme(theme: Theme): void {
        this.colour.set(theme.contact);
        this.discs.material.uniforms.tint.value.set(theme.contact);
        this.cone.material.uniforms.tint.value.set(theme.cone);
    }

    /** `unit`: width of a line in the picture; `perNewton`: length of an arrow. */
    update(unit: number, perNewton: number): void {
        const count = Math.min(this.store.contacts.count, MOST);
        this.arrows.begin();
        this.discs.count = this.cone.count = count;
        this.discs.visible = this.cone.visible = count > 0;
        for (let k = 0; k < count; k++) {
            const contact = this.store.contact(k);
            this.point.fromArray(contact.point);
            this.turn.setFromUnitVectors(UP, this.normal.fromArray(contact.normal));
            this.discs.setMatrixAt(k, this.matrix.compose(this.point, this.turn, this.scale.setScalar(2.2 * unit)));
            const high = 14 * unit;
            const wide = Math.min(contact.mu, 3) * high;
            this.cone.setMatrixAt(k, this.matrix.compose(this.point, this.turn, this.scale.set(wide, wide, high)));
            this.arrows.add(contact.point, contact.force.map((f) => f * perNewton), unit, this.colour);
        }
        this.arrows.finish();
        this.discs.instanceMatrix.needsUpdate = this.cone.instanceMatrix.needsUpdate = true;
    }
}

function instanced(geometry: BufferGeometry, opacity: number): InstancedMesh<BufferGeometry, TintedMaterial> {
    const material = flatMaterial({ opacity, over: opacity === 1, side: DoubleSide });
    const mesh = new InstancedMesh<BufferGeometry, TintedMaterial>(geometry, material, MOST);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    return mesh;
}
