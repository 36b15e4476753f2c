# tests/cli/memory.py - memory does not grow with the length of a run: the peak of the process beside that of a run which
# is twenty times shorter; nor with the ids of a recording, which are renumbered. TAP on standard output. CEGSIM is the
# program.
import os
import sqlite3
import subprocess
import sys
import tempfile

CEGSIM = os.path.abspath(os.environ["CEGSIM"])
SLACK_KIB = 8192

SCENARIO = """cegsim: 1
time_unit: ms
horizon: %s
execution: uniform
platform: {preset: jetson-tx2}
tasks:
  - {name: camera, period: 40, segments: [{cpu: [1, 2]}, {kernel: {grid: 20, block: 512, block_time: [1, 6]}}]}
  - {name: radar, period: 10, deadline: 8, segments: [{cpu: 1}, {kernel: {grid: 4, block: 256, block_time: 2}}]}
policies: [fifo-cke]
"""


def peak(*words):
    """The peak of resident memory of the command and its children, KiB; at least that of this process, some 14 MiB."""
    pid = subprocess.Popen([CEGSIM, *words], stdout=subprocess.DEVNULL).pid
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"cegsim {' '.join(words)} ended with {status}")
    return usage.ru_maxrss


def measure(name, sizes, words):
    peaks = []
    for size in sizes:
        with open(f"{name}-{size}.yaml", "w") as file:
            file.write(SCENARIO % size)
        peaks.append(peak(*(word.format(name=name, size=size) for word in words)))
    return peaks


def renumber(file, kind, add):
    """All ids of that kind become greater, wherever they are."""
    with sqlite3.connect(file) as db:
        columns = db.execute("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
                             " AND (c.name = ?1 OR c.name LIKE '%\\_' || ?1 ESCAPE '\\')", (kind,)).fetchall()
        for table, column in columns:
            db.execute(f'UPDATE "{table}" SET "{column}" = "{column}" + {add}')
    db.close()


def digest(file):
    """(the digest of its content, the peak in KiB)"""
    words = ["merge", "--digest", file, "--format", "csv"]
    text = subprocess.run([CEGSIM, *words], capture_output=True, check=True, text=True).stdout
    return text.splitlines()[1].split(",")[1], peak(*words)


def check_ids(kind):
    """Whether a recording with great ids has the digest of one with small ones, in as much memory."""
    peak("run", "jobs-500s.yaml", "-o", "small.db", "-q", "--force", "--record", "blocks")
    small, least = digest("small.db")
    renumber("small.db", kind, 10000000)
    great, most = digest("small.db")
    print(f"# {kind}: {least} KiB for small ones, {most} for great ones; digests {small}, {great}")
    return small == great and most <= least + SLACK_KIB


IDS = ["task_id", "run_id", "policy_id", "taskset_id"]
RUN = ["run", "{name}-{size}.yaml", "-o", "{name}-{size}.db", "-q"]
CASES = [
    ("run", ("500s", "10000s"), ["run", "{name}-{size}.yaml", "-q"]),
    ("jobs", ("500s", "10000s"), RUN + ["--record", "jobs"]),
    ("blocks", ("50s", "1000s"), RUN + ["--record", "blocks"]),
]

with tempfile.TemporaryDirectory(prefix="cegsim-memory-") as folder:
    os.chdir(folder)
    bad = 0
    print(f"1..{len(CASES) + len(IDS)}")
    for number, (name, sizes, words) in enumerate(CASES, 1):
        short, long = measure(name, sizes, words)
        good = long <= short + SLACK_KIB
        bad += not good
        print(f"# {name}: {short} KiB for {sizes[0]}, {long} for {sizes[1]}")
        print(f"{'ok' if good else 'not ok'} {number} - {name}: memory does not grow with the length of the run")
    for number, kind in enumerate(IDS, len(CASES) + 1):
        good = check_ids(kind)
        bad += not good
        print(f"{'ok' if good else 'not ok'} {number} - {kind}: a digest and its memory do not depend on the size of ids")
    os.chdir("/")
sys.exit(bad > 0)
