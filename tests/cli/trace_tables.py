# tests/cli/trace_tables.py - a second decoder for Perfetto traces. It reads the bytes of the file, without protoc, and
# makes the tables of Perfetto's trace processor of them, in SQLite: slice, track, flow, counter, args. It was written from
# Perfetto's public schema (protos/perfetto/trace/*.proto) and from what its trace processor does; it does not know how
# `cegsim trace` makes a trace.
#
#   python3 trace_tables.py FILE.pftrace SQL...     the answers as JSON, one line for each row
#
# What the trace processor would drop or repair in silence is an error here: a name that was not sent before it is used, a
# track that is not known, an end without a beginning, a message or field that is not expected.
import gc
import json
import sqlite3
import struct
import sys

VARINT, FIXED64, BYTES = 0, 1, 2
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
STATE_CLEARED, NEEDS_STATE = 1, 2

# Message: field number -> name and wire type, or the name of the message that it holds. As in Perfetto's schema.
SCHEMA = {
    "Trace": {1: ("packet", "TracePacket")},
    "TracePacket": {8: ("timestamp", VARINT), 10: ("sequence", VARINT), 11: ("event", "TrackEvent"),
                    12: ("interned", "InternedData"), 13: ("flags", VARINT), 60: ("track", "TrackDescriptor")},
    "TrackDescriptor": {1: ("uuid", VARINT), 2: ("name", BYTES), 5: ("parent", VARINT), 8: ("counter", "CounterDescriptor"),
                        11: ("child_ordering", VARINT), 12: ("rank", VARINT)},
    "CounterDescriptor": {6: ("unit", BYTES)},
    "TrackEvent": {3: ("categories", VARINT), 4: ("annotations", "DebugAnnotation"), 9: ("type", VARINT), 10: ("name", VARINT),
                   11: ("track", VARINT), 30: ("count", VARINT), 44: ("measure", FIXED64), 47: ("flows", FIXED64),
                   48: ("last_flows", FIXED64), 52: ("correlation", VARINT)},
    "DebugAnnotation": {1: ("name", VARINT), 4: ("integer", VARINT), 6: ("text", BYTES)},
    "InternedData": {1: ("categories", "Entry"), 2: ("names", "Entry"), 3: ("annotations", "Entry")},
    "Entry": {1: ("iid", VARINT), 2: ("name", BYTES)},
}
REPEATED = {"packet", "categories", "annotations", "flows", "last_flows", "names"}
# The same by key, field number * 8 + wire type: name, wire type, message or "", whether it may be repeated.
FIELDS = {kind: {number << 3 | (BYTES if isinstance(holds, str) else holds):
                 (name, BYTES if isinstance(holds, str) else holds, holds if isinstance(holds, str) else "", name in REPEATED)
                 for number, (name, holds) in fields.items()} for kind, fields in SCHEMA.items()}


class Wrong(Exception):
    """The file is no trace that all readers would understand alike."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise Wrong(f"a number of more than ten bytes at {at}")


def message(data, at, end, kind):
    """The fields of a message as a dictionary; those that may be repeated as lists."""
    known, found = FIELDS[kind], {}
    while at < end:
        key, at = (data[at], at + 1) if data[at] < 128 else varint(data, at)
        if key not in known:
            raise Wrong(f"{kind} has a field {key >> 3} of wire type {key & 7} before byte {at}")
        name, wire, holds, many = known[key]
        if wire == FIXED64:
            value, at = data[at:at + 8], at + 8
        else:
            value, at = (data[at], at + 1) if data[at] < 128 else varint(data, at)
        if wire == BYTES:
            start, at = at, at + value
            value = message(data, start, at, holds) if holds else data[start:at].decode()
        if many:
            found.setdefault(name, []).append(value)
        elif name in found:
            raise Wrong(f"{kind}.{name} twice before byte {at}")
        else:
            found[name] = value
    if at != end:
        raise Wrong(f"{kind} does not end where it says, at byte {end}")
    return found


def packets(path):
    """The packets of a file. It is read in pieces: traces are large."""
    with open(path, "rb") as file:
        rest = b""
        while True:
            piece = file.read(1 << 22)
            data, at, safe = rest + piece, 0, 0
            while len(data) - at >= 12 or (not piece and at < len(data)):
                key, at = varint(data, at)
                length, at = varint(data, at)
                if key != 1 << 3 | BYTES:
                    raise Wrong(f"a key {key} between packets")
                if at + length > len(data):
                    break
                yield message(data, at, at + length, "TracePacket")
                at = safe = at + length
            rest = data[safe:]
            if not piece:
                if rest:
                    raise Wrong("the last packet is not complete")
                return


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Sequence:
    """The names that one writer has sent so far, and the packets as events with their names."""

    def __init__(self):
        self.known = {"categories": {}, "names": {}, "annotations": {}}
        self.tracks = {}
        self.last = {}  # track: (time of its last event, whether it was later or earlier than the one before)

    def intern(self, data):
        for what, entries in data.items():
            for entry in entries:
                if self.known[what].setdefault(entry["iid"], entry["name"]) != entry["name"]:
                    raise Wrong(f"{what}: {entry['iid']} is given to {entry['name']} and to another")

    def name(self, what, iid):
        if iid not in self.known[what]:
            raise Wrong(f"{what}: {iid} was not sent before it is used")
        return self.known[what][iid]

    def describe(self, track):
        if not track["uuid"] or track["uuid"] in self.tracks:
            raise Wrong(f"track {track['uuid']} is described twice")
        if "parent" in track and track["parent"] not in self.tracks:
            raise Wrong(f"track {track['uuid']} is below {track['parent']}, which is not known")
        self.tracks[track["uuid"]] = track

    def in_order(self, track, at):
        """Events of a track come in the order of time, or all in the opposite order (counters only)."""
        before, way = self.last.get(track, (at, 0))
        now = (at > before) - (at < before)
        if now and way and now != way or now < 0 and "counter" not in self.tracks[track]:
            raise Wrong(f"track {track} goes to and fro at {at}")
        self.last[track] = (at, now or way)

    def take(self, i, packet):
        """An event (time, type, track, what else), or None."""
        if packet.get("sequence") != 1 or packet.get("flags") != (NEEDS_STATE if i else NEEDS_STATE | STATE_CLEARED):
            raise Wrong(f"packet {i}: sequence {packet.get('sequence')}, flags {packet.get('flags')}")
        self.intern(packet.get("interned", {}))
        if "track" in packet:
            self.describe(packet["track"])
        event = packet.get("event")
        if event is None:
            return None
        at, track = packet["timestamp"], event["track"]
        if track not in self.tracks:
            raise Wrong(f"packet {i}: an event on track {track}, which is not known")
        if (event["type"] == COUNTER) != ("counter" in self.tracks[track]):
            raise Wrong(f"packet {i}: a slice on a counter, or a count on a track of slices")
        self.in_order(track, at)
        return at, event["type"], track, event

    def category(self, event):
        return ",".join(self.name("categories", iid) for iid in event["categories"])

    def annotations(self, event):
        return [("debug." + self.name("annotations", a["name"]), signed(a["integer"]) if "integer" in a else None,
                 a.get("text")) for a in event.get("annotations", [])]


TABLES = """
CREATE TABLE track (id INTEGER PRIMARY KEY, name, parent_id, rank, unit, is_counter);
CREATE TABLE slice (id INTEGER PRIMARY KEY, ts, dur, track_id, category, name, depth, arg_set_id, correlation);
CREATE TABLE flow (id INTEGER PRIMARY KEY, slice_out, slice_in);
CREATE TABLE counter (id INTEGER PRIMARY KEY, ts, track_id, value);
CREATE TABLE args (arg_set_id, key, int_value, string_value);
"""


class Tables:
    """Takes events in the order of time; those of one instant in the order of the file, as the trace processor does."""

    def __init__(self, db, sequence):
        self.db, self.sequence = db, sequence
        self.open, self.flows, self.slices = {}, {}, 0
        self.rows = {"slice": [], "flow": [], "counter": [], "args": []}

    def flush(self):
        for table, rows in self.rows.items():
            if rows:
                self.db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
                rows.clear()

    def begin(self, at, track, event, names):
        """A slice that is open now; `names` are what its numbers meant where they were sent."""
        category, name, annotations = names
        self.slices += 1
        stack = self.open.setdefault(track, [])
        row = [self.slices, at, 0, track, category, name, len(stack), self.slices, event.get("correlation")]
        stack.append(row)
        self.rows["args"].extend((self.slices, *a) for a in annotations)
        for flow in event.get("last_flows", []):
            if flow not in self.flows:
                raise Wrong(f"a flow ends at {at} that has not begun")
            self.rows["flow"].append((None, self.flows.pop(flow), self.slices))
        for flow in event.get("flows", []):
            if flow in self.flows:
                self.rows["flow"].append((None, self.flows[flow], self.slices))
            self.flows[flow] = self.slices

    def end(self, at, track):
        stack = self.open.get(track)
        if not stack:
            raise Wrong(f"track {track}: an end at {at} without a beginning")
        row = stack.pop()
        row[2] = at - row[1]
        self.rows["slice"].append(row)

    def take(self, at, kind, track, event, names):
        if kind == COUNTER:
            value = struct.unpack("<d", event["measure"])[0] if "measure" in event else signed(event["count"])
            self.rows["counter"].append((None, at, track, value))
        elif kind == END:
            self.end(at, track)
        elif kind in (BEGIN, INSTANT):
            self.begin(at, track, event, names)
            if kind == INSTANT:
                self.end(at, track)
        else:
            raise Wrong(f"an event of type {kind}")

    def finish(self):
        left = [track for track, stack in self.open.items() if stack]
        if left or self.flows:
            raise Wrong(f"tracks {left} have slices without end; {len(self.flows)} flows without end")
        self.flush()


def load(path, db):
    """Makes the tables of the trace in the SQLite database."""
    gc.disable()  # millions of small things and no circle: looking for one takes most of the time
    sequence, events = Sequence(), []
    for i, packet in enumerate(packets(path)):
        event = sequence.take(i, packet)
        if event is not None:
            names = (sequence.category(event[3]), sequence.name("names", event[3]["name"]), sequence.annotations(event[3])) \
                if event[1] in (BEGIN, INSTANT) else None
            events.append((*event, names))
    events.sort(key=lambda event: event[0])  # a stable sort
    db.executescript(TABLES)
    db.executemany("INSERT INTO track VALUES (?, ?, ?, ?, ?, ?)",
                   ((uuid, t["name"], t.get("parent"), t.get("rank"), t.get("counter", {}).get("unit"), int("counter" in t))
                    for uuid, t in sequence.tracks.items()))
    tables = Tables(db, sequence)
    for i, event in enumerate(events):
        tables.take(*event)
        if i % 10000 == 0:
            tables.flush()
    tables.finish()
    db.execute("CREATE INDEX args_of ON args (arg_set_id)")


if __name__ == "__main__":
    memory = sqlite3.connect(":memory:")
    memory.row_factory = sqlite3.Row
    try:
        load(sys.argv[1], memory)
    except Wrong as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
    for sql in sys.argv[2:]:
        for line in memory.execute(sql):
            print(json.dumps(dict(line)))
