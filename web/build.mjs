// SPDX-License-Identifier: Apache-2.0
// Bundles the page into dist/: index.html, main.js, which loads app.js, app.css, and small pictures of scenes in previews/. `--watch` goes on with every change.
import { context } from "esbuild";
import { copyFileSync, cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";

const files = ["index.html", "main.js", "app.js", "app.css"];
const out = new URL("dist/", import.meta.url).pathname;
const watch = process.argv.includes("--watch");

mkdirSync(out, { recursive: true });
copyFileSync(new URL("src/index.html", import.meta.url), `${out}index.html`);
cpSync(new URL("src/previews", import.meta.url), `${out}previews`, { recursive: true });
const bundle = await context({
    absWorkingDir: new URL(".", import.meta.url).pathname,
    entryPoints: ["src/main.ts", "src/app.css"],
    outdir: "dist",
    bundle: true,
    splitting: true, // what is imported while it runs is a file of its own
    chunkNames: "[name]",
    minify: !watch,
    sourcemap: watch ? "inline" : false,
    target: "es2021",
    format: "esm",
    legalComments: "none",
    banner: { js: "// SPDX-License-Identifier: Apache-2.0\n// with three.js and uPlot, both MIT", css: "/* SPDX-License-Identifier: Apache-2.0 */" },
});
if (watch) {
    await bundle.watch();
} else {
    await bundle.rebuild();
    await bundle.dispose();
    const sizes = files.map((name) => [name, statSync(out + name).size, gzipSync(readFileSync(out + name)).length]);
    for (const [name, size, packed] of sizes) console.log(`${name.padEnd(12)} ${(size / 1e3).toFixed(0).padStart(5)} kB, ${(packed / 1e3).toFixed(0)} kB compressed`);
}
