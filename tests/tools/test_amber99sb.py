# SPDX-License-Identifier: Apache-2.0
"""The force field's table against its sources, where they are beside the clone."""
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT.parent / "shared" / "data" / "forcefield"


class Amber99sb(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, "-B", ROOT / "tools" / "make_amber99sb.py", *arguments],
                              capture_output=True, text=True, check=False)

    @unittest.skipUnless(SOURCES.is_dir(), "the sources are not beside the clone")
    def test_the_table_is_what_the_sources_give(self):
        run = self.run_tool("--check")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_missing_sources_are_named(self):
        run = self.run_tool("--check", "--data", "no/such/folder")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no/such/folder", run.stderr)


if __name__ == "__main__":
    unittest.main()
