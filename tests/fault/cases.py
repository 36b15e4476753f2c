"""tests/fault/cases.py - every verb on small inputs: what fail_each.py and kills.py make go wrong."""
import os
import shutil
import subprocess
from dataclasses import dataclass, field

SOURCES = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

SCENARIO = """cegsim: 1
name: small
time_unit: ms
horizon: 40
platform: {gpu: {sms: 4, threads_per_sm: 1024}, copy: {engines: 1}}
tasks:
  - {name: A, period: 10, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {grid: 2, block: 32, block_time: [1, 2]}}, {cpu: 1}]}
  - {name: B, period: 20, segments: [{cpu: 2}, {kernel: {grid: 3, block: 64, block_time: 2}}, {cpu: 1}]}
policies: [fcfs, stgm]
record: blocks
"""
CAMPAIGN = """cegsim-campaign: 1
seed: 3
sets: 2
generate: {recipe: custom, tasks: 2, utilisation: [30%, 60%]}
platforms: [{preset: jetson-tx2}]
policies: [stgm]
analyses: [stgm]
run: {horizon: 1s, stop: horizon}
detail: {record: jobs, when: first-miss, sets: [1]}
"""
WARPS = """cegsim: 1
name: busy
horizon: 1ms
platform: {gpu: {sms: 2, threads_per_sm: 64}}
warp:
  sub_cores: 1
  kernels:
    - {name: A, blocks: 1, block_threads: 32, program: [{compute: {count: 100}}]}
policies: [gto]
"""
BOUNDS = "set,task,bound_ns\n1,A,1000000\n1,B,20000000\n"  # A exceeds its
OWN = """import cegsim_bound
cegsim_bound.answer(lambda question: [t["deadline"] for t in question["tasks"]])
"""
CHART = "SELECT policy AS 'group', jobs AS y FROM v_run"


@dataclass
class Case:
    """A command; `files` are those that it makes, or changes if they are among its inputs."""
    name: str
    command: list
    inputs: list
    files: list = field(default_factory=list)
    again: list = None                        # the command after a failure, if it is another one
    kept: list = field(default_factory=list)  # how names begin that may stay after a failure


CASES = [
    Case("run", ["run", "s.yaml", "-q"], ["s.yaml"]),
    Case("run-o", ["run", "s.yaml", "-o", "out.db", "-q"], ["s.yaml"], ["out.db"]),
    Case("run-sqlite", ["run", "s.yaml", "-o", "out.db", "--writer", "sqlite", "-q"], ["s.yaml"], ["out.db"]),
    Case("run-again", ["run", "rec.db", "-q"], ["rec.db"]),
    Case("run-warps", ["run", "w.yaml", "-o", "out.db", "-q"], ["w.yaml"], ["out.db"]),
    Case("gen", ["gen", "custom", "-n", "2"], []),
    Case("gen-o", ["gen", "custom", "-n", "2", "-o", "out.db"], [], ["out.db"]),
    Case("sweep", ["sweep", "c.yaml", "-o", "out.db", "-j", "2", "-q"], ["c.yaml"], ["out.db"],
         ["sweep", "c.yaml", "-o", "out.db", "-j", "2", "-q", "--resume"], ["out.db.parts/"]),
    Case("sweep-units", ["sweep", "share0.db", "--units", "0..1", "-o", "out.db", "-j", "2", "-q"], ["share0.db"],
         ["out.db"], ["sweep", "share0.db", "--units", "0..1", "-o", "out.db", "-j", "2", "-q", "--resume"], ["out.db.parts/"]),
    Case("merge", ["merge", "share0.db", "share1.db", "-o", "out.db"], ["share0.db", "share1.db"], ["out.db"]),
    Case("merge-sqlite", ["merge", "share0.db", "share1.db", "-o", "out.db", "--writer", "sqlite"], ["share0.db", "share1.db"],
         ["out.db"]),
    Case("merge-digest", ["merge", "--digest", "share0.db", "share1.db"], ["share0.db", "share1.db"]),
    Case("merge-acceptance", ["merge", "--acceptance", "share0.db", "share1.db"], ["share0.db", "share1.db"]),
    Case("analyze", ["analyze", "s.yaml", "-o", "out.db"], ["s.yaml"], ["out.db"]),
    Case("analyze-db", ["analyze", "rec.db", "-p", "stgm"], ["rec.db"], ["rec.db"]),
    Case("analyze-own", ["analyze", "s.yaml", "-a", "pipe:python3 own.py", "-o", "out.db"], ["s.yaml", "own.py", "cegsim_bound.py"],
         ["out.db"]),
    Case("analyze-bounds", ["analyze", "rec.db", "--bounds", "bounds.csv"], ["rec.db", "bounds.csv"], ["rec.db"]),
    Case("validate", ["validate", "rec.db"], ["rec.db"]),
    Case("validate-bounds", ["validate", "rec.db", "--bounds", "bounds.csv"], ["rec.db", "bounds.csv"]),
    Case("validate-shrink", ["validate", "over.db", "-a", "stgm:blocking=textbook", "--shrink", "-o", "small.yaml"],
         ["over.db"], ["small.yaml", "small.csv"]),
    Case("search", ["search", "s.yaml", "-p", "stgm", "-o", "found.yaml", "--budget", "40", "-j", "2", "-q"], ["s.yaml"],
         ["found.yaml", "found.csv"]),
    Case("search-db", ["search", "rec.db", "-o", "found", "--budget", "20", "-j", "2", "-q"], ["rec.db"], []),
    Case("replay", ["replay", "log1.json", "log2.json", "log3.json", "-q"], ["log1.json", "log2.json", "log3.json"]),
    Case("replay-o", ["replay", "drive.sqlite", "-o", "out.db", "-q"], ["drive.sqlite"], ["out.db"]),
    Case("import", ["import", "drive.sqlite", "-o", "out.yaml"], ["drive.sqlite"], ["out.yaml", "out.csv", "out.samples.csv"]),
    Case("import-trace", ["import", "kernel-1.traceg", "-o", "out.yaml"], ["kernel-1.traceg"], ["out.yaml"]),
    Case("import-store", ["import", "drive.sqlite", "--compare", "drive.db", "--store"], ["drive.sqlite", "drive.db"],
         ["drive.db"]),
    Case("calibrate", ["calibrate", "w.yaml", "-o", "out.yaml", "--draws", "1", "--sms", "1", "-q"], ["w.yaml"], ["out.yaml"]),
    Case("calibrate-plot", ["calibrate", "w.yaml", "--plot", "out.svg", "--draws", "1", "--sms", "1..2", "-q"], ["w.yaml"],
         ["out.svg"]),
    Case("audit", ["audit", "rec.db"], ["rec.db"]),
    Case("query", ["query", "rec.db", "@response"], ["rec.db"]),
    Case("query-width", ["query", "rec.db", "SELECT * FROM v_job", "--width", "60"], ["rec.db"]),
    Case("query-records", ["query", "rec.db", "SELECT * FROM v_job", "--format", "records"], ["rec.db"]),
    Case("query-describe", ["query", "--describe", "rec.db", "@response", "--width", "60"], ["rec.db"]),
    Case("plot", ["plot", "rec.db", "gantt", "-o", "out.svg"], ["rec.db"], ["out.svg"]),
    Case("plot-pdf", ["plot", "rec.db", CHART, "--chart", "bars", "-o", "out.pdf", "--script", "out.gp"], ["rec.db"],
         ["out.pdf", "out.gp"]),
    Case("trace", ["trace", "rec.db", "-o", "out.pftrace"], ["rec.db"], ["out.pftrace"]),
    Case("view", ["view", "rec.db", "-o", "out.html", "-q"], ["rec.db"], ["out.html"]),
    Case("list", ["list", "policies", "-v"], []),
    Case("list-markdown", ["list", "policies", "--format", "markdown"], []),
    Case("schema", ["schema"], []),
    Case("schema-keys", ["schema", "--keys"], []),
]


def make_inputs(cegsim, folder):
    """Writes the inputs of all cases."""
    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)

    def run(*arguments):
        subprocess.run([cegsim, *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=True)

    write("s.yaml", SCENARIO)
    write("c.yaml", CAMPAIGN)
    write("w.yaml", WARPS)
    write("bounds.csv", BOUNDS)
    write("own.py", OWN)
    run("run", "s.yaml", "-o", "rec.db", "-q")
    for share in range(2):
        run("sweep", "c.yaml", "--shard", f"{share}/2", "-o", f"share{share}.db", "-j", "1", "-q")
    for n in range(1, 4):
        shutil.copy(os.path.join(SOURCES, "tests", "data", "replay", f"head_of_line_{n}.json"), os.path.join(folder, f"log{n}.json"))
    shutil.copy(os.path.join(SOURCES, "tests", "data", "traces", "kernel-1.traceg"), folder)
    shutil.copy(os.path.join(SOURCES, "scenarios", "examples", "drive.sqlite"), folder)
    shutil.copy(os.path.join(SOURCES, "contrib", "python", "cegsim_bound.py"), folder)
    run("run", os.path.join(SOURCES, "scenarios", "papers", "stgm-blocking.yaml"), "-o", "over.db", "-q")
    run("import", "drive.sqlite", "-o", "drive.yaml")
    run("run", "drive.yaml", "--record", "segments", "-o", "drive.db", "-q")
