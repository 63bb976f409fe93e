// SPDX-License-Identifier: Apache-2.0
// The page and what it knows, tied to the program by a socket.
import { Commands } from "./state/commands.ts";
import { Connection } from "./wire/connection.ts";
import { exposeHooks } from "./hooks.ts";
import { Page } from "./page/page.ts";
import { Store } from "./state/store.ts";
import { tellStart } from "./start.ts";

/** `began`: ms after the page was opened. */
export function begin(began: number): void {
    const query = new URLSearchParams(location.search);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const store = new Store();
    const connection = new Connection(`${scheme}://${location.host}/ws?token=${encodeURIComponent(query.get("token") ?? "")}`);
    connection.message.on((message) => store.receive(message));
    connection.open(); // what comes is read when all is there that wants it
    const page = new Page(store, connection, new Commands(connection, store), query.get("quality"));
    exposeHooks(store, connection, page, page.view && tellStart(began, store, connection, page.view));
}
