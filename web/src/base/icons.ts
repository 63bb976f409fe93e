// SPDX-License-Identifier: Apache-2.0
// Paths of the icons, 24 x 24, drawn as lines.

export const ICONS = {
    play: "M8 5.5v13l10.5-6.5z",
    pause: "M8.5 5.5v13M15.5 5.5v13",
    step: "M6 6v12l8.5-6zM18 6v12",
    reset: "M5 12a7 7 0 1 0 2.3-5.2M5 4v4h4",
    record: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
    bodies: "M12 4v5M12 9 6 14M12 9l6 5M6 14v5M18 14v5M12 9v10",
    plots: "M4 19V5M4 19h16M7 14l4-5 3 3 5-6",
    meters: "M5 17a8 8 0 1 1 14 0M12 14l4-5",
    layers: "m12 4 8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4",
    help: "M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2.9-1.2 1.8M12 17.5v.2",
    close: "M6 6l12 12M18 6 6 18",
    scenes: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
    add: "M12 5v14M5 12h14",
    camera: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
    chart: "M5 18l4.5-6 3.5 3 6-8",
} as const;
