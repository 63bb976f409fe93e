// SPDX-License-Identifier: Apache-2.0
// What watched quantities were: a ring of times and values for each, and views of it for charts. Pure.

const CAPACITY = 1 << 17; // two minutes at 1 kHz

export class Series {
    private times = new Float64Array(1024);
    private values = new Float64Array(1024);
    private start = 0;
    length = 0;

    constructor(readonly name: string, readonly unit: string) {}

    push(time: number, value: number): void {
        if (this.length > 0 && time < this.time(this.length - 1)) this.clear(); // went back: reset or replay
        if (this.length === this.times.length) this.grow();
        const at = (this.start + this.length) % this.times.length;
        this.times[at] = time;
        this.values[at] = value;
        if (this.length < this.times.length) this.length++;
        else this.start = (this.start + 1) % this.times.length;
    }

    clear(): void {
        this.start = this.length = 0;
    }

    time(k: number): number {
        return this.times[(this.start + k) % this.times.length]!;
    }

    value(k: number): number {
        return this.values[(this.start + k) % this.times.length]!;
    }

    last(): number {
        return this.length > 0 ? this.value(this.length - 1) : NaN;
    }

    /** First sample that is not before a time. */
    find(time: number): number {
        let low = 0, high = this.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.time(middle) < time) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    private grow(): void {
        const size = Math.min(2 * this.times.length, CAPACITY);
        if (size === this.times.length) return;
        const times = new Float64Array(size), values = new Float64Array(size);
        for (let k = 0; k < this.length; k++) {
            times[k] = this.time(k);
            values[k] = this.value(k);
        }
        this.times = times;
        this.values = values;
        this.start = 0;
    }
}

/** Least and greatest value of each series in equal parts of a span of time: two columns a part, so peaks are kept. */
export function thin(series: Series[], from: number, to: number, parts: number): [number[], ...(number | null)[][]] {
    const width = (to - from) / parts;
    const times: number[] = [];
    for (let p = 0; p < parts; p++) times.push(from + p * width, from + (p + 0.5) * width);
    const columns = series.map((one) => {
        const column: (number | null)[] = new Array(2 * parts).fill(null);
        const end = one.find(to + width);
        for (let k = one.find(from); k < end; k++) {
            const p = Math.min(Math.max(Math.floor((one.time(k) - from) / width), 0), parts - 1);
            const value = one.value(k);
            if (!Number.isFinite(value)) continue;
            const low = column[2 * p], high = column[2 * p + 1];
            column[2 * p] = low == null ? value : Math.min(low, value);
            column[2 * p + 1] = high == null ? value : Math.max(high, value);
        }
        return column;
    });
    return [times, ...columns];
}
