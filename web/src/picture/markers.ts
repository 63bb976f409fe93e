// SPDX-License-Identifier: Apache-2.0
// Centres of mass (a ball quartered as in drawings), joint axes, and traces of where things have been.
import {
    BufferAttribute, BufferGeometry, CanvasTexture, Color, DynamicDrawUsage, Group, Line, LineBasicMaterial, Points, PointsMaterial,
} from "three";
import { Arrows } from "./arrows.ts";
import { massCentres } from "../state/centres.ts";
import { applyPose, rotatePose } from "../state/poses.ts";
import { NONE, type Scene } from "../wire/protocol.ts";
import { pixelScale } from "./material.ts";
import type { Store } from "../state/store.ts";
import type { Theme } from "../base/theme.ts";

const TRACE_POINTS = 600;
const CENTRE_PIXELS = 17;

export class Markers {
    readonly centres: Points<BufferGeometry, PointsMaterial>;
    readonly axes = new Group();
    readonly traces = new Group();
    private readonly arrows = new Arrows(4096, true);
    private readonly axisColour = new Color();
    private readonly lines = new Map<number, Trace>();
    private traceColour = "#4477aa";

    constructor(private readonly store: Store) {
        this.axes.add(this.arrows.root);
        this.centres = new Points(new BufferGeometry(), new PointsMaterial({
            map: new CanvasTexture(centreImage()), size: CENTRE_PIXELS, sizeAttenuation: false, depthTest: false, transparent: true, alphaTest: 0.5,
        }));
        this.centres.frustumCulled = false;
        this.centres.renderOrder = 7;
    }

    applyTheme(theme: Theme): void {
        this.axisColour.set(theme.axis);
        this.traceColour = theme.trace;
        for (const trace of this.lines.values()) trace.line.material.color.set(theme.trace);
    }

    build(scene: Scene): void {
        this.centres.geometry.dispose();
        this.centres.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3 * scene.items.length), 3).setUsage(DynamicDrawUsage));
        for (const trace of this.lines.values()) trace.dispose();
        this.traces.clear();
        this.lines.clear();
    }

    update(unit: number): void {
        if (this.centres.visible) this.updateCentres();
        if (this.axes.visible) this.updateAxes(unit);
        if (this.traces.visible) this.updateTraces();
    }

    private updateCentres(): void {
        const scene = this.store.scene!;
        const place = this.centres.geometry.getAttribute("position") as BufferAttribute;
        this.centres.material.size = CENTRE_PIXELS * pixelScale.value;
        this.centres.geometry.setDrawRange(0, massCentres(scene, this.store.poses.pose, place.array as Float32Array));
        place.needsUpdate = true;
    }

    private updateAxes(unit: number): void {
        const scene = this.store.scene;
        this.arrows.begin();
        scene?.bodies.forEach((body, k) => {
            if (!body.joint.axis || body.joint.type === "free") return;
            const pose = this.store.poses.pose;
            const way = rotatePose(pose, 7 * k, body.joint.axis).map((c) => 16 * unit * c) as [number, number, number];
            const at = applyPose(pose, 7 * k, [0, 0, 0]);
            this.arrows.add(at.map((c, i) => c - way[i]! / 2), way, 0.7 * unit, this.axisColour);
        });
        this.arrows.finish();
    }

    /** Of the selected body, or of each item's first one. */
    private updateTraces(): void {
        const { scene, selected, poses } = this.store;
        if (!scene) return;
        for (const body of tracedBodies(scene, selected)) {
            let trace = this.lines.get(body);
            if (!trace) {
                trace = new Trace(this.traceColour);
                this.lines.set(body, trace);
                this.traces.add(trace.line);
            }
            trace.add(applyPose(poses.pose, 7 * body, scene.bodies[body]!.com), this.store.time);
        }
    }
}

function tracedBodies(scene: Scene, selected: number): number[] {
    if (selected !== NONE) return [selected];
    return scene.items.filter((item) => item.bodies > 0).slice(0, 64).map((item) => item.first_body + item.bodies - 1);
}

/** The last points of a way, oldest first. */
class Trace {
    readonly line: Line<BufferGeometry, LineBasicMaterial>;
    private readonly points = new Float32Array(3 * TRACE_POINTS);
    private readonly attribute = new BufferAttribute(this.points, 3).setUsage(DynamicDrawUsage);
    private count = 0;
    private time = -Infinity;

    constructor(colour: string) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", this.attribute);
        this.line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.9 }));
        this.line.frustumCulled = false;
    }

    add(point: [number, number, number], time: number): void {
        if (time === this.time) return;
        if (time < this.time) this.count = 0;
        this.time = time;
        if (this.count === TRACE_POINTS) {
            this.points.copyWithin(0, 3);
            this.count--;
        }
        this.points.set(point, 3 * this.count++);
        this.attribute.needsUpdate = true;
        this.line.geometry.setDrawRange(0, this.count);
    }

    dispose(): void {
        this.line.geometry.dispose();
        this.line.material.dispose();
    }
}

function centreImage(): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const context = canvas.getContext("2d")!;
    context.translate(32, 32);
    for (let quarter = 0; quarter < 4; quarter++) {
        context.beginPath();
        context.moveTo(0, 0);
        context.arc(0, 0, 28, (quarter * Math.PI) / 2, ((quarter + 1) * Math.PI) / 2);
        context.fillStyle = quarter % 2 ? "#ffffff" : "#16202b";
        context.fill();
    }
    context.beginPath();
    context.arc(0, 0, 28, 0, 2 * Math.PI);
    context.lineWidth = 4;
    context.strokeStyle = "#16202b";
    context.stroke();
    return canvas;
}
