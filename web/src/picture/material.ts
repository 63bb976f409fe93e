// SPDX-License-Identifier: Apache-2.0
// Materials of what is drawn: lit ones for bodies, marked by what each instance does, and flat ones for signs. Marks are
// patterns as well as shades: a joint that sleeps is hatched, what rests in contact is striped, what is
// locked is crossed.
import { Color, FrontSide, ShaderMaterial, type Side } from "three";
import { LIGHT_GLSL, lighting, SHADOW_GLSL } from "./lighting.ts";

/** Value of the instance attribute `mark`: the activity (0 to 3), and SELECTED added when it is selected. */
export const SELECTED = 8;

export const pixelScale = { value: 1 };

/** Colour of a surface with a mark, at a pixel. */
export const MARK_GLSL = `
uniform float pixelScale;
vec3 markColour(vec3 colour, float mark) {
    bool selected = mark > 7.5;
    float state = selected ? mark - 8.0 : mark;
    vec2 at = gl_FragCoord.xy / pixelScale;
    float grey = dot(colour, vec3(0.3, 0.59, 0.11));
    if (state > 0.5) {
        float diagonal = step(0.7, fract((at.x + at.y) / 9.0));
        float other = step(0.7, fract((at.x - at.y) / 9.0));
        float level = step(0.75, fract(at.y / 7.0));
        float pattern = state < 1.5 ? diagonal : state < 2.5 ? 0.45 * level : max(diagonal, other);
        float calm = state > 1.5 && state < 2.5 ? 0.25 : 0.55;
        colour = mix(colour, vec3(grey) * 0.82, calm);
        colour *= 1.0 - 0.28 * pattern;
    }
    if (selected) colour = mix(colour, vec3(1.0, 0.72, 0.22), 0.45);
    return colour;
}`;

const PLACE_GLSL = `
vec4 place(vec3 p) {
#ifdef USE_INSTANCING
    return modelMatrix * (instanceMatrix * vec4(p, 1.0));
#else
    return modelMatrix * vec4(p, 1.0);
#endif
}
vec3 direct(vec3 n) {
#ifdef USE_INSTANCING
    mat3 turn = mat3(modelMatrix) * mat3(instanceMatrix);
#else
    mat3 turn = mat3(modelMatrix);
#endif
    // scaled by the squares of the scales: normals of what is stretched lean the other way
    return normalize(turn * (n / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]))));
}
vec3 tintOf(vec3 colour) {
#ifdef USE_INSTANCING_COLOR
    return colour * instanceColor;
#else
    return colour;
#endif
}`;

const LIT_VERTEX = `
uniform vec3 tint;
#ifdef MARKS
attribute float mark;
varying float vMark;
#endif
varying vec3 vWorld;
varying vec3 vNormal;
varying vec3 vTint;
${PLACE_GLSL}
void main() {
    vec4 world = place(position);
    vWorld = world.xyz;
    vNormal = direct(normal);
    vTint = tintOf(tint);
#ifdef MARKS
    vMark = mark;
#endif
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

const LIT_FRAGMENT = `
uniform float opacity;
varying vec3 vWorld;
varying vec3 vNormal;
varying vec3 vTint;
#ifdef MARKS
varying float vMark;
${MARK_GLSL}
#endif
${LIGHT_GLSL}
${SHADOW_GLSL}
void main() {
    vec3 normal = normalize(gl_FrontFacing ? vNormal : -vNormal);
    vec3 colour = vTint;
#ifdef MARKS
    colour = markColour(colour, floor(vMark + 0.5));
#endif
    gl_FragColor = vec4(lit(colour, normal, normalize(cameraPosition - vWorld), keyLight(vWorld, normal)), opacity);
    #include <colorspace_fragment>
}`;

const FLAT_VERTEX = `
uniform vec3 tint;
varying vec3 vTint;
${PLACE_GLSL}
void main() {
    vTint = tintOf(tint);
    gl_Position = projectionMatrix * viewMatrix * place(position);
}`;

const FLAT_FRAGMENT = `
uniform float opacity;
varying vec3 vTint;
void main() {
    gl_FragColor = vec4(vTint, opacity);
    #include <colorspace_fragment>
}`;

export interface Look {
    colour?: string;
    opacity?: number;
    /** drawn over what is before it */
    over?: boolean;
    side?: Side;
    /** instances have an attribute `mark` */
    marks?: boolean;
    /** the key light's shadows fall on it */
    shadows?: boolean;
}

export type TintedMaterial = ShaderMaterial & { uniforms: { tint: { value: Color } } };

function tinted(vertexShader: string, fragmentShader: string, uniforms: Record<string, { value: unknown }>, look: Look): TintedMaterial {
    const opacity = look.opacity ?? 1;
    const defines: Record<string, string> = {};
    if (look.marks) defines.MARKS = "";
    if (look.shadows) defines.SHADOWS = "";
    return new ShaderMaterial({
        uniforms: { ...uniforms, tint: { value: new Color(look.colour ?? "#ffffff") }, opacity: { value: opacity } },
        defines, vertexShader, fragmentShader,
        transparent: opacity < 1 || look.over === true, depthWrite: opacity >= 1, depthTest: !look.over, side: look.side ?? FrontSide,
    }) as TintedMaterial;
}

export function litMaterial(look: Look = {}): TintedMaterial {
    return tinted(LIT_VERTEX, LIT_FRAGMENT, { ...lighting, ...(look.marks ? { pixelScale } : {}) }, look);
}

export function flatMaterial(look: Look = {}): TintedMaterial {
    return tinted(FLAT_VERTEX, FLAT_FRAGMENT, {}, look);
}
