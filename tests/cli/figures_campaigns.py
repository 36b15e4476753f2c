# tests/cli/figures_campaigns.py - what the figures of campaigns must show, for figures_check.py. Each function returns
# the kind of a figure and {(panel, series): its points, or {group: values}}.

import json
import math

from figures_recording import BARS, CURVES, Z, group_by, spread, wilson, word

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
    return lambda r: "platform" not in options or options["platform"] in (
        rec.platform[r["platform_id"]]["name"], rec.platform_name[r["platform_id"]])


def acceptance(rec, options):
    x = lambda r: rec.taskset[r["taskset_id"]]["target_utilisation_ppm"]
    wanted = on_platform(rec, options)
    found = [v for v in verdicts(rec, wanted) if x(v[0]) is not None]
    answer, panel_of = {}, rec.panels([v[0] for v in found])
    for (panel, name), rows in group_by(found, lambda v: (panel_of(v[0]), v[1])).items():
        answer[panel, name] = [(u / 1e6,) + share(g) for u, g in sorted(group_by(rows, lambda v: x(v[0])).items())]
    return CURVES, answer


def grid(rec, options):
    axis = options.get("axis")
    found = [v for v in verdicts(rec, on_platform(rec, options)) if rec.taskset[v[0]["taskset_id"]]["recipe"]
        and (axis is None or axis in rec.options(v[0]["taskset_id"]))]
    panel_of, answer = rec.panels([v[0] for v in found], [a for a in rec.axes if axis and a != axis]), {}
    for v in found:
        place = rec.point(v[0]["taskset_id"], [axis] if axis else None)
        answer.setdefault((panel_of(v[0]), v[1]), {}).setdefault(place, []).append(v)
    return BARS, {key: {g: share(rows) for g, rows in groups.items()} for key, groups in answer.items()}


def miss_ratio(rec, options):
    answer = {}
    shown = [r for r in filter(on_platform(rec, options), rec.run) if r["jobs"] and r["status"] != "error"]
    panel_of = rec.panels(shown)
    for r in shown:
        u = rec.taskset[r["taskset_id"]]["target_utilisation_ppm"]
        if u is not None:
            key = (panel_of(r), rec.series[r["policy_id"]])
            sets = answer.setdefault(key, {}).setdefault(u / 1e6, {})
            sets.setdefault((r["taskset_id"], r["platform_id"]), []).append(r)
    def point(u, sets):
        ratios = [sum(r["misses"] for r in rs) / sum(r["jobs"] for r in rs) for rs in sets.values()]
        mean, half = sum(ratios) / len(ratios), spread(ratios)
        return (u, mean) + ((None, None) if half is None else (max(mean - half, 0), min(mean + half, 1)))
    return CURVES, {key: [point(u, sets) for u, sets in sorted(us.items())] for key, us in answer.items()}


def by_bandwidth(rec, runs):
    """{(panel, series): {GB/s: runs}}, if there are several bandwidths"""
    bandwidth = lambda r: rec.platform[r["platform_id"]]["copy_bandwidth"]
    axes = sorted(a for a in rec.axes if a not in ("platform.copy.bandwidth", "platform.preset"))
    answer = {}
    if len({p["copy_bandwidth"] for p in rec.platform.values()} - {None}) > 1:
        for r in runs:
            panel = [rec.platform[r["platform_id"]]["name"], rec.point(r["taskset_id"], axes)]
            key = (", ".join(p for p in panel if p), rec.series[r["policy_id"]])
            if bandwidth(r) is not None:
                answer.setdefault(key, {}).setdefault(bandwidth(r) / 1e9, []).append(r)
    return answer


def misses_by_bandwidth(rec, options):
    def point(x, runs):
        sets = group_by(runs, lambda r: r["taskset_id"]).values()
        ratios = [sum(r["misses"] for r in rs) / sum(r["jobs"] for r in rs) for rs in sets]
        mean, half = sum(ratios) / len(ratios), spread(ratios)
        return (x, mean) + ((None, None) if half is None else (max(mean - half, 0), min(mean + half, 1)))
    shown = by_bandwidth(rec, [r for r in rec.run if r["jobs"] and r["status"] != "error"])
    return CURVES, {key: [point(x, runs) for x, runs in sorted(xs.items())] for key, xs in shown.items()}


def response_by_bandwidth(rec, options):
    def worst(run):
        of_tasks = [(t, rec.task[t["task_id"]]) for t in rec.run_task.get(run["run_id"], {}).values()]
        return [t["max_response_ns"] / task["deadline_ns"] for t, task in of_tasks if t["responses"]
            and task["deadline_ns"] and options.get("task", task["name"]) == task["name"]]
    answer = {}
    for key, xs in by_bandwidth(rec, rec.run).items():
        points = [(x, [y for r in runs for y in worst(r)]) for x, runs in sorted(xs.items())]
        if any(ys for _, ys in points):
            answer[key] = [(x, max(ys)) for x, ys in points if ys]
    return CURVES, answer


def has_energy(rec, r):
    return r["energy_uj"] is not None and r["status"] in ("ok", "truncated")


def energy_by_utilisation(rec, options):
    base, pairs, shown = {}, {}, []
    same = lambda r: (r["taskset_id"], r["platform_id"], r["replication"], r["setup_digest"])
    for r in rec.run:  # of several kinds of fcfs the first
        if rec.policy[r["policy_id"]]["name"] == "fcfs" and has_energy(rec, r):
            base.setdefault(same(r), rec.energy(r))
    for r in filter(on_platform(rec, options), rec.run):
        if rec.taskset[r["taskset_id"]]["target_utilisation_ppm"] is not None and has_energy(rec, r) and base.get(same(r)):
            shown.append(r)
    panel_of = rec.panels(shown)
    for r in shown:
        u = rec.taskset[r["taskset_id"]]["target_utilisation_ppm"]
        sets = pairs.setdefault((panel_of(r), rec.series[r["policy_id"]]), {}).setdefault(u / 1e6, {})
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
    return CURVES, answer if len({name for _, name in answer}) > 1 else {}
