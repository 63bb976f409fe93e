// SPDX-License-Identifier: Apache-2.0
// Sky and floor: a calm grid that fades into the distance, with soft shadows on it; and the light that casts them.
import { Color, DirectionalLight, Group, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from "three";
import { KEY, lightBy, lighting, SHADOW_GLSL } from "./lighting.ts";
import { Dome, skyBehind } from "./sky.ts";
import type { Surface } from "./surface.ts";
import type { Theme } from "../base/theme.ts";

const MAP_EDGE = 2048;

const FLOOR_VERTEX = `
varying vec3 place;
void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

// Lines of two spacings, each as wide as a pixel or so; what is finer than pixels fades out.
const FLOOR_FRAGMENT = `
uniform vec3 floorColour;
uniform vec3 lineColour;
uniform vec2 centre;
uniform float cell;
uniform float reach;
uniform float shadowDepth;
varying vec3 place;
${SHADOW_GLSL}
float lines(float spacing, float width) {
    vec2 at = place.xy / spacing;
    vec2 pixel = fwidth(at);
    vec2 off = abs(fract(at - 0.5) - 0.5) / max(pixel, vec2(1e-6));
    vec2 line = (1.0 - smoothstep(width - 0.5, width + 0.5, off)) * (1.0 - smoothstep(0.15, 0.5, pixel));
    return max(line.x, line.y);
}
void main() {
    float away = length(place.xy - centre) / reach;
    float fade = 0.88 - 0.88 * smoothstep(0.25, 1.0, away); // what is below can be guessed
    float strength = max(0.22 * lines(cell, 0.5), 0.55 * lines(cell * 10.0, 0.8));
    float shade = 1.0 - shadowDepth * (1.0 - keyLight(place, vec3(0.0, 0.0, 1.0)));
    gl_FragColor = vec4(shade * mix(floorColour, lineColour, strength), fade);
    #include <colorspace_fragment>
}`;

export class Scenery {
    readonly root = new Group();
    private readonly key = new DirectionalLight();
    private readonly sky: Dome | null;
    private readonly floor: Mesh<PlaneGeometry, ShaderMaterial>;

    constructor(private readonly surface: Surface) {
        const high = surface.quality === "high";
        this.sky = high ? new Dome() : null;
        this.floor = new Mesh(new PlaneGeometry(1, 1), new ShaderMaterial({
            uniforms: {
                ...lighting, floorColour: { value: new Color() }, lineColour: { value: new Color() }, centre: { value: new Vector3() },
                cell: { value: 0.1 }, reach: { value: 10 },
            },
            defines: high ? { SHADOWS: "" } : {},
            vertexShader: FLOOR_VERTEX, fragmentShader: FLOOR_FRAGMENT, transparent: true, depthWrite: false,
        }));
        this.floor.renderOrder = -2;
        this.root.add(this.floor);
        if (this.sky) this.root.add(this.sky.root);
        if (this.sky) this.castShadows(this.sky);
    }

    applyTheme(theme: Theme): void {
        // sky and floor are not lit: their colours are what is seen
        if (this.sky) this.sky.applyTheme(theme);
        else this.surface.canvas.style.background = skyBehind(theme);
        this.floor.material.uniforms.floorColour!.value.set(theme.floor);
        this.floor.material.uniforms.lineColour!.value.set(theme.line);
        lightBy(theme);
    }

    /** Floor at a height, or none; light from the upper left over what lies within `radius` of `centre`. */
    arrange(centre: Vector3, radius: number, floor: number | null): void {
        const reach = Math.max(14 * radius, 4);
        this.floor.visible = floor !== null;
        this.floor.position.set(centre.x, centre.y, floor ?? 0);
        this.floor.scale.set(2 * reach, 2 * reach, 1);
        this.floor.material.uniforms.centre!.value.copy(centre);
        this.floor.material.uniforms.cell!.value = Math.pow(10, Math.round(Math.log10(radius / 6)));
        this.floor.material.uniforms.reach!.value = reach;
        this.key.target.position.copy(centre);
        this.key.position.copy(centre).addScaledVector(KEY, 5.2 * radius);
        const half = 1.9 * radius;
        Object.assign(this.key.shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * radius, far: 12 * radius });
        this.key.shadow.camera.updateProjectionMatrix();
        lighting.shadowOffset.value = (2.4 * half) / MAP_EDGE;
    }

    /** The map is made before anything is drawn, the sky first. */
    private castShadows(sky: Dome): void {
        const shadow = this.key.shadow;
        this.key.castShadow = true;
        shadow.mapSize.set(MAP_EDGE, MAP_EDGE);
        lighting.shadowTexel.value = 1 / MAP_EDGE;
        sky.root.onBeforeRender = () => {
            lighting.shadowMap.value = shadow.map?.depthTexture ?? null;
            lighting.shadowMatrix.value.copy(shadow.matrix);
        };
        this.root.add(this.key, this.key.target);
    }
}
