# tests/cli/digests.py - computes the digests of a recording again, only from what docs/recording.md says ("Digests"). It
# is for a tamperer who knows how digests are made.
import struct

MASK = (1 << 64) - 1
M = 0x9E3779B97F4A7C15


def mix(z):
    z &= MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class Digest:
    def __init__(self):
        self.state = M

    def word(self, word):
        self.state = mix(self.state * M + (word & MASK))

    def number(self, value):
        self.word(1)
        self.word(-(1 << 63) if value is None else value)

    def text(self, value):
        if value is None:
            self.word(3)
            return
        data = value.encode() if isinstance(value, str) else str(value).encode()
        self.word(2)
        self.word(len(data))
        for i in range(0, len(data), 8):
            self.word(struct.unpack("<Q", data[i : i + 8].ljust(8, b"\0"))[0])

    def end(self):
        return mix(self.state)

    def __str__(self):
        return f"{self.end():016x}"


COMPUTED = {"interleave": "TEXT"}  # columns that a view computes have no type before SQLite 3.41
TASKS = ("task_id", "by_task_id", "failing_task_id")


class Digests:
    def __init__(self, db):
        self.db = db

    def columns(self, table, first=None, last=None):
        found, within = [], first is None
        for _, name, kind, *_ in self.db.execute(f"PRAGMA table_info({table})").fetchall():
            within = within or name == first
            counts = name in TASKS or not (name.endswith("_id") or name == "task_idx")
            if first is None and name == "digest" or name in ("gpu_active_ns", "sm_active_ns"):
                counts = False
            if within and counts:
                found.append((name, kind or COMPUTED.get(name, "INTEGER")))
            if name == last:
                break
        return found

    def rows(self, table, where, order="1", first=None, last=None):
        columns = self.columns(table, first, last)
        sql = ", ".join(
            f"(SELECT x.task_idx FROM task x WHERE x.task_id = t.{n})" if n in TASKS else f"t.{n}" for n, _ in columns)
        for row in self.db.execute(f"SELECT {sql} FROM {table} t {where} ORDER BY {order}").fetchall():
            yield [(kind, value) for (_, kind), value in zip(columns, row)]

    @staticmethod
    def add(digest, row):
        for kind, value in row:
            digest.text(value) if kind == "TEXT" else digest.number(value)

    def add_all(self, digest, table, where, order, counted=True):
        rows = list(self.rows(table, where, order))
        if counted:
            digest.number(len(rows))
        for row in rows:
            self.add(digest, row)

    def one(self, sql, *values):
        row = self.db.execute(sql, values).fetchone()
        return row[0] if row else None

    def thing(self, table, key):
        d = Digest()
        for row in self.rows(table, f"WHERE t.{table}_id = {key}"):
            self.add(d, row)
        return str(d)

    def trace(self, key):
        d = Digest()
        releases = [r[0] for r in self.db.execute("SELECT release_ns FROM trace_release WHERE trace_id = ? ORDER BY seq", (key,))]
        d.number(len(releases))
        for release in releases:
            d.number(release)
        self.add_all(d, "trace_duration", f"WHERE t.trace_id = {key}", "t.seq, t.segment_idx", False)
        return str(d)

    def set(self, key):
        d = Digest()
        own, join = f"WHERE t.taskset_id = {key}", f"JOIN task o USING (task_id) WHERE o.taskset_id = {key}"
        for row in self.rows("taskset", own):
            self.add(d, row)
        self.add_all(d, "task", own, "t.task_idx")
        self.add_all(d, "segment", join, "o.task_idx, t.segment_idx")
        self.add_all(d, "profile", own, "t.profile_idx, t.sms")
        if self.one("SELECT count(*) FROM segment_block JOIN task USING (task_id) WHERE taskset_id = ?", key):
            self.add_all(d, "segment_block", join, "o.task_idx, t.segment_idx, t.block")
        if self.one("SELECT count(*) FROM segment_sample JOIN task USING (task_id) WHERE taskset_id = ?", key):
            self.add_all(d, "segment_sample", join, "o.task_idx, t.segment_idx, t.sample")
        if self.one("SELECT count(*) FROM task_after JOIN task USING (task_id) WHERE taskset_id = ?", key):
            self.add_all(d, "task_after", join, "o.task_idx, t.place")
        if self.one("SELECT count(*) FROM chain WHERE taskset_id = ?", key):
            self.add_all(d, "chain", own, "t.chain_idx")
            self.add_all(d, "chain_task", own, "t.chain_idx, t.stage")
        if self.one("SELECT count(*) FROM warp_machine WHERE taskset_id = ?", key):
            self.add_all(d, "warp_machine", own, "1", False)
            self.add_all(d, "warp_unit", own, "instr(',int,fp,fp64,sfu,tensor,memory,', ',' || t.unit || ',')")
            self.add_all(d, "warp_kernel", join, "o.task_idx")
            self.add_all(d, "warp_step", join, "o.task_idx, t.step_idx")
        for (trace,) in self.db.execute(
            "SELECT r.digest FROM task t JOIN release_trace r USING (trace_id) WHERE taskset_id = ? ORDER BY task_idx", (key,)):
            d.text(trace)
        return str(d)

    def setup(self, key):
        d = Digest()
        for row in self.rows("run", f"WHERE t.run_id = {key}", first="seed", last="ties"):
            self.add(d, row)
        trace = self.one("SELECT r.digest FROM run JOIN release_trace r USING (trace_id) WHERE run_id = ?", key)
        if trace:
            d.text(trace)
        return str(d)

    def sum(self, tables, where):
        total = 0
        for table in tables:
            for row in self.rows(table, where):
                d = Digest()
                d.text(table)
                self.add(d, row)
                total += d.end()
        total &= MASK
        return total - (1 << 64) if total >> 63 else total

    def things(self, d, table, key, names):
        for name in names:
            d.text(self.one(f"SELECT x.digest FROM {table} t JOIN {name} x USING ({name}_id) WHERE t.{table}_id = ?", key))

    def identity(self, key):
        d = Digest()
        self.things(d, "run", key, ["scenario", "taskset", "platform", "policy"])
        d.text(self.one("SELECT setup_digest FROM run WHERE run_id = ?", key))
        d.number(self.one("SELECT replication FROM run WHERE run_id = ?", key))
        for row in self.rows("run", f"WHERE t.run_id = {key}", first="status", last="events_digest"):
            self.add(d, row)
        d.number(self.sum(["run_task", "run_task_hist", "run_warp_kernel", "run_sub_core", "chain_run", "run_gpu"], f"WHERE t.run_id = {key}"))
        return str(d)

    def analysis_identity(self, key):
        d = Digest()
        self.things(d, "analysis_run", key, ["taskset", "platform", "policy"])
        where = f"WHERE t.analysis_run_id = {key}"
        for first, last in (("analysis", "version"), ("allocation", "failing_task_id")):
            for row in self.rows("analysis_run", where, first=first, last=last):
                self.add(d, row)
        d.number(self.sum(["bound", "bound_part", "chain_bound"], where))
        return str(d)

    def schedule(self, key):
        total = 0
        for row in self.db.execute(
            "SELECT release_ns, abs_deadline_ns, first_start_ns, finish_ns, task_idx, seq, outcome FROM job"
            " JOIN task USING (task_id) WHERE run_id = ?", (key,)):
            release, deadline, first, finish, task, seq, outcome = (-1 if v is None else v for v in row)
            total += mix(release * M + deadline * 0xD1342543DE82EF95 + first * 0xAEF17502108EF2D9
                + finish * 0xF1357AEA2E62A9C5 + (8 * ((task << 32) + seq) + outcome) * 0xD6E8FEB86659FD93)
        events = int(self.one("SELECT events_digest FROM run WHERE run_id = ?", key), 16)
        return f"{mix(events * M + total):016x}"

    def ids(self, table):
        return [r[0] for r in self.db.execute(f"SELECT {table}_id FROM {table}").fetchall()]

    # Things are identified by their digests, so references to them are right at once.
    def fix_things(self):
        def put(table, column, key, value):
            self.db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {table}_id = ?", (value, key))
        for table in ("scenario", "platform", "policy"):
            for key in self.ids(table):
                put(table, "digest", key, self.thing(table, key))
        for (key,) in self.db.execute("SELECT trace_id FROM release_trace").fetchall():
            self.db.execute("UPDATE release_trace SET digest = ? WHERE trace_id = ?", (self.trace(key), key))
        for key in self.ids("taskset"):
            put("taskset", "digest", key, self.set(key))
        for key in self.ids("run"):
            put("run", "setup_digest", key, self.setup(key))

    def has_identities(self):
        return any(row[1] == "identity_digest" for row in self.db.execute("PRAGMA table_info(run)"))

    def fix_all(self):
        self.fix_things()
        if not self.has_identities():
            return
        for key in self.ids("run"):
            if self.one("SELECT record <> 'summary' AND digest IS NOT NULL FROM run WHERE run_id = ?", key):
                self.db.execute("UPDATE run SET digest = ? WHERE run_id = ?", (self.schedule(key), key))
            self.db.execute("UPDATE run SET identity_digest = ? WHERE run_id = ?", (self.identity(key), key))
        for key in self.ids("analysis_run"):
            self.db.execute("UPDATE analysis_run SET identity_digest = ? WHERE analysis_run_id = ?",
                (self.analysis_identity(key), key))
