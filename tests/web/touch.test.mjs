// SPDX-License-Identifier: Apache-2.0
// Fingers on a tablet: real touch events in a browser, with the program behind it. Waits on states.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, startProgram, waitFor } from "./harness.mjs";

const pictures = process.env.PICTURES ?? "build/web";
let browser, program, page, touch;

before(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
    program = await startProgram("run", "table", "--port", "0", "--no-open");
    page = await openPage(browser, program.url, { width: 820, height: 1180, hasTouch: true, isMobile: true });
    touch = await page.context().newCDPSession(page);
});

after(async () => {
    await browser?.close();
    await program?.stop();
});

/** Fingers that are on the glass from now on: [x, y] by name. */
const fingers = new Map();
async function put(type, changes) {
    for (const [name, at] of Object.entries(changes)) {
        if (at) fingers.set(name, at);
        else fingers.delete(name);
    }
    const touchPoints = [...fingers].map(([name, [x, y]]) => ({ x, y, id: name.charCodeAt(0) }));
    await touch.send("Input.dispatchTouchEvent", { type, touchPoints });
}
const press = (changes) => put("touchStart", changes);
const slide = (changes) => put("touchMove", changes);
const lift = (...names) => put("touchEnd", Object.fromEntries(names.map((name) => [name, null])));

const screen = (name) => page.evaluate((name) => sinew.screen(name), name);
const camera = () => page.evaluate(() => sinew.camera);
const holds = (count) => sinew.hands.filter((hand) => hand.owner === sinew.client && hand.holds).length === count;
const held = (count) => waitFor(page, holds, count);
/** Some place with nothing below it. */
const beside = [[120, 300], [700, 300]];

/** Fingers on bodies: taken anew where one moved away meanwhile. */
async function takeHold(names) {
    for (let attempt = 0; ; attempt++) {
        for (const [k, name] of names.entries()) await press({ [String(k)]: await screen(name) });
        const good = await page.waitForFunction(holds, names.length, { timeout: 15_000, polling: 30 }).then(() => true, () => false);
        if (good || attempt === 5) return assert.ok(good, `${names} are held`);
        await lift(...[...names.keys()].map(String));
        await held(0);
    }
}

test("the hint is for fingers, and the picture as a whole can be touched", async () => {
    assert.match(await page.textContent(".hint"), /finger/);
    for (const [x, y] of beside) assert.equal(await page.evaluate(([x, y]) => sinew.pick(x, y), [x, y]), null);
    await page.screenshot({ path: `${pictures}/tablet.png` });
});

test("one finger beside bodies turns the camera", async () => {
    const before = await camera();
    await press({ a: beside[0] });
    for (let k = 1; k <= 5; k++) await slide({ a: [beside[0][0] + 20 * k, beside[0][1] + 6 * k] });
    await lift("a");
    const after = await camera();
    assert.ok(after.azimuth < before.azimuth - 0.3 && after.elevation > before.elevation + 0.1, JSON.stringify([before, after]));
    assert.equal(after.distance, before.distance);
    assert.deepEqual(await page.evaluate(() => sinew.hands.filter((hand) => hand.owner === sinew.client)), []);
});

test("two fingers beside bodies zoom and move the camera", async () => {
    const before = await camera();
    const [[x, y], [u]] = beside;
    const middle = (x + u) / 2;
    await press({ a: [middle - 60, y] });
    await press({ b: [middle + 60, y] });
    for (let k = 1; k <= 6; k++) await slide({ a: [middle - 60 - 10 * k, y], b: [middle + 60 + 10 * k, y] });
    const zoomed = await camera();
    assert.ok(Math.abs(zoomed.distance / before.distance - 0.5) < 0.05, "twice as far apart is half as far away");
    for (let k = 1; k <= 6; k++) await slide({ a: [middle - 120 + 15 * k, y], b: [middle + 120 + 15 * k, y] });
    const moved = await camera();
    assert.ok(Math.hypot(...moved.target.map((value, c) => value - zoomed.target[c])) > 0.01 * zoomed.distance);
    assert.equal(moved.azimuth, before.azimuth);
    await lift("a", "b");
    await page.evaluate(() => document.querySelector('[aria-label="See everything"]').click());
});

test("one finger on a body grabs it, it follows, and falls when released", async () => {
    await waitFor(page, () => sinew.time > 0.5);
    const rest = await page.evaluate(() => sinew.position("mug")[2]);
    await takeHold(["mug"]);
    const [x, y] = fingers.get("0");
    for (let k = 1; k <= 6; k++) await slide({ 0: [x, y - 40 * k] });
    await waitFor(page, (rest) => sinew.position("mug")[2] > rest + 0.03, rest);
    await lift("0");
    await held(0);
    await waitFor(page, (rest) => sinew.position("mug")[2] < rest + 0.01, rest);
});

test("two fingers on two bodies hold both, and the camera stays", async () => {
    const before = await camera();
    await takeHold(["mug", "ball"]);
    const bodies = await page.evaluate(() => sinew.hands.filter((hand) => hand.holds).map((hand) => sinew.bodies[hand.body]).sort());
    assert.deepEqual(bodies, ["ball", "mug"]);
    const places = Object.fromEntries([...fingers].map(([name, [x, y]]) => [name, [x, y - 240]]));
    await slide(places);
    await waitFor(page, () => sinew.position("mug")[2] > 0.85 && sinew.position("ball")[2] > 0.85);
    assert.deepEqual(await camera(), before);
    await lift("0", "1");
    await held(0);
    assert.deepEqual(page.faults, []);
});
