"""tests/cli/view_page.py - takes a page of `cegsim view` to pieces, and computes again, slowly, what is in it.

  view_page.py NAME RECORDING WHAT...     NAME.html becomes NAME.json and NAME.x, and its form is checked; then, by WHAT,

  rows             every table against the recording, row by row
  windows=LIMIT    the choice of windows against a choice by trial
  detail           lanes and levels of detail, entry by entry
  answers          those of the named queries, as the page has them, to the page and to the recording

Prints what is wrong and ends with status 1, or prints counts of what was compared."""
import base64
import collections
import gzip
import json
import re
import sqlite3
import struct
import sys

PIECE = 768 * 1024
MISSES = 10000
NEVER = 2 ** 63 - 1
TIMES = {
    'job': ('release_ns', f'coalesce(finish_ns, {NEVER})'),
    'segment_interval': ('start_ns', 'end_ns'),
    'block_interval': ('start_ns', 'end_ns'),
    'power_interval': ('start_ns', 'end_ns'),
    'decision': ('time_ns', 'time_ns'),
    'warp_issue': ('cycle', 'cycle + coalesce(latency_cycles, 0)'),
    'measured': ('start_ns', 'end_ns'),
}
SORTED = ('segment_interval', 'block_interval', 'measured')


def check(good, *what):
    if not good:
        print('wrong:', *what)
        sys.exit(1)


def unpack(page, meta, data):
    with open(page, encoding='utf-8') as f:
        text = f.read()
    parts = re.findall(r'^<script type="application/json" id="cegsim-meta">(.*?)</script>$', text, re.M | re.S)
    pieces = re.findall(r'^<script type="text/plain" class="cegsim-data">([A-Za-z0-9+/=]*)</script>$', text, re.M)
    check(len(parts) == 1 and '</' not in parts[0] and '<!' not in parts[0], 'the description')
    check(pieces, 'there is no data')
    check('<!--cegsim:' not in text, 'a marker was left')
    stream = [base64.b64decode(p, validate=True) for p in pieces]
    check(all(len(s) == PIECE for s in stream[:-1]) and 0 < len(stream[-1]) <= PIECE, 'lengths of pieces')
    check(stream[0][:8] == b'\x1f\x8b\x08\0\0\0\0\0', 'the head of the stream')
    with open(data, 'wb') as f:
        f.write(gzip.decompress(b''.join(stream)))
    with open(meta, 'w', encoding='utf-8') as f:
        json.dump(json.loads(parts[0]), f)


def one(db, sql, *values):
    return db.execute(sql, values).fetchone()[0]


def touches(window, start, end):
    return start < window[1] and (end > window[0] or start >= window[0])


def clock_of(db, run):
    if one(db, "SELECT count(*) FROM sqlite_master WHERE name = 'warp_machine'") == 0:
        return None
    row = db.execute('SELECT clock_hz FROM warp_machine JOIN run USING (taskset_id) WHERE run_id = ?', (run,)).fetchone()
    return row and row[0]


def timed_rows(db, table, run):
    """(start, end, row) of a run, in ns."""
    start, end = TIMES[table]
    if one(db, 'SELECT count(*) FROM sqlite_master WHERE name = ?', table) == 0:       # as of version 1
        return
    hz = clock_of(db, run) if table == 'warp_issue' else None
    order = 'end_ns, rowid' if table in SORTED else 'rowid'
    for row in db.execute(f'SELECT {start}, {end}, * FROM {table} WHERE run_id = ? ORDER BY {order}', (run,)):
        if hz:
            yield -(-row[0] * 10 ** 9 // hz), -(-row[1] * 10 ** 9 // hz), row[2:]
        else:
            yield row[0], row[1], row[2:]


def windows_of(meta):
    windows = collections.defaultdict(list)
    for w in meta['windows']:
        windows[w['run'], w['table']].append((w['from_ns'], w['to_ns']))
    return windows


def rows(source, meta, data):
    """Whole tables are the same; of those that were cut the windows say which rows there are."""
    with open(meta, encoding='utf-8') as f:
        meta = json.load(f)
    source, data = sqlite3.connect(source), sqlite3.connect(data)
    check(one(data, 'PRAGMA integrity_check') == 'ok', 'integrity')
    check(one(data, "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL") == 0, 'an index')
    windows = windows_of(meta)
    runs = [r for r, in data.execute('SELECT run_id FROM run ORDER BY run_id')]
    compared = 0
    for table in TIMES:
        there = data.execute(f'SELECT * FROM {table} ORDER BY rowid')
        total = kept = 0
        for run in runs:
            ws = windows.get((run, table))
            longest, first, last_end = 0, kept + 1, -2 ** 63
            for start, end, row in timed_rows(source, table, run):
                total += 1
                if ws is not None and not any(touches(w, start, end) for w in ws):
                    continue
                kept += 1
                check(there.fetchone() == row, table, 'run', run, 'row', kept, row)
                longest = max(longest, end - start)
                if table in SORTED:
                    check(end >= last_end, table, 'is not in order')
                last_end = end
            if table in SORTED:
                span = data.execute('SELECT first_rowid, last_rowid, longest_ns FROM view_span WHERE run_id = ? AND tbl = ?',
                                    (run, table)).fetchall()
                check(span == ([(first, kept, longest)] if kept >= first else []), 'view_span', run, table, span)
        check(there.fetchone() is None, table, 'has more rows')
        said = meta['tables'].get(table)
        wanted = {'rows': total, 'kept': kept} if table != 'measured' or total else None    # few recordings have any
        check(said == wanted, table, said, wanted)
        compared += kept
    for table, in data.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if table in TIMES or table.startswith(('view_', 'stretch', 'sqlite_')) or table == 'column_doc':
            continue
        if table in ('segment_shape', 'task_segments'):    # of campaigns: the page has the rows themselves
            check(one(data, f'SELECT count(*) FROM {table}') == 0, table, 'has rows')
            continue
        names = ', '.join(r[1] for r in source.execute(f'PRAGMA table_xinfo({table})'))
        if names and len(runs) == one(source, 'SELECT count(*) FROM run'):
            order = 'task_id, segment_idx' if table == 'segment' else 'rowid'
            a, b = (db.execute(f'SELECT {names} FROM {table} ORDER BY {order}').fetchall() for db in (source, data))
            check(a == b, table, 'differs')
            compared += len(a)
    print(f'{compared} rows')


def windows(source, meta, limit):
    """The first run that does not fit: misses in order, then the beginning; each by trying."""
    with open(meta, encoding='utf-8') as f:
        meta = json.load(f)
    source, limit = sqlite3.connect(source), int(limit)
    given = windows_of(meta)
    for table in TIMES:
        left, cut = limit, False
        for run, in source.execute('SELECT run_id FROM run ORDER BY run_id').fetchall():
            intervals = [(s, e) for s, e, _ in timed_rows(source, table, run)]
            if not cut and len(intervals) <= left:
                check((run, table) not in given, table, run, 'is whole')
                left -= len(intervals)
                continue
            if cut and intervals:
                check(given[run, table] == [(0, 0)], table, run, 'is empty')
                continue
            if not intervals:
                continue
            cut = True
            stop = one(source, 'SELECT stop_ns FROM run WHERE run_id = ?', run)
            kept, chosen = set(), []
            for miss in source.execute('SELECT release_ns, coalesce(finish_ns, ?) FROM job WHERE run_id = ? AND missed'
                                       ' ORDER BY release_ns, 2', (stop, run)):
                more = kept | {i for i, (s, e) in enumerate(intervals) if touches(miss, s, e)}
                if len(more) > left // 2 or len(chosen) == MISSES:
                    break
                kept, chosen = more, chosen + [miss]
            beginning = given[run, table][0] if given[run, table][0][0] == 0 else None     # with misses that it meets
            if beginning:
                chosen = [beginning] + [c for c in chosen if c[1] > beginning[1]]
            merged = []
            for a, b in sorted(chosen):
                if merged and a <= merged[-1][1]:
                    merged[-1] = (merged[-1][0], max(b, merged[-1][1]))
                else:
                    merged.append((a, b))
            check(given[run, table] == merged, table, run, given[run, table], merged)
            number = sum(any(touches(w, s, e) for w in merged) for s, e in intervals)
            check(number <= left, table, run, number, 'rows')
            step = -(-(max(s for s, _ in intervals) + 1) // 65536)
            reach = (merged[0][1] if beginning else 0) + step
            more = sum(any(touches(w, s, e) for w in merged + [(0, reach)]) for s, e in intervals)
            check(more > left, table, run, 'could have more rows:', more)
    print('ok')


def value_of(text):
    """As db/parameters.c reads it."""
    for kind in int, float:
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return text


def answers(source, meta, data):
    """A query that the recording cannot answer (one of version 1 has no warps) is not asked."""
    with open(meta, encoding='utf-8') as f:
        queries = json.load(f)['queries']
    source, data = sqlite3.connect(source), sqlite3.connect(data)
    same = 0
    for query in queries:
        values = {p['name']: value_of(p['fallback']) for p in query['params']}
        try:
            there = source.execute(query['sql'], values).fetchall()
        except sqlite3.OperationalError:
            continue
        check(data.execute(query['sql'], values).fetchall() == there, 'the answer to', query['name'])
        same += 1
    check(same > 20, 'only', same, 'queries have an answer')
    print(f'{same} answers')


# --- lanes and levels -------------------------------------------------------------------


def lanes_of(db, run):
    record, engines, sms, pool, threads, warps = db.execute(
        "SELECT record, engines, sms, pool, threads_per_sm, EXISTS (SELECT 1 FROM segment JOIN task USING (task_id)"
        " WHERE taskset_id = run.taskset_id AND form = 'warps') FROM run JOIN platform USING (platform_id)"
        ' WHERE run_id = ?', (run,)).fetchone()
    lanes = []
    if record in ('summary', 'jobs'):
        return lanes
    if not warps:
        lanes.append(('cpu', 0, 'CPU', 1))
        units = range(engines) if engines else sorted({u for u, in db.execute(
            'SELECT unit FROM segment_interval WHERE run_id = ? AND code & 3 = 1', (run,))})
        lanes += [('copy', u, f'copy {u}', 1) for u in units]
    if sms:
        lanes.append(('gpu', 0, 'GPU', 1))
    if record in ('blocks', 'issues') and sms:
        if threads is None:
            changes = collections.defaultdict(list)
            for sm, start, end, t in db.execute(
                    'SELECT sm, start_ns, end_ns, threads FROM block_interval WHERE run_id = ?', (run,)):
                changes[sm] += [(start, t), (end, -t)]
            threads = 1
            for of_sm in changes.values():
                resident = 0
                for _, change in sorted(of_sm):
                    resident += change
                    threads = max(threads, resident)
        if pool == 'gpu':
            lanes.append(('pool', 0, 'pool', threads * sms))
        else:
            lanes += [('sm', i, f'SM {i:03}', threads) for i in range(sms)]
    return lanes


def plan_of(intervals, end):
    """bin_ns of every level."""
    if intervals <= 20000:
        return []
    levels, bins = 1, 512
    while intervals / bins > 200 and bins * 4 <= 32768:
        levels, bins = levels + 1, bins * 4
    unit = 4 ** levels
    first = -(-(-(-end // 512)) // unit) * unit
    return [first // 4 ** level for level in range(levels)]


def union(intervals):
    out = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1]:
            out[-1][1] = max(end, out[-1][1])
        else:
            out.append([start, end])
    return out


def intervals_of(db, run, lanes):
    """(lane, task): [(start, end, weight)], without overlap where a lane is a resource."""
    places = {(kind, unit): i for i, (kind, unit, _, _) in enumerate(lanes)}
    tasks = dict(db.execute('SELECT task_id, task_idx FROM task'))
    of = collections.defaultdict(list)
    for task, code, unit, start, end in db.execute(
            'SELECT task_id, code, unit, start_ns, end_ns FROM segment_interval WHERE run_id = ?', (run,)):
        of[places[('cpu', 'copy', 'gpu')[code & 3], unit], tasks[task]].append((start, end))
    joined = {key: [(a, b, 1) for a, b in union(value)] for key, value in of.items()}
    for task, sm, start, end, threads in db.execute(
            'SELECT task_id, sm, start_ns, end_ns, threads FROM block_interval WHERE run_id = ?', (run,)):
        key = places['pool' if sm is None else 'sm', sm or 0], tasks[task]
        joined.setdefault(key, []).append((start, end, threads))
    return joined


def detail_of(joined, lane, capacity, bin_ns):
    sums = collections.Counter()
    for (of_lane, task), intervals in joined.items():
        for start, end, weight in intervals if of_lane == lane else ():
            for b in range(start // bin_ns, -(-end // bin_ns)):
                sums[b, task] += weight * (min(end, (b + 1) * bin_ns) - max(start, b * bin_ns))
    full = capacity * bin_ns
    return [(b, task, max(1, min(65535, (2 * 65535 * s + full) // (2 * full))))
            for (b, task), s in sorted(sums.items()) if s > 0]


def entries_of(count, data):
    check(len(data) == 6 * count, 'length of view_detail.data')
    numbers = struct.unpack(f'<{3 * count}H', data)
    return list(zip(numbers[:count], numbers[count:2 * count], numbers[2 * count:]))


def adds_up(joined, lane, capacity, levels):
    """What the shares of a task add up to is the time it had, whatever the level."""
    for task in {t for l, t in joined if l == lane}:
        time = sum((e - s) * w for s, e, w in joined[lane, task])
        for bin_ns, entries in levels:
            shares = [s for _, t, s in entries if t == task]
            said = sum(shares) * capacity * bin_ns / 65535
            check(abs(said - time) <= (len(shares) * capacity * bin_ns) / 65535, 'sum', lane, task, bin_ns, said, time)


def detail(source, data):
    source, data = sqlite3.connect(source), sqlite3.connect(data)
    compared = levels_seen = lanes_seen = 0
    for run, in data.execute('SELECT run_id FROM run ORDER BY run_id').fetchall():
        lanes = lanes_of(source, run)
        there = data.execute('SELECT kind, unit, name, capacity FROM view_lane WHERE run_id = ? ORDER BY lane', (run,))
        check(there.fetchall() == lanes, 'view_lane', run, lanes)
        lanes_seen += len(lanes)
        counts = [one(source, f'SELECT count(*) FROM {t} WHERE run_id = ?', run)
                  for t in ('segment_interval', 'block_interval')]
        joined = intervals_of(source, run, lanes)
        end = max((e for i in joined.values() for _, e, _ in i), default=0)
        plan = plan_of(sum(counts), end) if lanes else []
        check(one(data, 'SELECT count(*) FROM view_detail WHERE run_id = ?', run) == len(plan) * len(lanes), 'levels')
        levels_seen += len(plan)
        for lane, (_, _, _, capacity) in enumerate(lanes):
            levels = []
            for level, bin_ns in enumerate(plan):
                row = data.execute('SELECT bin_ns, entries, data FROM view_detail WHERE run_id = ? AND lane = ?'
                                   ' AND level = ?', (run, lane, level)).fetchone()
                check(row[0] == bin_ns, 'bin_ns', row[0], bin_ns)
                entries = entries_of(row[1], row[2])
                check(entries == detail_of(joined, lane, capacity, bin_ns), 'run', run, 'lane', lane, 'level', level)
                levels.append((bin_ns, entries))
                compared += len(entries)
            adds_up(joined, lane, capacity, levels)
    print(f'{lanes_seen} lanes, {levels_seen} levels, {compared} entries')


def main(name, recording, *what):
    meta, data = f'{name}.json', f'{name}.x'
    unpack(f'{name}.html', meta, data)
    for part in what:
        if part == 'rows':
            rows(recording, meta, data)
        elif part == 'detail':
            detail(recording, data)
        elif part == 'answers':
            answers(recording, meta, data)
        else:
            windows(recording, meta, part.removeprefix('windows='))


if __name__ == '__main__':
    main(*sys.argv[1:])
