// SPDX-License-Identifier: Apache-2.0
// What pointers do on the picture.
//   on a body, drag      grabs it; the wheel moves it nearer and farther, Shift holds its orientation too
//   beside bodies, drag  turns the camera; right button or two fingers move it, wheel or pinch zoom
//   click                selects what is there, or nothing; then, as in MuJoCo, Ctrl with the right button pulls the selected body
//                        (Shift: in the horizontal plane), Ctrl with the left one turns it, wherever the pointer is
import { Quaternion, Vector3 } from "three";
import type { Connection } from "../wire/connection.ts";
import { Grab } from "./grab.ts";
import { along, type Hit, type Vec } from "./pick.ts";
import { applyPose } from "../state/poses.ts";
import { describeAtom } from "../state/atom_label.ts";
import { NONE } from "../wire/protocol.ts";
import type { Store } from "../state/store.ts";
import type { View } from "./view.ts";

type Drag =
    | { kind: "orbit"; x: number; y: number }
    | { kind: "pan"; x: number; y: number }
    | { kind: "grab"; grab: Grab; normal: Vec; through: Vec; offset: Vec }
    | { kind: "turn"; grab: Grab; x: number; y: number; turn: Quaternion };

const RIGHT = 2;
const MIDDLE = 1;
const HOVER_MS = 80;
const CLICK_PIXELS = 4;

export class Gestures {
    private readonly drags = new Map<number, Drag>();
    private readonly touches = new Map<number, { x: number; y: number }>();
    private hovered = 0;
    private pressed = { x: 0, y: 0 };
    private chosen: { body: number; local: Vec } = { body: NONE, local: [0, 0, 0] };

    constructor(private readonly view: View, private readonly store: Store, private readonly connection: Connection, private readonly say: (text: string) => void) {
        const canvas = view.canvas;
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
            canvas.addEventListener(end, (event) => this.up(event));
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("pointerleave", () => view.labels.tip("", 0, 0));
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        window.addEventListener("blur", () => this.releaseAll());
        connection.link.on((link) => link.kind !== "open" && this.releaseAll());
        store.onScene.on(() => this.releaseAll());
    }

    /** Hands of this page that hold something now. */
    grabs(): Grab[] {
        return [...this.drags.values()].flatMap((drag) => ("grab" in drag ? [drag.grab] : []));
    }

    releaseAll(): void {
        for (const pointer of [...this.drags.keys()]) this.end(pointer);
        this.touches.clear();
    }

    private down(event: PointerEvent): void {
        this.view.canvas.setPointerCapture(event.pointerId);
        if (event.pointerType === "touch") {
            this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
            // a second finger on empty space makes a pinch of the first one's orbit
            if (this.pinching()) return;
        }
        if (this.drags.has(event.pointerId)) return;
        this.view.labels.tip("", 0, 0);
        this.pressed = { x: event.clientX, y: event.clientY };
        this.drags.set(event.pointerId, this.begin(event));
        this.view.canvas.dataset.drag = this.drags.get(event.pointerId)!.kind;
    }

    private begin(event: PointerEvent): Drag {
        if (event.ctrlKey || event.metaKey) {
            const perturb = this.perturb(event);
            if (perturb) return perturb;
        }
        const place = { x: event.clientX, y: event.clientY };
        if (event.button === RIGHT || event.button === MIDDLE) return { kind: "pan", ...place };
        const hit = this.view.pick(event.clientX, event.clientY);
        if (!hit) return { kind: "orbit", ...place };
        this.chosen = { body: hit.body, local: hit.local };
        this.store.select(hit.body, hit.atom);
        if (!this.store.canHold) return { kind: "orbit", ...place };
        return this.pull(hit, this.view.camera.forward().toArray() as Vec, event, event.shiftKey);
    }

    /** Ctrl: the body that was selected, wherever the pointer is. */
    private perturb(event: PointerEvent): Drag | null {
        const { selected: body, scene } = this.store;
        if (body === NONE || !scene || !this.store.canHold) return null;
        const local = this.chosen.body === body ? this.chosen.local : scene.bodies[body]!.com; // one of the tree: as a whole
        const point = applyPose(this.store.poses.pose, 7 * body, local);
        const hit = { body, local, point, distance: 0 };
        if (event.button !== RIGHT) {
            const grab = new Grab(this.connection, hit, true, this.say);
            return { kind: "turn", grab, x: event.clientX, y: event.clientY, turn: new Quaternion() };
        }
        const normal: Vec = event.shiftKey ? [0, 0, 1] : (this.view.camera.forward().setZ(0).normalize().toArray() as Vec);
        return this.pull(hit, normal, event, false);
    }

    private pull(hit: Hit, normal: Vec, event: PointerEvent, orientation: boolean): Drag {
        const grab = new Grab(this.connection, hit, orientation, this.say);
        const drag = { kind: "grab" as const, grab, normal, through: hit.point, offset: [0, 0, 0] as Vec };
        const under = this.onPlane(drag, event.clientX, event.clientY) ?? hit.point;
        drag.offset = hit.point.map((value, c) => value - under[c]!) as Vec;
        return drag;
    }

    private move(event: PointerEvent): void {
        if (this.touches.has(event.pointerId) && this.pinching()) return this.pinch(event);
        const drag = this.drags.get(event.pointerId);
        if (!drag) return this.hover(event);
        if (drag.kind === "grab") return this.follow(drag, event.clientX, event.clientY);
        const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
        drag.x = event.clientX;
        drag.y = event.clientY;
        if (drag.kind === "orbit") this.view.camera.orbit(dx, dy);
        else if (drag.kind === "pan") this.view.camera.pan(dx, dy, this.view.canvas.clientHeight);
        else this.turn(drag, dx, dy);
    }

    /** The form of the cursor says what can be grabbed, a word beside it what that is. */
    private hover(event: PointerEvent): void {
        if (event.pointerType === "touch" || event.timeStamp - this.hovered < HOVER_MS) return;
        this.hovered = event.timeStamp;
        const hit = this.view.pick(event.clientX, event.clientY);
        this.view.canvas.dataset.over = hit && this.store.canHold ? "body" : "";
        this.view.labels.tip(hit ? nameOf(this.store, hit) : "", event.offsetX, event.offsetY);
    }

    private follow(drag: Drag & { kind: "grab" }, x: number, y: number): void {
        const at = this.onPlane(drag, x, y);
        if (at) drag.grab.move(at.map((value, c) => value + drag.offset[c]!) as Vec);
    }

    private turn(drag: Drag & { kind: "turn" }, dx: number, dy: number): void {
        const camera = this.view.camera.camera.matrixWorld;
        const up = new Vector3().setFromMatrixColumn(camera, 1);
        const right = new Vector3().setFromMatrixColumn(camera, 0);
        drag.turn.premultiply(new Quaternion().setFromAxisAngle(up, dx * 0.01)).premultiply(new Quaternion().setFromAxisAngle(right, dy * 0.01));
        const { w, x, y, z } = drag.turn;
        drag.grab.move(drag.grab.target, [w, x, y, z]);
    }

    private onPlane(plane: { normal: Vec; through: Vec }, x: number, y: number): Vec | null {
        const { origin, direction } = this.view.ray(x, y);
        const slope = plane.normal.reduce((sum, n, c) => sum + n * direction[c]!, 0);
        if (Math.abs(slope) < 1e-3) return null;
        const distance = plane.normal.reduce((sum, n, c) => sum + n * (plane.through[c]! - origin[c]!), 0) / slope;
        return distance > 0 ? along(origin, direction, distance) : null;
    }

    private up(event: PointerEvent): void {
        const beside = this.drags.get(event.pointerId)?.kind === "orbit" && event.type === "pointerup";
        const still = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) < CLICK_PIXELS;
        if (beside && still && !this.view.pick(event.clientX, event.clientY)) this.store.select(NONE);
        this.touches.delete(event.pointerId);
        this.end(event.pointerId);
    }

    private end(pointer: number): void {
        const drag = this.drags.get(pointer);
        this.drags.delete(pointer);
        if (drag && "grab" in drag) drag.grab.release();
        if (this.drags.size === 0) delete this.view.canvas.dataset.drag;
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        const amount = Math.max(Math.min(event.deltaY * lines, 240), -240);
        const held = [...this.drags.values()].find((drag): drag is Drag & { kind: "grab" } => drag.kind === "grab");
        if (!held) return this.view.camera.zoom(Math.exp(0.0012 * amount));
        // away from the eye when the wheel turns away from the hand
        const depth = -0.0006 * amount * this.view.camera.distance();
        held.through = along(held.through, held.normal, depth);
        this.follow(held, event.clientX, event.clientY);
    }

    private pinching(): boolean {
        return this.touches.size === 2 && ![...this.touches.keys()].some((pointer) => this.drags.get(pointer)?.kind === "grab");
    }

    private pinch(event: PointerEvent): void {
        const [first, second] = [...this.touches.values()] as [{ x: number; y: number }, { x: number; y: number }];
        const before = Math.hypot(first.x - second.x, first.y - second.y);
        const moved = this.touches.get(event.pointerId)!;
        const dx = event.clientX - moved.x, dy = event.clientY - moved.y;
        moved.x = event.clientX;
        moved.y = event.clientY;
        const drag = this.drags.get(event.pointerId);
        if (drag && "x" in drag) Object.assign(drag, moved); // goes on from here when the other finger leaves
        const after = Math.hypot(first.x - second.x, first.y - second.y);
        this.view.camera.zoom(before / Math.max(after, 1));
        this.view.camera.pan(dx / 2, dy / 2, this.view.canvas.clientHeight);
    }
}

function nameOf(store: Store, hit: Hit): string {
    const label = hit.atom === undefined ? undefined : store.scene?.labels[store.scene.atoms?.label?.[hit.atom] ?? -1];
    return label ? describeAtom(label) : store.bodyName(hit.body);
}
