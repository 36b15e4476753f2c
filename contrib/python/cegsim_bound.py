"""Answers cegsim's questions: each set is a line of JSON on standard input, its bounds a line on standard output."""
import json
import sys


def fixed_point(f, start, limit):
    """The least x >= start with f(x) <= x, for an f that never falls; None beyond the limit."""
    x = start
    while x <= limit:
        following = f(x)
        if following <= x:
            return x
        x = following
    return None


def worst(task, *kinds):
    """The sum of a task's worst cases, ns; of some kinds of segments ("cpu", "copy", "kernel"), or of all."""
    return sum(s["worst"] for s in task["segments"] if not kinds or s["kind"] in kinds)


def answer(bounds):
    """bounds(question) is called for each set; it returns a bound (ns, or None) for each task, in their order."""
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question["id"], "bounds": bounds(question)}), flush=True)
