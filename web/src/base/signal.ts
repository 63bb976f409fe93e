// SPDX-License-Identifier: Apache-2.0
// Who wants to know of something is told.

export class Signal<T = void> {
    private readonly listeners = new Set<(value: T) => void>();

    /** Returns what ends the listening. */
    on(listener: (value: T) => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    emit(value: T): void {
        for (const listener of this.listeners) listener(value);
    }
}
