// SPDX-License-Identifier: Apache-2.0
// Colours of the page and of the picture, light and dark as the system prefers. The palette is Paul Tol's
// "bright", which people with colour-blindness tell apart; nothing is told by colour alone.
import { Signal } from "./signal.ts";

export const PALETTE = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"] as const;

export interface Theme {
    dark: boolean;
    skyTop: string;
    skyBottom: string;
    floor: string;
    line: string;
    shadow: number;
    ink: string;
    contact: string;
    cone: string;
    centre: string;
    axis: string;
    trace: string;
    select: string;
}

const LIGHT: Theme = {
    dark: false,
    skyTop: "#dfe8f1", skyBottom: "#f7f9fb", floor: "#f1f4f7", line: "#9fb0c0", shadow: 0.3,
    ink: "#1d2733", contact: "#c8553d", cone: "#ccbb44", centre: "#1d2733", axis: "#aa3377", trace: "#4477aa", select: "#0b6bcb",
};

const DARK: Theme = {
    dark: true,
    skyTop: "#10161d", skyBottom: "#222c37", floor: "#1d262f", line: "#50606f", shadow: 0.42,
    ink: "#e8eef4", contact: "#ff8f73", cone: "#ddcc55", centre: "#f4f7fa", axis: "#e07fb5", trace: "#7db5e8", select: "#6cb6ff",
};

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

export const themeChanged = new Signal<Theme>();
prefersDark.addEventListener("change", () => themeChanged.emit(theme()));

export function theme(): Theme {
    return prefersDark.matches ? DARK : LIGHT;
}
