# tests/cli/gantt_jobs_check.py SCRIPT CEGSIM FILE.db - compares the means in the script of a whole run's Gantt chart with
# run 1 of the recording, which it queries in SQL: the time during which jobs of each task exist, in time and late, and
# the energy.
import re
import subprocess
import sys

script, cegsim, recording = sys.argv[1:4]
LEVEL = 1000


def ask(sql):
    answer = subprocess.run([cegsim, "query", recording, sql, "--format", "csv"], check=True, capture_output=True)
    return [line.split(",") for line in answer.stdout.decode().splitlines()[1:]]


text = open(script, encoding="utf-8").read()
unit = {"s": 10**9, "ms": 10**6, "µs": 1000, "ns": 1}[re.search(r"time \((\w+)\)", text).group(1)]
area, late, energy, block, point = {}, {}, 0.0, None, None
for line in text.splitlines():
    begin = re.match(r"\$run1_([a-z]+)\d+ << EOD", line)
    if begin:
        block = begin.group(1)
    elif line == "EOD":
        block = None
    elif block in ("jobs", "late"):
        start, end, row, low, high = map(float, line.split())
        sums = area if block == "jobs" else late
        sums[int(row) - 1] = sums.get(int(row) - 1, 0) + (end - start) * unit * (high - low) / LEVEL
    elif block == "power":
        here = tuple(map(float, line.split()))
        energy, point = (energy, here) if point is None else (energy + (here[0] - point[0]) * unit * point[1] * 1e6, None)

bad = []
for task, good, behind in ask("""SELECT task_idx, sum(min(done, coalesce(due, done)) - release_ns), sum(done - min(done, coalesce(due, done)))
    FROM (SELECT *, coalesce(finish_ns, (SELECT stop_ns FROM run)) AS done, CASE WHEN missed THEN abs_deadline_ns END AS due
    FROM job WHERE run_id = 1) JOIN task USING (task_id) GROUP BY 1 ORDER BY 1"""):
    for name, drawn, wanted in (("in time", area, good), ("late", late, behind)):
        # a level is rounded to a thousandth of a job
        room = max(1e-3 * int(wanted), float(ask("SELECT stop_ns FROM run")[0][0]) / LEVEL)
        if abs(drawn.get(int(task), 0) - int(wanted)) > room:
            bad.append(f"task {task} {name}: {drawn.get(int(task), 0):.0f} ns drawn, {wanted} recorded")
wanted = float(ask("SELECT sum((end_ns - start_ns) * power_uw) FROM power_interval WHERE run_id = 1")[0][0])
if abs(energy - wanted) > 1e-6 * wanted:
    bad.append(f"energy: {energy} drawn, {wanted} recorded")
print("\n".join(bad) or f"{len(area)} tasks, {len(late)} late, {energy / 1e15:.6f} J")
sys.exit(bool(bad))
