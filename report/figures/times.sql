-- report/figures/times.sql - figures of any recording that look into its runs: responses, resources, power over time. What
-- the lines of a header say is in general.sql.

-- name: response-cdf
-- title: response times of every task: share of its jobs that need at most so long
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- param: task - name of the task
-- fixed: normalised = 0
-- fixed: tail = 0
-- with: policy_name platform_name runs_of_set responses
-- chart: steps
-- x: response time (ms)
-- y: share of jobs
-- y-range: 0:1.03
-- free: x
-- nothing: no run of this set has jobs that finished
-- Of the jobs where they are recorded, else of the histogram, whose buckets count with their upper end (to 1/16). Jobs that
-- never finished keep the curve below 1. More than 400 values are thinned to every n-th, which leaves the curve below the
-- true one by 1/400 at most. The deadline is a vertical line. In the tail (1 - F) the last 100 values are all there; at
-- the worst response a curve falls to half a job, as there is no logarithm of 0.
WITH
every AS (
	SELECT c.series, a.task_id, sum(a.jobs) AS jobs FROM chosen c JOIN run_task a USING (run_id) GROUP BY c.series, a.task_id),
ranked AS (
	SELECT series, task_id, ns, sum(jobs) OVER (PARTITION BY series, task_id ORDER BY ns) AS below,
		row_number() OVER (PARTITION BY series, task_id ORDER BY ns) AS place,
		count(*) OVER (PARTITION BY series, task_id) AS places
	FROM summed),
corner AS (
	SELECT series, task_id, ns, below, place, 0 AS ends FROM ranked
	WHERE place % (places / 400 + 1) = 0 OR place = 1 OR place = places OR (:tail AND place > places - 100)
	UNION ALL
	SELECT series, task_id, ns, 0, 0, 0 FROM ranked WHERE place = 1
	UNION ALL
	SELECT series, task_id, max(ns) OVER (PARTITION BY task_id), below, place + 1, 1 FROM ranked WHERE place = places
	UNION ALL -- where no job finished, along the others of the task
	SELECT e.series, e.task_id, CASE p.place WHEN 0 THEN s.least ELSE s.greatest END, 0, p.place, 0
	FROM every e JOIN (SELECT task_id, min(ns) AS least, max(ns) AS greatest FROM summed GROUP BY task_id) s
			ON s.task_id = e.task_id
		JOIN (SELECT 0 AS place UNION ALL SELECT 1) p
	WHERE e.jobs > 0
		AND NOT EXISTS (SELECT 1 FROM summed o WHERE o.series = e.series AND o.task_id = e.task_id))
SELECT t.name || CASE WHEN :normalised = 0 AND t.deadline_ns IS NOT NULL
	THEN printf(' (deadline %g ms)', t.deadline_ns / 1e6) ELSE '' END AS panel, c.series,
	c.ns / CASE :normalised WHEN 0 THEN 1e6 ELSE 1.0 * t.deadline_ns END AS x,
	1.0 * CASE WHEN :tail THEN max(e.jobs - c.below, 0.5) ELSE c.below END / e.jobs AS y,
	t.deadline_ns / CASE :normalised WHEN 0 THEN 1e6 ELSE 1.0 * t.deadline_ns END AS mark
FROM corner c JOIN every e ON e.series = c.series AND e.task_id = c.task_id JOIN task t ON t.task_id = c.task_id
WHERE (:task IS NULL OR t.name = :task) AND (:normalised = 0 OR t.deadline_ns > 0)
	AND NOT (:tail AND c.below = e.jobs AND c.ends)
ORDER BY t.task_idx, c.series, c.place;

-- name: response-cdf-normalised
-- title: response times of every task over its deadline: share of its jobs that need at most so long
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- param: task - name of the task
-- fixed: normalised = 1
-- fixed: tail = 0
-- sql: response-cdf
-- chart: steps
-- x: response time / deadline
-- y: share of jobs
-- y-range: 0:1.03
-- nothing: no task of this set with a deadline has jobs that finished

-- name: response-tail
-- title: response times of every task: share of its jobs that need longer, on a logarithmic axis
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- param: task - name of the task
-- fixed: normalised = 0
-- fixed: tail = 1
-- sql: response-cdf
-- chart: steps
-- x: response time (ms)
-- y: share of jobs that need longer
-- log: y
-- free: x
-- nothing: no run of this set has jobs that finished

-- name: response-tail-normalised
-- title: response times of every task over its deadline: share of its jobs that need longer, on a logarithmic axis
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- param: task - name of the task
-- fixed: normalised = 1
-- fixed: tail = 1
-- sql: response-cdf
-- chart: steps
-- x: response time / deadline
-- y: share of jobs that need longer
-- log: y
-- nothing: no task of this set with a deadline has jobs that finished

-- name: response-box
-- title: response times of every task by policy: boxes of quartiles; percentiles where boxes would be flat
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- fixed: normalised = 0
-- with: policy_name platform_name runs_of_set responses
-- chart: boxes
-- y: response time (ms)
-- nothing: no run of this set has jobs that finished
-- Of the jobs where they are recorded, else of the histogram: quartiles are upper ends of buckets (to 1/16) then; least and
-- greatest are exact. Jobs that never finished are not counted.
WITH
ranked AS (
	SELECT series, task_id, ns, sum(jobs) OVER (PARTITION BY series, task_id ORDER BY ns) AS below,
		sum(jobs) OVER (PARTITION BY series, task_id) AS n
	FROM summed),
box AS (
	SELECT series, task_id, min(CASE WHEN 4 * below >= n THEN ns END) AS q1,
		min(CASE WHEN 2 * below >= n THEN ns END) AS median, min(CASE WHEN 4 * below >= 3 * n THEN ns END) AS q3,
		min(CASE WHEN 100 * below >= 99 * n THEN ns END) AS p99
	FROM ranked GROUP BY series, task_id),
extreme AS (
	SELECT c.series, a.task_id, min(a.min_response_ns) AS least, max(a.max_response_ns) AS greatest
	FROM chosen c JOIN run_task a USING (run_id) GROUP BY c.series, a.task_id),
scaled AS (
	SELECT b.*, e.least, e.greatest, t.name, t.task_idx, CASE :normalised WHEN 0 THEN 1e6 ELSE 1.0 * t.deadline_ns END AS by
	FROM box b JOIN extreme e ON e.series = b.series AND e.task_id = b.task_id JOIN task t ON t.task_id = b.task_id)
SELECT series, name AS "group", least / by AS least, q1 / by AS q1, median / by AS median, q3 / by AS q3,
	greatest / by AS greatest, min(p99, greatest) / by AS p99
FROM scaled WHERE by > 0 ORDER BY series, task_idx;

-- name: response-box-normalised
-- title: response times of every task over its deadline by policy: boxes; percentiles where boxes would be flat
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- fixed: normalised = 1
-- sql: response-box
-- chart: boxes
-- y: response time / deadline
-- line: 1
-- nothing: no task of this set with a deadline has jobs that finished

-- name: utilisation
-- title: measured utilisation of CPU, copy engines, GPU and SMs, by policy; SMs: mean, with the least and the most busy one
-- level: segments, first set
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- with: policy_name platform_name runs_of_set
-- chart: bars
-- y: busy share of the time
-- y-range: 0:1.03
-- nothing: no schedule of this set is recorded (cegsim run --record segments or blocks)
WITH
block AS (SELECT DISTINCT b.run_id, b.gpu, b.sm, b.start_ns, b.end_ns FROM chosen c JOIN block_interval b USING (run_id)),
taken AS (
	SELECT c.run_id, 0 AS is_sm, CASE i.code & 3 WHEN 0 THEN CASE WHEN l.cores > 1 THEN 'CPU ' || i.unit ELSE 'CPU' END
			WHEN 1 THEN CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || i.gpu || ' ' END || 'copy ' || i.unit
			ELSE CASE WHEN l.gpus IS NULL THEN 'GPU' ELSE 'GPU ' || i.gpu END END AS lane,
		i.start_ns, i.end_ns
	FROM chosen c JOIN segment_interval i USING (run_id) JOIN run r USING (run_id) JOIN platform l USING (platform_id)
	UNION ALL
	SELECT run_id, sm IS NOT NULL, coalesce(gpu << 16 | sm, 'pool'), start_ns, end_ns FROM block),
reached AS (
	SELECT *, max(end_ns) OVER (PARTITION BY run_id, is_sm, lane ORDER BY start_ns, end_ns
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns
	FROM taken),
busy AS ( -- intervals of a lane may overlap: the time with at least one
	SELECT run_id, is_sm, lane, sum(max(end_ns - max(start_ns, coalesce(before_ns, 0)), 0)) AS ns FROM reached
	GROUP BY run_id, is_sm, lane),
share AS (
	SELECT c.series, b.is_sm, CASE WHEN b.is_sm THEN 'SMs' ELSE b.lane END AS lane, 1.0 * b.ns / nullif(r.stop_ns, 0) AS busy,
		CASE WHEN b.is_sm THEN l.sms + coalesce((SELECT sum(json_extract(g.value, '$.sms')) FROM json_each(l.gpus) g), 0)
			ELSE 1 END AS units, b.run_id
	FROM busy b JOIN chosen c USING (run_id) JOIN run r USING (run_id) JOIN platform l USING (platform_id)),
of_run AS ( -- an SM that had no block has no row
	SELECT series, run_id, is_sm, lane, sum(busy) / units AS busy,
		CASE WHEN NOT is_sm THEN NULL WHEN count(*) < units THEN 0.0 ELSE min(busy) END AS low,
		CASE WHEN is_sm THEN max(busy) END AS high
	FROM share GROUP BY series, run_id, is_sm, lane)
SELECT series, lane AS "group", sum(busy) / (SELECT count(DISTINCT run_id) FROM of_run a WHERE a.series = o.series) AS y,
	min(low) AS low, max(high) AS high
FROM of_run o GROUP BY series, lane
ORDER BY series, is_sm, lane = 'GPU', lane NOT LIKE 'CPU%', length(lane), lane;

-- name: power
-- title: power over time, by policy and GPU (the first 400 changes, unless "to" says otherwise)
-- level: segments, first set
-- param: run - only this run
-- param: from = 0 - begin of the time shown, in ms
-- param: to - end of the time shown, in ms
-- with: policy_name platform_name runs_over_time
-- chart: steps
-- panels: series
-- x: time (ms)
-- y: power (W)
-- columns: 1
-- panel: 5.6 x 0.9
-- power: needed
-- nothing: no power profile of that run, or of the first set, is recorded in that time (cegsim run --record segments, with power figures)
WITH
change AS (
	SELECT c.series || CASE WHEN l.gpus IS NULL THEN '' ELSE ', GPU ' || w.gpu END AS series, w.start_ns, w.end_ns,
		w.power_uw, row_number() OVER (PARTITION BY w.run_id, w.gpu ORDER BY w.start_ns) AS place
	FROM chosen c JOIN run r USING (run_id) JOIN platform l USING (platform_id) JOIN power_interval w USING (run_id)
	WHERE r.energy_uj IS NOT NULL AND w.end_ns > :from * 1e6 AND (:to IS NULL OR w.start_ns < :to * 1e6)),
until AS (SELECT coalesce(:to * 1e6, min(last), 0) AS ns FROM (SELECT max(end_ns) AS last FROM change WHERE place <= 400
	AND (SELECT max(place) FROM change) > 400 GROUP BY series)),
shown AS (
	SELECT * FROM change WHERE (SELECT ns FROM until) = 0 OR start_ns < (SELECT ns FROM until)),
step AS (
	SELECT series, max(start_ns / 1e6, :from) AS x, power_uw / 1e6 AS y FROM shown
	UNION ALL
	SELECT series, CASE (SELECT ns FROM until) WHEN 0 THEN end_ns ELSE min(end_ns, (SELECT ns FROM until)) END / 1e6,
		power_uw / 1e6
	FROM (SELECT series, max(end_ns) AS end_ns, power_uw FROM shown GROUP BY series))
SELECT series, x, y FROM step ORDER BY series, x;

-- name: energy-window
-- title: energy in a sliding window, at 400 places of it: the exact integral of the power profile
-- level: segments, first set
-- param: window = 100 - length of the window, in ms
-- param: run - only this run
-- with: policy_name platform_name runs_over_time
-- chart: curves
-- x: begin of the window (ms)
-- y: energy in the window (J)
-- panel: 4.2 x 1.8
-- power: needed
-- nothing: no power profile of that run, or of the first set, is as long as the window (cegsim run --record segments, with power figures; -P window=)
WITH RECURSIVE
place (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM place WHERE k < 399),
instant AS (
	SELECT c.run_id, CAST(k * (r.window_ns - :window * 1000000) / 399 AS INTEGER) AS from_ns
	FROM chosen c JOIN run r USING (run_id) JOIN place WHERE r.window_ns >= :window * 1000000 AND :window > 0
		AND r.energy_uj IS NOT NULL AND EXISTS (SELECT 1 FROM power_interval w WHERE w.run_id = c.run_id)),
event AS ( -- the energy until t is t * sum(p) + sum(q)
	SELECT c.run_id, w.start_ns AS ns, w.power_uw AS p, -1.0 * w.power_uw * w.start_ns AS q, 0 AS asked
	FROM chosen c JOIN power_interval w USING (run_id)
	UNION ALL
	SELECT c.run_id, w.end_ns, -w.power_uw, 1.0 * w.power_uw * w.end_ns, 0
	FROM chosen c JOIN power_interval w USING (run_id)
	UNION ALL
	SELECT run_id, from_ns, 0, 0.0, 1 FROM instant
	UNION ALL
	SELECT run_id, from_ns + :window * 1000000, 0, 0.0, 1 FROM instant),
reached AS (
	SELECT run_id, ns, asked, ns * sum(p) OVER before + sum(q) OVER before AS energy FROM event
	WINDOW before AS (PARTITION BY run_id ORDER BY ns))
SELECT c.series, i.from_ns / 1e6 AS x, (b.energy - a.energy) / 1e15 AS y
FROM instant i JOIN chosen c USING (run_id)
	JOIN reached a ON a.run_id = i.run_id AND a.ns = i.from_ns AND a.asked
	JOIN reached b ON b.run_id = i.run_id AND b.ns = i.from_ns + :window * 1000000 AND b.asked
GROUP BY c.series, i.from_ns ORDER BY c.series, i.from_ns;

-- name: occupancy
-- title: threads resident on the GPU over time, by policy (means over 1/400 of the time shown)
-- level: blocks, first set
-- param: run - only this run
-- param: from = 0 - begin of the time shown, in ms
-- param: to - end of the time shown, in ms (default: the end of the run)
-- with: policy_name platform_name runs_over_time
-- chart: steps
-- panels: series
-- x: time (ms)
-- y: resident threads
-- columns: 1
-- panel: 5.6 x 0.9
-- nothing: no blocks of that run, or of the first set, are recorded in that time (cegsim run --record blocks)
WITH RECURSIVE
shown AS ( -- the time of a run, and bins of it: at most 400, the last one may be shorter
	SELECT run_id, series, from_ns, until_ns, max((until_ns - from_ns + 399) / 400, 1) AS width
	FROM (SELECT c.run_id, c.series, CAST(:from * 1000000 AS INTEGER) AS from_ns,
			CAST(coalesce(min(:to * 1000000, r.stop_ns), r.stop_ns) AS INTEGER) AS until_ns
		FROM chosen c JOIN run r USING (run_id))
	WHERE until_ns > from_ns),
block AS (
	SELECT s.run_id, s.width, sum(b.threads) AS threads, max(b.start_ns, s.from_ns) - s.from_ns AS a,
		min(b.end_ns, s.until_ns) - s.from_ns AS z
	FROM shown s JOIN block_interval b USING (run_id)
	WHERE b.end_ns > s.from_ns AND b.start_ns < s.until_ns
	GROUP BY s.run_id, b.start_ns, b.end_ns),
part AS ( -- a block's threads in the bins where it begins and ends, and per bin in between
	SELECT run_id, a / width AS bin, sum(threads * ((a / width + 1.0) * width - a)) AS inside, sum(threads) AS beyond
	FROM block GROUP BY run_id, a / width
	UNION ALL
	SELECT run_id, z / width, -sum(threads * ((z / width + 1.0) * width - z)), -sum(threads)
	FROM block GROUP BY run_id, z / width),
bin (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM bin WHERE k < 400),
mean AS (
	SELECT s.series, s.from_ns + bin.k * s.width AS ns, s.until_ns, s.width,
		coalesce(sum(p.inside), 0.0) / s.width AS inside,
		coalesce(sum(sum(p.beyond)) OVER (PARTITION BY s.run_id ORDER BY bin.k ROWS BETWEEN UNBOUNDED PRECEDING
			AND 1 PRECEDING), 0) AS resident
	FROM shown s JOIN bin ON s.from_ns + bin.k * s.width < s.until_ns
		LEFT JOIN part p ON p.run_id = s.run_id AND p.bin = bin.k
	WHERE EXISTS (SELECT 1 FROM part) AND EXISTS (SELECT 1 FROM block_interval b WHERE b.run_id = s.run_id)
	GROUP BY s.run_id, bin.k)
SELECT series, ns / 1e6 AS x, (resident + inside) * width / min(width, until_ns - ns) AS y FROM mean
UNION ALL
SELECT series, until_ns / 1e6, 0 FROM mean GROUP BY series
ORDER BY series, x;

-- name: prediction-error
-- title: energy predicted at the decisions of energy-aware policies against what it came to: least, quartiles, greatest
-- level: segments
-- param: taskset - number of the set (default: all)
-- with: policy_name platform_name
-- chart: boxes
-- y: predicted / true energy - 1 (%)
-- choose: groups
-- nothing: no decision with a known outcome is recorded (cegsim run -p sbeet --record segments)
WITH
ranked AS (
	SELECT l.platform, n.series, d.error, row_number() OVER same AS place,
		count(*) OVER (PARTITION BY r.platform_id, r.policy_id) AS places
	FROM v_decision d JOIN run r USING (run_id) JOIN policy_name n ON n.policy_id = r.policy_id
		JOIN platform_name l ON l.platform_id = r.platform_id
	WHERE d.chosen AND d.error IS NOT NULL AND (:taskset IS NULL OR r.taskset_id = :taskset)
	WINDOW same AS (PARTITION BY r.platform_id, r.policy_id ORDER BY d.error))
SELECT CASE WHEN (SELECT count(DISTINCT platform) FROM ranked) > 1 THEN platform ELSE '' END AS panel, series AS "group",
	100 * min(error) AS least, 100 * min(CASE WHEN 4 * place >= places THEN error END) AS q1,
	100 * min(CASE WHEN 2 * place >= places THEN error END) AS median,
	100 * min(CASE WHEN 4 * place >= 3 * places THEN error END) AS q3, 100 * max(error) AS greatest
FROM ranked GROUP BY platform, series ORDER BY platform, series;
