"""tests/summary.py STATUS LOG... - the closing line of ./test.sh, from meson's testlog.json.

Counts the cases of TAP programs one by one and other programs as one case each. A program
that ended badly without naming a failed case, a log that is missing, and a failure of the build
(STATUS other than 0 though no case failed) count as one failure. Ends with status 0
if nothing failed.
"""
import json
import re
import sys

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


def main(status, logs):
    passed = failed = 0
    for log in logs:
        try:
            with open(log, encoding="utf-8") as lines:
                counts = [count(json.loads(line)) for line in lines if line.strip()]
        except OSError:
            counts = [(0, 1)]
        passed += sum(good for good, _ in counts)
        failed += sum(bad for _, bad in counts)
    if status != 0 and failed == 0:
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
