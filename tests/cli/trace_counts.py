# tests/cli/trace_counts.py FILE.pftrace FILE.db RUN [FROM TO] - counts what is in a trace and in the recording it was made
# from, and compares: slices and their total time by kind, place and task; flows; what the counters integrate to. The trace
# is read by trace_tables.py, the recording by SQLite itself, both in SQL. Prints what differs and ends with status 1, or
# prints the counts.
import sqlite3
import sys
from collections import Counter

from trace_tables import Wrong, load

trace, recording, run = sys.argv[1:4]
whole = len(sys.argv) <= 4
start, stop = (0, 2**63 - 1) if whole else (int(sys.argv[4]), int(sys.argv[5]))
wrong = []

db = sqlite3.connect("file::memory:", uri=True)
db.row_factory = sqlite3.Row
try:
    load(trace, db)
except Wrong as error:
    sys.exit(f"# {error}")
db.execute("ATTACH ? AS r", (f"file:{recording}?mode=ro",))

# What the queries below need of both sides, under short names. `intervals` has what the recording says a slice is drawn for.
db.executescript(f"""
CREATE TEMP VIEW this AS SELECT r.*, l.engines, l.cores FROM r.run r JOIN r.platform l USING (platform_id)
    WHERE run_id = {run};
CREATE TEMP VIEW drawn AS SELECT s.*, t.name AS place, p.name AS above,
    (SELECT int_value FROM args a WHERE a.arg_set_id = s.arg_set_id AND key = 'debug.job') AS job,
    (SELECT int_value FROM args a WHERE a.arg_set_id = s.arg_set_id AND key = 'debug.segment') AS segment
    FROM slice s JOIN track t ON t.id = s.track_id LEFT JOIN track p ON p.id = t.parent_id;
CREATE TEMP TABLE waits AS SELECT task_id, seq, segment_idx, resource, ready_ns AS start_ns, min(start_ns) AS end_ns
    FROM r.segment_interval WHERE run_id = {run} AND kind = 'run' GROUP BY task_id, seq, segment_idx
    HAVING min(start_ns) > ready_ns;
CREATE TEMP TABLE intervals AS
    SELECT 'job' AS category, t.name AS place, task_id, seq, NULL AS segment, '' AS suffix, release_ns AS start_ns,
        max(release_ns, coalesce(finish_ns, (SELECT stop_ns FROM this))) AS end_ns, NULL AS sms, NULL AS ended
        FROM r.job JOIN r.task t USING (task_id) WHERE run_id = {run}
    UNION ALL SELECT CASE resource WHEN 'gpu' THEN 'kernel' WHEN 'copy' THEN 'copy' ELSE
            CASE kind WHEN 'run' THEN 'cpu' ELSE kind END END,
        CASE resource WHEN 'gpu' THEN t.name
            WHEN 'cpu' THEN iif((SELECT cores FROM this) > 1, 'CPU core ' || unit, 'CPU')
            ELSE iif((SELECT engines FROM this), 'copy engine ' || unit, 'copies') END,
        task_id, seq, segment_idx, iif(kind = 'run', '', ' ' || kind), start_ns, end_ns, granted, nullif(ended, 'done')
        FROM r.segment_interval JOIN r.task t USING (task_id) WHERE run_id = {run}
    UNION ALL SELECT 'block', coalesce('SM ' || sm, 'all SMs'), task_id, seq, segment_idx, '', start_ns, end_ns,
        NULL, nullif(ended, 'done') FROM r.block_interval WHERE run_id = {run}
    UNION ALL SELECT 'wait', 'waiting for ' || CASE resource WHEN 'cpu' THEN 'the CPU' WHEN 'gpu' THEN 'the GPU'
        ELSE 'a copy engine' END, task_id, seq, segment_idx, '', start_ns, end_ns, NULL, NULL FROM waits
    UNION ALL SELECT 'mark', t.name || ': releases, deadlines', task_id, seq, NULL, what, at, at, NULL, NULL FROM (
        SELECT task_id, seq, 'release' AS what, release_ns AS at FROM r.job WHERE run_id = {run}
        UNION ALL SELECT task_id, seq, 'deadline', abs_deadline_ns FROM r.job WHERE run_id = {run}
        UNION ALL SELECT task_id, seq, 'MISS', abs_deadline_ns FROM r.job WHERE run_id = {run} AND missed)
        JOIN r.task t USING (task_id) WHERE at >= {start} AND at < {stop};
CREATE TEMP VIEW wanted AS SELECT i.*, t.name || ' #' || seq || suffix AS name FROM intervals i JOIN r.task t USING (task_id)
    WHERE start_ns < {stop} AND (end_ns > {start} OR start_ns >= {start});
""")


def ask(sql):
    return [tuple(row) for row in db.execute(sql)]


def same(what, drawn, recorded):
    """Both queries must give the same rows. Returns them."""
    found, expected = ask(drawn), ask(recorded)
    for where, rows in (("the trace", Counter(found) - Counter(expected)), ("the recording", Counter(expected) - Counter(found))):
        for row, times in sorted(rows.items(), key=str)[:3]:
            wrong.append(f"{what}, {times} only in {where}: {row}")
    return found


# --- slices: number, time, first and last instant, jobs, by kind, place and name's task ----------------------------------

same("slices of a place", """SELECT category, place, count(*), sum(dur), min(ts), max(ts + dur), sum(job), sum(segment) FROM drawn
    GROUP BY category, place""", """SELECT category, place, count(*), sum(end_ns - start_ns), min(start_ns), max(end_ns),
    sum(seq), sum(segment) FROM wanted GROUP BY category, place""")
same("slices of a job", """SELECT category, iif(category = 'mark', '#' || job || name, name), count(*), sum(dur), min(ts),
        max(ts + dur) FROM drawn GROUP BY 1, 2""",
     """SELECT category, iif(category = 'mark', '#' || seq || suffix, name), count(*), sum(end_ns - start_ns), min(start_ns),
        max(end_ns) FROM wanted GROUP BY 1, 2""")
same("how slices ended", """SELECT category, string_value, count(*) FROM drawn JOIN args USING (arg_set_id)
    WHERE key = 'debug.ended' GROUP BY 1, 2""",
     "SELECT category, ended, count(*) FROM wanted WHERE ended IS NOT NULL GROUP BY 1, 2")
same("SMs granted", "SELECT sum(int_value), count(*) FROM args WHERE key = 'debug.sms'",
     "SELECT sum(sms), count(sms) FROM wanted")
same("slices inside others", "SELECT count(*) FROM slice WHERE depth > 0", "SELECT 0")
same("slices of a track that overlap", """SELECT count(*) FROM (SELECT ts < lag(ts + dur) OVER (PARTITION BY track_id
    ORDER BY ts, id) AS over FROM slice) WHERE over""", "SELECT 0")
same("colours of a job", "SELECT count(*) FROM (SELECT 1 FROM drawn WHERE category <> 'mark' GROUP BY correlation"
     " HAVING count(DISTINCT replace(replace(name, ' spin', ''), ' boost', '')) > 1)", "SELECT 0")

# --- flows: the segments of a job in order, each to its next one -----------------------------------------------------------

same("flows", """SELECT a.name, a.category, a.segment, a.ts, a.dur, b.category, b.segment, b.ts, b.dur
    FROM flow f JOIN drawn a ON a.id = f.slice_out JOIN drawn b ON b.id = f.slice_in""",
     """SELECT * FROM (SELECT name, category, segment, start_ns, end_ns - start_ns AS dur, lead(category) OVER w AS next,
        lead(segment) OVER w, lead(start_ns) OVER w, lead(end_ns - start_ns) OVER w
        FROM wanted WHERE category IN ('cpu', 'copy', 'kernel')
        WINDOW w AS (PARTITION BY task_id, seq ORDER BY start_ns, end_ns, segment)) WHERE next IS NOT NULL""")
same("flows that go back or to another job", """SELECT count(*) FROM flow JOIN drawn a ON a.id = slice_out
    JOIN drawn b ON b.id = slice_in WHERE a.ts + a.dur > b.ts OR a.segment > b.segment OR a.name <> b.name""", "SELECT 0")

# --- counters: their integral over the run or the window ------------------------------------------------------------------


def clipped(columns, source, weight="1"):
    """The time of the rows in the window, times their weight; nothing if that is 0."""
    total = f"sum({weight} * max(0, min(end_ns, {stop}) - max(start_ns, {start})))"
    return f"SELECT {columns}, {total} AS total FROM {source} HAVING total <> 0"


level = ask("SELECT record FROM this")[0][0]
expected = ["SELECT '' AS name, 0 AS total WHERE 0"]
if level != "jobs":
    expected.append(clipped("""CASE resource WHEN 'cpu' THEN 'CPU queue' WHEN 'gpu' THEN 'GPU queue' ELSE 'copy queue' END
        AS name""", "waits GROUP BY name"))
    # Of a whole run: the energy that it says of itself, to the integer.
    expected.append(f"""SELECT 'GPU power', energy_uj * 1000000000 + energy_rest_uwns AS total FROM this
        WHERE total > 0 AND EXISTS (SELECT 1 FROM r.power_interval WHERE run_id = {run})"""
                    if whole else clipped("'GPU power'", f"r.power_interval WHERE run_id = {run}", "power_uw"))
if level not in ("jobs", "segments"):
    expected.append(clipped("'threads on the GPU'", f"r.block_interval WHERE run_id = {run}", "threads"))
    # An SM is active while at least one block is on it: what a block adds to those that began before it.
    expected.append(clipped("'active SMs'", f"""(SELECT end_ns, max(start_ns, coalesce(max(end_ns) OVER (PARTITION BY sm
        ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS start_ns
        FROM r.block_interval WHERE run_id = {run} AND sm IS NOT NULL)"""))
counters = same("counters integrate to", f"""SELECT name, sum(value * (until - ts)) AS total FROM (SELECT name, ts,
    CAST(round(iif(unit = 'W', value * 1e6, value)) AS INTEGER) AS value,
    lead(ts, 1, max(ts, min({stop}, (SELECT stop_ns FROM this)))) OVER (PARTITION BY track_id ORDER BY ts) AS until
    FROM counter c JOIN track ON track.id = track_id) GROUP BY name HAVING total <> 0""", " UNION ALL ".join(expected))

for line in wrong[:12]:
    print("# " + line)
kinds = ", ".join(f"{n} {kind}" for kind, n in ask("SELECT category, count(*) FROM slice GROUP BY 1 ORDER BY 1"))
print(f"{kinds}; {ask('SELECT count(*) FROM flow')[0][0]} flows; {ask('SELECT count(*) FROM counter')[0][0]} counts;"
      f" {', '.join(f'{name} {total}' for name, total in counters)}")
sys.exit(bool(wrong))
