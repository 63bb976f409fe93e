#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times GROMACS beside our forces: a line in, a line out.

  load FILE.pdb CUTOFF_NM   sets a molecule up with AMBER99SB in a large box   -> ok ENGINE
  time COUNT                seconds that COUNT steps of molecular dynamics take, one thread   -> ok SECONDS

A step is more than its forces (bonds, integration), as GROMACS cannot be asked for less; Coulomb has a reaction field.
"""
import re
import subprocess
import tempfile
from pathlib import Path

import lines

MDP = """integrator = md
nsteps = 1000000
dt = 0.0005
cutoff-scheme = Verlet
nstlist = 20
coulombtype = Reaction-Field
epsilon-rf = 0
rcoulomb = {cutoff}
rvdw = {cutoff}
constraints = none
nstcalcenergy = 100
nstenergy = 0
nstlog = 0
nstxout = 0
"""


class Engine:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def run(self, *words):
        done = subprocess.run(["gmx", "-quiet", "-nobackup", *words], cwd=self.path, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode:
            lines = [l for l in done.stderr.splitlines() if l.strip()]
            raise RuntimeError(f"gmx {words[0]}: {' '.join(lines[-6:])}")
        return done.stdout

    def load(self, path, cutoff):
        self.run("pdb2gmx", "-f", path, "-ff", "amber99sb", "-water", "none", "-ignh", "-o", "a.gro", "-p", "a.top")
        self.run("editconf", "-f", "a.gro", "-o", "b.gro", "-d", "2", "-bt", "cubic")
        (self.path / "a.mdp").write_text(MDP.format(cutoff=cutoff))
        self.run("grompp", "-f", "a.mdp", "-c", "b.gro", "-p", "a.top", "-o", "a.tpr", "-maxwarn", "5")
        about = self.run("--version")
        version = re.search(r"GROMACS version:\s*([\d.]+)", about)[1]
        simd = re.search(r"SIMD instructions:\s*(\S+)", about)[1]
        return f"gromacs-{version}-{simd.lower()}"

    def time(self, count):
        self.run("mdrun", "-s", "a.tpr", "-deffnm", "run", "-nsteps", count, "-ntmpi", "1", "-ntomp", "1",
                 "-noconfout", "-pin", "off")
        log = (self.path / "run.log").read_text()
        return re.search(r"Time:\s+[\d.]+\s+([\d.]+)", log)[1]


if __name__ == "__main__":
    engine = Engine()
    lines.serve({"load": engine.load, "time": engine.time})
