// SPDX-License-Identifier: Apache-2.0
// What the page offers beside grabbing: tree, inspector, MuJoCo's gestures, what is drawn, things that come and go,
// recordings, devices, molecules. In a browser, with the program behind it; waits on states.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chooseScene, launchBrowser, openPage, startProgram, waitFor } from "./harness.mjs";

let browser, folder;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "sinew-features-"));
    browser = await launchBrowser();
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
});

/** A program and its page, wide enough for panels, while `act` is done. */
async function withPage(words, act, options = {}) {
    const program = await startProgram.in(folder)(...words, "--port", "0", "--no-open");
    const page = await openPage(browser, program.url, { width: 1280, height: 800, ...options });
    try {
        await act(page, program);
        assert.deepEqual(page.faults, []);
        assert.deepEqual(page.foreign, []);
        assert.equal(await page.evaluate(() => sinew.malformed), 0);
    } finally {
        await page.context().close();
        await program.stop();
    }
}

const click = (page, selector) => page.evaluate((selector) => document.querySelector(selector).click(), selector);

test("bodies are found in the tree, and the inspector moves their joints", () => withPage(["run", "humanoid"], async (page) => {
    await page.keyboard.press("Space"); // nothing moves but what is moved here
    await waitFor(page, () => sinew.state.paused);
    await page.keyboard.press("/");
    await page.keyboard.type("r_shank");
    await waitFor(page, () => document.querySelectorAll('.tree [role="treeitem"]').length === 1);
    await click(page, '.tree [role="treeitem"]');
    await waitFor(page, () => sinew.bodies[sinew.selected] === "robot/r_shank");
    const facts = await page.textContent(".inspector");
    assert.match(facts, /Mass[\d.]+ k?g/);
    assert.match(facts, /revolute/);
    const slider = page.locator('.inspector input[type="range"]').first();
    const [low, high] = await slider.evaluate((one) => [Number(one.min), Number(one.max)]);
    const goal = low + 0.25 * (high - low);
    await slider.fill(String(goal));
    await waitFor(page, (goal) => sinew.joint && Math.abs(sinew.joint.q[0] - goal) < 1e-6, goal);
    const degrees = ((goal * 180) / Math.PI).toPrecision(3);
    await waitFor(page, (degrees) => document.querySelector(".inspector .joint output").textContent.startsWith(degrees.slice(0, 4)), degrees);
}));

test("the gestures of MuJoCo pull and turn what is selected, wherever the pointer is", () => withPage(["run", "table"], async (page) => {
    await page.evaluate(() => sinew.select("mug"));
    const beside = [640, 120];
    assert.equal(await page.evaluate(([x, y]) => sinew.pick(x, y), beside), null);
    const mine = () => waitFor(page, () => sinew.hands.some((hand) => hand.owner === sinew.client && hand.holds));
    const none = () => waitFor(page, () => !sinew.hands.some((hand) => hand.owner === sinew.client));
    const place = () => page.evaluate(() => sinew.position("mug"));
    const [, , z] = await place();
    await page.keyboard.down("Control");
    await page.mouse.move(...beside);
    await page.mouse.down({ button: "right" });
    await mine();
    await page.mouse.move(beside[0], beside[1] - 100, { steps: 5 });
    await waitFor(page, (z) => sinew.position("mug")[2] > z + 0.03, z);
    await page.mouse.up({ button: "right" });
    await none();
    await page.keyboard.down("Shift"); // level: it moves along, not up, whether it has fallen back onto the table by then or not
    await page.mouse.move(...beside);
    await page.mouse.down({ button: "right" });
    await mine();
    const held = await place();
    await page.mouse.move(beside[0] + 150, beside[1], { steps: 5 });
    await waitFor(page, ([x, , z]) => Math.abs(sinew.position("mug")[0] - x) > 0.03 && sinew.position("mug")[2] < z + 0.02, held);
    await page.mouse.up({ button: "right" });
    await none();
    await page.keyboard.up("Shift");
    const before = await page.evaluate(() => sinew.pose("mug").slice(3));
    await page.mouse.move(...beside);
    await page.mouse.down();
    await mine();
    await page.mouse.move(beside[0] + 120, beside[1], { steps: 6 });
    await waitFor(page, (before) => Math.abs(sinew.pose("mug").slice(3).reduce((sum, value, c) => sum + value * before[c], 0)) < Math.cos(0.15), before);
    await page.mouse.up();
    await page.keyboard.up("Control");
    await none();
}));

test("what is drawn is switched by keys, and shades say what sleeps", () => withPage(["run", "box_pile"], async (page) => {
    for (const [key, layer] of [["c", "contacts"], ["f", "forces"], ["k", "cones"], ["m", "centres"], ["j", "axes"], ["t", "traces"]]) {
        const before = await page.evaluate((layer) => sinew.layers[layer], layer);
        await page.keyboard.press(key);
        await waitFor(page, ({ layer, before }) => sinew.layers[layer] === !before, { layer, before });
        await page.keyboard.press(key);
        await waitFor(page, ({ layer, before }) => sinew.layers[layer] === before, { layer, before });
    }
    await waitFor(page, () => sinew.activity.some((one) => one === 2)); // something has come to rest
    await waitFor(page, () => [...document.querySelectorAll(".tree .state")].some((one) => one.textContent === "rests"));
}));

test("time goes slower, keys are explained, and help closes again", () => withPage(["run", "pendulum"], async (page) => {
    await page.keyboard.press("[");
    await waitFor(page, () => sinew.state.pace === 0.5);
    await page.keyboard.press("]");
    await waitFor(page, () => sinew.state.pace === 1);
    await page.keyboard.press("F1");
    await waitFor(page, () => document.querySelector('dialog[aria-label="Help"]').open);
    const words = await page.textContent('dialog[aria-label="Help"]');
    for (const word of ["Drag a body", "MuJoCo", "Two fingers", "one step", "record"]) assert.ok(words.includes(word), word);
    await page.keyboard.press("Escape");
    await waitFor(page, () => !document.querySelector('dialog[aria-label="Help"]').open);
}));

test("things are dropped and removed while it runs, and the algorithm changes", () => withPage(["run", "table"], async (page) => {
    const count = await page.evaluate(() => sinew.bodies.length);
    await click(page, ".things summary");
    await click(page, ".things .chips button"); // a ball
    await waitFor(page, (count) => sinew.bodies.length === count + 1, count);
    const name = await page.evaluate(() => sinew.bodies.at(-1));
    await waitFor(page, (name) => sinew.position(name)[2] < 1.2, name); // it falls
    await page.evaluate((name) => sinew.select(name), name);
    await page.keyboard.press("Delete");
    await waitFor(page, (count) => sinew.bodies.length === count, count);
    await page.selectOption('[aria-label="Algorithm of the dynamics"]', "dca");
    await waitFor(page, () => sinew.state.dynamics === "dca");
    assert.ok(await page.evaluate(() => document.querySelector(".budget").hidden)); // only adaptive dynamics has one
}));

test("a recording is made, and played with a scrubber and words of its own", async () => {
    await withPage(["run", "seesaw"], async (page) => {
        await page.keyboard.press("r");
        await waitFor(page, () => sinew.state.recording !== "");
        const begin = await page.evaluate(() => sinew.time);
        await waitFor(page, (begin) => sinew.time > begin + 1, begin);
        await page.keyboard.press("r");
        await waitFor(page, () => sinew.state.recording === "");
    });
    const file = readdirSync(folder).find((name) => name.endsWith(".sinew"));
    await withPage(["replay", file], async (page) => {
        assert.doesNotMatch(await page.textContent(".hint"), /pull/);
        assert.match(await page.textContent(".hint"), /bar below/);
        if (!(await page.evaluate(() => sinew.state.paused))) await page.keyboard.press("Space");
        await waitFor(page, () => sinew.state.paused); // here, or at its end
        const slider = page.locator('[aria-label="Place in the recording"]');
        const [low, high] = await slider.evaluate((one) => [Number(one.min), Number(one.max)]);
        for (const part of [0.7, 0.2]) {
            const goal = low + part * (high - low);
            await slider.evaluate((one, goal) => { // as a hand on it does
                one.value = String(goal);
                one.dispatchEvent(new Event("input"));
            }, goal);
            await waitFor(page, (goal) => Math.abs(sinew.time - goal) < 0.01, goal);
        }
        // a drag on a body looks around, and nobody complains
        const notices = await page.evaluate(() => sinew.notices.length);
        const at = await page.evaluate(() => sinew.screen("ball") ?? sinew.screen(sinew.bodies[0]));
        const before = await page.evaluate(() => sinew.camera.azimuth);
        await page.mouse.move(...at);
        await page.mouse.down();
        await page.mouse.move(at[0] + 100, at[1], { steps: 4 });
        await page.mouse.up();
        await waitFor(page, (before) => Math.abs(sinew.camera.azimuth - before) > 0.2, before);
        assert.equal(await page.evaluate(() => sinew.notices.length), notices);
        assert.deepEqual(await page.evaluate(() => sinew.hands), []);
    });
});

test("a hand on a device is shown as a probe that nobody here owns", async () => {
    // up and down for two minutes: a starved machine takes the force away for a moment, and the hand takes hold where it then is
    const knots = Array.from({ length: 60 }, (_, k) => `${2 * k} 0 0 ${k % 2 ? 0.08 : 0} 1`);
    writeFileSync(join(folder, "hand.txt"), knots.join("\n") + "\n");
    await withPage(["run", "table", "--device", "sim:omega3", "--hold", "mug", "--script", join(folder, "hand.txt")], async (page) => {
        await waitFor(page, () => sinew.hands.length === 1 && sinew.hands[0].holds && sinew.bodies[sinew.hands[0].body] === "mug");
        assert.equal(await page.evaluate(() => sinew.hands[0].owner), 0);
        await waitFor(page, () => sinew.position("mug")[2] > 0.82); // it lifts the mug
        await waitFor(page, () => /^\d+\.\d+ N$/.test(sinew.labels[0]));
        await page.keyboard.press("i");
        await waitFor(page, () => /haptics of hand 0/.test(document.querySelector(".right").textContent));
    });
});

test("molecules are told in nm, ps, u, kJ/mol and pN, and their atoms by name", () => withPage(["run", "helix"], async (page) => {
    assert.match(await page.textContent(".hint"), /atom/);
    await waitFor(page, () => / ps$/.test(document.querySelector(".time").textContent));
    const body = await page.evaluate(() => sinew.bodies[20]);
    const [x, y] = await page.evaluate((body) => sinew.screen(body), body);
    await page.mouse.move(x - 1, y);
    await page.mouse.move(x, y);
    await waitFor(page, () => /^\w+ of ALA \d+, chain A$/.test(document.querySelector(".tip:not([hidden])")?.textContent ?? ""));
    await page.mouse.down();
    await waitFor(page, () => sinew.hands.length === 1);
    await page.mouse.move(x + 40, y - 40, { steps: 4 });
    await waitFor(page, () => sinew.labels.some((text) => / pN$/.test(text)));
    await page.mouse.up();
    const facts = await page.textContent(".inspector");
    assert.match(facts, /AtomH?\w+ResidueALA \d+ChainAMass[\d.]+ u/);
    await page.keyboard.press("p");
    for (const chip of ["Force field", "Torsions", "Van der Waals", "Charges", "Force I feel"])
        await page.evaluate((chip) => [...document.querySelectorAll(".chips button")].find((one) => one.textContent === chip).click(), chip);
    await waitFor(page, () => sinew.csv().split("\n").length > 200);
    const [head, ...lines] = (await page.evaluate(() => sinew.csv())).trim().split("\n");
    assert.equal(head, 'time [ps],force field [kJ/mol],torsions [kJ/mol],van der Waals [kJ/mol],charges [kJ/mol],"felt, my hands [pN]"');
    const last = lines.at(-1).split(",").map(Number);
    assert.ok(last.every(Number.isFinite) && last[1] > last[2] && last[2] > 0, lines.at(-1)); // bonds and angles are constant here, and more
    for (const word of [" kg", " J", " N"]) assert.ok(!(await page.textContent("body")).includes(`0${word} `), word);
}));

test("only what is awake is bright in a protein, and the budget says how much that is", () => withPage(["run", "protein"], async (page) => {
    await waitFor(page, () => sinew.state.dynamics === "adaptive" && sinew.state.active === 30);
    await waitFor(page, () => sinew.activity.filter((one) => one === 1).length > 50);
    await page.locator('[aria-label="Most active joints"]').fill("10");
    await waitFor(page, () => sinew.state.max_active === 10 && sinew.state.active <= 10);
    await chooseScene(page, "pendulum");
    assert.ok(await page.evaluate(() => !document.querySelector(".hint").textContent.includes("atom")));
}));
