-- report/figures/general.sql - figures of any recording (cegsim plot FILE.db NAME, cegsim list figures) that look at its
-- sets and policies; those that look into its runs are in times.sql, schedules, warps and the papers' figures in the other
-- files of this folder, and what they have in common in common.sql. As in db/queries.sql a figure begins with its name;
-- "param" lines name its parameters with their default. What its columns mean to the "chart" (curves, steps, points, bars,
-- stacks, boxes) is said in report/charts/chart.h. Other lines:
--   x, y            labels of the axes, with their unit
--   x-range, y-range   as gnuplot takes them, 0:1.02; without: from the data, and y from 0
--   log             axes in logarithms: x, y, or xy
--   free            x, y, xy: every panel has a range of its own
--   line            a thin line across at this y, or "diagonal"
--   choose          groups: --series takes these, as they are the policies
--   panels          series: each has a panel of its own, with its name
--   columns         panels in a row at most
--   panel           size of a panel's plotted area in inches: 2.6 x 1.7
--   with            common tables of common.sql that stand in front
--   sql             the SQL is that of this other figure
--   fixed           a value for a parameter with which figures that share their SQL differ: fixed: part = 2
--   level           the least level of recording that has its rows (db/levels.h), where not every level has
--   nothing         what to say when there is no row
--   drawn           in place of a chart: the figure draws itself (report/drawn.c)

-- name: acceptance
-- title: share of schedulable task sets over utilisation, by policy and by analysis, with Wilson's 95 % bands
-- param: platform - name of the platform
-- with: policy_name platform_name analysis_name point answer brief wilson
-- chart: curves
-- x: target utilisation
-- y: share of schedulable sets
-- y-range: 0:1.03
-- nothing: no set of this recording has a target utilisation (cegsim sweep makes sets that have)
-- A panel for every point of the other axes of a campaign's grid. Replications of a set are not independent: all of them
-- count in the share, but the band is that of so many sets.
WITH
part AS (
	SELECT l.platform, coalesce(p.point, '') AS point, min(coalesce(s.recipe_index, a.taskset_id)) AS place, a.series,
		min(a.policy) AS policy, min(a.analysis) AS analysis, s.target_utilisation_ppm AS ppm,
		count(DISTINCT a.taskset_id) AS sets, sum(a.ok) AS ok, count(*) AS answers
	FROM answer a JOIN taskset s USING (taskset_id) JOIN platform_name l ON l.platform_id = a.platform_id
		LEFT JOIN point p ON p.recipe = s.recipe
	WHERE s.target_utilisation_ppm IS NOT NULL AND (:platform IS NULL OR :platform = l.name OR :platform = l.platform)
	GROUP BY l.platform, p.point, a.series, s.target_utilisation_ppm
	UNION ALL
	SELECT l.platform, p.point, b.first_unit, b.series, b.policy, b.analysis, b.ppm, b.sets, b.ok, b.answers
	FROM brief b JOIN platform_name l ON l.platform_id = b.platform_id JOIN point p ON p.recipe = b.recipe
	WHERE b.ppm IS NOT NULL AND (:platform IS NULL OR :platform = l.name OR :platform = l.platform)),
counted AS (
	SELECT platform, point, min(place) AS place, series, min(policy) AS policy, min(analysis) AS analysis, ppm,
		sum(sets) AS n, 1.0 * sum(ok) * sum(sets) / sum(answers) AS k
	FROM part GROUP BY platform, point, series, ppm)
SELECT CASE WHEN (SELECT max(platforms) FROM (SELECT count(DISTINCT platform) AS platforms FROM counted GROUP BY point)) > 1
		THEN c.platform || CASE c.point WHEN '' THEN '' ELSE ', ' || c.point END ELSE c.point END AS panel,
	c.series, c.policy, c.analysis AS dashed, c.ppm / 1e6 AS x, 1.0 * c.k / c.n AS y,
	w.low, w.high
FROM counted c JOIN wilson w ON w.n = c.n AND w.k = c.k
ORDER BY min(c.place) OVER (PARTITION BY c.platform, c.point), c.platform, c.analysis, c.series, c.ppm;

-- name: grid
-- title: share of schedulable task sets at every point of a campaign's grid, utilisations together, with Wilson's 95 % bars
-- param: axis - the option whose values stand side by side; the others have panels (default: all in one panel)
-- param: platform - name of the platform
-- with: policy_name platform_name analysis_name point answer brief wilson
-- chart: bars
-- y: share of schedulable sets
-- y-range: 0:1.03
-- nothing: no set of this recording comes from a recipe (cegsim sweep makes sets that do)
WITH
place AS (
	SELECT r.recipe, coalesce((SELECT group_concat(key || '=' || value, ', ') FROM (SELECT g.key, g.value FROM given g
			WHERE g.recipe = r.recipe AND g.key IN (SELECT key FROM axis) AND g.key <> :axis ORDER BY g.key)), '') AS point,
		CASE WHEN :axis IS NULL THEN p.point ELSE :axis || '=' || (SELECT g.value FROM given g
			WHERE g.recipe = r.recipe AND g.key = :axis) END AS "group"
	FROM recipe r JOIN point p USING (recipe)),
part AS (
	SELECT l.platform, p.point, p."group", min(coalesce(s.recipe_index, a.taskset_id)) AS place, a.series,
		min(a.policy) AS policy, min(a.analysis) AS analysis,
		count(DISTINCT a.taskset_id) AS sets, sum(a.ok) AS ok, count(*) AS answers
	FROM answer a JOIN taskset s USING (taskset_id) JOIN platform_name l ON l.platform_id = a.platform_id
		JOIN place p ON p.recipe = s.recipe
	WHERE p."group" IS NOT NULL AND (:platform IS NULL OR :platform = l.name OR :platform = l.platform)
	GROUP BY l.platform, p.point, p."group", a.series
	UNION ALL
	SELECT l.platform, p.point, p."group", b.first_unit, b.series, b.policy, b.analysis, b.sets, b.ok, b.answers
	FROM brief b JOIN platform_name l ON l.platform_id = b.platform_id JOIN place p ON p.recipe = b.recipe
	WHERE p."group" IS NOT NULL AND (:platform IS NULL OR :platform = l.name OR :platform = l.platform)),
counted AS (
	SELECT platform, point, "group", min(place) AS place, series, min(policy) AS policy, min(analysis) AS analysis,
		sum(sets) AS n, 1.0 * sum(ok) * sum(sets) / sum(answers) AS k
	FROM part GROUP BY platform, point, "group", series)
SELECT CASE WHEN (SELECT max(platforms) FROM (SELECT count(DISTINCT platform) AS platforms FROM counted
		GROUP BY point, "group")) > 1
		THEN c.platform || CASE c.point WHEN '' THEN '' ELSE ', ' || c.point END ELSE c.point END AS panel,
	c.series, c.policy, c.analysis AS dashed, c."group", 1.0 * c.k / c.n AS y,
	w.low, w.high
FROM counted c JOIN wilson w ON w.n = c.n AND w.k = c.k
ORDER BY c.analysis, c.series, c.place, c.platform;

-- name: miss-ratio
-- title: share of jobs that miss their deadline over utilisation: mean of the sets, +-1.96 standard errors
-- param: platform - name of the platform
-- with: policy_name platform_name point root
-- chart: curves
-- x: target utilisation
-- y: missed jobs / jobs (mean of sets, 95 %)
-- nothing: no run of this recording has a set with a target utilisation (cegsim sweep makes sets that have)
-- Of sets: jobs of one set depend on each other, and so do its replications, which count together. Runs that a policy
-- refused have no jobs. A single set has a mean, and no band.
WITH
of_set AS (
	SELECT l.platform, coalesce(p.point, '') AS point, r.taskset_id, n.series, s.target_utilisation_ppm AS ppm,
		1.0 * sum(r.misses) / sum(r.jobs) AS ratio
	FROM run r JOIN policy_name n USING (policy_id) JOIN taskset s USING (taskset_id) JOIN platform_name l USING (platform_id)
		LEFT JOIN point p ON p.recipe = s.recipe
	WHERE r.jobs > 0 AND r.status <> 'error' AND s.target_utilisation_ppm IS NOT NULL
		AND (:platform IS NULL OR :platform = l.name OR :platform = l.platform)
	GROUP BY l.platform, p.point, r.taskset_id, n.series, s.target_utilisation_ppm),
squared AS (
	SELECT platform, point, min(taskset_id) AS place, series, ppm, avg(ratio) AS mean,
		max(avg(ratio * ratio) - avg(ratio) * avg(ratio), 0.0) / nullif(count(*) - 1, 0) AS v
	FROM of_set GROUP BY platform, point, series, ppm)
SELECT CASE WHEN (SELECT max(platforms) FROM (SELECT count(DISTINCT platform) AS platforms FROM squared GROUP BY point)) > 1
		THEN c.platform || CASE c.point WHEN '' THEN '' ELSE ', ' || c.point END ELSE c.point END AS panel,
	c.series, c.ppm / 1e6 AS x, c.mean AS y, max(c.mean - 1.96 * w.root, 0.0) AS low,
	min(c.mean + 1.96 * w.root, 1.0) AS high
FROM squared c LEFT JOIN root w ON w.v = c.v
ORDER BY min(c.place) OVER (PARTITION BY c.platform, c.point), c.platform, c.series, c.ppm;

-- name: misses-by-bandwidth
-- title: share of jobs that miss their deadline over the bandwidth of copies, by board and policy: mean of the sets, +-1.96 standard errors
-- with: policy_name point root
-- chart: curves
-- x: bandwidth of copies (GB/s)
-- y: missed jobs / jobs (mean of sets, 95 %)
-- log: x
-- nothing: the runs of this recording have no two bandwidths of copies (a campaign of a scenario sets platform.copy.bandwidth)
-- A panel for every board, and point of the other axes of a campaign's grid. Every replication of a scenario has a set.
WITH
elsewhere AS (
	SELECT r.recipe, coalesce((SELECT group_concat(key || '=' || value, ', ') FROM (SELECT g.key, g.value FROM given g
		WHERE g.recipe = r.recipe AND g.key IN (SELECT key FROM axis)
			AND g.key NOT IN ('platform.copy.bandwidth', 'platform.preset') ORDER BY g.key)), '') AS point
	FROM recipe r),
of_set AS (
	SELECT l.name AS platform, coalesce(e.point, '') AS point, r.taskset_id, n.series, l.copy_bandwidth AS bandwidth,
		1.0 * sum(r.misses) / sum(r.jobs) AS ratio
	FROM run r JOIN policy_name n USING (policy_id) JOIN taskset s USING (taskset_id) JOIN platform l USING (platform_id)
		LEFT JOIN elsewhere e ON e.recipe = s.recipe
	WHERE r.jobs > 0 AND r.status <> 'error' AND (SELECT count(DISTINCT copy_bandwidth) FROM platform) > 1
		AND l.copy_bandwidth IS NOT NULL
	GROUP BY l.name, e.point, r.taskset_id, n.series, l.copy_bandwidth),
squared AS (
	SELECT platform, point, min(taskset_id) AS place, series, bandwidth, avg(ratio) AS mean,
		max(avg(ratio * ratio) - avg(ratio) * avg(ratio), 0.0) / nullif(count(*) - 1, 0) AS v
	FROM of_set GROUP BY platform, point, series, bandwidth)
SELECT c.platform || CASE c.point WHEN '' THEN '' ELSE ', ' || c.point END AS panel, c.series, c.bandwidth / 1e9 AS x,
	c.mean AS y, max(c.mean - 1.96 * w.root, 0.0) AS low, min(c.mean + 1.96 * w.root, 1.0) AS high
FROM squared c LEFT JOIN root w ON w.v = c.v
ORDER BY min(c.place) OVER (PARTITION BY c.platform, c.point), c.platform, c.series, c.bandwidth;

-- name: response-by-bandwidth
-- title: worst response over deadline of all tasks, over the bandwidth of copies, by board and policy
-- param: task - only the task of this name
-- with: policy_name point
-- chart: curves
-- x: bandwidth of copies (GB/s)
-- y: worst response / deadline
-- log: x
-- line: 1
-- nothing: the runs of this recording have no two bandwidths of copies (a campaign of a scenario sets platform.copy.bandwidth)
-- Of jobs that finished. Panels as in misses-by-bandwidth.
WITH
elsewhere AS (
	SELECT r.recipe, coalesce((SELECT group_concat(key || '=' || value, ', ') FROM (SELECT g.key, g.value FROM given g
		WHERE g.recipe = r.recipe AND g.key IN (SELECT key FROM axis)
			AND g.key NOT IN ('platform.copy.bandwidth', 'platform.preset') ORDER BY g.key)), '') AS point
	FROM recipe r),
worst AS (
	SELECT l.name AS platform, coalesce(e.point, '') AS point, min(r.taskset_id) AS place, n.series,
		l.copy_bandwidth AS bandwidth, max(1.0 * a.max_response_ns / t.deadline_ns) AS y
	FROM run r JOIN policy_name n USING (policy_id) JOIN taskset s USING (taskset_id) JOIN platform l USING (platform_id)
		JOIN run_task a USING (run_id) JOIN task t ON t.task_id = a.task_id LEFT JOIN elsewhere e ON e.recipe = s.recipe
	WHERE a.responses > 0 AND t.deadline_ns > 0 AND (:task IS NULL OR t.name = :task)
		AND (SELECT count(DISTINCT copy_bandwidth) FROM platform) > 1 AND l.copy_bandwidth IS NOT NULL
	GROUP BY l.name, e.point, n.series, l.copy_bandwidth)
SELECT platform || CASE point WHEN '' THEN '' ELSE ', ' || point END AS panel, series, bandwidth / 1e9 AS x, y
FROM worst ORDER BY min(place) OVER (PARTITION BY platform, point), platform, series, bandwidth;

-- name: misses
-- title: share of each task's jobs that miss their deadline, by policy
-- param: run - only this run
-- param: taskset - number of the set (default: the first)
-- with: policy_name platform_name runs_of_set
-- chart: bars
-- y: missed jobs / jobs
-- nothing: this recording has no runs with jobs
SELECT c.series, t.name AS "group", 1.0 * sum(a.misses) / sum(a.jobs) AS y
FROM chosen c JOIN run_task a USING (run_id) JOIN task t USING (task_id)
WHERE a.jobs > 0 GROUP BY c.series, a.task_id ORDER BY c.series, t.task_idx;

-- name: energy
-- title: mean energy of the runs, by policy, and what it is made of
-- param: platform - name of the platform
-- param: taskset - number of the set (default: all)
-- with: policy_name platform_name
-- chart: stacks
-- y: energy per run (J, mean)
-- choose: groups
-- free: y
-- power: needed
-- nothing: no run of this recording has energy (a scenario or campaign with power figures gives it)
WITH
mean AS (
	SELECT l.platform, n.series AS policy, avg(e.static_j) AS static_j, avg(e.idle_sms_j) AS idle_j,
		avg(e.dynamic_j) AS dynamic_j
	FROM v_energy e JOIN run r ON r.run_id = e.run_id JOIN policy_name n ON n.policy_id = r.policy_id
		JOIN platform_name l ON l.platform_id = r.platform_id
	WHERE (:platform IS NULL OR :platform = l.name OR :platform = l.platform)
		AND (:taskset IS NULL OR r.taskset_id = :taskset) AND e.energy_j IS NOT NULL
	GROUP BY l.platform, n.series),
part (place, series) AS (VALUES (1, 'static'), (2, 'idle SMs'), (3, 'dynamic'))
SELECT CASE WHEN (SELECT count(DISTINCT platform) FROM mean) > 1 THEN m.platform ELSE '' END AS panel, p.series,
	m.policy AS "group", CASE p.place WHEN 1 THEN m.static_j WHEN 2 THEN m.idle_j ELSE m.dynamic_j END AS y
FROM part p JOIN mean m
WHERE p.place <> 2 OR (SELECT max(idle_j) FROM mean) > 0
ORDER BY m.platform, p.place, m.policy;

-- name: energy-by-utilisation
-- title: energy over utilisation against fcfs on the same sets, by policy: ratio of the sums, +-1.96 standard errors
-- param: platform - name of the platform
-- with: policy_name platform_name point root
-- chart: curves
-- x: target utilisation
-- y: energy, fcfs = 1 (95 %)
-- line: 1
-- power: needed
-- nothing: no policy of this recording has energy on the same sets as fcfs, at a target utilisation
-- The ratio is that of the view v_energy_policy; its error is that of a ratio of two sums over sets (linearised), of which a
-- single one has none.
WITH
baseline AS (
	SELECT r.taskset_id, r.platform_id, r.replication, r.setup_digest, min(r.run_id) AS run_id
	FROM run r JOIN policy p USING (policy_id) WHERE p.name = 'fcfs' AND r.energy_uj IS NOT NULL
	GROUP BY r.taskset_id, r.platform_id, r.replication, r.setup_digest),
paired AS (
	SELECT l.platform, coalesce(p.point, '') AS point, r.taskset_id, n.series, s.target_utilisation_ppm AS ppm,
		sum(r.energy_uj / 1e6 + r.energy_rest_uwns / 1e15) AS j, sum(b.energy_uj / 1e6 + b.energy_rest_uwns / 1e15) AS fcfs_j
	FROM run r JOIN baseline f ON f.taskset_id = r.taskset_id AND f.platform_id = r.platform_id
			AND f.replication = r.replication AND f.setup_digest = r.setup_digest
		JOIN run b ON b.run_id = f.run_id JOIN policy_name n ON n.policy_id = r.policy_id
		JOIN taskset s ON s.taskset_id = r.taskset_id JOIN platform_name l ON l.platform_id = r.platform_id
		LEFT JOIN point p ON p.recipe = s.recipe
	WHERE r.energy_uj IS NOT NULL AND s.target_utilisation_ppm IS NOT NULL
		AND (:platform IS NULL OR :platform = l.name OR :platform = l.platform)
	GROUP BY l.platform, p.point, r.taskset_id, n.series),
summed AS (
	SELECT *, sum(j) OVER same AS all_j, sum(fcfs_j) OVER same AS all_fcfs_j, count(*) OVER same AS n FROM paired
	WINDOW same AS (PARTITION BY platform, point, series, ppm)),
squared AS (
	SELECT platform, point, min(taskset_id) AS place, series, ppm, all_j / all_fcfs_j AS ratio,
		sum((j - all_j / all_fcfs_j * fcfs_j) * (j - all_j / all_fcfs_j * fcfs_j)) * n / nullif(n - 1, 0)
			/ all_fcfs_j / all_fcfs_j AS v
	FROM summed WHERE all_fcfs_j > 0 GROUP BY platform, point, series, ppm)
SELECT CASE WHEN (SELECT max(platforms) FROM (SELECT count(DISTINCT platform) AS platforms FROM squared GROUP BY point)) > 1
		THEN c.platform || CASE c.point WHEN '' THEN '' ELSE ', ' || c.point END ELSE c.point END AS panel,
	c.series, c.ppm / 1e6 AS x, c.ratio AS y, c.ratio - 1.96 * w.root AS low, c.ratio + 1.96 * w.root AS high
FROM squared c LEFT JOIN root w ON w.v = c.v
WHERE (SELECT count(DISTINCT series) FROM squared) > 1
ORDER BY min(c.place) OVER (PARTITION BY c.platform, c.point), c.platform, c.series, c.ppm;

-- name: tightness
-- title: observed responses against bounds: share of tasks whose worst response is at most such a part of its bound
-- param: analysis - name of the analysis
-- with: policy_name analysis_name
-- chart: steps
-- x: worst observed response / bound
-- y: share of tasks with a bound
-- y-range: 0:1.03
-- nothing: no run of this recording tells whether a bound holds (cegsim analyze stores bounds; @tightness counts why runs cannot tell)
-- Tasks whose run tells whether the bound holds (v_bound_check); of several runs of a task the worst response of all. More than 400 values
-- are thinned to every n-th.
WITH
value AS (
	SELECT n.series, n.policy, max(b.tightness) AS ratio FROM v_bound_check b JOIN run r USING (run_id)
		JOIN analysis_name n ON n.analysis = b.analysis AND n.params = b.analysis_params AND n.policy_id = r.policy_id
	WHERE b.holds IS NOT NULL AND b.tightness IS NOT NULL AND (:analysis IS NULL OR b.analysis = :analysis)
	GROUP BY n.series, r.platform_id, b.task_id),
ranked AS (
	SELECT series, policy, ratio, row_number() OVER (PARTITION BY series ORDER BY ratio) AS place,
		count(*) OVER (PARTITION BY series) AS places
	FROM value)
SELECT series, policy, ratio AS x, 1.0 * place / places AS y FROM ranked WHERE place % (places / 400 + 1) = 0 OR place = places
UNION ALL SELECT series, policy, ratio, 0 FROM ranked WHERE place = 1
ORDER BY series, y;

-- name: bounds
-- title: worst observed response of every task over its bound; above the diagonal it would exceed it
-- param: analysis - name of the analysis
-- param: limit = 2000 - tasks of each analysis at most; of more, every n-th
-- with: policy_name analysis_name
-- chart: points
-- x: bound (ms)
-- y: worst observed response (ms)
-- log: xy
-- line: diagonal
-- panel: 2.8 x 2.8
-- nothing: no run of this recording tells whether a bound holds (cegsim analyze stores bounds; @tightness counts why runs cannot tell)
-- Tasks whose run tells whether the bound holds (v_bound_check); of several runs of a task the worst response of all.
WITH
value AS (
	SELECT n.series, n.policy, b.bound_ms, max(b.observed_ms) AS observed_ms, min(b.run_id) AS run_id, b.task_id FROM v_bound_check b JOIN run r USING (run_id)
		JOIN analysis_name n ON n.analysis = b.analysis AND n.params = b.analysis_params AND n.policy_id = r.policy_id
	WHERE b.holds IS NOT NULL AND b.observed_ms > 0 AND (:analysis IS NULL OR b.analysis = :analysis)
	GROUP BY n.series, r.platform_id, b.task_id),
ranked AS (
	SELECT *, row_number() OVER (PARTITION BY series ORDER BY run_id, task_id) AS place,
		count(*) OVER (PARTITION BY series) AS places
	FROM value)
SELECT series, policy, bound_ms AS x, observed_ms AS y FROM ranked WHERE place % ((places - 1) / :limit + 1) = 0
ORDER BY series, run_id, task_id;

-- name: speed-up
-- title: how much shorter mean responses are than under a baseline policy, task by task, and their geometric mean
-- param: baseline - the policy to hold against, as the figure names it (default: the first)
-- param: taskset - number of the set (default: the first)
-- with: policy_name platform_name
-- chart: bars
-- y: speed-up of the mean response
-- line: 1
-- nothing: no two policies have jobs that finished on one set of this recording, or none has the baseline's name
-- A policy under which no job of a task finished, while some did under another, has no geometric mean: it would be one of
-- other tasks.
WITH RECURSIVE
mean AS (
	SELECT l.platform, n.series, a.task_id, t.name AS task, t.task_idx,
		1.0 * sum(1.0 * a.mean_response_ns * a.responses) / sum(a.responses) AS ns
	FROM run r JOIN policy_name n USING (policy_id) JOIN run_task a USING (run_id) JOIN task t USING (task_id)
		JOIN platform_name l USING (platform_id)
	WHERE a.responses > 0 AND r.taskset_id = coalesce(:taskset, (SELECT min(taskset_id) FROM (SELECT taskset_id FROM run
		WHERE status <> 'refused' GROUP BY taskset_id HAVING count(DISTINCT policy_id) > 1)))
	GROUP BY l.platform, n.series, a.task_id),
ratio AS (
	SELECT m.platform, m.series, m.task, m.task_idx, b.ns / m.ns AS ratio FROM mean m JOIN mean b ON b.task_id = m.task_id
		AND b.platform = m.platform AND b.series = coalesce(:baseline, (SELECT min(series) FROM mean))
	WHERE m.series <> b.series AND m.ns > 0 AND b.ns > 0),
log2 (platform, series, task_idx, x, log2, bit, step) AS ( -- bit by bit: the number's square has twice its logarithm
	SELECT platform, series, task_idx, ratio, 0.0, 1.0, 0 FROM ratio
	UNION ALL
	SELECT platform, series, task_idx, CASE WHEN x >= 2 THEN x / 2 WHEN x < 1 THEN x * 2 WHEN x * x >= 2 THEN x * x / 2 ELSE x * x END,
		CASE WHEN x >= 2 THEN log2 + bit WHEN x < 1 THEN log2 - 1 WHEN x * x >= 2 THEN log2 + bit / 2 ELSE log2 END,
		CASE WHEN x >= 2 OR x < 1 THEN bit ELSE bit / 2 END, step + 1
	FROM log2 WHERE step < 80),
power (platform, series, y, term, sum, step) AS ( -- e to the power of y, as its series
	SELECT platform, series, avg(log2) * 0.6931471805599453, 1.0, 1.0, 1 FROM log2 g WHERE step = 80
	GROUP BY platform, series
	HAVING count(*) = (SELECT count(DISTINCT task_id) FROM mean m WHERE m.platform = g.platform)
	UNION ALL
	SELECT platform, series, y, term * y / step, sum + term * y / step, step + 1 FROM power WHERE step < 80)
SELECT 'against ' || coalesce(:baseline, (SELECT min(series) FROM mean))
		|| CASE WHEN (SELECT count(DISTINCT platform) FROM mean) > 1 THEN ' on ' || platform ELSE '' END AS panel,
	series, "group", y FROM (
	SELECT platform, series, task AS "group", ratio AS y, task_idx AS place FROM ratio
	UNION ALL SELECT platform, series, 'geometric mean', sum, 1e9 FROM power WHERE step = 80)
ORDER BY platform, place = 1e9, series, place;

-- name: scaling
-- title: how kernels scale: worst time on the fewest SMs that their profile knows over that on m SMs
-- param: taskset - number of the set (default: the first that has profiles, of every platform)
-- with: platform_name
-- chart: curves
-- x: SMs
-- y: speed-up
-- free: xy
-- nothing: no set of this recording has profiles (kernels whose time is given by the number of SMs)
WITH
place AS (
	SELECT l.platform, min(p.taskset_id) AS taskset_id FROM profile p JOIN run r USING (taskset_id)
		JOIN platform_name l USING (platform_id)
	WHERE :taskset IS NULL OR p.taskset_id = :taskset GROUP BY l.name),
wanted AS (
	SELECT DISTINCT w.platform, p.name, p.sms, p.worst_ns, first_value(p.worst_ns) OVER (PARTITION BY w.platform,
		p.taskset_id, p.profile_idx ORDER BY p.sms) AS least_ns
	FROM place w JOIN profile p USING (taskset_id))
SELECT CASE WHEN (SELECT count(*) FROM place) > 1 THEN platform ELSE '' END AS panel, name AS series, sms AS x,
	1.0 * least_ns / worst_ns AS y
FROM wanted WHERE worst_ns > 0 ORDER BY platform, name, sms;
