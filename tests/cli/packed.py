# tests/cli/packed.py FILE.db - computes the digests of all task sets of a campaign's recording from its rows, with Python's
# SQLite, and ends with 1 if one is not as recorded, or if there is none.
import sqlite3
import sys

from digests import Digests

db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
assert db.execute("SELECT type FROM sqlite_master WHERE name = 'segment'").fetchone() == ("view",)
digests = Digests(db)
wrong = [key for key, digest in db.execute("SELECT taskset_id, digest FROM taskset").fetchall() if digests.set(key) != digest]
for key in wrong:
    print(f"set {key}", file=sys.stderr)
sys.exit(1 if wrong or not digests.ids("taskset") else 0)
