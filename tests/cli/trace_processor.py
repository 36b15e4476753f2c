# tests/cli/trace_processor.py FOLDER FILE.pftrace... - asks Perfetto's trace processor (trace_processor.mjs) and our decoder
# (trace_tables.py) for all slices, flows, counts and numbers of slices of a trace, and compares the answers row by row.
# Prints what differs and ends with status 1, or prints the counts. Run by hand: docs/trace.md, "How it is tested".
import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter

from trace_tables import load

# The same SQL for both. Marks of one instant are instants inside of each other there: their depth is left out.
QUERIES = {
    "slices": """SELECT s.ts, s.dur, s.name, s.category, iif(s.category = 'mark', 0, s.depth) AS depth, t.name AS track,
        p.name AS above FROM slice s JOIN track t ON t.id = s.track_id LEFT JOIN track p ON p.id = t.parent_id""",
    "flows": """SELECT a.name AS a_name, a.category AS a_category, a.ts AS a_ts, a.dur AS a_dur, b.name AS b_name,
        b.category AS b_category, b.ts AS b_ts, b.dur AS b_dur FROM flow f JOIN slice a ON a.id = f.slice_out
        JOIN slice b ON b.id = f.slice_in""",
    "counts": "SELECT t.name, t.unit, c.ts, c.value + 0.0 AS value FROM counter c JOIN counter_track t ON t.id = c.track_id",
    "numbers of slices": """SELECT s.ts, s.dur, s.name, s.category, a.key, a.int_value, a.string_value
        FROM slice s JOIN args a ON a.arg_set_id = s.arg_set_id WHERE a.key LIKE 'debug.%'""",
}
COMPLAINTS = "SELECT name, severity, value FROM stats WHERE value <> 0 AND severity <> 'info'"
wrong = 0


def rows(answer):
    return Counter(tuple(sorted(row.items(), key=str)) for row in answer)


for trace in sys.argv[2:]:
    driver = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace_processor.mjs")
    said = subprocess.run(["node", driver, sys.argv[1], trace, *QUERIES.values(), COMPLAINTS], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    answers = [json.loads(line) for line in said.splitlines() if line.startswith("[")]
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    load(trace, db)
    db.execute("CREATE VIEW counter_track AS SELECT * FROM track WHERE is_counter")
    for complaint in answers.pop():
        print(f"# {trace}: {complaint}")
        wrong += 1
    for (what, sql), answer in zip(QUERIES.items(), answers, strict=True):
        theirs, ours = rows(answer), rows(dict(row) for row in db.execute(sql))
        print(f"{trace}: {sum(theirs.values())} {what}")
        for who, only in (("the trace processor", theirs - ours), ("trace_tables.py", ours - theirs)):
            for row, times in list(only.items())[:2]:
                print(f"# {times} only in {who}: {row}")
            wrong += len(only)
sys.exit(bool(wrong))
