// SPDX-License-Identifier: Apache-2.0
// Numbers for people. Pure.

/** Three digits that count: 1234 -> "1234", 0.001234 -> "0.00123", 12.3456 -> "12.3". */
export function formatNumber(value: number, digits = 3): string {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "-∞" : "?";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-3) return value.toExponential(digits - 1).replace("e+", "e");
    return value.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

const PREFIXES: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

/** Units that take prefixes; others, such as nm or kJ/mol, are as they are. */
const PREFIXED = ["m", "s", "g", "N", "J", "Hz", "B"];

/** With a unit and the prefix that fits: 0.0034, "N" -> "3.4 mN". */
export function formatQuantity(value: number, unit: string): string {
    const size = Math.abs(value);
    if (size === 0 || !Number.isFinite(value) || !PREFIXED.includes(unit)) return unit ? `${formatNumber(value)} ${unit}` : formatNumber(value);
    const [factor, prefix] = PREFIXES.find(([f]) => size >= 0.9995 * f) ?? [1, ""];
    // metres and newtons are read best as they are from a tenth on
    const [f, p] = size >= 0.0995 && size < 1e4 ? [1, ""] : [factor, prefix];
    return `${formatNumber(value / f)} ${p}${unit}`;
}

/** A force as it changes: two digits after the point, or fewer; what nobody can feel is 0. */
export function formatForce(value: number, unit: string): string {
    const size = Math.abs(value);
    return `${value.toFixed(size < 99.95 ? (size < 9.995 ? 2 : 1) : 0)} ${unit}`;
}

/** kg, or another unit of mass, as it is. */
export function formatMass(value: number, unit: string): string {
    return unit === "kg" ? formatQuantity(1000 * value, "g") : formatQuantity(value, unit);
}

export function formatTime(time: number, unit: string): string {
    if (time < 60 || unit !== "s") return `${time.toFixed(2)} ${unit}`;
    const minutes = Math.floor(time / 60);
    return `${minutes}:${(time - 60 * minutes).toFixed(1).padStart(4, "0")}`;
}
