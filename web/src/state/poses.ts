// SPDX-License-Identifier: Apache-2.0
// Where bodies are. A body moves with a rigid group: pose of body = pose of group x place in the group.
// Only what a frame changed is computed. Poses are 7 numbers: position, quaternion w x y z. Pure.
import { NONE, ProtocolError, type Rows } from "../wire/protocol.ts";

/** out = a b, for poses at places in arrays. */
export function composePose(
    out: Float32Array, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number,
): void {
    const aw = a[i + 3]!, ax = a[i + 4]!, ay = a[i + 5]!, az = a[i + 6]!;
    const bw = b[j + 3]!, bx = b[j + 4]!, by = b[j + 5]!, bz = b[j + 6]!;
    const x = b[j]!, y = b[j + 1]!, z = b[j + 2]!;
    // p + 2 u x (u x p + w p), as everywhere
    const tx = 2 * (ay * z - az * y), ty = 2 * (az * x - ax * z), tz = 2 * (ax * y - ay * x);
    out[o] = a[i]! + x + aw * tx + ay * tz - az * ty;
    out[o + 1] = a[i + 1]! + y + aw * ty + az * tx - ax * tz;
    out[o + 2] = a[i + 2]! + z + aw * tz + ax * ty - ay * tx;
    out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
    out[o + 4] = aw * bx + ax * bw + ay * bz - az * by;
    out[o + 5] = aw * by - ax * bz + ay * bw + az * bx;
    out[o + 6] = aw * bz + ax * by - ay * bx + az * bw;
}

/** World point of a point of a body. */
export function applyPose(pose: ArrayLike<number>, i: number, p: ArrayLike<number>): [number, number, number] {
    const w = pose[i + 3]!, x = pose[i + 4]!, y = pose[i + 5]!, z = pose[i + 6]!;
    const tx = 2 * (y * p[2]! - z * p[1]!), ty = 2 * (z * p[0]! - x * p[2]!), tz = 2 * (x * p[1]! - y * p[0]!);
    return [
        pose[i]! + p[0]! + w * tx + y * tz - z * ty,
        pose[i + 1]! + p[1]! + w * ty + z * tx - x * tz,
        pose[i + 2]! + p[2]! + w * tz + x * ty - y * tx,
    ];
}

/** Rotates a direction from body to world axes. */
export function rotatePose(pose: ArrayLike<number>, i: number, d: ArrayLike<number>): [number, number, number] {
    const p = applyPose(pose, i, d);
    return [p[0] - pose[i]!, p[1] - pose[i + 1]!, p[2] - pose[i + 2]!];
}

/** Point of a body of a world point. */
export function unapplyPose(pose: ArrayLike<number>, i: number, p: ArrayLike<number>): [number, number, number] {
    const inverse = [0, 0, 0, pose[i + 3]!, -pose[i + 4]!, -pose[i + 5]!, -pose[i + 6]!];
    return applyPose(inverse, 0, [p[0]! - pose[i]!, p[1]! - pose[i + 1]!, p[2]! - pose[i + 2]!]);
}

export class PoseTable {
    /** 7 numbers a body, world */
    readonly pose: Float32Array;
    /** bodies whose pose changed since clearChanged(), each once */
    readonly changed: Uint32Array;
    changedCount = 0;
    private readonly isChanged: Uint8Array;
    private readonly group: Uint32Array;
    private readonly place: Float32Array;
    private groupPose: Float32Array;
    // bodies of a group are a list: first[group], then next[body]
    private first: Int32Array;
    private readonly next: Int32Array;
    private readonly previous: Int32Array;

    constructor(readonly bodies: number) {
        this.pose = identities(bodies);
        this.place = identities(bodies);
        this.changed = new Uint32Array(bodies);
        this.isChanged = new Uint8Array(bodies);
        this.group = new Uint32Array(bodies).fill(NONE);
        this.next = new Int32Array(bodies).fill(-1);
        this.previous = new Int32Array(bodies).fill(-1);
        this.groupPose = identities(bodies);
        this.first = new Int32Array(bodies).fill(-1);
    }

    clearChanged(): void {
        for (let k = 0; k < this.changedCount; k++) this.isChanged[this.changed[k]!] = 0;
        this.changedCount = 0;
    }

    /** First the places, then the poses, as both may change in one frame. */
    apply(groups: Rows | undefined, poses: Rows | undefined): void {
        if (groups) this.applyGroups(groups);
        if (poses) this.applyPoses(poses);
        if (groups) for (let k = 0; k < groups.count; k++) this.update(groups.words[k * groups.stride]!);
    }

    private applyGroups(rows: Rows): void {
        for (let k = 0; k < rows.count; k++) {
            const at = k * rows.stride;
            const body = rows.words[at]!;
            const group = rows.words[at + 1]!;
            if (body >= this.bodies) throw new ProtocolError(`groups: no body ${body}`);
            this.ensureGroup(group);
            this.unlink(body);
            this.link(body, group);
            this.place.set(rows.floats.subarray(at + 2, at + 9), 7 * body);
        }
    }

    private applyPoses(rows: Rows): void {
        for (let k = 0; k < rows.count; k++) {
            const at = k * rows.stride;
            const group = rows.words[at]!;
            this.ensureGroup(group);
            this.groupPose.set(rows.floats.subarray(at + 1, at + 8), 7 * group);
            for (let body = this.first[group]!; body >= 0; body = this.next[body]!) this.update(body);
        }
    }

    private update(body: number): void {
        composePose(this.pose, 7 * body, this.groupPose, 7 * this.group[body]!, this.place, 7 * body);
        if (this.isChanged[body]) return;
        this.isChanged[body] = 1;
        this.changed[this.changedCount++] = body;
    }

    private ensureGroup(group: number): void {
        if (group < this.first.length) return;
        if (group >= 2 * this.bodies + 16) throw new ProtocolError(`no group ${group}`);
        const poses = identities(2 * this.bodies + 16);
        poses.set(this.groupPose);
        this.groupPose = poses;
        const first = new Int32Array(2 * this.bodies + 16).fill(-1);
        first.set(this.first);
        this.first = first;
    }

    private unlink(body: number): void {
        const group = this.group[body]!;
        if (group === NONE) return;
        const before = this.previous[body]!;
        const after = this.next[body]!;
        if (before >= 0) this.next[before] = after;
        else this.first[group] = after;
        if (after >= 0) this.previous[after] = before;
    }

    private link(body: number, group: number): void {
        const head = this.first[group]!;
        this.group[body] = group;
        this.previous[body] = -1;
        this.next[body] = head;
        if (head >= 0) this.previous[head] = body;
        this.first[group] = body;
    }
}

function identities(count: number): Float32Array {
    const poses = new Float32Array(7 * count);
    for (let k = 0; k < count; k++) poses[7 * k + 3] = 1;
    return poses;
}
