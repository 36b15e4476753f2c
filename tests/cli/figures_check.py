# tests/cli/figures_check.py - what the general figures must show, computed from the base tables alone. It uses no view of
# the recording and no query of the program, so it finds errors in both. docs/figures.md, docs/recording.md and
# docs/model.md define what is right.
#
#   figures_check.py FILE.db FIGURE FILE.gp [NAME=VALUE...]    compares the data in FILE.gp, written by
#       cegsim plot FILE.db FIGURE --script FILE.gp -P NAME=VALUE..., with what it must be; if they differ, prints where
#       and ends with status 1
#   figures_check.py FILE.db FIGURE - [NAME=VALUE...]          nothing may be drawn: status 1 if there is something to show
#   figures_check.py --all PROGRAM FILE.db FIGURE[,NAME=VALUE...]...   draws each and compares; one line for each

import bisect
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from figures_recording import BARS, CURVES, POINTS, STEPS, Recording
from figures_campaigns import acceptance, energy_by_utilisation, grid, miss_ratio, misses_by_bandwidth
from figures_campaigns import response_by_bandwidth
from figures_runs import (bounds, energy, energy_window, epochs, misses, occupancy, power, prediction_error, response_box,
    response_cdf, scaling, speed_up, stalls, tightness, utilisation, warps)

FIGURES = {
    "misses-by-bandwidth": misses_by_bandwidth, "response-by-bandwidth": response_by_bandwidth,
    "acceptance": acceptance, "grid": grid, "miss-ratio": miss_ratio, "energy-by-utilisation": energy_by_utilisation,
    "misses": misses, "energy": energy, "tightness": tightness, "bounds": bounds, "speed-up": speed_up,
    "scaling": scaling, "response-cdf": response_cdf, "response-box": response_box,
    "response-cdf-normalised": lambda rec, options: response_cdf(rec, options, True),
    "response-box-normalised": lambda rec, options: response_box(rec, options, True),
    "response-tail": lambda rec, options: response_cdf(rec, options, False, True),
    "response-tail-normalised": lambda rec, options: response_cdf(rec, options, True, True),
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
            group = ", ".join(sorted(group.split(", ")))
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


def same_points(found, wanted):
    """numbers that are not there are unknown"""
    def same(f, w):
        size = max(len(f), len(w))
        return all(near(a, b) for a, b in zip(f + (None,) * (size - len(f)), w + (None,) * (size - len(w))))
    return len(found) == len(wanted) and all(same(f, w) for f, w in zip(found, wanted))


def corners(points):
    """where a curve of steps begins and ends, and the value from each x on"""
    answer = [points[0]]
    for i, (x, y) in enumerate(points[1:], 1):
        last = i == len(points) - 1
        if (last or not near(points[i + 1][0], x)) and (last or not near(y, answer[-1][1])):
            answer.append((x, y))
    return answer


def compare_curve(kind, name, wanted, rows, complain):
    found = [tuple(r[0]) for r in rows]
    if kind == POINTS:
        found, wanted = sorted(found), sorted(wanted)
    if kind == STEPS and len(wanted) > 402:  # thinned: below the true curve, by a step at most
        xs = [x for x, _ in wanted]
        if len(found) > 520:  # the tail has the last 100
            complain("%s: %d points are not thinned" % (name, len(found)))
        for (x, y), behind in zip(found, found[1:] + [None]):
            i = bisect.bisect_right(xs, x + 1e-12 * abs(x)) - 1
            if behind and near(behind[0], x):
                continue
            if i < 0 or not wanted[i][1] - 1 / 399 <= y <= wanted[i][1] + 1e-9:
                complain("%s: at %r it is %r, not %r" % (name, x, y, wanted[i]))
                return
        wanted, found = [wanted[0], wanted[-1]], [found[0], found[-1]]
    elif kind == STEPS:
        wanted, found = corners(wanted), corners(found)
    if not same_points(found, wanted):
        where = next((i for i, (f, w) in enumerate(zip(found, wanted)) if not same_points([f], [w])), 0)
        complain("%s: %d points, not %d: ... %r, not %r" % (name, len(found), len(wanted), found[where:where + 2],
            wanted[where:where + 2]))


def compare_groups(kind, name, wanted, rows, complain):
    found, wanted = {}, {", ".join(sorted(group.split(", "))): v for group, v in wanted.items()}
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
        if len(f) == 5 and len(w) == 6:  # boxes, and no percentiles
            w = w[:4] + w[5:]
        if not same_points([f], [w]):
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
        # A series that is 0 everywhere (in stacks) or unknown everywhere need not be drawn.
        if kind != BARS or any(v[0] for v in wanted[name].values()):
            wrong.append("series '%s' is missing" % name)
    for name in found:
        if name not in wanted:
            wrong.append("series '%s' should not be" % name)
            continue
        if kind == "some":
            limit, points = wanted[name]
            some = [tuple(r[0]) for r in found[name]]
            if not min(len(points), limit) / 2 <= len(some) <= limit or any(
                    not any(same_points([f], [p]) for p in points) for f in some):
                wrong.append("%s: %d points, some of which should not be" % (name, len(some)))
        elif kind in (CURVES, STEPS, POINTS):
            compare_curve(kind, name, wanted[name], found[name], wrong.append)
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
            said = "needs runs recorded with" in done.stderr or "as no power is given" in done.stderr
            if done.returncode not in (0, 1) and not said:
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
