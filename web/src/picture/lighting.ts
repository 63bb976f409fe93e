// SPDX-License-Identifier: Apache-2.0
// The light that everything stands in, as uniforms that all materials share: sky and ground from all around, a key light
// from the upper left with shadows, a faint one from the other side. Few lines of GLSL, so that the first
// picture does not wait for compilers.
import { Color, Matrix4, Vector3, type DepthTexture } from "three";
import type { Theme } from "../base/theme.ts";

/** From what is lit to the key light, world. */
export const KEY = new Vector3(-1.1, -1.6, 2.6).normalize();

export const lighting = {
    keyDirection: { value: KEY },
    keyColour: { value: new Color() },
    skyColour: { value: new Color() },
    groundColour: { value: new Color() },
    shadowMap: { value: null as DepthTexture | null },
    shadowMatrix: { value: new Matrix4() },
    /** edge of a pixel of the map, as a part of the map */
    shadowTexel: { value: 1 / 2048 },
    /** m that a point is moved along its normal, so that nothing shades itself */
    shadowOffset: { value: 0 },
    /** of the floor: how dark shadows on it are */
    shadowDepth: { value: 0.3 },
};

export function lightBy(theme: Theme): void {
    lighting.keyColour.value.set(0xfff6ea).multiplyScalar(theme.dark ? 0.7 : 0.72);
    lighting.skyColour.value.set(theme.dark ? 0xdfe8f4 : 0xf4f8ff).multiplyScalar(theme.dark ? 0.5 : 0.64);
    lighting.groundColour.value.set(theme.dark ? 0x59616b : 0xb9b2a6).multiplyScalar(theme.dark ? 0.34 : 0.46);
    lighting.shadowDepth.value = theme.shadow;
}

/** How much of the key light reaches a point: 9 comparisons with what the light sees. Without SHADOWS all of it. */
export const SHADOW_GLSL = `
#ifdef SHADOWS
uniform highp sampler2DShadow shadowMap;
uniform mat4 shadowMatrix;
uniform float shadowTexel;
uniform float shadowOffset;
float keyLight(vec3 world, vec3 normal) {
    vec4 at = shadowMatrix * vec4(world + shadowOffset * normal, 1.0);
    vec3 p = at.xyz / at.w - vec3(0.0, 0.0, 0.0004);
    if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
    float sum = 0.0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) sum += texture(shadowMap, vec3(p.xy + 1.6 * shadowTexel * vec2(i, j), p.z));
    return sum / 9.0;
}
#else
float keyLight(vec3 world, vec3 normal) { return 1.0; }
#endif`;

/** Colour of a surface in this light; all in world axes, linear. */
export const LIGHT_GLSL = `
uniform vec3 keyDirection;
uniform vec3 keyColour;
uniform vec3 skyColour;
uniform vec3 groundColour;
vec3 lit(vec3 colour, vec3 normal, vec3 toEye, float key) {
    float diffuse = max(dot(normal, keyDirection), 0.0) * key;
    float fill = max(dot(normal, vec3(0.86, 0.43, 0.28)), 0.0);
    float shine = pow(max(dot(normal, normalize(keyDirection + toEye)), 0.0), 42.0) * key;
    float rim = pow(1.0 - max(dot(normal, toEye), 0.0), 4.0);
    vec3 around = mix(groundColour, skyColour, 0.5 + 0.5 * normal.z);
    return colour * (around + keyColour * diffuse + 0.16 * skyColour * fill) + 0.16 * shine * keyColour + 0.1 * rim * around;
}`;
