// SPDX-License-Identifier: Apache-2.0
// A pointer that holds a body: asks for a hand at the point that was hit, then moves it. What happens before
// the program has answered is kept: the newest target is sent with the answer, a release follows it.
import type { Connection } from "../wire/connection.ts";
import type { Hit, Vec } from "./pick.ts";
import { encode, GRAB_ORIENTATION } from "../wire/protocol.ts";

/** A hand that is silent for two seconds lets go; one that rests says so before. */
const KEEP_ALIVE_MS = 500;

export class Grab {
    hand = -1;
    target: Vec;
    quaternion: [number, number, number, number] = [1, 0, 0, 0];
    private ended = false;
    private readonly timer: number;

    constructor(
        private readonly connection: Connection, readonly hit: Hit, orientation: boolean, private readonly failed: (why: string) => void,
    ) {
        this.target = [...hit.point];
        this.timer = window.setInterval(() => this.send(), KEEP_ALIVE_MS);
        void this.begin(orientation);
    }

    move(target: Vec, quaternion = this.quaternion): void {
        this.target = target;
        this.quaternion = quaternion;
        this.send();
    }

    release(): void {
        if (this.ended) return;
        this.ended = true;
        clearInterval(this.timer);
        if (this.hand >= 0) this.connection.send(encode.release(0, this.hand));
    }

    private async begin(orientation: boolean): Promise<void> {
        const { body, local } = this.hit;
        const flags = orientation ? GRAB_ORIENTATION : 0;
        const answer = await this.connection.ask((request) => encode.grab(request, body, flags, local, this.target));
        if (!answer.ok) {
            this.ended = true;
            clearInterval(this.timer);
            return this.failed(answer.error ?? "the body cannot be grabbed");
        }
        this.hand = answer.hand as number;
        if (this.ended) this.connection.send(encode.release(0, this.hand));
        else this.send();
    }

    private send(): void {
        if (this.hand >= 0 && !this.ended) this.connection.send(encode.move(this.hand, performance.now(), this.target, this.quaternion));
    }
}
