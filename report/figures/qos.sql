-- report/figures/qos.sql - the figures of Wang, Yang, Melhem, Childers, Zhang, Guo, "Quality of service support for
-- fine-grained sharing on GPUs", ISCA 2017, from the campaigns of the same names (docs/paper-figures.md).
--
-- Series have the paper's names; "Naïve + history" is its "Naïve Allocation with History-based Adjustment", naive and smk
-- are ours. Options follow where a manager's differ in the recording, but for those that are true. A case is a run of
-- kernels of which some have a goal; it reaches it if all of these do. Means have +-1.96 standard errors, shares Wilson's
-- interval; the square roots are Newton's, as not every SQLite has sqrt().

-- name: qos-fig5
-- title: QoS's Fig. 5: how many pairs miss their goal, by how far below it the kernel stays
-- param: manager = history - of which manager; all for each
-- param: platform - name of the platform
-- with: manager_name qos_kernel
-- chart: bars
-- x: below the goal (%)
-- y: cases
-- panel: 3.6 x 1.8
-- nothing: no pairs with goals under spart and history in this recording; the campaign qos-fig6a has them
WITH
run_case AS (
	SELECT manager, series, place,
		max(CASE WHEN goal_ppm > 0 THEN 100 - 100.0 * ipc_ppm / goal_ppm END) AS missed
	FROM qos_kernel
	WHERE sharers = 'pairs' AND goals = 1 AND sub_cores = 4
	GROUP BY run_id),
compared AS (SELECT * FROM run_case WHERE EXISTS (SELECT 1 FROM run_case WHERE manager = 'spart')),
bin (bin_place, bin, above, upto) AS (
	VALUES (1, '0 - 1', 0, 1), (2, '1 - 5', 1, 5), (3, '5 - 10', 5, 10), (4, '10 - 20', 10, 20), (5, 'over 20', 20, 1000))
SELECT series, bin AS "group", sum(missed > above AND missed <= upto) AS y
FROM compared JOIN bin WHERE :manager = 'all' OR manager = :manager
GROUP BY place, series, bin_place ORDER BY place, series, bin_place;

-- name: qos-fig6a
-- title: QoS's Fig. 6a: pairs that reach their goals over the goal, by manager, with Wilson's 95 % intervals
-- param: managers = all - which ones, with commas; all for all
-- param: against = spart - a manager that must have run
-- param: sharers = pairs - pairs or trios
-- param: goals = 1 - kernels with a goal
-- param: sub_cores = 4 - warp schedulers of an SM
-- param: platform - name of the platform
-- with: manager_name qos_kernel wilson
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: QoSreach (% of the cases)
-- y-range: 0:103
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals under spart and the other managers in this recording; the campaign qos-fig6a has them
WITH
run_case AS (
	SELECT manager, series, place, min(CASE WHEN goal_ppm IS NOT NULL THEN reached END) AS reached,
		min(goal_share_ppm) / 1e4 AS goal
	FROM qos_kernel
	WHERE (:sharers IS NULL OR sharers = :sharers) AND (:goals IS NULL OR goals = :goals)
		AND (:sub_cores IS NULL OR sub_cores = :sub_cores)
	GROUP BY run_id),
compared AS (
	SELECT * FROM run_case
	WHERE (:managers = 'all' OR instr(',' || :managers || ',', ',' || manager || ','))
		AND EXISTS (SELECT 1 FROM run_case WHERE manager = :against)),
counted AS (
	SELECT series, place, goal, count(*) AS n, sum(reached) AS k FROM compared GROUP BY place, series, goal
	UNION ALL SELECT series, place, NULL, count(*), sum(reached) FROM compared GROUP BY place, series)
SELECT series, coalesce(CAST(goal AS INTEGER) || CASE :goals WHEN 2 THEN '+' || CAST(goal AS INTEGER) ELSE '' END,
	'mean') AS "group",
	100.0 * k / n AS y,
	100 * low AS low, 100 * high AS high
FROM counted JOIN wilson USING (k, n) ORDER BY goal IS NULL, goal, place, series;

-- name: qos-fig6b
-- title: QoS's Fig. 6b: trios that reach the goal of one kernel, with Wilson's 95 % intervals
-- sql: qos-fig6a
-- param: managers = spart,rollover - which ones, with commas; all for all
-- param: against = spart - a manager that must have run
-- param: sharers = trios - pairs or trios
-- param: goals = 1 - kernels with a goal
-- param: sub_cores = 4 - warp schedulers of an SM
-- param: platform - name of the platform
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: QoSreach (% of the cases)
-- y-range: 0:103
-- panel: 6.2 x 1.8
-- nothing: no trios with one goal under rollover and spart in this recording; the campaign qos-fig6b has them

-- name: qos-fig6c
-- title: QoS's Fig. 6c: trios that reach the goals of two kernels, with Wilson's 95 % intervals
-- sql: qos-fig6a
-- param: managers = spart,rollover - which ones, with commas; all for all
-- param: against = spart - a manager that must have run
-- param: sharers = trios - pairs or trios
-- param: goals = 2 - kernels with a goal
-- param: sub_cores = 4 - warp schedulers of an SM
-- param: platform - name of the platform
-- chart: bars
-- x: goals of both kernels (% of their IPC alone)
-- y: QoSreach (% of the cases)
-- y-range: 0:103
-- panel: 6.2 x 1.8
-- nothing: no trios with two goals under rollover and spart in this recording; the campaign qos-fig6c has them

-- name: qos-fig7
-- title: QoS's Fig. 7: pairs that reach their goals, by the kernel with the goal and by class, with Wilson's 95 % intervals
-- param: platform - name of the platform
-- with: manager_name qos_kernel wilson
-- chart: bars
-- x: kernel with the goal; classes of both kernels (C: compute-, M: memory-intensive)
-- y: QoSreach (% of the cases)
-- y-range: 0:103
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals under rollover and spart in this recording; the campaign qos-fig6a has them
WITH
class (name, class) AS (
	VALUES ('cutcp', 'C'), ('histo', 'M'), ('lbm', 'M'), ('mri-gridding', 'C'), ('mri-q', 'C'), ('sad', 'M'),
		('sgemm', 'C'), ('spmv', 'M'), ('stencil', 'M'), ('tpacf', 'C')),
pair_class AS (
	SELECT t.taskset_id, min(c.class) || '+' || max(c.class) AS classes
	FROM task t JOIN class c USING (name) GROUP BY t.taskset_id),
run_case AS (
	SELECT manager, series, place, taskset_id, min(CASE WHEN goal_ppm IS NOT NULL THEN reached END) AS reached,
		max(CASE WHEN goal_ppm IS NOT NULL THEN (SELECT t.name FROM task t WHERE t.task_id = qos_kernel.task_id) END) AS kernel
	FROM qos_kernel
	WHERE sharers = 'pairs' AND goals = 1 AND sub_cores = 4
		AND manager IN ('spart', 'rollover')
	GROUP BY run_id),
compared AS (SELECT * FROM run_case WHERE EXISTS (SELECT 1 FROM run_case WHERE manager = 'spart')),
counted AS (
	SELECT 1 AS part, kernel, series, place, count(*) AS n, sum(reached) AS k FROM compared GROUP BY kernel, place, series
	UNION ALL SELECT 2, classes, series, place, count(*), sum(reached)
		FROM compared JOIN pair_class USING (taskset_id) GROUP BY classes, place, series
	UNION ALL SELECT 3, 'mean', series, place, count(*), sum(reached) FROM compared GROUP BY place, series)
SELECT series, kernel AS "group", 100.0 * k / n AS y,
	100 * low AS low, 100 * high AS high
FROM counted JOIN wilson USING (k, n) ORDER BY part, kernel, place, series;

-- name: qos-fig8
-- title: QoS's Fig. 8: IPC of kernels without a goal as a share of that alone, in cases that reach their goals
-- param: managers = spart,rollover - which ones, with commas; all for all
-- param: against = spart - a manager that must have run
-- param: sharers - pairs or trios; default: both
-- param: goals - kernels with a goal; default: any number
-- param: sub_cores = 4 - warp schedulers of an SM
-- param: platform - name of the platform
-- with: manager_name qos_kernel root
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: IPC / IPC alone (± 1.96 std. err.)
-- columns: 1
-- panel: 6.2 x 1.8
-- nothing: no pairs or trios with goals under rollover and spart in this recording; campaigns qos-fig6a, -fig6b and -fig6c have them
WITH
run_case AS (
	SELECT manager, series, place, min(CASE WHEN goal_ppm IS NOT NULL THEN reached END) AS reached,
		min(goal_share_ppm) / 1e4 AS goal,
		avg(CASE WHEN goal_ppm IS NULL THEN 1.0 * ipc_ppm / nullif(alone_ppm, 0) END) AS others,
		CASE WHEN :sharers IS NOT NULL THEN '' WHEN sharers = 'pairs' THEN '(a) pairs'
			WHEN goals = 1 THEN '(b) trios, one kernel with a goal'
			ELSE '(c) trios, two kernels with a goal' END AS panel
	FROM qos_kernel
	WHERE (:sharers IS NULL OR sharers = :sharers) AND (:goals IS NULL OR goals = :goals)
		AND (:sub_cores IS NULL OR sub_cores = :sub_cores)
	GROUP BY run_id),
compared AS (
	SELECT * FROM run_case
	WHERE (:managers = 'all' OR instr(',' || :managers || ',', ',' || manager || ','))
		AND EXISTS (SELECT 1 FROM run_case WHERE manager = :against)),
successes AS (SELECT *, CASE WHEN reached THEN others END AS y FROM compared),
summed AS (
	SELECT panel, series, place, goal, count(y) AS n, sum(y) AS sum_y, sum(y * y) AS sum_yy
	FROM successes GROUP BY panel, place, series, goal
	UNION ALL SELECT panel, series, place, NULL, count(y), sum(y), sum(y * y) FROM successes GROUP BY panel, place, series),
squared AS (
	SELECT *, sum_y / n AS y, max(0.0, sum_yy - sum_y * sum_y / n) / nullif(n - 1, 0) / n AS v
	FROM summed)
SELECT panel, series, coalesce(CAST(goal AS INTEGER), 'mean') AS "group", y, y - 1.96 * root AS low, y + 1.96 * root AS high
FROM squared LEFT JOIN root USING (v) ORDER BY panel, goal IS NULL, goal, place, series;

-- name: qos-fig9
-- title: QoS's Fig. 9: IPC of kernels with a goal in units of the goal, in pairs that reach it
-- param: platform - name of the platform
-- with: manager_name qos_kernel root
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: IPC / goal (± 1.96 std. err.)
-- line: 1
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals under rollover and spart in this recording; the campaign qos-fig6a has them
WITH
run_case AS (
	SELECT manager, series, place, min(CASE WHEN goal_ppm IS NOT NULL THEN reached END) AS reached,
		min(goal_share_ppm) / 1e4 AS goal, min(CASE WHEN goal_ppm > 0 THEN 1.0 * ipc_ppm / goal_ppm END) AS times
	FROM qos_kernel
	WHERE sharers = 'pairs' AND goals = 1 AND sub_cores = 4
		AND manager IN ('spart', 'rollover')
	GROUP BY run_id),
compared AS (SELECT * FROM run_case WHERE EXISTS (SELECT 1 FROM run_case WHERE manager = 'spart')),
successes AS (SELECT *, CASE WHEN reached THEN times END AS y FROM compared),
summed AS (
	SELECT series, place, goal, count(y) AS n, sum(y) AS sum_y, sum(y * y) AS sum_yy
	FROM successes GROUP BY place, series, goal
	UNION ALL SELECT series, place, NULL, count(y), sum(y), sum(y * y) FROM successes GROUP BY place, series),
squared AS (
	SELECT *, sum_y / n AS y, max(0.0, sum_yy - sum_y * sum_y / n) / nullif(n - 1, 0) / n AS v
	FROM summed)
SELECT series, coalesce(CAST(goal AS INTEGER), 'mean') AS "group", y, y - 1.96 * root AS low, y + 1.96 * root AS high
FROM squared LEFT JOIN root USING (v) ORDER BY goal IS NULL, goal, place, series;

-- name: qos-fig10
-- title: QoS's Fig. 10: pairs that reach their goals under Rollover and Rollover-Time, with Wilson's 95 % intervals
-- sql: qos-fig6a
-- param: managers = rollover-time,rollover - which ones, with commas; all for all
-- param: against = rollover-time - a manager that must have run
-- param: sharers = pairs - pairs or trios
-- param: goals = 1 - kernels with a goal
-- param: sub_cores = 4 - warp schedulers of an SM
-- param: platform - name of the platform
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: QoSreach (% of the cases)
-- y-range: 0:103
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals under rollover and rollover-time in this recording; the campaign qos-fig6a has them

-- name: qos-fig11
-- title: QoS's Fig. 11: IPC of kernels without a goal as a share of that alone under Rollover and Rollover-Time
-- sql: qos-fig8
-- param: managers = rollover-time,rollover - which ones, with commas; all for all
-- param: against = rollover-time - a manager that must have run
-- param: sharers = pairs - pairs or trios
-- param: goals = 1 - kernels with a goal
-- param: sub_cores = 4 - warp schedulers of an SM
-- param: platform - name of the platform
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: IPC / IPC alone (± 1.96 std. err.)
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals under rollover and rollover-time in this recording; the campaign qos-fig6a has them

-- name: qos-fig12
-- title: QoS's Fig. 12: pairs that reach their goals on more SMs with two warp schedulers, with Wilson's 95 % intervals
-- sql: qos-fig6a
-- param: managers = spart,rollover - which ones, with commas; all for all
-- param: against = spart - a manager that must have run
-- param: sharers = pairs - pairs or trios
-- param: goals = 1 - kernels with a goal
-- param: sub_cores = 2 - warp schedulers of an SM
-- param: platform - name of the platform
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: QoSreach (% of the cases)
-- y-range: 0:103
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals on SMs with two warp schedulers in this recording; the campaign qos-fig12 has them

-- name: qos-fig13
-- title: QoS's Fig. 13: IPC of kernels without a goal as a share of that alone on more SMs with two warp schedulers
-- sql: qos-fig8
-- param: managers = spart,rollover - which ones, with commas; all for all
-- param: against = spart - a manager that must have run
-- param: sharers = pairs - pairs or trios
-- param: goals = 1 - kernels with a goal
-- param: sub_cores = 2 - warp schedulers of an SM
-- param: platform - name of the platform
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: IPC / IPC alone (± 1.96 std. err.)
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals on SMs with two warp schedulers in this recording; the campaign qos-fig12 has them

-- name: qos-fig14
-- title: QoS's Fig. 14: thread instructions per joule of Rollover against Spart on the same pairs
-- param: platform - name of the platform
-- with: manager_name qos_kernel root
-- chart: bars
-- x: goal (% of the kernel's IPC alone)
-- y: more than Spart (%, ± 1.96 std. err.)
-- panel: 6.2 x 1.8
-- nothing: no pairs with goals under rollover and spart in this recording; the campaign qos-fig6a has them
WITH
run_case AS (
	SELECT manager, series, place, taskset_id, platform_id, replication, setup_digest,
		(SELECT json_extract(p.params, '$.swap') FROM policy p WHERE p.policy_id = qos_kernel.policy_id) AS swap,
		min(goal_share_ppm) / 1e4 AS goal,
		sum(thread_instructions) / (energy_uj * 1e-6) AS per_joule
	FROM qos_kernel
	WHERE sharers = 'pairs' AND goals = 1 AND sub_cores = 4
		AND manager IN ('spart', 'rollover') AND energy_uj > 0
	GROUP BY run_id),
paired AS (
	SELECT o.series, o.goal, 100 * o.per_joule / b.per_joule - 100 AS more
	FROM run_case o JOIN run_case b USING (taskset_id, platform_id, replication, setup_digest, swap)
	WHERE o.manager = 'rollover' AND b.manager = 'spart'),
summed AS (
	SELECT series, goal, count(*) AS n, sum(more) AS sum_y, sum(more * more) AS sum_yy FROM paired GROUP BY series, goal
	UNION ALL SELECT series, NULL, count(*), sum(more), sum(more * more) FROM paired GROUP BY series),
squared AS (
	SELECT *, sum_y / n AS y, max(0.0, sum_yy - sum_y * sum_y / n) / nullif(n - 1, 0) / n AS v
	FROM summed)
SELECT series, coalesce(CAST(goal AS INTEGER), 'mean') AS "group", y, y - 1.96 * root AS low, y + 1.96 * root AS high
FROM squared LEFT JOIN root USING (v) ORDER BY goal IS NULL, goal, series;

-- name: qos-swaps
-- title: QoS's section 4.8: what history, moving blocks and the cost of swaps do to Rollover's reach and the others' throughput
-- paper: QoS
-- param: manager = rollover - of which manager; history is the paper's Naïve
-- param: platform - name of the platform
-- with: manager_name root
-- chart: bars
-- y: % (± 1.96 std. err.)
-- columns: 3
-- panel: 1.9 x 1.8
-- nothing: no pairs under this manager with options switched off in this recording; the campaign qos-ablations has them
WITH
variant (history, adjust, swap, place, variant) AS (VALUES (1, 1, 'memory', 1, NULL), (0, 1, 'memory', 2, 'no history'),
	(1, 0, 'memory', 3, 'blocks stay'), (1, 1, 'free', 4, 'swaps are free')),
run_case AS (
	SELECT r.run_id, r.taskset_id, r.platform_id, r.replication, r.setup_digest, v.place, m.series,
		coalesce(v.variant, m.series) AS variant,
		min(CASE WHEN k.goal_ppm IS NOT NULL THEN k.reached END) AS reached,
		avg(CASE WHEN k.goal_ppm IS NULL THEN 1.0 * k.ipc_ppm / nullif(k.alone_ppm, 0) END) AS others
	FROM run r JOIN taskset s USING (taskset_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
		JOIN variant v ON v.history = json_extract(p.params, '$.history') AND v.adjust = json_extract(p.params, '$.adjust')
			AND v.swap = json_extract(p.params, '$.swap') AND coalesce(json_extract(p.params, '$.adjust_margin'), '0%') = '0%'
		JOIN scheme m ON m.manager = :manager
		JOIN run_warp_kernel k USING (run_id)
	WHERE r.status = 'ok' AND (:platform IS NULL OR l.name = :platform) AND json_extract(s.recipe, '$.recipe') = 'qos-mixes'
		AND json_extract(p.params, '$.manager') = :manager
	GROUP BY r.run_id HAVING count(k.goal_ppm) > 0),
paired AS (
	SELECT c.*, c.reached AND b.reached AS both, b.others AS base
	FROM run_case c LEFT JOIN run_case b ON b.taskset_id = c.taskset_id AND b.platform_id = c.platform_id
		AND b.replication = c.replication AND b.setup_digest = c.setup_digest AND b.place = 1
	WHERE EXISTS (SELECT 1 FROM run_case WHERE place = 1) AND EXISTS (SELECT 1 FROM run_case WHERE place > 1)),
squared AS (
	SELECT 1 AS panel_place, 'cases that reach their goals' AS panel, place, variant, 100.0 * sum(reached) / count(*) AS y,
		count(*) AS n, sum(reached) AS k, 1.0 * sum(reached) * (count(*) - sum(reached)) / count(*) + 0.9604 AS v
	FROM paired GROUP BY place
	UNION ALL SELECT 2, 'others'' IPC, of that alone', place, variant, 100 * avg(others), count(*), NULL,
		max(0.0, avg(others * others) - avg(others) * avg(others)) / nullif(count(*) - 1, 0)
	FROM paired WHERE reached GROUP BY place
	UNION ALL SELECT 3, 'others'' IPC, more than ' || series, place, variant,
		100 * sum(both * others) / nullif(sum(both * base), 0) - 100, NULL, NULL, NULL
	FROM paired WHERE place > 1 GROUP BY place)
SELECT panel, variant AS "group", y,
	CASE panel_place WHEN 1 THEN CASE k WHEN 0 THEN 0.0 ELSE 100 * (k + 1.9208 - 1.96 * root) / (n + 3.8416) END
		ELSE y - 196 * root END AS low,
	CASE panel_place WHEN 1 THEN CASE k WHEN n THEN 100.0 ELSE 100 * (k + 1.9208 + 1.96 * root) / (n + 3.8416) END
		ELSE y + 196 * root END AS high
FROM squared LEFT JOIN root USING (v) ORDER BY panel_place, place;
