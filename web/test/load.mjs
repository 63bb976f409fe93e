// SPDX-License-Identifier: Apache-2.0
// Loads a TypeScript module of the page, bundled, so that tests run on any Node.
import { build } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "sinew-web-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

export async function load(name) {
    const outfile = join(folder, name.replace(/\W/g, "-") + ".mjs");
    const entry = new URL(`../src/${name}`, import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", target: "es2021" });
    return import(outfile);
}

/** Numbers from 0 to 1, the same for a seed. */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}
