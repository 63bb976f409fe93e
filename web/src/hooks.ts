// SPDX-License-Identifier: Apache-2.0
// window.sinew: what tests and curious people may read of the page. Nothing of the page depends on it.
import type { Connection } from "./wire/connection.ts";
import type { Page } from "./page/page.ts";
import type { View } from "./picture/view.ts";
import { applyPose } from "./state/poses.ts";
import type { PageStart } from "./wire/protocol.ts";
import { size, type Store } from "./state/store.ts";

export function exposeHooks(store: Store, connection: Connection, page: Page, start: PageStart | null): void {
    const bodyIndex = (name: string) => store.scene?.bodies.findIndex((body) => body.name === name) ?? -1;
    const centre = (body: number) => applyPose(store.poses.pose, 7 * body, store.scene!.bodies[body]!.com);
    const hooks = {
        get link() { return connection.state.kind; },
        get malformed() { return connection.malformed; },
        get scene() { return store.scene?.name ?? ""; },
        get generation() { return store.scene?.generation ?? -1; },
        get gallery() { return store.hello?.gallery.map((entry) => entry.name) ?? []; },
        get client() { return store.hello?.client ?? 0; },
        get frames() { return store.frames; },
        get pictures() { return page.view?.pictures ?? 0; },
        /** generation of the scene in the last picture */
        get drawn() { return page.view?.drawnGeneration ?? -1; },
        /** ms after the page was opened, of the first of each */
        start,
        get time() { return store.time; },
        get step() { return store.step; },
        get state() { return store.state; },
        get meters() { return store.meters; },
        get hands() { return store.hands; },
        get contacts() { return store.contacts.count; },
        get selected() { return store.selected; },
        get notices() { return store.notices; },
        get activity() { return [...store.activity]; },
        /** N, size of the force on the hands of this page */
        get felt() { return store.hands.filter((hand) => hand.owner === store.hello?.client).reduce((sum, hand) => sum + size(hand.felt), 0); },
        /** texts of the labels beside hands */
        get labels() { return store.hands.map((hand) => page.view?.labels.text(`hand ${hand.hand}`) ?? ""); },
        get bodies() { return store.scene?.bodies.map((body) => body.name) ?? []; },
        get layers() { return page.view?.layers ?? {}; },
        get joint() { return store.joint; },
        body: bodyIndex,
        select: (name: string) => store.select(bodyIndex(name)),
        /** world, x y z, w x y z */
        pose: (name: string) => [...store.poses.pose.subarray(7 * bodyIndex(name), 7 * bodyIndex(name) + 7)],
        /** world, centre of mass */
        position: (name: string) => centre(bodyIndex(name)),
        /** where in the window the body can be clicked, as near to its centre of mass as can be */
        screen: (name: string) => page.view && clickable(page.view, bodyIndex(name), page.view.project(centre(bodyIndex(name)))),
        get camera() { return page.view?.camera.going() ?? null; },
        pick: (x: number, y: number) => page.view?.pick(x, y) ?? null,
        csv: () => page.plots.csv(),
    };
    Object.assign(window, { sinew: hooks });
}

/** Along a spiral, as something else may be in front. */
function clickable(view: View, body: number, [x, y]: [number, number]): [number, number] {
    for (let k = 0; k < 400; k++) {
        const r = 1.2 * Math.sqrt(k), a = 2.4 * k;
        const at: [number, number] = [x + r * Math.cos(a), y + r * Math.sin(a)];
        if (view.pick(...at)?.body === body) return at;
    }
    return [x, y];
}
