#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times OpenMM's forces beside ours: a line in, a line out.

  load FILE.pdb CUTOFF_NM   sets a molecule up with AMBER99SB in vacuum   -> ok ENGINE
  time COUNT                seconds that COUNT evaluations of all forces take, one thread   -> ok SECONDS
"""
import time

import lines


class Engine:
    def load(self, path, cutoff):
        import openmm as mm
        from openmm import app, unit
        pdb = app.PDBFile(path)
        field = app.ForceField("amber99sb.xml")
        system = field.createSystem(pdb.topology, nonbondedMethod=app.CutoffNonPeriodic,
                                    nonbondedCutoff=float(cutoff) * unit.nanometer, constraints=None)
        self.system, self.integrator = system, mm.VerletIntegrator(0.001)
        platform = mm.Platform.getPlatformByName("CPU")
        self.context = mm.Context(system, self.integrator, platform, {"Threads": "1"})
        self.context.setPositions(pdb.positions)
        return "openmm-" + mm.Platform.getOpenMMVersion()

    def time(self, count):
        state = self.context.getState(getForces=True)  # the pair list is made
        began = time.perf_counter()
        for _ in range(int(count)):
            state = self.context.getState(getForces=True)
        del state
        return repr(time.perf_counter() - began)


if __name__ == "__main__":
    engine = Engine()
    lines.serve({"load": engine.load, "time": engine.time})
