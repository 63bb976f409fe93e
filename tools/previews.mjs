#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Small pictures of the scenes in the gallery, web/src/previews/NAME.webp, from the page itself. Needs what its tests need:
// a built program ($SINEW, build/sinew if not set), web/node_modules and Chromium.
// usage: tools/previews.mjs [NAME...]
import { writeFileSync } from "node:fs";
import { chooseScene, launchBrowser, openPage, startProgram, waitFor } from "../tests/web/harness.mjs";

const root = new URL("..", import.meta.url).pathname;
process.env.SINEW ??= `${root}build/sinew`;

const WIDTH = 240, HEIGHT = 150, FINER = 3;
/** s after which there is most to see, where it is not after one */
const MOMENT = { box_pile: 0.9, cable: 1.6, chain: 1.2, "dominoes:20": 0.2, humanoid: 0.5, pendulum: 0.7, seesaw: 0.75, stairs: 1.4, snake: 2.5, "wall:6x8": 0.1 };
const PICTURE_ALONE = ".top-row, .panel, .bottom, .notices, .labels, .banner { display: none !important }";

/** A picture in a smaller size, as WebP, by the browser's own means. */
function shrink(page, png) {
    return page.evaluate(async ({ png, width, height }) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob(), { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
        const canvas = new OffscreenCanvas(width, height);
        canvas.getContext("2d").drawImage(image, 0, 0);
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.72 })).arrayBuffer());
        return btoa(String.fromCharCode(...bytes));
    }, { png, width: WIDTH, height: HEIGHT });
}

const browser = await launchBrowser();
const program = await startProgram("run", "pendulum", "--port", "0", "--no-open");
const page = await openPage(browser, program.url, { quality: "high", width: FINER * WIDTH, height: FINER * HEIGHT });
const studio = await browser.newPage();
await page.addStyleTag({ content: PICTURE_ALONE });
const wanted = process.argv.slice(2);
for (const name of await page.evaluate(() => sinew.gallery)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await chooseScene(page, name);
    await waitFor(page, (moment) => sinew.time > moment, MOMENT[name] ?? 1);
    await page.keyboard.press("Space");
    await waitFor(page, () => sinew.state.paused);
    const small = await shrink(studio, (await page.screenshot({ timeout: 120_000 })).toString("base64"));
    const path = `web/src/previews/${name.replace(/\W+/g, "-")}.webp`;
    writeFileSync(root + path, Buffer.from(small, "base64"));
    console.log(path);
    await page.keyboard.press("Space");
}
await browser.close();
await program.stop();
