# tests/cli/tampers.py tampers|relabels|relabels-long - what `cegsim audit` finds in recordings in which something was
# changed, and in runs that got the label of another policy. TAP on standard output; the comments at its end are the
# figures of docs/audit.md. CEGSIM is the program.
import csv
import io
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from digests import Digests

CEGSIM = os.environ["CEGSIM"]
SOURCES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

DIVISIBLE = open(f"{SOURCES}/scenarios/examples/policies.yaml").read().replace("horizon: 20s", "horizon: 500ms")
QUICKSTART = open(f"{SOURCES}/scenarios/examples/quickstart.yaml").read()
MASKS = open(f"{SOURCES}/scenarios/papers/rtas23-split.yaml").read()
WARPS = open(f"{SOURCES}/scenarios/examples/warps.yaml").read()
TRACED = """cegsim: 1
horizon: 60ms
on_miss: drop
platform: {gpu: {sms: 2, threads_per_sm: 1024}, copy: {engines: 2}}
tasks:
  - {name: a, period: 10ms, release: {trace: t.csv}, segments: [{cpu: [1ms, 3ms]}, {kernel: {grid: 4, block: 256, block_time: 1ms}}]}
  - {name: b, period: 20ms, priority: 1, segments: [{copy: to_gpu, time: 1ms}, {kernel: {grid: 2, block: 512, block_time: 2ms}}]}
policies: [rm, edf]
record: segments
""".replace("priority: 1, ", "")
LINKED = """cegsim: 1
horizon: 400ms
tasks:
  - {name: a, period: 10ms, segments: [{cpu: 1ms}]}
  - {name: b, period: 20ms, segments: [{cpu: 2ms}]}
  - {name: c, period: 20ms, release: {after: b}, segments: [{cpu: 1ms}]}
  - {name: d, period: 20ms, release: {after: [a, b]}, segments: [{cpu: 1ms}]}
chains:
  - {name: there, tasks: [a, b], reaction: 23ms, age: 23ms}
  - {name: back, tasks: [b, a], communication: let}
  - {name: on, tasks: [b, c]}
policies: [rm]
"""
FLOWN = open(f"{SOURCES}/scenarios/examples/two-streams.yaml").read()
GPUS = open(f"{SOURCES}/scenarios/examples/two-gpus.yaml").read()
SHARED = """cegsim: 1
time_unit: ms
horizon: 66
platform: {cores: 2, gpu: {sms: 4, threads_per_sm: 1024, timeslice: 1ms, switch: 200us}, copy: {engines: 1}}
tasks:
  - {name: a, period: 33, core: 0, process: p, gpu_priority: 2, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {grid: 8, block: 512, block_time: 3}}]}
  - {name: b, period: 33, core: 1, gpu_priority: 1, segments: [{cpu: 2}, {kernel: {grid: 4, block: 512, block_time: 5}}, {cpu: 1}]}
  - {name: c, period: 66, core: 1, process: p, gpu_priority: 0, segments: [{kernel: {grid: 4, block: 1024, block_time: 2}}, {cpu: 3}]}
policies: [tsg-rr]
record: blocks
"""
TRACE = "task,seq,release,segment,duration\na,0,0ms,0,1ms\na,1,10ms,0,2ms\na,2,25ms,0,3ms\n"


def run(*arguments, cwd=None, check=(0,)):
    done = subprocess.run([CEGSIM, *arguments], capture_output=True, text=True, cwd=cwd)
    if done.returncode not in check:
        raise SystemExit(f"cegsim {' '.join(arguments)}: {done.returncode}\n{done.stderr}")
    return done


def make(folder):
    def scenario(name, text, *options):
        with open(f"{folder}/{name}.yaml", "w") as file:
            file.write(text)
        run("run", f"{name}.yaml", "-q", "-o", f"{name}.db", *options, cwd=folder)
    with open(f"{folder}/t.csv", "w") as file:
        file.write(TRACE)
    scenario("divisible", DIVISIBLE)
    run("analyze", "divisible.db", "-p", "rtgpu", "-a", "rtgpu", cwd=folder, check=(0, 1))
    scenario("refused", DIVISIBLE, "-p", "stgm", "-p", "rtgpu", "--record", "jobs", "--seed", "11")
    scenario("quick", QUICKSTART, "--record", "blocks")
    scenario("jobs", QUICKSTART, "--record", "jobs")
    scenario("summary", QUICKSTART, "--record", "summary")
    scenario("traced", TRACED)
    scenario("masks", MASKS)
    scenario("warps", WARPS, "--record", "segments")
    scenario("linked", LINKED, "--record", "jobs")
    scenario("linked-summary", LINKED, "--record", "summary")
    scenario("flown", FLOWN)
    scenario("shared", SHARED)
    scenario("gpus", GPUS)
    scenario("gpus-summary", GPUS, "--record", "summary")
    run("sweep", f"{SOURCES}/scenarios/campaigns/rtgpu-fig10.yaml", "-q", "--limit", "3", "-o", "campaign.db", cwd=folder)


def of(policy):
    return f"run_id = (SELECT min(run_id) FROM run JOIN policy USING (policy_id) WHERE name = '{policy}')"


def task(index):
    return f"task_id = (SELECT task_id FROM task WHERE task_idx = {index} ORDER BY taskset_id LIMIT 1)"


NOTHING, THINGS, ALL = "", "and the digests of things", "and all digests"
ONE = "rowid = (SELECT min(rowid) FROM"
# What was changed, where, how, which digests the tamperer makes again, and what finds it: names of laws; "": nothing;
# "!": the recording is refused as damaged.
TAMPERS = [
    # Changes of the inputs, one column at a time.
    ("scenario: a number in the text", "quick", "UPDATE scenario SET text = replace(text, 'block_time: 1.5', 'block_time: 1.6')", NOTHING, "scenario-digest"),
    ("scenario: a number in the text", "quick", "UPDATE scenario SET text = replace(text, 'block_time: 1.5', 'block_time: 1.6')", ALL, "scenario-rows"),
    ("scenario: its name", "quick", "UPDATE scenario SET name = 'other.yaml'", NOTHING, "scenario-digest"),
    ("scenario: the version that read it", "quick", "UPDATE scenario SET tool_version = '9'", NOTHING, "scenario-digest"),
    ("scenario: the text of another one", "quick", "UPDATE scenario SET text = 'cegsim: 1'", ALL, "scenario-rows"),
    ("scenario: the seed of the command line", "refused", "UPDATE scenario SET overrides = replace(overrides, '11', '12')", ALL, "scenario-rows"),
    ("scenario: a policy in the text", "quick", "UPDATE scenario SET text = replace(text, 'fcfs, rm', 'fcfs, edf')", ALL, "scenario-rows"),
    ("platform: its name", "quick", "UPDATE platform SET name = 'other'", NOTHING, "platform-digest"),
    ("platform: cores", "quick", "UPDATE platform SET cores = 2", NOTHING, "platform-digest"),
    ("platform: static power, no kernel takes any", "summary", "UPDATE platform SET static_uw = 7", NOTHING, "platform-digest"),
    ("platform: work queues", "quick", "UPDATE platform SET work_queues = 31", NOTHING, "platform-digest"),
    ("platform: work queues", "quick", "UPDATE platform SET work_queues = 31", THINGS, "run-identity"),
    ("platform: work queues", "quick", "UPDATE platform SET work_queues = 31", ALL, "scenario-rows"),
    ("platform: a limit that never binds", "quick", "UPDATE platform SET registers_per_sm = registers_per_sm + 1", ALL, "scenario-rows"),
    ("policy: parameters", "divisible", "UPDATE policy SET params = '{\"order\":\"release\"}' WHERE name = 'fifo-cke'", NOTHING, "policy-digest"),
    ("policy: parameters", "divisible", "UPDATE policy SET params = '{\"order\":\"release\"}' WHERE name = 'fifo-cke'", THINGS, "run-identity"),
    ("policy: parameters", "divisible", "UPDATE policy SET params = '{\"order\":\"release\"}' WHERE name = 'fifo-cke'", ALL, "scenario-rows"),
    ("policy: version", "divisible", "UPDATE policy SET version = 99 WHERE name = 'rm'", NOTHING, "policy-digest"),
    ("policy: version", "divisible", "UPDATE policy SET version = 99 WHERE name = 'rm'", ALL, "scenario-rows"),
    ("policy: name", "summary", "UPDATE policy SET name = 'edf' WHERE name = 'rm'", NOTHING, "policy-digest"),
    ("set: its name", "quick", "UPDATE taskset SET name = 'other'", NOTHING, "set-digest"),
    ("set: target utilisation", "campaign", "UPDATE taskset SET target_utilisation_ppm = 1 WHERE taskset_id = 1", NOTHING, "set-digest"),
    ("set: target utilisation", "campaign", "UPDATE taskset SET target_utilisation_ppm = 1 WHERE taskset_id = 1", ALL, "scenario-rows"),
    ("set: recipe", "campaign", "UPDATE taskset SET recipe = replace(recipe, '5', '6') WHERE taskset_id = 1", ALL, "scenario-rows"),
    ("set: its number", "campaign", "UPDATE taskset SET recipe_index = recipe_index + 1 WHERE taskset_id = 1", NOTHING, "set-digest"),
    ("task: name", "quick", f"UPDATE task SET name = 'other' WHERE {task(0)}", NOTHING, "set-digest"),
    ("task: name", "quick", f"UPDATE task SET name = 'other' WHERE {task(0)}", ALL, "scenario-rows"),
    ("task: period", "summary", f"UPDATE task SET period_ns = period_ns + 1 WHERE {task(0)}", NOTHING, "set-digest"),
    ("task: deadline", "summary", f"UPDATE task SET deadline_ns = deadline_ns - 1 WHERE {task(1)}", NOTHING, "set-digest"),
    ("task: offset", "summary", f"UPDATE task SET offset_ns = 1 WHERE {task(1)}", NOTHING, "set-digest"),
    ("task: deadline, and that of its jobs", "jobs", [f"UPDATE task SET deadline_ns = deadline_ns + 1000 WHERE {task(0)}",
        f"UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1000 WHERE {task(0)}"], NOTHING, "set-digest run-digest"),
    ("task: deadline, and that of its jobs", "jobs", [f"UPDATE task SET deadline_ns = deadline_ns + 1000 WHERE {task(0)}",
        f"UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1000 WHERE {task(0)}"], THINGS, "run-digest run-identity"),
    ("task: deadline, and that of its jobs", "jobs", [f"UPDATE task SET deadline_ns = deadline_ns + 1000 WHERE {task(0)}",
        f"UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1000 WHERE {task(0)}"], ALL, "scenario-rows"),
    ("segment: worst case that no job took", "divisible", f"UPDATE segment SET worst_ns = worst_ns + 1 WHERE {task(4)} AND segment_idx = 0", NOTHING, "set-digest"),
    ("segment: best case", "summary", "UPDATE segment SET best_ns = best_ns - 1 WHERE best_ns > 0", NOTHING, "set-digest"),
    ("segment: stream", "summary", "UPDATE segment SET stream = 0 WHERE kind = 'kernel'", NOTHING, "set-digest"),
    ("segment: registers", "summary", "UPDATE segment SET registers = 16 WHERE kind = 'kernel'", NOTHING, "set-digest"),
    ("segment: power of a kernel", "summary", "UPDATE segment SET dynamic_uw = 5 WHERE kind = 'kernel'", ALL, "scenario-rows"),
    ("segment: interleave", "divisible", "UPDATE segment SET interleave = '{\"2\": [2, 1]}' WHERE interleave IS NOT NULL", NOTHING, "set-digest"),
    ("profile: one more row", "quick", "INSERT INTO profile VALUES (1, 0, 'p', 1, 1, 1, NULL)", NOTHING, "set-digest"),
    ("release trace: an instant", "traced", "UPDATE trace_release SET release_ns = release_ns + 1 WHERE seq = 2", NOTHING, "trace-digest"),
    ("release trace: a length", "traced", "UPDATE trace_duration SET duration_ns = duration_ns - 1 WHERE seq = 1", NOTHING, "trace-digest"),
    ("release trace: one release less", "traced", ["DELETE FROM trace_release WHERE seq = 2", "DELETE FROM trace_duration WHERE seq = 2"], THINGS, "releases"),
    ("warps: clock", "warps", "UPDATE warp_machine SET clock_hz = clock_hz + 1", NOTHING, "set-digest"),
    ("warps: a latency", "warps", "UPDATE warp_unit SET latency_cycles = 9 WHERE unit = 'sfu'", NOTHING, "set-digest"),
    ("warps: a step's hits", "warps", f"UPDATE warp_step SET l1_hit_ppm = 1 WHERE {ONE} warp_step WHERE l1_hit_ppm IS NOT NULL)", ALL, "scenario-rows"),
    ("chain: its limit", "linked", "UPDATE chain SET age_limit_ns = age_limit_ns + 1 WHERE age_limit_ns IS NOT NULL", NOTHING, "set-digest"),
    ("chain: its limit", "linked", "UPDATE chain SET age_limit_ns = age_limit_ns + 1 WHERE age_limit_ns IS NOT NULL", ALL, "scenario-rows"),
    ("chain: when it is read", "linked", "UPDATE chain SET communication = 'let' WHERE chain_idx = 0", NOTHING, "set-digest chains"),
    ("chain: what it stamps", "linked", "UPDATE chain SET sample = 'release' WHERE chain_idx = 2", ALL, "scenario-rows"),
    ("chain: its stages the other way round", "linked", "UPDATE chain_task SET member_idx = 1 - member_idx WHERE chain_idx = 0", NOTHING, "set-digest chains"),
    ("trigger: after another task", "linked", "UPDATE task_after SET after_idx = 0 WHERE place = 0 AND after_idx = 1 AND task_id = 3", NOTHING, "set-digest triggers"),
    ("segment: nobody waits for it", "flown", "UPDATE segment SET awaits = NULL WHERE awaits = '[\"left\"]'", NOTHING, "set-digest"),
    ("segment: it comes after another one", "flown", "UPDATE segment SET awaits = '[\"right\"]' WHERE awaits = '[\"left\"]'", ALL, "scenario-rows"),
    ("segment: it is waited for", "flown", "UPDATE segment SET async = NULL WHERE segment_idx = 1 AND async", NOTHING, "set-digest flights"),
    ("segment: in flight in another stream", "flown", "UPDATE segment SET stream = 12 WHERE stream = 11", NOTHING, "set-digest"),
    ("platform: the slice of processes", "shared", "UPDATE platform SET timeslice_ns = timeslice_ns + 1", NOTHING, "platform-digest turns"),
    ("platform: the switch between processes", "shared", "UPDATE platform SET context_switch_ns = context_switch_ns - 1", NOTHING, "platform-digest contexts"),
    ("task: its process", "shared", f"UPDATE task SET process = NULL WHERE {task(2)}", NOTHING, "set-digest"),
    ("task: its priority for the GPU, which tsg-rr does not look at", "shared", f"UPDATE task SET gpu_priority = 7 WHERE {task(1)}", ALL, "scenario-rows"),
    ("task: its core", "shared", f"UPDATE task SET core = 0 WHERE {task(2)}", NOTHING, "set-digest"),
    # How runs were set up.
    ("run: seed, nothing is drawn", "summary", "UPDATE run SET seed = 99 WHERE run_id = 1", NOTHING, "setup-digest"),
    ("run: seed, nothing is drawn", "summary", "UPDATE run SET seed = 99 WHERE run_id = 1", THINGS, "run-identity"),
    ("run: seed, nothing is drawn", "summary", "UPDATE run SET seed = 99 WHERE run_id = 1", ALL, "scenario-rows"),
    ("run: number of the set", "summary", "UPDATE run SET set_number = 3 WHERE run_id = 1", NOTHING, "setup-digest"),
    ("run: horizon", "summary", "UPDATE run SET horizon_ns = horizon_ns - 1 WHERE run_id = 1", NOTHING, "setup-digest"),
    ("run: limit", "summary", "UPDATE run SET limit_ns = limit_ns + 1 WHERE run_id = 1", NOTHING, "setup-digest"),
    ("run: limit", "summary", "UPDATE run SET limit_ns = limit_ns + 1 WHERE run_id = 1", ALL, "scenario-rows"),
    ("run: rule for misses", "summary", "UPDATE run SET on_miss = 'abort' WHERE run_id = 1", ALL, "scenario-rows"),
    ("run: ties", "summary", "UPDATE run SET ties = 'lower-first' WHERE run_id = 1", ALL, "scenario-rows"),
    ("run: execution", "summary", "UPDATE run SET execution = 'best' WHERE run_id = 1", NOTHING, "setup-digest"),
    ("run: replication", "campaign", "UPDATE run SET replication = 1 WHERE run_id = 1", NOTHING, "run-identity"),
    ("run: replication", "summary", "UPDATE run SET replication = 1 WHERE run_id = 1", ALL, "scenario-rows"),
    ("segment_sample: of no task", "summary", "INSERT INTO segment_sample VALUES (99, 0, 0, 1000000)", ALL, "strays"),
    ("segment_block: of no task", "summary", "INSERT INTO segment_block VALUES (99, 0, 0, 1000000, NULL, NULL)", ALL, "strays"),
    ("warp_step: of a set without warps", "summary", "INSERT INTO warp_step (task_id, step_idx, kind, count) VALUES (1, 0, 'compute', 1)", ALL, "strays"),
    # Changes of the results.
    ("run: refused is ok", "refused", f"UPDATE run SET status = 'ok', reason = NULL, failing_task_id = NULL WHERE {of('stgm')}", NOTHING, "run-identity"),
    ("run: refused, for another reason", "refused", f"UPDATE run SET reason = 'no' WHERE {of('stgm')}", NOTHING, "run-identity"),
    ("run: refused, for another reason", "refused", f"UPDATE run SET reason = 'no' WHERE {of('stgm')}", ALL, "verdict"),
    ("run: refused, another task fails", "refused", f"UPDATE run SET failing_task_id = failing_task_id + 1 WHERE {of('stgm')}", ALL, "verdict"),
    ("run: refused is an error", "refused", f"UPDATE run SET status = 'error' WHERE {of('stgm')}", NOTHING, "run-identity"),
    ("run: ok is refused", "refused", [f"DELETE FROM {t} WHERE {of('rtgpu')}" for t in ("run_task", "run_task_hist", "job")] +
        [f"UPDATE run SET status = 'refused', reason = 'no', stop_ns = NULL, jobs = NULL, misses = NULL, digest = NULL WHERE {of('rtgpu')}"], ALL, "verdict"),
    ("run: the test's word is gone", "divisible", f"UPDATE run SET reason = NULL, failing_task_id = NULL WHERE {of('stgm')}", ALL, "verdict"),
    ("run: V_SM", "divisible", f"UPDATE run SET virtual_sms_per_sm = 3 WHERE {of('rtgpu')}", NOTHING, "!"),
    ("run: S", "summary", "UPDATE run SET stop_ns = stop_ns - 1, window_ns = window_ns WHERE run_id = 1", NOTHING, "run-identity"),
    ("run: events", "summary", "UPDATE run SET events = events + 1 WHERE run_id = 1", NOTHING, "run-identity"),
    ("run: jobs", "summary", "UPDATE run SET jobs = jobs + 1 WHERE run_id = 1", NOTHING, "run-identity"),
    ("run: a miss", "summary", ["UPDATE run SET misses = 1 WHERE run_id = 1", f"UPDATE run_task SET misses = 1 WHERE run_id = 1 AND {task(0)}"], NOTHING, "run-identity"),
    ("run: energy", "summary", "UPDATE run SET energy_uj = coalesce(energy_uj, 0) + 1 WHERE run_id = 1", NOTHING, "run-identity"),
    ("run: digest", "quick", "UPDATE run SET digest = '0123456789abcdef' WHERE run_id = 1", NOTHING, "run-digest"),
    ("run: digest", "summary", "UPDATE run SET digest = '0123456789abcdef' WHERE run_id = 1", NOTHING, "run-identity"),
    ("run: status of a truncated one", "quick", "UPDATE run SET status = 'truncated' WHERE run_id = 1", NOTHING, "run-identity"),
    ("run_task: rank", "summary", "UPDATE run_task SET rank = 2 - rank WHERE run_id = 1", ALL, "ranks"),
    ("run_task: SMs", "divisible", f"UPDATE run_task SET sms = 2, sm_set = '[0,1]' WHERE {of('stgm')} AND {task(0)}", ALL, "verdict"),
    ("run_task: which SMs", "refused", f"UPDATE run_task SET sm_set = replace(sm_set, '0', '7') WHERE {of('rtgpu')} AND {task(0)}", ALL, "verdict"),
    ("run_task: virtual SMs", "refused", f"UPDATE run_task SET virtual_sms = virtual_sms + 1 WHERE {of('rtgpu')} AND {task(1)}", NOTHING, "run-identity"),
    ("run_task: greatest response", "summary", f"UPDATE run_task SET max_response_ns = max_response_ns - 1 WHERE run_id = 1 AND {task(0)}", NOTHING, "run-identity"),
    ("run_task: greatest response", "jobs", f"UPDATE run_task SET max_response_ns = max_response_ns - 1 WHERE run_id = 1 AND {task(0)}", ALL, "task-figures"),
    ("run_task: energy", "divisible", f"UPDATE run_task SET energy_uj = energy_uj + 1 WHERE {of('rm')} AND {task(0)}", ALL, "energy-parts"),
    ("run_task_hist: a job in another bucket", "summary", "UPDATE run_task_hist SET bucket = bucket - 1 WHERE rowid = 1", NOTHING, "run-identity"),
    ("run_task_hist: a job in another bucket", "jobs", "UPDATE run_task_hist SET bucket = bucket - 1 WHERE rowid = 1", ALL, "task-figures"),
    ("job: release", "jobs", f"UPDATE job SET release_ns = release_ns + 1 WHERE {ONE} job WHERE seq = 1)", ALL, "releases"),
    ("job: deadline", "jobs", f"UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1 WHERE {ONE} job)", ALL, "deadlines"),
    ("segment: the mask of a kernel", "masks", f"UPDATE segment SET sms = '[5,6,7,8]' WHERE {task(1)}", ALL, "sm-mask"),
    ("segment: a mask of SMs that there are not", "masks", f"UPDATE segment SET sms = '[5,99]' WHERE {task(1)}", ALL, "!"),
    ("segment: no mask", "masks", f"UPDATE segment SET sms = NULL WHERE {task(1)}", ALL, "scenario-rows"),
    ("platform: kernels that it holds", "masks", "UPDATE platform SET resident_kernels = 1", ALL, "task-table"),
    ("block_interval: on an SM beside the mask", "masks", f"UPDATE block_interval SET sm = 0 WHERE {task(1)} AND block = 0", ALL, "sm-mask"),
    ("job: first start", "jobs", f"UPDATE job SET first_start_ns = first_start_ns + 1 WHERE {ONE} job)", NOTHING, "run-digest"),
    ("job: finish", "jobs", f"UPDATE job SET finish_ns = finish_ns - 1 WHERE {ONE} job)", NOTHING, "run-digest"),
    ("job: outcome", "jobs", f"UPDATE job SET outcome = 4 WHERE {ONE} job)", ALL, "job-state"),
    ("job: one less", "jobs", f"DELETE FROM job WHERE {ONE} job WHERE seq = 1)", ALL, "releases"),
    ("job: of a task of no set", "jobs", "INSERT INTO job (run_id, task_id, seq, release_ns, abs_deadline_ns, first_start_ns, finish_ns, outcome)"
        " SELECT run_id, 99, 0, 0, 1, 0, 1, 0 FROM run LIMIT 1", NOTHING, "strays"),
    ("segment_interval: end", "quick", f"UPDATE segment_interval SET end_ns = end_ns + 1 WHERE {ONE} segment_interval)", ALL, "lengths"),
    ("segment_interval: ready", "quick", f"UPDATE segment_interval SET ready_ns = ready_ns - 1 WHERE {ONE} segment_interval WHERE segment_idx = 1)", ALL, "precedence"),
    ("segment_interval: engine", "quick", f"UPDATE segment_interval SET unit = 1 WHERE {ONE} segment_interval WHERE code & 3 = 1)", ALL, "copy-engine"),
    ("segment_interval: SMs given", "divisible", f"UPDATE segment_interval SET granted = granted + 1 WHERE {of('stgm')} AND granted > 0", ALL, "grants"),
    ("segment_interval: what it held", "quick", f"UPDATE segment_interval SET code = code | 4 WHERE {ONE} segment_interval)", ALL, "spinning precedence"),
    ("segment_interval: of a run recorded as jobs", "jobs", "INSERT INTO segment_interval VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0, 1, NULL, 0)", ALL, "strays"),
    ("segment_interval: of a run that is not there", "quick", "UPDATE segment_interval SET run_id = 77 WHERE run_id = 3", ALL, "strays"),
    ("run: recorded as jobs", "quick", "UPDATE run SET record = 'jobs' WHERE run_id = 1", ALL, "strays"),
    ("run: recorded as blocks", "jobs", "UPDATE run SET record = 'blocks' WHERE run_id = 1", ALL, "precedence"),
    ("block_interval: SM", "quick", f"UPDATE block_interval SET sm = 1 - sm WHERE {ONE} block_interval)", ALL, "sm-choice"),
    ("block_interval: slot", "quick", f"UPDATE block_interval SET slot = slot + 1 WHERE {ONE} block_interval)", ALL, "slots"),
    ("block_interval: start", "quick", f"UPDATE block_interval SET start_ns = start_ns + 1 WHERE {ONE} block_interval)", ALL, "blocks"),
    ("block_interval: threads", "quick", f"UPDATE block_interval SET threads = threads + 32 WHERE {ONE} block_interval)", ALL, "blocks"),
    ("power_interval: power", "divisible", f"UPDATE power_interval SET power_uw = power_uw + 1 WHERE {ONE} power_interval)", ALL, "power-level energy"),
    ("power_interval: one less", "divisible", f"DELETE FROM power_interval WHERE {ONE} power_interval)", ALL, "power-cover"),
    ("decision: of a policy that decides nothing", "divisible", f"INSERT INTO decision SELECT (SELECT run_id FROM run WHERE {of('rm')}), time_ns, asked_ns, task_id, seq, segment_idx, sms, kernel_end_ns, predicted_uwns, feasible, chosen, gpu FROM decision LIMIT 1", ALL, "strays"),
    ("decision: of a run recorded as jobs", "jobs", "INSERT INTO decision VALUES (1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0)", ALL, "strays"),
    ("decision: another number is chosen", "divisible", "UPDATE decision SET chosen = 1 - chosen WHERE time_ns = (SELECT min(time_ns) FROM decision)", ALL, "decisions"),
    ("decision: predicted energy", "divisible", f"UPDATE decision SET predicted_uwns = predicted_uwns + 1 WHERE {ONE} decision)", ALL, "predictions"),
    ("decision: predicted end", "divisible", f"UPDATE decision SET kernel_end_ns = kernel_end_ns + 1 WHERE {ONE} decision)", ALL, "predictions"),
    ("warps: instructions of a kernel", "warps", f"UPDATE run_warp_kernel SET warp_instructions = warp_instructions + 1 WHERE {ONE} run_warp_kernel)", NOTHING, "run-identity"),
    ("warps: cycles of a sub-core", "warps", f"UPDATE run_sub_core SET issued_cycles = issued_cycles + 1, empty_cycles = empty_cycles - 1 WHERE {ONE} run_sub_core)", NOTHING, "run-identity"),
    ("warps: a goal is reached", "warps", "UPDATE run_warp_kernel SET reached = 1 - reached", ALL, "warp-goals"),
    *((f"chain_run: {column}", "linked", f"UPDATE chain_run SET {column} = {column} + 1 WHERE chain_idx = {idx}", fix, laws)
        for idx, column in ((0, "ages"), (0, "min_age_ns"), (1, "mean_age_ns"), (2, "max_age_ns"), (0, "age_first_seq"), (1, "age_last_seq"),
            (1, "reactions"), (2, "min_reaction_ns"), (0, "mean_reaction_ns"), (0, "max_reaction_ns"), (2, "reaction_first_seq"), (0, "reaction_last_seq"))
        for fix, laws in ((NOTHING, "run-identity"), (ALL, "chains"))),
    ("chain_run: an age where no jobs are recorded", "linked-summary", "UPDATE chain_run SET max_age_ns = max_age_ns + 1 WHERE chain_idx = 0", NOTHING, "run-identity"),
    ("chain_run: one is missing", "linked", "DELETE FROM chain_run WHERE chain_idx = 1", ALL, "chains"),
    ("chain_run: of no chain", "linked-summary", "UPDATE chain_run SET chain_idx = 9 WHERE chain_idx = 2", ALL, "strays"),
    ("job: released later than it was triggered", "linked", f"UPDATE job SET release_ns = release_ns + 1, abs_deadline_ns = abs_deadline_ns + 1 WHERE {task(2)} AND seq = 1", ALL, "triggers"),
    ("job: finished later, so that its data are older", "linked", f"UPDATE job SET finish_ns = finish_ns + 1 WHERE {task(1)} AND seq = 3", ALL, "chains"),
    ("flights: an operation starts before the one that it comes after has ended", "flown", "UPDATE segment_interval SET start_ns = start_ns - 3000000 WHERE run_id = 1 AND segment_idx = 5 AND seq = 0", ALL, "flights"),
    ("flights: a copy ends later", "flown", "UPDATE segment_interval SET end_ns = end_ns + 1 WHERE run_id = 1 AND segment_idx = 1 AND seq = 0 AND task_id = 1", ALL, "flights"),
    ("flights: issued later", "flown", "UPDATE segment_interval SET ready_ns = ready_ns + 1 WHERE run_id = 1 AND segment_idx = 3 AND seq = 0 AND task_id = 1", ALL, "flights"),
    ("flights: one is missing", "flown", "DELETE FROM segment_interval WHERE run_id = 1 AND segment_idx = 6 AND seq = 0 AND task_id = 1", ALL, "flights"),
    ("flights: against the order of its stream", "flown", "UPDATE segment_interval SET start_ns = start_ns - 1000000, end_ns = end_ns - 1000000 WHERE run_id = 1 AND segment_idx = 4 AND seq = 0 AND task_id = 1", ALL, "flight-order"),
    ("flights: the job ends before its last operation", "flown", "UPDATE job SET finish_ns = finish_ns - 3000000 WHERE run_id = 1 AND seq = 0 AND task_id = 1", ALL, "flights"),
    ("flights: power", "flown", f"UPDATE power_interval SET active_sms = active_sms + 1 WHERE {ONE} power_interval)", ALL, "activity"),
    ("contexts: a process has the GPU for longer", "shared", f"UPDATE context_interval SET end_ns = end_ns + 1 WHERE {ONE} context_interval)", ALL, "contexts"),
    ("contexts: it is another process", "shared", f"UPDATE context_interval SET process_task_id = 1 WHERE {ONE} context_interval WHERE process_task_id = 2)", ALL, "contexts turns"),
    ("contexts: a switch is missing", "shared", f"DELETE FROM context_interval WHERE {ONE} context_interval WHERE code & 1)", ALL, "contexts"),
    ("cores: a segment on the other one", "shared", f"UPDATE segment_interval SET unit = 1 - unit WHERE {ONE} segment_interval WHERE resource = 'cpu')", ALL, "parts"),
    ("gpus: SMs of the second", "gpus", "UPDATE platform SET gpus = replace(gpus, '\"sms\": 6', '\"sms\": 7')", NOTHING, "platform-digest"),
    ("gpus: SMs of the second", "gpus", "UPDATE platform SET gpus = replace(gpus, '\"sms\": 6', '\"sms\": 7')", ALL, "scenario-rows"),
    ("gpus: static power of the second", "gpus-summary", "UPDATE platform SET gpus = replace(gpus, '8000000', '8000001')", NOTHING, "platform-digest"),
    ("gpus: a segment's", "gpus", "UPDATE segment SET gpu = 0 WHERE gpu = 1 AND segment_idx = 7", NOTHING, "set-digest parts"),
    ("gpus: a segment's, where no intervals are recorded", "gpus-summary", "UPDATE segment SET gpu = 0 WHERE gpu = 1 AND segment_idx = 7", ALL, "scenario-rows"),
    ("gpus: a kernel on the other one", "gpus", f"UPDATE segment_interval SET gpu = 0 WHERE {ONE} segment_interval WHERE resource = 'gpu' AND gpu = 1)", ALL, "parts"),
    ("gpus: a copy on the other one", "gpus", f"UPDATE segment_interval SET gpu = 1 WHERE {ONE} segment_interval WHERE resource = 'copy' AND gpu = 0)", ALL, "parts"),
    ("gpus: a block on the other one", "gpus", f"UPDATE block_interval SET gpu = 0 WHERE {ONE} block_interval WHERE gpu = 1)", ALL, "blocks"),
    ("gpus: power of the other one", "gpus", f"UPDATE power_interval SET gpu = 0 WHERE {ONE} power_interval WHERE gpu = 1 AND start_ns > 0)", ALL, "power-cover"),
    ("gpus: energy from one to the other", "gpus", "UPDATE run_gpu SET energy_uj = energy_uj + CASE gpu WHEN 0 THEN 1 ELSE -1 END WHERE run_id = 1", ALL, "gpu-energy"),
    ("gpus: energy that is not in the sum", "gpus-summary", "UPDATE run_gpu SET energy_uj = energy_uj + 1 WHERE run_id = 1 AND gpu = 1", ALL, "gpu-energy"),
    ("gpus: time of activity", "gpus", "UPDATE run_gpu SET gpu_active_ns = gpu_active_ns - 1 WHERE run_id = 2 AND gpu = 1", ALL, "gpu-energy"),
    ("gpus: no row for one", "gpus-summary", "DELETE FROM run_gpu WHERE run_id = 1 AND gpu = 1", NOTHING, "run-identity gpu-energy"),
    ("analysis: verdict", "divisible", "UPDATE analysis_run SET verdict = 'unschedulable'", NOTHING, "analysis-identity"),
    ("bound: the bound", "divisible", f"UPDATE bound SET bound_ns = bound_ns - 1 WHERE {ONE} bound WHERE bound_ns IS NOT NULL)", NOTHING, "analysis-identity"),
    ("bound: a part", "divisible", f"UPDATE bound_part SET amount_ns = amount_ns + 1 WHERE {ONE} bound_part)", NOTHING, "analysis-identity"),
    ("bound: of a task of no set", "divisible", "UPDATE bound SET task_id = task_id + 1000", NOTHING, "strays"),
    # Which task set, platform or policy a run belongs to.
    ("run: of another policy", "summary", "UPDATE OR REPLACE run SET policy_id = 3 WHERE run_id = 2", NOTHING, "run-identity"),
    ("run: of another set", "campaign", "UPDATE run SET taskset_id = 2 WHERE run_id = 1", NOTHING, "!"),
    ("run: of another seed's schedule", "summary", "UPDATE run SET events_digest = '0123456789abcdef' WHERE run_id = 1", NOTHING, "run-identity"),
    # What no law finds.
    ("run: events", "summary", "UPDATE run SET events = events + 1 WHERE run_id = 1", ALL, ""),
    ("run: digest of the events", "summary", "UPDATE run SET events_digest = '0123456789abcdef' WHERE run_id = 1", ALL, ""),
    ("bound: the bound", "divisible", f"UPDATE bound SET bound_ns = bound_ns - 1 WHERE {ONE} bound WHERE bound_ns IS NOT NULL)", ALL, ""),
    ("run: wall time", "summary", "UPDATE run SET wall_us = wall_us + 1", NOTHING, ""),
    ("scenario: a comment in the text", "quick", "UPDATE scenario SET text = text || '# more'", ALL, ""),
]


def audit(file, *options):
    done = run("audit", file, "--format", "csv", *options, check=(0, 1, 2, 3))
    if done.returncode > 1:
        return ["!"]
    return [row["law"] for row in csv.DictReader(io.StringIO(done.stdout)) if int(row["findings"])]


def changed(source, target, statements, fix):
    shutil.copyfile(source, target)
    db = sqlite3.connect(target)
    db.execute("PRAGMA foreign_keys = OFF")
    before = db.total_changes
    for statement in [statements] if isinstance(statements, str) else statements:
        db.execute(statement)
    rows = db.total_changes - before
    if fix == THINGS:
        Digests(db).fix_things()
    if fix == ALL:
        Digests(db).fix_all()
    db.commit()
    db.close()
    return rows


class Tap:
    def __init__(self):
        self.cases = self.bad = 0

    def report(self, good, name):
        self.cases += 1
        self.bad += not good
        print(f"{'ok' if good else 'not ok'} {self.cases} - {name}", flush=True)

    def end(self, *comments):
        for comment in comments:
            print("#", comment)
        print(f"1..{self.cases}")
        raise SystemExit(self.bad > 0)


# ---- Tampers

def tampers(tap, folder):
    make(folder)
    names = ("divisible", "refused", "quick", "jobs", "summary", "traced", "masks", "warps", "campaign", "linked",
        "linked-summary", "flown", "shared", "gpus", "gpus-summary")
    for name in names:
        tap.report(not audit(f"{folder}/{name}.db"), f"{name}: nothing is found where nothing was changed")
        changed(f"{folder}/{name}.db", f"{folder}/x.db", [], ALL)
        tap.report(not audit(f"{folder}/x.db"), f"{name}: nor if all digests are made again as the documentation says")
    found = unseen = 0
    for what, where, statements, fix, laws in TAMPERS:
        try:
            rows = changed(f"{folder}/{where}.db", f"{folder}/x.db", statements, fix)
        except sqlite3.Error as error:
            tap.report(False, f"{what}: {error}")
            continue
        broken = audit(f"{folder}/x.db")
        found += bool(broken)
        unseen += not broken
        good = rows > 0 and (set(laws.split()) <= set(broken) if laws else not broken)
        tap.report(good, f"{what}{', ' if fix else ''}{fix}: {' '.join(broken) or 'unseen'}" + ("" if rows else " (no row)"))
    tap.end(f"{found} of {len(TAMPERS)} tampers are found, {unseen} are not")


# ---- Labels

USES = ["fifo-cke", "fifo-cke:order=release", "prio-streams", "fcfs", "fcfs:unit=kernel", "rm", "rm:unit=kernel", "edf",
    "edf:unit=kernel", "self-suspension", "mpcp", "mpcp:wait=busy", "stgm:admit=any", "stgm:admit=any,exclusive=false",
    "stgm:admit=any,wait=suspend", "stgm:admit=any,test=utilization", "rtgpu:admit=any", "rtgpu:admit=any,search=grid", "sbeet",
    "sbeet:queue=fcfs", "sbeet:queue=priority", "sbeet:energy=common", "sbeet:infeasible=fastest", "sbeet:workers=1"]
FEW_USES = ["fifo-cke", "fcfs", "rm:unit=kernel", "self-suspension", "mpcp:wait=busy", "stgm:admit=any", "rtgpu:admit=any", "sbeet"]
WARP_USES = ["lrr", "lrr:rotate=cycle", "gto", "oldest", "two-level", "two-level:active=2", "two-level:inner=gto", "qaws"]
CHAINS = """cegsim: 1
name: chains
time_unit: ms
horizon: 200
platform: {gpu: {sms: 4, threads_per_sm: 1024}, copy: {engines: 2}}
tasks:
  - {name: a, period: 20, deadline: 12, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {work: 6, power: 300mW}}, {kernel: {work: 4}}, {copy: to_cpu, time: 0.5}, {cpu: 0.5}]}
  - {name: b, period: 30, segments: [{copy: to_gpu, time: 1}, {kernel: {work: 12, overhead: 0.1}}, {cpu: 2}, {kernel: {work: 8}}, {copy: to_cpu, time: 1}]}
  - {name: c, period: 25, deadline: 24, segments: [{cpu: [2, 3]}, {kernel: {work: 10}}, {cpu: 1}]}
"""


def only_run(db, run_id):
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        if any(row[1] == "run_id" for row in db.execute(f"PRAGMA table_info({table})")):
            db.execute(f"DELETE FROM {table} WHERE run_id <> ?", (run_id,))


# Every run of a recording gets every other policy's label: how many are found without further changes, and with all
# digests made again.
def relabel(tap, folder, name, text, uses, level):
    with open(f"{folder}/{name}.yaml", "w") as file:
        file.write(text)
    # All policies are asked for, so no label is wrong by itself.
    arguments = [a for use in uses for a in ("-p", use)]
    run("run", f"{name}.yaml", "-q", "-o", f"{name}.db", "--record", level, *arguments, cwd=folder)
    db = sqlite3.connect(f"{folder}/{name}.db")
    runs = db.execute("SELECT run_id, policy_id FROM run WHERE status IN ('ok', 'truncated')").fetchall()
    labels = {key: f"{n} {p}" for key, n, p in db.execute("SELECT policy_id, name, params FROM policy")}
    db.close()
    counts, unseen = [0, 0, 0], []
    for run_id, policy in runs:
        shutil.copyfile(f"{folder}/{name}.db", f"{folder}/one.db")
        db = sqlite3.connect(f"{folder}/one.db")
        only_run(db, run_id)
        db.commit()
        for label in labels:
            if label == policy:
                continue
            counts[0] += 1
            for degree in (1, 2):
                db.execute("UPDATE run SET policy_id = ? WHERE run_id = ?", (label, run_id))
                digests = Digests(db)
                identity = digests.has_identities() and digests.one("SELECT identity_digest FROM run")
                if degree == 2 and not identity:
                    counts[2] += seen
                    continue
                if degree == 2:
                    db.execute("UPDATE run SET identity_digest = ?", (digests.identity(run_id),))
                db.commit()
                seen = bool(audit(f"{folder}/one.db"))
                counts[degree] += seen
                if degree == 2 and not seen:
                    unseen.append((labels[policy], labels[label]))
                if identity:
                    db.execute("UPDATE run SET identity_digest = ?", (identity,))
        db.close()
    tap.report(counts[1] == counts[0], f"{name}: {counts[1]} of {counts[0]} relabelled runs are found")
    tap.report(True, f"{name}: {counts[2]} of them also with all digests made again")
    return counts, unseen


def relabels(tap, folder, long):
    sets = [("chains", CHAINS, USES if long else FEW_USES, "blocks")]
    if long:
        sets += [("policies", DIVISIBLE.replace("500ms", "400ms"), USES, "blocks"), ("warps", WARPS, WARP_USES, "segments")]
    total, missed = [0, 0, 0], {}
    for name, text, uses, level in sets:
        counts, unseen = relabel(tap, folder, name, text, uses, level)
        total = [a + b for a, b in zip(total, counts)]
        for pair in unseen:
            missed[pair] = missed.get(pair, 0) + 1
    tap.end(f"{total[1]} of {total[0]} relabelled runs are found, {total[2]} if all digests are made again; those that are not:",
        *(f"{a}  as  {b}  ({n})" for (a, b), n in sorted(missed.items())))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "tampers":
            tampers(tap, folder)
        else:
            relabels(tap, folder, sys.argv[1] == "relabels-long")


main()
