// SPDX-License-Identifier: Apache-2.0
// Keys of the page; help.ts lists them. Where somebody writes or has a list open, keys are theirs.

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

export function listen(shortcuts: Shortcuts): void {
    window.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target, event.key)) return;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const action = shortcuts[key];
        if (!action || (document.querySelector("dialog[open]") && key !== "F1" && key !== "?")) return;
        event.preventDefault();
        action(event);
    });
}

function isTyping(target: EventTarget | null, key: string): boolean {
    if (key === "F1" || key === "Escape" || !(target instanceof HTMLElement)) return false;
    if (target.closest("button") && (key === " " || key === "Enter")) return true;
    if (target instanceof HTMLInputElement) return !["checkbox", "radio", "range"].includes(target.type) || key === " " || key.startsWith("Arrow");
    return target instanceof HTMLSelectElement;
}
