// SPDX-License-Identifier: Apache-2.0
// Quantities that are watched: which, in which order the program sends them, and what they were.
import type { Commands } from "./commands.ts";
import { Series } from "./history.ts";
import type { Frame, Scene } from "../wire/protocol.ts";
import { Signal } from "../base/signal.ts";
import type { Store } from "./store.ts";

/** As WATCH has it; `body` is an index, kept by name when the scene changes. */
export interface Quantity {
    kind: string;
    body?: number;
    index?: number;
    hand?: number;
    /** of a loop, sensor or term of a force field */
    name?: string;
}

interface Watched {
    quantity: Quantity;
    body: string;
    series: Series | null;
}

export function quantityKey(quantity: Quantity): string {
    return JSON.stringify(Object.entries(quantity).sort());
}

export class Quantities {
    readonly changed = new Signal<void>();
    private watched: Watched[] = [];
    /** in the order of the numbers in samples */
    private sent: Watched[] = [];

    constructor(private readonly store: Store, private readonly commands: Commands) {
        store.onScene.on((scene) => this.follow(scene));
        store.onFrame.on((frame) => this.take(frame));
    }

    has(quantity: Quantity): boolean {
        return this.watched.some((one) => quantityKey(one.quantity) === quantityKey(quantity));
    }

    toggle(quantity: Quantity): void {
        const key = quantityKey(quantity);
        if (this.has(quantity)) this.watched = this.watched.filter((one) => quantityKey(one.quantity) !== key);
        else this.watched.push({ quantity, body: quantity.body === undefined ? "" : this.store.bodyName(quantity.body), series: null });
        void this.send();
    }

    /** Those that have a name by now, with what ends watching each. */
    series(): { series: Series; remove: () => void }[] {
        return this.watched.flatMap((one) => (one.series ? [{ series: one.series, remove: () => this.toggle(one.quantity) }] : []));
    }

    clear(): void {
        for (const { series } of this.watched) series?.clear();
    }

    private async send(): Promise<void> {
        const asked = [...this.watched];
        this.changed.emit();
        const answer = await this.commands.watch(asked.map((one) => one.quantity));
        if (!answer.ok) {
            // what the program does not know is not kept; it was the last one
            this.watched = this.watched.filter((one) => one.series !== null);
        } else {
            const names = answer.names as string[], units = answer.units as string[];
            asked.forEach((one, k) => {
                if (one.series?.name !== names[k] || one.series?.unit !== units[k]) one.series = new Series(names[k]!, units[k]!);
            });
            this.sent = asked;
        }
        this.changed.emit();
    }

    private take(frame: Frame): void {
        const samples = frame.samples;
        if (!samples || samples.numbers !== this.sent.length) return;
        const width = 1 + samples.numbers;
        for (let row = 0; row < samples.count; row++)
            for (let k = 0; k < samples.numbers; k++)
                this.sent[k]!.series?.push(samples.data[row * width]!, samples.data[row * width + 1 + k]!);
    }

    /** Another scene: bodies have other numbers, and some are gone. */
    private follow(scene: Scene): void {
        this.watched = this.watched.filter((one) => {
            if (one.quantity.kind === "sensor") return scene.sensors.some((sensor) => sensor.name === one.quantity.name);
            if (!one.body) return true;
            one.quantity.body = scene.bodies.findIndex((body) => body.name === one.body);
            return one.quantity.body >= 0;
        });
        this.sent = [];
        this.clear();
        if (this.watched.length > 0) void this.send();
        else this.changed.emit();
    }
}
