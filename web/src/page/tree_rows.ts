// SPDX-License-Identifier: Apache-2.0
// Rows of the body tree: items, and below each its bodies by parent; or, when searched for, all that match. Pure.
import { NONE, type Scene } from "../wire/protocol.ts";

export interface Row {
    /** NONE: the row of an item */
    body: number;
    item: number;
    level: number;
    name: string;
    /** undefined: has no children */
    open?: boolean;
    /** of a body: children; of an item: all its bodies */
    key: string;
}

export const itemKey = (item: number) => `item ${item}`;
export const bodyKey = (body: number) => `body ${body}`;

/** Closed are rows whose keys are in `closed`. */
export function treeRows(scene: Scene, closed: ReadonlySet<string>): Row[] {
    const children = scene.bodies.map((): number[] => []);
    scene.bodies.forEach((body, k) => body.parent !== NONE && children[body.parent]?.push(k));
    const rows: Row[] = [];
    scene.items.forEach((item, index) => {
        if (item.bodies === 0) return;
        const bodies = Array.from({ length: item.bodies }, (_, k) => item.first_body + k);
        if (item.bodies === 1) return void rows.push({ body: item.first_body, item: index, level: 1, name: item.name, key: bodyKey(item.first_body) });
        const open = !closed.has(itemKey(index));
        rows.push({ body: NONE, item: index, level: 1, name: item.name, open, key: itemKey(index) });
        if (!open) return;
        // a stack, as chains are deeper than calls can go
        const roots = bodies.filter((body) => scene.bodies[body]!.parent === NONE);
        const stack = roots.reverse().map((body) => ({ body, level: 2 }));
        while (stack.length > 0) {
            const { body, level } = stack.pop()!;
            const below = children[body]!;
            const bodyOpen = below.length > 0 ? !closed.has(bodyKey(body)) : undefined;
            const name = shortName(scene.bodies[body]!.name, item.name);
            rows.push({ body, item: index, level, name, key: bodyKey(body), ...(bodyOpen === undefined ? {} : { open: bodyOpen }) });
            // a chain is not a staircase: an only child stays at the level of its parent
            if (bodyOpen) for (const child of [...below].reverse()) stack.push({ body: child, level: below.length > 1 ? level + 1 : level });
        }
    });
    return rows;
}

export function searchRows(scene: Scene, text: string): Row[] {
    const wanted = text.toLowerCase();
    return scene.bodies.flatMap((body, k) =>
        body.name.toLowerCase().includes(wanted) ? [{ body: k, item: body.item, level: 1, name: body.name, key: bodyKey(k) }] : []);
}

function shortName(name: string, item: string): string {
    return name.startsWith(`${item}/`) ? name.slice(item.length + 1) : name;
}
