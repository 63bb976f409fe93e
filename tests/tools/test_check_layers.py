# SPDX-License-Identifier: Apache-2.0
from tree import TreeTest

import check_layers


class Layers(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("src/LAYERS", "base:", "math: base", "model: base math", "sim: base math model")
        self.write("src/base/arena.h")
        self.write("src/model/sn_model.h")
        self.write("src/model/joint.h")

    def errors(self):
        return check_layers.check(self.root)[0]

    def assert_one_error(self, start, part):
        errors = self.errors()
        self.assertEqual(len(errors), 1, errors)
        self.assertTrue(errors[0].startswith(start), errors[0])
        self.assertIn(part, errors[0])

    def test_allowed_includes_pass(self):
        self.write("src/model/joint.c", '#include "model/joint.h"', '#include "joint.h"',
                   '#include "base/arena.h"', "#include <math.h>", '#include "sinew/model.h"')
        self.write("src/sim/world.c", '#include "model/sn_model.h"', "#include <libxml/tree.h>")
        self.assertEqual(self.errors(), [])

    def test_an_edge_that_is_not_listed_is_named_with_its_line(self):
        self.write("src/base/arena.c", "", '#include "model/sn_model.h"')
        self.assert_one_error("src/base/arena.c:2:", "base may not include model")

    def test_a_back_door_is_refused(self):
        self.write("src/sim/world.c", '#include "model/joint.h"')
        self.assert_one_error("src/sim/world.c:1:", "front door model/sn_model.h")

    def test_a_path_around_the_rule_is_refused(self):
        self.write("src/base/arena.c", '#include "../model/joint.h"')
        self.assert_one_error("src/base/arena.c:1:", "name the module")

    def test_a_header_of_nobody_is_refused(self):
        self.write("src/base/arena.c", '#include "joint.h"')
        self.assert_one_error("src/base/arena.c:1:", "not in base")

    def test_threads_stay_in_base(self):
        self.write("src/base/thread.c", "#include <pthread.h>")
        self.assertEqual(self.errors(), [])
        self.write("src/sim/world.c", "#include <stdatomic.h>")
        self.assert_one_error("src/sim/world.c:1:", "base only")

    def test_a_module_without_a_line_is_refused(self):
        self.write("src/rogue/rogue.c")
        self.assert_one_error("src/LAYERS:1:", "rogue")

    def test_a_cycle_is_refused(self):
        self.write("src/LAYERS", "base: sim", "model: base", "sim: model")
        self.assert_one_error("src/LAYERS:", "base -> sim -> model -> base")

    def test_an_unknown_module_in_layers_is_refused(self):
        self.write("src/LAYERS", "base:", "model: bass")
        self.assert_one_error("src/LAYERS:2:", "bass")

    def test_programs_see_public_and_own_headers_only(self):
        self.write("app/table.h")
        self.write("app/main.c", '#include "sinew/sinew.h"', '#include "table.h"',
                   "#include <jansson.h>", "#include <pthread.h>")
        self.assertEqual(self.errors(), [])
        for include in ('"model/sn_model.h"', '"../src/model/joint.h"', "<base/arena.h>"):
            self.write("app/main.c", f"#include {include}")
            self.assert_one_error("app/main.c:1:", "only sinew/*.h")

    def test_public_headers_do_not_include_the_inside(self):
        self.write("include/sinew/model.h", "#include <stdint.h>", '#include "base/arena.h"')
        self.assert_one_error("include/sinew/model.h:2:", "public headers")
