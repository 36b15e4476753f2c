# tests/cli/gantt_check.py SCRIPT CEGSIM FILE.db RUN FROM TO [shares] - compares the script of a Gantt chart (cegsim plot
# --script) with the recording, which it queries in SQL; instants are in ns. Rectangles of an SM must not overlap, and
# must cover as much as the recording says; every mark must be there. "shares": the SMs are drawn as shares in bins.
import re
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction

script, cegsim, recording, run, start, stop = sys.argv[1:7]
shares = sys.argv[7:] == ["shares"]
start, stop = int(start), int(stop)
wrong = []


def check(good, *what):
    if not good:
        wrong.append(" ".join(map(str, what)))


def ask(sql):
    answer = subprocess.run([cegsim, "query", recording, sql, "--format", "csv"], check=True, capture_output=True)
    return [line.split(",") for line in answer.stdout.decode().splitlines()[1:]]


text = open(script, encoding="utf-8").read()
unit = {"s": 10**9, "ms": 10**6, "µs": 1000, "ns": 1}[re.search(r"time \((\w+)\)", text).group(1)]
names, data, block = {}, defaultdict(list), None
for line in text.splitlines():
    row = re.match(r"bottom\[(\d+)\]", line)
    label = re.match(r"set label '\{/\*0.9 '\.\"([^\"]*)\"\.'\}' at graph", line)
    begin = re.match(r"\$run1_([a-z]+)\d+ << EOD", line)
    if row:
        at = int(row.group(1))
    elif label:
        names[at] = label.group(1).replace("\\\\", "")
    elif begin:
        block = begin.group(1)
    elif line == "EOD":
        block = None
    elif block and line:
        words = line.split()
        data[block].append([Fraction(words[0])] + words[1:])


def instant(value):
    ns = Fraction(value) * unit
    check(abs(ns - round(ns)) < Fraction(1, 100), value, "is no whole number of ns")
    return round(ns)


# Rectangles.
lanes = defaultdict(list)
for block in ("task", "small", "spin", "boost", "overhead"):
    for begin, end, row, low, high in data[block]:
        lanes[names[int(row)]].append((instant(begin), instant(end), int(low), int(high)))
for lane, bars in lanes.items():
    for i, (a_start, a_end, a_low, a_high) in enumerate(bars):
        check(start <= a_start < a_end <= stop, lane, "has a rectangle from", a_start, "to", a_end)
        for b_start, b_end, b_low, b_high in bars[:i]:
            check(a_start >= b_end or b_start >= a_end or a_low >= b_high or b_low >= a_high,
                  lane, "has rectangles that overlap at", max(a_start, b_start))
cut = f"min(end_ns, {stop}) - max(start_ns, {start})"
touches = f"run_id = {run} AND end_ns > {start} AND start_ns < {stop}"
should = {f"SM {sm}": int(area) for sm, area in ask(
    f"SELECT sm, sum(threads * ({cut})) FROM block_interval WHERE {touches} GROUP BY sm")}
if not shares:
    should.update({"CPU": int(time) for (time,) in ask(
        f"SELECT sum({cut}) FROM segment_interval WHERE {touches} AND code & 3 = 0 HAVING count(*)")})
areas = {lane: sum((end - begin) * (high - low) for begin, end, low, high in bars) for lane, bars in lanes.items()
         if lane == "CPU" or lane.startswith("SM ")}
if shares:
    # Outlines of tasks are stacked: at each instant the uppermost one is the SM's share.
    full = int(ask("SELECT max(threads_per_sm) FROM platform")[0][0])
    tops = defaultdict(dict)
    previous = None
    for corner, row, level in data["share"]:
        point = (instant(corner), names[int(row)], int(level))
        if previous and previous[1:] == point[1:] and previous[0] < point[0] and point[2] > 0:
            bin_ = (previous[0], point[0])
            tops[point[1]][bin_] = max(tops[point[1]].get(bin_, 0), point[2])
        previous = point
    areas = {lane: sum((end - begin) * level for (begin, end), level in bins.items()) * full / 65535
             for lane, bins in tops.items() if lane.startswith("SM ")}
    for lane in [lane for lane in areas if "–" in lane]:  # several SMs together
        first, last = map(int, lane[3:].split("–"))
        areas[lane] *= last - first + 1
        should[lane] = sum(should.pop(f"SM {sm}", 0) for sm in range(first, last + 1))
    check(areas.keys() == should.keys(), "SMs", sorted(areas), "instead of", sorted(should))
    for lane, area in areas.items():
        check(abs(area / should.get(lane, 1) - 1) < 0.002, lane, "covers", area, "instead of", should.get(lane))
else:
    check(areas == should, "areas", areas, "instead of", should)


# Marks.
def marks(block):
    return Counter((names[int(row)], int(seq), instant(at)) for at, row, seq in data[block])


def asked(column, where):
    return Counter((task, int(seq), int(at)) for task, seq, at in ask(
        f"SELECT t.name, j.seq, j.{column} FROM job j JOIN task t USING (task_id) WHERE j.run_id = {run} AND {where} AND "
        f"j.{column} BETWEEN {start} AND {stop}"))


for block, column, where in (("releases", "release_ns", "1"), ("deadlines", "abs_deadline_ns", "1"),
                             ("missed", "abs_deadline_ns", "j.missed AND j.state IN ('finished', 'unfinished')"),
                             ("removed", "abs_deadline_ns", "j.missed AND j.state IN ('dropped', 'aborted')")):
    is_, must = marks(block), asked(column, where)
    check(is_ == must, block, "differ by", list(((is_ - must) + (must - is_)).items())[:5])

print("\n".join(wrong[:20]) if wrong else f"{sum(map(len, lanes.values()))} rectangles, {len(data['missed'])} misses")
sys.exit(bool(wrong))
