"""tests/summary.py STATUS LOG... - the end of ./test.sh, from meson's testlog.json: which cases failed and
what they say (meson shows the latter in its log alone), and the closing line.

Counts the cases of TAP programs one by one and other programs as one case each. A program
that ended badly without naming a failed case, a log that is missing, and a failure of the build
(STATUS other than 0 though no case failed) count as one failure. Ends with status 0
if nothing failed.
"""
import json
import re
import sys

SHOWN = 40  # lines of one program
GOOD = ("OK", "EXPECTEDFAIL")
CASE = re.compile(r"^(not )?ok\b(?!.*# *skip)", re.MULTILINE | re.IGNORECASE)


def count(test):
    """(passed, failed) of one program."""
    cases = [match.group(1) is None for match in CASE.finditer(test.get("stdout") or "")]
    good = test["result"] in GOOD
    if not cases:
        return (0, 0) if test["result"] == "SKIP" else (int(good), int(not good))
    failed = cases.count(False)
    return cases.count(True), failed if failed or good else 1


def failures(output):
    """The failed cases of a TAP program, each with the comments around it."""
    found, comments, failed = [], [], False
    for line in [*output.splitlines(), "ok"]:
        if line.startswith("#"):
            comments.append(line)
            continue
        if failed or line.startswith("not ok"):
            found += comments
        failed = line.startswith("not ok")
        comments = []
        if failed:
            found.append(line)
    return found


def show(test):
    print(f"\n== {test['name']}: {' '.join(test['command'])}")
    lines = failures(test.get("stdout") or "") + (test.get("stderr") or "").splitlines()
    lines = [line for line in lines if line]
    print("\n".join(lines[:SHOWN]))
    if len(lines) > SHOWN:
        print(f"... {len(lines) - SHOWN} lines more in meson-logs/testlog.txt")


def main(status, logs):
    passed = failed = 0
    for log in logs:
        try:
            with open(log, encoding="utf-8") as lines:
                tests = [json.loads(line) for line in lines if line.strip()]
            counts = [count(test) for test in tests]
        except OSError:
            tests, counts = [], [(0, 1)]
        for test in tests:
            if test["result"] not in (*GOOD, "SKIP"):
                show(test)
        passed += sum(good for good, _ in counts)
        failed += sum(bad for _, bad in counts)
    if status != 0 and failed == 0:
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
