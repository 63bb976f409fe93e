# SPDX-License-Identifier: Apache-2.0
"""Sinew: simulation of articulated bodies that touch, and can be touched.

    import sinew

    sim = sinew.load("hrp2")          # a scene, a URDF, a generated model; here a humanoid on a floor
    sim.step(1000)                    # a second
    print(sim.time, sim.q)            # state as numpy views
    print(sim.contacts["force"])      # who touches whom, and how hard

Units are SI and radians; quaternions are w, x, y, z; of spatial vectors the angular part comes first.   docs/python.md
"""

from ._error import Error
from ._values import Pose
from .dynamics import Batch, Dynamics, Energy, Momentum, Region, algorithms
from .model import Body, Frame, Loop, Model, Shape, shipped_models
from .parts import CONTACT, Hold, Item, RunReport, SimBody, State, Stroke
from .plugin import Drawing, Plugin
from .recording import Meters, Recording, Safety, Sample, Verdict
from .scene import schema, shipped_scenes
from .simulation import Simulation, load, load_text

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Body",
    "CONTACT",
    "Drawing",
    "Dynamics",
    "Energy",
    "Error",
    "Frame",
    "Hold",
    "Item",
    "Loop",
    "Meters",
    "Model",
    "Momentum",
    "Plugin",
    "Pose",
    "Recording",
    "Region",
    "RunReport",
    "Safety",
    "Sample",
    "Shape",
    "SimBody",
    "Simulation",
    "State",
    "Stroke",
    "Verdict",
    "algorithms",
    "load",
    "load_text",
    "schema",
    "shipped_models",
    "shipped_scenes",
]
