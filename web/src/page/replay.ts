// SPDX-License-Identifier: Apache-2.0
// The scrubber of a recording: where it is, and where to go.
import type { Commands } from "../state/commands.ts";
import { h, setText } from "../base/dom.ts";
import { formatTime } from "../base/format.ts";
import type { Store } from "../state/store.ts";

export class Replay {
    readonly root = h("div", { class: "replay float", hidden: true });
    private readonly position = h("output", { class: "number" });
    private readonly length = h("span", { class: "number soft" });
    private readonly slider = h("input", { type: "range", min: 0, step: "any", "aria-label": "Place in the recording" });
    private dragging = false;

    constructor(store: Store, commands: Commands) {
        this.slider.addEventListener("pointerdown", () => (this.dragging = true));
        this.slider.addEventListener("pointerup", () => (this.dragging = false));
        this.slider.addEventListener("input", () => void commands.seek(Number(this.slider.value)));
        this.root.append(this.position, this.slider, this.length);
        store.onScene.on((scene) => {
            this.root.hidden = scene.replay === null;
            if (!scene.replay) return;
            const begin = scene.replay.begin ?? 0;
            this.slider.min = String(begin);
            this.slider.max = String(begin + scene.replay.seconds);
            setText(this.length, formatTime(begin + scene.replay.seconds, scene.unit.time_symbol));
        });
        store.onFrame.on(() => {
            if (this.root.hidden) return;
            setText(this.position, formatTime(store.time, store.unit.time_symbol));
            if (!this.dragging) this.slider.value = String(store.time);
        });
    }
}
