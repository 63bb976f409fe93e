// SPDX-License-Identifier: Apache-2.0
// How much a picture may cost. Where no graphics card helps, pictures are coarse and without shadows from the first one on:
// they come soon rather than beautiful.

export type Quality = "high" | "low";

/** `wanted`: as the address says ("high", "low"), or anything else: by what draws. */
export function chooseQuality(wanted: string | null): Quality {
    if (wanted === "high" || wanted === "low") return wanted;
    return drawsBySoftware() ? "low" : "high";
}

function drawsBySoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return false; // then nothing is drawn at all
    const detail = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(detail ? detail.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
