// SPDX-License-Identifier: Apache-2.0
// The selected body: mass, joint with sliders, contacts; each number can be plotted by a click.
import type { Commands } from "../state/commands.ts";
import { h, icon, setText } from "../base/dom.ts";
import { formatMass, formatNumber, formatQuantity } from "../base/format.ts";
import { ICONS } from "../base/icons.ts";
import { NONE, type Body, type Unit } from "../wire/protocol.ts";
import { readAtomLabel } from "../state/atom_label.ts";
import type { Quantities, Quantity } from "../state/quantities.ts";
import { size, type Store } from "../state/store.ts";

const ANGLES: Record<string, number[]> = { revolute: [0], helical: [0], cylindrical: [0], planar: [0], universal: [0, 1] };
const SLIDERS = ["revolute", "prismatic", "helical", "cylindrical", "universal", "planar"];
const COORDINATES: Record<string, string[]> = {
    revolute: ["angle"], prismatic: ["distance"], helical: ["angle"], cylindrical: ["angle", "distance"], planar: ["angle", "x", "y"],
    universal: ["first angle", "second angle"], spherical: ["w", "x", "y", "z"], free: ["x", "y", "z", "qw", "qx", "qy", "qz"],
};
const MOST_CONTACTS = 12;
const UPDATE_MS = 100;
const NOTHING = 1e-6;

interface Coordinate {
    slider: HTMLInputElement | null;
    value: HTMLElement;
}

export class Inspector {
    readonly root = h("section", { class: "inspector", "aria-label": "Selected body" });
    private coordinates: Coordinate[] = [];
    private readonly contacts = h("div");
    private readonly contactSum = h("dd");
    private readonly activity = h("dd");
    private last = 0;
    private sliding = -1;

    constructor(private readonly store: Store, private readonly commands: Commands, private readonly quantities: Quantities) {
        store.onSelect.on((body) => this.show(body));
        store.onFrame.on(() => this.refresh());
        quantities.changed.on(() => this.markPlotted());
        this.show(NONE);
    }

    private show(index: number): void {
        const body = index === NONE ? undefined : this.store.scene?.bodies[index];
        if (this.store.scene) void this.commands.inspect(index);
        this.coordinates = [];
        if (!body) {
            const what = this.store.scene?.atoms ? "atom to see what it is part of" : "body to see its mass, its joint and what it touches";
            this.root.replaceChildren(h("p", { class: "soft" }, `Click ${what.startsWith("atom") ? "an" : "a"} ${what}.`));
            return;
        }
        const molecular = this.store.scene!.atoms !== null;
        this.root.replaceChildren(
            h("h3", {}, body.name),
            h("dl", { class: "facts" },
                ...this.atomFacts(),
                h("dt", {}, "Mass"), h("dd", {}, formatMass(body.mass, this.store.unit.mass_symbol)),
                h("dt", {}, "Joint"), h("dd", {}, molecular && body.joint.type === "revolute" ? "torsion" : body.joint.type),
                h("dt", {}, "Carried by"), h("dd", {}, this.store.bodyName(body.parent)),
                h("dt", {}, "Now"), this.activity,
                ...(molecular ? [] : [h("dt", {}, "Contact force"), this.contactSum]),
            ),
            ...(molecular ? [] : [h("div", { class: "row" }, this.plotButton("Contact force", { kind: "contact", body: index }))]),
            ...this.jointRows(body, index),
            this.contacts,
        );
        this.markPlotted();
        this.last = 0;
        this.refresh();
    }

    /** Of the atom by which the body was taken. */
    private atomFacts(): HTMLElement[] {
        const { scene, selectedAtom } = this.store;
        const label = readAtomLabel(scene?.labels[scene.atoms?.label?.[selectedAtom] ?? -1] ?? "");
        if (!label) return [];
        return [
            h("dt", {}, "Atom"), h("dd", {}, label.atom), h("dt", {}, "Residue"), h("dd", {}, `${label.residue} ${label.number}`),
            ...(label.chain ? [h("dt", {}, "Chain"), h("dd", {}, label.chain)] : []),
        ];
    }

    private jointRows(body: Body, index: number): HTMLElement[] {
        const names = COORDINATES[body.joint.type] ?? [];
        return names.slice(0, body.joint.nq).map((name, k) => {
            const value = h("output", { class: "number" });
            const slider = SLIDERS.includes(body.joint.type) ? this.slider(body, index, k, name) : null;
            this.coordinates.push({ slider, value });
            return h("div", { class: "joint" }, h("span", { class: "soft" }, name), value, this.plotButton(name, { kind: "joint", body: index, index: k }, true), slider ?? "");
        });
    }

    private slider(body: Body, index: number, k: number, name: string): HTMLInputElement {
        const reach = ANGLES[body.joint.type]?.includes(k) ? Math.PI : (this.store.scene?.radius ?? 1);
        const slider = h("input", {
            type: "range", step: "any", min: body.joint.lower[k] ?? -reach, max: body.joint.upper[k] ?? reach, "aria-label": `${name} of ${body.name}`,
            onPointerdown: () => (this.sliding = k), onPointerup: () => (this.sliding = -1), onPointercancel: () => (this.sliding = -1),
            onInput: () => {
                const q = [...(this.store.joint?.q ?? new Array(body.joint.nq).fill(0))];
                q[k] = Number(slider.value);
                void this.commands.joint(index, q);
            },
        });
        return slider;
    }

    private plotButton(name: string, quantity: Quantity, small = false): HTMLElement {
        const button = h("button", { class: small ? "quiet icon-only" : "quiet", title: `Plot: ${name}`, "aria-label": `Plot ${name}`, "aria-pressed": false, onClick: () => this.quantities.toggle(quantity) }, icon(ICONS.chart), small ? "" : `Plot ${name.toLowerCase()}`);
        plotted.set(button, quantity);
        return button;
    }

    private markPlotted(): void {
        for (const button of this.root.querySelectorAll("button")) {
            const quantity = plotted.get(button);
            if (quantity) button.setAttribute("aria-pressed", String(this.quantities.has(quantity)));
        }
    }

    private refresh(): void {
        const { selected, joint, scene } = this.store;
        if (selected === NONE || !scene?.bodies[selected] || performance.now() - this.last < UPDATE_MS) return;
        this.last = performance.now();
        const body = scene.bodies[selected]!;
        setText(this.activity, ["moves", "its joint sleeps", "rests in contact", "locked"][this.store.activity[selected] ?? 0] ?? "");
        this.coordinates.forEach(({ slider, value }, k) => {
            const q = joint?.q[k];
            const angle = ANGLES[body.joint.type]?.includes(k);
            const length = body.joint.type !== "spherical" && !(body.joint.type === "free" && k >= 3);
            const shown = q !== undefined && Math.abs(q) < (length ? NOTHING * scene.radius : NOTHING) ? 0 : q; // rounding is no number
            setText(value, shown === undefined ? "" : angle ? `${formatNumber((shown * 180) / Math.PI)}°` : formatQuantity(shown, length ? scene.unit.symbol : ""));
            if (slider && q !== undefined && this.sliding !== k) slider.value = String(q);
        });
        this.refreshContacts(selected, scene.unit);
    }

    private refreshContacts(selected: number, unit: Unit): void {
        const force = (newton: number) => formatQuantity(newton * unit.force, unit.force_symbol);
        const byBody = new Map<number, { force: number; points: number }>();
        const sum = [0, 0, 0];
        for (let k = 0; k < this.store.contacts.count; k++) {
            const contact = this.store.contact(k);
            if (contact.a !== selected && contact.b !== selected) continue;
            const other = contact.a === selected ? contact.b : contact.a;
            const entry = byBody.get(other) ?? { force: 0, points: 0 };
            entry.force += size(contact.force);
            entry.points++;
            byBody.set(other, entry);
            for (let c = 0; c < 3; c++) sum[c] = sum[c]! + (contact.a === selected ? 1 : -1) * contact.force[c]!;
        }
        setText(this.contactSum, byBody.size > 0 ? force(size(sum)) : "none");
        const rows = [...byBody].slice(0, MOST_CONTACTS).map(([other, entry]) =>
            h("div", { class: "row" }, h("span", { class: "grow" }, this.store.bodyName(other)), h("span", { class: "soft" }, `${entry.points} pt`), h("span", { class: "number" }, force(entry.force))));
        this.contacts.replaceChildren(...(rows.length > 0 ? [h("h3", {}, "Touches"), ...rows] : []));
    }
}

const plotted = new WeakMap<Element, Quantity>();
