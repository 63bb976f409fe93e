#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write models/models.svg: front and side view of the robot and the humans we ship.

Every frame is parallel to the world's when all joints are zero, so a shape is drawn as its
rectangle or circle in the plane of the view, far shapes first.
"""

import sys

import make_hrp2
import make_human
from urdf_writer import argument_parser, number, write_or_check

SCALE = 170    # pixels per metre
FLOOR = 320    # pixels, the floor's y
WIDTH = 150    # pixels per view


def colour(rgba):
    return "#" + "".join(f"{round(255 * c):02x}" for c in rgba[:3])


def view(robot, lift, across, x0):
    """SVG lines of one view; across = 1: front (y to the right, as the robot faces us), 0: side."""
    at, items = robot.origins(), []
    for link in robot.links():
        for shape in link.shapes:
            centre = [o + c for o, c in zip(at[link.name], shape.at)]
            half = shape.half_extents()
            depth = centre[1 - across] + half[1 - across] if across else half[1] - centre[1]
            rgba = robot.materials[shape.material or link.material]
            items.append((round(depth, 6), link.name, shape, centre, half, colour(rgba)))
    items.sort(key=lambda item: item[:2])
    out = []
    for _, _, shape, centre, half, fill in items:
        u, z = x0 + centre[across] * SCALE, FLOOR - (centre[2] + lift) * SCALE
        w, h = half[across] * SCALE, half[2] * SCALE
        round_here = shape.kind == "sphere" or (shape.kind == "cylinder"
                                                and shape.axis == ("x" if across else "y"))
        if round_here:
            out.append(f'<circle cx="{u:.1f}" cy="{z:.1f}" r="{w:.1f}" fill="{fill}"/>')
        else:
            out.append(f'<rect x="{u - w:.1f}" y="{z - h:.1f}" width="{2 * w:.1f}"'
                       f' height="{2 * h:.1f}" fill="{fill}"/>')
    return out


def drawing():
    people = [(name, make_human.Body(*person), make_human.build(*person))
              for name, person in make_human.SHIPPED.items()]
    rows = [("hrp2.urdf", make_hrp2.build(), make_hrp2.STANDING)]
    rows += [(name, robot, body.standing) for name, body, robot in people]
    width = 2 * WIDTH * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {FLOOR + 30}"'
           ' font-family="sans-serif" font-size="12" text-anchor="middle">',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           f'<path d="M0 {FLOOR}H{width}" stroke="#888888"/>',
           '<g stroke="#222222" stroke-width="0.4">']
    for i, (_, robot, lift) in enumerate(rows):
        for across in (1, 0):
            out += view(robot, lift, across, WIDTH * (2 * i + 1.5 - across))
    out.append("</g>")
    for i, (name, _, lift) in enumerate(rows):
        out.append(f'<text x="{WIDTH * (2 * i + 1)}" y="{FLOOR + 20}">{name}: pelvis at'
                   f' {number(lift)} m</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    args = argument_parser(__doc__.split("\n")[0]).parse_args()
    return write_or_check({"models.svg": drawing()}, args.check, "draw_models.py")


if __name__ == "__main__":
    sys.exit(main())
