# tests/cli/figures_check.py - what the general figures must show, computed from the base tables alone: no view of the
# recording and no query of the program takes part, so that an error in either shows. docs/figures.md, docs/recording.md
# and docs/model.md say what is right.
#
#   figures_check.py FILE.db FIGURE FILE.gp [NAME=VALUE...]    the data in FILE.gp, written by
#       cegsim plot FILE.db FIGURE --script FILE.gp -P NAME=VALUE..., against what it must be; 1 and lines that say where
#       it is not
#   figures_check.py FILE.db FIGURE - [NAME=VALUE...]          nothing must be drawn: 1 if there is something to show
#   figures_check.py --all PROGRAM FILE.db FIGURE[,NAME=VALUE...]...   draws each and compares; a line for each

import bisect
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
from fractions import Fraction

Z = 1.96
CURVES, BARS, BOXES = "curves", "bars", "boxes"


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

    def options(self, taskset):
        recipe = self.taskset[taskset]["recipe"]
        return json.loads(recipe)["options"] if recipe else {}

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

    def sets_platforms(self, run):
        """platforms on which sets of the same point ran"""
        return {r["platform_id"] for r in self.run if self.point(r["taskset_id"]) == self.point(run["taskset_id"])}

    def place(self, run, axes=None):
        """panel of a run: its platform, where the point does not settle that, and the point"""
        several = len({r["platform_id"] for r in self.run}) > 1
        settled = all(len(self.sets_platforms(r)) == 1 for r in self.run)
        parts = [self.point(run["taskset_id"], axes)]
        if several and not settled:
            parts.append(self.platform[run["platform_id"]]["name"])
        return ", ".join(p for p in parts if p)

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


# --- campaigns ------------------------------------------------------------------------------------------------


def verdicts(rec, wanted):
    """(set, platform, series, one value a run or verdict: 1 schedulable) of what counts"""
    answer = []
    for r in rec.run:
        if r["status"] != "error":
            answer.append((r, rec.series[r["policy_id"]], int(r["status"] == "ok" and r["misses"] == 0)))
    analyses = rec.rows("SELECT * FROM analysis_run ORDER BY analysis_run_id")
    names = analysis_names(rec, analyses)
    for a in analyses:
        if a["verdict"] != "error":
            answer.append((a, names[a["analysis_run_id"]] + " (analysis)", int(a["verdict"] == "schedulable")))
    return [v for v in answer if wanted(v[0])]


def analysis_names(rec, analyses):
    """name, the options in which analyses of one name differ, and the policy where it has several"""
    answer = {}
    for a in analyses:
        same = [o for o in analyses if o["analysis"] == a["analysis"]]
        params = json.loads(a["params"])
        keys = sorted(k for k in params if any(json.loads(o["params"]).get(k) != params[k] for o in same))
        name = " ".join([a["analysis"]] + ["%s=%s" % (k, word(params[k])) for k in keys])
        if len({o["policy_id"] for o in same}) > 1:
            name += " of " + rec.series[a["policy_id"]]
        answer[a["analysis_run_id"]] = name
    return answer


def share(rows):
    """share of the runs, with Wilson's interval for as many observations as there are sets"""
    sets = len({(r["taskset_id"], r["platform_id"]) for r, _, _ in rows})
    ratio = sum(good for _, _, good in rows) / len(rows)
    return (ratio,) + wilson(ratio * sets, sets)


def on_platform(rec, options):
    return lambda r: "platform" not in options or rec.platform[r["platform_id"]]["name"] == options["platform"]


def acceptance(rec, options):
    x = lambda r: rec.taskset[r["taskset_id"]]["target_utilisation_ppm"]
    wanted = on_platform(rec, options)
    found = [v for v in verdicts(rec, wanted) if x(v[0]) is not None]
    answer = {}
    for (panel, name), rows in group_by(found, lambda v: (rec.place(v[0]), v[1])).items():
        answer[panel, name] = [(u / 1e6,) + share(g) for u, g in sorted(group_by(rows, lambda v: x(v[0])).items())]
    return CURVES, answer


def grid(rec, options):
    axis = options.get("axis")
    found = [v for v in verdicts(rec, on_platform(rec, options)) if rec.taskset[v[0]["taskset_id"]]["recipe"]]
    answer = {}
    for v in found:
        panel, place = "", rec.place(v[0])
        if axis:
            place = rec.point(v[0]["taskset_id"], [axis])
            panel = rec.place(v[0], [a for a in rec.axes if a != axis])
        answer.setdefault((panel, v[1]), {}).setdefault(place, []).append(v)
    return BARS, {key: {g: share(rows) for g, rows in groups.items()} for key, groups in answer.items()}


def miss_ratio(rec, options):
    answer = {}
    for r in filter(on_platform(rec, options), rec.run):
        u = rec.taskset[r["taskset_id"]]["target_utilisation_ppm"]
        if u is not None and r["jobs"]:
            key = (rec.place(r), rec.series[r["policy_id"]])
            sets = answer.setdefault(key, {}).setdefault(u / 1e6, {})
            sets.setdefault((r["taskset_id"], r["platform_id"]), []).append(r)
    def point(u, sets):
        ratios = [sum(r["misses"] for r in rs) / sum(r["jobs"] for r in rs) for rs in sets.values()]
        mean, half = sum(ratios) / len(ratios), spread(ratios)
        return (u, mean) + ((None, None) if half is None else (max(mean - half, 0), min(mean + half, 1)))
    return CURVES, {key: [point(u, sets) for u, sets in sorted(us.items())] for key, us in answer.items()}


def has_energy(rec, r):
    return r["energy_uj"] is not None and r["status"] in ("ok", "truncated")


def energy_by_utilisation(rec, options):
    base, pairs = {}, {}
    same = lambda r: (r["taskset_id"], r["platform_id"], r["replication"], r["setup_digest"])
    fcfs = sorted({rec.series[r["policy_id"]] for r in rec.run if rec.policy[r["policy_id"]]["name"] == "fcfs"})
    for r in rec.run:
        if fcfs and rec.series[r["policy_id"]] == fcfs[0] and has_energy(rec, r):
            base[same(r)] = rec.energy(r)
    for r in filter(on_platform(rec, options), rec.run):
        u = rec.taskset[r["taskset_id"]]["target_utilisation_ppm"]
        if u is not None and has_energy(rec, r) and base.get(same(r)):
            sets = pairs.setdefault((rec.place(r), rec.series[r["policy_id"]]), {}).setdefault(u / 1e6, {})
            pair = sets.setdefault((r["taskset_id"], r["platform_id"]), [0, 0])
            pair[0] += rec.energy(r)
            pair[1] += base[same(r)]
    def point(u, sets):
        n, own, theirs = len(sets), sum(p[0] for p in sets.values()), sum(p[1] for p in sets.values())
        ratio = own / theirs
        if n < 2:
            return (u, float(ratio), None, None)
        rest = sum((p[0] - ratio * p[1]) ** 2 for p in sets.values())
        half = Z * math.sqrt(rest / (n - 1) / n) / (theirs / n)
        return (u, float(ratio), float(ratio) - half, float(ratio) + half)
    answer = {key: [point(u, s) for u, s in sorted(us.items())] for key, us in pairs.items()}
    return CURVES, answer if any(name != fcfs[0] for _, name in answer) else {}


# --- runs -----------------------------------------------------------------------------------------------------


def chosen_runs(rec, options, good):
    """runs that have something (good), of one run, one set, or the first set that has some"""
    runs = [r for r in rec.run if good(r)]
    if "run" in options:
        return [r for r in runs if r["run_id"] == int(options["run"])]
    if "taskset" in options:
        return [r for r in runs if r["taskset_id"] == int(options["taskset"])]
    return [r for r in runs if r["taskset_id"] == rec.first_set(runs)] if runs else []


def platforms_named(rec, runs):
    """series of runs: the policy, and on which platform where there are several"""
    several = len({r["platform_id"] for r in runs}) > 1
    return lambda r: rec.series[r["policy_id"]] + (
        " on " + rec.platform[r["platform_id"]]["name"] if several else "")


def misses(rec, options):
    runs = chosen_runs(rec, options, lambda r: any(t["jobs"] for t in rec.run_task.get(r["run_id"], {}).values()))
    name, sums = platforms_named(rec, runs), {}
    for r in runs:
        for t in rec.run_task[r["run_id"]].values():
            pair = sums.setdefault(("", name(r)), {}).setdefault(rec.task[t["task_id"]]["name"], [0, 0])
            pair[0] += t["misses"]
            pair[1] += t["jobs"]
    return BARS, {k: {g: (p[0] / p[1],) for g, p in groups.items() if p[1]} for k, groups in sums.items()}


def energy(rec, options):
    runs = [r for r in filter(on_platform(rec, options), rec.run) if has_energy(rec, r)]
    if "taskset" in options:
        runs = [r for r in runs if r["taskset_id"] == int(options["taskset"])]
    answer, several = {}, len({r["platform_id"] for r in runs}) > 1
    for (platform, name), rs in group_by(runs, lambda r: (r["platform_id"], rec.series[r["policy_id"]])).items():
        parts = {"static": 0, "idle SMs": 0, "dynamic": 0}
        for r in rs:
            whole = rec.energy(r)
            static = Fraction(rec.platform[platform]["static_uw"] * r["window_ns"], 10**15)
            dynamic = sum(rec.energy(t) for t in rec.run_task[r["run_id"]].values() if t["energy_uj"] is not None)
            for part, value in (("static", static), ("idle SMs", whole - static - dynamic), ("dynamic", dynamic)):
                parts[part] += value / len(rs)
        for part, value in parts.items():
            panel = rec.platform[platform]["name"] if several else ""
            answer.setdefault((panel, part), {})[name] = (float(value),)
    return BARS, answer


class Responses:
    """responses of a task in some runs: values with how many jobs have them, least and greatest, and how many jobs"""

    def __init__(self, rec, runs, task):
        self.values, self.jobs, self.least, self.greatest = {}, 0, None, None
        for r in runs:
            t = rec.run_task[r["run_id"]].get(task)
            if t is None:
                continue
            self.jobs += t["jobs"]
            if r["record"] != "summary":
                for j in rec.rows("SELECT release_ns, finish_ns FROM job WHERE run_id = ? AND task_id = ? AND "
                        "outcome & 3 = 0", r["run_id"], task):
                    self.add(j["finish_ns"] - j["release_ns"], 1)
            else:
                for h in rec.rows("SELECT bucket, jobs FROM run_task_hist WHERE run_id = ? AND task_id = ?",
                        r["run_id"], task):
                    # Nothing is longer than the longest, which is known.
                    self.add(min(upper_end(h["bucket"]), t["max_response_ns"]), h["jobs"])
                if t["responses"]:
                    self.least = min(v for v in (self.least, t["min_response_ns"]) if v is not None)
                    self.greatest = max(v for v in (self.greatest, t["max_response_ns"]) if v is not None)
        self.sorted = sorted(self.values.items())
        self.finished = sum(self.values.values())
        if self.sorted:
            self.least = min(v for v in (self.least, self.sorted[0][0]) if v is not None)
            self.greatest = max(v for v in (self.greatest, self.sorted[-1][0]) if v is not None)

    def add(self, value, n):
        self.values[value] = self.values.get(value, 0) + n

    def quantile(self, part):
        """least value that so many of the jobs do not exceed"""
        count, wanted = 0, math.ceil(part * self.finished)
        for value, n in self.sorted:
            count += n
            if count >= wanted:
                return value


def upper_end(bucket):
    return bucket if bucket < 16 else ((17 + bucket % 16) << (bucket // 16 - 1)) - 1


def responses(rec, options, normalised):
    runs = chosen_runs(rec, options, lambda r: any(
        t["responses"] and (not normalised or rec.task[t["task_id"]]["deadline_ns"])
        for t in rec.run_task.get(r["run_id"], {}).values()))
    name = platforms_named(rec, runs)
    for key, rs in sorted(group_by(runs, name).items()):
        for task in rec.task.values():
            if task["taskset_id"] != rs[0]["taskset_id"] or options.get("task", task["name"]) != task["name"]:
                continue
            scale = task["deadline_ns"] if normalised else 10**6
            if scale:
                found = Responses(rec, rs, task["task_id"])
                if found.jobs:
                    yield key, task, scale, found


def response_cdf(rec, options, normalised=False):
    answer, ends = {}, {}
    for name, task, scale, found in responses(rec, options, normalised):
        panel = task["name"]
        if not normalised and task["deadline_ns"] is not None:
            panel += " (deadline %g ms)" % (task["deadline_ns"] / 1e6)
        done, points = 0, []
        for value, n in found.sorted:
            done += n
            points.append((value / scale, done / found.jobs))
        if points:
            points.insert(0, (points[0][0], 0))
            ends[panel] = max(ends.get(panel, 0), points[-1][0])
        answer[panel, name] = points
    for (panel, _), points in answer.items():
        if panel in ends:  # where no job ever finished: 0 up to the end
            points.append((ends[panel], points[-1][1] if points else 0))
    return CURVES, {key: points for key, points in answer.items() if points}


def response_box(rec, options, normalised=False):
    answer = {}
    for name, task, scale, found in responses(rec, options, normalised):
        if found.finished:
            box = [found.least] + [found.quantile(Fraction(q, 4)) for q in (1, 2, 3)] + [found.greatest]
            box[1:4] = [max(v, found.least) for v in box[1:4]]
            answer.setdefault(("", name), {})[task["name"]] = tuple(v / scale for v in box)
    return BOXES, answer


def bound_rows(rec, options):
    """(analysis, bound, worst observed) of what can be told: bounds against the runs of the same set, platform, policy"""
    analyses = rec.rows("SELECT * FROM analysis_run ORDER BY analysis_run_id")
    names, answer = analysis_names(rec, analyses), []
    for a in analyses:
        if options.get("analysis", a["analysis"]) != a["analysis"]:
            continue
        runs = [r for r in rec.run if all(r[k] == a[k] for k in ("taskset_id", "platform_id", "policy_id"))]
        for b in rec.rows("SELECT * FROM bound WHERE analysis_run_id = ? AND bound_ns > 0", a["analysis_run_id"]):
            for r in runs:
                t = rec.run_task.get(r["run_id"], {}).get(b["task_id"])
                if t is None:
                    continue
                seen = [v for v in (t["max_response_ns"], t["worst_lower_bound_ns"]) if v is not None]
                period = rec.task[b["task_id"]]["period_ns"]
                if seen and (period is None or b["bound_ns"] <= period):
                    answer.append((names[a["analysis_run_id"]], a, b["bound_ns"], max(seen), r))
    return answer


def tightness(rec, options):
    answer = {}
    for name, _, bound, seen, r in bound_rows(rec, options):
        answer.setdefault(("", name), []).append(seen / bound)
    for key, values in answer.items():
        values.sort()
        n = len(values)
        answer[key] = [(values[0], 0)] + [(v, bisect.bisect_right(values, v) / n) for v in sorted(set(values))]
    return CURVES, answer


def bounds(rec, options):
    answer = {}
    for name, _, bound, seen, r in bound_rows(rec, options):
        answer.setdefault(("", name), []).append((bound / 1e6, seen / 1e6))
    return CURVES, {key: sorted(points) for key, points in answer.items()}


def speed_up(rec, options):
    ran = [r for r in rec.run if any(t["responses"] for t in rec.run_task.get(r["run_id"], {}).values())]
    sets = {s: rs for s, rs in group_by(ran, lambda r: r["taskset_id"]).items()
        if len({rec.series[r["policy_id"]] for r in rs}) > 1}
    if "taskset" in options:
        sets = {s: rs for s, rs in sets.items() if s == int(options["taskset"])}
    if not sets:
        return BARS, {}
    runs = sets[min(sets)]
    base = options.get("baseline", min(rec.series[r["policy_id"]] for r in runs))
    several, means = len({r["platform_id"] for r in runs}) > 1, {}
    for r in runs:
        for t in rec.run_task[r["run_id"]].values():
            if t["responses"]:
                key = (r["platform_id"], rec.series[r["policy_id"]], t["task_id"])
                pair = means.setdefault(key, [0, 0])
                pair[0] += t["mean_response_ns"] * t["responses"]
                pair[1] += t["responses"]
    answer = {}
    for (platform, name, task), (total, n) in means.items():
        theirs = means.get((platform, base, task))
        if name != base and theirs:
            panel = "against " + base + (" on " + rec.platform[platform]["name"] if several else "")
            answer.setdefault((panel, name), {})[rec.task[task]["name"]] = (theirs[0] / theirs[1] / (total / n),)
    for groups in answer.values():
        logs = [math.log(v[0]) for v in groups.values()]
        groups["geometric mean"] = (math.exp(sum(logs) / len(logs)),)
    return BARS, answer


def scaling(rec, options):
    rows = rec.rows("SELECT * FROM profile ORDER BY taskset_id, name, sms")
    if "taskset" in options:
        rows = [r for r in rows if r["taskset_id"] == int(options["taskset"])]
    platforms = {}
    for r in rec.run:
        platforms.setdefault(r["taskset_id"], set()).add(r["platform_id"])
    first = {}
    for r in rows:
        for p in platforms.get(r["taskset_id"], ()):
            first[p] = min(first.get(p, r["taskset_id"]), r["taskset_id"])
    answer = {}
    for p, taskset in first.items():
        panel = rec.platform[p]["name"] if len(first) > 1 else ""
        for name, points in group_by([r for r in rows if r["taskset_id"] == taskset], lambda r: r["name"]).items():
            answer[panel, name] = [(r["sms"], points[0]["worst_ns"] / r["worst_ns"]) for r in points if r["worst_ns"]]
    return CURVES, answer


# --- resources and power --------------------------------------------------------------------------------------


def covered(intervals):
    """length of the union"""
    total, end = 0, None
    for a, b in sorted(intervals):
        if end is None or a > end:
            total, end = total + b - a, b
        elif b > end:
            total, end = total + b - end, b
    return total


def utilisation(rec, options):
    def recorded(r):
        return rec.rows("SELECT 1 FROM segment_interval WHERE run_id = ? LIMIT 1", r["run_id"]) or rec.rows(
            "SELECT 1 FROM block_interval WHERE run_id = ? LIMIT 1", r["run_id"])
    runs = chosen_runs(rec, options, recorded)
    name, answer = platforms_named(rec, runs), {}
    for key, rs in group_by(runs, name).items():
        time, lanes, sms = sum(r["stop_ns"] for r in rs), {}, {}
        for r in rs:
            segments = rec.rows("SELECT code & 3 AS kind, unit, start_ns, end_ns FROM segment_interval WHERE run_id = ?",
                r["run_id"])
            by_lane = group_by(segments, lambda s: ("CPU", "copy %d" % (s["unit"] or 0), "GPU")[s["kind"]])
            blocks = rec.rows("SELECT sm, start_ns, end_ns FROM block_interval WHERE run_id = ?", r["run_id"])
            if "GPU" not in by_lane and blocks:
                by_lane["GPU"] = blocks
            for lane, found in by_lane.items():
                lanes[lane] = lanes.get(lane, 0) + covered((s["start_ns"], s["end_ns"]) for s in found)
            for sm, found in group_by((b for b in blocks if b["sm"] is not None and b["sm"] >= 0), lambda b: b["sm"]).items():
                sms[sm] = sms.get(sm, 0) + covered((b["start_ns"], b["end_ns"]) for b in found)
        groups = {lane: (busy / time, None, None) for lane, busy in lanes.items()}
        if sms:
            count = rec.platform[rs[0]["platform_id"]]["sms"]
            shares = [sms.get(i, 0) / time for i in range(count)]
            groups["SMs"] = (sum(shares) / count, min(shares), max(shares))
        answer["", key] = groups
    return BARS, answer


def powered(rec, options):
    """(run, name, changes of power) of runs with a power profile, of the first set that has one"""
    runs = chosen_runs(rec, options, lambda r: rec.rows("SELECT 1 FROM power_interval WHERE run_id = ? LIMIT 1",
        r["run_id"]))
    first = {}
    name = platforms_named(rec, runs)
    for r in runs:
        first.setdefault(name(r), r)
    for key, r in first.items():
        rows = rec.rows("SELECT start_ns, end_ns, power_uw FROM power_interval WHERE run_id = ? ORDER BY start_ns",
            r["run_id"])
        yield r, key, rows


def power(rec, options):
    begin, end = float(options.get("from", 0)), number(options.get("to"))
    answer = {}
    for r, name, rows in powered(rec, options):
        rows = [p for p in rows if p["end_ns"] / 1e6 > begin and (end is None or p["start_ns"] / 1e6 < end)]
        if end is None:
            rows = rows[:400]
        if rows:
            points = [(max(p["start_ns"] / 1e6, begin), p["power_uw"] / 1e6) for p in rows]
            last = rows[-1]["end_ns"] / 1e6
            points.append((last if end is None else min(last, end), rows[-1]["power_uw"] / 1e6))
            answer[name, ""] = points
    return CURVES, answer


def energy_window(rec, options):
    width = round(float(options.get("window", 100)) * 1e6)
    answer = {}
    for r, name, rows in powered(rec, options):
        starts, sums = [p["start_ns"] for p in rows], [0]
        for p in rows:
            sums.append(sums[-1] + p["power_uw"] * (p["end_ns"] - p["start_ns"]))
        def until(t):
            i = bisect.bisect_right(starts, t) - 1
            return 0 if i < 0 else sums[i] + rows[i]["power_uw"] * (min(t, rows[i]["end_ns"]) - rows[i]["start_ns"])
        space = rows[-1]["end_ns"] - width
        if space >= 0:
            at = sorted({space * i // 399 for i in range(400)})
            answer["", name] = [(t / 1e6, (until(t + width) - until(t)) / 1e15) for t in at]
    return CURVES, answer


def occupancy(rec, options):
    runs = chosen_runs(rec, options, lambda r: rec.rows("SELECT 1 FROM block_interval WHERE run_id = ? LIMIT 1",
        r["run_id"]))
    begin, first, answer = round(float(options.get("from", 0)) * 1e6), {}, {}
    name = platforms_named(rec, runs)
    for r in runs:
        first.setdefault(name(r), r)
    for key, r in first.items():
        end = min(round(float(options["to"]) * 1e6), r["stop_ns"]) if "to" in options else r["stop_ns"]
        blocks = rec.rows("SELECT threads, start_ns, end_ns FROM block_interval WHERE run_id = ?", r["run_id"])
        answer["", key] = (begin, end, [(max(b["start_ns"], begin), min(b["end_ns"], end), b["threads"])
            for b in blocks if b["end_ns"] > begin and b["start_ns"] < end])
    return "occupancy", answer


# --- what the policies predict --------------------------------------------------------------------------------


def prediction_error(rec, options):
    answer = {}
    for r in rec.run:
        if "taskset" in options and r["taskset_id"] != int(options["taskset"]):
            continue
        rows = rec.rows("SELECT start_ns, end_ns, power_uw FROM power_interval WHERE run_id = ? ORDER BY start_ns",
            r["run_id"])
        for d in rec.rows("SELECT * FROM decision WHERE run_id = ? AND chosen = 1", r["run_id"]):
            if not rows or d["kernel_end_ns"] > rows[-1]["end_ns"] or d["predicted_uwns"] >= 2**63 - 1:
                continue
            true = sum(p["power_uw"] * (min(p["end_ns"], d["kernel_end_ns"]) - max(p["start_ns"], d["time_ns"]))
                for p in rows if p["end_ns"] > d["time_ns"] and p["start_ns"] < d["kernel_end_ns"])
            if true > 0:
                answer.setdefault(rec.series[r["policy_id"]], []).append(100 * (d["predicted_uwns"] / true - 1))
    def box(v):
        v.sort()
        return (v[0],) + tuple(v[math.ceil(Fraction(q, 4) * len(v)) - 1] for q in (1, 2, 3)) + (v[-1],)
    return BOXES, {("", ""): {name: box(v) for name, v in answer.items()}} if answer else {}


# --- warps ----------------------------------------------------------------------------------------------------

REASONS = ("issued", "empty", "quota", "unit", "scheduler", "memory", "dependence", "barrier", "swap", "ending")


def warp_names(rec):
    """schedulers with their manager, and the options in which such pairs differ"""
    ran = {r["policy_id"] for r in rec.run}
    parts = {}
    for i in ran:
        params = json.loads(rec.policy[i]["params"])
        manager = params.pop("manager", "smk")
        parts[i] = (rec.policy[i]["name"] + ("" if manager == "smk" else " " + manager), params)
    answer = {}
    for i, (name, params) in parts.items():
        others = [q for n, q in parts.values() if n == name]
        keys = sorted(k for k in params if any(o.get(k) != params[k] for o in others))
        answer[i] = " ".join([name] + ["%s=%s" % (k, word(params[k])) for k in keys])
    return answer


def stalls(rec, options):
    names, sums = warp_names(rec), {}
    runs = [r for r in filter(on_platform(rec, options), rec.run)
        if "run" not in options or r["run_id"] == int(options["run"])]
    for r in runs:
        for s in rec.rows("SELECT * FROM run_sub_core WHERE run_id = ?", r["run_id"]):
            cycles = sums.setdefault((rec.platform[r["platform_id"]]["name"], names[r["policy_id"]]), {})
            for reason in REASONS:
                cycles[reason] = cycles.get(reason, 0) + s[reason + "_cycles"]
    answer = {}
    for (panel, name), cycles in sums.items():
        for reason, n in cycles.items():
            answer.setdefault((panel, reason), {})[name] = (100 * n / sum(cycles.values()),)
    return BARS, answer


def epochs(rec, options):
    run = int(options.get("run", 1))
    answer = {}
    for k in rec.rows("SELECT * FROM run_warp_kernel WHERE run_id = ? ORDER BY task_id", run):
        kernel = rec.task[k["task_id"]]["name"]
        if options.get("kernel", kernel) != kernel:
            continue
        rows = rec.rows("SELECT * FROM epoch WHERE run_id = ? AND task_id = ? AND end_cycle > start_cycle ORDER BY epoch",
            run, k["task_id"])
        lines = {
            "IPC": lambda e: e["thread_instructions"] * 10**6 // (e["end_cycle"] - e["start_cycle"]),
            "goal": lambda e: k["goal_ppm"],
            "adjusted goal": lambda e: e["adjusted_goal_ppm"],
            "IPC since the start": lambda e: e["history_ipc_ppm"],
        }
        for line, value in lines.items():
            ys = [value(e) for e in rows]
            if any(y is not None for y in ys):
                points = [(e["start_cycle"] / 1e3, None if y is None else y / 1e6) for e, y in zip(rows, ys)]
                points.append((rows[-1]["end_cycle"] / 1e3, points[-1][1]))
                answer[kernel, line] = points
    return CURVES, answer


def warps(rec, options):
    names, answer = warp_names(rec), {}
    for r in rec.run:
        if r["taskset_id"] != int(options.get("taskset", 1)):
            continue
        for k in rec.rows("SELECT * FROM run_warp_kernel WHERE run_id = ?", r["run_id"]):
            for series, value in (("alone", k["alone_ppm"]), ("goal", k["goal_ppm"]), ("with the others", k["ipc_ppm"])):
                groups = answer.setdefault((names[r["policy_id"]], series), {})
                groups[rec.task[k["task_id"]]["name"]] = (None if value is None else value / 1e6,)
    return BARS, {k: g for k, g in answer.items() if any(v[0] is not None for v in g.values())}


FIGURES = {
    "acceptance": acceptance, "grid": grid, "miss-ratio": miss_ratio, "energy-by-utilisation": energy_by_utilisation,
    "misses": misses, "energy": energy, "tightness": tightness, "bounds": bounds, "speed-up": speed_up,
    "scaling": scaling, "response-cdf": response_cdf, "response-box": response_box,
    "response-cdf-normalised": lambda rec, options: response_cdf(rec, options, True),
    "response-box-normalised": lambda rec, options: response_box(rec, options, True),
    "utilisation": utilisation, "power": power, "energy-window": energy_window, "occupancy": occupancy,
    "prediction-error": prediction_error, "stalls": stalls, "epochs": epochs, "warps": warps,
}

# --- comparing ------------------------------------------------------------------------------------------------


def read_script(path):
    """(name, rows) of each block of data; a row is its numbers and its group"""
    blocks, rows = [], None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("$data"):
            rows = []
            blocks.append([None, rows])
        elif line == "EOD":
            rows = None
        elif rows is not None and line.startswith("#"):
            if blocks[-1][0] is None:
                blocks[-1][0] = line[2:]
        elif rows is not None:
            numbers, _, group = line.partition(" # ")
            rows.append(([None if v == "NaN" else float(v) for v in numbers.split()], group))
    return [(name, rows) for name, rows in blocks]


def near(a, b):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 * max(1e-3, abs(a), abs(b))


def name_of(key):
    """panel and series; the parts of a point in whatever order"""
    panel, series = key if isinstance(key, tuple) else key.rpartition(": ")[::2]
    return ": ".join(part for part in (", ".join(sorted(panel.split(", "))), series) if part)


def compare_curve(name, wanted, rows, complain):
    found = [tuple(r[0]) for r in rows]
    if len(wanted) > 400 < len(found):
        complain("%s: %d points are not thinned" % (name, len(found)))
    if len(wanted) > 402:
        ys = dict((x, y) for x, y in wanted)
        xs = [x for x, _ in wanted]
        for x, y in found:
            i = bisect.bisect_right(xs, x * (1 + 1e-12)) - 1
            if i < 0 or not (y <= wanted[i][1] + 1e-9 and y >= wanted[i][1] - 2 / 400):
                complain("%s: at %r it is %r, not %r" % (name, x, y, wanted[i]))
        return
    if len(found) != len(wanted):
        complain("%s: %d points, not %d: %r, not %r" % (name, len(found), len(wanted), found[:9], wanted[:9]))
        return
    for f, w in zip(found, wanted):
        size = max(len(f), len(w))
        f, w = f + (None,) * (size - len(f)), w + (None,) * (size - len(w))
        if not all(near(a, b) for a, b in zip(f, w)):
            complain("%s: %r, not %r" % (name, f, w))
            return


def compare_groups(kind, name, wanted, rows, complain):
    found = {}
    for numbers, group in rows:
        if kind == BARS:
            value = [None if None in numbers[2:4] else numbers[3] - numbers[2]] + numbers[4:]
        else:
            value = numbers[2:]
        found[group] = tuple(value)
    for group in wanted.keys() - found.keys():
        if any(v is not None for v in wanted[group]):
            complain("%s: %s is not there, but %r" % (name, group, wanted[group]))
    for group, f in found.items():
        w = wanted.get(group, (None,) * len(f))
        size = max(len(f), len(w))
        f, w = f + (None,) * (size - len(f)), w + (None,) * (size - len(w))
        if not all(near(a, b) for a, b in zip(f, w)):
            complain("%s: %s: %r, not %r" % (name, group, f, w))


def compare_occupancy(name, wanted, rows, complain):
    """every step is the mean over its time, and is no longer than 1/400 of what is shown (but where it is 0)"""
    begin, end, blocks = wanted
    changes, level, sums, times = {}, 0, [0], [begin]
    for a, b, threads in blocks:
        changes[a] = changes.get(a, 0) + threads
        changes[b] = changes.get(b, 0) - threads
    levels = [0]
    for t in sorted(changes):
        sums.append(sums[-1] + level * (t - times[-1]))
        times.append(t)
        level += changes[t]
        levels.append(level)
    def until(t):
        i = bisect.bisect_right(times, t) - 1
        return sums[i] + levels[i] * (t - times[i])
    points = [(round(r[0][0] * 1e6), r[0][1]) for r in rows]
    for (a, y), (b, _) in zip(points, points[1:]):
        mean = (until(b) - until(a)) / (b - a) if b > a else y
        if not near(y, mean) or (y and b - a > (end - begin) / 400 + 1):
            complain("%s: from %d to %d it is %r, not %r" % (name, a, b, y, mean))
            return
    if blocks and (points[0][0] > min(b[0] for b in blocks) or points[-1][0] < max(b[1] for b in blocks)):
        complain("%s: it goes from %d to %d" % (name, points[0][0], points[-1][0]))


def check(database, figure, script, options):
    """lines that say what is wrong"""
    wrong = []
    kind, wanted = FIGURES[figure](Recording(database), options)
    wanted = {name_of(key): value for key, value in wanted.items()}
    if script == "-":
        return ["there is something to show: " + ", ".join(wanted)] if wanted else []
    blocks = [(name_of(name), rows) for name, rows in read_script(script)]
    found = dict(blocks)
    if len(found) != len(blocks):
        wrong.append("two series have one name: %r" % sorted(name for name, _ in blocks))
    for name in wanted.keys() - found.keys():
        # A series that is 0 (of stacks) or unknown everywhere need not be drawn.
        if kind != BARS or any(v[0] for v in wanted[name].values()):
            wrong.append("series '%s' is missing" % name)
    for name in found:
        if name not in wanted:
            wrong.append("series '%s' should not be" % name)
            continue
        if kind == CURVES:
            compare_curve(name, wanted[name], found[name], wrong.append)
        elif kind == "occupancy":
            compare_occupancy(name, wanted[name], found[name], wrong.append)
        else:
            compare_groups(kind, name, wanted[name], found[name], wrong.append)
    return wrong


def settings(words):
    return dict(w.split("=", 1) for w in words)


def check_all(program, database, figures):
    """draws the figures of a recording and compares them; a line for each"""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for figure in figures:
            name, *words = figure.split(",")
            script = os.path.join(folder, "figure.gp")
            command = [program, "plot", database, name, "--script", script, "--force"]
            for w in words:
                command += ["-P", w]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode not in (0, 1):
                wrong = ["exit status %d: %s" % (done.returncode, done.stderr.strip())]
            else:
                wrong = check(database, name, "-" if done.returncode else script, settings(words))
            bad += bool(wrong)
            print("%s %s %s%s" % ("not ok" if wrong else "ok", database, figure, " (nothing)" if done.returncode else ""))
            for line in wrong[:6]:
                print("#   " + line[:300])
    return 1 if bad else 0


def main(words):
    if words[0] == "--all":
        return check_all(words[1], words[2], words[3:] or list(FIGURES))
    wrong = check(words[0], words[1], words[2], settings(words[3:]))
    print("\n".join(wrong[:20]), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
