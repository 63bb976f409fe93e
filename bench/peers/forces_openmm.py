#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times OpenMM's forces beside ours: a line in, a line out.

  load FILE.pdb CUTOFF_NM   sets a molecule up with AMBER99SB in vacuum   -> ok ENGINE
  time COUNT                seconds that COUNT evaluations of all forces take, one thread   -> ok SECONDS
"""
import sys
import time


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


def main():
    engine = Engine()
    for line in sys.stdin:
        words = line.split()
        if not words or words[0] == "quit":
            break
        try:
            answer = {"load": engine.load, "time": engine.time}[words[0]](*words[1:])
            print("ok", answer, flush=True)
        except Exception as error:  # said to whoever asked
            print("error", " ".join(str(error).split())[:150] or type(error).__name__, flush=True)


if __name__ == "__main__":
    main()
