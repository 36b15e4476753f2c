-- db/queries.sql - questions with a name (cegsim query FILE.db @NAME, cegsim list queries). A query begins
-- with its name; "param" lines name its parameters with their default (NULL where none is given: all); "level" is the
-- least level of recording that has its rows (db/levels.h), where not every level has.
-- Results are for people: milliseconds, joules, names.

-- name: overview
-- title: every run: what it was, what came of it, and the first run before it with the same schedule
-- param: limit = 1000 - at most so many runs
SELECT v.run_id, v.policy, v.params, v.taskset, v.platform, v.status, v.jobs, v.misses, v.schedulable, v.stop_ms,
	v.energy_j, v.reason,
	(SELECT min(o.run_id) FROM run o WHERE o.taskset_id = r.taskset_id AND o.platform_id = r.platform_id
		AND o.replication = r.replication AND o.setup_digest = r.setup_digest AND o.digest = r.digest
		AND o.run_id < r.run_id) AS same_as
FROM (SELECT * FROM v_run ORDER BY run_id LIMIT :limit) v JOIN run r USING (run_id) ORDER BY v.run_id;

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

-- name: chains
-- title: ages and reactions of chains, and the jobs with the greatest
-- param: run - the run
-- param: chain - name of the chain
SELECT run_id, policy, chain, tasks, ages, mean_age_ms, max_age_ms, age_limit_ms, age_first_seq, age_last_seq,
	reactions, mean_reaction_ms, max_reaction_ms, reaction_limit_ms, reaction_first_seq, reaction_last_seq, kept
FROM v_chain WHERE (:run IS NULL OR run_id = :run) AND (:chain IS NULL OR chain = :chain)
ORDER BY run_id, chain_idx;

-- name: chain-path
-- title: the way of data to the greatest age and the longest reaction of a chain: which job read and wrote it when
-- level: jobs
-- param: run - the run
-- param: chain - name of the chain
-- From the last job back: what a job read is what the stage before had written last then (docs/model.md). What is
-- measured goes from from_ms to to_ms: of an age, to where the output was overwritten; of a reaction, from the read
-- behind which the event came.
WITH RECURSIVE
chosen AS (
	SELECT r.run_id, p.name AS policy, r.taskset_id, c.chain_idx, n.name AS chain, n.communication = 'let' AS let,
		n.communication = 'let' OR n.sample = 'release' AS at_release, w.*,
		(SELECT max(stage) FROM chain_task k WHERE k.taskset_id = n.taskset_id AND k.chain_idx = n.chain_idx) AS last
	FROM chain_run c JOIN run r USING (run_id) JOIN policy p USING (policy_id)
		JOIN chain n ON n.taskset_id = r.taskset_id AND n.chain_idx = c.chain_idx
		JOIN (SELECT c.run_id AS of_run, c.chain_idx AS of_chain, 'age' AS figure, c.max_age_ns AS amount_ns,
				c.age_first_seq AS first_seq, c.age_last_seq AS last_seq FROM chain_run c
			UNION ALL SELECT c.run_id, c.chain_idx, 'reaction', c.max_reaction_ns, c.reaction_first_seq,
				c.reaction_last_seq FROM chain_run c) w ON w.of_run = c.run_id AND w.of_chain = c.chain_idx
	WHERE w.amount_ns IS NOT NULL AND (:run IS NULL OR c.run_id = :run) AND (:chain IS NULL OR n.name = :chain)),
touched AS (
	SELECT c.run_id, c.chain_idx, c.figure, k.stage, k.stage = c.last AND j.seq = c.last_seq AS is_last,
		k.stage = 0 AND j.seq = c.first_seq AS is_first, j.task_id, j.seq,
		CASE WHEN c.let THEN j.release_ns ELSE j.first_start_ns END AS read_ns,
		CASE WHEN c.at_release THEN j.release_ns ELSE j.first_start_ns END AS stamp_ns,
		CASE WHEN j.outcome & 3 = 0
			THEN CASE WHEN c.let THEN max(j.finish_ns, j.abs_deadline_ns) ELSE j.finish_ns END END AS write_ns
	FROM chosen c JOIN chain_task k ON k.taskset_id = c.taskset_id AND k.chain_idx = c.chain_idx
		JOIN task t ON t.taskset_id = k.taskset_id AND t.task_idx = k.member_idx
		JOIN job j ON j.run_id = c.run_id AND j.task_id = t.task_id),
way AS (
	SELECT run_id, chain_idx, figure, stage, task_id, seq, read_ns, write_ns FROM touched WHERE is_last
	UNION ALL
	SELECT w.run_id, w.chain_idx, w.figure, x.stage, x.task_id, x.seq, x.read_ns, x.write_ns
	FROM way w JOIN touched x ON x.run_id = w.run_id AND x.chain_idx = w.chain_idx AND x.figure = w.figure
		AND x.stage = w.stage - 1 AND x.seq = (
			SELECT y.seq FROM touched y WHERE y.run_id = w.run_id AND y.chain_idx = w.chain_idx AND y.figure = w.figure
				AND y.stage = w.stage - 1 AND y.write_ns <= w.read_ns ORDER BY y.write_ns DESC, y.seq DESC LIMIT 1))
SELECT c.run_id, c.policy, c.chain, c.figure, c.amount_ns / 1e6 AS amount_ms, w.stage, t.name AS task, w.seq,
	w.read_ns / 1e6 AS read_ms, w.write_ns / 1e6 AS write_ms, b.stamp_ns / 1e6 AS from_ms,
	(b.stamp_ns + c.amount_ns) / 1e6 AS to_ms
FROM chosen c JOIN way w USING (run_id, chain_idx, figure) JOIN touched b USING (run_id, chain_idx, figure)
	JOIN task t ON t.task_id = w.task_id
WHERE b.is_first
ORDER BY c.run_id, c.chain_idx, c.figure, w.stage;

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
-- level: jobs
-- param: run - the run
-- param: task - name of the task
-- param: limit = 1000 - at most so many
SELECT run_id, policy, task, seq, release_ms, deadline_ms, first_start_ms, finish_ms, lateness_ms, state
FROM v_job
WHERE missed AND (:run IS NULL OR run_id = :run) AND (:task IS NULL OR task = :task)
ORDER BY run_id, deadline_ms, task_id, seq LIMIT :limit;

-- name: first-miss
-- title: who missed first, in each run
-- level: jobs
SELECT run_id, policy, task, seq, release_ms, deadline_ms, finish_ms, lateness_ms, state
FROM (
	SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY deadline_ms, task_id, seq) AS place
	FROM v_job WHERE missed)
WHERE place = 1 ORDER BY run_id;

-- name: acceptance
-- title: share of schedulable task sets by policy and utilisation, with 95 % intervals (Wilson)
SELECT target_utilisation, policy, params, platform, n, k, ratio, lower95, upper95, refused
FROM v_acceptance ORDER BY target_utilisation, platform, policy, params;

-- name: analysis-acceptance
-- title: share of sets that an analysis calls schedulable, by policy and utilisation, with 95 % intervals (Wilson)
-- param: analysis - name of the analysis
SELECT target_utilisation, analysis, analysis_params, safety, policy, params, platform, n, k, ratio, lower95,
	upper95, refused
FROM v_analysis_acceptance WHERE :analysis IS NULL OR analysis = :analysis
ORDER BY target_utilisation, platform, policy, params, analysis, analysis_params;

-- name: bounds
-- title: bounds on responses and what they are made of, task by task
-- param: taskset - number of the set
-- param: analysis - name of the analysis
-- param: limit = 1000 - at most so many
SELECT taskset_id, policy, analysis, analysis_params, safety, task, rank, deadline_ms, bound_ms, meets, own_ms,
	copy_ms, gpu_ms, blocking_ms, interference_ms, assumes_in_time
FROM v_bound
WHERE (:taskset IS NULL OR taskset_id = :taskset) AND (:analysis IS NULL OR analysis = :analysis)
ORDER BY taskset_id, platform, policy, params, analysis, analysis_params, rank LIMIT :limit;

-- name: interference
-- title: whose interference the bounds count, one task by another
-- param: taskset - number of the set
-- param: limit = 1000 - at most so many
SELECT a.taskset_id, p.name AS policy, a.analysis, a.params AS analysis_params, t.name AS task, o.name AS by_task,
	b.amount_ns / 1e6 AS interference_ms
FROM bound_part b JOIN analysis_run a USING (analysis_run_id) JOIN policy p ON p.policy_id = a.policy_id
	JOIN task t ON t.task_id = b.task_id LEFT JOIN task o ON o.task_id = b.by_task_id
WHERE b.part = 'interference' AND (:taskset IS NULL OR a.taskset_id = :taskset)
ORDER BY a.analysis_run_id, t.task_idx, o.task_idx LIMIT :limit;

-- name: tightness
-- title: how near observed responses come to stored bounds, by policy and analysis, and how many exceed them
-- param: analysis - name of the analysis
-- Tasks in runs, by v_bound_check.verdict; worst and mean of those that tell.
WITH
counted AS (
	SELECT platform, policy, params, analysis, analysis_params, safety, verdict,
		verdict = 'holds' OR verdict = 'exceeded' AS tells, count(*) AS n, count(tightness) AS ratios,
		sum(tightness) AS total, max(tightness) AS worst
	FROM v_bound_check WHERE :analysis IS NULL OR analysis = :analysis
	GROUP BY platform, policy, params, analysis, analysis_params, safety, verdict)
SELECT platform, policy, params, analysis, analysis_params, safety,
	sum(CASE verdict WHEN 'outside' THEN n ELSE 0 END) AS outside,
	sum(CASE verdict WHEN 'removing' THEN n ELSE 0 END) AS removing,
	sum(CASE verdict WHEN 'unbounded' THEN n ELSE 0 END) AS unbounded,
	sum(CASE verdict WHEN 'beyond period' THEN n ELSE 0 END) AS beyond_period,
	sum(CASE verdict WHEN 'not assumed' THEN n ELSE 0 END) AS not_assumed,
	sum(CASE verdict WHEN 'exceeded' THEN n ELSE 0 END) AS exceeded,
	sum(CASE verdict WHEN 'truncated' THEN n ELSE 0 END) AS truncated,
	sum(CASE verdict WHEN 'unanswered' THEN n ELSE 0 END) AS unanswered,
	sum(CASE verdict WHEN 'holds' THEN n ELSE 0 END) AS holds, max(CASE WHEN tells THEN worst END) AS worst,
	sum(CASE WHEN tells THEN total END) / nullif(sum(CASE WHEN tells THEN ratios END), 0) AS mean
FROM counted GROUP BY platform, policy, params, analysis, analysis_params, safety
ORDER BY platform, policy, params, analysis, analysis_params;

-- name: grid
-- title: share of schedulable sets at every point of a campaign's grid, with 95 % intervals (Wilson)
WITH RECURSIVE
point AS (SELECT recipe FROM taskset WHERE recipe IS NOT NULL UNION SELECT recipe FROM grid_point),
given AS (SELECT p.recipe, o.key, o.value FROM point p, json_each(p.recipe, '$.options') o),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT p.recipe, coalesce((SELECT group_concat(option, ' ') FROM (SELECT g.key || '=' || g.value AS option
		FROM given g WHERE g.recipe = p.recipe AND g.key IN (SELECT key FROM axis) ORDER BY g.key)), '') AS point
	FROM point p),
part AS (
	SELECT n.point, min(coalesce(t.recipe_index, t.taskset_id)) AS place, r.platform, r.policy, r.params,
		count(*) AS n,
		sum(r.schedulable) AS k, count(DISTINCT t.taskset_id) AS sets, sum(r.status = 'refused') AS refused,
		1.0 * sum(r.misses) / nullif(sum(r.jobs), 0) AS miss_ratio, avg(r.energy_j) AS mean_energy_j, 0 AS brief
	FROM v_run r JOIN taskset t USING (taskset_id) JOIN named n ON n.recipe = t.recipe
	WHERE r.status <> 'error' GROUP BY n.point, r.platform, r.policy, r.params
	UNION ALL
	SELECT n.point, c.first_unit, l.name, p.name, p.params, c.n, c.k, c.sets, c.refused, NULL, NULL, 1
	FROM tally c JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
		JOIN platform l USING (platform_id) JOIN policy p USING (policy_id) JOIN named n ON n.recipe = g.recipe
	WHERE q.analysis IS NULL),
-- Of sets that are verdicts alone there are no misses and energies; the rest would not stand for all.
counted AS (
	SELECT point, min(place) AS place, platform, policy, params, sum(n) AS n, sum(k) AS k, sum(sets) AS sets,
		sum(refused) AS refused, CASE max(brief) WHEN 0 THEN max(miss_ratio) END AS miss_ratio,
		CASE max(brief) WHEN 0 THEN max(mean_energy_j) END AS mean_energy_j
	FROM part GROUP BY point, platform, policy, params),
accepted AS (SELECT *, 1.0 * k * sets / n AS e FROM counted), -- of the sets; runs of one set are not independent
root (sets, e, step, x, root) AS ( -- Newton's, from above
	SELECT DISTINCT sets, e, 0, e * (sets - e) / sets + 0.9604, e * (sets - e) / sets + 1.9604 FROM accepted
	UNION ALL
	SELECT sets, e, step + 1, x, (root + x / root) / 2 FROM root WHERE step < 40)
SELECT c.point, c.platform, c.policy, c.params, c.n, c.k, 1.0 * c.k / c.n AS ratio,
	CASE c.k WHEN 0 THEN 0.0 ELSE (c.e + 1.9208 - 1.96 * w.root) / (c.sets + 3.8416) END AS lower95,
	CASE c.k WHEN c.n THEN 1.0 ELSE (c.e + 1.9208 + 1.96 * w.root) / (c.sets + 3.8416) END AS upper95,
	c.refused, c.miss_ratio, c.mean_energy_j
FROM accepted c JOIN root w ON w.sets = c.sets AND w.e = c.e AND w.step = 40
ORDER BY c.place, c.platform, c.policy, c.params;

-- name: analysis-grid
-- title: share of sets that each analysis calls schedulable at every point of a campaign's grid, with 95 % intervals
-- param: analysis - name of the analysis
WITH RECURSIVE
point AS (SELECT recipe FROM taskset WHERE recipe IS NOT NULL UNION SELECT recipe FROM grid_point),
given AS (SELECT p.recipe, o.key, o.value FROM point p, json_each(p.recipe, '$.options') o),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT p.recipe, coalesce((SELECT group_concat(option, ' ') FROM (SELECT g.key || '=' || g.value AS option
		FROM given g WHERE g.recipe = p.recipe AND g.key IN (SELECT key FROM axis) ORDER BY g.key)), '') AS point
	FROM point p),
part AS (
	SELECT n.point, min(coalesce(t.recipe_index, a.taskset_id)) AS place, a.platform_id, a.policy_id, a.analysis,
		a.params, a.safety, count(*) AS n, sum(a.verdict = 'schedulable') AS k, sum(a.verdict = 'refused') AS refused
	FROM analysis_run a JOIN taskset t USING (taskset_id) JOIN named n ON n.recipe = t.recipe
	WHERE a.verdict <> 'error'
	GROUP BY n.point, a.platform_id, a.policy_id, a.analysis, a.params, a.safety
	UNION ALL
	SELECT n.point, c.first_unit, c.platform_id, q.policy_id, q.analysis, q.params, q.safety, c.n, c.k, c.refused
	FROM tally c JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
		JOIN named n ON n.recipe = g.recipe
	WHERE q.analysis IS NOT NULL),
counted AS (
	SELECT point, min(place) AS place, platform_id, policy_id, analysis, params, safety, sum(n) AS n, sum(k) AS k,
		sum(refused) AS refused
	FROM part WHERE :analysis IS NULL OR analysis = :analysis
	GROUP BY point, platform_id, policy_id, analysis, params, safety),
root (n, k, step, x, root) AS ( -- Newton's, from above
	SELECT DISTINCT n, k, 0, 1.0 * k * (n - k) / n + 0.9604, 1.0 * k * (n - k) / n + 1.9604 FROM counted
	UNION ALL
	SELECT n, k, step + 1, x, (root + x / root) / 2 FROM root WHERE step < 40)
SELECT c.point, l.name AS platform, p.name AS policy, c.analysis, c.safety, c.n, c.k, 1.0 * c.k / c.n AS ratio,
	CASE c.k WHEN 0 THEN 0.0 ELSE (c.k + 1.9208 - 1.96 * w.root) / (c.n + 3.8416) END AS lower95,
	CASE c.k WHEN c.n THEN 1.0 ELSE (c.k + 1.9208 + 1.96 * w.root) / (c.n + 3.8416) END AS upper95, c.refused,
	p.params, c.params AS analysis_params
FROM counted c JOIN root w ON w.n = c.n AND w.k = c.k AND w.step = 40
	JOIN platform l ON l.platform_id = c.platform_id JOIN policy p ON p.policy_id = c.policy_id
ORDER BY c.place, l.name, p.name, p.params, c.analysis, c.params;

-- name: curves
-- title: acceptance curves in a row each: up to which utilisation all sets, 95 % and half of them are schedulable
-- param: analysis - name of the analysis
-- param: policy - name of the policy
-- Of analyses, and of runs (no analysis). "Up to": so it is at every utilisation of the grid that is not greater.
-- mean_ratio: over the utilisations. Curves of campaigns that span nothing but utilisation have the point ''.
WITH
point AS (
	SELECT recipe, target_utilisation_ppm AS ppm FROM taskset
	WHERE recipe IS NOT NULL AND target_utilisation_ppm IS NOT NULL
	UNION SELECT recipe, target_utilisation_ppm FROM grid_point WHERE target_utilisation_ppm IS NOT NULL),
given AS (
	SELECT p.recipe, o.key, o.value FROM point p, json_each(p.recipe, '$.options') o WHERE o.key <> 'utilisation'),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT p.recipe, p.ppm, coalesce((SELECT group_concat(option, ' ') FROM (SELECT g.key || '=' || g.value AS option
		FROM given g WHERE g.recipe = p.recipe AND g.key IN (SELECT key FROM axis) ORDER BY g.key)), '') AS point
	FROM point p),
answer AS (
	SELECT taskset_id, platform_id, policy_id, analysis, params, safety, verdict = 'schedulable' AS ok
	FROM analysis_run WHERE verdict <> 'error'
	UNION ALL
	SELECT taskset_id, platform_id, policy_id, '', '', '', status = 'ok' AND misses = 0
	FROM run WHERE status <> 'error'),
part AS (
	SELECT n.point, n.ppm, min(coalesce(t.recipe_index, a.taskset_id)) AS place, a.platform_id, a.policy_id,
		a.analysis, a.params, a.safety, count(*) AS n, sum(a.ok) AS k
	FROM answer a JOIN taskset t USING (taskset_id) JOIN named n ON n.recipe = t.recipe
	GROUP BY n.point, n.ppm, a.platform_id, a.policy_id, a.analysis, a.params, a.safety
	UNION ALL
	SELECT n.point, n.ppm, c.first_unit, c.platform_id, q.policy_id, coalesce(q.analysis, ''),
		coalesce(q.params, ''), coalesce(q.safety, ''), c.n, c.k
	FROM tally c JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
		JOIN named n ON n.recipe = g.recipe),
counted AS (
	SELECT point, ppm, min(place) AS place, platform_id, policy_id, analysis, params, safety, sum(n) AS n, sum(k) AS k
	FROM part GROUP BY point, ppm, platform_id, policy_id, analysis, params, safety),
bounded AS (
	SELECT *, min(CASE WHEN k < n THEN ppm END) OVER curve AS all_ends,
		min(CASE WHEN 100 * k < 95 * n THEN ppm END) OVER curve AS most_end,
		min(CASE WHEN 2 * k < n THEN ppm END) OVER curve AS half_ends
	FROM counted
	WINDOW curve AS (PARTITION BY point, platform_id, policy_id, analysis, params, safety))
SELECT b.point, l.name AS platform, p.name AS policy, nullif(b.analysis, '') AS analysis,
	nullif(b.safety, '') AS safety, sum(b.n) AS sets,
	max(CASE WHEN b.all_ends IS NULL OR b.ppm < b.all_ends THEN b.ppm END) / 1e6 AS all_up_to,
	max(CASE WHEN b.most_end IS NULL OR b.ppm < b.most_end THEN b.ppm END) / 1e6 AS most_up_to,
	max(CASE WHEN b.half_ends IS NULL OR b.ppm < b.half_ends THEN b.ppm END) / 1e6 AS half_up_to,
	avg(1.0 * b.k / b.n) AS mean_ratio, p.params, nullif(b.params, '') AS analysis_params
FROM bounded b JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)
WHERE (:analysis IS NULL OR b.analysis = :analysis) AND (:policy IS NULL OR p.name = :policy)
GROUP BY b.point, b.platform_id, b.policy_id, b.analysis, b.params, b.safety
ORDER BY min(b.place), l.name, b.analysis = '', p.name, p.params, b.analysis, b.params;

-- name: verdicts
-- title: what came of each set of a campaign, by its number: of runs and analyses (sweep --units makes a set again)
-- param: unit - number of the set
-- param: policy - name of the policy
-- param: analysis - name of the analysis
-- param: verdict - schedulable, unschedulable, refused, truncated or error
-- param: limit = 1000 - at most so many
-- Of sets that are recorded (they have a taskset_id), and of those that are verdicts alone.
WITH
point AS (SELECT recipe FROM taskset WHERE recipe IS NOT NULL UNION SELECT recipe FROM grid_point),
given AS (SELECT p.recipe, o.key, o.value FROM point p, json_each(p.recipe, '$.options') o),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT p.recipe, coalesce((SELECT group_concat(option, ' ') FROM (SELECT g.key || '=' || g.value AS option
		FROM given g WHERE g.recipe = p.recipe AND g.key IN (SELECT key FROM axis) ORDER BY g.key)), '') AS point
	FROM point p),
answer AS (
	SELECT v.unit, g.recipe, v.platform_id, q.policy_id, q.analysis, q.params, v.replication, v.verdict,
		NULL AS taskset_id, NULL AS run_id
	FROM verdict v JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
	UNION ALL
	SELECT s.recipe_index, s.recipe, r.platform_id, r.policy_id, NULL, NULL, r.replication,
		CASE WHEN r.status <> 'ok' THEN r.status WHEN r.misses = 0 THEN 'schedulable' ELSE 'unschedulable' END,
		r.taskset_id, r.run_id
	FROM run r JOIN taskset s USING (taskset_id) WHERE s.recipe IS NOT NULL
	UNION ALL
	SELECT s.recipe_index, s.recipe, a.platform_id, a.policy_id, a.analysis, a.params, NULL, a.verdict, a.taskset_id, NULL
	FROM analysis_run a JOIN taskset s USING (taskset_id) WHERE s.recipe IS NOT NULL),
shown AS (
	SELECT a.*, p.name AS policy, p.params AS policy_params FROM answer a JOIN policy p USING (policy_id)
	WHERE (:unit IS NULL OR a.unit = :unit) AND (:policy IS NULL OR p.name = :policy)
		AND (:analysis IS NULL OR a.analysis = :analysis) AND (:verdict IS NULL OR a.verdict = :verdict)
	ORDER BY a.unit, a.platform_id, a.analysis IS NOT NULL, a.policy_id, a.analysis, a.params, a.replication LIMIT :limit)
SELECT a.unit, n.point, l.name AS platform, a.policy, a.analysis, a.replication, a.verdict, a.taskset_id, a.run_id,
	a.policy_params AS params, a.params AS analysis_params
FROM shown a JOIN platform l USING (platform_id) LEFT JOIN named n ON n.recipe = a.recipe
ORDER BY a.unit, a.platform_id, a.analysis IS NOT NULL, a.policy_id, a.analysis, a.params, a.replication;

-- name: compare
-- title: policies side by side on the same sets: misses, worst response against its deadline, energy, idle SMs
-- param: taskset - number of the set
WITH worst AS (
	SELECT run_id, max(max(coalesce(max_ms, 0), coalesce(lower_bound_ms, 0)) / relative_deadline_ms) AS normalised
	FROM v_task_response GROUP BY run_id)
SELECT r.taskset_id, r.taskset, r.platform, r.replication, r.policy, r.params, r.status, r.schedulable, r.misses,
	w.normalised AS max_normalised_response, r.energy_j,
	r.energy_j / nullif(min(r.energy_j) OVER (PARTITION BY r.taskset_id, r.platform, r.replication, r.seed,
		r.execution), 0) AS times_least, e.mean_power_w, e.idle_sm_share, r.run_id
FROM v_run r LEFT JOIN worst w USING (run_id) LEFT JOIN v_energy e USING (run_id)
WHERE :taskset IS NULL OR r.taskset_id = :taskset
ORDER BY r.taskset_id, r.platform, r.replication, r.schedulable DESC, r.energy_j IS NULL, r.energy_j,
	r.run_id;

-- name: compare-tasks
-- title: policies side by side on the same sets: worst and mean response of every task, misses, its dynamic energy
-- param: taskset - number of the set
SELECT r.taskset_id, r.taskset, t.task, r.run_id, r.policy, r.params, r.status, t.max_ms, t.mean_ms, t.misses,
	1.0 * t.max_ms / nullif(min(t.max_ms) OVER (PARTITION BY r.taskset_id, r.platform, t.task_id), 0)
		AS times_best, e.dynamic_j AS task_energy_j
FROM v_run r JOIN v_task_response t ON t.run_id = r.run_id
	LEFT JOIN v_energy_task e ON e.run_id = t.run_id AND e.task_id = t.task_id
WHERE :taskset IS NULL OR r.taskset_id = :taskset
ORDER BY r.taskset_id, t.task_id, t.max_ms, r.run_id;

-- name: same-schedule
-- title: policies whose schedules were the same: in how many of the runs that both made, of how many sets
WITH
pair AS (
	SELECT a.policy_id AS one, b.policy_id AS other, count(*) AS runs, count(DISTINCT a.taskset_id) AS sets,
		sum(a.digest = b.digest) AS same
	FROM run a JOIN run b ON b.taskset_id = a.taskset_id AND b.platform_id = a.platform_id
		AND b.replication = a.replication AND b.setup_digest = a.setup_digest AND b.policy_id > a.policy_id
	WHERE a.status = 'ok' AND b.status = 'ok'
	GROUP BY a.policy_id, b.policy_id)
SELECT p.name AS policy, p.params, o.name AS other, o.params AS other_params, i.same, i.runs, i.sets
FROM pair i JOIN policy p ON p.policy_id = i.one JOIN policy o ON o.policy_id = i.other
WHERE i.same > 0 ORDER BY 1.0 * i.same / i.runs DESC, i.same DESC, i.one, i.other;

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

-- name: where-time-went
-- title: where the time of one job went, segment by segment (default: the job with the worst response)
-- level: segments
-- param: run = 1 - the run
-- param: task - name of the task
-- param: seq - number of the job
WITH
chosen AS (
	SELECT j.run_id, j.task_id, j.seq, t.name FROM job j JOIN task t USING (task_id)
	WHERE j.run_id = :run AND (:task IS NULL OR t.name = :task) AND (:seq IS NULL OR j.seq = :seq)
	ORDER BY j.response_ns DESC, j.task_id, j.seq LIMIT 1)
SELECT c.name AS task, c.seq, i.segment_idx, coalesce(s.name, s.kind) AS segment, i.kind, i.part, i.ready_ns / 1e6 AS ready_ms,
	i.start_ns / 1e6 AS start_ms, i.end_ns / 1e6 AS end_ms,
	(i.start_ns - max(i.ready_ns,
		coalesce(lag(i.end_ns) OVER (PARTITION BY i.segment_idx, i.kind ORDER BY i.part), 0)))
		/ 1e6 AS waited_ms,
	(i.end_ns - i.start_ns) / 1e6 AS took_ms, i.ended
FROM chosen c JOIN segment_interval i ON i.run_id = c.run_id AND i.task_id = c.task_id AND i.seq = c.seq
	JOIN v_segment s ON s.task_id = i.task_id AND s.segment_idx = i.segment_idx
ORDER BY i.start_ns, i.end_ns;

-- name: why
-- title: why a job took so long: its own time, and by whom it was kept waiting (default: each task's longest)
-- level: segments
-- param: run = 1 - the run
-- param: task - name of the task
-- param: seq - number of the job
-- Milliseconds, exact. The amounts of a job add up to its response (docs/waiting.md says what they are). Of more than
-- nine tasks that had the same the eight with the most are named; @waits has all. Behind "in flight": what operations of
-- the job waited for in the job itself, side by side (@flight-waits).
WITH
chosen AS (
	SELECT * FROM (
		SELECT j.run_id, j.task_id, j.seq, t.name AS task, j.state, j.missed,
			(coalesce(j.finish_ns, r.stop_ns) - j.release_ns) / 1e6 AS response_ms,
			(j.abs_deadline_ns - j.release_ns) / 1e6 AS deadline_ms, p.name AS policy,
			row_number() OVER (PARTITION BY j.task_id
				ORDER BY coalesce(j.finish_ns, r.stop_ns) - j.release_ns DESC, j.seq) AS place
		FROM job j JOIN run r USING (run_id) JOIN task t USING (task_id) JOIN policy p USING (policy_id)
		WHERE j.run_id = :run AND (:task IS NULL OR t.name = :task) AND (:seq IS NULL OR j.seq = :seq))
	WHERE place = 1),
resource (place, resource) AS (VALUES (0, 'own'), (1, 'job'), (2, 'cpu'), (3, 'copy'), (4, 'gpu'), (5, 'slowed'),
	(6, 'stream'), (7, 'gate'), (8, 'policy'), (9, 'launch'), (10, 'switch'), (11, 'release'), (12, 'latency'),
	(13, 'sync'), (14, 'call')),
told AS (
	SELECT task_id, seq, resource, place, amount_ns AS ns, by_task FROM v_why
	WHERE run_id = :run AND longest >= (:seq IS NULL) AND seq >= (SELECT min(seq) FROM chosen)
		AND seq <= (SELECT max(seq) FROM chosen)), -- of periodic sets half of the jobs may be the longest
summed AS (
	SELECT task_id, seq, resource, sum(ns) AS ns,
		group_concat(by_task || ' ' || rtrim(rtrim(printf('%.6f', ns / 1e6), '0'), '.'), ', ') AS by_tasks
	FROM (SELECT * FROM told ORDER BY task_id, seq, resource, place)
	GROUP BY task_id, seq, resource),
answer AS (
	SELECT task_id, seq, group_concat(resource || ' ' || rtrim(rtrim(printf('%.6f', ns / 1e6), '0'), '.')
		|| coalesce(' (' || by_tasks || ')', ''), ' + ') AS why
	FROM (SELECT s.* FROM summed s JOIN resource o USING (resource) ORDER BY s.task_id, s.seq, o.place)
	GROUP BY task_id, seq),
side (place, resource) AS (VALUES (0, 'after'), (1, 'stream'), (2, 'wait')),
flown AS (
	SELECT w.task_id, w.seq, w.resource, s.place, coalesce(w.for_segment, 'segment ' || w.for_idx) AS of,
		sum(w.amount_ns) AS ns
	FROM v_flight_wait w JOIN side s ON s.resource = w.resource
	WHERE w.run_id = :run AND (:seq IS NULL OR w.seq = :seq) GROUP BY w.task_id, w.seq, w.resource, w.for_idx),
aside AS (
	SELECT task_id, seq, resource, place, sum(ns) AS ns,
		group_concat(of || ' ' || rtrim(rtrim(printf('%.6f', ns / 1e6), '0'), '.'), ', ') AS ofs
	FROM (SELECT * FROM flown ORDER BY task_id, seq, place, ns DESC, of) GROUP BY task_id, seq, place),
beside AS (
	SELECT task_id, seq, group_concat(resource || ' ' || rtrim(rtrim(printf('%.6f', ns / 1e6), '0'), '.')
		|| ' (' || ofs || ')', ' + ') AS flights
	FROM (SELECT * FROM aside ORDER BY task_id, seq, place) GROUP BY task_id, seq)
SELECT c.run_id, c.policy, c.task, c.seq, c.state, c.missed, c.deadline_ms, c.response_ms,
	a.why || coalesce('; in flight: ' || b.flights, '') AS why
FROM chosen c LEFT JOIN answer a ON a.task_id = c.task_id AND a.seq = c.seq
	LEFT JOIN beside b ON b.task_id = c.task_id AND b.seq = c.seq ORDER BY c.task_id;

-- name: waits
-- title: @why as rows, for one job: its own time, and how long it waited for whom (default: the longest job)
-- level: segments
-- param: run = 1 - the run
-- param: task - name of the task
-- param: seq - number of the job
-- by_jobs: so many jobs of this task had what it waited for; by_seq: the first of them. share: of the response.
WITH
chosen AS (
	SELECT j.task_id, j.seq, t.name AS task FROM job j JOIN run r USING (run_id) JOIN task t USING (task_id)
	WHERE j.run_id = :run AND (:task IS NULL OR t.name = :task) AND (:seq IS NULL OR j.seq = :seq)
	ORDER BY coalesce(j.finish_ns, r.stop_ns) - j.release_ns DESC, j.task_id, j.seq LIMIT 1),
resource (place, resource) AS (VALUES (0, 'own'), (1, 'job'), (2, 'cpu'), (3, 'copy'), (4, 'gpu'), (5, 'slowed'),
	(6, 'stream'), (7, 'gate'), (8, 'policy'), (9, 'launch'), (10, 'switch'), (11, 'release'), (12, 'latency'),
	(13, 'sync'), (14, 'call')),
owed AS (
	SELECT task_id, seq, resource, by_task, by_jobs, by_seq, amount_ns AS ns
	FROM v_wait_sum
	WHERE run_id = :run AND task_id = (SELECT task_id FROM chosen) AND seq = (SELECT seq FROM chosen))
SELECT c.task, c.seq, o.resource, o.by_task, nullif(o.by_jobs, 0) AS by_jobs, o.by_seq, o.ns / 1e6 AS amount_ms,
	1.0 * o.ns / sum(o.ns) OVER () AS share
FROM chosen c JOIN owed o ON o.task_id = c.task_id AND o.seq = c.seq JOIN resource r ON r.resource = o.resource
ORDER BY r.place, o.ns DESC, o.by_task;

-- name: flight-waits
-- title: operations in flight of one job: for which others each waited, and the job for them (default: the longest job)
-- level: segments
-- param: run = 1 - the run
-- param: task - name of the task
-- param: seq - number of the job
-- after: it comes after that; stream: that was in front of it; others: what else kept it from starting (@blocking);
-- wait: the job waited for that, at a wait or (no segment) at its end. They wait side by side.
WITH
chosen AS (
	SELECT j.task_id, j.seq FROM job j JOIN run r USING (run_id) JOIN task t USING (task_id)
	WHERE j.run_id = :run AND (:task IS NULL OR t.name = :task) AND (:seq IS NULL OR j.seq = :seq)
		AND j.task_id IN (SELECT task_id FROM v_flight_wait WHERE run_id = :run)
	ORDER BY coalesce(j.finish_ns, r.stop_ns) - j.release_ns DESC, j.task_id, j.seq LIMIT 1)
SELECT w.task, w.seq, w.segment_idx, coalesce(w.segment, s.kind, 'end') AS segment, w.resource, w.for_idx,
	coalesce(w.for_segment, o.kind) AS for_segment, w.start_ns / 1e6 AS from_ms, w.amount_ms
FROM v_flight_wait w
	LEFT JOIN segment s ON s.task_id = w.task_id AND s.segment_idx = w.segment_idx
	LEFT JOIN segment o ON o.task_id = w.task_id AND o.segment_idx = w.for_idx
WHERE w.run_id = :run AND (w.task_id, w.seq) = (SELECT task_id, seq FROM chosen)
ORDER BY w.segment_idx IS NULL, w.segment_idx, w.start_ns;

-- name: utilisation
-- title: measured utilisation: how busy every resource was in each run; of SMs the mean, the least and the most
-- level: segments
-- param: run - the run
-- The rows of SMs and threads are there from level blocks on.
WITH
lane AS ( -- of all runs where :run is NULL
	SELECT * FROM v_lane_busy
	WHERE run_id >= coalesce(:run, -9223372036854775808) AND run_id <= coalesce(:run, 9223372036854775807)),
used AS (
	SELECT * FROM v_sm_busy
	WHERE run_id >= coalesce(:run, -9223372036854775808) AND run_id <= coalesce(:run, 9223372036854775807)),
sms AS (
	SELECT run_id, gpu, count(sm) AS used, sum(busy_ns) AS busy_ns, min(busy_ns) AS least_ns, max(busy_ns) AS most_ns,
		sum(thread_ns) AS thread_ns
	FROM used GROUP BY run_id, gpu),
has AS ( -- each GPU of the platforms
	SELECT platform_id, 0 AS gpu, sms, threads_per_sm, CASE WHEN gpus IS NULL THEN '' ELSE 'GPU 0 ' END AS prefix FROM platform
	UNION ALL
	SELECT l.platform_id, g.key + 1, json_extract(g.value, '$.sms'), json_extract(g.value, '$.threads_per_sm'),
		'GPU ' || (g.key + 1) || ' '
	FROM platform l JOIN json_each(l.gpus) g),
answer AS (
	SELECT u.run_id, CASE u.resource WHEN 'cpu' THEN 0 WHEN 'copy' THEN 1 ELSE 2 END AS place, u.gpu, u.unit,
		CASE u.resource WHEN 'cpu' THEN CASE WHEN l.cores > 1 THEN 'CPU ' || u.unit ELSE 'CPU' END
			WHEN 'copy' THEN CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || u.gpu || ' ' END || 'copy ' || u.unit
			ELSE CASE WHEN l.gpus IS NULL THEN 'GPU' ELSE 'GPU ' || u.gpu END END AS lane, u.busy_ns / 1e6 AS busy_ms,
		u.waiting_ns / 1e6 AS waiting_ms, 1.0 * u.busy_ns AS mean_ns, NULL AS least_ns, NULL AS most_ns
	FROM lane u JOIN run r USING (run_id) JOIN platform l USING (platform_id)
	UNION ALL
	SELECT s.run_id, 3, s.gpu, 0, l.prefix || CASE s.used WHEN 0 THEN 'pool' ELSE l.sms || ' SMs' END,
		CASE s.used WHEN 0 THEN s.busy_ns / 1e6 END, NULL, 1.0 * s.busy_ns / CASE s.used WHEN 0 THEN 1 ELSE l.sms END,
		CASE WHEN s.used = l.sms THEN s.least_ns WHEN s.used > 0 THEN 0 END, CASE WHEN s.used > 0 THEN s.most_ns END
	FROM sms s JOIN run r USING (run_id) JOIN has l ON l.platform_id = r.platform_id AND l.gpu = s.gpu
	UNION ALL
	SELECT s.run_id, 4, s.gpu, 0, l.prefix || 'threads', NULL, NULL, 1.0 * s.thread_ns / (l.sms * l.threads_per_sm), NULL, NULL
	FROM sms s JOIN run r USING (run_id) JOIN has l ON l.platform_id = r.platform_id AND l.gpu = s.gpu)
SELECT a.run_id, p.name AS policy, a.lane, a.busy_ms, a.waiting_ms, a.mean_ns / nullif(r.stop_ns, 0) AS utilisation,
	1.0 * a.least_ns / nullif(r.stop_ns, 0) AS least, 1.0 * a.most_ns / nullif(r.stop_ns, 0) AS most
FROM answer a JOIN run r USING (run_id) JOIN policy p USING (policy_id)
ORDER BY a.run_id, a.place, a.gpu, a.unit;

-- name: utilisation-sms
-- title: measured utilisation of each SM
-- level: blocks
-- param: run - the run
SELECT u.run_id, p.name AS policy, CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || u.gpu || ' ' END
		|| CASE WHEN u.sm IS NULL THEN 'pool' ELSE printf('SM %03d', u.sm) END AS lane,
	u.busy_ns / 1e6 AS busy_ms, 1.0 * u.busy_ns / nullif(r.stop_ns, 0) AS utilisation
FROM v_sm_busy u JOIN run r USING (run_id) JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)
WHERE u.run_id >= coalesce(:run, -9223372036854775808) AND u.run_id <= coalesce(:run, 9223372036854775807)
ORDER BY u.run_id, lane;

-- name: blocking
-- title: the longest waits for the GPU or a copy engine, and who used it meanwhile
-- level: segments
-- param: run = 1 - the run
-- param: limit = 10 - the longest so many waits
-- Where nobody used it for a while, the wait was for a gate, a stream, or other operations of the job: then all are named
-- that had anything of that GPU meanwhile. blocker_on, blocker_segment: what they had, and for which segment.
WITH
wait AS (
	SELECT run_id, task_id, seq, segment_idx, resource, gpu, unit, ready_ns, start_ns FROM segment_interval
	WHERE run_id = :run AND resource <> 'cpu' AND start_ns > ready_ns
	ORDER BY start_ns - ready_ns DESC, start_ns, task_id LIMIT :limit),
met AS (
	SELECT w.task_id, w.seq, w.segment_idx, w.ready_ns, w.start_ns AS until_ns, i.start_ns, i.end_ns,
		max(i.end_ns) OVER (PARTITION BY w.task_id, w.seq, w.segment_idx, w.start_ns ORDER BY i.start_ns
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns
	FROM wait w JOIN segment_interval i ON i.run_id = w.run_id AND i.resource = w.resource AND i.gpu IS w.gpu
		AND i.unit = w.unit AND i.start_ns < w.start_ns AND i.end_ns > w.ready_ns
		AND (i.task_id <> w.task_id OR i.seq <> w.seq OR i.segment_idx <> w.segment_idx)),
in_use AS ( -- without a gap from ready to start
	SELECT task_id, seq, segment_idx, until_ns FROM met GROUP BY task_id, seq, segment_idx, until_ns
	HAVING max(end_ns) >= until_ns AND max(start_ns > coalesce(before_ns, ready_ns)) = 0),
used AS (
	SELECT w.*, u.task_id IS NOT NULL AS used
	FROM wait w LEFT JOIN in_use u ON u.task_id = w.task_id AND u.seq = w.seq AND u.segment_idx = w.segment_idx
		AND u.until_ns = w.start_ns)
SELECT w.run_id, m.name AS task, w.seq, w.segment_idx, coalesce(s.name, s.kind) AS segment, w.resource,
	w.ready_ns / 1e6 AS ready_ms,
	(w.start_ns - w.ready_ns) / 1e6 AS waited_ms, o.name AS blocker, i.seq AS blocker_seq,
	(min(i.end_ns, w.start_ns) - max(i.start_ns, w.ready_ns)) / 1e6 AS meanwhile_ms, i.resource AS blocker_on,
	i.segment_idx AS blocker_segment
FROM used w JOIN task m ON m.task_id = w.task_id
	LEFT JOIN v_segment s ON s.task_id = w.task_id AND s.segment_idx = w.segment_idx
	LEFT JOIN segment_interval i ON i.run_id = w.run_id AND i.gpu IS w.gpu
		AND CASE WHEN w.used THEN i.resource = w.resource AND i.unit = w.unit ELSE i.resource <> 'cpu' END
		AND i.start_ns < w.start_ns AND i.end_ns > w.ready_ns
			AND (i.task_id <> w.task_id OR i.seq <> w.seq OR i.segment_idx <> w.segment_idx)
	LEFT JOIN task o ON o.task_id = i.task_id
ORDER BY w.start_ns - w.ready_ns DESC, w.start_ns, w.task_id, w.segment_idx,
	i.resource <> w.resource OR i.unit <> w.unit, i.start_ns, i.task_id, i.segment_idx;

-- name: energy
-- title: energy and mean power of every run, and what they are made of
-- param: run - the run
SELECT run_id, policy, params, window_ms, energy_j, mean_power_w, static_j, idle_sms_j, dynamic_j,
	gpu_active_ms, active_sm_share, idle_sm_share
FROM v_energy WHERE :run IS NULL OR run_id = :run ORDER BY run_id;

-- name: energy-by-gpu
-- title: energy and mean power of each GPU of runs on several
-- param: run - the run
SELECT run_id, policy, params, gpu, gpu_name, window_ms, energy_j, mean_power_w, gpu_active_ms, active_sm_share
FROM v_energy_gpu WHERE :run IS NULL OR run_id = :run ORDER BY run_id, gpu;

-- name: power
-- title: power over time: intervals of constant power of each GPU
-- level: segments
-- param: run = 1 - the run
SELECT w.run_id, p.name AS policy, w.gpu, w.start_ns / 1e6 AS start_ms, w.end_ns / 1e6 AS end_ms, w.power_uw / 1e6 AS power_w,
	w.active_sms, w.idle_sms
FROM power_interval w JOIN run r USING (run_id) JOIN policy p USING (policy_id)
WHERE w.run_id = :run AND r.energy_uj IS NOT NULL ORDER BY w.start_ns, w.gpu;

-- name: energy-by-task
-- title: whose the dynamic energy is: by task, and per job
-- param: run - the run
SELECT run_id, policy, params, task, jobs, dynamic_j, share, per_job_mj
FROM v_energy_task WHERE :run IS NULL OR run_id = :run ORDER BY run_id, task_id;

-- name: energy-by-policy
-- title: mean energy, power and idle SMs by policy and utilisation, against fcfs on the same sets, and misses
SELECT target_utilisation, platform, policy, params, runs, mean_energy_j, mean_power_w, mean_idle_share,
	relative_to_fcfs, pairs, miss_ratio
FROM v_energy_policy ORDER BY target_utilisation, platform, policy, params;

-- name: idle-share
-- title: SMs that were idle while others were active: their share, their energy, and its share of all
-- param: taskset - number of the set
SELECT taskset_id, run_id, policy, params, gpu_active_ms, idle_sm_share, idle_sms_j,
	idle_sms_j / nullif(energy_j, 0) AS share_of_energy
FROM v_energy WHERE :taskset IS NULL OR taskset_id = :taskset ORDER BY taskset_id, run_id;

-- name: predicted
-- title: energy predicted at each decision, for what was chosen, against what it came to
-- level: segments
-- param: run - the run
-- param: limit = 1000 - at most so many
SELECT d.run_id, d.policy, d.time_ms, d.task, d.seq, d.segment_idx, coalesce(s.name, s.kind) AS segment, d.sms,
	d.kernel_end_ms, d.predicted_j, d.true_j, d.error, d.feasible
FROM v_decision d LEFT JOIN v_segment s ON s.task_id = d.task_id AND s.segment_idx = d.segment_idx
WHERE d.chosen AND (:run IS NULL OR d.run_id = :run)
ORDER BY d.run_id, d.time_ms, d.task_id LIMIT :limit;

-- name: prediction-error
-- title: predicted against true energy by policy: mean error, mean absolute error, extremes, R squared
-- level: segments
-- param: taskset - number of the set
SELECT r.platform, d.policy, d.params, count(*) AS decisions, count(d.error) AS known, avg(d.error) AS mean_error,
	avg(abs(d.error)) AS mean_absolute_error, min(d.error) AS least, max(d.error) AS greatest,
	CASE WHEN count(d.error) > 1 THEN 1 - sum((d.predicted_j - d.true_j) * (d.predicted_j - d.true_j))
		/ nullif(sum(CASE WHEN d.predicted_j IS NOT NULL THEN d.true_j * d.true_j END)
			- sum(CASE WHEN d.predicted_j IS NOT NULL THEN d.true_j END)
			* avg(CASE WHEN d.predicted_j IS NOT NULL THEN d.true_j END), 0) END AS r_squared
FROM v_decision d JOIN v_run r USING (run_id)
WHERE d.chosen AND (:taskset IS NULL OR r.taskset_id = :taskset)
GROUP BY r.platform, d.policy, d.params ORDER BY r.platform, d.policy, d.params;

-- name: occupancy
-- title: the GPU over time: blocks, threads, SMs in use (means over equal bins)
-- level: blocks
-- param: run = 1 - the run
-- param: bins = 40 - number of bins
WITH RECURSIVE
width AS (SELECT run_id, max((stop_ns + :bins - 1) / :bins, 1) AS ns, stop_ns FROM run WHERE run_id = :run),
bin (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM bin WHERE k + 1 < :bins
	AND (k + 1) * (SELECT ns FROM width) < (SELECT stop_ns FROM width)),
first AS ( -- a block in the bin in which it begins; of length zero at a bin's begin it is in none
	SELECT b.start_ns / w.ns AS k, b.threads, b.gpu << 16 | b.sm AS sm,
		min(b.end_ns, (b.start_ns / w.ns + 1) * w.ns) - b.start_ns AS inside_ns
	FROM width w CROSS JOIN block_interval b WHERE b.run_id = w.run_id
		AND (b.end_ns > b.start_ns OR b.start_ns % w.ns > 0)
	UNION ALL -- and in those that it reaches: few are longer than a bin
	SELECT bin.k, b.threads, b.gpu << 16 | b.sm, min(b.end_ns, (bin.k + 1) * w.ns) - bin.k * w.ns
	FROM width w CROSS JOIN block_interval b CROSS JOIN bin
	WHERE b.run_id = w.run_id AND b.start_ns / w.ns < (b.end_ns - 1) / w.ns AND bin.k > b.start_ns / w.ns
		AND bin.k <= (b.end_ns - 1) / w.ns),
part AS (
	SELECT k, sm, sum(1.0 * inside_ns) AS inside_ns, sum(1.0 * threads * inside_ns) AS thread_ns FROM first GROUP BY k, sm)
SELECT bin.k * width.ns / 1e6 AS from_ms, coalesce(sum(p.inside_ns) / width.ns, 0.0) AS blocks,
	coalesce(sum(p.thread_ns) / width.ns, 0.0) AS threads,
	count(p.sm) AS sms_used
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
-- level: segments
-- param: run = 1 - the run
-- param: limit = 1000 - at most so many
SELECT g.lane, g.task, g.seq, g.segment_idx, coalesce(s.name, s.kind) AS segment, g.block, g.kind, g.start_ms, g.end_ms,
	g.ended
FROM v_gantt g LEFT JOIN v_segment s ON s.task_id = g.task_id AND s.segment_idx = g.segment_idx
WHERE g.run_id = :run ORDER BY g.start_ms, g.lane, g.task_id, g.block LIMIT :limit;

-- Inside of SMs (docs/warps.md).

-- name: warps
-- title: kernels of warps side by side: responses, IPC, IPC alone, goal, and whether it is reached
-- level: summary, warps
-- param: run - the run
-- param: kernel - name of the kernel
SELECT taskset_id, kernel, run_id, policy, manager, status, jobs, responses, mean_ms, max_ms, ipc, alone_ipc, times_alone,
	goal_ipc, times_goal, reached, swaps, params
FROM v_warp_kernel WHERE (:run IS NULL OR run_id = :run) AND (:kernel IS NULL OR kernel = :kernel)
ORDER BY taskset_id, task_id, run_id;

-- name: stalls
-- title: where the cycles of the sub-cores went: share of each reason, run by run
-- level: summary, warps
-- param: run - the run
SELECT run_id, policy, json_extract(params, '$.manager') AS manager,
	max(CASE reason WHEN 'issued' THEN share END) AS issued,
	max(CASE reason WHEN 'empty' THEN share END) AS empty, max(CASE reason WHEN 'quota' THEN share END) AS quota,
	max(CASE reason WHEN 'unit' THEN share END) AS unit,
	max(CASE reason WHEN 'scheduler' THEN share END) AS scheduler,
	max(CASE reason WHEN 'memory' THEN share END) AS memory,
	max(CASE reason WHEN 'dependence' THEN share END) AS dependence,
	max(CASE reason WHEN 'barrier' THEN share END) AS barrier, max(CASE reason WHEN 'swap' THEN share END) AS swap,
	max(CASE reason WHEN 'ending' THEN share END) AS ending, sum(cycles) AS cycles, params
FROM v_stalls WHERE :run IS NULL OR run_id = :run GROUP BY run_id, policy, params ORDER BY run_id;

-- name: epochs
-- title: kernels of warps epoch by epoch: IPC against the goal and what the manager made of it
-- level: jobs, warps
-- param: run = 1 - the run
-- param: kernel - name of the kernel
-- param: limit = 1000 - at most so many
SELECT epoch, start_cycle, end_cycle, kernel, ipc, goal_ipc, adjusted_goal_ipc, history_ipc, reached, reached_so_far,
	blocks, swaps
FROM v_epoch WHERE run_id = :run AND (:kernel IS NULL OR kernel = :kernel)
ORDER BY epoch, task_id LIMIT :limit;

-- name: issues
-- title: the instructions of one sub-core, cycle by cycle (QAWS's Fig. 3): whose, and when the result is there
-- level: issues, warps
-- param: run = 1 - the run
-- param: sm = 0 - the SM
-- param: sub_core = 0 - the sub-core
-- param: limit = 1000 - at most so many
SELECT i.cycle, i.cycle - 1 - lag(i.cycle, 1, -1) OVER (ORDER BY i.cycle) AS stalled_before, t.name AS kernel, i.seq,
	i.block, i.warp, i.number, s.kind AS step, s.unit, i.threads, i.served, i.result_cycle
FROM warp_issue i JOIN task t USING (task_id) LEFT JOIN warp_step s ON s.task_id = i.task_id AND s.step_idx = i.step_idx
WHERE i.run_id = :run AND i.place = :sm * 8 + :sub_core ORDER BY i.cycle LIMIT :limit;
-- name: issue-strip
-- title: which warp of a sub-core is issued, a character a cycle (QAWS's Fig. 3): 0 is the first warp of the first kernel, . nobody
-- level: issues, warps
-- param: run - only this run
-- param: sm = 0 - the SM
-- param: sub_core = 0 - the sub-core
-- param: cycles = 80 - how many, from cycle 0 on
WITH RECURSIVE
every(cycle) AS (SELECT 0 UNION ALL SELECT cycle + 1 FROM every WHERE cycle + 1 < :cycles),
issued AS (
	SELECT run_id, cycle, substr('0123456789abcdefghijklmnopqrstuvwxyz',
		1 + (dense_rank() OVER (PARTITION BY run_id ORDER BY task_id, seq, block, warp) - 1) % 36, 1) AS warp
	FROM warp_issue
	WHERE (:run IS NULL OR run_id = :run) AND place = :sm * 8 + :sub_core AND cycle < :cycles),
strip AS (
	SELECT DISTINCT r.run_id, group_concat(coalesce(i.warp, '.'), '') OVER (PARTITION BY r.run_id ORDER BY e.cycle
		ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS warps
	FROM run r JOIN every e ON e.cycle < r.cycles LEFT JOIN issued i ON i.run_id = r.run_id AND i.cycle = e.cycle
	WHERE r.run_id IN (SELECT run_id FROM issued))
SELECT s.run_id, p.name AS policy, (SELECT group_concat(response, ', ')
	FROM (SELECT t.name || ' ' || a.max_response_ns AS response FROM run_task a JOIN task t USING (task_id)
		WHERE a.run_id = s.run_id ORDER BY a.task_id)) AS response_ns, s.warps
FROM strip s JOIN run r USING (run_id) JOIN policy p USING (policy_id) ORDER BY s.run_id;

-- The figures of sBEET's evaluation, from recordings of scenarios/campaigns/sbeet-*.yaml.

-- name: sbeet-profile
-- title: sBEET's Fig. 4, 5: a benchmark alone on m SMs: time, power, energy in a window against all SMs, m_opt
-- param: platform - name of the platform
-- param: benchmark - name of the benchmark
WITH alone AS (
	SELECT l.name AS platform, l.sms AS all_sms, l.static_uw / 1e6 AS static_w, f.name AS benchmark, a.sms,
		r.gpu_active_ns, e.window_ms, e.energy_j, e.static_j, r.energy_uj, r.energy_rest_uwns,
		row_number() OVER (PARTITION BY r.taskset_id, r.platform_id
			ORDER BY r.energy_uj, r.energy_rest_uwns, a.sms DESC) = 1 AS optimal
	FROM run r JOIN platform l USING (platform_id) JOIN v_energy e ON e.run_id = r.run_id
		JOIN run_task a ON a.run_id = r.run_id
		JOIN segment g ON g.task_id = a.task_id AND g.kind = 'kernel'
		JOIN profile f ON f.taskset_id = r.taskset_id AND f.profile_idx = g.profile_idx AND f.sms = 1
	WHERE r.status = 'ok' AND r.jobs = 1 AND a.sms > 0)
SELECT platform, benchmark, sms, gpu_active_ns / 1e6 AS kernel_ms,
	1.0 * max(CASE sms WHEN 1 THEN gpu_active_ns END) OVER every / gpu_active_ns AS speed_up,
	static_w + (energy_j - static_j) * 1e9 / gpu_active_ns AS power_w, window_ms, energy_j,
	energy_j / max(CASE sms WHEN all_sms THEN energy_j END) OVER every AS times_all_sms,
	CASE WHEN optimal THEN 'm_opt' END AS least
FROM alone
WHERE (:platform IS NULL OR platform = :platform) AND (:benchmark IS NULL OR benchmark = :benchmark)
WINDOW every AS (PARTITION BY platform, benchmark)
ORDER BY platform, benchmark, sms;

-- name: sbeet-fig8
-- title: sBEET's Fig. 8: jobs that miss (percent, and points fewer than fcfs), energy against fcfs on the same sets
-- param: platform - name of the platform
WITH
given AS (
	SELECT DISTINCT s.recipe, o.key, o.value FROM taskset s, json_each(s.recipe, '$.options') o
	WHERE o.key <> 'gpu' AND o.key <> 'utilisation'),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT recipe, group_concat(key || '=' || value, ' ') AS point
	FROM (SELECT recipe, key, value FROM given JOIN axis USING (key) ORDER BY recipe, key) GROUP BY recipe),
baseline AS (
	SELECT r.taskset_id, r.platform_id, r.replication, r.setup_digest, min(r.run_id) AS run_id
	FROM run r JOIN policy p USING (policy_id) WHERE p.name = 'fcfs' AND r.status = 'ok'
	GROUP BY r.taskset_id, r.platform_id, r.replication, r.setup_digest),
allocated AS (SELECT DISTINCT run_id FROM run_task WHERE sms > 0),
paired AS (
	SELECT l.name AS platform, n.point, s.target_utilisation_ppm / 1e6 AS utilisation,
		p.name AS policy, p.params, r.jobs, r.misses, r.energy_uj / 1e6 AS energy_j, f.jobs AS fcfs_jobs,
		f.misses AS fcfs_misses, f.energy_uj / 1e6 AS fcfs_j, a.run_id IS NULL AS on_all_sms
	FROM run r JOIN baseline b ON b.taskset_id = r.taskset_id AND b.platform_id = r.platform_id
			AND b.replication = r.replication AND b.setup_digest = r.setup_digest
		JOIN run f ON f.run_id = b.run_id JOIN taskset s ON s.taskset_id = r.taskset_id
		JOIN platform l ON l.platform_id = r.platform_id JOIN policy p ON p.policy_id = r.policy_id
		LEFT JOIN named n ON n.recipe = s.recipe LEFT JOIN allocated a ON a.run_id = r.run_id
	WHERE r.status = 'ok')
SELECT platform, point, utilisation, policy, count(*) AS sets, 100.0 * sum(misses) / sum(jobs) AS miss_percent,
	100.0 * sum(fcfs_misses) / sum(fcfs_jobs) - 100.0 * sum(misses) / sum(jobs) AS fewer_than_fcfs,
	sum(energy_j) / sum(fcfs_j) AS relative_to_fcfs,
	CASE policy WHEN 'stgm' THEN 1.0 * sum(on_all_sms) / count(*) END AS fell_back, params
FROM paired WHERE (:platform IS NULL OR platform = :platform)
GROUP BY platform, point, utilisation, policy, params
ORDER BY platform, point, utilisation, policy, params;

-- name: sbeet-mg
-- title: sBEET-mg's evaluation: jobs that miss (percent), energy against choice=migrate with assign=energy on the same sets
-- param: platform - name of the platform
WITH
told AS (
	SELECT r.*, l.name AS platform, json_extract(p.params, '$.assign') AS assign,
		json_extract(p.params, '$.choice') AS choice, json_extract(s.recipe, '$.options.sms') AS sms,
		s.target_utilisation_ppm / 1e6 AS utilisation
	FROM run r JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
		JOIN taskset s ON s.taskset_id = r.taskset_id
	WHERE p.name = 'sbeet-mg' AND r.status = 'ok')
SELECT a.platform, a.sms, a.utilisation,
	CASE WHEN a.choice IN ('little', 'big', 'balanced') THEN a.choice ELSE a.assign || ', ' || a.choice END AS choice,
	count(*) AS sets, 100.0 * sum(a.misses) / sum(a.jobs) AS miss_percent,
	1.0 * sum(a.energy_uj) / sum(b.energy_uj) AS relative_to_migrate, sum(a.energy_uj) / 1e6 / count(*) AS mean_j
FROM told a LEFT JOIN told b ON b.taskset_id = a.taskset_id AND b.platform_id = a.platform_id
	AND b.setup_digest = a.setup_digest AND b.assign = 'energy' AND b.choice = 'migrate'
WHERE :platform IS NULL OR a.platform = :platform
GROUP BY a.platform, a.sms, a.utilisation, a.assign, a.choice
ORDER BY a.platform, a.sms, a.utilisation, a.assign, a.choice;

-- name: sbeet-fig9
-- title: sBEET's Fig. 9: jobs of light and heavy tasks that miss, over the share of heavy tasks
-- param: platform - name of the platform
WITH
kernel AS (
	SELECT s.taskset_id, t.task_id, json_extract(s.recipe, '$.options.gpu') AS gpu,
		json_extract(s.recipe, '$.options.swap') AS swap,
		json_extract(s.recipe, '$.options.heavy_ratio') AS heavy_ratio,
		f.name = 'mmul' OR f.name = 'stereodisparity' OR f.name = 'dxtc' OR (f.name = 'hotspot'
			AND json_extract(s.recipe, '$.options.classes') = 'measured') AS heavy
	FROM taskset s JOIN task t USING (taskset_id) JOIN segment g ON g.task_id = t.task_id AND g.kind = 'kernel'
		JOIN profile f ON f.taskset_id = s.taskset_id AND f.profile_idx = g.profile_idx AND f.sms = 1
	WHERE json_extract(s.recipe, '$.options.mode') = 'bimodal')
SELECT l.name AS platform, CASE k.swap WHEN 1 THEN 'yes' ELSE 'no' END AS swap, k.heavy_ratio, p.name AS policy,
	count(DISTINCT a.run_id) AS sets, sum(NOT k.heavy) AS light_tasks,
	100.0 * sum((NOT k.heavy) * a.misses) / nullif(sum((NOT k.heavy) * a.jobs), 0) AS light_miss_percent,
	sum(k.heavy) AS heavy_tasks,
	100.0 * sum(k.heavy * a.misses) / nullif(sum(k.heavy * a.jobs), 0) AS heavy_miss_percent, p.params
FROM run r JOIN run_task a USING (run_id) JOIN kernel k ON k.task_id = a.task_id
	JOIN platform l ON l.platform_id = r.platform_id JOIN policy p ON p.policy_id = r.policy_id
WHERE r.status = 'ok' AND (:platform IS NULL OR l.name = :platform)
GROUP BY l.name, k.swap, k.heavy_ratio, p.name, p.params
ORDER BY l.name, k.swap, CAST(k.heavy_ratio AS REAL), p.name, p.params;

-- name: sbeet-fig10
-- title: sBEET's Fig. 10: energy of sbeet against stgm on the sets that stgm accepts, by number of tasks
-- param: platform - name of the platform
WITH
energy AS (
	SELECT r.*, p.name AS policy, p.params, l.name AS platform, l.static_uw * 1e-15 * r.window_ns AS static_j,
		r.energy_uj / 1e6 AS energy_j,
		EXISTS (SELECT 1 FROM run_task a WHERE a.run_id = r.run_id AND a.sms > 0) AS allocated
	FROM run r JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	WHERE p.name = 'stgm' OR p.name = 'sbeet'),
paired AS (
	SELECT g.platform, json_extract(g.params, '$.test') AS test,
		CASE WHEN json_extract(g.params, '$.test') = 'utilization' THEN json_extract(g.params, '$.accept')
			WHEN json_extract(g.params, '$.exclusive') THEN 'own SMs' ELSE 'shared SMs' END AS variant,
		b.params AS sbeet, s.task_count AS tasks, json_extract(s.recipe, '$.options.kernel_times') AS kernel_times,
		g.status = 'ok' AND g.allocated AS accepted, g.misses AS stgm_misses, b.misses AS sbeet_misses,
		g.energy_j AS stgm_j, b.energy_j AS sbeet_j, g.static_j
	FROM energy g JOIN energy b ON b.taskset_id = g.taskset_id AND b.platform_id = g.platform_id
		AND b.replication = g.replication AND b.setup_digest = g.setup_digest
		JOIN taskset s ON s.taskset_id = g.taskset_id
	WHERE g.policy = 'stgm' AND b.policy = 'sbeet' AND b.status = 'ok')
SELECT platform, test, variant, kernel_times, tasks, count(*) AS sets, sum(accepted) AS accepted,
	sum(accepted * stgm_misses) AS stgm_misses, sum(accepted * sbeet_misses) AS sbeet_misses,
	sum(accepted * sbeet_j) / nullif(sum(accepted * stgm_j), 0) AS relative_to_stgm,
	100 * (1 - sum(accepted * sbeet_j) / nullif(sum(accepted * stgm_j), 0)) AS saved_percent,
	100 * (1 - sum(accepted * (sbeet_j - static_j)) / nullif(sum(accepted * (stgm_j - static_j)), 0))
		AS saved_above_static, sbeet
FROM paired WHERE (:platform IS NULL OR platform = :platform)
GROUP BY platform, test, variant, sbeet, kernel_times, tasks
ORDER BY platform, test, variant, sbeet, CAST(kernel_times AS REAL), tasks;

-- The figures of the QAWS and the QoS paper, of campaigns with the recipes qaws-pairs and qos-mixes. A case is a run of
-- kernels of which some have a goal; it succeeds if all of these reach it. The managers are named with what is
-- switched off; each is held against spart with swaps at the same cost. Classes (compute- and memory-intensive) are
-- those of docs/warp-library.md.

-- name: warp-kernels
-- title: kernels of warps that ran alone: IPC, length of a launch, and where the cycles went (shares; bandwidth: of DRAM)
-- param: platform - name of the platform
WITH
cycle AS (
	SELECT run_id, sum(issued_cycles) AS issued, sum(unit_cycles) AS unit, sum(memory_cycles) AS memory,
		sum(dependence_cycles) AS dependence, sum(barrier_cycles) AS barrier,
		sum(empty_cycles + ending_cycles) AS empty,
		sum(issued_cycles + empty_cycles + quota_cycles + unit_cycles + scheduler_cycles + memory_cycles
			+ dependence_cycles + barrier_cycles + swap_cycles + ending_cycles) AS n
	FROM run_sub_core GROUP BY run_id)
SELECT l.name AS platform, t.name AS kernel, p.name AS policy, a.responses AS launches,
	1.0 * a.mean_response_ns * m.clock_hz / 1e9 AS launch_cycles, k.ipc_ppm / 1e6 AS ipc, 1.0 * c.issued / c.n AS issued,
	1.0 * c.unit / c.n AS unit, 1.0 * c.memory / c.n AS memory, 1.0 * c.dependence / c.n AS dependence,
	1.0 * c.barrier / c.n AS barrier, 1.0 * c.empty / c.n AS empty,
	1000.0 * k.dram_bytes / k.cycles / m.dram_bytes_per_1000_cycles AS bandwidth
FROM run r JOIN policy p USING (policy_id) JOIN platform l USING (platform_id) JOIN taskset s USING (taskset_id)
	JOIN warp_machine m USING (taskset_id) JOIN run_warp_kernel k USING (run_id) JOIN cycle c USING (run_id)
	JOIN task t ON t.task_id = k.task_id JOIN run_task a ON a.run_id = k.run_id AND a.task_id = k.task_id
WHERE s.task_count = 1 AND r.status = 'ok' AND k.cycles > 0 AND (:platform IS NULL OR l.name = :platform)
ORDER BY platform, r.taskset_id, policy, r.run_id;

-- name: qaws-fig4
-- title: QAWS's Fig. 4: responses in units of K1's under lrr; of qaws the budgets best for K2; serial: alone; means over all
-- param: platform - name of the platform
WITH
pair AS (
	SELECT r.taskset_id, r.platform_id, p.name AS policy, json_extract(p.params, '$.budgets') AS budgets,
		coalesce(json_remove(s.recipe, '$.options.delay') || s.name, r.taskset_id) AS same,
		min(CASE t.task_idx WHEN 0 THEN a.max_response_ns END) AS k1,
		min(CASE t.task_idx WHEN 1 THEN a.max_response_ns END) AS k2,
		min(CASE t.task_idx WHEN 1 THEN t.offset_ns END) AS launched
	FROM run r JOIN policy p USING (policy_id) JOIN taskset s USING (taskset_id)
		JOIN run_task a USING (run_id) JOIN task t ON t.task_id = a.task_id
	WHERE r.status = 'ok' AND s.task_count = 2 AND (p.name = 'lrr' OR p.name = 'gto' OR p.name = 'qaws')
	GROUP BY r.run_id),
-- K2 comes when K1 has ended: each is alone.
named AS (
	SELECT taskset_id, platform_id, same, budgets, k1, k2, launched,
		CASE WHEN launched < k1 THEN policy WHEN policy = 'lrr' THEN 'serial' END AS policy FROM pair),
ranked AS (
	SELECT *, row_number() OVER (PARTITION BY same, platform_id, policy ORDER BY k2, k1, budgets) AS place
	FROM named WHERE policy IS NOT NULL),
normalised AS (
	SELECT l.name AS platform, s.taskset_id, s.name AS pair, n.policy, n.budgets, 1.0 * n.k1 / b.k1 AS k1,
		1.0 * n.k2 / b.k1 AS k2, 1.0 * b.k1 / n.k1 AS k1_speed_up, 1.0 * b.k2 / n.k2 AS k2_speed_up,
		1.0 * n.k2 / b.k2 AS k2_against_lrr, 1.0 * (n.k1 + n.k2) / (b.k1 + b.k2) AS mean,
		1.0 * CASE n.policy WHEN 'serial' THEN n.k1 + n.k2 ELSE max(n.k1, n.launched + n.k2) END
			/ max(b.k1, b.launched + b.k2) AS ended
	FROM ranked n JOIN ranked b ON b.same = n.same AND b.platform_id = n.platform_id
			AND b.policy = 'lrr' AND b.place = 1
		JOIN taskset s ON s.taskset_id = b.taskset_id JOIN platform l ON l.platform_id = n.platform_id
	WHERE n.place = 1),
everything AS (
	SELECT platform, taskset_id, pair, policy, budgets, k1, k2, k1_speed_up, k2_speed_up, k2_against_lrr, mean, ended
	FROM normalised
	UNION ALL
	SELECT platform, NULL, 'mean', policy, NULL, avg(k1), avg(k2), avg(k1_speed_up), avg(k2_speed_up),
		avg(k2_against_lrr), avg(mean), avg(ended)
	FROM normalised GROUP BY platform, policy)
SELECT platform, pair, policy, budgets, k1 AS k1_response, k2 AS k2_response, k1_speed_up, k2_speed_up,
	100 - 100 * k2_against_lrr AS k2_sooner_percent, mean AS mean_response, ended AS both_ended
FROM everything WHERE (:platform IS NULL OR platform = :platform)
ORDER BY platform, taskset_id IS NULL, taskset_id, policy <> 'lrr', policy;

-- name: qos-reach
-- title: QoS's Figs. 6, 10, 12: cases that reach their goals (or miss them by less than 0.1 or 1 %), by goal and manager
-- param: platform - name of the platform
WITH
goal_run AS (
	SELECT k.run_id, min(k.reached) AS reached, count(*) AS goals, min(w.goal_share_ppm) / 1e4 AS goal_percent,
		min(k.ipc_ppm * 1000 >= k.goal_ppm * 999) AS hardly_missed, min(k.ipc_ppm * 100 >= k.goal_ppm * 99) AS nearly
	FROM run_warp_kernel k JOIN warp_kernel w USING (task_id) WHERE k.goal_ppm IS NOT NULL GROUP BY k.run_id),
run_case AS (
	SELECT g.*, l.name AS platform, s.task_count AS kernels, json_extract(p.params, '$.manager')
		|| CASE json_extract(p.params, '$.history') WHEN 0 THEN ', history: false' ELSE '' END
		|| CASE json_extract(p.params, '$.adjust') WHEN 0 THEN ', adjust: false' ELSE '' END
		|| coalesce(', adjust_margin: ' || nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '')
		|| CASE json_extract(p.params, '$.swap') WHEN 'free' THEN ', swap: free' ELSE '' END AS manager
	FROM goal_run g JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
		JOIN taskset s USING (taskset_id)
	WHERE r.status = 'ok'),
counted AS (
	SELECT platform, kernels, goals, goal_percent, manager, count(*) AS cases, sum(reached) AS reached,
		sum(hardly_missed) AS hardly_missed, sum(nearly) AS nearly
	FROM run_case GROUP BY platform, kernels, goals, goal_percent, manager
	UNION ALL
	SELECT platform, kernels, goals, NULL, manager, count(*), sum(reached), sum(hardly_missed), sum(nearly)
	FROM run_case GROUP BY platform, kernels, goals, manager)
SELECT platform, kernels, goals, coalesce(goal_percent, 'all') AS goal_percent, manager, cases, reached,
	100.0 * reached / cases AS reach_percent,
	100.0 * hardly_missed / cases AS within_0_1_percent, 100.0 * nearly / cases AS within_1_percent
FROM counted WHERE (:platform IS NULL OR platform = :platform)
ORDER BY platform, kernels, goals, counted.goal_percent IS NULL, counted.goal_percent, manager;

-- name: qos-reach-by-kernel
-- title: QoS's Fig. 7: cases that reach their goals, by the kernel with the goal; of pairs, by the classes of both
-- param: platform - name of the platform
WITH
class (name, class) AS (
	VALUES ('cutcp', 'C'), ('histo', 'M'), ('lbm', 'M'), ('mri-gridding', 'C'), ('mri-q', 'C'), ('sad', 'M'),
		('sgemm', 'C'), ('spmv', 'M'), ('stencil', 'M'), ('tpacf', 'C')),
pair_class AS (
	SELECT t.taskset_id, min(c.class) || '+' || max(c.class) AS classes
	FROM task t JOIN class c USING (name) GROUP BY t.taskset_id HAVING count(*) = 2),
kernel_case AS (
	SELECT l.name AS platform, s.task_count AS kernels, t.name AS kernel, k.reached, c.classes,
		json_extract(p.params, '$.manager')
		|| CASE json_extract(p.params, '$.history') WHEN 0 THEN ', history: false' ELSE '' END
		|| CASE json_extract(p.params, '$.adjust') WHEN 0 THEN ', adjust: false' ELSE '' END
		|| coalesce(', adjust_margin: ' || nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '')
		|| CASE json_extract(p.params, '$.swap') WHEN 'free' THEN ', swap: free' ELSE '' END AS manager
	FROM run_warp_kernel k JOIN task t USING (task_id) JOIN run r ON r.run_id = k.run_id
		JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
		JOIN taskset s ON s.taskset_id = r.taskset_id LEFT JOIN pair_class c ON c.taskset_id = r.taskset_id
	WHERE k.goal_ppm IS NOT NULL AND r.status = 'ok'),
counted AS (
	SELECT platform, kernels, 1 AS part, kernel, manager, count(*) AS cases, sum(reached) AS reached
	FROM kernel_case GROUP BY platform, kernels, kernel, manager
	UNION ALL
	SELECT platform, kernels, 2, classes, manager, count(*), sum(reached)
	FROM kernel_case WHERE classes IS NOT NULL GROUP BY platform, kernels, classes, manager)
SELECT platform, kernels, kernel, manager, cases, reached, 100.0 * reached / cases AS reach_percent
FROM counted WHERE (:platform IS NULL OR platform = :platform)
ORDER BY platform, kernels, part, kernel, manager;

-- name: qos-misses
-- title: QoS's Fig. 5: how far below the goal its kernels stay (the farthest one of a case), by manager
-- param: platform - name of the platform
WITH
goal_run AS (
	SELECT k.run_id, 100 - 100 * min(1.0 * k.ipc_ppm / k.goal_ppm) AS missed
	FROM run_warp_kernel k WHERE k.goal_ppm > 0 GROUP BY k.run_id)
SELECT l.name AS platform, s.task_count AS kernels, json_extract(p.params, '$.manager')
		|| CASE json_extract(p.params, '$.history') WHEN 0 THEN ', history: false' ELSE '' END
		|| CASE json_extract(p.params, '$.adjust') WHEN 0 THEN ', adjust: false' ELSE '' END
		|| coalesce(', adjust_margin: ' || nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '')
		|| CASE json_extract(p.params, '$.swap') WHEN 'free' THEN ', swap: free' ELSE '' END AS manager,
	count(*) AS cases, sum(missed <= 0) AS reached, sum(missed > 0 AND missed <= 1) AS to_1_percent,
	sum(missed > 1 AND missed <= 5) AS to_5_percent, sum(missed > 5 AND missed <= 10) AS to_10_percent,
	sum(missed > 10 AND missed <= 20) AS to_20_percent, sum(missed > 20) AS further
FROM goal_run g JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN taskset s USING (taskset_id)
WHERE r.status = 'ok' AND (:platform IS NULL OR l.name = :platform)
GROUP BY l.name, s.task_count, 3 ORDER BY l.name, s.task_count, 3;

-- name: qos-throughput
-- title: QoS's Figs. 8, 11, 13: IPC of kernels without a goal as a share of that alone, where the goals are reached
-- param: platform - name of the platform
WITH
run_case AS (
	SELECT k.run_id, r.taskset_id, r.platform_id, r.replication, r.setup_digest, min(k.reached) AS reached,
		min(w.goal_share_ppm) / 1e4 AS goal_percent, count(k.goal_ppm) AS goals, count(*) AS kernels,
		avg(CASE WHEN k.goal_ppm IS NULL THEN 1.0 * k.ipc_ppm / nullif(k.alone_ppm, 0) END) AS others,
		json_extract(p.params, '$.manager') AS scheme, json_extract(p.params, '$.swap') AS swap,
		json_extract(p.params, '$.manager')
		|| CASE json_extract(p.params, '$.history') WHEN 0 THEN ', history: false' ELSE '' END
		|| CASE json_extract(p.params, '$.adjust') WHEN 0 THEN ', adjust: false' ELSE '' END
		|| coalesce(', adjust_margin: ' || nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '')
		|| CASE json_extract(p.params, '$.swap') WHEN 'free' THEN ', swap: free' ELSE '' END AS manager
	FROM run_warp_kernel k JOIN warp_kernel w USING (task_id) JOIN run r ON r.run_id = k.run_id
		JOIN policy p USING (policy_id)
	WHERE r.status = 'ok' GROUP BY k.run_id HAVING count(k.goal_ppm) > 0),
paired AS (
	SELECT c.*, l.name AS platform, CASE WHEN c.reached AND b.reached THEN c.others END AS own,
		CASE WHEN c.reached AND b.reached THEN b.others END AS spart
	FROM run_case c JOIN platform l USING (platform_id)
		LEFT JOIN run_case b ON b.taskset_id = c.taskset_id AND b.platform_id = c.platform_id
			AND b.replication = c.replication AND b.setup_digest = c.setup_digest AND b.scheme = 'spart'
			AND b.swap = c.swap),
averaged AS (
	SELECT platform, kernels, goals, goal_percent, manager, scheme, swap, sum(reached) AS reached,
		avg(CASE WHEN reached THEN others END) AS others, count(own) AS with_spart,
		sum(own) / nullif(sum(spart), 0) AS against_spart
	FROM paired GROUP BY platform, kernels, goals, goal_percent, manager, scheme, swap
	UNION ALL
	SELECT platform, kernels, goals, NULL, manager, scheme, swap, sum(reached),
		avg(CASE WHEN reached THEN others END), count(own), sum(own) / nullif(sum(spart), 0)
	FROM paired GROUP BY platform, kernels, goals, manager, scheme, swap)
SELECT a.platform, a.kernels, a.goals, coalesce(a.goal_percent, 'all') AS goal_percent, a.manager, a.reached,
	a.others AS times_alone, 100 * (a.others / b.others - 1) AS more_than_spart_percent,
	a.with_spart AS cases_of_both, 100 * a.against_spart - 100 AS more_on_those_percent
FROM averaged a LEFT JOIN averaged b ON b.platform = a.platform AND b.kernels = a.kernels AND b.goals = a.goals
		AND b.goal_percent IS a.goal_percent AND b.scheme = 'spart' AND b.swap = a.swap
WHERE (:platform IS NULL OR a.platform = :platform)
ORDER BY a.platform, a.kernels, a.goals, a.goal_percent IS NULL, a.goal_percent, a.manager;

-- name: qos-overshoot
-- title: QoS's Fig. 9: by how much kernels exceed their goals, in cases that reach them (percent)
-- param: platform - name of the platform
WITH
goal_run AS (
	SELECT run_id, min(reached) AS reached FROM run_warp_kernel WHERE goal_ppm IS NOT NULL GROUP BY run_id),
kernel_case AS (
	SELECT l.name AS platform, s.task_count AS kernels, w.goal_share_ppm / 1e4 AS goal_percent,
		100.0 * k.ipc_ppm / k.goal_ppm - 100 AS above, json_extract(p.params, '$.manager')
		|| CASE json_extract(p.params, '$.history') WHEN 0 THEN ', history: false' ELSE '' END
		|| CASE json_extract(p.params, '$.adjust') WHEN 0 THEN ', adjust: false' ELSE '' END
		|| coalesce(', adjust_margin: ' || nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '')
		|| CASE json_extract(p.params, '$.swap') WHEN 'free' THEN ', swap: free' ELSE '' END AS manager
	FROM goal_run g JOIN run_warp_kernel k USING (run_id) JOIN warp_kernel w USING (task_id)
		JOIN run r ON r.run_id = k.run_id JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
		JOIN taskset s ON s.taskset_id = r.taskset_id
	WHERE g.reached AND k.goal_ppm > 0 AND r.status = 'ok'),
averaged AS (
	SELECT platform, kernels, goal_percent, manager, count(*) AS n, avg(above) AS mean, max(above) AS greatest
	FROM kernel_case GROUP BY platform, kernels, goal_percent, manager
	UNION ALL
	SELECT platform, kernels, NULL, manager, count(*), avg(above), max(above)
	FROM kernel_case GROUP BY platform, kernels, manager)
SELECT platform, kernels, coalesce(goal_percent, 'all') AS goal_percent, manager, n AS kernels_with_goal,
	mean AS above_goal_percent, greatest AS at_most_percent
FROM averaged WHERE (:platform IS NULL OR platform = :platform)
ORDER BY platform, kernels, averaged.goal_percent IS NULL, averaged.goal_percent, manager;

-- name: qos-energy
-- title: QoS's Fig. 14: thread instructions per joule against spart on the same sets, of all cases and where both reach
-- param: platform - name of the platform
WITH
run_case AS (
	SELECT k.run_id, r.taskset_id, r.platform_id, r.replication, r.setup_digest, min(k.reached) AS reached,
		min(w.goal_share_ppm) / 1e4 AS goal_percent, count(*) AS kernels,
		sum(k.thread_instructions) / (r.energy_uj * 1e-6) AS per_joule,
		json_extract(p.params, '$.manager') AS scheme, json_extract(p.params, '$.swap') AS swap,
		json_extract(p.params, '$.manager')
		|| CASE json_extract(p.params, '$.history') WHEN 0 THEN ', history: false' ELSE '' END
		|| CASE json_extract(p.params, '$.adjust') WHEN 0 THEN ', adjust: false' ELSE '' END
		|| coalesce(', adjust_margin: ' || nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '')
		|| CASE json_extract(p.params, '$.swap') WHEN 'free' THEN ', swap: free' ELSE '' END AS manager
	FROM run_warp_kernel k JOIN warp_kernel w USING (task_id) JOIN run r ON r.run_id = k.run_id
		JOIN policy p USING (policy_id)
	WHERE r.status = 'ok' AND r.energy_uj > 0 GROUP BY k.run_id HAVING count(k.goal_ppm) > 0),
paired AS (
	SELECT l.name AS platform, c.kernels, c.goal_percent, c.manager, c.per_joule, c.per_joule / b.per_joule AS ratio,
		c.reached AND b.reached AS both
	FROM run_case c JOIN platform l USING (platform_id)
		LEFT JOIN run_case b ON b.taskset_id = c.taskset_id AND b.platform_id = c.platform_id
			AND b.replication = c.replication AND b.setup_digest = c.setup_digest AND b.scheme = 'spart'
			AND b.swap = c.swap),
averaged AS (
	SELECT platform, kernels, goal_percent, manager, count(*) AS cases, avg(per_joule) AS per_joule,
		avg(ratio) AS ratio, sum(both) AS both, avg(CASE WHEN both THEN ratio END) AS both_ratio
	FROM paired GROUP BY platform, kernels, goal_percent, manager
	UNION ALL
	SELECT platform, kernels, NULL, manager, count(*), avg(per_joule), avg(ratio), sum(both),
		avg(CASE WHEN both THEN ratio END)
	FROM paired GROUP BY platform, kernels, manager)
SELECT platform, kernels, coalesce(goal_percent, 'all') AS goal_percent, manager, cases,
	per_joule / 1e9 AS billions_per_joule, 100 * ratio - 100 AS more_than_spart_percent, both AS cases_of_both,
	100 * both_ratio - 100 AS more_on_those_percent
FROM averaged WHERE (:platform IS NULL OR platform = :platform)
ORDER BY platform, kernels, averaged.goal_percent IS NULL, averaged.goal_percent, manager;

-- name: qos-swaps
-- title: QoS's section 4.8: swaps of blocks, and what history, moving blocks and swaps do to reach and throughput
-- param: platform - name of the platform
WITH
class (name, class) AS (
	VALUES ('cutcp', 'C'), ('histo', 'M'), ('lbm', 'M'), ('mri-gridding', 'C'), ('mri-q', 'C'), ('sad', 'M'),
		('sgemm', 'C'), ('spmv', 'M'), ('stencil', 'M'), ('tpacf', 'C')),
run_case AS (
	SELECT k.run_id, r.taskset_id, r.platform_id, r.replication, r.setup_digest, min(k.reached) AS reached,
		sum(k.swaps) AS swaps, count(*) AS kernels, sum(coalesce(c.class = 'M', 0)) = count(*) AS all_m,
		avg(CASE WHEN k.goal_ppm IS NULL THEN 1.0 * k.ipc_ppm / nullif(k.alone_ppm, 0) END) AS others,
		json_extract(p.params, '$.manager') AS scheme, json_extract(p.params, '$.history') AS history,
		json_extract(p.params, '$.adjust') AS adjust, json_extract(p.params, '$.swap') AS swap,
		coalesce(nullif(json_extract(p.params, '$.adjust_margin'), '0%'), '') AS margin
	FROM run_warp_kernel k JOIN task t USING (task_id) LEFT JOIN class c USING (name)
		JOIN run r ON r.run_id = k.run_id JOIN policy p USING (policy_id)
	WHERE r.status = 'ok' GROUP BY k.run_id HAVING count(k.goal_ppm) > 0),
paired AS (
	SELECT c.*, l.name AS platform, c.reached AND b.reached AS both, b.others AS base
	FROM run_case c JOIN platform l USING (platform_id)
		LEFT JOIN run_case b ON b.taskset_id = c.taskset_id AND b.platform_id = c.platform_id
			AND b.replication = c.replication AND b.setup_digest = c.setup_digest AND b.scheme = c.scheme
			AND b.history AND b.adjust AND b.swap = 'memory' AND b.margin = '')
SELECT platform, kernels, scheme AS manager, CASE WHEN history THEN 'yes' ELSE 'no' END AS history,
	CASE WHEN NOT adjust THEN 'no' WHEN margin = '' THEN 'yes' ELSE 'beyond ' || margin END AS adjust, swap, count(*) AS cases,
	100.0 * sum(reached) / count(*) AS reach_percent, 1.0 * sum(swaps) / count(*) AS swaps_per_run,
	avg(CASE WHEN reached THEN others END) AS times_alone, sum(both) AS cases_of_both,
	100 * (sum(both * others) / nullif(sum(both * base), 0) - 1) AS others_more_percent,
	100 * (sum((both AND all_m) * others) / nullif(sum((both AND all_m) * base), 0) - 1) AS others_more_m_percent
FROM paired WHERE (:platform IS NULL OR platform = :platform)
GROUP BY platform, kernels, scheme, history, adjust, margin, swap
ORDER BY platform, kernels, scheme, history DESC, adjust DESC, swap DESC;
