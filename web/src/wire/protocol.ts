// SPDX-License-Identifier: Apache-2.0
// Messages of docs/protocol.md, version 1: bytes to objects and back. Pure: no socket, no page.
// Sections of a frame stay views into the received bytes; who keeps one longer than a frame copies it.

export const NONE = 0xffffffff;
export const SUBPROTOCOL = "sinew.1";

const HEADER = 8;

export interface GalleryEntry {
    name: string;
    about: string;
    kind: "scene" | "model";
    /** heading that it stands below */
    group: string;
}

/** What numbers are multiplied with to be shown, and what they then are in. */
export interface Unit {
    length: number;
    symbol: string;
    force: number;
    force_symbol: string;
    time_symbol: string;
    mass_symbol: string;
    energy_symbol: string;
}

export interface Hello {
    protocol: number;
    program: string;
    client: number;
    colour: string;
    gallery: GalleryEntry[];
    /** kinds of quantities that can be watched */
    catalogue: { kind: string; unit: string; needs: string[] }[];
}

export interface Joint {
    type: string;
    nq: number;
    nv: number;
    axis: number[] | null;
    lower: (number | null)[];
    upper: (number | null)[];
}

export interface Body {
    name: string;
    item: number;
    parent: number;
    mass: number;
    com: [number, number, number];
    joint: Joint;
}

export type ShapeType = "box" | "sphere" | "capsule" | "cylinder" | "plane" | "mesh" | "hull";

export interface Shape {
    body: number;
    type: ShapeType;
    size: [number, number, number];
    pose: number[];
    colour: [number, number, number, number];
    mesh: number;
    collision: boolean;
    visual: boolean;
}

export interface Mesh {
    vertices: Float32Array;
    indices: Uint32Array;
}

export interface Atoms {
    count: number;
    body: Uint32Array;
    offset: Float32Array;
    radius: Float32Array;
    colour: Uint8Array;
    label: Uint32Array | null;
}

export interface Scene {
    generation: number;
    name: string;
    about: string;
    unit: Unit;
    step: number;
    gravity: [number, number, number];
    dof: number;
    dynamics: string;
    dynamics_choices: string[];
    adaptive: boolean;
    floor: boolean;
    radius: number;
    /** of what moves, m */
    centre?: [number, number, number];
    /** field of view: rad, vertical */
    camera: { eye: number[]; target: number[]; fov?: number } | null;
    items: { name: string; first_body: number; bodies: number }[];
    bodies: Body[];
    shapes: Shape[];
    meshes: Mesh[];
    atoms: Atoms | null;
    labels: string[];
    bonds: Uint32Array | null;
    ribbon: Uint32Array[] | null;
    sensors: { name: string; type: string; numbers: number }[];
    controllers: string[];
    hands: { name: string; device: string }[];
    replay: { steps: number; seconds: number; begin?: number } | null;
}

export interface State {
    paused: boolean;
    pace: number;
    real_time_factor: number;
    max_active: number;
    active: number;
    joints: number;
    dynamics: string;
    recording: string;
    clients: { client: number; colour: string }[];
    replay: { position: number; playing: boolean } | null;
    fault: string;
}

export interface Meters {
    loops?: { name: string; hand?: number; rate_hz: number; late: number; worst_us: number; jitter?: number[]; jitter_below_us?: number[] }[];
    hands?: {
        hand: number; name: string; cause: string; latched: boolean; gain: number; energy: number; trips: number;
        last_trip: string; heat: number; latency_us: number; acted?: Record<string, number>;
    }[];
    step?: { mean_us: number; stages: { name: string; us: number }[] };
    contact?: { points: number; groups: number; residual: number; iterations: number };
    server?: { cpu: number; bytes_s: number; frames_s: number; pointer_ms: number };
}

export interface Notice {
    level: "info" | "warning" | "error";
    time: number;
    text: string;
}

/** Rows of equal numbers of 32-bit words, seen as integers and as floats. */
export interface Rows {
    count: number;
    stride: number;
    words: Uint32Array;
    floats: Float32Array;
}

export interface Samples {
    count: number;
    numbers: number;
    /** count rows of time and `numbers` values */
    data: Float64Array;
}

export interface JointState {
    body: number;
    q: Float64Array;
    v: Float64Array;
    force: Float64Array;
}

export interface Frame {
    time: number;
    step: number;
    generation: number;
    poses?: Rows;
    groups?: Rows;
    activity?: Rows;
    contacts?: Rows;
    hands?: Rows;
    samples?: Samples;
    joint?: JointState;
}

export interface Answer {
    request: number;
    ok: boolean;
    error?: string;
    [key: string]: unknown;
}

export type Message =
    | { kind: "hello"; number: number; hello: Hello }
    | { kind: "scene"; number: number; scene: Scene }
    | { kind: "frame"; number: number; frame: Frame }
    | { kind: "state"; number: number; state: State }
    | { kind: "meters"; number: number; meters: Meters }
    | { kind: "event"; number: number; event: Notice }
    | { kind: "answer"; number: number; answer: Answer }
    | { kind: "unknown"; number: number; type: number };

export class ProtocolError extends Error {}

// ---- server to client ----------------------------------------------------------------------------

/** Throws ProtocolError for whatever does not follow the protocol. */
export function decode(buffer: ArrayBuffer): Message {
    try {
        return decodeMessage(buffer);
    } catch (error) {
        if (error instanceof ProtocolError) throw error;
        throw new ProtocolError(`a message of another form: ${(error as Error).message}`); // JSON that is not what it should be
    }
}

function decodeMessage(buffer: ArrayBuffer): Message {
    if (buffer.byteLength < HEADER) throw new ProtocolError("a message of less than 8 bytes");
    const view = new DataView(buffer);
    const type = view.getUint8(0);
    const number = view.getUint32(4, true);
    switch (type) {
        case 1: return { kind: "hello", number, hello: json<Hello>(buffer, HEADER) };
        case 2: return { kind: "scene", number, scene: decodeScene(buffer, view) };
        case 3: return { kind: "frame", number, frame: decodeFrame(buffer, view) };
        case 4: return { kind: "state", number, state: json<State>(buffer, HEADER) };
        case 5: return { kind: "meters", number, meters: json<Meters>(buffer, HEADER) };
        case 6: return { kind: "event", number, event: json<Notice>(buffer, HEADER) };
        case 7: return { kind: "answer", number, answer: decodeAnswer(buffer, view) };
        default: return { kind: "unknown", number, type };
    }
}

function json<T>(buffer: ArrayBuffer, from: number, bytes = buffer.byteLength - from): T {
    if (bytes < 0 || from + bytes > buffer.byteLength) throw new ProtocolError("text beyond the end of a message");
    const text = new TextDecoder().decode(new Uint8Array(buffer, from, bytes));
    try {
        return JSON.parse(text) as T;
    } catch {
        throw new ProtocolError("text that is not JSON");
    }
}

function decodeAnswer(buffer: ArrayBuffer, view: DataView): Answer {
    if (buffer.byteLength < HEADER + 8) throw new ProtocolError("an answer that is too short");
    const answer = json<Answer>(buffer, HEADER + 8);
    answer.request = view.getUint32(HEADER, true);
    return answer;
}

interface Place {
    at: number;
    count: number;
}

function decodeScene(buffer: ArrayBuffer, view: DataView): Scene {
    if (buffer.byteLength < HEADER + 4) throw new ProtocolError("a scene that is too short");
    const length = view.getUint32(HEADER, true);
    const raw = json<any>(buffer, HEADER + 4, length);
    const blob = (HEADER + 4 + length + 7) & ~7;
    const span = (place: Place, width: number): [number, number] => {
        const from = blob + place.at;
        if (!(place.at >= 0 && place.count >= 0 && from + place.count * width <= buffer.byteLength))
            throw new ProtocolError("a place beyond the end of the scene");
        return [from, from + place.count * width];
    };
    // slice: whatever the alignment, and the message can go
    const floats = (place: Place, per: number) => new Float32Array(buffer.slice(...span(place, 4 * per)));
    const words = (place: Place, per: number) => new Uint32Array(buffer.slice(...span(place, 4 * per)));
    const bytes = (place: Place, per: number) => new Uint8Array(buffer.slice(...span(place, per)));

    const meshes = (raw.meshes ?? []).map((m: { vertex: Place; index: Place }) => ({
        vertices: floats(m.vertex, 3),
        indices: words(m.index, 3),
    }));
    const atoms = raw.atoms && {
        count: raw.atoms.count,
        body: words(raw.atoms.body, 1),
        offset: floats(raw.atoms.offset, 3),
        radius: floats(raw.atoms.radius, 1),
        colour: bytes(raw.atoms.colour, 4),
        label: raw.atoms.label ? words(raw.atoms.label, 1) : null,
    };
    // -1 in JSON is NONE, as in frames
    for (const body of raw.bodies ?? []) body.parent >>>= 0;
    for (const shape of raw.shapes ?? []) shape.body >>>= 0;
    return {
        ...raw,
        meshes,
        atoms: atoms ?? null,
        labels: raw.labels ?? raw.atoms?.labels ?? [],
        bonds: raw.bonds ? words(raw.bonds, 2) : null,
        ribbon: raw.ribbon ? raw.ribbon.map((place: Place) => words(place, 1)) : null,
    } as Scene;
}

/** Sections by kind: name in the frame, and words of an element. */
const ROWS: Record<number, ["poses" | "groups" | "activity" | "contacts" | "hands", number]> = {
    1: ["poses", 8],
    2: ["groups", 9],
    3: ["activity", 2],
    4: ["contacts", 13],
    5: ["hands", 18],
};

function decodeFrame(buffer: ArrayBuffer, view: DataView): Frame {
    if (buffer.byteLength < HEADER + 24) throw new ProtocolError("a frame that is too short");
    const frame: Frame = {
        time: view.getFloat64(8, true),
        step: Number(view.getBigUint64(16, true)),
        generation: view.getUint32(24, true),
    };
    const sections = view.getUint32(28, true);
    let at = 32;
    for (let i = 0; i < sections; i++) {
        if (at + 8 > buffer.byteLength) throw new ProtocolError("a section beyond the end of its frame");
        const kind = view.getUint16(at, true);
        const bytes = view.getUint32(at + 4, true);
        at += 8;
        if (at + bytes > buffer.byteLength) throw new ProtocolError("a section longer than its frame");
        decodeSection(frame, kind, buffer, view, at, bytes);
        at = (at + bytes + 7) & ~7;
    }
    return frame;
}

function decodeSection(frame: Frame, kind: number, buffer: ArrayBuffer, view: DataView, at: number, bytes: number): void {
    const rows = ROWS[kind];
    if (!rows && kind !== 6 && kind !== 7) return; // of a later version
    if (bytes < 8) throw new ProtocolError("a section that is too short");
    const first = view.getUint32(at, true);
    const second = view.getUint32(at + 4, true);
    if (rows) {
        const [name, stride] = rows;
        if (first * stride * 4 > bytes - 8) throw new ProtocolError(`${name}: ${first} elements in ${bytes} bytes`);
        frame[name] = {
            count: first,
            stride,
            words: new Uint32Array(buffer, at + 8, first * stride),
            floats: new Float32Array(buffer, at + 8, first * stride),
        };
    } else if (kind === 6) {
        if (first * (1 + second) * 8 > bytes - 8) throw new ProtocolError(`samples: ${first} of ${second} in ${bytes} bytes`);
        frame.samples = { count: first, numbers: second, data: new Float64Array(buffer, at + 8, first * (1 + second)) };
    } else {
        frame.joint = decodeJoint(buffer, view, at + 8, bytes - 8);
    }
}

/** u32 body, u32 nq, then q, v and force. */
function decodeJoint(buffer: ArrayBuffer, view: DataView, at: number, bytes: number): JointState {
    if (bytes < 8) throw new ProtocolError("a joint that is too short");
    const nq = view.getUint32(at + 4, true);
    const nv = ((bytes - 8) / 8 - nq) / 2;
    if (!(nv >= 0) || nv !== Math.floor(nv)) throw new ProtocolError(`joint: nq ${nq} in ${bytes} bytes`);
    const numbers = (from: number, count: number) => new Float64Array(buffer, at + 8 + 8 * from, count);
    return { body: view.getUint32(at, true), q: numbers(0, nq), v: numbers(nq, nv), force: numbers(nq + nv, nv) };
}

/** ms after the page was opened */
export interface PageStart {
    script: number;
    connected: number;
    scene: number;
    frame: number;
    picture: number;
}

// ---- client to server ----------------------------------------------------------------------------

export const GRAB_ORIENTATION = 1;
export const GRAB_TOUCH = 2;
export const JOINT_TARGET = 1;

function message(type: number, request: number, payload: number, flags = 0): DataView {
    const view = new DataView(new ArrayBuffer(HEADER + payload));
    view.setUint8(0, type);
    view.setUint8(1, flags);
    view.setUint32(4, request, true);
    return view;
}

function setFloats(view: DataView, at: number, values: ArrayLike<number>): void {
    for (let k = 0; k < values.length; k++) view.setFloat32(at + 4 * k, values[k]!, true);
}

function words(type: number, request: number, first: number, second = 0): ArrayBuffer {
    const view = message(type, request, 8);
    view.setUint32(8, first, true);
    view.setUint32(12, second, true);
    return view.buffer as ArrayBuffer;
}

function text(type: number, request: number, value: string): ArrayBuffer {
    const bytes = new TextEncoder().encode(value);
    const view = message(type, request, bytes.length);
    new Uint8Array(view.buffer).set(bytes, HEADER);
    return view.buffer as ArrayBuffer;
}

function double(type: number, request: number, value: number): ArrayBuffer {
    const view = message(type, request, 8);
    view.setFloat64(8, value, true);
    return view.buffer as ArrayBuffer;
}

/** Each takes the number of the request first; 0 wants no answer. */
export const encode = {
    ack: (frame: number) => words(1, 0, frame),
    grab(request: number, body: number, flags: number, point: ArrayLike<number>, target: ArrayLike<number>): ArrayBuffer {
        const view = message(2, request, 32);
        view.setUint32(8, body, true);
        view.setUint32(12, flags, true);
        setFloats(view, 16, point);
        setFloats(view, 28, target);
        return view.buffer as ArrayBuffer;
    },
    /** The quaternion is w, x, y, z. */
    move(hand: number, clock: number, target: ArrayLike<number>, quaternion: ArrayLike<number> = [1, 0, 0, 0]): ArrayBuffer {
        const view = message(3, 0, 44);
        view.setUint32(8, hand, true);
        view.setFloat64(16, clock, true);
        setFloats(view, 24, target);
        setFloats(view, 36, quaternion);
        return view.buffer as ArrayBuffer;
    },
    release: (request: number, hand: number) => words(4, request, hand),
    pause: (request: number, paused: boolean) => words(5, request, paused ? 1 : 0),
    step: (request: number, steps: number) => words(6, request, steps),
    reset: (request: number) => message(7, request, 0).buffer as ArrayBuffer,
    pace: (request: number, pace: number) => double(8, request, pace),
    budget: (request: number, joints: number) => words(9, request, joints),
    dynamics: (request: number, name: string) => text(10, request, name),
    scene: (request: number, name: string) => text(11, request, name),
    edit: (request: number, edit: string) => text(12, request, edit),
    record: (request: number, on: boolean) => words(13, request, on ? 1 : 0),
    joint(request: number, body: number, q: ArrayLike<number>, flags = 0): ArrayBuffer {
        const view = message(14, request, 8 + 8 * q.length, flags);
        view.setUint32(8, body, true);
        view.setUint32(12, q.length, true);
        for (let k = 0; k < q.length; k++) view.setFloat64(16 + 8 * k, q[k]!, true);
        return view.buffer as ArrayBuffer;
    },
    watch: (request: number, quantities: unknown[]) => text(15, request, JSON.stringify(quantities)),
    inspect: (request: number, body: number) => words(16, request, body),
    seek: (request: number, time: number) => double(17, request, time),
    ping: (request: number, clock: number) => double(18, request, clock),
    drawn: (request: number, start: PageStart) => text(19, request, JSON.stringify(start)),
};
