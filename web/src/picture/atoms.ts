// SPDX-License-Identifier: Apache-2.0
// Atoms as impostors: each is a square turned to the eye, on which the fragment shader finds the sphere,
// with its true outline and depth, so spheres cut into each other and into meshes as they should.
import {
    BufferAttribute, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial,
} from "three";
import { applyPose } from "../state/poses.ts";
import { NONE, type Atoms, type Rows } from "../wire/protocol.ts";
import { LIGHT_GLSL, lighting } from "./lighting.ts";
import { MARK_GLSL, pixelScale, SELECTED } from "./material.ts";
import type { Store } from "../state/store.ts";

const VERTEX = `
attribute vec3 centre;
attribute float radius;
attribute vec3 tint;
attribute float mark;
uniform float scale;
varying vec3 eyeCentre;
varying vec3 onSquare;
varying float eyeRadius;
varying vec3 vTint;
varying float vMark;
void main() {
    eyeCentre = (modelViewMatrix * vec4(centre, 1.0)).xyz;
    eyeRadius = radius * scale;
    vTint = tint;
    vMark = mark;
    vec3 forward = normalize(eyeCentre);
    vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, forward);
    // the cone of sight around the sphere is wider than the sphere where it is close
    float away = length(eyeCentre);
    float widen = away / sqrt(max(away * away - eyeRadius * eyeRadius, 1e-12));
    onSquare = eyeCentre + (position.x * right + position.y * up) * eyeRadius * widen;
    gl_Position = projectionMatrix * vec4(onSquare, 1.0);
}`;

const FRAGMENT = `
uniform mat4 projectionMatrix;
varying vec3 eyeCentre;
varying vec3 onSquare;
varying float eyeRadius;
varying vec3 vTint;
varying float vMark;
${MARK_GLSL}
${LIGHT_GLSL}
void main() {
    vec3 ray = normalize(onSquare);
    float along = dot(ray, eyeCentre);
    float inside = along * along - dot(eyeCentre, eyeCentre) + eyeRadius * eyeRadius;
    if (inside < 0.0) discard;
    vec3 hit = ray * (along - sqrt(inside));
    vec3 normal = (hit - eyeCentre) / eyeRadius;
    vec4 clip = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;

    // a dark outline tells neighbours apart
    float outline = mix(0.5, 1.0, smoothstep(0.0, 0.45, -dot(normal, ray)));
    mat3 toEye = mat3(viewMatrix); // its transpose leads back to the world
    vec3 colour = outline * markColour(vTint, floor(vMark + 0.5));
    gl_FragColor = vec4(lit(colour, normal * toEye, -ray * toEye, 1.0), 1.0);
    #include <colorspace_fragment>
}`;

export class AtomsView {
    readonly root = new Group();
    /** 3 numbers an atom, world */
    centres = new Float32Array(0);
    private atoms: Atoms | null = null;
    private centreAttribute: InstancedBufferAttribute | null = null;
    private markAttribute: InstancedBufferAttribute | null = null;
    private ofBody: number[][] = [];
    private mesh: Mesh<InstancedBufferGeometry, ShaderMaterial> | null = null;

    constructor(private readonly store: Store) {
        store.onActivity.on((rows) => this.markRows(rows));
    }

    build(atoms: Atoms | null, bodies: number): void {
        this.mesh?.geometry.dispose();
        this.mesh?.material.dispose();
        this.mesh = null;
        this.root.clear();
        this.atoms = atoms;
        this.ofBody = Array.from({ length: atoms ? bodies : 0 }, () => []);
        this.centres = new Float32Array(3 * (atoms?.count ?? 0));
        if (!atoms) return;
        for (let k = 0; k < atoms.count; k++)
            if (atoms.body[k] === NONE) this.centres.set(atoms.offset.subarray(3 * k, 3 * k + 3), 3 * k);
            else this.ofBody[atoms.body[k]!]?.push(k);
        this.mesh = new Mesh(this.geometry(atoms), material());
        this.mesh.frustumCulled = false;
        this.root.add(this.mesh);
    }

    /** 1: as large as they are; less, to show the bonds between them; 0: not at all. */
    setScale(scale: number): void {
        if (!this.mesh) return;
        this.mesh.visible = scale > 0;
        this.mesh.material.uniforms.scale!.value = scale;
    }

    update(): void {
        if (!this.atoms || !this.centreAttribute) return;
        const { changed, changedCount, pose } = this.store.poses;
        for (let k = 0; k < changedCount; k++) {
            const body = changed[k]!;
            for (const atom of this.ofBody[body]!)
                this.centres.set(applyPose(pose, 7 * body, this.atoms.offset.subarray(3 * atom, 3 * atom + 3)), 3 * atom);
        }
        if (changedCount > 0) this.centreAttribute.needsUpdate = true;
    }

    markBody(body: number): void {
        if (!this.markAttribute) return;
        const mark = (this.store.activity[body] ?? 0) + (body === this.store.selected ? SELECTED : 0);
        for (const atom of this.ofBody[body] ?? []) this.markAttribute.array[atom] = mark;
        this.markAttribute.needsUpdate = true;
    }

    private markRows(rows: Rows): void {
        for (let k = 0; k < rows.count; k++) this.markBody(rows.words[2 * k]!);
    }

    private geometry(atoms: Atoms): InstancedBufferGeometry {
        const geometry = new InstancedBufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
        geometry.setIndex([0, 1, 2, 0, 2, 3]);
        const tint = new Float32Array(3 * atoms.count);
        // colours come as screens show them; light is added up in linear space
        for (let k = 0; k < atoms.count; k++)
            for (let c = 0; c < 3; c++) tint[3 * k + c] = Math.pow(atoms.colour[4 * k + c]! / 255, 2.2);
        this.centreAttribute = new InstancedBufferAttribute(this.centres, 3).setUsage(DynamicDrawUsage);
        this.markAttribute = new InstancedBufferAttribute(new Float32Array(atoms.count), 1).setUsage(DynamicDrawUsage);
        geometry.setAttribute("centre", this.centreAttribute);
        geometry.setAttribute("radius", new InstancedBufferAttribute(atoms.radius, 1));
        geometry.setAttribute("tint", new InstancedBufferAttribute(tint, 3));
        geometry.setAttribute("mark", this.markAttribute);
        geometry.instanceCount = atoms.count;
        return geometry;
    }
}

function material(): ShaderMaterial {
    return new ShaderMaterial({
        uniforms: { ...lighting, scale: { value: 1 }, pixelScale },
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
    });
}
