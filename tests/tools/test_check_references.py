# SPDX-License-Identifier: Apache-2.0
from tree import TreeTest

import check_references


class References(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("docs/references.md", "| key | source |", "|---|---|", "| [F08] | a book |",
                   "| **[dL96]** | a table |", "### MR07", "a paper")

    def check(self, *lines, path="src/model/joint.c"):
        self.write(path, *lines)
        return check_references.check(self.root)

    def test_known_keys_pass_with_and_without_a_place(self):
        errors, count = self.check("// pass 2 [F08 ch 7] and [MR07]", "/* [dL96 table 4;", " F08 (7.43)] */")
        self.assertEqual((errors, count), ([], 4))

    def test_an_unknown_key_is_named_with_its_line(self):
        errors, _ = self.check("int x;", "/* as", "   in [K08 eq 5] */")
        self.assertEqual(errors, ["src/model/joint.c:3: [K08] has no entry in docs/references.md"])

    def test_every_key_of_a_list_is_looked_up(self):
        errors, count = self.check("// [F08 ch 7; K08 eq 5, C12]")
        self.assertEqual((len(errors), count), (2, 3))

    def test_code_strings_and_indices_are_no_citations(self):
        errors, count = self.check("a[K08] = b;", 's = "[K08]";', "// a[K08], [k08], [K2008], [see K08]")
        self.assertEqual((errors, count), ([], 0))

    def test_models_are_read(self):
        errors, _ = self.check("<robot>", "<!-- mass [K08] -->", "</robot>", path="models/robot.urdf")
        self.assertEqual(len(errors), 1)

    def test_two_entries_for_one_key_are_refused(self):
        self.write("docs/references.md", "| [F08] | a |", "| [F08] | b |")
        errors, _ = self.check("int x;")
        self.assertEqual(errors, ["docs/references.md:2: [F08] has two entries"])
