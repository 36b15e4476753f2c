# tests/cli/figures_runs.py - what the figures of runs must show, for figures_check.py, as in figures_campaigns.py:
# responses, bounds, resources and power over time, predictions, kernels of warps.

import bisect
import json
import math
from fractions import Fraction

from figures_recording import BARS, BOXES, CURVES, POINTS, STEPS, group_by, number, word
from figures_campaigns import analysis_names, has_energy, on_platform

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
        " on " + rec.platform_name[r["platform_id"]] if several else "")


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
            panel = rec.platform_name[platform] if several else ""
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
                    # No quantile exceeds the longest response, which is known.
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
    runs = chosen_runs(rec, options, lambda r: any(t["jobs"] for t in rec.run_task.get(r["run_id"], {}).values()))
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


def response_cdf(rec, options, normalised=False, tail=False):
    answer, ranges, complete = {}, {}, set()
    for name, task, scale, found in responses(rec, options, normalised):
        panel = task["name"]
        if not normalised and task["deadline_ns"] is not None:
            panel += " (deadline %g ms)" % (task["deadline_ns"] / 1e6)
        done, points = 0, []
        for value, n in found.sorted:
            done += n
            points.append((value / scale, max(found.jobs - done, 0.5) / found.jobs if tail else done / found.jobs))
        if points:
            points.insert(0, (points[0][0], int(tail)))
            ranges.setdefault(panel, []).extend((points[0][0], points[-1][0]))
        answer[panel, name] = points
        if found.jobs == done:
            complete.add((panel, name))
    for (panel, name), points in answer.items():
        if panel in ranges:  # up to where the longest of the panel ends; where no job finished, along all of it
            points[:] = points or [(min(ranges[panel]), int(tail))]
            if not tail or (panel, name) not in complete:
                points.append((max(ranges[panel]), points[-1][1]))
    return STEPS, {key: points for key, points in answer.items() if points}


def response_box(rec, options, normalised=False):
    answer = {}
    for name, task, scale, found in responses(rec, options, normalised):
        if found.finished:
            box = [found.least] + [found.quantile(Fraction(q, 100)) for q in (25, 50, 75, 99)] + [found.greatest]
            box[1:5] = [max(v, found.least) for v in box[1:5]]
            answer.setdefault(("", name), {})[task["name"]] = tuple(v / scale for v in box)
    return BOXES, answer


def trace_of(task, r):
    """the release trace by which a task's jobs are released in a run, or None"""
    return task["trace_id"] if task["release_kind"] else r["trace_id"]


def outside(rec, r):
    """whether the traces of a run release jobs nearer than their periods, or have times beyond best and worst (of sets whose
    kernels are grids)"""
    for task in (t for t in rec.task.values() if t["taskset_id"] == r["taskset_id"]):
        trace = trace_of(task, r)
        if trace is None:
            continue
        releases = [e["release_ns"] for e in rec.rows("SELECT * FROM trace_release WHERE trace_id = ? ORDER BY seq", trace)
            if e["release_ns"] < r["horizon_ns"]]
        if any(b - a < task["period_ns"] for a, b in zip(releases, releases[1:])):
            return True
        segments = {g["segment_idx"]: g for g in rec.rows("SELECT * FROM segment WHERE task_id = ?", task["task_id"])}
        for d in rec.rows("SELECT * FROM trace_duration WHERE trace_id = ?", trace):
            g = segments[d["segment_idx"]]
            if d["seq"] < len(releases) and not g["best_ns"] <= d["duration_ns"] <= g["worst_ns"]:
                return True
    return False


def told(rec, t, task, r, bound):
    """whether a run can tell anything about a bound on the responses of a task, and the worst of them"""
    if r["status"] not in ("ok", "truncated") or r["on_miss"] != "continue" or task["period_ns"] is None:
        return None
    if bound > task["period_ns"] or outside(rec, r):
        return None
    finished, unfinished = t["max_response_ns"] or 0, t["worst_lower_bound_ns"] or 0
    # A job that is still running takes longer than it has so far. It may yet exceed the bound, if it has not already.
    if finished > bound or (t["responses"] < t["jobs"] and unfinished >= bound):
        return max(finished, unfinished)
    return finished if finished and t["responses"] == t["jobs"] and r["status"] == "ok" else None


def assumed(rec, r, bound):
    """whether the tasks on which a bound rests are in time in the run"""
    for task_id, t in rec.run_task.get(r["run_id"], {}).items():
        deadline, rests = rec.task[task_id]["deadline_ns"], json.loads(dict(bound).get("assumes") or "[]")
        late = (t["max_response_ns"] or 0) > deadline or (t["worst_lower_bound_ns"] or 0) >= deadline
        if rec.task[task_id]["task_idx"] in rests and late:
            return False
    return True


def worst_of_tasks(rec, options):
    """(analysis, platform, task): bound, worst response of all runs that can tell, under the policy that was analysed"""
    analyses = [a for a in rec.rows("SELECT * FROM analysis_run ORDER BY analysis_run_id")]
    names, answer = analysis_names(rec, analyses), {}
    for a in analyses:
        if options.get("analysis", a["analysis"]) != a["analysis"]:
            continue
        runs = [r for r in rec.run if all(r[k] == a[k] for k in ("taskset_id", "platform_id", "policy_id"))]
        for b in rec.rows("SELECT * FROM bound WHERE analysis_run_id = ? AND bound_ns > 0", a["analysis_run_id"]):
            task = rec.task[b["task_id"]]
            seen = [told(rec, rec.run_task[r["run_id"]][b["task_id"]], task, r, b["bound_ns"]) for r in runs
                if b["task_id"] in rec.run_task.get(r["run_id"], {}) and assumed(rec, r, b)]
            seen = [v for v in seen if v is not None]
            if seen:
                answer[names[a["analysis_run_id"]], a["platform_id"], b["task_id"]] = b["bound_ns"], max(seen)
    return answer


def tightness(rec, options):
    answer = {}
    for (name, _, _), (bound, seen) in worst_of_tasks(rec, options).items():
        answer.setdefault(("", name), []).append(seen / bound)
    for key, values in answer.items():
        values.sort()
        n = len(values)
        answer[key] = [(values[0], 0)] + [(v, bisect.bisect_right(values, v) / n) for v in sorted(set(values))]
    return STEPS, answer


def bounds(rec, options):
    answer = {}
    for (name, _, _), (bound, seen) in worst_of_tasks(rec, options).items():
        answer.setdefault(("", name), []).append((bound / 1e6, seen / 1e6))
    if "limit" in options:  # every n-th, so that no more are left
        limit = int(options["limit"])
        return "some", {key: (limit, points) for key, points in answer.items()}
    return POINTS, answer


def speed_up(rec, options):
    ran = [r for r in rec.run if r["status"] != "refused"]
    sets = {s: rs for s, rs in group_by(ran, lambda r: r["taskset_id"]).items()
        if len({rec.series[r["policy_id"]] for r in rs}) > 1}
    if "taskset" in options:
        sets = {s: rs for s, rs in sets.items() if s == int(options["taskset"])}
    if not sets:
        return BARS, {}
    runs = sets[min(sets)]
    several, means = len({r["platform_id"] for r in runs}) > 1, {}
    for r in runs:
        for t in rec.run_task.get(r["run_id"], {}).values():
            if t["responses"]:
                key = (r["platform_id"], rec.series[r["policy_id"]], t["task_id"])
                pair = means.setdefault(key, [0, 0])
                pair[0] += t["mean_response_ns"] * t["responses"]
                pair[1] += t["responses"]
    if not means:
        return BARS, {}
    base, answer, platforms = options.get("baseline", min(name for _, name, _ in means)), {}, {}
    for (platform, name, task), (total, n) in means.items():
        theirs = means.get((platform, base, task))
        if name != base and theirs:
            key = ("against " + base + (" on " + rec.platform_name[platform] if several else ""), name)
            answer.setdefault(key, {})[rec.task[task]["name"]] = (theirs[0] / theirs[1] / (total / n),)
            platforms[key] = platform
    for key, groups in answer.items():
        if len(groups) == len({task for platform, _, task in means if platform == platforms[key]}):  # else of other tasks
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
        panel = rec.platform_name[p] if len(first) > 1 else ""
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
        groups = {}
        for r in rs:
            segments = rec.rows("SELECT code & 3 AS kind, unit, start_ns, end_ns FROM segment_interval WHERE run_id = ?",
                r["run_id"])
            blocks = rec.rows("SELECT sm, start_ns, end_ns FROM block_interval WHERE run_id = ?", r["run_id"])
            lanes = group_by(segments, lambda s: ("CPU", "copy %d" % (s["unit"] or 0), "GPU")[s["kind"]])
            sms = group_by(blocks, lambda b: b["sm"])
            if None in sms:
                lanes["pool"] = sms.pop(None)
            busy = lambda rows: covered((i["start_ns"], i["end_ns"]) for i in rows) / r["stop_ns"]
            for lane, found in lanes.items():
                groups.setdefault(lane, []).append((busy(found), None, None))
            if sms:
                shares = [busy(sms.get(i, ())) for i in range(rec.platform[r["platform_id"]]["sms"])]
                groups.setdefault("SMs", []).append((sum(shares) / len(shares), min(shares), max(shares)))
        answer["", key] = {lane: (sum(v[0] for v in found) / len(rs),) + ((None, None) if found[0][1] is None
            else (min(v[1] for v in found), max(v[2] for v in found))) for lane, found in groups.items()}
    return BARS, answer


def one_of_each(rec, options, table):
    """{name: run} of the runs that have rows in the table, of the first set, all of one replication: with the same draws"""
    first = min((r["replication"] for r in rec.run), default=0)
    runs = chosen_runs(rec, options, lambda r: ("run" in options or r["replication"] == first) and rec.rows(
        "SELECT 1 FROM %s WHERE run_id = ? LIMIT 1" % table, r["run_id"]))
    name = platforms_named(rec, runs)
    return {name(r): r for r in runs}


def powered(rec, options):
    """(run, name, changes of power)"""
    for key, r in one_of_each(rec, options, "power_interval").items():
        rows = rec.rows("SELECT start_ns, end_ns, power_uw FROM power_interval WHERE run_id = ? ORDER BY start_ns",
            r["run_id"])
        yield r, key, rows


def power(rec, options):
    begin, end = float(options.get("from", 0)), number(options.get("to"))
    profiles = {name: [p for p in rows if p["end_ns"] / 1e6 > begin and (end is None or p["start_ns"] / 1e6 < end)]
        for _, name, rows in powered(rec, options)}
    if end is None and any(len(rows) > 400 for rows in profiles.values()):  # where the first has its 400th
        end = min(rows[:400][-1]["end_ns"] for rows in profiles.values() if rows) / 1e6
    answer = {}
    for name, rows in profiles.items():
        rows = [p for p in rows if end is None or p["start_ns"] / 1e6 < end]
        if rows:
            points = [(max(p["start_ns"] / 1e6, begin), p["power_uw"] / 1e6) for p in rows]
            last = rows[-1]["end_ns"] / 1e6
            answer[name, ""] = points + [(last if end is None else min(last, end), points[-1][1])]
    return POINTS, answer


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
        if space >= 0 and width > 0:
            at = sorted({space * i // 399 for i in range(400)})
            answer["", name] = [(t / 1e6, (until(t + width) - until(t)) / 1e15) for t in at]
    return CURVES, answer


def occupancy(rec, options):
    begin, answer = round(float(options.get("from", 0)) * 1e6), {}
    for key, r in one_of_each(rec, options, "block_interval").items():
        end = min(round(float(options["to"]) * 1e6), r["stop_ns"]) if "to" in options else r["stop_ns"]
        blocks = rec.rows("SELECT threads, start_ns, end_ns FROM block_interval WHERE run_id = ?", r["run_id"])
        answer["", key] = (begin, end, [(max(b["start_ns"], begin), min(b["end_ns"], end), b["threads"])
            for b in blocks if b["end_ns"] > begin and b["start_ns"] < end])
    return "occupancy", answer


# --- what the policies predict --------------------------------------------------------------------------------


def prediction_error(rec, options):
    errors = {}
    for r in rec.run:
        if "taskset" in options and r["taskset_id"] != int(options["taskset"]):
            continue
        decisions = rec.rows("SELECT * FROM decision WHERE run_id = ? AND chosen = 1", r["run_id"])
        rows = rec.rows("SELECT start_ns, end_ns, power_uw FROM power_interval WHERE run_id = ? ORDER BY start_ns",
            r["run_id"]) if decisions else []
        starts = [p["start_ns"] for p in rows]
        for d in decisions:
            begin, end, true = d["time_ns"], d["kernel_end_ns"], 0
            if not rows or end > rows[-1]["end_ns"]:
                continue
            for p in rows[max(bisect.bisect_right(starts, begin) - 1, 0):bisect.bisect_left(starts, end)]:
                true += p["power_uw"] * (min(p["end_ns"], end) - max(p["start_ns"], begin))
            if true > 0:
                key = (r["platform_id"], rec.series[r["policy_id"]])
                errors.setdefault(key, []).append(100 * (d["predicted_uwns"] / true - 1))
    answer, several = {}, len({platform for platform, _ in errors}) > 1
    for (platform, name), v in errors.items():
        v.sort()
        quartiles = tuple(v[math.ceil(Fraction(q, 4) * len(v)) - 1] for q in (1, 2, 3))
        answer.setdefault((rec.platform_name[platform] if several else "", ""), {})[name] = (v[0],) + quartiles + (v[-1],)
    return BOXES, answer


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
