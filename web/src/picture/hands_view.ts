// SPDX-License-Identifier: Apache-2.0
// Hands: the grabbed point, the line of the spring to where the hand is, the force on the body as an
// arrow, and what the hand feels in newtons beside it. Each hand has its owner's colour and its number.
import {
    BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, Mesh, RingGeometry,
    SphereGeometry, Vector3,
} from "three";
import { Arrows } from "./arrows.ts";
import { formatForce } from "../base/format.ts";
import type { Labels } from "./labels.ts";
import { flatMaterial, litMaterial, type TintedMaterial } from "./material.ts";
import { size, type Hand, type Store } from "../state/store.ts";

interface Shown {
    group: Group;
    anchor: Mesh<BufferGeometry, TintedMaterial>;
    probe: Mesh<BufferGeometry, TintedMaterial>;
    ring: Mesh<BufferGeometry, TintedMaterial>;
    spring: Line<BufferGeometry, LineBasicMaterial>;
}

const COILS = 9;
const POINTS = 8 * COILS + 2;

export class HandsView {
    readonly root = new Group();
    readonly arrows = new Arrows(64, true);
    private readonly shown = new Map<number, Shown>();

    constructor(private readonly store: Store, private readonly labels: Labels) {
        this.root.add(this.arrows.root);
    }

    update(unit: number, perNewton: number, eye: Vector3, showForces: boolean): void {
        const here = new Set(this.store.hands.map((hand) => hand.hand));
        for (const [number, shown] of this.shown) if (!here.has(number)) this.remove(number, shown);
        this.arrows.begin();
        for (const hand of this.store.hands) this.updateHand(hand, unit, perNewton, eye, showForces);
        this.arrows.finish();
    }

    private updateHand(hand: Hand, unit: number, perNewton: number, eye: Vector3, showForces: boolean): void {
        const shown = this.shown.get(hand.hand) ?? this.add(hand);
        const colour = new Color(hand.colour);
        for (const part of [shown.anchor, shown.probe, shown.ring]) part.material.uniforms.tint.value.copy(colour);
        shown.spring.material.color.copy(colour);
        shown.anchor.visible = shown.spring.visible = hand.holds || hand.touches;
        shown.anchor.position.fromArray(hand.anchor);
        shown.anchor.scale.setScalar(2.2 * unit);
        shown.probe.position.fromArray(hand.at);
        shown.probe.scale.setScalar(4 * unit);
        shown.ring.position.fromArray(hand.at);
        shown.ring.scale.setScalar(6 * unit);
        shown.ring.lookAt(eye);
        shown.ring.visible = hand.stopped;
        drawSpring(shown.spring.geometry, hand.anchor, hand.at, 3 * unit, eye);
        if (showForces) this.arrows.add(hand.anchor, hand.pull.map((f) => f * perNewton), 1.5 * unit, colour);
        const felt = size(hand.felt);
        const text = hand.stopped ? "paused" : formatForce(felt * this.store.unit.force, this.store.unit.force_symbol);
        this.labels.set(`hand ${hand.hand}`, hand.at, text, hand.colour, hand.owner === this.store.hello?.client ? "felt by your hand" : `hand ${hand.hand}`);
    }

    private add(hand: Hand): Shown {
        const shown: Shown = {
            group: new Group(),
            anchor: new Mesh(new SphereGeometry(1, 16, 10), flatMaterial({ over: true })),
            probe: new Mesh(new SphereGeometry(1, 24, 16), litMaterial({ over: true })),
            ring: new Mesh(new RingGeometry(0.8, 1, 32), flatMaterial({ over: true })),
            spring: new Line(new BufferGeometry(), new LineBasicMaterial({ depthTest: false, transparent: true })),
        };
        shown.spring.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * POINTS), 3));
        shown.spring.frustumCulled = false;
        for (const part of [shown.spring, shown.anchor, shown.probe, shown.ring]) {
            part.renderOrder = 6;
            shown.group.add(part);
        }
        this.root.add(shown.group);
        this.shown.set(hand.hand, shown);
        return shown;
    }

    private remove(number: number, shown: Shown): void {
        for (const part of [shown.anchor, shown.probe, shown.ring, shown.spring]) {
            part.geometry.dispose();
            part.material.dispose();
        }
        this.root.remove(shown.group);
        this.shown.delete(number);
        this.labels.remove(`hand ${number}`);
    }
}

/** A zigzag from a to b, seen from the eye; straight near its ends. */
function drawSpring(geometry: BufferGeometry, a: ArrayLike<number>, b: ArrayLike<number>, width: number, eye: Vector3): void {
    const from = new Vector3(a[0]!, a[1]!, a[2]!);
    const way = new Vector3(b[0]!, b[1]!, b[2]!).sub(from);
    const across = way.clone().cross(eye.clone().sub(from)).normalize();
    const position = geometry.getAttribute("position") as BufferAttribute;
    const swing = Math.min(width, 0.1 * way.length());
    const p = new Vector3();
    for (let k = 0; k < POINTS; k++) {
        const u = k / (POINTS - 1);
        const coil = u < 0.15 || u > 0.85 ? 0 : Math.sin(((u - 0.15) / 0.7) * 2 * Math.PI * COILS);
        p.copy(from).addScaledVector(way, u).addScaledVector(across, swing * coil);
        position.setXYZ(k, p.x, p.y, p.z);
    }
    position.needsUpdate = true;
}

