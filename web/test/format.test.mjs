// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { formatMass, formatQuantity, formatTime } = await load("base/format.ts");
const { describeAtom, readAtomLabel } = await load("state/atom_label.ts");

test("SI units take prefixes, others stay as they are", () => {
    assert.equal(formatQuantity(0.0034, "N"), "3.40 mN");
    assert.equal(formatQuantity(12345, "Hz"), "12.3 kHz");
    assert.equal(formatQuantity(0.0034, "pN"), "0.00340 pN");
    assert.equal(formatQuantity(-1234.5, "kJ/mol"), "-1235 kJ/mol");
    assert.equal(formatQuantity(0.5, ""), "0.500");
    assert.equal(formatQuantity(2.5e-16, "J"), "2.50e-16 J");
});

test("masses and times are told in the units of the scene", () => {
    assert.equal(formatMass(0.35, "kg"), "350 g");
    assert.equal(formatMass(58, "kg"), "58.0 kg");
    assert.equal(formatMass(12.011, "u"), "12.0 u");
    assert.equal(formatTime(3.456, "s"), "3.46 s");
    assert.equal(formatTime(75, "s"), "1:15.0");
    assert.equal(formatTime(75, "ps"), "75.00 ps");
});

test("labels of atoms are read", () => {
    assert.deepEqual(readAtomLabel("helix/A/12 ALA CA"), { molecule: "helix", chain: "A", number: "12", residue: "ALA", atom: "CA" });
    assert.deepEqual(readAtomLabel("A/5B GLY HA2"), { molecule: "", chain: "A", number: "5B", residue: "GLY", atom: "HA2" });
    assert.equal(readAtomLabel("/7 NME CH3").chain, "");
    assert.equal(readAtomLabel("nonsense"), null);
    assert.equal(describeAtom("A/12 ALA CA"), "CA of ALA 12, chain A");
    assert.equal(describeAtom("nonsense"), "nonsense");
});
