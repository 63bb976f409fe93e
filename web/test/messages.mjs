// SPDX-License-Identifier: Apache-2.0
// Messages as the program sends them, written from docs/protocol.md alone.

export function header(type, number = 1) {
    const bytes = Buffer.alloc(8);
    bytes[0] = type;
    bytes.writeUInt32LE(number, 4);
    return bytes;
}

const padding = (length) => Buffer.alloc((8 - (length % 8)) % 8);

export function section(kind, payload) {
    const head = Buffer.alloc(8);
    head.writeUInt16LE(kind, 0);
    head.writeUInt32LE(payload.length, 4);
    return Buffer.concat([head, payload, padding(payload.length)]);
}

/** Elements are lists of [letter, value]: u a u32, f a f32, d a f64. */
export function rows(elements, second = 0) {
    return Buffer.concat([fields([["u", elements.length], ["u", second]]), ...elements.map(fields)]);
}

export function fields(list) {
    return Buffer.concat(list.map(([letter, value]) => {
        const bytes = Buffer.alloc(letter === "d" ? 8 : 4);
        if (letter === "u") bytes.writeUInt32LE(value >>> 0);
        else if (letter === "f") bytes.writeFloatLE(value);
        else bytes.writeDoubleLE(value);
        return bytes;
    }));
}

export function frame({ time = 0, step = 0, generation = 1, number = 1 }, sections) {
    const head = Buffer.alloc(24);
    head.writeDoubleLE(time, 0);
    head.writeBigUInt64LE(BigInt(step), 8);
    head.writeUInt32LE(generation, 16);
    head.writeUInt32LE(sections.length, 20);
    return bytesOf(Buffer.concat([header(3, number), head, ...sections]));
}

export function text(type, object) {
    return bytesOf(Buffer.concat([header(type), Buffer.from(JSON.stringify(object))]));
}

export function scene(object, blob = Buffer.alloc(0)) {
    const json = Buffer.from(JSON.stringify(object));
    return bytesOf(Buffer.concat([header(2), fields([["u", json.length]]), json, padding(12 + json.length), blob]));
}

export function bytesOf(buffer) {
    return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.length);
}
