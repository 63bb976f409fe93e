// SPDX-License-Identifier: Apache-2.0
// The material of bodies: lit as usual, and marked by what its instance does. Marks are patterns as well
// as shades: a joint that sleeps is hatched, what rests in contact is striped, what is locked is crossed.
import { MeshStandardMaterial, type WebGLProgramParametersWithUniforms } from "three";

/** Value of the instance attribute `mark`: the activity (0 to 3), and SELECTED added when it is selected. */
export const SELECTED = 8;

/** GLSL: colour of a surface with a mark, at a pixel; also used by atoms. */
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

export const pixelScale = { value: 1 };

export function shadedMaterial(opacity: number): MeshStandardMaterial {
    const material = new MeshStandardMaterial({
        roughness: 0.52, metalness: 0.04, opacity, transparent: opacity < 1, depthWrite: opacity >= 1,
    });
    material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
        shader.uniforms.pixelScale = pixelScale;
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nattribute float mark;\nvarying float vMark;")
            .replace("#include <begin_vertex>", "#include <begin_vertex>\nvMark = mark;");
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", `#include <common>\nvarying float vMark;\n${MARK_GLSL}`)
            .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb = markColour(diffuseColor.rgb, floor(vMark + 0.5));");
    };
    return material;
}
