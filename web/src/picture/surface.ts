// SPDX-License-Identifier: Apache-2.0
// The canvas, and how much a picture on it may cost. Where no graphics card helps, pictures are coarse and without shadows
// from the first one on: they come soon rather than beautiful.

export type Quality = "high" | "low";

export interface Surface {
    canvas: HTMLCanvasElement;
    context: WebGL2RenderingContext;
    quality: Quality;
}

/** Of a canvas in the document, or of another one in its place. `wanted`: as the address says ("high", "low"), or anything
 *  else: by what draws. Null where there is no WebGL 2. */
export function openSurface(canvas: HTMLCanvasElement, wanted: string | null): Surface | null {
    if (wanted === "high") return open(canvas, "high");
    const surface = open(canvas, "low");
    if (!surface || wanted === "low" || drawsBySoftware(surface.context)) return surface;
    surface.context.getExtension("WEBGL_lose_context")?.loseContext();
    const smooth = canvas.cloneNode() as HTMLCanvasElement; // a context for smooth edges has to be the first of its canvas
    canvas.replaceWith(smooth);
    return open(smooth, "high");
}

/** Pixels along an edge by those of the page. */
export function sharpnessOf(quality: Quality): number {
    return quality === "low" ? 0.5 : Math.min(window.devicePixelRatio, 2);
}

/** Sized before there is a context, as that would make all of its buffers anew. */
function open(canvas: HTMLCanvasElement, quality: Quality): Surface | null {
    canvas.width = Math.floor(canvas.clientWidth * sharpnessOf(quality));
    canvas.height = Math.floor(canvas.clientHeight * sharpnessOf(quality));
    const context = canvas.getContext("webgl2", { antialias: quality === "high", powerPreference: "high-performance" });
    return context && { canvas, context, quality };
}

function drawsBySoftware(gl: WebGL2RenderingContext): boolean {
    const detail = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(detail ? detail.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
