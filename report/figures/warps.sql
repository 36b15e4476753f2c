-- report/figures/warps.sql - figures of kernels of warps, and those of the QAWS paper (qos.sql has those of the QoS paper),
-- from the campaigns of the same names.
--
-- A policy is named with its manager, where that is not smk, and with the options in which policies of that name and
-- manager differ in the recording, but for those that are true.

-- name: issue-strip
-- title: which warp of a sub-core is issued in each cycle, and when its result is there, run by run (QAWS's Fig. 3)
-- level: issues, warps
-- param: run - only this run
-- param: sm = 0 - the SM
-- param: sub_core = 0 - the sub-core
-- param: from = 0 - the first cycle
-- param: cycles = 80 - how many
-- with: warp_policy_name
-- drawn: issue-strip
-- x: cycle
-- y: warp (block:warp)
-- nothing: no instruction of that sub-core in those cycles; the level `issues` records them (--record issues)
WITH
issue AS (
	SELECT i.*, t.name || CASE i.seq WHEN 0 THEN '' ELSE ' #' || i.seq END || ' ' || i.block || ':' || i.warp AS row,
		t.name AS kernel, r.policy_id, min(r.cycles, :from + :cycles) AS last
	FROM warp_issue i JOIN run r USING (run_id) JOIN task t USING (task_id)
	WHERE (:run IS NULL OR i.run_id = :run) AND i.place = :sm * 8 + :sub_core AND i.cycle < :from + :cycles
		AND (i.cycle >= :from OR i.cycle + i.latency_cycles > :from))
SELECT i.run_id AS run, n.label AS panel, i.row, i.kernel, i.cycle,
	i.cycle + coalesce(i.latency_cycles, 0) AS until, i.number, i.last
FROM issue i JOIN named n USING (policy_id)
ORDER BY i.run_id, i.task_id, i.seq, i.block, i.warp, i.cycle;

-- name: qaws-fig3
-- title: QAWS's Fig. 3: four warps of two kernels on a sub-core under GTO, LRR and QAWS, instruction by instruction
-- level: issues, warps
-- param: from = 0 - the first cycle
-- param: cycles = 40 - how many
-- drawn: issue-strip
-- x: cycle
-- y: warp
-- nothing: this is no recording of scenarios/papers/qaws-fig3.yaml (cegsim run qaws-fig3.yaml -o FILE.db has one)
WITH
chosen AS (
	SELECT r.run_id, r.cycles, r.taskset_id, p.name, json_extract(p.params, '$.budgets[1]') AS budget,
		row_number() OVER (ORDER BY p.name <> 'gto', p.name <> 'lrr', json_extract(p.params, '$.budgets[1]')) AS place
	FROM run r JOIN policy p USING (policy_id) JOIN taskset s USING (taskset_id)
	WHERE s.name = 'qaws-fig3' AND r.status = 'ok'),
ended AS (
	SELECT c.run_id, (SELECT group_concat(name || ' until cycle ' || cycle, ', ') FROM (
		SELECT t.name, w.launch_cycle + a.max_response_ns * m.clock_hz / 1000000000 AS cycle
		FROM run_task a JOIN task t USING (task_id) JOIN warp_kernel w USING (task_id)
			JOIN warp_machine m ON m.taskset_id = t.taskset_id
		WHERE a.run_id = c.run_id ORDER BY t.task_idx)) AS responses
	FROM chosen c)
SELECT i.run_id AS run, '(' || char(96 + c.place) || ') ' || upper(c.name) || coalesce(', budgets 1 and ' || c.budget, '')
		|| ': ' || e.responses AS panel,
	'w' || (dense_rank() OVER (PARTITION BY i.run_id ORDER BY i.task_id, i.seq, i.block, i.warp) - 1) AS row,
	t.name AS kernel, i.cycle, i.cycle + coalesce(i.latency_cycles, 0) AS until, i.number,
	min(c.cycles, :from + :cycles) AS last
FROM warp_issue i JOIN chosen c USING (run_id) JOIN ended e USING (run_id) JOIN task t USING (task_id)
WHERE i.place = 0 AND i.cycle < :from + :cycles AND (i.cycle >= :from OR i.cycle + i.latency_cycles > :from)
ORDER BY c.place, i.task_id, i.seq, i.block, i.warp, i.cycle;

-- name: stalls
-- title: where the cycles of the sub-cores went: shares of the reasons, of all runs of a policy or of one run
-- level: summary, warps
-- param: run - only this run
-- param: platform - name of the platform
-- with: warp_policy_name
-- chart: stacks
-- y: share of the sub-cores' cycles (%)
-- y-range: 0:100
-- choose: groups
-- panel: 6.0 x 1.8
-- nothing: no such run with kernels of warps in this recording (scenarios/examples/warps.yaml has some)
WITH
summed AS (
	SELECT r.policy_id, s.platform, s.place, s.reason, sum(s.cycles) AS cycles, min(s.run_id) AS first
	FROM v_stalls s JOIN run r USING (run_id)
	WHERE (:run IS NULL OR s.run_id = :run) AND (:platform IS NULL OR s.platform = :platform)
	GROUP BY r.policy_id, s.platform, s.place, s.reason),
shared AS (
	SELECT *, 100.0 * cycles / nullif(sum(cycles) OVER (PARTITION BY policy_id, platform), 0) AS share,
		sum(cycles) OVER (PARTITION BY place) AS anywhere
	FROM summed)
SELECT s.platform AS panel, s.reason AS series, n.label AS "group", s.share AS y
FROM shared s JOIN named n USING (policy_id) WHERE s.anywhere > 0
ORDER BY s.platform, s.place, s.first;

-- name: epochs
-- title: IPC of kernels of warps epoch by epoch, with their goals and what the manager made of them, in one run
-- level: jobs, warps
-- param: run = 1 - the run
-- param: kernel - name of the kernel
-- chart: steps
-- x: time (thousand cycles)
-- y: IPC (thread instr. / cycle)
-- panel: 5.8 x 1.2
-- columns: 1
-- nothing: no epochs of such a run or kernel: runs of kernels of warps have them from level jobs on (--record jobs)
WITH
value AS (
	SELECT task_id, kernel, start_cycle, end_cycle, 1 AS place, 'IPC' AS series, ipc AS y FROM v_epoch WHERE run_id = :run
	UNION ALL SELECT task_id, kernel, start_cycle, end_cycle, 2, 'goal', goal_ipc FROM v_epoch WHERE run_id = :run
	UNION ALL SELECT task_id, kernel, start_cycle, end_cycle, 3, 'adjusted goal', adjusted_goal_ipc
		FROM v_epoch WHERE run_id = :run
	UNION ALL SELECT task_id, kernel, start_cycle, end_cycle, 4, 'IPC since the start', history_ipc
		FROM v_epoch WHERE run_id = :run),
known AS (
	SELECT *, max(y) OVER (PARTITION BY task_id, place) AS known, max(end_cycle) OVER (PARTITION BY task_id, place) AS finish
	FROM value WHERE :kernel IS NULL OR kernel = :kernel),
edge AS (
	SELECT task_id, kernel, place, series, start_cycle AS cycle, y FROM known WHERE known IS NOT NULL
	UNION ALL SELECT task_id, kernel, place, series, end_cycle, y FROM known WHERE known IS NOT NULL AND end_cycle = finish)
SELECT kernel AS panel, series, cycle / 1e3 AS x, y FROM edge ORDER BY task_id, place, cycle;

-- name: warps
-- title: kernels of warps side by side: IPC alone, goal and IPC of each kernel by policy, of one task set
-- level: summary, warps
-- param: taskset = 1 - number of the task set
-- with: warp_policy_name
-- chart: bars
-- y: IPC (thread instr. / cycle)
-- columns: 2
-- panel: 3.05 x 1.3
-- nothing: no kernels of warps in that task set of this recording (scenarios/examples/warps.yaml has some)
WITH
value AS (
	SELECT run_id, task_id, platform, kernel, 1 AS place, 'alone' AS series, alone_ipc AS y FROM v_warp_kernel
		WHERE taskset_id = :taskset
	UNION ALL SELECT run_id, task_id, platform, kernel, 2, 'goal', goal_ipc FROM v_warp_kernel WHERE taskset_id = :taskset
	UNION ALL SELECT run_id, task_id, platform, kernel, 3, 'with the others', ipc FROM v_warp_kernel
		WHERE taskset_id = :taskset),
known AS (
	SELECT *, max(y) OVER (PARTITION BY place) AS known,
		(SELECT count(DISTINCT platform) FROM v_warp_kernel WHERE taskset_id = :taskset) AS platforms
	FROM value)
SELECT CASE WHEN k.platforms > 1 THEN k.platform || ', ' ELSE '' END || n.label AS panel, k.series, k.kernel AS "group", k.y
FROM known k JOIN run r USING (run_id) JOIN named n USING (policy_id) WHERE k.known IS NOT NULL
ORDER BY k.run_id, k.place, k.task_id;

-- name: warp-kernels
-- title: IPC of kernels of warps that ran alone, by platform and policy (campaigns qaws-alone and qos-alone)
-- param: platform - name of the platform
-- with: warp_policy_name
-- chart: bars
-- y: IPC (thread instr. / cycle)
-- panel: 3.0 x 1.6
-- columns: 2
-- nothing: no kernel of warps ran alone in this recording; the campaigns qaws-alone and qos-alone have such runs
SELECT l.name AS panel, n.label AS series, t.name AS "group", k.ipc_ppm / 1e6 AS y
FROM run r JOIN named n USING (policy_id) JOIN platform l USING (platform_id) JOIN taskset s USING (taskset_id)
	JOIN run_warp_kernel k USING (run_id) JOIN task t USING (task_id)
WHERE s.task_count = 1 AND r.status = 'ok' AND k.cycles > 0 AND (:platform IS NULL OR l.name = :platform)
ORDER BY l.sms, l.name, r.taskset_id, n.label, r.run_id;

-- name: warp-kernels-stalls
-- title: where the cycles of the sub-cores went for kernels of warps that ran alone (campaigns qaws-alone and qos-alone)
-- param: platform - name of the platform
-- with: warp_policy_name
-- chart: stacks
-- y: share of the sub-cores' cycles (%)
-- y-range: 0:100
-- panel: 3.05 x 1.5
-- columns: 2
-- nothing: no kernel of warps ran alone in this recording; the campaigns qaws-alone and qos-alone have such runs
WITH
alone AS (
	SELECT l.name AS platform, l.sms, n.label, s.taskset_id, t.name AS kernel, v.place, v.reason, 100 * v.share AS share,
		sum(v.cycles) OVER (PARTITION BY v.place) AS anywhere
	FROM run r JOIN named n USING (policy_id) JOIN platform l USING (platform_id) JOIN taskset s USING (taskset_id)
		JOIN v_stalls v USING (run_id) JOIN run_warp_kernel k USING (run_id) JOIN task t USING (task_id)
	WHERE s.task_count = 1 AND r.status = 'ok' AND k.cycles > 0 AND (:platform IS NULL OR l.name = :platform))
SELECT platform || ', ' || label AS panel, reason AS series, kernel AS "group", share AS y
FROM alone WHERE anywhere > 0 ORDER BY sms, platform, label, place, taskset_id;

-- name: qaws-fig4a
-- title: QAWS's Fig. 4a: responses of pairs of equal kernels under LRR, GTO and QAWS (its budgets that are best for K2)
-- param: platform - name of the platform
-- fixed: mix = homogeneous
-- chart: bars
-- y: ratio to LRR
-- line: 1
-- columns: 2
-- panel: 3.05 x 1.3
-- nothing: no pairs of equal kernels under lrr, gto and qaws in this recording; the campaign qaws-fig4a has them
WITH
pair AS (
	SELECT r.taskset_id, r.platform_id, s.name AS pair, json_remove(s.recipe, '$.options.delay') || s.name AS same,
		p.name AS policy, json_extract(p.params, '$.budgets') AS budgets,
		min(CASE t.task_idx WHEN 0 THEN a.max_response_ns END) AS k1,
		min(CASE t.task_idx WHEN 1 THEN a.max_response_ns END) AS k2,
		min(CASE t.task_idx WHEN 1 THEN t.offset_ns END) AS launched
	FROM run r JOIN policy p USING (policy_id) JOIN taskset s USING (taskset_id) JOIN platform l USING (platform_id)
		JOIN run_task a USING (run_id) JOIN task t ON t.task_id = a.task_id
	WHERE r.status = 'ok' AND p.name IN ('lrr', 'gto', 'qaws') AND (:platform IS NULL OR l.name = :platform)
		AND json_extract(s.recipe, '$.recipe') = 'qaws-pairs' AND json_extract(s.recipe, '$.options.mix') = :mix
	GROUP BY r.run_id),
-- K2 comes when K1 has ended: each is alone.
named AS (
	SELECT taskset_id, platform_id, pair, same, budgets, k1, k2,
		CASE WHEN launched < k1 THEN policy WHEN policy = 'lrr' THEN 'serial' END AS policy FROM pair),
ranked AS (
	SELECT *, row_number() OVER (PARTITION BY same, platform_id, policy ORDER BY k2, k1, budgets) AS place
	FROM named WHERE policy IS NOT NULL),
normalised AS (
	SELECT b.taskset_id, n.pair, n.policy, 1.0 * n.k1 / b.k1 AS k1, 1.0 * n.k2 / b.k1 AS k2,
		1.0 * b.k2 / n.k2 AS speed_up, 1.0 * (n.k1 + n.k2) / (b.k1 + b.k2) AS mean
	FROM ranked n JOIN ranked b USING (same, platform_id)
	WHERE n.place = 1 AND b.place = 1 AND b.policy = 'lrr'),
everything AS (
	SELECT * FROM normalised
	UNION ALL SELECT NULL, 'mean', policy, avg(k1), avg(k2), avg(speed_up), avg(mean) FROM normalised GROUP BY policy),
panel (panel_place, panel) AS (VALUES (1, 'response of K1 / that of K1 under LRR'),
	(2, 'response of K2 / that of K1 under LRR'), (3, 'speed-up of K2 against LRR'), (4, 'mean response of K1 and K2 / LRR''s'))
SELECT panel, upper(policy) AS series, pair AS "group",
	CASE panel_place WHEN 1 THEN k1 WHEN 2 THEN k2 WHEN 3 THEN speed_up ELSE mean END AS y
FROM everything JOIN panel WHERE policy <> 'serial' OR panel_place <= 2
ORDER BY panel_place, policy <> 'lrr', policy, taskset_id IS NULL, taskset_id;

-- name: qaws-fig4b
-- title: QAWS's Fig. 4b: responses of pairs of different kernels under LRR, GTO and QAWS (its budgets that are best for K2), and one after the other
-- param: platform - name of the platform
-- fixed: mix = heterogeneous
-- sql: qaws-fig4a
-- chart: bars
-- y: ratio to LRR
-- line: 1
-- columns: 2
-- panel: 3.05 x 1.3
-- nothing: no pairs of different kernels under lrr, gto and qaws in this recording; the campaign qaws-fig4b has them
