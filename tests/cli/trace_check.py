# tests/cli/trace_check.py TRACE.txt CEGSIM FILE.db RUN [FROM TO] - compares a decoded trace (protoc --decode) with the
# recording it was made from. The recording is queried in SQL through `cegsim query`; this script does not know how the
# trace was made. Prints what is wrong and ends with status 1, or prints how much was compared.
import json
import subprocess
import sys
from collections import Counter, defaultdict

text_file, cegsim, recording, run = sys.argv[1:5]
start, stop = (int(sys.argv[5]), int(sys.argv[6])) if len(sys.argv) > 5 else (0, 2**63 - 1)
wrong = []


def check(good, *what):
    if not good:
        wrong.append(" ".join(map(str, what)))


def ask(sql):
    answer = subprocess.run([cegsim, "query", recording, sql, "--format", "json"], check=True, capture_output=True)
    return json.loads(answer.stdout)


# --- the decoded text: fields as lists, messages as dictionaries -----------------------------------------

def unquoted(value):
    value = value[1:-1]
    return value if "\\" not in value else value.encode().decode("unicode_escape").encode("latin-1").decode()


def packets(lines):
    stack, top = [], None
    for line in lines:
        line = line.strip()
        if line.endswith("{"):
            key, message = line[:-2], defaultdict(list)
            check(not key.isdigit(), "unknown message", key)
            if stack:
                stack[-1][key].append(message)
            stack.append(message)
        elif line == "}":
            top = stack.pop()
            if not stack:
                yield top
        else:
            key, value = line.split(": ", 1)
            check(not key.isdigit(), "unknown field", key)
            stack[-1][key].append(unquoted(value) if value[0] == '"' else value)


tracks, names, categories, annotations = {}, {}, {}, {}
stacks, last = defaultdict(list), {}
slices, instants, counters = [], [], defaultdict(dict)
flows_from, flows_to = defaultdict(list), defaultdict(list)


def number(message, key, default=None):
    values = message.get(key)
    return int(values[0]) if values else default


def intern(data):
    for key, known in (("event_names", names), ("event_categories", categories),
                       ("debug_annotation_names", annotations)):
        for entry in data.get(key, []):
            iid = number(entry, "iid")
            check(known.get(iid, entry["name"][0]) == entry["name"][0], key, iid, "is given to two names")
            known[iid] = entry["name"][0]


def take_event(at, event):
    uuid, kind = number(event, "track_uuid"), event["type"][0]
    check(uuid in tracks, "event on track", uuid, "which was not described before")
    if kind == "TYPE_COUNTER":
        check("counter" in tracks[uuid], "a count on a track that is no counter")
        value = event["double_counter_value"] if "double_counter_value" in event else event["counter_value"]
        check(at not in counters[uuid], "two counts at", at)
        counters[uuid][at] = float(value[0])
        return
    check("counter" not in tracks[uuid], "a slice on a counter")
    check(last.get(uuid, 0) <= at, "track", uuid, "is not in the order of time at", at)
    last[uuid] = at
    if kind == "TYPE_SLICE_END":
        if stacks[uuid]:
            stacks[uuid].pop()["end"] = at
        else:
            wrong.append(f"track {uuid}: an end at {at} without a beginning")
        return
    said = {annotations.get(number(a, "name_iid"), "?"): a["string_value"][0] if "string_value" in a
            else int(a["int_value"][0]) for a in event.get("debug_annotations", [])}
    item = {"track": uuid, "start": at, "name": names.get(number(event, "name_iid"), "?"), "said": said,
            "category": [categories.get(int(c), "?") for c in event["category_iids"]], "depth": len(stacks[uuid])}
    item["correlation"] = number(event, "correlation_id")
    if kind == "TYPE_INSTANT":
        instants.append(item)
        return
    stacks[uuid].append(item)
    slices.append(item)
    for key, flows in (("flow_ids", flows_from), ("terminating_flow_ids", flows_to)):
        for flow in event.get(key, []):
            flows[flow].append(item)


with open(text_file, encoding="utf-8") as lines:
    for i, packet in enumerate(packets(lines)):
        check(number(packet, "sequence_flags") == (3 if i == 0 else 2), "sequence_flags of packet", i)
        check(number(packet, "trusted_packet_sequence_id") == 1, "sequence of packet", i)
        for data in packet.get("interned_data", []):
            intern(data)
        for track in packet.get("track_descriptor", []):
            check(number(track, "uuid") not in tracks, "track", track["uuid"], "twice")
            tracks[number(track, "uuid")] = track
        for event in packet.get("track_event", []):
            take_event(number(packet, "timestamp"), event)
for uuid, stack in stacks.items():
    check(not stack, "track", uuid, "has slices without end")
for item in slices:
    check(item["depth"] == 0, "slices on track", item["track"], "overlap at", item["start"])
    item["place"] = tracks[item["track"]]["name"][0]
    item["group"] = tracks[number(tracks[item["track"]], "parent_uuid")]["name"][0]

# --- the recording ---------------------------------------------------------------------------------------

facts = ask(f"""SELECT r.record, r.stop_ns, r.misses, r.energy_uj, r.energy_rest_uwns, l.cores,
    EXISTS (SELECT 1 FROM power_interval p WHERE p.run_id = r.run_id AND power_uw > 0) AS powered
    FROM run r JOIN platform l USING (platform_id) WHERE run_id = {run}""")[0]
level = facts["record"]
gpus = ask(f"SELECT u.engines, u.pool, u.sms FROM v_gpu u JOIN run USING (platform_id) WHERE run_id = {run} ORDER BY u.gpu")


def of_gpu(gpu, one, several):
    return one if len(gpus) == 1 else f"GPU {gpu} {several}"


GROUPS_OF_SMS = [of_gpu(g, "SMs", "SMs") for g in range(len(gpus))]
GROUPS_OF_KERNELS = [of_gpu(g, "GPU kernels", "kernels") for g in range(len(gpus))]


def touches(begin="start_ns", end="end_ns"):
    return f"x.run_id = {run} AND {begin} < {stop} AND ({end} > {start} OR {begin} >= {start})"


def same(what, found, expected):
    found, expected = Counter(found), Counter(expected)
    for row in list((found - expected).items())[:3]:
        wrong.append(f"{what}: in the trace only: {row}")
    for row in list((expected - found).items())[:3]:
        wrong.append(f"{what}: in the recording only: {row}")


def seen(item, *said):
    return (item["place"], item["name"], item["start"], item["end"], *(item["said"].get(key) for key in said))


NAMED = """(SELECT s.name FROM v_segment s WHERE s.task_id = x.task_id AND s.segment_idx = x.segment_idx)
    AS segment_name"""
blocks = ask(f"SELECT x.*, t.name, {NAMED} FROM block_interval x JOIN task t USING (task_id) WHERE {touches()}")
same("blocks", ((s["group"], *seen(s, "job", "segment", "segment_name", "block", "threads", "ended")) for s in slices
                if s["group"] in GROUPS_OF_SMS),
     ((GROUPS_OF_SMS[b["gpu"] or 0], f"SM {b['sm']}" if b["sm"] is not None else "all SMs", f"{b['name']} #{b['seq']}", b["start_ns"], b["end_ns"],
       b["seq"], b["segment_idx"], b["segment_name"], b["block"], b["threads"], None if b["ended"] == "done" else b["ended"])
      for b in blocks))

segments = ask(f"""SELECT x.*, t.name, {NAMED} FROM segment_interval x JOIN task t USING (task_id) WHERE {touches()}
    ORDER BY task_id, seq, start_ns, end_ns""")


def place_of(s):
    if s["resource"] == "gpu":
        return s["name"]
    if s["resource"] == "cpu":
        return "CPU" if facts["cores"] == 1 else f"CPU core {s['unit']}"
    name = f"copy engine {s['unit']}" if gpus[s["gpu"] or 0]["engines"] else "copies"
    return of_gpu(s["gpu"] or 0, name, name)


def group_of(s):
    return GROUPS_OF_KERNELS[s["gpu"] or 0] if s["resource"] == "gpu" else None


def category_of(s):
    return ("cpu" if s["kind"] == "run" else s["kind"]) if s["resource"] == "cpu" else \
        {"copy": "copy", "gpu": "kernel"}[s["resource"]]


def name_of(s):
    return f"{s['name']} #{s['seq']}" + ("" if s["kind"] == "run" else " " + s["kind"])


ON_CPU = ("cpu", "spin", "boost", "launch", "switch", "release")
drawn = [s for s in slices if s["category"][0] in ON_CPU + ("copy", "kernel")]
same("segments", ((s["group"] if s["group"] in GROUPS_OF_KERNELS else None,
                   *seen(s, "job", "segment", "segment_name", "part", "sms", "ended"), s["category"][0]) for s in drawn),
     ((group_of(s), place_of(s), name_of(s), s["start_ns"], s["end_ns"], s["seq"], s["segment_idx"], s["segment_name"],
       s["part"] or None, s["granted"], None if s["ended"] == "done" else s["ended"], category_of(s)) for s in segments))

# Flows: from each segment of a job to its next one, and to no other.
links = []
runs_of = [s for s in segments if s["kind"] == "run"]
for a, b in zip(runs_of, runs_of[1:]):
    if (a["task_id"], a["seq"]) == (b["task_id"], b["seq"]):
        links.append((name_of(a), a["segment_idx"], a["start_ns"], b["segment_idx"], b["start_ns"]))
check(flows_from.keys() == flows_to.keys(), "flows without beginning or end:", flows_from.keys() ^ flows_to.keys())
drawn_links = []
for flow in flows_from.keys() & flows_to.keys():
    check(len(flows_from[flow]) == len(flows_to[flow]) == 1, "flow", flow, "is used twice")
    a, b = flows_from[flow][0], flows_to[flow][0]
    check(a["end"] <= b["start"], "flow", flow, "goes back in time")
    check(a["name"] == b["name"], "flow", flow, "goes to another job")
    drawn_links.append((a["name"], a["said"]["segment"], a["start"], b["said"]["segment"], b["start"]))
same("flows", drawn_links, links)
kinds = Counter((flows_from[flow][0]["category"][0], flows_to[flow][0]["category"][0])
                for flow in flows_from.keys() & flows_to.keys())

# Jobs and their marks.
jobs = ask(f"""SELECT * FROM (SELECT x.run_id, t.name, x.seq, x.release_ns, max(x.release_ns,
    coalesce(x.finish_ns, {facts['stop_ns']})) AS end_ns, x.abs_deadline_ns, x.state, x.missed
    FROM job x JOIN task t USING (task_id) WHERE x.run_id = {run}) x""")


def inside(at):
    return at is not None and start <= at < stop


same("jobs", (seen(s, "job", "state", "deadline_ns") for s in slices if s["group"] == "Jobs"),
     ((j["name"], f"{j['name']} #{j['seq']}", j["release_ns"], j["end_ns"], j["seq"], j["state"], j["abs_deadline_ns"])
      for j in jobs if j["release_ns"] < stop and (j["end_ns"] > start or j["release_ns"] >= start)))
same("marks", ((tracks[i["track"]]["name"][0].split(":")[0], i["name"], i["start"], i["said"]["job"]) for i in instants),
     [(j["name"], "release", j["release_ns"], j["seq"]) for j in jobs if inside(j["release_ns"])] +
     [(j["name"], "deadline", j["abs_deadline_ns"], j["seq"]) for j in jobs if inside(j["abs_deadline_ns"])] +
     [(j["name"], "MISS", j["abs_deadline_ns"], j["seq"]) for j in jobs if j["missed"] and inside(j["abs_deadline_ns"])])
misses = sum(i["name"] == "MISS" for i in instants)
check(len(sys.argv) > 5 or misses == facts["misses"], misses, "MISS instants,", facts["misses"], "misses")
of_job = {(s["name"].rsplit(" #", 1)[0], s["said"]["job"]): s["correlation"] for s in slices}
for s in slices:
    check(of_job[s["name"].rsplit(" #", 1)[0], s["said"]["job"]] == s["correlation"], s["name"], "has two correlations")
check(len(set(of_job.values())) == len(of_job), "two jobs have the same correlation")

# --- counters: what changes, and what holds at the beginning ----------------------------------------------

by_name = {tracks[uuid]["name"][0]: found for uuid, found in counters.items()}


def steps(intervals, weight=lambda i: 1):
    changes = Counter()
    for begin, end, item in intervals:
        changes[begin] += weight(item)
        changes[end] -= weight(item)
    value, answer = 0, {start: 0}
    for at in sorted(changes):
        value += changes[at]
        if at <= start:
            answer[start] = value
        elif at < stop and changes[at]:
            answer[at] = value
    return answer


def same_counter(name, expected):
    found = by_name.get(name, {})
    same("counter " + name, found.items(), expected.items())


def busy(intervals):
    merged = []
    for begin, end in sorted(intervals):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([begin, end])
    return [(begin, end, None) for begin, end in merged if end > begin]


if level in ("blocks", "issues"):
    for g, gpu in enumerate(gpus):
        there = [b for b in blocks if (b["gpu"] or 0) == g]
        same_counter(of_gpu(g, "threads on the GPU", "threads"),
                     steps([(b["start_ns"], b["end_ns"], b) for b in there], lambda b: b["threads"]))
        if gpu["pool"] == "sm":
            on = defaultdict(list)
            for b in there:
                on[b["sm"]].append((b["start_ns"], b["end_ns"]))
            same_counter(of_gpu(g, "active SMs", "active SMs"), steps([i for sm in on.values() for i in busy(sm)]))
if level not in ("summary", "jobs"):
    queues = [("cpu", "CPU queue", "waiting for the CPU", "")]
    for g in range(len(gpus)):
        only = f"AND coalesce(x.gpu, 0) = {g}"
        several = len(gpus) > 1
        queues += [("gpu", of_gpu(g, "GPU queue", "queue"), f"waiting for GPU {g}" if several else "waiting for the GPU", only),
                   ("copy", of_gpu(g, "copy queue", "copy queue"),
                    f"waiting for a copy engine of GPU {g}" if several else "waiting for a copy engine", only)]
    for resource, queue, group, only in queues:
        waits = ask(f"""SELECT min(start_ns) AS end_ns, ready_ns, seq, segment_idx, t.name FROM segment_interval x JOIN task t
            USING (task_id) WHERE x.run_id = {run} AND kind = 'run' AND resource = '{resource}' {only}
            GROUP BY task_id, seq, segment_idx""")
        waits = [w for w in waits if w["end_ns"] > w["ready_ns"] and w["ready_ns"] < stop and w["end_ns"] > start]
        same(group, (seen(s, "job", "segment") for s in slices if s["place"] == group),
             ((group, f"{w['name']} #{w['seq']}", w["ready_ns"], w["end_ns"], w["seq"], w["segment_idx"]) for w in waits))
        same_counter(queue, steps([(w["ready_ns"], w["end_ns"], w) for w in waits]))
    spent = 0
    for g in range(len(gpus)):
        power = sorted(by_name.get(of_gpu(g, "GPU power", "power"), {}).items())
        rows = ask(f"""SELECT * FROM power_interval x WHERE {touches()} AND coalesce(gpu, 0) = {g}
            ORDER BY start_ns""") if facts["powered"] else []
        expected = {max(p["start_ns"], start): p["power_uw"] for p in rows}
        expected.update({p["end_ns"]: 0 for p in rows[-1:] if p["end_ns"] < stop})
        same("power", ((at, round(watts * 1e6)) for at, watts in power), expected.items())
        spent += sum(round(watts * 1e6) * (after - at) for (at, watts), (after, _) in zip(power, power[1:]))
    if len(sys.argv) <= 5 and power:
        check(spent == facts["energy_uj"] * 10**9 + facts["energy_rest_uwns"], "power integrates to", spent, "uW ns")
    check(len(sys.argv) > 5 or bool(power) == bool(facts["powered"]), "power where none is, or none")

# --- the order of the tracks ---------------------------------------------------------------------------------

root = [uuid for uuid, track in tracks.items() if "parent_uuid" not in track]
check(len(root) == 1, "tracks without parent:", root)
for uuid, track in tracks.items():
    if "parent_uuid" in track:
        parent = tracks.get(number(track, "parent_uuid"), {})
        check(parent.get("child_ordering") == ["EXPLICIT"], "children of", track.get("parent_uuid"), "have no order")
places = defaultdict(set)
for track in tracks.values():
    places[number(track, "parent_uuid")].add((number(track, "sibling_order_rank"), track["name"][0]))
for parent, children in places.items():
    check(len({rank for rank, _ in children}) == len({name for _, name in children}) == len(children),
          "below", parent, "ranks and names do not go together")
ranked = places[root[0]]
tasks = [t["name"] for t in ask(f"SELECT name FROM task WHERE taskset_id = (SELECT taskset_id FROM run WHERE run_id = {run})"
                                " ORDER BY task_idx")]
orders = {"Jobs": [n for t in tasks for n in (t, t + ": releases, deadlines")]}
for g, gpu in enumerate(gpus):
    orders[GROUPS_OF_SMS[g]] = [f"SM {i}" for i in range(gpu["sms"])] + ["all SMs"]
    orders[GROUPS_OF_KERNELS[g]] = tasks
for parent, children in places.items():
    group = tracks[parent]["name"][0] if parent else None
    order = orders.get(group)
    if order:
        found = [name for _, name in sorted(children)]
        check(found == [name for name in order if name in found], "the tracks of", group, "stand as", *found)

for line in wrong[:12]:
    print("# " + line)
print(f"{len(slices)} slices, {len(instants)} instants, {misses} MISS, {len(flows_to)} flows"
      f" ({kinds['copy', 'kernel']} copy-kernel, {kinds['kernel', 'copy']} kernel-copy), {sum(map(len, counters.values()))} counts;"
      f" {', '.join(name for _, name in sorted(ranked))}")
sys.exit(bool(wrong))
