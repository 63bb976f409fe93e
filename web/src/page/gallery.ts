// SPDX-License-Identifier: Apache-2.0
// The scenes and models that come with sinew, to choose from: below headings, each with a small picture.
import type { Commands } from "../state/commands.ts";
import { h, icon } from "../base/dom.ts";
import { ICONS } from "../base/icons.ts";
import type { GalleryEntry } from "../wire/protocol.ts";
import type { Store } from "../state/store.ts";

export class Gallery {
    readonly dialog: HTMLDialogElement;
    private readonly list = h("div");
    private readonly search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search scenes", onInput: () => this.fill() });

    constructor(private readonly store: Store, private readonly commands: Commands) {
        this.dialog = h(
            "dialog", { "aria-label": "Scenes", onClick: (event: MouseEvent) => event.target === this.dialog && this.dialog.close() },
            h("header", {}, h("h2", {}, "What do you want to reach into?"), this.search, h("button", { class: "icon-only", "aria-label": "Close", onClick: () => this.dialog.close() }, icon(ICONS.close))),
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
        const groups = new Map<string, GalleryEntry[]>();
        for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
        this.list.replaceChildren(...[...groups].map(([group, list]) =>
            h("section", { "aria-label": group }, h("h3", {}, group), h("div", { class: "gallery" }, ...list.map((entry) => this.card(entry))))));
        if (entries.length === 0) this.list.append(h("p", { class: "soft" }, "Nothing of that name."));
    }

    private card(entry: GalleryEntry): HTMLElement {
        const open = () => {
            this.dialog.close();
            void this.commands.scene(entry.name);
        };
        const picture = h("img", { src: `previews/${previewName(entry.name)}.webp`, alt: "", loading: "lazy", width: 240, height: 150, onError: () => picture.remove() });
        return h(
            "button", { "data-scene": entry.name, "aria-current": entry.name === this.store.scene?.name, title: entry.about, onClick: open },
            picture, h("b", {}, entry.name), h("span", {}, firstSentence(entry.about)),
        );
    }
}

/** Of the file that has the picture of a scene. */
export function previewName(scene: string): string {
    return scene.replace(/\W+/g, "-");
}

/** One line is enough to choose by; all of it is in the title. */
function firstSentence(text: string): string {
    return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
