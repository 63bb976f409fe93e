// SPDX-License-Identifier: Apache-2.0
// What people should know: notices that go by themselves, a banner while the connection is lost, and a page
// that says what to do when there is none to come.
import type { Connection, Link } from "../wire/connection.ts";
import { h, icon } from "../base/dom.ts";
import { ICONS } from "../base/icons.ts";
import type { Notice } from "../wire/protocol.ts";
import type { Store } from "../state/store.ts";

const SHOWN_MS = 7000;
const MOST = 4;

export class Notices {
    readonly root = h("div", { class: "notices", role: "status", "aria-live": "polite" });

    constructor(store: Store) {
        store.onNotice.on((notice) => this.show(notice));
        let fault = "";
        store.onState.on((state) => {
            if (state.fault && state.fault !== fault) store.notify({ level: "error", time: store.time, text: state.fault });
            fault = state.fault;
        });
    }

    private show(notice: Notice): void {
        const mark = { info: "", warning: "Note: ", error: "Error: " }[notice.level] ?? "";
        const close = h("button", { class: "icon-only quiet", "aria-label": "Close", onClick: () => element.remove() }, icon(ICONS.close));
        const element = h("div", { class: `notice float ${notice.level}` }, h("p", {}, mark + notice.text), close);
        while (this.root.childElementCount >= MOST) this.root.firstElementChild!.remove();
        this.root.append(element);
        if (notice.level !== "error") setTimeout(() => element.remove(), SHOWN_MS);
    }
}

/** Shown while there is no connection. */
export function connectionBanner(connection: Connection): HTMLElement {
    const text = h("span");
    const banner = h("div", { class: "banner float", role: "alert", hidden: true }, text, h("button", { class: "primary", onClick: () => connection.open() }, "Try now"));
    let lost = false;
    const show = (link: Link) => {
        if (link.kind === "open" || link.kind === "refused") lost = false;
        if (link.kind === "lost") lost = true;
        banner.hidden = !lost;
        text.textContent = link.kind === "connecting" ? "Connecting again …" : "The connection to sinew is lost. The page goes on when the program is back.";
    };
    connection.link.on(show);
    return banner;
}

/** A page instead of the picture. */
export function wholePage(title: string, ...content: (Node | string)[]): HTMLElement {
    return h("div", { class: "welcome", role: "alert" }, h("div", { class: "card float" }, h("h1", {}, title), ...content));
}

export function refusedPage(): HTMLElement {
    return wholePage(
        "This address lacks the right token",
        h("p", {}, "Only who knows the address that the program printed may reach into the simulation. Look at the terminal where sinew runs, and open the whole line:"),
        h("code", {}, `${location.origin}/?token=…`),
        h("p", { class: "soft" }, "A program that was started anew has another token."),
    );
}

export function noWebglPage(): HTMLElement {
    return wholePage(
        "This browser cannot draw the scene",
        h("p", {}, "The page needs WebGL 2. It is there in every current browser; where it is switched off, look for “hardware acceleration” in the browser's settings, or try another browser."),
        h("p", {}, "Without a picture, these do the same work:"),
        h("code", {}, "sinew sim SCENE --film film.svg --plot plot.svg"),
    );
}
