# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import unittest

import tree  # noqa: F401  finds the scripts of tools/
import bench_check


class BenchCheck(unittest.TestCase):
    def judge(self, baseline, found, differing=()):
        """Exit status and what was said."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = bench_check.judge(bench_check.compare(baseline, found), differing)
        return status, said.getvalue()

    def test_a_change_within_three_percent_passes(self):
        status, said = self.judge({"a": 100, "b": 100}, {"a": 102.9, "b": 97.1})
        self.assertEqual(status, 0)
        self.assertIn("no kernel needs more", said)
        self.assertNotIn("--update", said)

    def test_a_regression_is_named_and_fails(self):
        status, said = self.judge({"a": 100, "b": 100}, {"a": 103.1, "b": 100})
        self.assertEqual(status, 1)
        self.assertIn("more than 3 % worse, or gone: a\n", said)

    def test_an_improvement_is_named_and_passes(self):
        status, said = self.judge({"a": 100}, {"a": 90})
        self.assertEqual(status, 0)
        self.assertIn("improved or is new: a", said)

    def test_a_kernel_that_is_gone_fails_and_a_new_one_passes(self):
        self.assertEqual(self.judge({"a": 100, "b": 1}, {"a": 100})[0], 1)
        status, said = self.judge({"a": 100}, {"a": 100, "b": 1})
        self.assertEqual(status, 0)
        self.assertIn("b", said)

    def test_another_compiler_is_said_and_nothing_fails(self):
        differing = bench_check.differences({"compiler": "gcc 12", "cpu": "fma"},
                                            {"compiler": "gcc 14", "cpu": "fma"})
        self.assertEqual(differing, ["compiler is gcc 14, the baseline's is gcc 12"])
        status, said = self.judge({"a": 100}, {"a": 200}, differing)
        self.assertEqual(status, 0)
        self.assertIn("for information only", said)


if __name__ == "__main__":
    unittest.main()
