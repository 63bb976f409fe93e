// SPDX-License-Identifier: Apache-2.0
// What the page knows of the simulation, and signals of what of it changed. Nothing here draws.
import { PoseTable } from "./poses.ts";
import type { Frame, Hello, JointState, Message, Meters, Notice, Rows, Scene, State, Unit } from "../wire/protocol.ts";
import { NONE } from "../wire/protocol.ts";
import { Signal } from "../base/signal.ts";

export interface Hand {
    hand: number;
    owner: number;
    body: number;
    holds: boolean;
    touches: boolean;
    stopped: boolean;
    anchor: [number, number, number];
    at: [number, number, number];
    pull: [number, number, number];
    felt: [number, number, number];
    stiffness: number;
    colour: string;
}

export interface Contact {
    a: number;
    b: number;
    point: [number, number, number];
    normal: [number, number, number];
    force: [number, number, number];
    mu: number;
    gap: number;
}

export enum Activity { Moves, Sleeps, Rests, Locked }

const SI: Unit = { length: 1, symbol: "m", force: 1, force_symbol: "N", time_symbol: "s", mass_symbol: "kg", energy_symbol: "J" };

const NO_ROWS: Rows = { count: 0, stride: 1, words: new Uint32Array(0), floats: new Float32Array(0) };

export class Store {
    hello: Hello | null = null;
    scene: Scene | null = null;
    state: State | null = null;
    meters: Meters = {};
    poses = new PoseTable(0);
    activity = new Uint8Array(0);
    contacts: Rows = NO_ROWS;
    hands: Hand[] = [];
    joint: JointState | null = null;
    time = 0;
    step = 0;
    frames = 0;
    /** of the scene that is shown */
    sceneFrames = 0;
    selected = NONE;
    /** that the selected body was taken by; -1: none */
    selectedAtom = -1;
    readonly notices: Notice[] = [];

    readonly onHello = new Signal<Hello>();
    readonly onScene = new Signal<Scene>();
    readonly onFrame = new Signal<Frame>();
    readonly onActivity = new Signal<Rows>();
    readonly onState = new Signal<State>();
    readonly onMeters = new Signal<Meters>();
    readonly onNotice = new Signal<Notice>();
    readonly onSelect = new Signal<number>();

    receive(message: Message): void {
        switch (message.kind) {
            case "hello":
                this.hello = message.hello;
                return this.onHello.emit(message.hello);
            case "scene":
                return this.setScene(message.scene);
            case "frame":
                return this.applyFrame(message.frame);
            case "state":
                this.state = message.state;
                return this.onState.emit(message.state);
            case "meters":
                this.meters = message.meters;
                return this.onMeters.emit(message.meters);
            case "event":
                return this.notify(message.event);
        }
    }

    notify(notice: Notice): void {
        this.notices.push(notice);
        if (this.notices.length > 200) this.notices.shift();
        this.onNotice.emit(notice);
    }

    /** What the numbers of the scene are in. */
    get unit(): Unit {
        return this.scene?.unit ?? SI;
    }

    /** Whether bodies can be held: those of a recording cannot. */
    get canHold(): boolean {
        return this.scene !== null && this.scene.replay === null;
    }

    select(body: number, atom = -1): void {
        if (body === this.selected && atom === this.selectedAtom) return;
        if (body !== this.selected) this.joint = null;
        this.selected = body;
        this.selectedAtom = atom;
        this.onSelect.emit(body);
    }

    /** With a body as `a`, whatever the order in the frame: what the world does to it, not it to the world. */
    contact(k: number): Contact {
        const { words, floats, stride } = this.contacts;
        const at = k * stride;
        const turned = words[at] === NONE;
        const sign = turned ? -1 : 1;
        return {
            a: words[turned ? at + 1 : at]!, b: words[turned ? at : at + 1]!,
            point: triple(floats, at + 2), normal: triple(floats, at + 5, sign), force: triple(floats, at + 8, sign),
            mu: floats[at + 11]!, gap: floats[at + 12]!,
        };
    }

    bodyName(body: number): string {
        return body === NONE ? "world" : (this.scene?.bodies[body]?.name ?? `body ${body}`);
    }

    private setScene(scene: Scene): void {
        const selected = this.selected === NONE ? "" : this.bodyName(this.selected);
        this.scene = scene;
        this.sceneFrames = 0;
        this.poses = new PoseTable(scene.bodies.length);
        this.activity = new Uint8Array(scene.bodies.length);
        this.contacts = NO_ROWS;
        this.hands = [];
        this.joint = null;
        const again = selected ? scene.bodies.findIndex((body) => body.name === selected) : -1;
        this.selected = again >= 0 ? again : NONE;
        this.selectedAtom = -1;
        this.onScene.emit(scene);
        this.onSelect.emit(this.selected);
    }

    private applyFrame(frame: Frame): void {
        if (frame.generation !== this.scene?.generation) return; // of a scene that is gone
        this.time = frame.time;
        this.step = frame.step;
        this.poses.apply(frame.groups, frame.poses);
        if (frame.activity) this.applyActivity(frame.activity);
        this.contacts = frame.contacts ?? NO_ROWS;
        this.hands = frame.hands ? readHands(frame.hands) : [];
        if (frame.joint && frame.joint.body === this.selected) this.joint = frame.joint;
        this.frames++;
        this.sceneFrames++;
        this.onFrame.emit(frame);
    }

    private applyActivity(rows: Rows): void {
        for (let k = 0; k < rows.count; k++) {
            const body = rows.words[2 * k]!;
            if (body < this.activity.length) this.activity[body] = rows.words[2 * k + 1]!;
        }
        this.onActivity.emit(rows);
    }
}

export function size(v: ArrayLike<number>): number {
    return Math.hypot(v[0]!, v[1]!, v[2]!);
}

function triple(floats: Float32Array, at: number, sign = 1): [number, number, number] {
    return [sign * floats[at]!, sign * floats[at + 1]!, sign * floats[at + 2]!];
}

function readHands(rows: Rows): Hand[] {
    const hands: Hand[] = [];
    for (let k = 0; k < rows.count; k++) {
        const at = k * rows.stride;
        const flags = rows.words[at + 3]!;
        const rgba = rows.words[at + 17]!;
        hands.push({
            hand: rows.words[at]!, owner: rows.words[at + 1]!, body: rows.words[at + 2]!,
            holds: (flags & 1) !== 0, touches: (flags & 2) !== 0, stopped: (flags & 4) !== 0,
            anchor: triple(rows.floats, at + 4), at: triple(rows.floats, at + 7),
            pull: triple(rows.floats, at + 10), felt: triple(rows.floats, at + 13),
            stiffness: rows.floats[at + 16]!,
            colour: `rgb(${rgba & 255}, ${(rgba >> 8) & 255}, ${(rgba >> 16) & 255})`,
        });
    }
    return hands;
}
