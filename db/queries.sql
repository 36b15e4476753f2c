-- db/queries.sql - questions with a name (cegsim query FILE.db @NAME, cegsim list queries). A query begins
-- with its name; "param" lines name its parameters with their default (NULL where none is given: all).
-- Results are for people: milliseconds, joules, names.

-- name: overview
-- title: every run: what it was, and what came of it
-- param: limit = 1000 - at most so many runs
SELECT run_id, policy, params, taskset, platform, status, jobs, misses, schedulable, stop_ms, energy_j, reason
FROM v_run ORDER BY run_id LIMIT :limit;

-- name: response
-- title: response times of every task: least, mean, greatest, against its deadline
-- param: run - the run
-- param: task - name of the task
SELECT run_id, policy, task, rank, jobs, misses, min_ms, mean_ms, max_ms, lower_bound_ms,
	relative_deadline_ms AS deadline_ms,
	worst_normalised
FROM v_task_response
WHERE (:run IS NULL OR run_id = :run) AND (:task IS NULL OR task = :task)
ORDER BY run_id, rank, task_id;

-- name: percentiles
-- title: response times by policy and task: median, 90 %, 99 %, 99.9 % (to 1/16), and the worst
-- param: run - the run
WITH
counted AS (
	SELECT h.run_id, h.task_id, h.upper_ns, h.jobs,
		sum(h.jobs) OVER (PARTITION BY h.run_id, h.task_id ORDER BY h.bucket) AS below,
		sum(h.jobs) OVER (PARTITION BY h.run_id, h.task_id) AS n
	FROM run_task_hist h WHERE :run IS NULL OR h.run_id = :run),
quantile AS (
	SELECT run_id, task_id, max(n) AS n, min(CASE WHEN below >= 0.5 * n THEN upper_ns END) AS p50,
		min(CASE WHEN below >= 0.9 * n THEN upper_ns END) AS p90,
		min(CASE WHEN below >= 0.99 * n THEN upper_ns END) AS p99,
		min(CASE WHEN below >= 0.999 * n THEN upper_ns END) AS p999
	FROM counted GROUP BY run_id, task_id)
SELECT q.run_id, v.policy, v.task, q.n AS responses, min(q.p50 / 1e6, v.max_ms) AS p50_ms,
	min(q.p90 / 1e6, v.max_ms) AS p90_ms,
	min(q.p99 / 1e6, v.max_ms) AS p99_ms, min(q.p999 / 1e6, v.max_ms) AS p999_ms, v.max_ms
FROM quantile q JOIN v_task_response v ON v.run_id = q.run_id AND v.task_id = q.task_id
ORDER BY q.run_id, q.task_id;

-- name: misses
-- title: the jobs that missed their deadline
-- param: run - the run
-- param: task - name of the task
-- param: limit = 1000 - at most so many
SELECT run_id, policy, task, seq, release_ms, deadline_ms, first_start_ms, finish_ms, lateness_ms, state
FROM v_job
WHERE missed AND (:run IS NULL OR run_id = :run) AND (:task IS NULL OR task = :task)
ORDER BY run_id, deadline_ms, task_id, seq LIMIT :limit;

-- name: first-miss
-- title: who missed first, in each run
SELECT run_id, policy, task, seq, release_ms, deadline_ms, finish_ms, lateness_ms, state
FROM (
	SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY deadline_ms, task_id, seq) AS place
	FROM v_job WHERE missed)
WHERE place = 1 ORDER BY run_id;

-- name: acceptance
-- title: share of schedulable task sets by policy and utilisation, with 95 % intervals (Wilson)
SELECT target_utilisation, policy, params, platform, n, k, ratio, lower95, upper95, refused
FROM v_acceptance ORDER BY target_utilisation, platform, policy, params;

-- name: grid
-- title: share of schedulable sets at every point of a campaign's grid, with 95 % intervals (Wilson)
WITH RECURSIVE
point AS (SELECT DISTINCT recipe FROM taskset WHERE recipe IS NOT NULL),
given AS (SELECT p.recipe, o.key, o.value FROM point p, json_each(p.recipe, '$.options') o),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT p.recipe, coalesce((SELECT group_concat(g.key || '=' || g.value, ' ') FROM given g
		WHERE g.recipe = p.recipe AND g.key IN (SELECT key FROM axis)), '') AS point
	FROM point p),
counted AS (
	SELECT n.point, min(t.taskset_id) AS place, r.platform, r.policy, r.params, count(*) AS n,
		sum(r.schedulable) AS k, sum(r.status = 'refused') AS refused,
		1.0 * sum(r.misses) / nullif(sum(r.jobs), 0) AS miss_ratio, avg(r.energy_j) AS mean_energy_j
	FROM v_run r JOIN taskset t USING (taskset_id) JOIN named n ON n.recipe = t.recipe
	WHERE r.status <> 'error' GROUP BY n.point, r.platform, r.policy, r.params),
root (n, k, step, x, root) AS ( -- Newton's, from above
	SELECT DISTINCT n, k, 0, 1.0 * k * (n - k) / n + 0.9604, 1.0 * k * (n - k) / n + 1.9604 FROM counted
	UNION ALL
	SELECT n, k, step + 1, x, (root + x / root) / 2 FROM root WHERE step < 40)
SELECT c.point, c.platform, c.policy, c.params, c.n, c.k, 1.0 * c.k / c.n AS ratio,
	CASE c.k WHEN 0 THEN 0.0 ELSE (c.k + 1.9208 - 1.96 * w.root) / (c.n + 3.8416) END AS lower95,
	CASE c.k WHEN c.n THEN 1.0 ELSE (c.k + 1.9208 + 1.96 * w.root) / (c.n + 3.8416) END AS upper95,
	c.refused, c.miss_ratio, c.mean_energy_j
FROM counted c JOIN root w ON w.n = c.n AND w.k = c.k AND w.step = 40
ORDER BY c.place, c.platform, c.policy, c.params;

-- name: compare
-- title: policies side by side on the same sets: worst and mean response of every task, misses, energy
-- param: taskset - number of the set
SELECT r.taskset_id, r.taskset, t.task, r.run_id, r.policy, r.params, r.status, t.max_ms, t.mean_ms, t.misses,
	1.0 * t.max_ms / nullif(min(t.max_ms) OVER (PARTITION BY r.taskset_id, r.platform, t.task_id), 0)
		AS times_best, r.energy_j
FROM v_run r JOIN v_task_response t ON t.run_id = r.run_id
WHERE :taskset IS NULL OR r.taskset_id = :taskset
ORDER BY r.taskset_id, t.task_id, t.max_ms, r.run_id;

-- name: only-one
-- title: task sets that one policy schedules and another does not
-- param: limit = 100 - at most so many
SELECT a.taskset_id, a.taskset, a.target_utilisation, a.policy AS schedules, a.params AS with_params,
	b.policy AS fails,
	b.params AS and_params, b.status, b.misses, b.reason, a.run_id AS run_that_does,
	b.run_id AS run_that_fails
FROM v_run a JOIN v_run b ON b.taskset_id = a.taskset_id AND b.platform = a.platform
	AND b.replication = a.replication
	AND b.seed = a.seed AND b.execution = a.execution
WHERE a.schedulable AND NOT b.schedulable AND b.status <> 'error'
ORDER BY a.taskset_id, a.run_id, b.run_id LIMIT :limit;

-- name: bounds
-- title: bounds against what was simulated: how many hold, how tight
SELECT analysis, analysis_params, form, policy, count(*) AS n, sum(holds = 0) AS violated,
	sum(holds IS NULL) AS undecided,
	max(tightness) AS tightest, avg(tightness) AS mean_tightness
FROM v_bound_check GROUP BY analysis, analysis_params, form, policy;

-- name: where-time-went
-- title: where the time of one job went, segment by segment (default: the job with the worst response)
-- param: run = 1 - the run
-- param: task - name of the task
-- param: seq - number of the job
WITH
chosen AS (
	SELECT j.run_id, j.task_id, j.seq, t.name FROM job j JOIN task t USING (task_id)
	WHERE j.run_id = :run AND (:task IS NULL OR t.name = :task) AND (:seq IS NULL OR j.seq = :seq)
	ORDER BY j.response_ns DESC, j.task_id, j.seq LIMIT 1)
SELECT c.name AS task, c.seq, i.segment_idx, s.kind AS segment, i.kind, i.part, i.ready_ns / 1e6 AS ready_ms,
	i.start_ns / 1e6 AS start_ms, i.end_ns / 1e6 AS end_ms,
	(i.start_ns - max(i.ready_ns,
		coalesce(lag(i.end_ns) OVER (PARTITION BY i.segment_idx, i.kind ORDER BY i.part), 0)))
		/ 1e6 AS waited_ms,
	(i.end_ns - i.start_ns) / 1e6 AS took_ms, i.ended
FROM chosen c JOIN segment_interval i ON i.run_id = c.run_id AND i.task_id = c.task_id AND i.seq = c.seq
	JOIN segment s ON s.task_id = i.task_id AND s.segment_idx = i.segment_idx
ORDER BY i.start_ns, i.end_ns;

-- name: utilisation
-- title: how busy every resource was
-- param: run - the run
SELECT run_id, policy, lane, busy_ms, waiting_ms, utilisation FROM v_utilisation
WHERE :run IS NULL OR run_id = :run ORDER BY run_id, lane;

-- name: blocking
-- title: the longest waits for the GPU or a copy engine, and who used it meanwhile
-- param: run = 1 - the run
-- param: limit = 10 - the longest so many waits
WITH
wait AS (
	SELECT run_id, task_id, seq, segment_idx, resource, unit, ready_ns, start_ns FROM segment_interval
	WHERE run_id = :run AND resource <> 'cpu' AND start_ns > ready_ns
	ORDER BY start_ns - ready_ns DESC, start_ns, task_id LIMIT :limit)
SELECT w.run_id, m.name AS task, w.seq, w.segment_idx, w.resource, w.ready_ns / 1e6 AS ready_ms,
	(w.start_ns - w.ready_ns) / 1e6 AS waited_ms, o.name AS blocker, i.seq AS blocker_seq,
	(min(i.end_ns, w.start_ns) - max(i.start_ns, w.ready_ns)) / 1e6 AS meanwhile_ms
FROM wait w JOIN task m ON m.task_id = w.task_id
	LEFT JOIN segment_interval i ON i.run_id = w.run_id AND i.resource = w.resource AND i.unit = w.unit
		AND i.start_ns < w.start_ns AND i.end_ns > w.ready_ns
			AND (i.task_id <> w.task_id OR i.seq <> w.seq)
	LEFT JOIN task o ON o.task_id = i.task_id
ORDER BY w.start_ns - w.ready_ns DESC, w.start_ns, w.task_id, i.start_ns, i.task_id;

-- name: energy
-- title: energy and mean power of every run, and what they are made of
-- param: run - the run
SELECT run_id, policy, params, window_ms, energy_j, mean_power_w, static_j, idle_sms_j, dynamic_j,
	gpu_active_ms,
	active_sm_share
FROM v_energy WHERE :run IS NULL OR run_id = :run ORDER BY run_id;

-- name: energy-by-policy
-- title: mean energy and power by policy and utilisation
SELECT r.target_utilisation, r.platform, r.policy, r.params, count(*) AS runs,
	avg(r.energy_j) AS mean_energy_j,
	avg(r.mean_power_w) AS mean_power_w, 1.0 * sum(r.misses) / nullif(sum(r.jobs), 0) AS miss_ratio
FROM v_run r WHERE r.energy_j IS NOT NULL
GROUP BY r.target_utilisation, r.platform, r.policy, r.params ORDER BY 1, 2, 3, 4;

-- name: occupancy
-- title: the GPU over time: blocks, threads, SMs in use (means over equal bins)
-- param: run = 1 - the run
-- param: bins = 40 - number of bins
WITH RECURSIVE
width AS (SELECT run_id, max((stop_ns + :bins - 1) / :bins, 1) AS ns, stop_ns FROM run WHERE run_id = :run),
bin (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM bin WHERE k + 1 < :bins
	AND (k + 1) * (SELECT ns FROM width) < (SELECT stop_ns FROM width)),
part AS (
	SELECT bin.k, b.threads, b.sm,
		min(b.end_ns, (bin.k + 1) * width.ns) - max(b.start_ns, bin.k * width.ns) AS inside_ns
	FROM width JOIN bin JOIN block_interval b ON b.run_id = width.run_id
		AND b.start_ns < (bin.k + 1) * width.ns AND b.end_ns > bin.k * width.ns)
SELECT bin.k * width.ns / 1e6 AS from_ms, coalesce(sum(1.0 * p.inside_ns) / width.ns, 0.0) AS blocks,
	coalesce(sum(1.0 * p.threads * p.inside_ns) / width.ns, 0.0) AS threads,
	count(DISTINCT p.sm) AS sms_used
FROM width JOIN bin LEFT JOIN part p ON p.k = bin.k GROUP BY bin.k ORDER BY bin.k;

-- name: histogram
-- title: response times of a task as a histogram
-- param: run = 1 - the run
-- param: task - name of the task
SELECT h.run_id, t.name AS task, h.lower_ns / 1e6 AS from_ms, h.upper_ns / 1e6 AS to_ms, h.jobs
FROM run_task_hist h JOIN task t USING (task_id)
WHERE h.run_id = :run AND (:task IS NULL OR t.name = :task) ORDER BY h.task_id, h.bucket;

-- name: schedule
-- title: every interval on every lane, in order
-- param: run = 1 - the run
-- param: limit = 1000 - at most so many
SELECT lane, task, seq, segment_idx, block, kind, start_ms, end_ms, ended FROM v_gantt
WHERE run_id = :run ORDER BY start_ms, lane, task_id, block LIMIT :limit;
