// SPDX-License-Identifier: Apache-2.0
// Live charts, composed by clicking quantities: what has one unit shares a chart. Lines differ by dashes as
// well as by colour. Each chart can be kept as SVG and as CSV.
import uPlot from "uplot";
import { download, h, icon, setText } from "../base/dom.ts";
import { formatQuantity } from "../base/format.ts";
import { thin, type Series } from "../state/history.ts";
import { ICONS } from "../base/icons.ts";
import { toCsv, toSvg, type Stroke } from "./plot_export.ts";
import type { Quantities, Quantity } from "../state/quantities.ts";
import type { Store } from "../state/store.ts";
import { PALETTE, themeChanged } from "../base/theme.ts";

const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [12, 3], [1, 2]];
const UPDATE_MS = 90;
const PARTS = 300;
const HEIGHT = 150;

const ENERGIES: [string, Quantity][] = [
    ["Total energy", { kind: "energy", index: 3 }],
    ["Kinetic energy", { kind: "energy", index: 0 }],
];
const BODIES: [string, Quantity][] = [
    ["Potential energy", { kind: "energy", index: 1 }],
    ["Energy of springs", { kind: "energy", index: 2 }],
    ["All contact force", { kind: "contact" }],
    ["Contact points", { kind: "points" }],
    ["Residual", { kind: "residual" }],
];
const MOLECULES: [string, Quantity][] = [
    ["Force field", { kind: "field", name: "sum" }],
    ["Torsions", { kind: "field", name: "torsions" }],
    ["Van der Waals", { kind: "field", name: "van der Waals" }],
    ["Charges", { kind: "field", name: "charges" }],
    ["Bonds and angles", { kind: "field", name: "bonds and angles" }],
];
const HANDS: [string, Quantity][] = [
    ["Force I feel", { kind: "felt" }],
    ["Force I pull with", { kind: "pull" }],
];
const LOOPS: [string, Quantity][] = [
    ["Active joints", { kind: "active" }],
    ["Simulation rate", { kind: "rate", name: "simulation" }],
    ["Coupling rate", { kind: "rate", name: "coupling" }],
];

interface Chart {
    unit: string;
    root: HTMLElement;
    plot: uPlot;
    series: Series[];
    strokes: Stroke[];
    values: HTMLElement[];
}

export class Plots {
    readonly root = h("div", { class: "body" });
    private readonly chips = h("div", { class: "chips", role: "group", "aria-label": "Quantities" });
    private readonly charts = h("div");
    private readonly empty = h("p", { class: "soft" }, "Click quantities above, or the chart sign beside a number of the selected body.");
    private readonly span = h("select", { "aria-label": "Span of time", onChange: () => this.refresh(true) });
    private shown: Chart[] = [];
    private last = 0;

    constructor(private readonly store: Store, private readonly quantities: Quantities) {
                this.root.append(this.chips, h("div", { class: "row" }, h("span", { class: "grow" }), this.span), this.empty, this.charts);
        quantities.changed.on(() => this.rebuild());
        store.onHello.on(() => this.rebuild());
        store.onScene.on(() => {
            this.showSpans();
            this.rebuild();
        });
        this.showSpans();
        store.onFrame.on(() => this.refresh(false));
        themeChanged.on(() => this.rebuild());
        new ResizeObserver(() => this.resize()).observe(this.charts);
    }

    /** All quantities that are watched, in one file. */
    csv(): string {
        return toCsv(this.quantities.series().map(({ series }) => series), this.store.unit.time_symbol);
    }

    private showSpans(): void {
        const wanted = this.span.value || "20";
        this.span.replaceChildren(...[5, 20, 60].map((span) => h("option", { value: span, selected: String(span) === wanted }, `last ${span} ${this.store.unit.time_symbol}`)));
    }

    private rebuild(): void {
        this.chips.replaceChildren(...this.offers().map(([name, quantity]) =>
            h("button", { "aria-pressed": this.quantities.has(quantity), "data-quantity": quantity.kind, onClick: () => this.quantities.toggle(quantity) }, name)));
        for (const chart of this.shown) chart.plot.destroy();
        const byUnit = new Map<string, { series: Series; remove: () => void }[]>();
        for (const one of this.quantities.series()) byUnit.set(one.series.unit, [...(byUnit.get(one.series.unit) ?? []), one]);
        this.shown = [...byUnit].map(([unit, list]) => this.chart(unit, list));
        this.charts.replaceChildren(...this.shown.map((chart) => chart.root));
        this.empty.hidden = this.shown.length > 0;
        this.refresh(true);
    }

    /** Those that the program knows. */
    private offers(): [string, Quantity][] {
        const known = this.store.hello?.catalogue.map((entry) => entry.kind);
        const sensors = (this.store.scene?.sensors ?? []).flatMap((sensor) =>
            Array.from({ length: Math.min(sensor.numbers, 3) }, (_, index): [string, Quantity] =>
                [sensor.numbers > 1 ? `${sensor.name} ${index}` : sensor.name, { kind: "sensor", name: sensor.name, index }]));
        const scene = this.store.scene;
        const own = scene?.atoms ? (scene.replay ? [] : MOLECULES) : BODIES;
        const hands = scene?.replay ? [] : HANDS;
        return [...ENERGIES, ...own, ...hands, ...LOOPS, ...sensors.slice(0, 12)].filter(([, quantity]) => !known || known.includes(quantity.kind));
    }

    private chart(unit: string, list: { series: Series; remove: () => void }[]): Chart {
        const series = list.map((one) => one.series);
        const strokes = series.map((_, k) => ({ colour: PALETTE[k % PALETTE.length]!, dash: DASHES[k % DASHES.length]! }));
        const values = series.map(() => h("span", { class: "value" }));
        const holder = h("div");
        const name = series.length === 1 ? series[0]!.name : unit || "numbers";
        const file = `sinew-${(this.store.scene?.name ?? "plot").replace(/[^\w-]+/g, "-")}-${(unit || "numbers").replace(/[^\w]+/g, "-")}`;
        const root = h(
            "div", { class: "chart", "data-unit": unit },
            h("header", {}, h("b", {}, unit && series.length > 1 ? `[${unit}]` : name),
                h("button", { class: "quiet", title: "Keep as a drawing", "data-export": "svg", onClick: () => download(`${file}.svg`, "image/svg+xml", this.svg(series, strokes)) }, "SVG"),
                h("button", { class: "quiet", title: "Keep every sample", "data-export": "csv", onClick: () => download(`${file}.csv`, "text/csv", toCsv(series, this.store.unit.time_symbol)) }, "CSV")),
            h("div", { class: "legend" }, ...list.map((one, k) => h("div", {}, swatch(strokes[k]!), one.series.name, values[k]!,
                h("button", { "aria-label": `Remove ${one.series.name}`, onClick: one.remove }, icon(ICONS.close))))),
            holder,
        );
        const plot = new uPlot(this.options(strokes), [[]], holder);
        return { unit, root, plot, series, strokes, values };
    }

    private options(strokes: Stroke[]): uPlot.Options {
        const css = getComputedStyle(document.documentElement);
        const ink = css.getPropertyValue("--soft").trim(), line = css.getPropertyValue("--line").trim();
        const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "12px system-ui, sans-serif" };
        return {
            width: Math.max(this.charts.clientWidth - 18, 200),
            height: HEIGHT,
            legend: { show: false },
            cursor: { y: false },
            scales: { x: { time: false }, y: { range: (_plot, low, high) => padded(low, high) } },
            series: [{}, ...strokes.map(({ colour, dash }) => ({ stroke: colour, dash, width: 1.6, spanGaps: true, points: { show: false } }))],
            axes: [
                { ...axis, size: 30, values: (_plot, marks) => marks.map(tickText) },
                { ...axis, size: 52, values: (_plot, marks) => marks.map(tickText) },
            ],
        };
    }

    private svg(series: Series[], strokes: Stroke[]): string {
        const [from, to] = this.range(series);
        return toSvg(series, strokes, from, to, this.store.unit.time_symbol);
    }

    private range(series: Series[]): [number, number] {
        const to = Math.max(...series.map((one) => (one.length > 0 ? one.time(one.length - 1) : 0)));
        const first = Math.min(...series.map((one) => (one.length > 0 ? one.time(0) : to)));
        const from = Math.max(to - Number(this.span.value), first);
        return from < to ? [from, to] : [to - 1, to];
    }

    private refresh(now: boolean): void {
        if (this.root.offsetParent === null || (!now && performance.now() - this.last < UPDATE_MS)) return;
        this.last = performance.now();
        for (const { plot, series, values, unit } of this.shown) {
            plot.setData(thin(series, ...this.range(series), PARTS) as uPlot.AlignedData);
            series.forEach((one, k) => setText(values[k]!, !Number.isFinite(one.last()) ? "" : formatQuantity(one.last(), unit)));
        }
    }

    /** Also when the panel opens. */
    private resize(): void {
        const width = this.charts.clientWidth - 18;
        if (width < 50) return;
        for (const { plot } of this.shown) if (plot.width !== width) plot.setSize({ width, height: HEIGHT });
        this.refresh(true);
    }
}

/** A little room above and below; a flat line lies in the middle. */
function padded(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null) return [0, 1];
    const room = 0.06 * (high - low) || 0.05 * Math.abs(high) || 1;
    return [low - room, high + room];
}

/** As short as can be: there is room for six letters. */
function tickText(value: number): string {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(1).replace(".0e", "e").replace("e+", "e");
    return String(Number(value.toPrecision(4)));
}

function swatch(stroke: Stroke): SVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of Object.entries({ x1: 0, x2: 30, y1: 4, y2: 4, stroke: stroke.colour, "stroke-width": 2.4, "stroke-dasharray": stroke.dash.join(" ") }))
        line.setAttribute(name, String(value));
    svg.append(line);
    return svg;
}
