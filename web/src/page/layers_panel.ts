// SPDX-License-Identifier: Apache-2.0
// What is drawn: switches, and the legend of shades.
import { h } from "../base/dom.ts";
import type { Store } from "../state/store.ts";
import type { AtomStyle, Layers, View } from "../picture/view.ts";

type Switch = { [K in keyof Layers]: Layers[K] extends boolean ? K : never }[keyof Layers];

export const SWITCHES: [Switch, string, string][] = [
    ["contacts", "Contact points", "C"],
    ["forces", "Force arrows", "F"],
    ["cones", "Friction cones", "K"],
    ["centres", "Centres of mass", "M"],
    ["axes", "Joint axes", "J"],
    ["traces", "Traces", "T"],
];

export class LayersPanel {
    readonly root = h("div", { class: "body" });
    private readonly boxes = new Map<Switch, HTMLInputElement>();
    private readonly atoms: HTMLElement;

    constructor(private readonly view: View, store: Store) {
        const switches = SWITCHES.map(([layer, name, key]) => {
            const box = h("input", { type: "checkbox", "data-layer": layer, onChange: () => this.set(layer, box.checked) });
            this.boxes.set(layer, box);
            return h("label", { class: "check" }, box, name, h("span", { class: "soft" }, h("kbd", {}, key)));
        });
        const length = h("input", { type: "range", min: -1, max: 1, step: 0.05, value: 0, "aria-label": "Length of arrows", onInput: () => view.setLayers({ ...view.layers, arrowLength: Math.pow(10, Number(length.value)) }) });
        const styles: [AtomStyle, string][] = [["spheres", "Spheres"], ["sticks", "Balls and sticks"], ["ribbon", "Ribbon"]];
        this.atoms = h("div", { hidden: true }, h("h3", {}, "Molecules"), ...styles.map(([style, name]) =>
            h("label", { class: "check" }, h("input", { type: "radio", name: "atoms", checked: style === view.layers.atoms, onChange: () => view.setLayers({ ...view.layers, atoms: style }) }), name)));
        this.root.append(
            ...switches, h("label", { class: "check" }, "Length of arrows", length), this.atoms,
            h("h3", {}, "Shades"),
            shade("", "moves"), shade("sleeps", "its joint sleeps"), shade("rests", "rests in contact"), shade("locked", "locked"),
        );
        this.show();
        store.onScene.on((scene) => (this.atoms.hidden = scene.atoms === null));
    }

    toggle(layer: Switch): void {
        this.set(layer, !this.view.layers[layer]);
    }

    private set(layer: Switch, on: boolean): void {
        this.view.setLayers({ ...this.view.layers, [layer]: on });
        this.show();
    }

    private show(): void {
        for (const [layer, box] of this.boxes) box.checked = this.view.layers[layer];
    }
}

function shade(kind: string, text: string): HTMLElement {
    return h("div", { class: "row" }, h("span", { class: `swatch ${kind}` }), text);
}
