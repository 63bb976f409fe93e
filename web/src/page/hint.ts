// SPDX-License-Identifier: Apache-2.0
// One line below the picture that says what can be done, for the scene and the pointer that are there.
import { h } from "../base/dom.ts";
import type { Store } from "../state/store.ts";

type Part = [what: string, does: string, kind?: string];

const MOUSE: Part[] = [["Drag a body", "to pull it"], ["drag beside it", "to look around"], ["Ctrl + right drag", "as in MuJoCo", "wide-only"]];
const ATOMS: Part[] = [["Drag an atom", "to pull it"], ["drag beside it", "to look around"], ["point at it", "to see what it is", "wide-only"]];
const FINGERS: Part[] = [["A finger on a body", "pulls it"], ["beside it", "looks around"], ["two", "move and zoom"]];
const REPLAY: Part[] = [["Drag", "to look around"], ["the bar below", "to go to any moment"], ["click a body", "to see its numbers", "wide-only"]];

export function hint(store: Store): HTMLElement {
    const line = h("p", { class: "hint float" });
    const touch = window.matchMedia("(pointer: coarse)");
    const show = () => {
        const scene = store.scene;
        const parts = scene?.replay ? REPLAY : touch.matches ? FINGERS : scene?.atoms ? ATOMS : MOUSE;
        line.replaceChildren(
            ...parts.map(([what, does, kind]) => h("span", { class: kind ?? "" }, h("b", {}, what), ` ${does} · `)),
            h("span", {}, h("b", {}, touch.matches ? "?" : "F1"), " help"),
        );
    };
    store.onScene.on(show);
    touch.addEventListener("change", show);
    show();
    return line;
}
