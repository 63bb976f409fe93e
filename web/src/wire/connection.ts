// SPDX-License-Identifier: Apache-2.0
// The socket to the program: opens, opens again after it was lost, numbers requests, hands on messages.
import { decode, encode, ProtocolError, SUBPROTOCOL, type Answer, type Message } from "./protocol.ts";
import { Signal } from "../base/signal.ts";

export type Link =
    | { kind: "connecting" }
    | { kind: "open" }
    | { kind: "lost"; retryAt: number }
    | { kind: "refused"; reason: string };

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
const POLICY = 1008;

export class Connection {
    readonly link = new Signal<Link>();
    readonly message = new Signal<Message>();
    state: Link = { kind: "connecting" };
    malformed = 0;
    private socket: WebSocket | null = null;
    private wait = FIRST_WAIT_MS;
    private timer = 0;
    private greeted = false;
    private request = 0;
    private readonly waiting = new Map<number, (answer: Answer) => void>();

    constructor(private readonly address: string) {}

    /** Opens now, also while it waits to try again. */
    open(): void {
        clearTimeout(this.timer);
        this.socket?.close();
        this.greeted = false;
        this.set({ kind: "connecting" });
        const socket = new WebSocket(this.address, SUBPROTOCOL);
        socket.binaryType = "arraybuffer";
        socket.onmessage = (event) => this.socket === socket && this.receive(event.data);
        socket.onclose = (event) => this.socket === socket && void this.closed(event.code, event.reason);
        this.socket = socket;
    }

    /** False when there is no connection: what is lost is lost. */
    send(bytes: ArrayBuffer): boolean {
        if (!this.greeted || this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(bytes);
        return true;
    }

    /** Sends what `make` makes of the number of a request, and answers with the answer. */
    ask(make: (request: number) => ArrayBuffer): Promise<Answer> {
        const request = (this.request = (this.request % 0x7fffffff) + 1);
        return new Promise((resolve) => {
            if (!this.send(make(request))) resolve({ request, ok: false, error: "not connected" });
            else this.waiting.set(request, resolve);
        });
    }

    private receive(data: unknown): void {
        if (!(data instanceof ArrayBuffer)) return;
        let message: Message | undefined;
        try {
            message = decode(data);
            if (message.kind === "hello") this.greet();
            if (message.kind === "answer") this.answered(message.answer);
            this.message.emit(message);
        } catch (error) {
            if (!(error instanceof ProtocolError)) throw error;
            this.malformed++;
            console.warn("a message was left out:", error.message);
        } finally {
            if (message?.kind === "frame") this.send(encode.ack(message.number)); // else no further ones come
        }
    }

    private greet(): void {
        this.greeted = true;
        this.wait = FIRST_WAIT_MS;
        this.set({ kind: "open" });
    }

    private answered(answer: Answer): void {
        this.waiting.get(answer.request)?.(answer);
        this.waiting.delete(answer.request);
    }

    private async closed(code: number, reason: string): Promise<void> {
        const greeted = this.greeted;
        const socket = this.socket;
        this.greeted = false;
        for (const resolve of this.waiting.values()) resolve({ request: 0, ok: false, error: "the connection was lost" });
        this.waiting.clear();
        // A refused handshake looks like a lost program; only the latter does not serve the page either.
        const refused = code === POLICY || (!greeted && (await answersHttp()));
        if (this.socket !== socket) return;
        if (refused) {
            this.set({ kind: "refused", reason });
        } else {
            this.set({ kind: "lost", retryAt: Date.now() + this.wait });
            this.timer = window.setTimeout(() => this.open(), this.wait);
            this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
        }
    }

    private set(link: Link): void {
        this.state = link;
        this.link.emit(link);
    }
}

async function answersHttp(): Promise<boolean> {
    try {
        return (await fetch(location.pathname, { method: "HEAD", cache: "no-store" })).ok;
    } catch {
        return false;
    }
}
