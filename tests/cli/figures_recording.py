# tests/cli/figures_recording.py - the base tables of a recording for figures_check.py, and what all kinds of figures have
# in common: the names of policies, platforms and points of a grid, intervals, standard errors.

import json
import math
import sqlite3
from fractions import Fraction

Z = 1.96
CURVES, STEPS, POINTS, BARS, BOXES = "curves", "steps", "points", "bars", "boxes"


class Recording:
    """The rows of the base tables, and the names that policies have in figures."""

    def __init__(self, path):
        self.db = sqlite3.connect("file:" + path + "?mode=ro", uri=True)
        self.db.row_factory = sqlite3.Row
        self.policy = {r["policy_id"]: r for r in self.rows("SELECT * FROM policy ORDER BY policy_id")}
        self.platform = {r["platform_id"]: r for r in self.rows("SELECT * FROM platform ORDER BY platform_id")}
        self.taskset = {r["taskset_id"]: r for r in self.rows("SELECT * FROM taskset ORDER BY taskset_id")}
        self.task = {r["task_id"]: r for r in self.rows("SELECT * FROM task ORDER BY taskset_id, task_idx")}
        self.run = self.rows("SELECT * FROM run ORDER BY run_id")
        self.run_task = {}
        for r in self.rows("SELECT * FROM run_task"):
            self.run_task.setdefault(r["run_id"], {})[r["task_id"]] = r
        ran = {r["policy_id"] for r in self.run}
        self.series = self.names({i: p for i, p in self.policy.items() if i in ran})
        everyone = self.names(self.policy)
        for i in self.policy:
            self.series.setdefault(i, everyone[i])
        self.platform_name, self.recipe = self.names_of_platforms(), {}
        self.axes = self.grid_axes()

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    @staticmethod
    def names(policies):
        """name, and the options in which policies of one name differ"""
        answer = {}
        for i, p in policies.items():
            params = json.loads(p["params"])
            others = [json.loads(o["params"]) for o in policies.values() if o["name"] == p["name"]]
            keys = sorted(k for k in params if any(o.get(k) != params[k] for o in others))
            answer[i] = " ".join([p["name"]] + ["%s=%s" % (k, word(params[k])) for k in keys])
        return answer

    def names_of_platforms(self):
        """name, and the columns in which platforms of one name differ"""
        answer = {}
        for i, p in self.platform.items():
            keys = sorted(k for k in p.keys() if k not in ("platform_id", "digest", "name") and any(
                o[k] != p[k] for o in self.platform.values() if o["name"] == p["name"]))
            answer[i] = " ".join([p["name"]] + ["%s=%s" % (k, "none" if p[k] is None else p[k]) for k in keys])
        return answer

    def options(self, taskset):
        if taskset not in self.recipe:
            recipe = self.taskset[taskset]["recipe"]
            self.recipe[taskset] = json.loads(recipe)["options"] if recipe else {}
        return self.recipe[taskset]

    def grid_axes(self):
        """options of the recipe with several values, but for the utilisation, in the recipe's order"""
        values = {}
        for i in self.taskset:
            for key, value in self.options(i).items():
                values.setdefault(key, {})[json.dumps(value)] = None
        return [k for k, v in values.items() if len(v) > 1 and k != "utilisation"]

    def point(self, taskset, axes=None):
        o = self.options(taskset)
        return ", ".join("%s=%s" % (k, word(o[k])) for k in (self.axes if axes is None else axes) if k in o)

    def panels(self, runs, axes=None):
        """panel of each of the runs: its point, and the platform, where the point does not settle that for all of them"""
        platforms = {}
        for r in runs:
            platforms.setdefault(self.point(r["taskset_id"]), set()).add(r["platform_id"])
        several = any(len(found) > 1 for found in platforms.values())
        return lambda run: ", ".join(p for p in (self.point(run["taskset_id"], axes),
            self.platform_name[run["platform_id"]] if several else "") if p)

    def first_set(self, runs):
        return min(r["taskset_id"] for r in runs)

    def energy(self, r):
        """in J, exactly"""
        return Fraction(r["energy_uj"] * 10**9 + r["energy_rest_uwns"], 10**15)


def word(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def wilson(k, n):
    p, z2 = k / n, Z * Z
    middle, half = p + z2 / (2 * n), Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    low = 0 if k == 0 else (middle - half) / (1 + z2 / n)
    high = 1 if k == n else (middle + half) / (1 + z2 / n)
    return low, high


def spread(values):
    """1.96 standard errors of the mean of values; nothing of one"""
    n = len(values)
    if n < 2:
        return None
    mean = sum(values) / n
    return Z * math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)


def group_by(rows, key):
    answer = {}
    for r in rows:
        answer.setdefault(key(r), []).append(r)
    return answer


def number(text):
    return None if text is None else float(text)
