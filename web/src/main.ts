// SPDX-License-Identifier: Apache-2.0
// Where the page begins. Nothing waits for the rest, so the browser takes the page for loaded, and its own signs of loading
// come to rest: where the processor draws, they would slow down everything that follows.
const began = performance.now();
addEventListener("load", () => import("./app.ts").then(({ begin }) => begin(began)));
