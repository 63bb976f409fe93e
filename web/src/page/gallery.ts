// SPDX-License-Identifier: Apache-2.0
// The scenes and models that come with sinew, to choose from.
import type { Commands } from "../state/commands.ts";
import { h, icon } from "../base/dom.ts";
import { ICONS } from "../base/icons.ts";
import type { GalleryEntry } from "../wire/protocol.ts";
import type { Store } from "../state/store.ts";

export class Gallery {
    readonly dialog: HTMLDialogElement;
    private readonly list = h("div", { class: "gallery" });
    private readonly search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search scenes", onInput: () => this.fill() });

    constructor(private readonly store: Store, private readonly commands: Commands) {
        this.dialog = h(
            "dialog", { "aria-label": "Scenes", onClick: (event: MouseEvent) => event.target === this.dialog && this.dialog.close() },
            h("header", {}, h("h2", {}, "Scenes"), this.search, h("button", { class: "icon-only", "aria-label": "Close", onClick: () => this.dialog.close() }, icon(ICONS.close))),
            h("div", { class: "content" }, this.list),
        );
    }

    open(): void {
        this.search.value = "";
        this.fill();
        this.dialog.showModal();
    }

    private fill(): void {
        const wanted = this.search.value.trim().toLowerCase();
        const entries = (this.store.hello?.gallery ?? []).filter((entry) => `${entry.name} ${entry.about}`.toLowerCase().includes(wanted));
        this.list.replaceChildren(...entries.map((entry) => this.card(entry)));
        if (entries.length === 0) this.list.append(h("p", { class: "soft" }, "Nothing of that name."));
    }

    private card(entry: GalleryEntry): HTMLElement {
        const open = () => {
            this.dialog.close();
            void this.commands.scene(entry.name);
        };
        return h(
            "button", { "data-scene": entry.name, "aria-current": entry.name === this.store.scene?.name, onClick: open },
            h("b", {}, entry.name), h("span", {}, entry.about), entry.kind === "model" ? h("em", {}, "model") : "",
        );
    }
}
