# tests/cli/control_codes.py [long] - text of a stranger's recording never reaches a terminal, or a pipe, as control codes:
# every text column of recordings of several kinds gets some, and every second verb that reads recordings is asked, on a
# terminal or through a pipe by turns (long: all, both ways, and a column once for each recording that has it). TAP on standard
# output. CEGSIM is the program.
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import termios
import tty

CEGSIM = os.environ["CEGSIM"]
SOURCES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LONG = sys.argv[1:] == ["long"]

# Colour, bell, the title of the window, the same with a C1 code (as UTF-8, and bare), delete, and going back.
CODES = b"\x1b[31m\x07\x1b]0;x\x07\xc2\x9b32m\x9b33m\x7f\x08\r"
# The same behind an escape of JSON, for columns with JSON.
IN_JSON = r"\u001b[31m\u0007\u009b32m\u007f\b\r"
# What must not be seen: all controls but a line feed and a tab, C1 codes, and what is no UTF-8.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd]")

CAMPAIGN = """cegsim-campaign: 1
name: small
seed: 2026
sets: 2
{more}generate: {{recipe: rtgpu-table1, subtasks: 3, utilisation: [40%, 120%]}}
analyses: [rtgpu, stgm]
policies: [{{name: rtgpu, admit: any}}, fifo-cke]
run: {{horizon: {{periods: 3}}, stop: horizon}}
"""
# What a column means to the verbs depends on what the recording is of: a column is asked about once for each of the three.
RECORDINGS = {
    "tasks": ("scenarios/examples/quickstart.yaml", "blocks", "runs"),
    "chains": ("scenarios/examples/chains.yaml", "segments", "runs"),
    "gpus": ("scenarios/examples/two-gpus.yaml", "blocks", "runs"),
    "warps": ("scenarios/papers/qaws-fig2-case1.yaml", "issues", "runs"),
    "profiles": ("scenarios/papers/sbeet-example1.yaml", "blocks", "runs"),
    "replay": ("scenarios/examples/drive.sqlite", None, "import"),
    "campaign": (CAMPAIGN.format(more=""), None, "sets"),
    "verdicts": (CAMPAIGN.format(more="record: verdicts\n"), None, "sets"),
}
# FILE is the recording.
VERBS = """
audit FILE -v
trace FILE -o o.pftrace --force
validate FILE
validate FILE --shrink -o small.yaml --force
view FILE -o o.html --force
plot FILE gantt -o o.svg --script o.gp --force
plot FILE response-box -o o.svg --script o.gp --force
run FILE
analyze FILE
search FILE --budget 5 -j1
merge FILE --digest
merge FILE --acceptance
merge FILE -o o.db --force
sweep FILE --units 0 -o o.db --force -j1
query FILE
query FILE @overview
query FILE @response
query FILE @schedule
query FILE @verdicts
query FILE @acceptance
query FILE --describe
""".strip().splitlines()




def ask(words):
    done = subprocess.run([CEGSIM, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.stdout + done.stderr


def ask_on_terminal(words):
    ours, its = pty.openpty()
    tty.setraw(its, termios.TCSANOW)
    with subprocess.Popen([CEGSIM, *words], stdin=subprocess.DEVNULL, stdout=its, stderr=its) as process:
        os.close(its)
        seen = b""
        try:
            while piece := os.read(ours, 65536):
                seen += piece
        except OSError:
            pass  # the last that had the terminal open has ended
        os.close(ours)
        process.wait()
    return seen.replace(b"\r\x1b[K", b"")  # what takes back the bar of progress


def make_recordings():
    for name, (source, level, _) in RECORDINGS.items():
        if "\n" in source:
            with open(f"{name}.yaml", "w", encoding="utf-8") as file:
                file.write(source)
            words = ["sweep", f"{name}.yaml"]
        else:
            words = ["replay" if source.endswith(".sqlite") else "run", f"{SOURCES}/{source}"]
        words += ["-q", "-o", f"{name}.db"] + (["--record", level] if level else [])
        subprocess.run([CEGSIM, *words], check=True, capture_output=True)
        if name in ("tasks", "chains"):
            subprocess.run([CEGSIM, "analyze", f"{name}.db"], check=False, capture_output=True)
        db = sqlite3.connect(f"{name}.db")
        db.execute("INSERT INTO meta (key, value) VALUES ('interrupted', 'by us')")
        db.commit()
        db.close()


def text_columns(file):
    """Tables and columns with text, of those that have rows."""
    db = sqlite3.connect(file)
    names = db.execute(
        "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table' AND "
        "p.type = 'TEXT' AND m.name NOT LIKE 'sqlite%'").fetchall()
    found = [(t, c) for t, c in names if db.execute(f"SELECT 1 FROM {t} WHERE {c} IS NOT NULL LIMIT 1").fetchall()]
    db.close()
    return found


def with_codes(value):
    if value is None:
        return None
    text = value.encode() if isinstance(value, str) else bytes(value)
    if re.match(rb"[\[{].*\"", text, re.S):
        return re.sub(r'"((?:[^"\\]|\\.)*)"', lambda m: f'"{m[1]}{IN_JSON}"', text.decode(), flags=re.S).encode()
    return text + CODES


def change(source, file, table, column):
    shutil.copyfile(source, file)
    db = sqlite3.connect(file, isolation_level=None)
    db.create_function("with_codes", 1, with_codes)
    db.execute("PRAGMA ignore_check_constraints = on")
    db.execute(f"UPDATE OR IGNORE {table} SET {column} = CAST(with_codes({column}) AS TEXT)")
    db.close()


def judge(file, number, what):
    """The words of the verbs that let a code through, asked about the file."""
    bad = []
    ways = (("pipe", ask), ("terminal", ask_on_terminal))
    for verb, line in enumerate(VERBS):
        if not LONG and (number + verb) % 2:
            continue
        words = [file if word == "FILE" else word for word in line.split()]
        for where, how in ways if LONG else [ways[(number + verb) // 2 % 2]]:
            shown = how(words).decode(errors="replace")
            found = CONTROL.search(shown)
            if found:
                around = shown[max(0, found.start() - 60):found.end() + 20]
                bad.append(f"{what}: cegsim {' '.join(words)}, on a {where}: {around!r}")
    return bad


def judge_csv():
    change("tasks.db", "x.db", "task", "name")
    answer = subprocess.run([CEGSIM, "query", "x.db", "SELECT name FROM task", "--format", "csv"], capture_output=True,
                            check=False)
    return CODES not in answer.stdout


def main():
    cases = failed = 0
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_recordings()
        for name, (_, _, group) in RECORDINGS.items():
            for table, column in text_columns(f"{name}.db"):
                if (table, column, group) in seen and not LONG:
                    continue
                seen.add((table, column, group))
                change(f"{name}.db", "x.db", table, column)
                bad = judge("x.db", cases, f"{name}, {table}.{column}")
                cases += 1
                failed += bool(bad)
                for line in bad:
                    print("#", line)
                print(f"{'not ' if bad else ''}ok {cases} - {table}.{column} of {name}", flush=True)
        bad = judge_csv()
        cases += 1
        failed += bad
        print(f"{'not ' if bad else ''}ok {cases} - for programs the bytes of a text stay as they are")
    print(f"1..{cases}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
