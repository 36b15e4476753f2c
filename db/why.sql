-- db/why.sql - the views v_wait_sum and v_why: what a job waited for and who had it, summed: v_wait by resource and
-- task; and of each resource the nine who had it longest (docs/waiting.md). Of more than nine the eight with the most are
-- named, and the rest is one row.
--
-- Operations that were queued ahead in one stream wait for thousands of others each. For them this program computes the
-- rows itself (db/why_divide.c); they are the same.
CREATE VIEW v_wait_sum AS
SELECT run_id, task_id, seq, longest, resource, by_task_id, by_task, count(DISTINCT by_seq) AS by_jobs,
	min(by_seq) AS by_seq, sum(amount_ns) AS amount_ns, sum(amount_ns) / 1e6 AS amount_ms
FROM v_wait GROUP BY run_id, task_id, seq, longest, resource, by_task_id;

CREATE VIEW v_why AS
WITH
owed AS (
	SELECT run_id, task_id, seq, longest, resource, amount_ns, by_task || CASE
			WHEN resource <> 'job' AND by_jobs = 1 THEN ' #' || by_seq ELSE '' END AS by_task
	FROM v_wait_sum),
placed AS (
	SELECT *, min(row_number() OVER (PARTITION BY run_id, task_id, seq, longest, resource
			ORDER BY amount_ns DESC, by_task), 9) AS place
	FROM owed)
SELECT run_id, task_id, seq, longest, resource, place,
	CASE WHEN count(*) > 1 THEN count(*) || ' others' ELSE min(by_task) END AS by_task,
	sum(amount_ns) AS amount_ns, sum(amount_ns) / 1e6 AS amount_ms
FROM placed GROUP BY run_id, task_id, seq, longest, resource, place;
