#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Pictures of the page for README and docs, docs/images/viewer-*.png, from the page itself. Needs what its tests need:
// a built program ($SINEW, build/sinew if not set), web/node_modules and Chromium.
// usage: tools/screenshots.mjs [NAME...]
import { holding, launchBrowser, openPage, startProgram, waitFor } from "../tests/web/harness.mjs";

const root = new URL("..", import.meta.url).pathname;
process.env.SINEW ??= `${root}build/sinew`;

const WIDE = { width: 1120, height: 700 };
const TABLET = { width: 600, height: 860 };

/** What is on each: how the page is opened, and what a person does then. */
const SHOTS = {
    humanoid: {
        scene: "humanoid", ...WIDE, colorScheme: "dark",
        async act(page, shoot) {
            await page.keyboard.press("k");
            await page.keyboard.press("m");
            await waitFor(page, () => sinew.time > 1);
            await holding(page, "robot/r_wrist", async (move) => {
                await move(110, -60, 12);
                await page.waitForTimeout(1500);
                await shoot();
            });
        },
    },
    helix: {
        scene: "helix", ...WIDE,
        async act(page, shoot) {
            await plot(page, "Force field", "Force I feel");
            await waitFor(page, () => sinew.time > 2);
            const [x, y] = await page.evaluate(() => sinew.screen(sinew.bodies.at(-1))); // whatever is in front there
            await page.mouse.move(x, y);
            await page.mouse.down();
            await waitFor(page, () => sinew.hands.length === 1);
            await page.mouse.move(x + 150, y + 60, { steps: 12 });
            await page.waitForTimeout(2500);
            await shoot();
            await page.mouse.up();
        },
    },
    collaboration: {
        scene: "collaboration", ...WIDE,
        async act(page, shoot) {
            await waitFor(page, () => sinew.time > 1);
            await holding(page, "robot/r_wrist", async (move) => {
                await move(60, -10, 12);
                await page.waitForTimeout(1500);
                await shoot();
            });
        },
    },
    tablet: {
        scene: "box_pile", ...TABLET,
        async act(page, shoot) {
            await waitFor(page, () => sinew.time > 1.5);
            await shoot();
        },
    },
};

/** Opens the plots and clicks quantities. */
async function plot(page, ...chips) {
    await page.keyboard.press("p");
    for (const chip of chips)
        await page.evaluate((chip) => [...document.querySelectorAll(".chips button")].find((one) => one.textContent === chip).click(), chip);
}

const wanted = process.argv.slice(2);
const browser = await launchBrowser();
for (const [name, { scene, act, ...options }] of Object.entries(SHOTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const program = await startProgram("run", scene, "--port", "0", "--no-open");
    const page = await openPage(browser, program.url, { quality: "high", ...options });
    await page.addStyleTag({ content: ".notices { display: none }" }); // that pictures cost the simulation time
    const path = `docs/images/viewer-${name}.png`;
    await act(page, () => page.screenshot({ path: root + path, timeout: 120_000 }));
    console.log(path);
    await page.context().close();
    await program.stop();
}
await browser.close();
