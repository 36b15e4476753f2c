#!/usr/bin/env python3
"""tests/fault/fail_each.py PART [CASE...] - every verb, with calls that fail (tests/fault/fail_nth.c): allocations, system
calls, short reads and writes; the Nth alone, or it and all after it.

A command either does what it does undisturbed, or ends with status 3 and says why. It never crashes, hangs, leaves a
process, a final file with other content, or a file that is in the way of the next command, which is made in the same
folder, undisturbed.

PART is "some": a sample that the seed below decides; "all": each N up to MOST of each kind, more as a sample. With CASEs
only these. CEGSIM is the program; FAIL_NTH and MAKE_EXPORT are the tests' programs."""
import errno
import hashlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cases import CASES, make_inputs  # noqa: E402

CEGSIM = os.path.abspath(os.environ["CEGSIM"])
FAIL_NTH = os.path.abspath(os.environ["FAIL_NTH"])
SEED = 21
SAMPLED = 40  # pairs of a case and a kind in "some"
EACH = 4      # calls that fail in each of them
MOST = 150    # in "all"
SECONDS = 60

# kind: the errors that it may have; the last with "+": all later calls fail, too
KINDS = {
    "malloc": [("ENOMEM", ""), ("ENOMEM", "+")],
    "short-read": [("EIO", ""), ("EIO", "+")],
    "short-write": [("EIO", ""), ("EIO", "+")],
    "open": [("EMFILE", ""), ("EIO", ""), ("EINTR", "")],
    "read": [("EIO", ""), ("EINTR", ""), ("EIO", "+")],
    "write": [("ENOSPC", ""), ("EIO", ""), ("EINTR", ""), ("ENOSPC", "+")],
    "fsync": [("EIO", ""), ("ENOSPC", "+")],
    "rename": [("EIO", ""), ("EACCES", "+")],
    "unlink": [("EACCES", ""), ("EIO", "+")],
    "folder": [("EIO", ""), ("ENOSPC", "")],
    "fork": [("EAGAIN", ""), ("ENOMEM", "+")],
    "pipe": [("EMFILE", ""), ("ENFILE", "+")],
    "close": [("EIO", ""), ("EINTR", "")],
    "truncate": [("EIO", ""), ("ENOSPC", "+")],
    "copy": [("EIO", ""), ("ENOSPC", "+"), ("EXDEV", "+")],
    "mmap": [("ENOMEM", ""), ("ENOMEM", "+")],
    "stat": [("EIO", ""), ("EIO", "+")],
    "lock": [("EIO", ""), ("ENOLCK", "+")],
}


def content(path):
    """What a file says: of a database, its rows, but for the time that they took to make."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:15] != b"SQLite format 3":
        return hashlib.sha256(data).hexdigest()
    db = sqlite3.connect(f"file:{path}?mode=rw", uri=True)
    try:
        columns = db.execute("""SELECT t.name, group_concat('"' || c.name || '"') FROM sqlite_master t
            JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name <> 'wall_us' GROUP BY 1 ORDER BY 1""")
        text = repr([(t, sorted(map(repr, db.execute(f'SELECT {names} FROM "{t}"')))) for t, names in columns.fetchall()])
        return hashlib.sha256(text.encode()).hexdigest()
    finally:
        db.close()


def files(folder):
    return sorted(os.path.relpath(os.path.join(d, n), folder) for d, _, names in os.walk(folder) for n in names)


class Walk:
    """One case: its command undisturbed, and then with calls that fail."""

    def __init__(self, case, inputs, scratch):
        self.case, self.inputs, self.scratch = case, inputs, scratch
        self.plain = self.prepare()
        self.status, self.out, _ = self.call(self.plain, [CEGSIM, *case.command])
        self.files = {f: content(os.path.join(self.plain, f)) for f in case.files}
        self.old = {f: content(os.path.join(inputs, f)) for f in case.files if f in case.inputs}

    def prepare(self):
        folder = tempfile.mkdtemp(dir=self.scratch)
        for name in self.case.inputs:
            shutil.copy(os.path.join(self.inputs, name), folder)
        return folder

    def call(self, folder, command, **more):
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, **more)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def fail(self, kind, error, nth, folder):
        """(calls, failed, status, output, errors, what went wrong outside of it)"""
        get, put = os.pipe()
        number = str(getattr(errno, error))
        _, out, err = self.call(folder, [FAIL_NTH, str(put), str(SECONDS), kind, number, nth, CEGSIM, *self.case.command],
                                pass_fds=[put])
        os.close(put)
        with os.fdopen(get) as result:
            words = result.read().split()
        if len(words) != 5:
            return 0, 0, 0, out, err, f"fail_nth: {err}"
        calls, failed, status, orphans, hang = map(int, words)
        bad = "hangs" if hang else "leaves processes" if orphans else ""
        if os.WIFSIGNALED(status) and not hang:
            bad = f"is ended by signal {os.WTERMSIG(status)}"
        return calls, failed, os.waitstatus_to_exitcode(status), out, err, bad

    def judge(self, kind, folder, status, out, err):
        """What is wrong with the end of a command some of whose calls failed; None: nothing."""
        there = {f: content(os.path.join(folder, f)) for f in self.case.files if os.path.exists(os.path.join(folder, f))}
        if status == self.status:
            if out != self.out:
                return f"status {status}, but another output"
            return None if there == self.files else f"status {status}, but other files: {files(folder)}"
        if status != 3:
            return f"status {status}: {err.strip()[-200:]}"
        if not err.strip():
            return "status 3 without a word"
        for name, text in there.items():
            if text != self.files[name] and text != self.old.get(name):
                return f"status 3, but {name} has other content"
        left = [f for f in files(folder) if f not in self.case.files and f not in self.case.inputs
                and not any(f.startswith(p) for p in self.case.kept)]
        # What cannot be removed, looked at or renamed stays; the next command must not mind.
        if kind == "lock":
            left = [f for f in left if os.path.getsize(os.path.join(folder, f)) > 0]
        if left and kind not in ("unlink", "stat", "rename"):
            return f"status 3, and leaves {left}"
        return None

    def judge_next(self, folder):
        """The next command in the same folder."""
        for name in self.case.files:
            path = os.path.join(folder, name)
            if name not in self.case.inputs and os.path.exists(path):
                os.remove(path)  # it has the right content
        status, out, err = self.call(folder, [CEGSIM, *(self.case.again or self.case.command)])
        if status != self.status or out != self.out:
            return f"the next command ends with status {status}: {err.strip()[-200:]}"
        there = {f: content(os.path.join(folder, f)) for f in self.case.files}
        return None if there == self.files else "the next command makes other files"

    def one(self, kind, error, nth):
        folder = self.prepare()
        calls, failed, status, out, err, bad = self.fail(kind, error, nth, folder)
        if not bad and failed:
            bad = self.judge(kind, folder, status, out, err)
            if not bad and status != self.status:
                bad = self.judge_next(folder)
        shutil.rmtree(folder, ignore_errors=True)
        where = f"{self.case.name}: {kind} {nth} of {calls} fails with {error}"
        return calls, failed, f"{where}: {bad}" if bad else None


def chosen(calls, part, draw):
    """Which calls fail."""
    most = EACH if part == "some" else MOST
    if calls <= most:
        return range(1, calls + 1)
    return sorted(draw.sample(range(1, calls + 1), most))


def walk_kind(walk, kind, part, draw):
    calls, _, bad = walk.one(kind, KINDS[kind][0][0], "0")
    if bad:
        return 0, [bad]
    jobs = []
    for n in chosen(calls, part, draw):
        errors = KINDS[kind] if part == "all" else [draw.choice(KINDS[kind])]
        jobs += [(error, f"{n}{plus}") for error, plus in errors]
    results = [walk.one(kind, error, nth) for error, nth in jobs]
    return sum(1 for r in results if r[1]), [r[2] for r in results if r[2]]


def main():
    part, names = sys.argv[1], sys.argv[2:]
    kinds = os.environ.get("KINDS", " ".join(KINDS)).split()
    seed = int(os.environ.get("SEED", SEED))
    draw = random.Random(seed)
    pairs = [(c, k) for c in CASES for k in kinds if not names or c.name in names]
    if part == "some" and not names:
        pairs = draw.sample(pairs, min(SAMPLED, len(pairs)))
    with tempfile.TemporaryDirectory() as scratch:
        inputs = os.path.join(scratch, "inputs")
        os.mkdir(inputs)
        make_inputs(CEGSIM, inputs)
        walks = {c.name: Walk(c, inputs, scratch) for c in {c.name: c for c, _ in pairs}.values()}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ways = [(c, k, pool.submit(walk_kind, walks[c.name], k, part, random.Random(f"{seed} {c.name} {k}")))
                    for c, k in pairs]
            bad_cases, total = 0, 0
            for number, (case, kind, way) in enumerate(ways, 1):
                failures, bad = way.result()
                total += failures
                for line in bad[:20]:
                    print(f"# {line}")
                bad_cases += bool(bad)
                print(f"{'not ' if bad else ''}ok {number} - {case.name}: {kind}, {failures} failures"
                      + (f", {len(bad)} of them bad" if bad else ""), flush=True)
        print(f"# seed {seed}: {total} failures")
    print(f"1..{len(pairs)}")
    return 1 if bad_cases else 0


if __name__ == "__main__":
    sys.exit(main())
