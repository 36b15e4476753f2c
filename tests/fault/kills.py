#!/usr/bin/env python3
"""tests/fault/kills.py [KILLS] - verbs that write are killed at random moments: the whole process group, the parent alone, a
worker alone; some with a disk that is full (a limit of the size of files), some into a folder that may not be written. After
each kill nothing stands under the final name that is not whole, no process is left, and the next command, undisturbed (of a
sweep with --resume), gives the content of one that never was disturbed; sets that were on the disk are not made again."""
import ctypes
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fail_each import CEGSIM, files  # noqa: E402
from fail_each import content as content_of  # noqa: E402
from interrupts import CAMPAIGN, LONG, alive, children, write, write_profile  # noqa: E402

END_SECONDS = 120.0
GONE_SECONDS = 5.0


@dataclass
class Verb:
    name: str
    command: list
    inputs: list
    files: list
    again: list = field(default_factory=list)   # is added to the next command
    parts: str = None                           # the folder that stays
    workers: bool = False


VERBS = [
    Verb("run -o", ["run", "long.yaml", "-o", "out.db", "-q"], ["long.yaml"], ["out.db"]),
    Verb("run -o --writer sqlite", ["run", "short.yaml", "-o", "out.db", "-q", "--writer", "sqlite"], ["short.yaml"], ["out.db"]),
    Verb("sweep", ["sweep", "c.yaml", "-o", "out.db", "-q", "-j", "2"], ["c.yaml"], ["out.db"], ["--resume"], "out.db.parts", True),
    Verb("merge", ["merge", "share0.db", "share1.db", "-o", "out.db"], ["share0.db", "share1.db"], ["out.db"]),
    Verb("analyze FILE.db", ["analyze", "sets.db", "-p", "stgm"], ["sets.db"], ["sets.db"]),
    Verb("replay -o", ["replay", "big.json", "-o", "out.db", "-q"], ["big.json"], ["out.db"]),
    Verb("search -o", ["search", "search.yaml", "-o", "found.yaml", "--budget", "1000", "-q", "-j", "2"], ["search.yaml"],
         ["found.yaml", "found.csv"], ["--force"], None, True),
    Verb("import -o", ["import", "big.json", "-o", "out.yaml"], ["big.json"], ["out.yaml", "out.csv", "out.samples.csv"], ["--force"]),
    Verb("view", ["view", "rec.db", "-o", "out.html", "-q"], ["rec.db"], ["out.html"]),
    Verb("trace", ["trace", "rec.db", "-o", "out.pftrace"], ["rec.db"], ["out.pftrace"]),
    Verb("plot", ["plot", "rec.db", "gantt", "-P", "to=20ms", "-o", "out.svg"], ["rec.db"], ["out.svg"], workers=True),
]


def make_inputs(folder):
    def run(*arguments):
        subprocess.run([CEGSIM, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    write(folder, "long.yaml", LONG.replace("HORIZON", "600"))
    write(folder, "short.yaml", LONG.replace("HORIZON", "200"))
    write(folder, "search.yaml", LONG.replace("HORIZON", "20").replace("fifo-cke, rm", "fifo-cke"))
    write(folder, "c.yaml", CAMPAIGN.replace("HORIZON", "40s") + "detail: {record: jobs, when: first-miss, sets: [1, 5]}\n")
    run("run", "short.yaml", "-o", "rec.db", "-q")
    run("gen", "custom", "-n", "30", "-o", "sets.db", "-q")
    for share in range(2):
        run("sweep", "c.yaml", "--shard", f"{share}/2", "-o", f"share{share}.db", "-j", "2", "-q")
    write_profile(os.path.join(folder, "big.json"), 1000)


def content(path):
    """A scenario names the command that made it."""
    if not path.endswith(".yaml"):
        return content_of(path)
    with open(path, encoding="utf-8") as f:
        return f.read().replace(" --force", "")


def full_disk(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def without_override():
    """Also root may not write what nobody may: drops CAP_DAC_OVERRIDE (1)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


class Killing:
    """A verb that is killed again and again, in one folder."""

    def __init__(self, verb, inputs, scratch, draw):
        self.verb, self.inputs, self.scratch, self.draw = verb, inputs, scratch, draw
        self.folder = None
        folder = self.new_folder()
        began = time.monotonic()
        subprocess.run([CEGSIM, *verb.command], cwd=folder, capture_output=True, check=False)
        self.seconds = time.monotonic() - began
        self.whole = {f: content(os.path.join(folder, f)) for f in verb.files}
        self.old = {f: content(os.path.join(inputs, f)) for f in verb.files if f in verb.inputs}
        self.bad, self.kills, self.late, self.units = [], 0, 0, 0
        self.folder = self.new_folder()

    def new_folder(self):
        if self.folder:
            os.chmod(self.folder, 0o755)
            shutil.rmtree(self.folder)
        folder = tempfile.mkdtemp(dir=self.scratch)
        for name in self.verb.inputs:
            shutil.copy(os.path.join(self.inputs, name), folder)
        self.units = 0
        return folder

    def wrong(self, what):
        self.bad.append(f"{self.verb.name}, kill {self.kills}: {what}")
        self.folder = self.new_folder()

    def on_disk(self):
        """Sets that were committed, read in a copy: reading mends a recording."""
        folder = os.path.join(self.folder, self.verb.parts or "")
        if not self.verb.parts or not os.path.isdir(folder):
            return 0
        total = 0
        with tempfile.TemporaryDirectory(dir=self.scratch) as copy:
            for name in os.listdir(folder):
                shutil.copy(os.path.join(folder, name), copy)
            for name in os.listdir(copy):
                if not name.endswith(".part"):
                    continue
                db = sqlite3.connect(os.path.join(copy, name))
                try:
                    total += db.execute("SELECT coalesce(sum(units), 0) FROM stretch").fetchone()[0]
                except sqlite3.DatabaseError:
                    pass  # its writer had committed nothing
                db.close()
        return total

    def kill(self):
        """One life of the command."""
        self.kills += 1
        command = [CEGSIM, *self.verb.command, *(self.verb.again if os.listdir(self.folder) else [])]
        phase = self.draw.choice(["", "", "", "full", "read-only"] if self.kills % 3 == 0 else [""])
        limit = full_disk(self.draw.randrange(1000, 400000)) if phase == "full" else None
        if phase == "read-only":
            os.chmod(self.folder, 0o555)
            limit = without_override
        process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, start_new_session=True, preexec_fn=limit)
        time.sleep(self.draw.random() * self.seconds * 1.1)
        others = children(process.pid)
        how = self.draw.choice(["group", "parent", "worker"] if self.verb.workers else ["group"])
        self.late += process.poll() is not None
        self.send(process, others, how)
        try:
            said = process.communicate(timeout=END_SECONDS)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return self.wrong("hangs")
        if phase == "read-only":
            os.chmod(self.folder, 0o755)
        if process.returncode not in (0, 1, 3, -signal.SIGKILL):
            return self.wrong(f"status {process.returncode}: {said[-300:]}")
        return self.look(process.pid, others)

    @staticmethod
    def send(process, others, how):
        try:
            if how == "group":
                os.killpg(process.pid, signal.SIGKILL)
            elif how == "parent" or not others:
                os.kill(process.pid, signal.SIGKILL)
            else:
                os.kill(others[0], signal.SIGKILL)
        except ProcessLookupError:
            pass

    def look(self, group, others):
        until = time.monotonic() + GONE_SECONDS
        while any(alive(p) for p in others):
            if time.monotonic() > until:
                os.killpg(group, signal.SIGKILL)
                return self.wrong("leaves processes")
            time.sleep(0.005)
        there = {f: content(os.path.join(self.folder, f)) for f in self.verb.files
                 if os.path.exists(os.path.join(self.folder, f))}
        for name, text in there.items():
            if text not in (self.whole[name], self.old.get(name)):
                return self.wrong(f"{name} has other content")
        units = self.on_disk()
        finished = bool(there) and not self.old
        if units < self.units and not finished:
            return self.wrong(f"{self.units} sets were on the disk, {units} are")
        self.units = units
        if finished or self.draw.random() < 0.3:
            self.complete(there)
        return None

    def complete(self, there):
        """The next command is not disturbed."""
        again = self.verb.again if self.verb.parts or there else []
        if there and not again and not self.old:
            again = ["--force"]
        done = subprocess.run([CEGSIM, *self.verb.command, *again], cwd=self.folder, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            return self.wrong(f"the next command ends with status {done.returncode}: {done.stderr[-300:]}")
        now = {f: content(os.path.join(self.folder, f)) for f in self.verb.files}
        left = [f for f in files(self.folder) if f not in self.verb.files and f not in self.verb.inputs]
        if now != self.whole:
            return self.wrong("the next command gives other content")
        if left:
            return self.wrong(f"the next command leaves {left}")
        self.folder = self.new_folder()
        return None


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 44
    names = sys.argv[2:]
    verbs = [v for v in VERBS if not names or v.name in names]
    seed = int.from_bytes(os.urandom(4), "little")
    draw = random.Random(seed)
    bad_verbs = 0
    with tempfile.TemporaryDirectory() as scratch:
        inputs = os.path.join(scratch, "inputs")
        os.mkdir(inputs)
        make_inputs(inputs)
        for count, verb in enumerate(verbs, 1):
            killing = Killing(verb, inputs, scratch, draw)
            for _ in range(kills // len(verbs) * (3 if verb.parts else 1)):
                killing.kill()
            if killing.folder:
                killing.complete({f: 1 for f in verb.files if os.path.exists(os.path.join(killing.folder, f))})
            for line in killing.bad:
                print(f"# {line}")
            bad_verbs += bool(killing.bad)
            print(f"{'not ' if killing.bad else ''}ok {count} - {verb.name}: {killing.kills} kills, {killing.late} of them late; "
                  f"undisturbed it takes {killing.seconds:.2f} s", flush=True)
    print(f"# seed {seed}\n1..{len(verbs)}")
    return 1 if bad_verbs else 0


if __name__ == "__main__":
    sys.exit(main())
