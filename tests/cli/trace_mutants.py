# tests/cli/trace_mutants.py FILE.pftrace FOLDER - writes traces with one defect each into the folder, and prints their names.
# trace_counts.py must refuse all of them. Packets are changed as bytes.
import os
import sys

from trace_tables import packets, varint


def cut(data):
    """The packets of a trace, each with its key and length."""
    at, found = 0, []
    while at < len(data):
        length, start = varint(data, at + 1)
        found.append(data[at:start + length])
        at = start + length
    return found


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def changed(packet, old, new):
    """The packet with one field in place of another of the same length."""
    assert len(old) == len(new) and old in packet, (packet, old)
    return packet.replace(old, new, 1)


with open(sys.argv[1], "rb") as file:
    whole = cut(file.read())
read = list(packets(sys.argv[1]))
kinds = [(p.get("event") or {}).get("type") for p in read]
CATEGORY = {entry["name"]: entry["iid"] for entry in read[0]["interned"]["categories"]}


def where(test):
    return next(i for i, p in enumerate(read) if test(p, p.get("event") or {}))


def of(category):
    return where(lambda p, e: e.get("categories") == [CATEGORY[category]])


def without(i):
    return whole[:i] + whole[i + 1:]


def at(i, packet):
    return whole[:i] + [packet] + whole[i + 1:]


def later(i, by=1):
    """Packet i, `by` ns later."""
    then = read[i]["timestamp"]
    return changed(whole[i], b"\x40" + number(then), b"\x40" + number(then + by))


name = where(lambda p, e: "interned" in p and e)
counter = where(lambda p, e: e.get("type") == 4 and e.get("count", 0) > 0)
flow = where(lambda p, e: "flows" in e)
other = where(lambda p, e: "flows" in e and e["flows"] != read[flow]["event"]["flows"])
parent = where(lambda p, e: "parent" in p.get("track", {}))
root = where(lambda p, e: "track" in p and "parent" not in p["track"])
block, copy = of("block"), of("copy")
IID = read[name]["interned"]["names"][0]["iid"]
FLOW, OTHER = (b"\xf9\x02" + read[i]["event"]["flows"][0] for i in (flow, other))
MUTANTS = {
    "end-later": at(block + 1, later(block + 1)),
    "slice-lost": whole[:block] + whole[block + 2:],
    "slice-twice": whole + whole[copy:copy + 2],
    "end-lost": without(block + 1),
    "begin-lost": without(copy),
    "copy-as-kernel": at(copy, changed(whole[copy], b"\x18" + number(CATEGORY["copy"]), b"\x18" + number(CATEGORY["kernel"]))),
    "name-not-sent": at(name, changed(whole[name], b"\x08" + number(IID), b"\x08" + number(IID + 1))),
    "count-lost": without(counter),
    "count-later": at(counter, later(counter)),
    "count-wrong": at(counter, changed(whole[counter], b"\xf0\x01" + number(read[counter]["event"]["count"]),
                                       b"\xf0\x01" + number(read[counter]["event"]["count"] - 1))),
    "flows-crossed": [changed(p, FLOW, OTHER) if i == flow else changed(p, OTHER, FLOW) if i == other else p
                      for i, p in enumerate(whole)],
    "flow-without-end": without(where(lambda p, e: "last_flows" in e)),
    "mark-lost": without(of("mark")),
    "track-lost": without(parent),
    "track-twice": whole[:parent + 1] + whole[parent:],
    "child-before-parent": [*whole[:root], whole[parent], *whole[root:parent], *whole[parent + 1:]],
    "unknown-field": at(copy, b"\x0a" + number(len(whole[copy]) - 2 + 3) + whole[copy][2:] + b"\xb8\x1f\x01"),
    "cut-off": [*whole[:-1], whole[-1][:-1]],
}
for mutant, trace in MUTANTS.items():
    with open(os.path.join(sys.argv[2], mutant + ".pftrace"), "wb") as file:
        file.write(b"".join(trace))
    print(mutant)
