// SPDX-License-Identifier: Apache-2.0
// Things to drop into the scene and to take out of it, and another gravity: edits, as scripts of scenes have them.
import { h, icon } from "../base/dom.ts";
import { ICONS } from "../base/icons.ts";
import type { Commands } from "../state/commands.ts";
import type { Store } from "../state/store.ts";
import { NONE, type Scene } from "../wire/protocol.ts";

/** Name, and its shape for a size in metres. */
const KINDS: [string, (size: number) => string][] = [
    ["Ball", (s) => `sphere: ${s}, material: {restitution: 0.6}, color: [0.93, 0.4, 0.47]`],
    ["Box", (s) => `box: [${2 * s}, ${2 * s}, ${2 * s}], color: [0.27, 0.47, 0.67]`],
    ["Rod", (s) => `capsule: [${0.4 * s}, ${4 * s}], rpy: [70deg, 0, 20deg], color: [0.8, 0.73, 0.27]`],
    ["Log", (s) => `cylinder: [${0.8 * s}, ${3 * s}], rpy: [90deg, 0, 40deg], color: [0.13, 0.53, 0.2]`],
];

const GRAVITIES: [string, number][] = [["Earth", 9.81], ["Moon", 1.62], ["none", 0]];

export class Things {
    readonly root: HTMLDetailsElement;
    private dropped = 0;

    constructor(private readonly store: Store, private readonly commands: Commands) {
        const add = KINDS.map(([name, shape]) => h("button", { onClick: () => this.drop(name, shape) }, name));
        const gravity = GRAVITIES.map(([name, g]) => h("button", { onClick: () => void commands.edit(`gravity: [0, 0, ${-g}]`) }, name));
        this.root = h(
            "details", { class: "things" },
            h("summary", { class: "button icon-only", title: "Drop things, remove them, change gravity", "aria-label": "Things" }, icon(ICONS.add)),
            h("div", { class: "float menu" },
                h("h3", {}, "Drop"), h("div", { class: "chips" }, ...add),
                h("h3", {}, "Gravity"), h("div", { class: "chips" }, ...gravity),
                h("button", { onClick: () => this.removeSelected() }, "Remove what is selected ", h("kbd", {}, "Del"))),
        );
        store.onScene.on((scene) => (this.root.hidden = scene.replay !== null || scene.atoms !== null));
        document.addEventListener("pointerdown", (event) => {
            if (!this.root.contains(event.target as Node)) this.root.open = false;
        });
    }

    /** The whole item that the selected body is part of. */
    removeSelected(): void {
        const { scene, selected } = this.store;
        const item = selected === NONE ? undefined : scene?.items[scene.bodies[selected]!.item];
        if (item) void this.commands.edit(`remove: ${item.name}`);
    }

    private drop(name: string, shape: (size: number) => string): void {
        const scene = this.store.scene;
        if (!scene) return;
        const [x, y, z] = dropPlace(scene, this.dropped);
        void this.commands.edit(`add: {name: ${this.freeName(scene, name.toLowerCase())}, at: [${x}, ${y}, ${z}], ${shape(0.07 * scene.radius)}}`);
        this.dropped++;
    }

    private freeName(scene: Scene, kind: string): string {
        const taken = new Set(scene.items.map((item) => item.name));
        let number = this.dropped + 1;
        while (taken.has(`${kind}_${number}`)) number++;
        return `${kind}_${number}`;
    }
}

/** Above what there is; one after the other a little aside. */
function dropPlace(scene: Scene, count: number): [number, number, number] {
    const [x, y, z] = scene.centre ?? [0, 0, 0];
    const angle = 2.4 * count;
    const aside = 0.15 * scene.radius;
    return [x + aside * Math.cos(angle), y + aside * Math.sin(angle), z + 0.9 * scene.radius];
}
