// SPDX-License-Identifier: Apache-2.0
// Texts at places in the picture, as elements above it, so that they stay sharp and can be read aloud.
import { Vector3, type Camera } from "three";
import { h } from "../base/dom.ts";

interface Label {
    element: HTMLElement;
    at: Vector3;
}

export class Labels {
    readonly root = h("div", { class: "labels" });
    private readonly labels = new Map<string, Label>();
    private readonly pointed = h("div", { class: "tip", hidden: true });
    private readonly projected = new Vector3();

    constructor() {
        this.root.append(this.pointed);
    }

    /** A word beside the pointer; "": none. */
    tip(text: string, x: number, y: number): void {
        this.pointed.hidden = text === "";
        if (!text) return;
        if (this.pointed.textContent !== text) this.pointed.textContent = text;
        this.pointed.style.transform = `translate(${x}px, ${y}px)`;
    }

    set(key: string, at: ArrayLike<number>, text: string, colour: string, title: string): void {
        let label = this.labels.get(key);
        if (!label) {
            label = { element: h("output", { class: "label", title }), at: new Vector3() };
            this.labels.set(key, label);
            this.root.append(label.element);
        }
        label.at.set(at[0]!, at[1]!, at[2]!);
        label.element.style.setProperty("--owner", colour);
        if (label.element.textContent !== text) label.element.textContent = text;
    }

    remove(key: string): void {
        this.labels.get(key)?.element.remove();
        this.labels.delete(key);
    }

    text(key: string): string {
        return this.labels.get(key)?.element.textContent ?? "";
    }

    place(camera: Camera, width: number, height: number): void {
        for (const { element, at } of this.labels.values()) {
            this.projected.copy(at).project(camera);
            const x = ((this.projected.x + 1) / 2) * width;
            const y = ((1 - this.projected.y) / 2) * height;
            element.hidden = this.projected.z > 1;
            element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        }
    }
}
