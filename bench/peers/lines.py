# SPDX-License-Identifier: Apache-2.0
"""A program that is asked line by line: each line is a function and its words, each answer "ok ..." or "error ..."."""
import sys


def serve(functions):
    """Until "quit", an empty line or the end: functions[word](*words)."""
    for line in sys.stdin:
        words = line.split()
        if not words or words[0] == "quit":
            break
        try:
            print("ok", functions[words[0]](*words[1:]), flush=True)
        except Exception as error:  # said to whoever asked
            print("error", " ".join(str(error).split())[:150] or type(error).__name__, flush=True)
