// SPDX-License-Identifier: Apache-2.0
// The picture: puts the parts together and draws when something changed, never more often than the screen.
import { Group, PCFShadowMap, Scene as Stage, Vector3, WebGLRenderer } from "three";
import { AtomsView } from "./atoms.ts";
import { BondsView } from "./bonds.ts";
import { ContactsView } from "./contacts_view.ts";
import { HandsView } from "./hands_view.ts";
import { Haste } from "./haste.ts";
import { Labels } from "./labels.ts";
import { Markers } from "./markers.ts";
import { OrbitCamera } from "./orbit_camera.ts";
import { pickAtoms, pickShapes, type Hit, type Vec } from "./pick.ts";
import { applyPose } from "../state/poses.ts";
import { NONE, type Scene, type Shape } from "../wire/protocol.ts";
import { sharpnessOf, type Quality, type Surface } from "./surface.ts";
import { RibbonView } from "./ribbon.ts";
import { Scenery } from "./scenery.ts";
import { drawnShapes, isFloor, SceneView } from "./scene_view.ts";
import { pixelScale } from "./material.ts";
import { Signal } from "../base/signal.ts";
import type { Store } from "../state/store.ts";
import { theme, themeChanged, type Theme } from "../base/theme.ts";

export type AtomStyle = "spheres" | "sticks" | "ribbon";

/** What is drawn beside the bodies. */
export interface Layers {
    forces: boolean;
    contacts: boolean;
    cones: boolean;
    centres: boolean;
    axes: boolean;
    traces: boolean;
    atoms: AtomStyle;
    /** factor on the length of arrows */
    arrowLength: number;
}

export const DEFAULT_LAYERS: Layers = {
    forces: true, contacts: true, cones: false, centres: false, axes: false, traces: false, atoms: "spheres", arrowLength: 1,
};

const ATOM_SCALE: Record<AtomStyle, number> = { spheres: 1, sticks: 0.28, ribbon: 0 };
const LINE_PIXELS = 1.6;
const FIELD_OF_VIEW = 36;
const LOW_QUALITY_MS = 90; // between two pictures, where the processor has to draw them
const TOO_SLOW_MS: Record<Quality, number> = { high: 45, low: 2 * LOW_QUALITY_MS };

export class View {
    readonly camera = new OrbitCamera();
    readonly labels = new Labels();
    readonly drawn = new Signal<void>();
    readonly canvas: HTMLCanvasElement;
    layers: Layers = { ...DEFAULT_LAYERS };
    /** px at the lower edge that something else covers: what the camera looks at is in the middle of the rest */
    covered = 0;
    pictures = 0;
    /** generation of the scene in the last picture; -1: none yet */
    drawnGeneration = -1;
    private readonly quality: Quality;
    private readonly renderer: WebGLRenderer;
    private readonly stage = new Stage();
    private readonly scenery: Scenery;
    private readonly bodies: SceneView;
    private readonly atoms: AtomsView;
    private readonly bonds = new BondsView();
    private readonly ribbon = new RibbonView();
    private readonly contacts: ContactsView;
    private readonly hands: HandsView;
    private readonly markers: Markers;
    private shapes: Shape[] = [];
    private sceneName = "";
    private wantsCamera = false;
    private dirty = true;
    private last = 0;
    private drawnAt = 0;
    private readonly haste: Haste;
    private readonly marks = new Group(); // from the second picture on: the first does not wait for their shaders

    constructor(private readonly store: Store, surface: Surface) {
        const { canvas, context, quality } = surface;
        const high = quality === "high";
        this.canvas = canvas;
        this.quality = quality;
        this.haste = new Haste(TOO_SLOW_MS[quality]);
        this.renderer = new WebGLRenderer({ canvas, context });
        this.renderer.debug.checkShaderErrors = false; // to look for them is to wait for compilers
        this.renderer.shadowMap.enabled = high;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.scenery = new Scenery(surface);
        this.bodies = new SceneView(store, high);
        this.atoms = new AtomsView(store);
        this.contacts = new ContactsView(store);
        this.hands = new HandsView(store, this.labels);
        this.markers = new Markers(store);
        this.stage.add(
            this.scenery.root, this.bodies.root, this.atoms.root, this.bonds.root, this.ribbon.root,
            this.marks.add(this.contacts.root, this.markers.centres, this.markers.axes, this.markers.traces, this.hands.root),
        );
        this.applyTheme(theme());
        themeChanged.on((now) => this.applyTheme(now));
        store.onScene.on((scene) => this.setScene(scene));
        store.onFrame.on(() => this.invalidate());
        let marked = NONE;
        store.onSelect.on((body) => {
            for (const changed of [marked, body]) {
                this.bodies.markBody(changed);
                this.atoms.markBody(changed);
            }
            marked = body;
            this.invalidate();
        });
        new ResizeObserver(() => this.resize()).observe(canvas);
        this.resize();
        this.setLayers(this.layers);
        requestAnimationFrame((now) => this.tick(now));
    }

    /** Waits until what was drawn is there. */
    settle(): void {
        const gl = this.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    }

    invalidate(): void {
        this.dirty = true;
    }

    setLayers(layers: Layers): void {
        this.layers = layers;
        this.contacts.root.visible = layers.contacts;
        this.contacts.arrows.root.visible = layers.forces;
        this.contacts.cones.visible = layers.cones;
        this.markers.centres.visible = layers.centres;
        this.markers.axes.visible = layers.axes;
        this.markers.traces.visible = layers.traces;
        this.atoms.setScale(ATOM_SCALE[layers.atoms]);
        this.bonds.root.visible = layers.atoms === "sticks";
        this.ribbon.root.visible = layers.atoms === "ribbon";
        this.bonds.update(this.atoms.centres);
        this.ribbon.update(this.atoms.centres);
        this.invalidate();
    }

    /** What lies under a point of the window. */
    pick(clientX: number, clientY: number): Hit | null {
        const scene = this.store.scene;
        if (!scene) return null;
        const { origin, direction } = this.ray(clientX, clientY);
        const shape = pickShapes(origin, direction, this.shapes, scene.meshes, this.store.poses.pose);
        const scale = Math.max(ATOM_SCALE[this.layers.atoms], 0.28);
        const atom = scene.atoms && pickAtoms(origin, direction, scene.atoms, this.atoms.centres, scale, this.store.poses.pose);
        if (shape && atom) return shape.distance < atom.distance ? shape : atom;
        return shape ?? atom;
    }

    ray(clientX: number, clientY: number): { origin: Vec; direction: Vec } {
        const box = this.canvas.getBoundingClientRect();
        const ray = this.camera.ray(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
        return { origin: ray.origin.toArray() as Vec, direction: ray.direction.toArray() as Vec };
    }

    /** Where in the window a point of the world is. */
    project(point: ArrayLike<number>): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        const p = new Vector3(point[0]!, point[1]!, point[2]!).project(this.camera.camera);
        return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
    }

    /** The camera where the scene wants it, or where all can be seen. */
    resetCamera(): void {
        const scene = this.store.scene;
        if (!scene) return;
        const fov = scene.camera?.fov ? (scene.camera.fov * 180) / Math.PI : FIELD_OF_VIEW;
        const back = 1 / Math.min(this.camera.camera.aspect, 1); // pictures are wider than high, as a rule
        if (scene.camera) {
            const { eye, target } = scene.camera;
            this.camera.look(eye.map((value, c) => target[c]! + back * (value - target[c]!)), target, fov, scene.radius);
        } else {
            const centre = this.centre();
            this.camera.look(along(centre, [0.52, -0.79, 0.33], (back * scene.radius) / Math.sin((fov * Math.PI) / 360)), centre, fov, scene.radius);
        }
        this.invalidate();
    }

    focusSelected(): void {
        const { scene, selected, poses } = this.store;
        if (!scene || selected === NONE) return this.resetCamera();
        this.camera.focus(applyPose(poses.pose, 7 * selected, scene.bodies[selected]!.com));
        this.invalidate();
    }

    private setScene(scene: Scene): void {
        this.shapes = drawnShapes(scene);
        this.bodies.build(scene);
        this.atoms.build(scene.atoms, scene.bodies.length);
        this.bonds.build(scene.atoms, scene.bonds);
        this.ribbon.build(scene.ribbon, scene.atoms ? 0.9 * average(scene.atoms.radius) : 1);
        this.markers.build(scene);
        this.setLayers(this.layers);
        // bodies that come or go leave the camera where it is
        this.wantsCamera ||= scene.name !== this.sceneName;
        this.sceneName = scene.name;
        this.invalidate();
    }

    private centre(): Vec {
        const { scene, poses } = this.store;
        if (scene!.centre) return scene!.centre;
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        scene!.bodies.forEach((body, k) => applyPose(poses.pose, 7 * k, body.com).forEach((value, c) => {
            low[c] = Math.min(low[c]!, value);
            high[c] = Math.max(high[c]!, value);
        }));
        return low.map((value, c) => (Number.isFinite(value) ? (value + high[c]!) / 2 : 0)) as Vec;
    }

    private arrange(scene: Scene): void {
        const floor = scene.shapes.find(isFloor);
        this.scenery.arrange(new Vector3(...this.centre()), scene.radius, floor ? floor.pose[2]! : scene.floor ? 0 : null);
    }

    private applyTheme(now: Theme): void {
        this.scenery.applyTheme(now);
        this.contacts.applyTheme(now);
        this.markers.applyTheme(now);
        this.invalidate();
    }

    resize(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (width === 0 || height === 0) return;
        const ratio = sharpnessOf(this.quality) * this.haste.sharpness;
        pixelScale.value = ratio;
        this.renderer.setDrawingBufferSize(width, height, ratio);
        this.camera.resize(width, height, Math.min(this.covered, 0.4 * height) / 2);
        if (this.pictures > 0) this.draw(); // at once: a canvas of another size is empty
    }

    private tick(now: number): void {
        requestAnimationFrame((next) => this.tick(next));
        const moved = this.camera.advance(Math.min((now - this.last) / 1000, 0.1));
        this.last = now;
        if ((!moved && !this.dirty) || this.store.sceneFrames === 0) return this.haste.pause();
        if (this.quality === "low" && now - this.drawnAt < LOW_QUALITY_MS) return;
        this.drawnAt = now;
        this.dirty = false;
        this.draw();
        if (this.haste.drawn(now)) this.resize();
    }

    private draw(): void {
        const { scene, poses, sceneFrames } = this.store;
        this.marks.visible = this.drawnGeneration >= 0;
        if (scene && sceneFrames > 0) {
            if (this.wantsCamera) {
                this.wantsCamera = false;
                this.resetCamera();
                this.arrange(scene);
            }
            const unit = this.lineWidth();
            const perNewton = arrowScale(scene) * this.layers.arrowLength;
            this.bodies.update();
            this.atoms.update();
            if (poses.changedCount > 0) {
                this.bonds.update(this.atoms.centres);
                this.ribbon.update(this.atoms.centres);
            }
            this.contacts.update(unit, perNewton);
            this.markers.update(unit);
            this.hands.update(unit, perNewton, this.camera.camera.position, this.layers.forces);
            poses.clearChanged();
            this.drawnGeneration = scene.generation;
        }
        this.renderer.render(this.stage, this.camera.camera);
        this.labels.place(this.camera.camera, this.canvas.clientWidth, this.canvas.clientHeight);
        this.pictures++;
        if (this.drawnGeneration >= 0 && !this.marks.visible) this.invalidate();
        this.drawn.emit();
    }

    /** Metres of a line of some pixels, where the camera looks. */
    private lineWidth(): number {
        const camera = this.camera.camera;
        const away = this.camera.distance();
        return (LINE_PIXELS * 2 * away * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(this.canvas.clientHeight, 1);
    }
}

/** Metres a newton: the weight of the heaviest item makes an arrow of half the extent. */
function arrowScale(scene: Scene): number {
    const gravity = Math.hypot(...scene.gravity) || 9.81;
    const heaviest = scene.items.reduce((most, item) => {
        let mass = 0;
        for (let k = 0; k < item.bodies; k++) mass += scene.bodies[item.first_body + k]!.mass;
        return Math.max(most, mass);
    }, 0);
    return (0.5 * scene.radius) / (heaviest * gravity || 1);
}

function along(from: Vec, direction: Vec, distance: number): Vec {
    const length = Math.hypot(...direction);
    return from.map((value, c) => value + (distance * direction[c]!) / length) as Vec;
}

function average(values: Float32Array): number {
    return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
