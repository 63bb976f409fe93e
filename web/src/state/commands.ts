// SPDX-License-Identifier: Apache-2.0
// What the page asks of the program. What is refused becomes a notice that says why.
import type { Connection } from "../wire/connection.ts";
import { encode, type Answer } from "../wire/protocol.ts";
import type { Store } from "./store.ts";

export class Commands {
    constructor(private readonly connection: Connection, private readonly store: Store) {}

    pause = (paused: boolean) => this.ask((n) => encode.pause(n, paused));
    step = (steps: number) => this.ask((n) => encode.step(n, steps));
    reset = () => this.ask((n) => encode.reset(n));
    pace = (pace: number) => this.ask((n) => encode.pace(n, pace));
    budget = (joints: number) => this.ask((n) => encode.budget(n, joints));
    dynamics = (name: string) => this.ask((n) => encode.dynamics(n, name));
    scene = (name: string) => this.ask((n) => encode.scene(n, name));
    edit = (text: string) => this.ask((n) => encode.edit(n, text));
    record = (on: boolean) => this.ask((n) => encode.record(n, on));
    joint = (body: number, q: ArrayLike<number>, flags = 0) => this.ask((n) => encode.joint(n, body, q, flags));
    watch = (quantities: unknown[]) => this.ask((n) => encode.watch(n, quantities));
    inspect = (body: number) => this.ask((n) => encode.inspect(n, body));
    seek = (time: number) => this.ask((n) => encode.seek(n, time));

    private async ask(make: (request: number) => ArrayBuffer): Promise<Answer> {
        const answer = await this.connection.ask(make);
        if (!answer.ok) this.store.notify({ level: "warning", time: this.store.time, text: answer.error ?? "refused" });
        return answer;
    }
}
