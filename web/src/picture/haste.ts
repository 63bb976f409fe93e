// SPDX-License-Identifier: Apache-2.0
// A slow machine gets a coarser picture rather than a slow one. Pure.

const PICTURES = 15; // one after the other, before it is judged
const COARSEST = 0.5;

export class Haste {
    /** factor on the number of pixels along an edge */
    sharpness = 1;
    private count = 0;
    private first = 0;

    /** `tooSlow`: ms from one picture to the next */
    constructor(private readonly tooSlow: number) {}

    /** Nothing was to be drawn: the time until the next picture says nothing. */
    pause(): void {
        this.count = 0;
    }

    /** A picture was drawn; true when sharpness changed. */
    drawn(now: number): boolean {
        if (this.count++ === 0) this.first = now;
        if (this.count <= PICTURES) return false;
        const mean = (now - this.first) / PICTURES;
        this.count = 0;
        if (mean < this.tooSlow || this.sharpness <= COARSEST) return false;
        this.sharpness = Math.max(0.75 * this.sharpness, COARSEST);
        return true;
    }
}
