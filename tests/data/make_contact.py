#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the contact problems of tests/data/contact, each in every way that its numbers can be written.

W = H' M^-1 H and q = H' M^-1 f + w are computed with fractions, so that what a loader makes of the
global files has a witness without rounding. Sparse matrices are laid out as Siconos' own writer lays
them out. usage: make_contact.py [FOLDER]
"""
import os
import random
import sys
from fractions import Fraction


def solve(A, B):
    """A^-1 B by elimination, exactly."""
    n = len(A)
    rows = [list(a) + list(b) for a, b in zip(A, B)]
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def transpose(A):
    return [list(column) for column in zip(*A)]


def product(A, B):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*B)] for row in A]


# ---- matrices in Siconos' storages ---------------------------------------------------------------------

def number(x):
    return repr(float(x))


def dense(A):
    columns = (" ".join(number(x) for x in column) for column in zip(*A))
    return [0, len(A), len(A[0]), f"{len(A)}\t{len(A[0])}", *columns]


def blocks(A, lines, columns):
    """Sparse block storage; lines and columns are the sizes of the blocks."""
    ends = [[sum(sizes[:k + 1]) for k in range(len(sizes))] for sizes in (lines, columns)]
    found, starts = [], [0]
    for line_end, rows in zip(ends[0], lines):
        for k, (column_end, width) in enumerate(zip(ends[1], columns)):
            block = [row[column_end - width:column_end] for row in A[line_end - rows:line_end]]
            if any(x for row in block for x in row):
                found.append((k, block))
        starts.append(len(found))
    text = [1, len(A), len(A[0]), len(found), len(lines), len(columns)]
    for values in (*ends, [len(starts)], [len(found)], starts, [k for k, _ in found]):
        text.append("\t".join(map(str, values)))
    for i, (_, block) in enumerate(found):
        text += [i] + [number(x) for column in zip(*block) for x in column]
    return text


CSPARSE = "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016"


def triplets(A):
    entries = [f"    {i} {j} : {number(x)}" for i, row in enumerate(A) for j, x in enumerate(row) if x]
    head = f"triplet: {len(A)}-by-{len(A[0])}, nzmax: {2 * len(entries)} nnz: {len(entries)}"
    return [2, len(A), len(A[0]), 1, CSPARSE, head, *entries]


def columns(A):
    text, done = [], 0
    for j, column in enumerate(zip(*A)):
        entries = [f"      {i} : {number(x)}" for i, x in enumerate(column) if x]
        text += [f"    col {j} : locations {done} to {done + len(entries) - 1}", *entries]
        done += len(entries)
    norm = max(sum(abs(x) for x in column) for column in zip(*A))
    head = f"{len(A)}-by-{len(A[0])}, nzmax: {done} nnz: {done}, 1-norm: {float(norm):g}"
    return [2, len(A), len(A[0]), 2, CSPARSE, head, *text]


# ---- problems ------------------------------------------------------------------------------------------

def small(numbers):
    return Fraction(numbers.randint(-24, 24), 8)


def mass(numbers, size, skew):
    """A positive definite matrix, with a part that is not symmetric."""
    A = [[small(numbers) for _ in range(size)] for _ in range(size)]
    M = product(A, transpose(A))
    for i in range(size):
        M[i][i] += 1
    if skew:
        M[0][-1] += Fraction(1, 8)
        M[-1][0] -= Fraction(1, 8)
    return M


def bodies(numbers, size, touched, skew):
    """Bodies of `size` coordinates; touched: which of them each contact touches."""
    count = 1 + max(b for contact in touched for b in contact)
    n = size * count
    M = [[Fraction(0)] * n for _ in range(n)]
    for b in range(count):
        for i, row in enumerate(mass(numbers, size, skew)):
            M[size * b + i][size * b:size * (b + 1)] = row
    H = [[Fraction(0)] * (3 * len(touched)) for _ in range(n)]
    for c, contact in enumerate(touched):
        for b in contact:
            for i in range(size):
                H[size * b + i][3 * c:3 * c + 3] = [small(numbers) for _ in range(3)]
    return M, H


def write(folder, name, seed, size, touched, skew):
    numbers = random.Random(seed)
    M, H = bodies(numbers, size, touched, skew)
    n, rows = len(H), len(H[0])
    f = [[small(numbers)] for _ in range(n)]
    w = [[small(numbers)] for _ in range(rows)]
    mu = [abs(small(numbers)) / 4 for _ in touched]
    response = solve(M, H)
    W = product(transpose(H), response)
    q = [x[0] + y[0] for x, y in zip(product(transpose(H), solve(M, f)), w)]
    head, threes, sizes = [3, len(touched)], [3] * len(touched), [size] * (n // size)

    def line(values):
        return " ".join(number(x) for x in values)

    tail = [line(q), line(mu)]
    entries = [f"{i} {j} {number(x)}" for i, row in enumerate(W) for j, x in enumerate(row) if x]
    files = {
        ".fc3d": [f"# {name}, made by make_contact.py", f"{len(touched)} {rows} {len(entries)}",
                  line(mu), line(q), *entries],
        "_dense.dat": head + dense(W) + tail,
        "_blocks.dat": head + blocks(W, threes, threes) + tail + [1],
        "_triplets.dat": head + triplets(W) + tail,
        "_columns.dat": head + columns(W) + tail + [0],
    }
    tail = [line(x[0] for x in f), line(x[0] for x in w), line(mu)]
    files["_global_dense.dat"] = head + dense(M) + dense(H) + tail + [1]
    files["_global_blocks.dat"] = head + blocks(M, sizes, sizes) + blocks(H, sizes, threes) + tail
    files["_global_triplets.dat"] = head + triplets(M) + triplets(H) + tail
    files["_global_columns.dat"] = head + columns(M) + blocks(H, sizes, threes) + tail
    for ending, text in files.items():
        with open(os.path.join(folder, name + ending), "w") as file:
            file.write("\n".join(map(str, text)) + "\n")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "contact")
    os.makedirs(folder, exist_ok=True)
    write(folder, "pair", 1, 6, [(0,), (0, 1), (1,)], False)
    write(folder, "skew", 2, 6, [(0, 1), (1,), (0,), (0, 1)], True)
    write(folder, "pebble", 8, 3, [(0,)], False)  # M is as large as W
    write(folder, "apart", 4, 6, [(0,), (1,), (2,), (1,)], False)  # three groups


if __name__ == "__main__":
    main()
