// SPDX-License-Identifier: Apache-2.0
// The tree of bodies with a search. Only the rows in sight are elements, so 10^4 bodies are no burden.
import { h } from "../base/dom.ts";
import { NONE } from "../wire/protocol.ts";
import { Activity, type Store } from "../state/store.ts";
import { searchRows, treeRows, type Row } from "./tree_rows.ts";

const STATES: Record<number, string> = { [Activity.Sleeps]: "sleeps", [Activity.Rests]: "rests", [Activity.Locked]: "locked" };

export class Tree {
    readonly search = h("input", { type: "search", class: "search", placeholder: "Search bodies", "aria-label": "Search bodies", onInput: () => this.rebuild() });
    readonly root = h("div", { class: "tree", role: "tree", tabindex: 0, "aria-label": "Bodies", onScroll: () => this.render(), onKeydown: (event: KeyboardEvent) => this.key(event) });
    private readonly spacer = h("div");
    private readonly visible = h("div", { class: "window" });
    private readonly closed = new Set<string>();
    private rows: Row[] = [];
    private pending = 0;

    constructor(private readonly store: Store) {
        this.root.append(this.spacer, this.visible);
        store.onScene.on(() => {
            this.closed.clear();
            this.rebuild();
        });
        store.onSelect.on((body) => this.reveal(body));
        store.onActivity.on(() => this.renderSoon());
        new ResizeObserver(() => this.render()).observe(this.root);
    }

    private rebuild(): void {
        const { scene } = this.store;
        const text = this.search.value.trim();
        this.rows = !scene ? [] : text ? searchRows(scene, text) : treeRows(scene, this.closed);
        this.render();
    }

    private renderSoon(): void {
        this.pending ||= window.setTimeout(() => {
            this.pending = 0;
            this.render();
        }, 200);
    }

    private rowHeight(): number {
        return window.matchMedia("(max-width: 1000px)").matches ? 34 : 26;
    }

    private render(): void {
        const height = this.rowHeight();
        const first = Math.max(0, Math.floor(this.root.scrollTop / height) - 4);
        const count = Math.ceil(this.root.clientHeight / height) + 8;
        this.spacer.style.height = `${this.rows.length * height}px`;
        this.visible.style.transform = `translateY(${first * height}px)`;
        this.visible.style.top = "0";
        this.visible.replaceChildren(...this.rows.slice(first, first + count).map((row) => this.element(row)));
    }

    private element(row: Row): HTMLElement {
        const isBody = row.body !== NONE;
        const twist = h("span", { class: "twist", "aria-hidden": true }, row.open === undefined ? "" : row.open ? "▾" : "▸");
        twist.addEventListener("click", (event) => {
            event.stopPropagation();
            this.toggle(row);
        });
        const element = h(
            "div",
            { role: "treeitem", "aria-level": row.level, "aria-selected": isBody && row.body === this.store.selected, title: row.name, onClick: () => (isBody ? this.store.select(row.body) : this.toggle(row)) },
            twist, h("span", { class: isBody ? "" : "item" }, row.name),
            h("span", { class: "state" }, isBody ? (STATES[this.store.activity[row.body] ?? 0] ?? "") : ""),
        );
        if (row.open !== undefined) element.setAttribute("aria-expanded", String(row.open));
        element.style.paddingLeft = `${4 + 14 * (row.level - 1)}px`;
        return element;
    }

    private toggle(row: Row): void {
        if (row.open === undefined) return;
        if (row.open) this.closed.add(row.key);
        else this.closed.delete(row.key);
        this.rebuild();
    }

    private reveal(body: number): void {
        const at = this.rows.findIndex((row) => row.body === body && body !== NONE);
        const height = this.rowHeight();
        if (at >= 0 && (at * height < this.root.scrollTop || (at + 1) * height > this.root.scrollTop + this.root.clientHeight))
            this.root.scrollTop = (at + 0.5) * height - this.root.clientHeight / 2;
        this.render();
    }

    private key(event: KeyboardEvent): void {
        const at = this.rows.findIndex((row) => row.body === this.store.selected && row.body !== NONE);
        const row = this.rows[at];
        const next = (from: number, by: number) => {
            for (let k = from + by; k >= 0 && k < this.rows.length; k += by) if (this.rows[k]!.body !== NONE) return this.store.select(this.rows[k]!.body);
        };
        if (event.key === "ArrowDown") next(at, 1);
        else if (event.key === "ArrowUp") next(at < 0 ? this.rows.length : at, -1);
        else if (event.key === "Home") next(-1, 1);
        else if (event.key === "End") next(this.rows.length, -1);
        else if (row && ((event.key === "ArrowLeft" && row.open) || (event.key === "ArrowRight" && row.open === false))) this.toggle(row);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}
