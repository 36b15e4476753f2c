-- report/figures/papers.sql - the figures of the RTGPU and sBEET papers, from the campaigns of the same names, in the
-- papers' layout (docs/paper-figures.md). Series have the papers' names where they are the papers'; "simulated" are
-- runs of ours. Each draws from its own campaign only: it looks at which options of the recipe differ between sets.

-- name: rtgpu-fig7
-- title: RTGPU's Fig. 7: share of schedulable sets over utilisation, by ratio of CPU to memory and GPU lengths
-- param: copies - two, as in the paper's first model, or one, as in its second
-- param: runs = rtgpu - policy whose runs are drawn beside the analyses: a name, all, or none
-- param: bands = some - Wilson's 95 % intervals: some (of RTGPU and of runs), all, or none
-- fixed: figure = 7
-- with: policy_name wilson
-- chart: curves
-- x: utilisation of the set
-- y: share of schedulable sets
-- y-range: 0:1.03
-- x-range: 0:4
-- columns: 3
-- panel: 1.9 x 1.4
-- nothing: the recording is not of this figure's campaign: cegsim sweep scenarios/campaigns/rtgpu-fig7.yaml -o fig7.db
WITH
known (analysis, params, place, series) AS (
	VALUES ('rtgpu', '{"form":"published","gaps":"deadline"}', 1, 'RTGPU'),
		('rtgpu', '{"form":"published","gaps":"response"}', 2, 'RTGPU, T − R gaps (ours)'),
		('self-suspension', '{"method":"baseline","gaps":"published","form":"published"}', 3, 'Self-Suspension'),
		('self-suspension', '{"method":"baseline","gaps":"response","form":"published"}', 4,
			'Self-Suspension, T − R gaps (ours)'),
		('stgm', '{"blocking":"safe"}', 5, 'STGM'), ('mpcp', '{"method":"hybrid","jitter":"safe"}', 6, 'Enhanced MPCP')),
made AS (
	SELECT recipe, min(first) AS first FROM (
		SELECT recipe, coalesce(recipe_index, taskset_id) AS first FROM taskset WHERE recipe IS NOT NULL
		UNION ALL SELECT g.recipe, c.first_unit FROM tally c JOIN grid_point g USING (point_id))
	GROUP BY recipe),
axis AS ( -- what the panels stand for: the one option that differs beside these two
	SELECT min(key) AS key FROM (
		SELECT o.key FROM made m, json_each(m.recipe, '$.options') o
		WHERE o.key <> 'utilisation' AND o.key <> 'copies' GROUP BY o.key HAVING count(DISTINCT o.value) > 1)
	GROUP BY NULL HAVING count(*) = 1), -- SQLite before 3.39 has no HAVING without GROUP BY
point AS (
	SELECT m.recipe, json_extract(m.recipe, '$.options.copies') AS copies, a.key,
		json_extract(m.recipe, '$.options.' || a.key) AS value,
		min(m.first) OVER (PARTITION BY json_extract(m.recipe, '$.options.' || a.key)) AS first
	FROM made m JOIN axis a
	WHERE json_extract(m.recipe, '$.recipe') = 'rtgpu-table1'
		AND :figure = CASE a.key WHEN 'ratio' THEN 7 WHEN 'subtasks' THEN 8 WHEN 'tasks' THEN 9
			WHEN 'sms' THEN CASE WHEN json_extract(m.recipe, '$.options.lo_ratio') = '100%' THEN 10
				ELSE CASE json_extract(m.recipe, '$.options.tasks') WHEN 5 THEN 11 WHEN 12 THEN 12 END END END),
placed AS (SELECT s.taskset_id, s.target_utilisation_ppm AS ppm, p.* FROM taskset s JOIN point p USING (recipe)),
simulated AS (
	SELECT policy_id, series || ', simulated' AS series, series AS policy FROM policy_name
	WHERE policy_id IN (SELECT policy_id FROM run_policy) AND (:runs = 'all' OR :runs = name)),
answer AS (
	SELECT a.taskset_id, k.place, k.series, k.analysis AS policy, a.verdict = 'schedulable' AS ok
	FROM analysis_run a JOIN known k ON k.analysis = a.analysis AND k.params = a.params WHERE a.verdict <> 'error'
	UNION ALL
	SELECT r.taskset_id, 10 + r.policy_id, s.series, s.policy, r.status = 'ok' AND r.misses = 0
	FROM run r JOIN simulated s USING (policy_id) WHERE r.status <> 'error'),
brief AS ( -- the same counted, of sets of which verdicts alone are recorded
	SELECT g.recipe, g.target_utilisation_ppm AS ppm, coalesce(k.place, 10 + q.policy_id) AS place,
		coalesce(k.series, s.series) AS series, coalesce(k.analysis, s.policy) AS policy, c.n, c.k
	FROM tally c JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
		LEFT JOIN known k ON k.analysis = q.analysis AND k.params = q.params
		LEFT JOIN simulated s ON q.analysis IS NULL AND s.policy_id = q.policy_id
	WHERE k.place IS NOT NULL OR s.policy_id IS NOT NULL),
part AS (
	SELECT p.recipe, p.ppm, a.place, a.series, a.policy, count(*) AS n, sum(a.ok) AS k
	FROM answer a JOIN placed p USING (taskset_id) GROUP BY p.recipe, p.ppm, a.place, a.series
	UNION ALL SELECT recipe, ppm, place, series, policy, n, k FROM brief),
counted AS (
	SELECT p.first, p.key, p.value, p.copies, a.place, a.series, min(a.policy) AS policy, a.ppm / 1e6 AS utilisation,
		sum(a.n) AS n, sum(a.k) AS k, :bands = 'all' OR (:bands = 'some' AND (a.place = 1 OR a.place > 10)) AS banded
	FROM part a JOIN point p USING (recipe)
	WHERE :copies IS NULL OR p.copies = :copies
	GROUP BY p.first, p.copies, a.place, a.series, a.ppm)
SELECT '(' || char(96 + dense_rank() OVER (ORDER BY first)) || ') '
		|| CASE key WHEN 'ratio' THEN 'ratio ' || value WHEN 'sms' THEN value || ' SMs' ELSE value || ' ' || key END
		|| CASE copies WHEN 'one' THEN ', one copy' ELSE ', two copies' END AS panel,
	series, policy, place <= 10 AS dashed, utilisation AS x, 1.0 * k / n AS y,
	CASE WHEN banded THEN low END AS low, CASE WHEN banded THEN high END AS high
FROM counted JOIN wilson USING (n, k)
ORDER BY copies DESC, first, place, utilisation;

-- name: rtgpu-fig8
-- title: RTGPU's Fig. 8: share of schedulable sets over utilisation, by number of subtasks of a task
-- sql: rtgpu-fig7
-- param: copies - two, as in the paper's first model, or one, as in its second
-- param: runs = rtgpu - policy whose runs are drawn beside the analyses: a name, all, or none
-- param: bands = some - Wilson's 95 % intervals: some (of RTGPU and of runs), all, or none
-- fixed: figure = 8
-- chart: curves
-- x: utilisation of the set
-- y: share of schedulable sets
-- y-range: 0:1.03
-- x-range: 0:3
-- columns: 3
-- panel: 1.9 x 1.4
-- nothing: the recording is not of this figure's campaign: cegsim sweep scenarios/campaigns/rtgpu-fig8.yaml -o fig8.db

-- name: rtgpu-fig9
-- title: RTGPU's Fig. 9: share of schedulable sets over utilisation, by number of tasks
-- sql: rtgpu-fig7
-- param: copies - two, as in the paper's first model, or one, as in its second
-- param: runs = rtgpu - policy whose runs are drawn beside the analyses: a name, all, or none
-- param: bands = some - Wilson's 95 % intervals: some (of RTGPU and of runs), all, or none
-- fixed: figure = 9
-- chart: curves
-- x: utilisation of the set
-- y: share of schedulable sets
-- y-range: 0:1.03
-- x-range: 0:3
-- columns: 3
-- panel: 1.9 x 1.4
-- nothing: the recording is not of this figure's campaign, or has nothing for these -P: cegsim sweep scenarios/campaigns/rtgpu-fig9.yaml -o fig9.db

-- name: rtgpu-fig10
-- title: RTGPU's Fig. 10: share of schedulable sets over utilisation, by number of SMs
-- sql: rtgpu-fig7
-- param: copies - two, as in the paper's first model, or one, as in its second
-- param: runs = rtgpu - policy whose runs are drawn beside the analyses: a name, all, or none
-- param: bands = some - Wilson's 95 % intervals: some (of RTGPU and of runs), all, or none
-- fixed: figure = 10
-- chart: curves
-- x: utilisation of the set
-- y: share of schedulable sets
-- y-range: 0:1.03
-- x-range: 0:3
-- columns: 3
-- panel: 1.9 x 1.4
-- nothing: the recording is not of this figure's campaign, or has nothing for these -P: cegsim sweep scenarios/campaigns/rtgpu-fig10.yaml -o fig10.db

-- name: rtgpu-fig11
-- title: RTGPU's Fig. 11: share of schedulable sets of 5 tasks by SMs: the analysis, and runs in place of its GPU
-- sql: rtgpu-fig7
-- param: copies - two, as in the paper's first model, or one, as in its second
-- param: runs = rtgpu - policy whose runs are drawn beside the analyses: a name, all, or none
-- param: bands = some - Wilson's 95 % intervals: some (of RTGPU and of runs), all, or none
-- fixed: figure = 11
-- chart: curves
-- x: utilisation of the set
-- y: share of schedulable sets
-- y-range: 0:1.03
-- x-range: 0:3
-- columns: 3
-- panel: 1.9 x 1.4
-- nothing: the recording is not of this figure's campaign: cegsim sweep scenarios/campaigns/rtgpu-fig11.yaml -o fig11.db

-- name: rtgpu-fig12
-- title: RTGPU's Fig. 12: share of schedulable sets of 12 tasks by SMs: the analysis, and runs in place of its GPU
-- sql: rtgpu-fig7
-- param: copies - two, as in the paper's first model, or one, as in its second
-- param: runs = rtgpu - policy whose runs are drawn beside the analyses: a name, all, or none
-- param: bands = some - Wilson's 95 % intervals: some (of RTGPU and of runs), all, or none
-- fixed: figure = 12
-- chart: curves
-- x: utilisation of the set
-- y: share of schedulable sets
-- y-range: 0:1.03
-- x-range: 0:3
-- columns: 3
-- panel: 1.9 x 1.4
-- nothing: the recording is not of this figure's campaign: cegsim sweep scenarios/campaigns/rtgpu-fig12.yaml -o fig12.db

-- name: sbeet-fig4
-- title: sBEET's Fig. 4: time and power of a kernel on m SMs, as shares of the greatest (in the panel's title)
-- param: platform - name of the platform
-- chart: curves
-- x: SMs of the kernel
-- y: share of the greatest
-- y-range: 0:1.05
-- columns: 3
-- panel: 1.9 x 1.05
-- nothing: the recording is not of this figure's campaign, or has nothing for these -P: cegsim sweep scenarios/campaigns/sbeet-fig5-synthetic-8sm.yaml -o fig5.db
WITH
alone AS (
	SELECT l.platform_id, l.name AS platform, r.taskset_id, f.name AS benchmark, a.sms,
		r.gpu_active_ns / 1e6 AS time_ms, l.static_uw / 1e6 + (e.energy_j - e.static_j) * 1e9 / r.gpu_active_ns AS power_w
	FROM run r JOIN platform l USING (platform_id) JOIN v_energy e ON e.run_id = r.run_id
		JOIN run_task a ON a.run_id = r.run_id JOIN taskset s ON s.taskset_id = r.taskset_id
		JOIN segment g ON g.task_id = a.task_id AND g.kind = 'kernel'
		JOIN profile f ON f.taskset_id = r.taskset_id AND f.profile_idx = g.profile_idx AND f.sms = 1
	WHERE r.status = 'ok' AND a.sms > 0 AND json_extract(s.recipe, '$.options.mode') = 'alone'
		AND (:platform IS NULL OR l.name = :platform)),
held AS (
	SELECT *, max(time_ms) OVER every AS most_ms, max(power_w) OVER every AS most_w,
		CASE WHEN (SELECT count(DISTINCT platform) FROM alone) > 1 THEN platform || ' ' ELSE '' END AS prefix
	FROM alone WINDOW every AS (PARTITION BY platform_id, taskset_id))
SELECT prefix || benchmark || printf(': %.3g ms, %.3g W', most_ms, most_w) AS panel, q.series, sms AS x,
	CASE q.place WHEN 1 THEN time_ms / most_ms ELSE power_w / most_w END AS y
FROM held JOIN (SELECT 1 AS place, 'time' AS series UNION ALL SELECT 2, 'power') q
ORDER BY platform_id, taskset_id, q.place, sms;

-- name: sbeet-fig5
-- title: sBEET's Fig. 5: energy in a window with a benchmark alone on m SMs, against all SMs; the number with the least
-- param: platform - name of the platform
-- chart: curves
-- x: SMs of the kernel
-- y: energy, all SMs = 1
-- y-range: 0.8:*
-- line: 1
-- panel: 4.4 x 2.2
-- nothing: the recording is not of this figure's campaign, or has nothing for these -P: cegsim sweep scenarios/campaigns/sbeet-fig5-synthetic-8sm.yaml -o fig5.db
WITH
alone AS (
	SELECT l.platform_id, l.name AS platform, l.sms AS all_sms, r.taskset_id, f.name AS benchmark, a.sms,
		r.energy_uj * 1e9 + r.energy_rest_uwns AS energy
	FROM run r JOIN platform l USING (platform_id)
		JOIN run_task a ON a.run_id = r.run_id JOIN taskset s ON s.taskset_id = r.taskset_id
		JOIN segment g ON g.task_id = a.task_id AND g.kind = 'kernel'
		JOIN profile f ON f.taskset_id = r.taskset_id AND f.profile_idx = g.profile_idx AND f.sms = 1
	WHERE r.status = 'ok' AND a.sms > 0 AND json_extract(s.recipe, '$.options.mode') = 'alone'
		AND (:platform IS NULL OR l.name = :platform)),
held AS (
	SELECT *, max(CASE sms WHEN all_sms THEN energy END) OVER every AS on_all,
		first_value(sms) OVER (every ORDER BY energy, sms DESC) AS best,
		CASE WHEN (SELECT count(DISTINCT platform) FROM alone) > 1 THEN platform || ' ' ELSE '' END AS prefix
	FROM alone WINDOW every AS (PARTITION BY platform_id, taskset_id))
SELECT prefix || benchmark || ', least on ' || best AS series, sms AS x, energy / on_all AS y
FROM held ORDER BY platform_id, taskset_id, sms;

-- name: sbeet-fig6
-- title: sBEET's Fig. 6, of energy: mean absolute error of what sbeet predicts at its decisions, by kernel
-- level: segments
-- param: platform - name of the platform
-- chart: bars
-- x: kernel
-- y: mean error of energy (%)
-- columns: 3
-- nothing: no decision of sbeet is in here: sweep scenarios/campaigns/sbeet-fig8.yaml with detail: {record: blocks, sets: [0]}
WITH
decided AS (
	SELECT r.platform_id, coalesce(f.name, d.task) AS kernel, 100 * abs(d.error) AS error
	FROM v_decision d JOIN run r USING (run_id)
		JOIN segment g ON g.task_id = d.task_id AND g.segment_idx = d.segment_idx
		LEFT JOIN profile f ON f.taskset_id = r.taskset_id AND f.profile_idx = g.profile_idx AND f.sms = 1
	WHERE d.chosen AND d.policy = 'sbeet' AND d.error IS NOT NULL),
averaged AS (
	SELECT platform_id, 0 AS place, kernel, avg(error) AS error FROM decided GROUP BY platform_id, kernel
	UNION ALL
	SELECT platform_id, 1, 'all', avg(error) FROM decided GROUP BY platform_id)
SELECT l.name AS panel, a.kernel AS "group", a.error AS y
FROM averaged a JOIN platform l USING (platform_id) WHERE :platform IS NULL OR l.name = :platform
ORDER BY a.place, a.kernel, l.platform_id;

-- name: sbeet-fig8a
-- title: sBEET's Fig. 8a: jobs that miss their deadline, over utilisation (bands: 1.96 standard errors)
-- param: platform - name of the platform
-- param: tasks - number of tasks in a set
-- fixed: what = misses
-- with: policy_name root
-- chart: curves
-- x: utilisation of the set
-- y: missed deadlines (%)
-- columns: 3
-- nothing: the recording is not of this figure's campaign: cegsim sweep scenarios/campaigns/sbeet-fig8.yaml -o fig8.db
WITH
made AS (SELECT DISTINCT recipe FROM taskset WHERE recipe IS NOT NULL),
axis AS (
	SELECT o.key FROM made m, json_each(m.recipe, '$.options') o
	WHERE o.key <> 'utilisation' AND o.key <> 'gpu' AND o.key <> 'tasks'
	GROUP BY o.key HAVING count(DISTINCT o.value) > 1),
campaign AS (
	SELECT min(json_extract(recipe, '$.recipe') = 'sbeet' AND json_extract(recipe, '$.options.mode') = 'uunifast') AS ours
	FROM made WHERE NOT EXISTS (SELECT 1 FROM axis)),
part AS ( -- a set's share of what is asked, over that in which it is counted: misses over jobs, energy over FCFS's
	SELECT r.platform_id, s.task_count AS tasks, s.target_utilisation_ppm AS ppm, r.policy_id,
		CASE :what WHEN 'energy' THEN r.energy_uj / 1e6 ELSE 100.0 * r.misses END AS a,
		CASE :what WHEN 'energy' THEN f.energy_uj / 1e6 ELSE 1.0 * r.jobs END AS b
	FROM run r JOIN taskset s USING (taskset_id)
		JOIN run f ON f.taskset_id = r.taskset_id AND f.platform_id = r.platform_id
			AND f.policy_id = (SELECT min(policy_id) FROM policy WHERE name = 'fcfs')
			AND f.replication = r.replication AND f.setup_digest = r.setup_digest
	WHERE (SELECT ours FROM campaign) AND r.status = 'ok' AND f.status = 'ok'
		AND (:tasks IS NULL OR s.task_count = :tasks)),
summed AS (
	SELECT platform_id, tasks, ppm, policy_id, sum(a) / sum(b) AS ratio, sum(b) AS b, sum(a * a) AS aa,
		sum(a * b) AS ab, sum(b * b) AS bb
	FROM part GROUP BY platform_id, tasks, ppm, policy_id HAVING sum(b) > 0),
named AS (
	SELECT policy_id, CASE name WHEN 'fcfs' THEN 'FCFS' WHEN 'rm' THEN 'RM' WHEN 'stgm' THEN 'STGM'
		WHEN 'sbeet' THEN 'sBEET' ELSE name END || options AS series
	FROM policy_name),
squared AS (SELECT *, max(0, aa - 2 * ratio * ab + ratio * ratio * bb) / b / b AS v FROM summed)
SELECT l.name || ', ' || w.tasks || ' tasks' AS panel, n.series,
	w.ppm / 1e6 AS x, w.ratio AS y, max(0, w.ratio - 1.96 * q.root) AS low, w.ratio + 1.96 * q.root AS high
FROM squared w JOIN root q USING (v) JOIN platform l USING (platform_id) JOIN named n USING (policy_id)
WHERE (:platform IS NULL OR l.name = :platform)
ORDER BY w.tasks, l.platform_id, w.policy_id, w.ppm;

-- name: sbeet-fig8b
-- title: sBEET's Fig. 8b: energy against FCFS on the same sets, over utilisation (bands: 1.96 standard errors)
-- sql: sbeet-fig8a
-- param: platform - name of the platform
-- param: tasks - number of tasks in a set
-- fixed: what = energy
-- chart: curves
-- x: utilisation of the set
-- y: energy, FCFS = 1
-- y-range: 0.8:1.4
-- line: 1
-- columns: 3
-- nothing: the recording is not of this figure's campaign: cegsim sweep scenarios/campaigns/sbeet-fig8.yaml -o fig8.db

-- name: sbeet-fig9
-- title: sBEET's Fig. 9: jobs of light tasks that miss, by share of heavy tasks (bands: 1.96 standard errors)
-- param: platform - name of the platform
-- param: swap = no - no: ranges of the utilisations as printed in the paper; yes: exchanged; all: both
-- with: policy_name root
-- chart: curves
-- x: heavy tasks (%)
-- y: light jobs that miss (%)
-- columns: 3
-- nothing: the recording is not of this figure's campaign, or has nothing for these -P: cegsim sweep scenarios/campaigns/sbeet-fig9.yaml -o fig9.db
WITH
made AS (
	SELECT recipe, CASE json_extract(recipe, '$.options.swap') WHEN 1 THEN 'yes' ELSE 'no' END AS swap,
		CAST(json_extract(recipe, '$.options.heavy_ratio') AS REAL) AS heavy,
		json_extract(recipe, '$.options.classes') = 'measured' AS measured
	FROM (SELECT DISTINCT recipe FROM taskset WHERE recipe IS NOT NULL)
	WHERE json_extract(recipe, '$.recipe') = 'sbeet' AND json_extract(recipe, '$.options.mode') = 'bimodal'),
axis AS (
	SELECT o.key FROM made m, json_each(m.recipe, '$.options') o
	WHERE o.key <> 'heavy_ratio' AND o.key <> 'gpu' AND o.key <> 'swap'
	GROUP BY o.key HAVING count(DISTINCT o.value) > 1),
light AS (
	SELECT t.task_id, m.swap, m.heavy
	FROM made m JOIN taskset s USING (recipe) JOIN task t USING (taskset_id)
		JOIN segment g ON g.task_id = t.task_id AND g.kind = 'kernel'
		JOIN profile f ON f.taskset_id = s.taskset_id AND f.profile_idx = g.profile_idx AND f.sms = 1
	WHERE NOT EXISTS (SELECT 1 FROM axis) AND (:swap = 'all' OR m.swap = :swap)
		AND NOT (f.name = 'mmul' OR f.name = 'stereodisparity' OR f.name = 'dxtc' OR (f.name = 'hotspot' AND m.measured))),
part AS (
	SELECT r.platform_id, k.swap, k.heavy, r.policy_id, 100.0 * sum(a.misses) AS a, 1.0 * sum(a.jobs) AS b
	FROM run r JOIN run_task a USING (run_id) JOIN light k USING (task_id)
	WHERE r.status = 'ok' GROUP BY r.run_id),
summed AS (
	SELECT platform_id, swap, heavy, policy_id, sum(a) / sum(b) AS ratio, sum(b) AS b, sum(a * a) AS aa, sum(a * b) AS ab,
		sum(b * b) AS bb
	FROM part GROUP BY platform_id, swap, heavy, policy_id HAVING sum(b) > 0),
named AS (
	SELECT policy_id, CASE name WHEN 'fcfs' THEN 'FCFS' WHEN 'rm' THEN 'RM' WHEN 'stgm' THEN 'STGM'
		WHEN 'sbeet' THEN 'sBEET' ELSE name END || options AS series
	FROM policy_name),
squared AS (SELECT *, max(0, aa - 2 * ratio * ab + ratio * ratio * bb) / b / b AS v FROM summed)
SELECT l.name || CASE WHEN :swap = 'no' THEN '' WHEN w.swap = 'yes' THEN ', exchanged' ELSE ', as printed' END AS panel,
	n.series,
	w.heavy AS x, w.ratio AS y, max(0, w.ratio - 1.96 * q.root) AS low, w.ratio + 1.96 * q.root AS high
FROM squared w JOIN root q USING (v) JOIN platform l USING (platform_id) JOIN named n USING (policy_id)
WHERE (:platform IS NULL OR l.name = :platform)
ORDER BY w.swap, l.platform_id, w.policy_id, w.heavy;

-- name: sbeet-fig10
-- title: sBEET's Fig. 10: energy of sbeet and STGM on sets that STGM accepts (error bars: 1.96 standard errors)
-- param: platform - name of the platform
-- param: kernels = 100% - times of the kernels, of those measured: 25%, 100% or 400%
-- param: stgm = own - reading of STGM: its test with own or shared SMs; or utilisation only, by allocation or mean
-- with: root
-- chart: bars
-- x: tasks of a set
-- y: energy, STGM = 1
-- y-range: 0:1.1
-- line: 1
-- columns: 3
-- nothing: the recording is not of this figure's campaign, or has nothing for these -P: cegsim sweep scenarios/campaigns/sbeet-fig10.yaml -o fig10.db
WITH
stgm AS (
	SELECT min(policy_id) AS policy_id FROM policy
	WHERE name = 'stgm' AND :stgm = CASE WHEN json_extract(params, '$.test') = 'utilization'
			THEN json_extract(params, '$.accept')
		WHEN json_extract(params, '$.exclusive') THEN 'own' ELSE 'shared' END),
part AS (
	SELECT r.platform_id, s.task_count AS tasks, p.name AS policy, r.energy_uj / 1e6 AS a, g.energy_uj / 1e6 AS b
	FROM run g JOIN run r ON r.taskset_id = g.taskset_id AND r.platform_id = g.platform_id
			AND r.replication = g.replication AND r.setup_digest = g.setup_digest
		JOIN policy p ON p.policy_id = r.policy_id JOIN taskset s ON s.taskset_id = g.taskset_id
	WHERE g.policy_id = (SELECT policy_id FROM stgm) AND (r.run_id = g.run_id
			OR r.policy_id = (SELECT min(policy_id) FROM policy WHERE name = 'sbeet'))
		AND g.status = 'ok' AND r.status = 'ok' AND json_extract(s.recipe, '$.options.mode') = 'periods'
		AND json_extract(s.recipe, '$.options.kernel_times') = :kernels
		AND EXISTS (SELECT 1 FROM run_task a WHERE a.run_id = g.run_id AND a.sms > 0)),
summed AS (
	SELECT platform_id, tasks, policy, sum(a) / sum(b) AS ratio, sum(b) AS b, sum(a * a) AS aa, sum(a * b) AS ab,
		sum(b * b) AS bb
	FROM part GROUP BY platform_id, tasks, policy HAVING sum(b) > 0),
squared AS (SELECT *, max(0, aa - 2 * ratio * ab + ratio * ratio * bb) / b / b AS v FROM summed)
SELECT l.name AS panel, CASE w.policy WHEN 'stgm' THEN 'STGM' ELSE 'sBEET' END AS series, w.tasks AS "group",
	w.ratio AS y, w.ratio - 1.96 * q.root AS low, w.ratio + 1.96 * q.root AS high
FROM squared w JOIN root q USING (v) JOIN platform l USING (platform_id)
WHERE (:platform IS NULL OR l.name = :platform)
ORDER BY w.policy DESC, w.tasks, l.platform_id;
