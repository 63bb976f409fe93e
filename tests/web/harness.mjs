// SPDX-License-Identifier: Apache-2.0
// The program and a browser for tests of the page: started, waited for, stopped.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

/** For slow machines and software that draws: patience, not frames. */
export const PATIENCE_MS = 90_000;

const CHROMIUM_OPTIONS = [
    "--no-sandbox", "--disable-gpu-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run",
    "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

export function launchBrowser() {
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: CHROMIUM_OPTIONS });
}

export async function freePort() {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}

/** `sinew ARGUMENTS`, once it has printed its address; startProgram.in(FOLDER) does it there. */
export const startProgram = (...args) => start(undefined, args);
startProgram.in = (cwd) => (...args) => start(cwd, args);

async function start(cwd, args) {
    const child = spawn(process.env.SINEW, args, { stdio: ["ignore", "pipe", "pipe"], cwd });
    let output = "";
    const url = await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no address within ${PATIENCE_MS} ms: ${output}`)), PATIENCE_MS);
        const read = (chunk) => {
            output += chunk;
            const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(output);
            if (!found) return;
            clearTimeout(timer);
            resolve(found[0]);
        };
        child.stdout.on("data", read);
        child.stderr.on("data", read);
        child.on("exit", (code) => reject(new Error(`sinew ended with ${code}: ${output}`)));
    });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    return {
        url,
        pid: child.pid,
        output: () => output,
        running: () => child.exitCode === null && child.signalCode === null,
        async stop() {
            child.kill("SIGINT");
            return ended;
        },
    };
}

/** A page of the program, once it shows a scene. Small and coarse unless told, as there is no graphics card. */
export async function openPage(browser, url, { width = 520, height = 360, ready = true, quality = "low", ...context } = {}) {
    const page = await (await browser.newContext({ viewport: { width, height }, ...context })).newPage();
    page.faults = [];
    page.foreign = [];
    page.on("pageerror", (error) => page.faults.push(error.stack));
    page.on("request", (request) => {
        if (new URL(request.url()).origin !== new URL(url).origin && !/^(data|blob):/.test(request.url())) page.foreign.push(request.url());
    });
    await page.goto(`${url}&quality=${quality}`, { timeout: PATIENCE_MS });
    if (ready) await waitFor(page, () => window.sinew?.link === "open" && sinew.drawn >= 0);
    return page;
}

export function waitFor(page, condition, argument) {
    return page.waitForFunction(condition, argument, { timeout: PATIENCE_MS, polling: 30 });
}

/** Opens a scene of the gallery as a person does, but for the way of the mouse: it waits for pictures, which are slow here. */
export async function chooseScene(page, name) {
    const before = await page.evaluate(() => sinew.generation);
    await page.evaluate((name) => {
        document.querySelector(".scene-button").click();
        document.querySelector(`[data-scene="${name}"]`).click();
    }, name);
    await waitFor(page, ({ name, before }) => sinew.scene === name && sinew.generation !== before && sinew.drawn === sinew.generation, { name, before });
}

/** Takes hold of a body with the mouse, anew where it moved away meanwhile; returns where on the screen. */
async function takeHold(page, name) {
    const holds = (name) => sinew.hands.some((hand) => hand.owner === sinew.client && hand.holds && sinew.bodies[hand.body] === name);
    for (const end = Date.now() + PATIENCE_MS; ; ) {
        const [x, y] = await page.evaluate((name) => sinew.screen(name), name);
        await page.mouse.move(x, y);
        await page.mouse.down();
        const held = await page.waitForFunction(holds, name, { timeout: 3000, polling: 30 }).catch(() => null);
        if (held) return [x, y];
        await page.mouse.up();
        if (Date.now() < end) continue;
        const seen = await page.evaluate(
            ([x, y]) => ({ time: sinew.time, selected: sinew.bodies[sinew.selected], hands: sinew.hands, notices: sinew.notices, there: document.elementFromPoint(x, y)?.outerHTML.slice(0, 200) }),
            [x, y],
        );
        throw new Error(`${name} at ${x}, ${y} is not held: ${JSON.stringify(seen)}`);
    }
}

/** Holds a body with the mouse while `act` is done; its `move` goes from where the body was. */
export async function holding(page, name, act) {
    const [x, y] = await takeHold(page, name);
    try {
        await act((dx, dy, steps = 6) => page.mouse.move(x + dx, y + dy, { steps }));
    } finally {
        await page.mouse.up();
    }
    await waitFor(page, () => !sinew.hands.some((hand) => hand.owner === sinew.client));
}
