// SPDX-License-Identifier: Apache-2.0
// Charts as files: CSV with every sample, SVG as it would be printed. Pure.
import { formatNumber } from "../base/format.ts";
import { thin, type Series } from "../state/history.ts";

export interface Stroke {
    colour: string;
    /** lengths of dashes and gaps; none: a full line */
    dash: number[];
}

/** One line a time at which any of the series has a sample. */
export function toCsv(series: Series[], timeUnit: string): string {
    const head = [`time [${timeUnit}]`, ...series.map((one) => `${one.name} [${one.unit || "1"}]`)].map(quote).join(",");
    const at = series.map(() => 0);
    const lines = [head];
    for (;;) {
        const times = series.map((one, k) => (at[k]! < one.length ? one.time(at[k]!) : Infinity));
        const time = Math.min(...times);
        if (time === Infinity) return lines.join("\n") + "\n";
        const cells = series.map((one, k) => (times[k] === time ? String(one.value(at[k]!++)) : ""));
        lines.push([String(time), ...cells].join(","));
    }
}

function quote(text: string): string {
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Ticks at round numbers, about `wanted` of them. */
export function ticks(low: number, high: number, wanted: number): number[] {
    const raw = (high - low) / wanted;
    const power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw)!;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

const WIDTH = 720, HEIGHT = 360, LEFT = 70, RIGHT = 16, TOP = 16, BOTTOM = 48, LINE = 18;

export function toSvg(series: Series[], strokes: Stroke[], from: number, to: number, timeUnit: string): string {
    const [times, ...columns] = thin(series, from, to, 800);
    const values = columns.flat().filter((v): v is number => v !== null);
    let low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(low < high)) [low, high] = Number.isFinite(low) ? [low - 1, high + 1] : [0, 1];
    const height = HEIGHT + LINE * series.length;
    const x = (t: number) => LEFT + ((t - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
    const y = (v: number) => HEIGHT - BOTTOM - ((v - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    const parts = [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
        `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ];
    for (const t of ticks(from, to, 8)) parts.push(gridLine(x(t), TOP, x(t), HEIGHT - BOTTOM), label(x(t), HEIGHT - BOTTOM + 16, "middle", formatNumber(t, 4)));
    for (const v of ticks(low, high, 6)) parts.push(gridLine(LEFT, y(v), WIDTH - RIGHT, y(v)), label(LEFT - 6, y(v) + 4, "end", formatNumber(v, 4)));
    parts.push(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 34, "middle", `time [${timeUnit}]`));
    parts.push(`<text x="16" y="${HEIGHT / 2 - 16}" text-anchor="middle" transform="rotate(-90 16 ${HEIGHT / 2 - 16})" fill="#333">${escape(series[0]?.unit || "1")}</text>`);
    series.forEach((one, k) => {
        const stroke = `stroke="${strokes[k]!.colour}" stroke-width="1.6" stroke-dasharray="${strokes[k]!.dash.join(" ")}" fill="none"`;
        const points = columns[k]!.flatMap((v, i) => (v === null ? [] : [`${x(times[i]!).toFixed(1)},${y(v).toFixed(1)}`]));
        const at = HEIGHT + LINE * k;
        parts.push(`<polyline points="${points.join(" ")}" ${stroke} stroke-linejoin="round"/>`);
        parts.push(`<line x1="${LEFT}" y1="${at}" x2="${LEFT + 32}" y2="${at}" ${stroke}/>`, label(LEFT + 40, at + 4, "start", one.name));
    });
    return parts.join("\n") + "\n</svg>\n";
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
    return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#dddddd"/>`;
}

function label(x: number, y: number, anchor: string, text: string): string {
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#333">${escape(text)}</text>`;
}

function escape(text: string): string {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
