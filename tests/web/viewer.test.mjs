// SPDX-License-Identifier: Apache-2.0
// The page in a browser, with the program behind it. Waits on states, never on numbers of pictures.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { chooseScene, freePort, holding, launchBrowser, openPage, startProgram, waitFor } from "./harness.mjs";

const pictures = process.env.PICTURES ?? "build/web";
let browser, program, page;

before(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
    program = await startProgram("run", "table", "--port", "0", "--no-open");
    page = await openPage(browser, program.url);
});

after(async () => {
    await browser?.close();
    await program?.stop();
});

const state = (read) => page.evaluate(read);

test("the page shows the scene, and asks nobody else for anything", async () => {
    assert.equal(await state(() => sinew.scene), "table");
    assert.ok((await state(() => sinew.bodies)).includes("mug"));
    assert.deepEqual(page.foreign, []);
    assert.deepEqual(page.faults, []);
});

test("a mouse drag grabs a body, it follows, and falls when released", async () => {
    await waitFor(page, () => sinew.time > 0.5);
    const rest = await state(() => sinew.position("mug"));
    await holding(page, "mug", async (move) => {
        await move(0, -60);
        await waitFor(page, (z) => sinew.position("mug")[2] > z + 0.03, rest[2]);
        // at rest in the hand: what is felt is the weight, and the label says so
        await waitFor(page, () => Math.abs(sinew.felt - 0.35 * 9.81) < 0.2);
        await waitFor(page, () => sinew.labels.some((text) => /^3\.[2-6]\d N$/.test(text)));
    });
    await waitFor(page, (z) => sinew.position("mug")[2] < z + 0.01, rest[2]);
});

test("the force shown is the force in the simulation", async () => {
    await holding(page, "ball", async (move) => {
        await move(10, -50);
        // at rest, and read at one moment: the force on the body carries its weight, the hand feels the opposite
        await waitFor(page, (weight) => {
            const hand = sinew.hands.find((one) => one.owner === sinew.client);
            const near = (got, wanted) => got.every((value, c) => Math.abs(value - wanted[c]) < 0.03);
            return sinew.position("ball")[2] > 0.85 && near(hand.pull, [0, 0, weight]) && near(hand.felt, [0, 0, -weight]);
        }, 0.058 * 9.81);
    });
});

test("pause, step and reset", async () => {
    await page.click('[aria-label="Pause"]');
    await waitFor(page, () => sinew.state.paused);
    const step = await state(() => sinew.step);
    await page.click('[aria-label="Step"]');
    await waitFor(page, (step) => sinew.step === step + 1, step);
    await page.keyboard.press("Shift+Period");
    await waitFor(page, (step) => sinew.step === step + 11, step);
    await page.click('[aria-label="Reset"]');
    await waitFor(page, () => sinew.position("ball")[2] > 0.88); // where the scene lets it fall
    await page.click('[aria-label="Run"]');
    await waitFor(page, () => !sinew.state.paused && sinew.position("ball")[2] < 0.88);
});

test("plots are composed by clicks and exported", async () => {
    await page.keyboard.press("p");
    await page.click("text=Total energy");
    await page.click("text=Kinetic energy");
    await waitFor(page, () => sinew.csv().split("\n").length > 300);
    const files = {};
    for (const kind of ["csv", "svg"]) {
        const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-unit="J"] [data-export="${kind}"]`)]);
        files[kind] = readFileSync(await download.path(), "utf8");
        assert.match(download.suggestedFilename(), new RegExp(`^sinew-table.*\\.${kind}$`));
    }
    const lines = files.csv.trim().split("\n");
    assert.match(lines[0], /^time \[s\],.*\[J\].*,.*\[J\].*$/);
    const rows = lines.slice(1).map((line) => line.split(",").map(Number));
    assert.ok(rows.length > 200 && rows.every((row) => row.length === 3 && row[2] >= 0), "kinetic energy is never negative");
    assert.ok(rows.every((row, k) => k === 0 || row[0] > rows[k - 1][0]), "time goes on");
    assert.equal(files.svg.match(/<polyline/g).length, 2);
    assert.ok(!files.svg.includes("NaN"));
    await page.keyboard.press("p");
});

test("what the browser sends wrong ends its connection, not the program; the page connects again", async () => {
    const other = await openPage(browser, program.url);
    const code = await other.evaluate(() => new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws${location.search.split("&")[0]}`, "sinew.1");
        socket.binaryType = "arraybuffer";
        socket.onopen = () => socket.send(new Uint8Array([250, 1, 2]));
        socket.onclose = (event) => resolve(event.code);
    }));
    assert.equal(code, 1002);
    assert.ok(program.running());
    const frames = await other.evaluate(() => sinew.frames);
    await waitFor(other, (frames) => sinew.frames > frames, frames);
    await other.context().close();
});

test("a wrong token is refused, and the page says what to do", async () => {
    const other = await openPage(browser, program.url.replace(/token=.*/, "token=wrong"), { ready: false });
    await waitFor(other, () => window.sinew?.link === "refused");
    assert.match(await other.textContent(".welcome"), /token/);
    assert.equal(await other.evaluate(() => sinew.scene), "");
    await other.context().close();
});

test("two browsers hold two bodies of one robot", async () => {
    await chooseScene(page, "humanoid");
    const other = await openPage(browser, program.url);
    const names = await state(() => sinew.bodies);
    const arms = ["robot/l_wrist", "robot/r_wrist"];
    assert.ok(arms.every((name) => names.includes(name)), String(names));
    await holding(page, arms[0], () => holding(other, arms[1], async () => {
        await waitFor(page, () => sinew.hands.length === 2);
        const hands = await state(() => sinew.hands);
        assert.notEqual(hands[0].owner, hands[1].owner);
        assert.notEqual(hands[0].colour, hands[1].colour);
        assert.deepEqual(hands.map((hand) => names[hand.body]).sort(), arms);
    }));
    await other.context().close();
    await waitFor(page, () => sinew.state.clients.length === 1);
});

test("the budget changes how many joints are active", async () => {
    await page.selectOption('[aria-label="Algorithm of the dynamics"]', "adaptive");
    await waitFor(page, () => sinew.state.dynamics === "adaptive");
    const budget = page.locator('[aria-label="Most active joints"]');
    for (const joints of [5, 0]) {
        await budget.fill(String(joints));
        await waitFor(page, (joints) => sinew.state.max_active === joints && sinew.state.active <= joints, joints);
    }
    // what sleeps is marked
    await waitFor(page, () => sinew.activity.some((one) => one === 1));
});

test("every scene of the gallery loads", async () => {
    const gallery = await state(() => sinew.gallery);
    assert.ok(gallery.length >= 10);
    for (const name of gallery) {
        await chooseScene(page, name);
        assert.ok((await state(() => sinew.bodies.length)) > 0, name);
        await page.screenshot({ path: `${pictures}/${name.replace(/\W+/g, "-")}.png` });
    }
    assert.deepEqual(page.faults, []);
    assert.equal(await state(() => sinew.malformed), 0);
});

test("the page comes back when the program does", async () => {
    const port = await freePort();
    const options = ["run", "pendulum", "--port", String(port), "--token", "abcdefabcdefabcdefabcdefabcdefab", "--no-open"];
    const first = await startProgram(...options);
    const other = await openPage(browser, first.url);
    await first.stop();
    await other.waitForSelector(".banner:not([hidden])");
    const second = await startProgram(...options);
    await waitFor(other, () => sinew.link === "open" && sinew.time > 0);
    await other.waitForSelector(".banner", { state: "hidden" });
    assert.deepEqual(other.faults, []);
    await other.context().close();
    await second.stop();
});
