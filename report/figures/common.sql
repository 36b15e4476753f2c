-- report/figures/common.sql - what figures have in common: common tables, which stand in front of a figure's own where its
-- header has a line "-- with: NAME ...", in that order. None of this is a figure.

-- name: policy_name
-- Policies by name, and the options in which those of one name differ in this recording, so that no two are alike. Where a
-- policy has runs, those without any do not count: only analyses asked for them.
run_policy AS (SELECT policy_id FROM run UNION SELECT policy_id FROM question WHERE analysis IS NULL),
policy_option AS (
	SELECT p.policy_id, p.name, o.key, CASE WHEN o.type = 'true' OR o.type = 'false' THEN o.type ELSE o.value END AS value
	FROM policy p JOIN json_each(p.params) o
	WHERE EXISTS (SELECT 1 FROM policy q WHERE q.name = p.name
		AND json_extract(q.params, '$."' || o.key || '"') IS NOT o.value
		AND (q.policy_id IN (SELECT policy_id FROM run_policy) OR p.policy_id NOT IN (SELECT policy_id FROM run_policy)))),
policy_options AS (
	SELECT p.policy_id, p.name, coalesce((SELECT group_concat(' ' || key || '=' || value, '') FROM (
		SELECT o.key, o.value FROM policy_option o WHERE o.policy_id = p.policy_id ORDER BY o.key)), '') AS options
	FROM policy p),
policy_name AS (SELECT policy_id, name, options, name || options AS series FROM policy_options)

-- name: analysis_name
-- Analyses in the same way; one that bounded several policies in the same way says of which. Needs policy_name.
analysis_kind AS (
	SELECT analysis, params, policy_id FROM analysis_run
	UNION SELECT analysis, params, policy_id FROM question WHERE analysis IS NOT NULL),
analysis_option AS (
	SELECT k.analysis, k.params, k.policy_id, o.key,
		CASE WHEN o.type = 'true' OR o.type = 'false' THEN o.type ELSE o.value END AS value
	FROM analysis_kind k JOIN json_each(k.params) o
	WHERE EXISTS (SELECT 1 FROM analysis_kind q WHERE q.analysis = k.analysis
		AND json_extract(q.params, '$."' || o.key || '"') IS NOT o.value)),
analysis_name AS (
	SELECT k.*, k.analysis || coalesce((SELECT group_concat(' ' || key || '=' || value, '') FROM (
			SELECT o.key, o.value FROM analysis_option o WHERE o.analysis = k.analysis AND o.params = k.params
				AND o.policy_id = k.policy_id ORDER BY o.key)), '')
		|| CASE WHEN EXISTS (SELECT 1 FROM analysis_kind q WHERE q.analysis = k.analysis AND q.params = k.params
			AND q.policy_id <> k.policy_id) THEN ' of ' || n.series ELSE '' END AS series, n.series AS policy
	FROM analysis_kind k JOIN policy_name n USING (policy_id))

-- name: platform_name
-- Platforms by name, and what those of one name differ in, so that no two are alike.
platform_part AS (
	SELECT l.platform_id, l.name, o.key, coalesce(o.value, 'none') AS value
	FROM platform l JOIN json_each(json_object('cores', cores, 'engines', engines, 'copy_latency_ns', copy_latency_ns,
		'copy_bandwidth', copy_bandwidth, 'pool', pool, 'sms', sms, 'sms_per_tpc', sms_per_tpc, 'threads_per_sm',
		threads_per_sm, 'blocks_per_sm', blocks_per_sm, 'warps_per_sm', warps_per_sm, 'registers_per_sm', registers_per_sm,
		'shared_memory_per_sm', shared_memory_per_sm, 'carveout', divisions, 'virtual_sms_per_sm', virtual_sms_per_sm, 'work_queues', work_queues,
		'pin_overhead_ns', pin_overhead_ns, 'static_uw', static_uw, 'idle_per_sm_uw', idle_per_sm_uw)) o),
platform_name AS (
	SELECT l.platform_id, l.name, l.name || coalesce((SELECT group_concat(' ' || key || '=' || value, '') FROM (
		SELECT o.key, o.value FROM platform_part o WHERE o.platform_id = l.platform_id AND EXISTS (
			SELECT 1 FROM platform_part q WHERE q.name = o.name AND q.key = o.key AND q.value <> o.value)
		ORDER BY o.key)), '') AS platform
	FROM platform l)

-- name: point
-- The points of a campaign's grid, but for utilisation: the options of the recipe that differ in this recording.
recipe AS (SELECT recipe FROM taskset WHERE recipe IS NOT NULL UNION SELECT recipe FROM grid_point),
given AS (
	SELECT r.recipe, o.key, CASE WHEN o.type = 'true' OR o.type = 'false' THEN o.type ELSE o.value END AS value
	FROM recipe r, json_each(r.recipe, '$.options') o WHERE o.key <> 'utilisation'),
axis AS (SELECT key FROM given GROUP BY key HAVING count(DISTINCT value) > 1),
point AS (
	SELECT r.recipe, coalesce((SELECT group_concat(key || '=' || value, ', ') FROM (SELECT g.key, g.value FROM given g
		WHERE g.recipe = r.recipe AND g.key IN (SELECT key FROM axis) ORDER BY g.key)), '') AS point
	FROM recipe r)

-- name: answer
-- Which sets are schedulable, by runs (of every replication) and by analyses, and whose colour they have. Needs policy_name,
-- analysis_name.
answer AS (
	SELECT a.taskset_id, a.platform_id, n.series || ' (analysis)' AS series, n.policy, 1 AS analysis, a.verdict = 'schedulable' AS ok
	FROM analysis_run a
		JOIN analysis_name n ON n.analysis = a.analysis AND n.params = a.params AND n.policy_id = a.policy_id
	WHERE a.verdict <> 'error'
	UNION ALL
	SELECT r.taskset_id, r.platform_id, n.series, n.series, 0, r.status = 'ok' AND r.misses = 0
	FROM run r JOIN policy_name n USING (policy_id) WHERE r.status <> 'error')

-- name: brief
-- The same counted, of sets of which verdicts alone are recorded. Needs policy_name, analysis_name.
brief AS (
	SELECT g.recipe, g.target_utilisation_ppm AS ppm, c.platform_id, c.first_unit,
		coalesce(a.series || ' (analysis)', n.series) AS series, n.series AS policy, q.analysis IS NOT NULL AS analysis,
		c.sets, c.k AS ok, c.n AS answers
	FROM tally c JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
		JOIN policy_name n ON n.policy_id = q.policy_id LEFT JOIN analysis_name a ON a.analysis = q.analysis
		AND a.params = q.params AND a.policy_id = q.policy_id)

-- name: wilson
-- Wilson's 95 % interval of every k out of n in the figure's table `counted` (k need not be whole); not every SQLite has sqrt(): Newton's, from above.
wilson_root (k, n, step, x, root) AS (
	SELECT DISTINCT k, n, 0, 1.0 * k * (n - k) / n + 0.9604, 1.0 * k * (n - k) / n + 1.9604 FROM counted
	UNION ALL
	SELECT k, n, step + 1, x, (root + x / root) / 2 FROM wilson_root WHERE step < 40),
wilson AS (
	SELECT k, n, CASE k WHEN 0 THEN 0.0 ELSE (k + 1.9208 - 1.96 * root) / (n + 3.8416) END AS low,
		CASE k WHEN n THEN 1.0 ELSE (k + 1.9208 + 1.96 * root) / (n + 3.8416) END AS high
	FROM wilson_root WHERE step = 40)

-- name: root
-- The square root of every v in the figure's table `squared`; of next to nothing it is 0.
root_step (v, step, root) AS (
	SELECT DISTINCT v, 0, v + 1 FROM squared WHERE v > 1e-15
	UNION ALL
	SELECT v, step + 1, (root + v / root) / 2 FROM root_step WHERE step < 60),
root AS (
	SELECT v, root FROM root_step WHERE step = 60
	UNION ALL
	SELECT DISTINCT v, 0.0 FROM squared WHERE v <= 1e-15)

-- name: runs_of_set
-- The runs of one task set (:run or :taskset, or the first), and what they are called. Needs policy_name, platform_name.
chosen AS (
	SELECT r.run_id, r.policy_id, r.taskset_id, n.series || CASE WHEN (SELECT count(DISTINCT q.platform_id) FROM run q
		WHERE q.taskset_id = r.taskset_id) > 1 THEN ' on ' || l.platform ELSE '' END AS series
	FROM run r JOIN policy_name n USING (policy_id) JOIN platform_name l USING (platform_id)
	WHERE CASE WHEN :run IS NOT NULL THEN r.run_id = :run
		ELSE r.taskset_id = coalesce(:taskset, (SELECT min(taskset_id) FROM run WHERE status <> 'refused')) END)

-- name: runs_over_time
-- One run of every policy: :run, or the first replication of the first set. Needs policy_name, platform_name.
chosen AS (
	SELECT r.run_id, r.policy_id, r.taskset_id, n.series || CASE WHEN (SELECT count(DISTINCT q.platform_id) FROM run q
		WHERE q.taskset_id = r.taskset_id) > 1 THEN ' on ' || l.platform ELSE '' END AS series
	FROM run r JOIN policy_name n USING (policy_id) JOIN platform_name l USING (platform_id)
	WHERE CASE WHEN :run IS NOT NULL THEN r.run_id = :run ELSE r.replication = (SELECT min(replication) FROM run)
		AND r.taskset_id = (SELECT min(taskset_id) FROM run WHERE status <> 'refused') END)

-- name: responses
-- How many jobs had which response, in the runs `chosen`: of the jobs where they are recorded, else of the histogram, whose
-- buckets count with their upper end (to 1/16).
response AS (
	SELECT c.series, j.task_id, j.response_ns AS ns, 1 AS jobs FROM chosen c JOIN job j USING (run_id)
	WHERE j.response_ns IS NOT NULL
	UNION ALL
	SELECT c.series, h.task_id, min(h.upper_ns, a.max_response_ns), h.jobs FROM chosen c JOIN run_task_hist h USING (run_id)
		JOIN run_task a ON a.run_id = h.run_id AND a.task_id = h.task_id
	WHERE NOT EXISTS (SELECT 1 FROM job j WHERE j.run_id = c.run_id)),
summed AS (SELECT series, task_id, ns, sum(jobs) AS jobs FROM response GROUP BY series, task_id, ns)

-- name: manager_name
-- Managers of SMs by the names of the QoS paper, and the options in which policies of one manager differ, but for those that
-- are true.
scheme (manager, series, place) AS (
	VALUES ('spart', 'Spart', 1), ('history', 'Naïve + history', 2), ('elastic', 'Elastic', 3), ('rollover', 'Rollover', 4),
		('rollover-time', 'Rollover-Time', 5), ('naive', 'naive', 6), ('smk', 'smk', 7)),
given AS (
	SELECT p.policy_id, c.manager, c.series, c.place, o.key,
		CASE WHEN o.type IN ('true', 'false') THEN o.type ELSE o.value END AS value
	FROM policy p JOIN scheme c ON c.manager = json_extract(p.params, '$.manager')
		JOIN json_each(json_set(p.params, '$.policy', p.name)) o),
varied AS (SELECT manager, key FROM given GROUP BY manager, key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT DISTINCT n.policy_id, n.manager, n.place, n.series || coalesce((SELECT group_concat(' ' || key || '=' || value, '')
		FROM (SELECT g.key, g.value FROM given g WHERE g.policy_id = n.policy_id AND g.value <> 'true'
			AND (g.manager, g.key) IN (SELECT manager, key FROM varied) ORDER BY g.key)), '') AS series
	FROM given n)

-- name: warp_policy_name
-- Policies of warps by name and manager (where that is not smk), and the options in which those differ, but for those that
-- are true.
given AS (
	SELECT p.policy_id, p.name || CASE json_extract(p.params, '$.manager') WHEN 'smk' THEN ''
		ELSE coalesce(' ' || json_extract(p.params, '$.manager'), '') END AS plain, o.key,
		CASE WHEN o.type IN ('true', 'false') THEN o.type ELSE o.value END AS value
	FROM policy p LEFT JOIN json_each(p.params) o ON o.key <> 'manager'),
varied AS (SELECT plain, key FROM given GROUP BY plain, key HAVING count(DISTINCT value) > 1),
named AS (
	SELECT DISTINCT n.policy_id, n.plain || coalesce((SELECT group_concat(' ' || key || '=' || value, '')
		FROM (SELECT g.key, g.value FROM given g WHERE g.policy_id = n.policy_id AND g.value <> 'true'
			AND (g.plain, g.key) IN (SELECT plain, key FROM varied) ORDER BY g.key)), '') AS label
	FROM given n)

-- name: qos_kernel
-- Kernels of QoS's mixes, run by run, with what the mix is made of. Needs manager_name, and the parameter platform.
qos_kernel AS (
	SELECT r.run_id, r.taskset_id, r.platform_id, r.policy_id, r.replication, r.setup_digest, r.energy_uj, n.manager, n.series,
		n.place, k.task_id, k.goal_ppm, k.ipc_ppm, k.alone_ppm, k.reached, k.thread_instructions, w.goal_share_ppm,
		json_extract(s.recipe, '$.options.sharers') AS sharers, json_extract(s.recipe, '$.options.goals') AS goals,
		json_extract(s.recipe, '$.options.sub_cores') AS sub_cores
	FROM run r JOIN taskset s USING (taskset_id) JOIN platform l USING (platform_id) JOIN named n USING (policy_id)
		JOIN run_warp_kernel k USING (run_id) JOIN warp_kernel w ON w.task_id = k.task_id
	WHERE r.status = 'ok' AND (:platform IS NULL OR l.name = :platform) AND json_extract(s.recipe, '$.recipe') = 'qos-mixes')
