#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models and cases of tests/data/cases from closed forms.

Nothing here computes multibody dynamics: every answer is an equation of motion that a textbook
solves by hand, so that `sinew eval` has a witness that shares no code and no algorithm with it.
usage: make_cases.py [FOLDER]
"""
import json
import math
import os
import sys

G = 9.81
IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]


def body(type, nq, nv, mass, com, inertia, parent=-1, p=(0, 0, 0), iq=0, iv=0, index=0, **more):
    return dict(index=index, joint="joint%d" % index, parent=parent, type=type, iq=iq, iv=iv, nq=nq,
                nv=nv, placement=dict(R=IDENTITY, p=list(p)), mass=mass, com=list(com),
                inertia_com=list(inertia), **more)


def model(name, *bodies):
    return dict(name=name, bodies=list(bodies))


def matrix_y(a):
    return [math.cos(a), 0, math.sin(a), 0, 1, 0, -math.sin(a), 0, math.cos(a)]


def matrix_z(a):
    return [math.cos(a), -math.sin(a), 0, math.sin(a), math.cos(a), 0, 0, 0, 1]


def pendulum():
    """Uniform rod of length L on a hinge: (m L^2 / 3) qdd = tau - m g (L / 2) sin q."""
    m, L, q, v, tau = 3.0, 2.0, 0.7, -1.3, 2.5
    M = m * L * L / 3
    g = m * G * L / 2 * math.sin(q)
    qdd = (tau - g) / M
    x, z = -L / 2 * math.sin(q), -L / 2 * math.cos(q)
    rod = body("revolute", 1, 1, m, (0, 0, -L / 2), (m * L * L / 12, 0, 0, m * L * L / 12, 0, 1e-3),
               axis=[0, 1, 0])
    case = dict(
        case="pendulum", gravity=[0, 0, -G], q=[q], v=[v], tau=[tau], fext=[], qdd=[qdd], nle=[g],
        gravity_torque=[g], M=[[M]], body_pose=[dict(p=[0, 0, 0], R=matrix_y(q))],
        body_vel=[[0, 0, 0, 0, v, 0]], body_acc=[[0, 0, 0, 0, qdd, 0]],
        kinetic_energy=M * v * v / 2, potential_energy=m * G * z, com=[x, 0, z],
        centroidal_momentum=[m * v * z, 0, -m * v * x, 0, m * L * L / 12 * v, 0],
        delassus_local=dict(bodies=[0], matrix=[[1 / M if i == j == 4 else 0 for j in range(6)]
                                                for i in range(6)]))
    return model("pendulum", rod), [case]


def pushed_pendulum():
    """The same rod, held against gravity by a force f at its end: tau = J^T f."""
    made, (case,) = pendulum()
    m, L, q, f = 3.0, 2.0, 0.7, 4.0
    # Force along the body's x axis at (0, 0, -L): moment about y is -L f.
    fext = [dict(body=0, wrench=[f, 0, 0, 0, -L * f, 0])]
    qdd = (-m * G * L / 2 * math.sin(q) - L * f) / (m * L * L / 3)
    return made, [dict(case="pushed", q=[q], fext=fext, qdd=[qdd],
                       body_acc=[[0, 0, 0, 0, qdd, 0]])]


def free_body():
    """A free body whose frame is at its centre: Euler's equations, and gravity for the rest.

    v is in body axes, so d/dt v_lin = R^T g - w x v_lin."""
    m, I = 2.0, (0.3, 0.4, 0.6)
    a = 0.9  # turned about z
    R = matrix_z(a)
    w, v = (0.7, -1.1, 1.9), (0.5, -0.25, 2.0)
    cross = (w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2], w[0] * v[1] - w[1] * v[0])
    gravity = (1.5, -0.5, -G)
    g = [R[0] * gravity[0] + R[3] * gravity[1], R[1] * gravity[0] + R[4] * gravity[1], gravity[2]]
    linear = [g[k] - cross[k] for k in range(3)]
    angular = [(I[1] - I[2]) * w[1] * w[2] / I[0], (I[2] - I[0]) * w[2] * w[0] / I[1],
               (I[0] - I[1]) * w[0] * w[1] / I[2]]
    p = [0.1, -0.2, 0.3]
    weight = [-m * x for x in g] + [0, 0, 0]
    nle = [m * (cross[k] - g[k]) for k in range(3)] + [-I[k] * angular[k] for k in range(3)]
    world = lambda x: [R[0] * x[0] + R[1] * x[1], R[3] * x[0] + R[4] * x[1], x[2]]
    spin = world([I[k] * w[k] for k in range(3)])
    diagonal = [m, m, m, *I]
    made = model("free_body", body("free", 7, 6, m, (0, 0, 0), (I[0], 0, 0, I[1], 0, I[2])))
    case = dict(
        case="tumbling", gravity=list(gravity), q=p + [0, 0, math.sin(a / 2), math.cos(a / 2)],
        v=[*v, *w], qdd=linear + angular, nle=nle, gravity_torque=weight,
        M=[[diagonal[i] if i == j else 0 for j in range(6)] for i in range(6)],
        body_pose=[dict(p=p, R=R)], body_vel=[[*v, *w]], body_acc=[linear + angular],
        kinetic_energy=(m * sum(x * x for x in v) + sum(I[k] * w[k] ** 2 for k in range(3))) / 2,
        potential_energy=-m * sum(gravity[k] * p[k] for k in range(3)), com=p,
        centroidal_momentum=[m * x for x in world(v)] + spin,
        delassus_local=dict(bodies=[0], matrix=[[1 / diagonal[i] if i == j else 0 for j in range(6)]
                                                for i in range(6)]))
    falling = dict(case="falling", q=[0, 0, 5, 0, 0, 0, 1], qdd=[0, 0, -G, 0, 0, 0],
                   body_acc=[[0, 0, -G, 0, 0, 0]], potential_energy=m * G * 5, kinetic_energy=0)
    return made, [case, falling]


def spinning_top():
    """A ball joint in the centre of a body: Euler's equations, quaternion x,y,z,w."""
    I, w = (0.2, 0.5, 0.6), (2.0, -1.0, 0.5)
    torque = (0.3, 0.1, -0.2)
    qdd = [(torque[0] + (I[1] - I[2]) * w[1] * w[2]) / I[0],
           (torque[1] + (I[2] - I[0]) * w[2] * w[0]) / I[1],
           (torque[2] + (I[0] - I[1]) * w[0] * w[1]) / I[2]]
    made = model("top", body("spherical", 4, 3, 1.5, (0, 0, 0), (I[0], 0, 0, I[1], 0, I[2])))
    return made, [dict(case="top", q=[0.5, 0.5, 0.5, 0.5], v=list(w), tau=list(torque), qdd=qdd,
                       gravity_torque=[0, 0, 0],
                       body_pose=[dict(p=[0, 0, 0], R=[0, 0, 1, 1, 0, 0, 0, 1, 0])])]


def screw():
    """A nut on a vertical screw: (I + m h^2) qdd = tau - m g h."""
    m, I, h, q, v, tau = 0.8, 0.02, 0.05, 1.2, 3.0, 0.4
    made = model("screw", body("helical", 1, 1, m, (0, 0, 0), (I, 0, 0, I, 0, I), axis=[0, 0, 1],
                               pitch=h))
    M = I + m * h * h
    qdd = (tau - m * G * h) / M
    return made, [dict(case="screw", q=[q], v=[v], tau=[tau], qdd=[qdd], M=[[M]], nle=[m * G * h],
                       kinetic_energy=M * v * v / 2, potential_energy=m * G * h * q,
                       body_pose=[dict(p=[0, 0, h * q], R=matrix_z(q))],
                       body_vel=[[0, 0, h * v, 0, 0, v]])]


def piston():
    """A cylindrical joint along z turns and slides on its own: q = [angle, distance]."""
    m, I, q, v, tau = 0.8, 0.02, (0.4, 0.3), (2.0, -0.5), (0.1, 9.0)
    made = model("piston", body("cylindrical", 2, 2, m, (0, 0, 0), (I, 0, 0, I, 0, I),
                                axis=[0, 0, 1]))
    return made, [dict(case="piston", q=list(q), v=list(v), tau=list(tau),
                       qdd=[tau[0] / I, tau[1] / m - G], nle=[0, m * G], M=[[I, 0], [0, m]],
                       body_pose=[dict(p=[0, 0, q[1]], R=matrix_z(q[0]))])]


def puck():
    """A planar joint: q = [angle, x, y], v = [w, vx, vy] in body axes, pulled along world x."""
    m, I, q, v, pull = 0.5, 0.01, (0.6, 1.0, -2.0), (3.0, 0.4, -0.7), 2.0
    made = model("puck", body("planar", 3, 3, m, (0, 0, 0), (I, 0, 0, I, 0, I), axis=[0, 0, 1]))
    c, s = math.cos(q[0]), math.sin(q[0])
    qdd = [0, pull * c + v[0] * v[2], -pull * s - v[0] * v[1]]
    return made, [dict(case="puck", gravity=[pull, 0, 0], q=list(q), v=list(v), qdd=qdd,
                       body_pose=[dict(p=[q[1], q[2], 0], R=matrix_z(q[0]))],
                       kinetic_energy=(m * (v[1] ** 2 + v[2] ** 2) + I * v[0] ** 2) / 2,
                       potential_energy=-m * pull * q[1], com=[q[1], q[2], 0])]


def upright_puck():
    """The same on a wall: with the plane's normal along y its x is x and its y is -z, downwards."""
    m, I, q, v = 0.5, 0.01, (0.6, 1.0, -2.0), (3.0, 0.4, -0.7)
    made = model("upright_puck", body("planar", 3, 3, m, (0, 0, 0), (I, 0, 0, I, 0, I),
                                      axis=[0, 1, 0]))
    c, s = math.cos(q[0]), math.sin(q[0])
    qdd = [0, G * s + v[0] * v[2], G * c - v[0] * v[1]]
    return made, [dict(case="upright_puck", q=list(q), v=list(v), qdd=qdd,
                       body_pose=[dict(p=[q[1], 0, -q[2]], R=matrix_y(q[0]))],
                       body_vel=[[v[1], 0, -v[2], 0, v[0], 0]],
                       potential_energy=-m * G * q[2], com=[q[1], 0, -q[2]])]


def gimbal():
    """A ball (equal inertias) in a universal joint: its two axes stay perpendicular, qdd = tau / I."""
    I, q, v, tau = 0.25, (0.8, -0.4), (1.5, 2.5), (0.5, -1.0)
    made = model("gimbal", body("universal", 2, 2, 1.0, (0, 0, 0), (I, 0, 0, I, 0, I),
                                axis=[1, 0, 0], axis2=[0, 1, 0]))
    return made, [dict(case="gimbal", q=list(q), v=list(v), tau=list(tau),
                       qdd=[x / I for x in tau], M=[[I, 0], [0, I]], nle=[0, 0],
                       kinetic_energy=I * (v[0] ** 2 + v[1] ** 2) / 2)]


def double_pendulum():
    """Two point masses on massless rods in the x-z plane (both with a little spin inertia J), angles
    from hanging: the equations of motion in absolute angles a = q1, b = q1 + q2."""
    m1, m2, l1, l2, J = 1.2, 0.7, 0.9, 0.6, 1e-3
    q, v = (0.5, 0.8), (1.1, -0.6)
    a, b, wa, wb = q[0], q[0] + q[1], v[0], v[0] + v[1]
    # [A B; B C] [a''; b''] = [e; f]
    A, C, B = (m1 + m2) * l1 ** 2 + J, m2 * l2 ** 2 + J, m2 * l1 * l2 * math.cos(a - b)
    e = -m2 * l1 * l2 * math.sin(a - b) * wb ** 2 - (m1 + m2) * G * l1 * math.sin(a)
    f = m2 * l1 * l2 * math.sin(a - b) * wa ** 2 - m2 * G * l2 * math.sin(b)
    det = A * C - B * B
    aa, bb = (C * e - B * f) / det, (A * f - B * e) / det
    first = body("revolute", 1, 1, m1, (0, 0, -l1), (J, 0, 0, J, 0, J), axis=[0, 1, 0])
    second = body("revolute", 1, 1, m2, (0, 0, -l2), (J, 0, 0, J, 0, J), parent=0, p=(0, 0, -l1),
                  iq=1, iv=1, index=1, axis=[0, 1, 0])
    M = [[A + 2 * B + C, B + C], [B + C, C]]
    return model("double", first, second), [dict(
        case="double", q=list(q), v=list(v), qdd=[aa, bb - aa], M=M,
        kinetic_energy=(A * wa ** 2 + 2 * B * wa * wb + C * wb ** 2) / 2,
        potential_energy=-(m1 + m2) * G * l1 * math.cos(a) - m2 * G * l2 * math.cos(b))]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "cases")
    for make in (pendulum, pushed_pendulum, free_body, spinning_top, screw, piston, puck,
                 upright_puck, gimbal, double_pendulum):
        made, cases = make()
        for case in cases:
            case["model"] = made["name"]
        name = os.path.join(folder, make.__name__)
        for path, value in ((name + ".model.json", made), (name + ".cases.json", cases)):
            with open(path, "w") as file:
                file.write(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
