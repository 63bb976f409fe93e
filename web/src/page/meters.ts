// SPDX-License-Identifier: Apache-2.0
// How the loops do: rates, lateness, the safety of each hand, where a step's time goes, contact, server.
import { h } from "../base/dom.ts";
import { formatNumber, formatQuantity } from "../base/format.ts";
import type { Meters as Numbers } from "../wire/protocol.ts";
import type { Store } from "../state/store.ts";

export class MetersPanel {
    readonly root = h("div", { class: "body" });

    constructor(store: Store) {
        store.onMeters.on((meters) => this.root.offsetParent !== null && this.show(meters, store));
        this.root.append(h("p", { class: "soft" }, "Numbers come four times a second."));
    }

    private show(meters: Numbers, store: Store): void {
        const parts: HTMLElement[] = [];
        const unit = store.unit.time_symbol;
        if (store.state) parts.push(row(unit === "s" ? "Simulated seconds a second" : `Simulated ${unit} a second`, formatNumber(store.state.real_time_factor)));
        if (meters.loops?.length) parts.push(h("h3", {}, "Loops"), ...meters.loops.map(loop));
        if (meters.step) parts.push(h("h3", {}, "One step"), ...step(meters.step));
        if (meters.contact) parts.push(h("h3", {}, "Contact"), ...contact(meters.contact));
        if (meters.hands?.length) parts.push(h("h3", {}, "Hands"), ...meters.hands.map((one) => hand(one, store.unit.energy_symbol)));
        if (meters.server) parts.push(h("h3", {}, "Viewer"), ...server(meters.server));
        this.root.replaceChildren(...parts);
    }
}

function row(name: string, value: string, ...more: Node[]): HTMLElement {
    return h("div", { class: "meter" }, h("span", {}, name), h("b", { class: "number" }, value), ...more);
}

function loop(one: NonNullable<Numbers["loops"]>[number]): HTMLElement {
    const name = one.hand === undefined ? one.name : `${one.name} of hand ${one.hand}`;
    const late = h("span", { class: "soft" }, `late ${one.late}, worst ${formatQuantity(one.worst_us * 1e-6, "s")}`);
    return row(name, formatQuantity(one.rate_hz, "Hz"), late, ...(one.jitter?.length ? [histogram(one.jitter, one.jitter_below_us ?? [])] : []));
}

/** Ticks by lateness; heights are logarithmic, as the rare late ones are what matters. */
function histogram(counts: number[], below: number[]): HTMLElement {
    const most = Math.log1p(Math.max(...counts, 1));
    return h("div", { class: "histogram", role: "img", "aria-label": "ticks by lateness" }, ...counts.map((count, k) => {
        const bound = below[k] !== undefined ? `below ${formatQuantity(below[k]! * 1e-6, "s")}` : "later";
        return h("i", { title: `${bound}: ${count}`, style: `height: ${((100 * Math.log1p(count)) / most).toFixed(0)}%` });
    }));
}

function step(one: NonNullable<Numbers["step"]>): HTMLElement[] {
    const most = Math.max(...one.stages.map((stage) => stage.us), 1e-9);
    const rows = one.stages.map((stage) => h("tr", {}, h("td", {}, stage.name),
        h("td", { class: "share" }, h("i", { style: `width: ${((100 * stage.us) / most).toFixed(0)}%` })), h("td", {}, formatQuantity(stage.us * 1e-6, "s"))));
    return [row("Mean", formatQuantity(one.mean_us * 1e-6, "s")), h("table", { class: "stages" }, ...rows)];
}

function contact(one: NonNullable<Numbers["contact"]>): HTMLElement[] {
    return [row("Points", String(one.points)), row("Groups", String(one.groups)), row("Residual", formatNumber(one.residual)), row("Iterations", String(one.iterations))];
}

function hand(one: NonNullable<Numbers["hands"]>[number], energyUnit: string): HTMLElement {
    const state = one.latched ? `stopped: ${one.cause}` : one.cause ? one.cause : "feels";
    const more = `gain ${formatNumber(one.gain)}, energy ${formatQuantity(one.energy, energyUnit)}, trips ${one.trips}${one.last_trip ? ` (${one.last_trip})` : ""}`;
    return row(one.name || `hand ${one.hand}`, state, h("span", { class: "soft" }, more));
}

function server(one: NonNullable<Numbers["server"]>): HTMLElement[] {
    return [
        row("Pictures", `${formatNumber(one.frames_s)} a second`),
        row("Data", `${formatQuantity(one.bytes_s, "B")}/s`),
        row("Pointer to simulation", formatQuantity(one.pointer_ms * 1e-3, "s")),
        row("Server", `${formatNumber(100 * one.cpu)} % of a core`),
    ];
}
