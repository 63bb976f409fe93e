// SPDX-License-Identifier: Apache-2.0
// Light, sky and floor: a calm grid that fades into the distance, with soft shadows on it.
import {
    BackSide, Color, DirectionalLight, Group, HemisphereLight, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, SphereGeometry,
    Vector3,
} from "three";
import type { Theme } from "../base/theme.ts";

const SKY_VERTEX = `
varying vec3 direction;
void main() {
    direction = position;
    vec4 clip = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
    gl_Position = clip.xyww;
}`;

const SKY_FRAGMENT = `
uniform vec3 top;
uniform vec3 bottom;
varying vec3 direction;
void main() {
    float height = normalize(direction).z;
    gl_FragColor = vec4(mix(bottom, top, smoothstep(-0.15, 0.7, abs(height))), 1.0);
    #include <colorspace_fragment>
}`;

const FLOOR_VERTEX = `
varying vec2 place;
void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

// Lines of two spacings, each as wide as a pixel or so; what is finer than pixels fades out.
const FLOOR_FRAGMENT = `
uniform vec3 floorColour;
uniform vec3 lineColour;
uniform vec2 centre;
uniform float cell;
uniform float reach;
varying vec2 place;
float lines(float spacing, float width) {
    vec2 at = place / spacing;
    vec2 pixel = fwidth(at);
    vec2 off = abs(fract(at - 0.5) - 0.5) / max(pixel, vec2(1e-6));
    vec2 line = (1.0 - smoothstep(width - 0.5, width + 0.5, off)) * (1.0 - smoothstep(0.15, 0.5, pixel));
    return max(line.x, line.y);
}
void main() {
    float away = length(place - centre) / reach;
    float fade = 0.88 - 0.88 * smoothstep(0.25, 1.0, away); // what is below can be guessed
    float strength = max(0.22 * lines(cell, 0.5), 0.55 * lines(cell * 10.0, 0.8));
    gl_FragColor = vec4(mix(floorColour, lineColour, strength), fade);
    #include <colorspace_fragment>
}`;

export class Scenery {
    readonly root = new Group();
    private readonly hemisphere = new HemisphereLight(0xffffff);
    private readonly key = new DirectionalLight(0xfffaf2);
    private readonly fill = new DirectionalLight(0xdde8ff, 0.7);
    private readonly sky: Mesh<SphereGeometry, ShaderMaterial>;
    private readonly floor: Mesh<PlaneGeometry, ShaderMaterial>;
    private readonly shade: Mesh<PlaneGeometry, ShadowMaterial>;

    constructor(shadows: boolean) {
        this.sky = new Mesh(new SphereGeometry(1, 24, 12), new ShaderMaterial({
            uniforms: { top: { value: new Color() }, bottom: { value: new Color() } },
            vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, side: BackSide, depthWrite: false, depthTest: false,
        }));
        this.sky.frustumCulled = false;
        this.sky.renderOrder = -10;
        this.floor = new Mesh(new PlaneGeometry(1, 1), new ShaderMaterial({
            uniforms: {
                floorColour: { value: new Color() }, lineColour: { value: new Color() }, centre: { value: new Vector3() },
                cell: { value: 0.1 }, reach: { value: 10 },
            },
            vertexShader: FLOOR_VERTEX, fragmentShader: FLOOR_FRAGMENT, transparent: true, depthWrite: false,
        }));
        this.floor.renderOrder = -2;
        this.shade = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ depthWrite: false }));
        this.shade.receiveShadow = true;
        this.shade.renderOrder = -1;
        this.hemisphere.position.set(0, 0, 1);
        this.key.castShadow = shadows;
        this.key.shadow.mapSize.set(2048, 2048);
        this.key.shadow.radius = 7;
        this.key.shadow.intensity = 0.9;
        this.root.add(this.sky, this.floor, this.shade, this.hemisphere, this.key, this.key.target, this.fill);
    }

    applyTheme(theme: Theme): void {
        // sky and floor are not lit: their colours are what is seen
        this.sky.material.uniforms.top!.value.set(theme.skyTop);
        this.sky.material.uniforms.bottom!.value.set(theme.skyBottom);
        this.floor.material.uniforms.floorColour!.value.set(theme.floor);
        this.floor.material.uniforms.lineColour!.value.set(theme.line);
        this.shade.material.opacity = theme.shadow;
        this.hemisphere.intensity = theme.dark ? 1.5 : 2.1;
        this.hemisphere.groundColor.set(theme.dark ? 0x3c4650 : 0xa9a59c);
        this.key.intensity = theme.dark ? 1.9 : 1.7;
    }

    /** Floor at a height, or none; light from the upper left over what lies within `radius` of `centre`. */
    arrange(centre: Vector3, radius: number, floor: number | null): void {
        const reach = Math.max(14 * radius, 4);
        this.floor.visible = this.shade.visible = floor !== null;
        for (const plane of [this.floor, this.shade]) {
            plane.position.set(centre.x, centre.y, floor ?? 0);
            plane.scale.set(2 * reach, 2 * reach, 1);
        }
        const cell = Math.pow(10, Math.round(Math.log10(radius / 6)));
        this.floor.material.uniforms.centre!.value.copy(centre);
        this.floor.material.uniforms.cell!.value = cell;
        this.floor.material.uniforms.reach!.value = reach;
        this.key.target.position.copy(centre);
        this.key.position.copy(centre).add(new Vector3(-1.1, -1.6, 2.6).multiplyScalar(1.6 * radius));
        this.fill.position.copy(centre).add(new Vector3(2, 1, 0.7).multiplyScalar(radius));
        const shadow = this.key.shadow;
        const half = 1.9 * radius;
        Object.assign(shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * radius, far: 12 * radius });
        shadow.camera.updateProjectionMatrix();
        shadow.normalBias = (0.6 * half) / 1024;
        shadow.bias = -0.0004;
    }
}
