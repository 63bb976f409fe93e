// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { Series, thin } = await load("state/history.ts");
const { ticks, toCsv, toSvg } = await load("page/plot_export.ts");
const { formatForce, formatNumber, formatQuantity } = await load("base/format.ts");
const { searchRows, treeRows } = await load("page/tree_rows.ts");

function filled(count, f, name = "a", unit = "J") {
    const series = new Series(name, unit);
    for (let k = 0; k < count; k++) series.push(k * 1e-3, f(k * 1e-3));
    return series;
}

test("a series keeps the newest of many samples", () => {
    const series = filled(300000, (t) => t);
    assert.equal(series.length, 131072);
    assert.ok(Math.abs(series.last() - 299.999) < 1e-9);
    assert.ok(Math.abs(series.time(0) - (300000 - 131072) * 1e-3) < 1e-9);
    assert.equal(series.time(series.find(299)), 299);
});

test("a series begins again when time goes back", () => {
    const series = filled(10, (t) => t);
    series.push(0, 5);
    assert.equal(series.length, 1);
});

test("thinning keeps every peak", () => {
    const series = filled(10000, (t) => (Math.abs(t - 3.217) < 1e-6 ? 100 : Math.sin(t)));
    const [times, values] = thin([series], 0, 10, 50);
    assert.equal(times.length, 100);
    assert.equal(Math.max(...values), 100);
    assert.ok(times.every((t, k) => k === 0 || t > times[k - 1]));
});

test("CSV has every sample, also of series that began later", () => {
    const a = filled(5, (t) => 2 * t, "energy, all", "J"), b = new Series("angle", "rad");
    b.push(0.003, 1);
    b.push(0.004, 2);
    const lines = toCsv([a, b], "s").trim().split("\n");
    assert.equal(lines[0], 'time [s],"energy, all [J]",angle [rad]');
    assert.equal(lines.length, 6);
    assert.equal(lines[1], "0,0,");
    assert.equal(lines[5], "0.004,0.008,2");
});

test("SVG draws each series once, and text stays text", () => {
    const svg = toSvg([filled(1000, Math.sin, "a<b"), filled(1000, Math.cos, "c")], [{ colour: "#111111", dash: [] }, { colour: "#222222", dash: [2, 2] }], 0, 1, "ps");
    assert.ok(svg.includes("time [ps]"));
    assert.equal(svg.match(/<polyline/g).length, 2);
    assert.ok(svg.includes("a&lt;b") && !svg.includes("NaN"));
});

test("ticks are round and inside", () => {
    assert.deepEqual(ticks(0, 1, 5).map((v) => v.toFixed(1)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert.ok(ticks(-3.3, 7.9, 6).every((v) => v >= -3.3 && v <= 7.9));
});

test("numbers are short", () => {
    assert.deepEqual([0, 1234, 12.3456, 0.0123, -0.5, 1e-9, Infinity].map((v) => formatNumber(v)), ["0", "1234", "12.3", "0.0123", "-0.500", "1.00e-9", "∞"]);
    assert.equal(formatQuantity(0.0034, "N"), "3.40 mN");
    assert.equal(formatQuantity(1500, "g"), "1500 g");
    assert.equal(formatForce(3.4335, "N"), "3.43 N");
    assert.equal(formatForce(1e-10, "N"), "0.00 N");
});

test("the tree follows parents, chains stay level, and search finds names", () => {
    const body = (name, item, parent) => ({ name, item, parent });
    const NONE = 0xffffffff;
    const scene = {
        items: [{ name: "arm", first_body: 0, bodies: 4 }, { name: "mug", first_body: 4, bodies: 1 }],
        bodies: [body("arm/base", 0, NONE), body("arm/a", 0, 0), body("arm/b", 0, 1), body("arm/c", 0, 1), body("mug", 1, NONE)],
    };
    const rows = treeRows(scene, new Set());
    assert.deepEqual(rows.map((row) => [row.level, row.name]), [[1, "arm"], [2, "base"], [2, "a"], [3, "b"], [3, "c"], [1, "mug"]]);
    assert.deepEqual(treeRows(scene, new Set(["item 0"])).map((row) => row.name), ["arm", "mug"]);
    assert.deepEqual(searchRows(scene, "MUG").map((row) => row.body), [4]);
});
