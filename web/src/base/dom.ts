// SPDX-License-Identifier: Apache-2.0
// Elements of the page, made in one call each. Text is always text: nothing from outside becomes markup.

type Attributes = Record<string, string | number | boolean | ((event: any) => void)>;
type Child = Node | string;

/** `onX` attributes are listeners; true is an attribute without value, false leaves it out, but for `aria-x`. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value);
        else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
        else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children);
    return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of 24 x 24 units, drawn by one path. */
export function icon(path: string): SVGElement {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("class", "icon");
    const shape = document.createElementNS(SVG, "path");
    shape.setAttribute("d", path);
    svg.append(shape);
    return svg;
}

export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

/** Lets the browser keep a file. */
export function download(name: string, type: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = h("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
