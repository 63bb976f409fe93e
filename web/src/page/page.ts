// SPDX-License-Identifier: Apache-2.0
// The page around the picture: top row, panels at both sides, controls below; what opens what.
import type { Commands } from "../state/commands.ts";
import { connectionBanner, noWebglPage, Notices, refusedPage } from "./notices.ts";
import type { Connection } from "../wire/connection.ts";
import { h, icon, setText } from "../base/dom.ts";
import { Gallery } from "./gallery.ts";
import { Gestures } from "../picture/gestures.ts";
import { Help } from "./help.ts";
import { hint } from "./hint.ts";
import { ICONS } from "../base/icons.ts";
import { Inspector } from "./inspector.ts";
import { LayersPanel, SWITCHES } from "./layers_panel.ts";
import { MetersPanel } from "./meters.ts";
import { Plots } from "./plots.ts";
import { NONE, type State } from "../wire/protocol.ts";
import { openSurface } from "../picture/surface.ts";
import { Quantities } from "../state/quantities.ts";
import { Replay } from "./replay.ts";
import { listen } from "./shortcuts.ts";
import type { Store } from "../state/store.ts";
import { Toolbar } from "./toolbar.ts";
import { Tree } from "./tree.ts";
import { View } from "../picture/view.ts";

type RightPanel = "plots" | "meters" | "layers";

const TITLES: Record<RightPanel, string> = { plots: "Plots", meters: "Meters", layers: "Shown" };

export class Page {
    readonly view: View | null;
    readonly gestures: Gestures | null = null;
    readonly quantities: Quantities;
    readonly plots: Plots;
    private readonly tree: Tree;
    private readonly toolbar: Toolbar;
    private readonly gallery: Gallery;
    private readonly help = new Help();
    private readonly left: HTMLElement;
    private readonly right: HTMLElement;
    private readonly rightTitle = h("h2");
    private readonly rightBodies: Record<RightPanel, HTMLElement>;
    private readonly layers: LayersPanel | null = null;
    private readonly buttons = new Map<string, HTMLElement>();
    private open: RightPanel | null = null;

    constructor(private readonly store: Store, private readonly connection: Connection, commands: Commands, quality: string | null) {
        const canvas = h("canvas", { id: "stage", tabindex: 0, "aria-label": "The scene. Drag a body to pull it; F1 for help." });
        const stage = h("main", { class: "stage" }, canvas);
        this.quantities = new Quantities(store, commands);
        this.plots = new Plots(store, this.quantities);
        this.tree = new Tree(store);
        this.toolbar = new Toolbar(store, commands);
        this.gallery = new Gallery(store, commands);
        this.left = this.panel("left", h("h2", {}, "Bodies"), () => this.toggleLeft(), this.tree.search, this.tree.root, new Inspector(store, commands, this.quantities).root);
        this.rightBodies = { plots: this.plots.root, meters: new MetersPanel(store).root, layers: h("div") };
        // in the document before the picture, so that the canvas has its size
        this.right = this.panel("right", this.rightTitle, () => this.toggleRight(this.open ?? "plots"));
        document.body.append(h("div", { class: "page" }, this.left, this.topBar(), stage, this.right), this.gallery.dialog, this.help.dialog);
        this.left.hidden = !window.matchMedia("(min-width: 1001px)").matches;
        this.right.hidden = true;

        const surface = openSurface(canvas, quality);
        this.view = surface && new View(store, surface);
        if (surface) document.documentElement.dataset.quality = surface.quality;
        if (this.view) {
            this.gestures = new Gestures(this.view, store, connection, (text) => store.notify({ level: "warning", time: store.time, text }));
            this.layers = new LayersPanel(this.view, store);
            this.rightBodies.layers = this.layers.root;
            stage.append(this.view.labels.root, this.loading(this.view));
        } else {
            stage.append(noWebglPage());
        }
        this.right.append(...Object.values(this.rightBodies));
        const bottom = h("div", { class: "bottom" }, hint(store), new Replay(store, commands).root, this.toolbar.root);
        stage.append(bottom, new Notices(store).root, connectionBanner(connection));
        new ResizeObserver(() => this.uncover(bottom.offsetHeight)).observe(bottom);
        this.showRefusal(stage);
        this.showPanels();
        this.listenKeys(commands);
    }

    toggleRight(panel: RightPanel): void {
        this.open = this.open === panel ? null : panel;
        this.showPanels();
    }

    private uncover(height: number): void {
        if (!this.view) return;
        this.view.covered = height;
        this.view.resize();
    }

    private toggleLeft(): void {
        this.left.hidden = !this.left.hidden;
        this.showPanels();
    }

    private panel(side: string, title: HTMLElement, close: () => void, ...content: HTMLElement[]): HTMLElement {
        return h("aside", { class: `panel ${side}` }, h("header", {}, title, h("button", { class: "icon-only quiet", "aria-label": "Close", onClick: close }, icon(ICONS.close))), ...content);
    }

    private topBar(): HTMLElement {
        const scene = h("span", {}, "…");
        const presence = h("div", { class: "presence", role: "img", hidden: true });
        this.store.onScene.on((now) => {
            setText(scene, now.name);
            document.title = `${now.name} · Sinew`;
        });
        this.store.onState.on((state) => this.showPresence(presence, state));
        const button = (key: string, path: string, text: string, letter: string, action: () => void) => {
            const element = h("button", { title: `${text} (${letter})`, "aria-label": text, "aria-pressed": false, onClick: action }, icon(path), h("span", { class: "text" }, text));
            this.buttons.set(key, element);
            return element;
        };
        const row = h(
            "div", { class: "top" },
            button("left", ICONS.bodies, "Bodies", "B", () => this.toggleLeft()),
            h("div", { class: "brand" }, logo(), h("span", {}, "Sinew")),
            h("button", { class: "scene-button", title: "Scenes (G)", onClick: () => this.gallery.open() }, icon(ICONS.scenes), scene, h("span", { "aria-hidden": true }, "▾")),
            h("div", { class: "spacer" }),
            presence,
            h("button", { class: "icon-only", title: "See everything (V)", "aria-label": "See everything", onClick: () => this.view?.focusSelected() }, icon(ICONS.camera)),
            button("layers", ICONS.layers, "Shown", "L", () => this.toggleRight("layers")),
            button("plots", ICONS.plots, "Plots", "P", () => this.toggleRight("plots")),
            button("meters", ICONS.meters, "Meters", "I", () => this.toggleRight("meters")),
            h("button", { class: "icon-only", title: "Help (F1)", "aria-label": "Help", onClick: () => this.help.toggle() }, icon(ICONS.help)),
        );
        return h("header", { class: "top-row" }, row);
    }

    private showPresence(presence: HTMLElement, state: State): void {
        presence.hidden = state.clients.length < 2;
        presence.setAttribute("aria-label", `${state.clients.length} viewers`);
        presence.replaceChildren(...state.clients.slice(0, 6).map(({ client, colour }) => {
            const self = client === this.store.hello?.client;
            return h("i", { style: `--owner: ${colour}`, class: self ? "self" : "", title: self ? "you" : `viewer ${client}` }, String(client));
        }));
    }

    private loading(view: View): HTMLElement {
        const element = h("div", { class: "loading" }, "Waiting for the scene …");
        const stop = view.drawn.on(() => {
            if (this.store.frames === 0) return;
            element.remove();
            stop();
        });
        return element;
    }

    private showRefusal(stage: HTMLElement): void {
        let page: HTMLElement | null = null;
        this.connection.link.on((link) => {
            if (link.kind === "refused" && !page) stage.append((page = refusedPage()));
            if (link.kind !== "open") return;
            page?.remove();
            page = null;
        });
    }

    private showPanels(): void {
        this.right.hidden = this.open === null;
        if (this.open) setText(this.rightTitle, TITLES[this.open]);
        for (const [name, body] of Object.entries(this.rightBodies)) body.hidden = name !== this.open;
        this.buttons.get("left")!.setAttribute("aria-pressed", String(!this.left.hidden));
        for (const name of Object.keys(TITLES)) this.buttons.get(name)!.setAttribute("aria-pressed", String(name === this.open));
    }

    private searchBodies(): void {
        this.left.hidden = false;
        this.showPanels();
        this.tree.search.focus();
    }

    private listenKeys(commands: Commands): void {
        const help = () => this.help.toggle();
        listen({
            " ": () => this.toolbar.togglePause(),
            ".": (event) => void commands.step(event.shiftKey ? 10 : 1),
            ">": () => void commands.step(10),
            Backspace: () => void commands.reset(),
            "[": () => this.toolbar.changePace(-1),
            "]": () => this.toolbar.changePace(1),
            Delete: () => this.toolbar.things.removeSelected(),
            r: () => this.toolbar.toggleRecord(),
            g: () => this.gallery.open(),
            b: () => this.toggleLeft(),
            p: () => this.toggleRight("plots"),
            i: () => this.toggleRight("meters"),
            l: () => this.toggleRight("layers"),
            "/": () => this.searchBodies(),
            v: () => this.view?.focusSelected(),
            Escape: () => {
                this.gestures?.releaseAll();
                this.store.select(NONE);
            },
            F1: help,
            "?": help,
            ...Object.fromEntries(SWITCHES.map(([layer, , key]) => [key.toLowerCase(), () => this.layers?.toggle(layer)])),
        });
    }
}

function logo(): SVGElement {
    const svg = icon("M5 19 11 9l5 5.5L20 5");
    svg.style.stroke = "var(--accent)";
    svg.style.strokeWidth = "3";
    return svg;
}
