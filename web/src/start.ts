// SPDX-License-Identifier: Apache-2.0
// How the page began: told once, with the first picture, so that the program can say how long that took.
import type { Connection } from "./wire/connection.ts";
import type { View } from "./picture/view.ts";
import { encode, type PageStart } from "./wire/protocol.ts";
import type { Store } from "./state/store.ts";

/** Filled in as it happens. */
export function tellStart(script: number, store: Store, connection: Connection, view: View): PageStart {
    const start: PageStart = { script, connected: 0, scene: 0, frame: 0, picture: 0 };
    const stops = [
        store.onHello.on(() => (start.connected ||= performance.now())),
        store.onScene.on(() => (start.scene ||= performance.now())),
        store.onFrame.on(() => (start.frame ||= performance.now())),
        view.drawn.on(() => {
            if (view.drawnGeneration < 0) return;
            view.settle();
            start.picture = performance.now();
            for (const stop of stops) stop();
            connection.send(encode.drawn(0, start));
        }),
    ];
    return start;
}
