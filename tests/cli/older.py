#!/usr/bin/env python3
# tests/cli/older.py FILE.db - makes of a recording one of a program that had no contexts, operations in flight, masks,
# several cores or GPUs: without their columns and tables, and without the views that read them. (Its digests of
# platforms and sets then are those of more columns than there are.)
import sqlite3
import sys

COLUMNS = {
    'platform': ['core_scheduling', 'gpus', 'resident_kernels', 'preemption_delay_ns', 'timeslice_ns', 'context_switch_ns', 'context_reset_ns'],
    'segment': ['async', 'awaits', 'copy_times', 'gpu', 'graph', 'sms', 'profiles', 'idempotent'],
    'task': ['core', 'process', 'gpu_priority', 'best_effort'],
    'segment_interval': ['gpu'],
    'block_interval': ['gpu'],
    'power_interval': ['gpu'],
    'decision': ['gpu', 'asked_ns'],
}
TABLES = ['context_interval', 'run_gpu', 'measured', 'chain_bound']

db = sqlite3.connect(sys.argv[1], isolation_level=None)
made = db.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('view', 'index') AND sql IS NOT NULL").fetchall()
for kind, name, _ in made:
    db.execute(f'DROP {kind} {name}')
for table in TABLES:
    db.execute(f'DROP TABLE {table}')
for table, columns in COLUMNS.items():
    for column in columns:
        db.execute(f'ALTER TABLE {table} DROP COLUMN {column}')
        db.execute('DELETE FROM column_doc WHERE tbl = ? AND col = ?', [table, column])
for kind, name, sql in made:
    if not any(f' ON {table}' in sql for table in TABLES if kind == 'index'):
        db.execute(sql)
for kind, name, _ in [object for object in made if object[0] == 'view']:
    try:
        db.execute(f'SELECT * FROM {name} LIMIT 0')
    except sqlite3.Error:
        db.execute(f'DROP VIEW {name}')
