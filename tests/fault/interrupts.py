#!/usr/bin/env python3
"""tests/fault/interrupts.py [MOMENTS] - SIGINT and SIGTERM end every verb within a second, at random moments of work that
takes long, with status 130; nothing unfinished is left, under the final name or another, and no process.

A second is one of processor time, of the command and its children, since the signal, as the machine may be busy; or of the
clock, if they use more than that. What is
completed because it is kept (recordings of runs that have ended) is made small here."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cases import SOURCES  # noqa: E402

CEGSIM = os.path.abspath(os.environ["CEGSIM"])
BUILD = os.environ["CEGSIM_BUILD_ROOT"]
MOST_SECONDS = 1.0
LONGEST_WAIT = 60.0
LOOPS_BY_THEN = 1.0  # s of processor time: what comes before takes a tenth

LONG = """cegsim: 1
name: long
time_unit: ms
horizon: HORIZON
stop: horizon
platform: {gpu: {sms: 8, threads_per_sm: 2048}, copy: {engines: 2}}
tasks:
  - {name: A, period: 4, segments: [{cpu: 0.1}, {copy: to_gpu, time: 0.5}, {kernel: {grid: 16, block: 256, block_time: [0.1, 0.4]}}, {copy: to_cpu, time: 0.2}, {cpu: 0.1}]}
  - {name: B, period: 5, offset: 2, segments: [{cpu: 0.1}, {copy: to_cpu, time: 0.1}, {kernel: {grid: 20, block: 256, block_time: 0.4}}, {copy: to_cpu, time: 0.1}]}
  - {name: D, period: 10, offset: 1, segments: [{cpu: 0.3}, {kernel: {grid: 30, block: 32, block_time: 0.1}}]}
policies: [fifo-cke, rm]
record: blocks
"""
CAMPAIGN = """cegsim-campaign: 1
seed: 3
sets: 20
generate: {recipe: custom, tasks: 3, utilisation: [30%, 60%]}
platforms: [{preset: jetson-tx2}]
policies: [fifo-cke, rm]
run: {horizon: HORIZON, stop: horizon}
"""
WARPS = """cegsim: 1
horizon: 1s
platform: {gpu: {sms: 4}}
warp: {kernels: [{name: A, blocks: 1000000, block_threads: 256, program: [{compute: {count: 10000}}]}]}
policies: [gto]
"""
LOOPS = """#include <cegsim.h>
static void decide(struct gate *gate, void *state)
{
	(void)gate;
	for (volatile long *count = state;; ++*count)
		;
}
static long count;
static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->unit = GATE_SECTION;
	plan->decide = decide;
	plan->state = &count;
	return true;
}
static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
"""
# The same, with a loop that is elsewhere now and then, and with one at another place.
LOOPS_IN = {
    "allocates": LOOPS.replace("#include", "#include <stdlib.h>\n#include", 1).replace(
        "\t\t;", "\t\tif (*count % 100 == 0)\n\t\t\tfree(malloc(100));"),
    "plans": LOOPS.replace("\tplan->unit", "\tfor (volatile long *at = &count;; ++*at)\n\t\t;\n\tplan->unit"),
}
BOUNDS = """#include <cegsim_analysis.h>
static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	(void)plan, (void)params, (void)arena, (void)result, (void)err;
	for (volatile long count = 0;; ++count)
		;
}
static const struct analysis mine = {.name = "mine", .summary = "a test", .source = "a test", .assumptions = "None.",
	.version = 1, .policies = "rm|fifo-cke", .bound = bound};
CEGSIM_ANALYSIS(mine);
"""
HEAVY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@dataclass
class Verb:
    name: str
    command: list
    inputs: list
    kept: list = field(default_factory=list)  # files that may be there afterwards: they are complete
    moment: float = 1.0                       # the signal comes within so many seconds
    done: bool = False                        # it may have come to its end before
    keeps: str = ""                           # that has ended when the signal comes, and is in out.db: "policy, ..."


VERBS = [
    Verb("run", ["run", "endless.yaml", "-q"], ["endless.yaml"]),
    Verb("run -o", ["run", "short.yaml", "endless.yaml", "-o", "out.db", "-q"], ["short.yaml", "endless.yaml"], ["out.db"]),
    Verb("run, a plug-in that loops", ["run", "short.yaml", "-p", "./loops.so", "-o", "out.db"], ["short.yaml", "loops.so"], ["out.db"]),
    *[Verb(f"run, a plug-in that {loops} behind a run that has ended",
           ["run", "short.yaml", "-p", "rm", "-p", f"./{loops}.so", "-o", "out.db"], ["short.yaml", f"{loops}.so"], ["out.db"], keeps="rm")
      for loops in ("loops", "allocates", "plans")],
    Verb("run, an analysis that loops behind runs that have ended", ["run", "bounds.yaml", "-o", "out.db"], ["bounds.yaml", "bounds.so"],
         ["out.db"], keeps="fifo-cke,rm"),
    Verb("run FILE.db", ["run", "big.db", "-q"], ["big.db"], done=True),
    Verb("gen", ["gen", "custom", "-n", "100000000", "-o", "out.db"], []),
    Verb("sweep", ["sweep", "endless-c.yaml", "-o", "out.db", "-j", "2", "-q"], ["endless-c.yaml"], ["out.db.parts/"]),
    Verb("sweep of short sets", ["sweep", "c.yaml", "-o", "out.db", "-j", "2", "-q"], ["c.yaml"], ["out.db", "out.db.parts/"], done=True),
    Verb("sweep, a plug-in that loops", ["sweep", "loops-c.yaml", "-o", "out.db", "-j", "2"], ["loops-c.yaml", "loops.so"], ["out.db.parts/"]),
    Verb("sweep --units", ["sweep", "share0.db", "--units", "0..9", "-o", "out.db", "-j", "2", "-q"], ["share0.db"], ["out.db", "out.db.parts/"],
         done=True),
    Verb("merge --digest", ["merge", "--digest", "big.db"], ["big.db"], done=True),
    Verb("merge", ["merge", "share0.db", "share1.db", "-o", "out.db"], ["share0.db", "share1.db"], ["out.db"], 0.3, True),
    Verb("analyze, a program that hangs", ["analyze", "short.yaml", "-p", "rm", "-a", "pipe:sleep 1000", "-o", "out.db"], ["short.yaml"]),
    Verb("validate, a program that hangs", ["validate", "big.db", "-a", "pipe:sleep 1000"], ["big.db"]),
    Verb("search", ["search", "short.yaml", "-o", "found.yaml", "--budget", "1000000000", "-j", "2", "-q"], ["short.yaml"], ["found.yaml", "found.csv"]),
    Verb("search, a plug-in that loops", ["search", "short.yaml", "-p", "./loops.so", "-j", "2", "-q"], ["short.yaml", "loops.so"]),
    Verb("replay", ["replay", "big.json"], ["big.json"], done=True),
    Verb("replay -o", ["replay", "big.json", "-o", "out.db", "-q"], ["big.json"], ["out.db"], done=True),
    Verb("import", ["import", "big.json", "-o", "out.yaml"], ["big.json"], ["out.yaml", "out.csv", "out.samples.csv"], done=True),
    Verb("import of a kernel trace", ["import", "big.traceg", "-o", "out.yaml"], ["big.traceg"], ["out.yaml"], 0.2, True),
    Verb("calibrate", ["calibrate", "w.yaml", "-o", "out.yaml"], ["w.yaml"]),
    Verb("calibrate --plot", ["calibrate", "w.yaml", "--plot", "out.svg"], ["w.yaml"]),
    Verb("audit", ["audit", "big.db"], ["big.db"], done=True),
    Verb("query", ["query", "big.db", HEAVY], ["big.db"]),
    Verb("query of a view", ["query", "big.db", "SELECT * FROM v_utilisation a, v_utilisation b, v_utilisation c"], ["big.db"], done=True),
    Verb("plot", ["plot", "big.db", "gantt", "-P", "from=0ms", "-P", "to=4s", "-o", "out.svg"], ["big.db"], ["out.svg"], done=True),
    Verb("plot of a heavy query", ["plot", "big.db", "SELECT 'a' AS \"group\", (" + HEAVY + ") AS y", "--chart", "bars", "-o", "out.svg"], ["big.db"]),
    Verb("trace", ["trace", "big.db", "-o", "out.pftrace"], ["big.db"], ["out.pftrace"], done=True),
    Verb("view", ["view", "big.db", "-o", "out.html", "-q"], ["big.db"], ["out.html"], done=True),
    Verb("list", ["list", "policies", "-v"], [], moment=0.02, done=True),
    Verb("schema", ["schema"], [], moment=0.02, done=True),
]


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def write_profile(path, kernels):
    """A trace as PyTorch's profiler writes it, of launches one after the other."""
    events = []
    for i in range(kernels):
        at = 20 * i
        events.append(f'{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{at},"dur":5,"args":{{"correlation":{i + 1}}}}}')
        events.append(f'{{"ph":"X","cat":"kernel","name":"k{i % 7}","pid":0,"tid":7,"ts":{at + 6},"dur":10,"args":{{"correlation":{i + 1},"device":0,'
                      f'"stream":7,"context":1,"grid":[4,1,1],"block":[128,1,1],"registers per thread":32,"shared memory":0}}}}')
    device = ('{"id":0,"name":"Test GPU","totalGlobalMem":8000000000,"computeMajor":7,"computeMinor":0,"maxThreadsPerBlock":1024,'
              '"maxThreadsPerMultiprocessor":2048,"regsPerBlock":65536,"regsPerMultiprocessor":65536,"warpSize":32,'
              '"sharedMemPerBlock":49152,"sharedMemPerMultiprocessor":98304,"numSms":80,"sharedMemPerBlockOptin":98304}')
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'{{"schemaVersion":1,"deviceProperties":[{device}],"traceEvents":[\n' + ",\n".join(events) + "\n]}\n")


def write_kernel_trace(path, blocks):
    """The first block of a small trace, again and again."""
    with open(os.path.join(SOURCES, "tests", "data", "traces", "kernel-1.traceg"), encoding="utf-8") as f:
        head, block = f.read().split("#END_TB")[0].split("#BEGIN_TB")
    with open(path, "w", encoding="utf-8") as f:
        f.write(head.replace("grid dim = (2,1,1)", f"grid dim = ({blocks},1,1)"))
        for b in range(blocks):
            f.write("#BEGIN_TB" + block.replace("thread block = 0,0,0", f"thread block = {b},0,0") + "#END_TB\n\n")


def make_inputs(folder):
    def run(*arguments):
        subprocess.run([CEGSIM, *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=True)

    write(folder, "endless.yaml", LONG.replace("HORIZON", "1000000000000"))
    write(folder, "short.yaml", LONG.replace("HORIZON", "100").replace("name: long", "name: short"))
    write(folder, "long.yaml", LONG.replace("HORIZON", "15000"))
    write(folder, "endless-c.yaml", CAMPAIGN.replace("HORIZON", "200000000s"))
    write(folder, "c.yaml", CAMPAIGN.replace("HORIZON", "400s"))
    write(folder, "loops-c.yaml", CAMPAIGN.replace("HORIZON", "400s").replace("fifo-cke, rm", "./loops.so"))
    write(folder, "w.yaml", WARPS)
    write(folder, "bounds.yaml", LONG.replace("HORIZON", "100") + "analyses: [./bounds.so]\n")
    sources = {"loops": LOOPS, "bounds": BOUNDS, **LOOPS_IN}
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--tags", "devel", "--destdir", f"{folder}/root"],
                   stdout=subprocess.DEVNULL, check=True)
    headers = [d for d, _, names in os.walk(f"{folder}/root") if "cegsim.h" in names]
    for name, source in sources.items():
        write(folder, f"{name}.c", source)
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O2", "-fno-builtin-malloc", *[f"-I{d}" for d in headers],
                        "-o", f"{name}.so", f"{name}.c"], cwd=folder, check=True)
    run("run", "long.yaml", "-o", "big.db", "-q")
    for share in range(2):
        run("sweep", "c.yaml", "--shard", f"{share}/2", "-o", f"share{share}.db", "-j", "2", "-q")
    write_profile(os.path.join(folder, "big.json"), 60000)
    write_kernel_trace(os.path.join(folder, "big.traceg"), 8000)


def processor_seconds(pid):
    """Of a process and of its children that live; those that have ended count in the process."""
    total = 0.0
    for one in [pid, *children(pid)]:
        try:
            with open(f"/proc/{one}/stat", encoding="ascii") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            total += sum(int(x) for x in fields[11:15]) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            pass
    return total


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(x) for x in f.read().split()]
    except OSError:
        return []


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def interrupt(verb, inputs, scratch, number, delay):
    """(seconds of processor time, seconds, what was wrong)"""
    folder = tempfile.mkdtemp(dir=scratch)
    for name in verb.inputs:
        os.link(os.path.join(inputs, name), os.path.join(folder, name))
    with open(os.path.join(scratch, "err"), "w+b") as err:
        process = subprocess.Popen([CEGSIM, *verb.command], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=err, start_new_session=True)
        time.sleep(delay)
        while verb.keeps and processor_seconds(process.pid) < LOOPS_BY_THEN and alive(process.pid):
            time.sleep(0.01)
        began, others, used = time.monotonic(), children(process.pid), processor_seconds(process.pid)
        os.kill(process.pid, number)
        end = os.wait4(process.pid, 0) if wait_for(process.pid) else (0, -1, None)
        seconds = time.monotonic() - began
        err.seek(0)
        said = err.read().decode(errors="replace").strip()
    bad = ""
    if end[1] == -1:
        os.killpg(process.pid, signal.SIGKILL)
        os.wait4(process.pid, 0)
        bad = f"has not ended after {LONGEST_WAIT} s"
        cpu = seconds
    else:
        status = os.waitstatus_to_exitcode(end[1])
        cpu = end[2].ru_utime + end[2].ru_stime - used
        # Before main() has begun, a signal does what it does by itself; shells call that 130, too.
        early = status == -number and used < 0.05
        if status != 130 and not early and not (verb.done and status in (0, 1)):
            bad = f"status {status}: {said[-200:]}"
    process.returncode = 0
    time.sleep(0.05)
    left = [f for f in sorted(os.path.relpath(os.path.join(d, n), folder) for d, _, names in os.walk(folder) for n in names)
            if f not in verb.inputs and not any(f == k or (k.endswith("/") and f.startswith(k)) for k in verb.kept)]
    if not bad and left:
        bad = f"leaves {left}"
    if not bad and any(alive(p) for p in others):
        bad = "leaves processes"
    if not bad and os.path.exists(os.path.join(folder, "out.db")):
        query = subprocess.run([CEGSIM, "audit", "out.db"], cwd=folder, capture_output=True, check=False)
        if query.returncode != 0:
            bad = f"leaves a recording that the audit does not like: {query.stdout[-200:]}{query.stderr[-200:]}"
    if not bad and verb.keeps:
        query = subprocess.run([CEGSIM, "query", "out.db", "SELECT group_concat(policy) FROM (SELECT policy FROM v_run ORDER BY 1)",
                                "--format", "csv"], cwd=folder, capture_output=True, check=False, text=True)
        kept = query.stdout.splitlines()[1:]
        if kept not in ([verb.keeps], [f'"{verb.keeps}"']):
            bad = f"keeps {kept} instead of {verb.keeps}: {said[-200:]} {query.stderr[-200:]}"
    if not bad and min(cpu, seconds) > MOST_SECONDS:  # several processes use more than passes
        bad = f"takes {cpu:.2f} s of processor time, {seconds:.2f} s"
    shutil.rmtree(folder)
    return max(cpu, 0.0), seconds, bad


def broken_pipe(command, name, inputs, scratch):
    """What is wrong with a command whose output nobody reads any more; "": it ends by SIGPIPE and leaves nothing."""
    folder = tempfile.mkdtemp(dir=scratch)
    for one in inputs:
        os.link(os.path.join(name, one), os.path.join(folder, one))
    get, put = os.pipe()
    os.close(get)
    done = subprocess.run([CEGSIM, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=put, stderr=subprocess.PIPE,
                          check=False, timeout=LONGEST_WAIT)
    os.close(put)
    left = [f for f in os.listdir(folder) if f not in inputs]
    if done.returncode != -signal.SIGPIPE:
        return f"status {done.returncode}: {done.stderr[-200:]}"
    return f"leaves {left}" if left else ""


def wait_for(pid):
    until = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < until:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return True
        time.sleep(0.005)
    return False


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it, and so
    # would the commands
    moments = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    names = sys.argv[2:]
    seed = int.from_bytes(os.urandom(4), "little")
    draw = random.Random(seed)
    bad_verbs = 0
    verbs = [v for v in VERBS if not names or v.name in names]
    with tempfile.TemporaryDirectory() as scratch:
        inputs = os.path.join(scratch, "inputs")
        os.mkdir(inputs)
        make_inputs(inputs)
        count = 0
        for count, verb in enumerate(verbs, 1):
            ends = []
            for i in range(moments):
                delay = draw.random() * verb.moment
                ends.append(interrupt(verb, inputs, scratch, (signal.SIGINT, signal.SIGTERM)[i % 2], delay))
                if ends[-1][2]:
                    print(f"# after {delay:.3f} s: {ends[-1][2]}")
            bad = any(e[2] for e in ends)
            bad_verbs += bad
            print(f"{'not ' if bad else ''}ok {count} - {verb.name}: {moments} signals, at most {max(e[0] for e in ends):.2f} s "
                  f"of processor time, {max(e[1] for e in ends):.2f} s", flush=True)
        for command in (["gen", "custom", "-n", "20000", "-o", "out.db"], ["query", "big.db", "SELECT * FROM job"]):
            count += 1
            bad = broken_pipe(command, inputs, [f for f in command if f == "big.db"], scratch)
            bad_verbs += bool(bad)
            print(f"{'not ' if bad else ''}ok {count} - {command[0]}: into a pipe that nobody reads" + (f", {bad}" if bad else ""))
    print(f"# seed {seed}\n1..{count}")
    return 1 if bad_verbs else 0


if __name__ == "__main__":
    sys.exit(main())
