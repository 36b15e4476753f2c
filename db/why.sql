-- db/why.sql - the view v_why: what a job waited for and who had it, summed: v_wait by resource, of each the
-- nine who had it longest (docs/waiting.md). Of more than nine the eight with the most are named, and the rest is one row.
--
-- Operations that were queued ahead in one stream wait for thousands of others each. For them this program computes the
-- rows itself (db/why_divide.c); they are the same.
CREATE VIEW v_why AS
WITH
owed AS (
	SELECT w.run_id, w.task_id, w.seq, w.longest, w.resource, sum(w.amount_ns) AS amount_ns, w.by_task || CASE
			WHEN w.resource <> 'job' AND count(DISTINCT w.by_seq) = 1 THEN ' #' || min(w.by_seq) ELSE '' END AS by_task
	FROM v_wait w GROUP BY w.run_id, w.task_id, w.seq, w.longest, w.resource, w.by_task_id),
placed AS (
	SELECT *, min(row_number() OVER (PARTITION BY run_id, task_id, seq, longest, resource
			ORDER BY amount_ns DESC, by_task), 9) AS place
	FROM owed)
SELECT run_id, task_id, seq, longest, resource, place,
	CASE WHEN count(*) > 1 THEN count(*) || ' others' ELSE min(by_task) END AS by_task,
	sum(amount_ns) AS amount_ns, sum(amount_ns) / 1e6 AS amount_ms
FROM placed GROUP BY run_id, task_id, seq, longest, resource, place;
