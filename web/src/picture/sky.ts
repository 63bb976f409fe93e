// SPDX-License-Identifier: Apache-2.0
// The sky: a dome around everything. Where the processor draws, the canvas stays clear instead and the sky is behind it, which
// costs no shader and no pixel.
import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from "three";
import type { Theme } from "../base/theme.ts";

const VERTEX = `
varying vec3 direction;
void main() {
    direction = position;
    vec4 clip = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
    gl_Position = clip.xyww;
}`;

const FRAGMENT = `
uniform vec3 top;
uniform vec3 bottom;
varying vec3 direction;
void main() {
    float height = normalize(direction).z;
    gl_FragColor = vec4(mix(bottom, top, smoothstep(-0.15, 0.7, abs(height))), 1.0);
    #include <colorspace_fragment>
}`;

export class Dome {
    readonly root: Mesh<SphereGeometry, ShaderMaterial>;

    constructor() {
        this.root = new Mesh(new SphereGeometry(1, 24, 12), new ShaderMaterial({
            uniforms: { top: { value: new Color() }, bottom: { value: new Color() } },
            vertexShader: VERTEX, fragmentShader: FRAGMENT, side: BackSide, depthWrite: false, depthTest: false,
        }));
        this.root.frustumCulled = false;
        this.root.renderOrder = -10;
    }

    applyTheme(theme: Theme): void {
        this.root.material.uniforms.top!.value.set(theme.skyTop);
        this.root.material.uniforms.bottom!.value.set(theme.skyBottom);
    }
}

/** A background in CSS: as the dome is for who looks down a little. */
export function skyBehind(theme: Theme): string {
    return `linear-gradient(${theme.skyBottom}, ${theme.skyTop})`;
}
