// SPDX-License-Identifier: Apache-2.0
// What the mouse, fingers and keys do.
import { h, icon } from "../base/dom.ts";
import { ICONS } from "../base/icons.ts";
import { SWITCHES } from "./layers_panel.ts";

const MOUSE: [string, string][] = [
    ["Drag a body", "grab it and pull; let go to release"],
    ["… with the wheel", "move it nearer and farther"],
    ["… with Shift", "hold its orientation, too"],
    ["Drag beside it", "turn the camera"],
    ["Right drag", "move the camera; wheel: zoom"],
    ["Click", "select a body; beside it: nothing"],
    ["Ctrl + right drag", "pull the selected body, wherever the pointer is (Shift: level), as in MuJoCo"],
    ["Ctrl + left drag", "turn the selected body"],
];

const FINGERS: [string, string][] = [
    ["One finger", "on a body grabs it, beside it turns the camera"],
    ["Two fingers", "beside bodies move and zoom; on two bodies they grab both"],
];

export const KEYS: [string, string][] = [
    ["Space", "run or pause"],
    [".", "one step; with Shift ten"],
    ["Backspace", "back to the start"],
    ["[ ]", "slower, faster"],
    ["R", "record, or end it"],
    ["Delete", "remove the selected thing"],
    ["G", "scenes"],
    ["B P I L", "panels: bodies, plots, meters, what is shown"],
    ["/", "search bodies"],
    ["V", "look at the selected body, or at everything"],
    ["Esc", "let go, select nothing"],
    ["F1 ?", "this help"],
];

export class Help {
    readonly dialog: HTMLDialogElement;

    constructor() {
        this.dialog = h(
            "dialog", { "aria-label": "Help", onClick: (event: MouseEvent) => event.target === this.dialog && this.dialog.close() },
            h("header", {}, h("h2", {}, "How to reach in"), h("button", { class: "icon-only", "aria-label": "Close", onClick: () => this.dialog.close() }, icon(ICONS.close))),
            h("div", { class: "content columns" },
                section("Mouse", MOUSE, false), section("Fingers", FINGERS, false), section("Keys", KEYS, true),
                section("Shown", SWITCHES.map(([, name, key]) => [key, name]), true)),
        );
    }

    toggle(): void {
        if (this.dialog.open) this.dialog.close();
        else this.dialog.showModal();
    }
}

function section(title: string, lines: [string, string][], keys: boolean): HTMLElement {
    const names = (text: string): (Node | string)[] => (keys ? text.split(" ").flatMap((key) => [h("kbd", {}, key), " "]) : [h("b", {}, text)]);
    return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...lines.flatMap(([name, text]) => [h("dt", {}, ...names(name)), h("dd", {}, text)])));
}
