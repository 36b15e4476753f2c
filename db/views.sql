-- db/views.sql - the views: milliseconds, watts and joules, names instead of ids. docs/recording.md explains
-- them. v_bound_check stands in bound_check.sql.

CREATE VIEW v_run AS
SELECT r.run_id, c.name AS scenario, s.taskset_id, s.name AS taskset,
	s.target_utilisation_ppm / 1e6 AS target_utilisation,
	l.name AS platform, p.name AS policy, p.params, p.version AS policy_version, r.replication,
	r.set_number, r.seed,
	r.execution, r.on_miss, r.record, r.horizon_ns / 1e6 AS horizon_ms, r.stop_ns / 1e6 AS stop_ms,
	r.status, r.reason, t.name AS failing_task, r.jobs, r.misses,
	1.0 * r.misses / nullif(r.jobs, 0) AS miss_ratio,
	r.status = 'ok' AND r.misses = 0 AS schedulable,
	r.window_ns / 1e6 AS window_ms, r.energy_uj / 1e6 + r.energy_rest_uwns / 1e15 AS energy_j,
	(r.energy_uj + r.energy_rest_uwns / 1e9) * 1e3 / nullif(r.window_ns, 0) AS mean_power_w,
	r.events, r.wall_us / 1e3 AS wall_ms, r.events * 1e6 / nullif(r.wall_us, 0) AS events_per_s, r.digest
FROM run r JOIN scenario c USING (scenario_id) JOIN taskset s ON s.taskset_id = r.taskset_id
	JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)
	LEFT JOIN task t ON t.task_id = r.failing_task_id;

-- The response of a job that did not finish is only known from below (response_lower_ms): such a job never
-- makes a bound look safe.
CREATE VIEW v_job AS
SELECT j.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, j.task_id, t.name AS task,
	j.seq, j.release_ns / 1e6 AS release_ms, (j.abs_deadline_ns - t.deadline_ns) / 1e6 AS nominal_ms,
	j.first_start_ns / 1e6 AS first_start_ms,
	j.finish_ns / 1e6 AS finish_ms, j.abs_deadline_ns / 1e6 AS deadline_ms,
	j.response_ns / 1e6 AS response_ms,
	(coalesce(j.finish_ns, r.stop_ns) - j.release_ns) / 1e6 AS response_lower_ms,
	(j.finish_ns - j.abs_deadline_ns) / 1e6 AS lateness_ms,
	1.0 * j.response_ns / t.deadline_ns AS normalised_response, j.missed, j.state
FROM job j JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN task t ON t.task_id = j.task_id;

-- Segments by what they are called. The parts of an application, which are kernels of warps, are numbered.
CREATE VIEW v_segment AS
SELECT t.taskset_id, s.task_id, t.name AS task, s.segment_idx, s.kind,
	CASE WHEN s.form = 'warps' AND EXISTS (SELECT 1 FROM segment o WHERE o.task_id = s.task_id AND o.segment_idx = 1)
		THEN 'part ' || s.segment_idx ELSE s.name END AS name
FROM segment s JOIN task t ON t.task_id = s.task_id;

-- Runs of misses, job after job. A run of misses that ends with a job is as long as the jobs since the last one
-- in time. A task without a limit is looked at in windows of 10 jobs.
CREATE VIEW v_weakly_hard AS
WITH
missing AS (
	SELECT j.run_id, j.task_id, j.seq, j.outcome >> 2 AS missed, t.misses_at_most,
		coalesce(t.misses_in, 10) AS jobs_in,
		sum(j.outcome >> 2) OVER job_by_job AS so_far,
		j.seq - coalesce(max(CASE j.outcome >> 2 WHEN 0 THEN j.seq END) OVER job_by_job, -1) AS in_a_row,
		lag(j.outcome >> 2, 1, 0) OVER job_by_job AS before
	FROM job j JOIN task t ON t.task_id = j.task_id
	WINDOW job_by_job AS (PARTITION BY j.run_id, j.task_id ORDER BY j.seq)),
windows AS (
	SELECT *, so_far - lag(so_far, jobs_in, 0) OVER (PARTITION BY run_id, task_id ORDER BY seq) AS in_window
	FROM missing)
SELECT w.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, w.task_id, t.name AS task,
	count(*) AS jobs, sum(w.missed) AS misses, max(w.in_a_row) AS longest_run,
	1.0 * sum(w.missed AND w.before) / nullif(sum(w.missed), 0) AS share_behind_a_miss,
	w.jobs_in AS window, max(w.in_window) AS most_in_window, w.misses_at_most,
	max(w.in_window) <= w.misses_at_most AS kept
FROM windows w JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN task t ON t.task_id = w.task_id
GROUP BY w.run_id, w.task_id;

-- Ages and reactions. A chain without a limit has nothing to keep.
CREATE VIEW v_chain AS
SELECT c.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, c.chain_idx, n.name AS chain,
	(SELECT group_concat(s.name, ' > ') FROM (
		SELECT t.name FROM chain_task k JOIN task t ON t.taskset_id = k.taskset_id AND t.task_idx = k.member_idx
		WHERE k.taskset_id = r.taskset_id AND k.chain_idx = c.chain_idx ORDER BY k.stage) s) AS tasks,
	n.communication, n.sample, c.ages, c.min_age_ns / 1e6 AS min_age_ms, c.mean_age_ns / 1e6 AS mean_age_ms,
	c.max_age_ns / 1e6 AS max_age_ms, n.age_limit_ns / 1e6 AS age_limit_ms, c.age_first_seq, c.age_last_seq,
	c.reactions, c.min_reaction_ns / 1e6 AS min_reaction_ms, c.mean_reaction_ns / 1e6 AS mean_reaction_ms,
	c.max_reaction_ns / 1e6 AS max_reaction_ms, n.reaction_limit_ns / 1e6 AS reaction_limit_ms,
	c.reaction_first_seq, c.reaction_last_seq,
	CASE WHEN n.age_limit_ns IS NOT NULL OR n.reaction_limit_ns IS NOT NULL THEN
		coalesce(c.max_age_ns <= n.age_limit_ns, 1) AND coalesce(c.max_reaction_ns <= n.reaction_limit_ns, 1)
	END AS kept
FROM chain_run c JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN chain n ON n.taskset_id = r.taskset_id AND n.chain_idx = c.chain_idx;

-- A bound holds for periodic releases, or those that the tasks themselves say. What a truncated run did not come to
-- might be longer.
CREATE VIEW v_chain_check AS
WITH
met AS (
	SELECT r.run_id, r.status, r.release_kind, p.name AS policy, p.params, l.name AS platform, r.taskset_id,
		a.analysis_run_id, a.analysis, a.params AS analysis_params, a.safety, n.name AS chain, c.chain_idx,
		max(coalesce(c.max_age_ns, -1), coalesce(c.max_reaction_ns, -1)) AS observed_ns, b.bound_ns
	FROM chain_bound b JOIN analysis_run a USING (analysis_run_id)
		JOIN run r ON r.taskset_id = a.taskset_id AND r.platform_id = a.platform_id
			AND r.policy_id = a.policy_id
		JOIN chain_run c ON c.run_id = r.run_id AND c.chain_idx = b.chain_idx
		JOIN chain n ON n.taskset_id = r.taskset_id AND n.chain_idx = c.chain_idx
		JOIN policy p ON p.policy_id = r.policy_id JOIN platform l ON l.platform_id = r.platform_id)
SELECT run_id, policy, params, platform, taskset_id, analysis_run_id, analysis, analysis_params, safety, chain_idx,
	chain, nullif(observed_ns, -1) / 1e6 AS observed_ms, bound_ns / 1e6 AS bound_ms,
	1.0 * nullif(observed_ns, -1) / nullif(bound_ns, 0) AS tightness,
	CASE WHEN observed_ns < 0 OR bound_ns IS NULL OR release_kind <> 'periodic' THEN NULL
		WHEN observed_ns > bound_ns THEN 0 WHEN status = 'ok' THEN 1 END AS holds
FROM met;

CREATE VIEW v_task_response AS
SELECT a.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, r.status, a.task_id,
	t.name AS task, a.rank, a.sms, a.virtual_sms, a.sm_set, t.period_ns / 1e6 AS period_ms,
	t.deadline_ns / 1e6 AS relative_deadline_ms,
	a.jobs, a.misses, a.responses, a.min_response_ns / 1e6 AS min_ms, a.mean_response_ns / 1e6 AS mean_ms,
	a.max_response_ns / 1e6 AS max_ms, a.worst_lower_bound_ns / 1e6 AS lower_bound_ms,
	1.0 * a.max_response_ns / t.deadline_ns AS worst_normalised
FROM run_task a JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN task t ON t.task_id = a.task_id;

-- How many runs or verdicts of an analysis are schedulable, with Wilson's score interval (95 %) of a ratio k / n:
-- (k + z^2/2 -+ z sqrt(k(n-k)/n + z^2/4)) / (n + z^2), z = 1.96. Where sets were run several times with other draws,
-- n is the number of sets and k that share of it: runs of one set are not independent. The root: x = scale^2 * y with y in [1, 4), a
-- straight line for sqrt(y), three steps of Newton (relative error below 1e-13), since not every SQLite has
-- sqrt(). What asks for one kind pays for one kind: the constants are compared before anything is read.
CREATE VIEW v_accepted AS
WITH
part AS (
	SELECT 'run' AS kind, platform, policy, params, NULL AS analysis, NULL AS analysis_params, NULL AS safety,
		target_utilisation, count(*) AS n, sum(schedulable) AS k, count(DISTINCT taskset_id) AS sets,
		sum(status = 'refused') AS refused, sum(status = 'truncated') AS truncated
	FROM v_run WHERE status <> 'error' GROUP BY platform, policy, params, target_utilisation
	UNION ALL
	SELECT 'analysis', l.name, p.name, p.params, a.analysis, a.params, a.safety,
		s.target_utilisation_ppm / 1e6, count(*), sum(a.verdict = 'schedulable'), count(*),
		sum(a.verdict = 'refused'), 0
	FROM analysis_run a JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)
		JOIN taskset s USING (taskset_id)
	WHERE a.verdict <> 'error'
	GROUP BY l.name, p.name, p.params, a.analysis, a.params, a.safety, s.target_utilisation_ppm
	UNION ALL
	SELECT CASE WHEN q.analysis IS NULL THEN 'run' ELSE 'analysis' END, l.name, p.name, p.params, q.analysis,
		q.params, q.safety, g.target_utilisation_ppm / 1e6, c.n, c.k, c.sets, c.refused, c.truncated
	FROM tally c JOIN question q USING (question_id) JOIN grid_point g USING (point_id)
		JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)),
counted AS (
	SELECT kind, platform, policy, params, analysis, analysis_params, safety, target_utilisation, sum(n) AS n,
		sum(k) AS k, sum(sets) AS sets, sum(refused) AS refused, sum(truncated) AS truncated
	FROM part
	GROUP BY kind, platform, policy, params, analysis, analysis_params, safety, target_utilisation),
accepted AS (SELECT *, 1.0 * k * sets / n AS e FROM counted),
radicand AS (SELECT *, e * (sets - e) / sets + 0.9604 AS x FROM accepted),
scaled AS (
	SELECT *, CASE WHEN x < 4 THEN 1 WHEN x < 16 THEN 2 WHEN x < 64 THEN 4 WHEN x < 256 THEN 8
		WHEN x < 1024 THEN 16 WHEN x < 4096 THEN 32 WHEN x < 16384 THEN 64 WHEN x < 65536 THEN 128
		WHEN x < 262144 THEN 256 WHEN x < 1048576 THEN 512 WHEN x < 4194304 THEN 1024
		WHEN x < 16777216 THEN 2048
		WHEN x < 67108864 THEN 4096 WHEN x < 268435456 THEN 8192 ELSE 16384 END AS scale
	FROM radicand),
guess AS (SELECT *, scale * (x / scale / scale + 2.1) / 3 AS root FROM scaled),
newton1 AS (SELECT *, (root + x / root) / 2 AS root1 FROM guess),
newton2 AS (SELECT *, (root1 + x / root1) / 2 AS root2 FROM newton1),
newton3 AS (SELECT *, (root2 + x / root2) / 2 AS root3 FROM newton2)
SELECT kind, platform, policy, params, analysis, analysis_params, safety, target_utilisation, n, k,
	1.0 * k / n AS ratio,
	CASE k WHEN 0 THEN 0.0 ELSE (e + 1.9208 - 1.96 * root3) / (sets + 3.8416) END AS lower95,
	CASE k WHEN n THEN 1.0 ELSE (e + 1.9208 + 1.96 * root3) / (sets + 3.8416) END AS upper95, refused,
	truncated
FROM newton3;

CREATE VIEW v_acceptance AS
SELECT platform, policy, params, target_utilisation, n, k, ratio, lower95, upper95, refused, truncated
FROM v_accepted WHERE kind = 'run';

CREATE VIEW v_analysis_acceptance AS
SELECT platform, policy, params, analysis, analysis_params, safety, target_utilisation, n, k, ratio, lower95,
	upper95, refused
FROM v_accepted WHERE kind = 'analysis';

CREATE VIEW v_bound AS
WITH part AS (
	SELECT analysis_run_id, task_id, sum(CASE part WHEN 'own' THEN amount_ns ELSE 0 END) AS own_ns,
		sum(CASE part WHEN 'copy' THEN amount_ns ELSE 0 END) AS copy_ns,
		sum(CASE part WHEN 'gpu' THEN amount_ns ELSE 0 END) AS gpu_ns,
		sum(CASE part WHEN 'blocking' THEN amount_ns ELSE 0 END) AS blocking_ns,
		sum(CASE part WHEN 'interference' THEN amount_ns ELSE 0 END) AS interference_ns
	FROM bound_part GROUP BY analysis_run_id, task_id)
SELECT a.analysis_run_id, a.analysis, a.params AS analysis_params, a.safety, p.name AS policy, p.params,
	l.name AS platform, a.taskset_id, a.verdict, b.task_id, t.name AS task, b.rank,
	t.deadline_ns / 1e6 AS deadline_ms, b.bound_ns / 1e6 AS bound_ms,
	CASE WHEN b.assumes IS NULL THEN coalesce(b.bound_ns <= t.deadline_ns, 0) END AS meets,
	r.own_ns / 1e6 AS own_ms, r.copy_ns / 1e6 AS copy_ms, r.gpu_ns / 1e6 AS gpu_ms,
	r.blocking_ns / 1e6 AS blocking_ms, r.interference_ns / 1e6 AS interference_ms,
	(SELECT group_concat(o.name, ', ') FROM json_each(b.assumes) e
		JOIN task o ON o.taskset_id = a.taskset_id AND o.task_idx = e.value) AS assumes_in_time
FROM bound b JOIN analysis_run a USING (analysis_run_id) JOIN task t ON t.task_id = b.task_id
	JOIN policy p ON p.policy_id = a.policy_id JOIN platform l ON l.platform_id = a.platform_id
	LEFT JOIN part r ON r.analysis_run_id = b.analysis_run_id AND r.task_id = b.task_id;

-- What each GPU is. Of several, those behind the first are JSON in a column of the platform, whose name is theirs: a+b.
CREATE VIEW v_gpu AS
SELECT platform_id, 0 AS gpu, name AS platform, substr(name, 1, instr(name || '+', '+') - 1) AS name, engines, copy_latency_ns,
	copy_bandwidth, pool, sms, sms_per_tpc, threads_per_sm, blocks_per_sm, warps_per_sm, registers_per_sm,
	shared_memory_per_sm, work_queues, static_uw, idle_per_sm_uw
FROM platform
UNION ALL
SELECT l.platform_id, g.key + 1, l.name, json_extract(g.value, '$.name'), json_extract(g.value, '$.engines'),
	json_extract(g.value, '$.copy_latency_ns'), json_extract(g.value, '$.copy_bandwidth'),
	json_extract(g.value, '$.pool'), json_extract(g.value, '$.sms'), json_extract(g.value, '$.sms_per_tpc'),
	json_extract(g.value, '$.threads_per_sm'), json_extract(g.value, '$.blocks_per_sm'),
	json_extract(g.value, '$.warps_per_sm'), json_extract(g.value, '$.registers_per_sm'),
	json_extract(g.value, '$.shared_memory_per_sm'), json_extract(g.value, '$.work_queues'),
	json_extract(g.value, '$.static_uw'), json_extract(g.value, '$.idle_per_sm_uw')
FROM platform l JOIN json_each(l.gpus) g;

-- Only of runs on several GPUs.
CREATE VIEW v_energy_gpu AS
SELECT g.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, g.gpu, u.name AS gpu_name,
	r.window_ns / 1e6 AS window_ms, g.energy_uj / 1e6 + g.energy_rest_uwns / 1e15 AS energy_j,
	(g.energy_uj + g.energy_rest_uwns / 1e9) * 1e3 / nullif(r.window_ns, 0) AS mean_power_w,
	g.gpu_active_ns / 1e6 AS gpu_active_ms,
	1.0 * g.sm_active_ns / nullif(1.0 * u.sms * g.gpu_active_ns, 0) AS active_sm_share
FROM run_gpu g JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN v_gpu u ON u.platform_id = r.platform_id AND u.gpu = g.gpu;

-- Idle SMs take power while another is active. Where no power was given, there is no energy. Then somebody followed
-- which SMs are active only for levels that show it.
CREATE VIEW v_energy AS
WITH
of_gpu AS (
	SELECT g.run_id, 1.0 * u.static_uw * r.window_ns AS static_uwns, 1.0 * u.sms * g.gpu_active_ns AS sm_ns,
		(1.0 * u.sms * g.gpu_active_ns - g.sm_active_ns) * u.idle_per_sm_uw AS idle_uwns
	FROM run_gpu g JOIN run r USING (run_id) JOIN v_gpu u ON u.platform_id = r.platform_id AND u.gpu = g.gpu),
known AS (
	SELECT r.run_id, r.policy_id, r.taskset_id, r.window_ns, l.name AS platform, r.gpu_active_ns,
		r.energy_uj / 1e6 + r.energy_rest_uwns / 1e15 AS energy_j,
		CASE WHEN r.energy_uj IS NOT NULL THEN CASE WHEN l.gpus IS NULL
			THEN 1.0 * l.static_uw * r.window_ns ELSE (SELECT sum(g.static_uwns) FROM of_gpu g WHERE g.run_id = r.run_id)
			END / 1e15 END AS static_j,
		1.0 * r.sm_active_ns / nullif(CASE WHEN l.gpus IS NULL THEN 1.0 * l.sms * r.gpu_active_ns
			ELSE (SELECT sum(g.sm_ns) FROM of_gpu g WHERE g.run_id = r.run_id) END, 0) AS active_sm_share,
		CASE WHEN r.energy_uj IS NOT NULL THEN coalesce(CASE WHEN l.gpus IS NULL
			THEN (1.0 * l.sms * r.gpu_active_ns - r.sm_active_ns) * l.idle_per_sm_uw
			ELSE (SELECT sum(g.idle_uwns) FROM of_gpu g WHERE g.run_id = r.run_id) END, 0.0) / 1e15
		END AS idle_sms_j
	FROM run r JOIN platform l USING (platform_id) WHERE r.window_ns IS NOT NULL)
SELECT k.run_id, p.name AS policy, p.params, k.platform, k.taskset_id, k.window_ns / 1e6 AS window_ms,
	k.energy_j, k.energy_j * 1e9 / nullif(k.window_ns, 0) AS mean_power_w, k.static_j, k.idle_sms_j,
	k.energy_j - k.static_j - k.idle_sms_j AS dynamic_j, k.gpu_active_ns / 1e6 AS gpu_active_ms,
	k.active_sm_share, 1 - k.active_sm_share AS idle_sm_share
FROM known k JOIN policy p USING (policy_id);

CREATE VIEW v_energy_task AS
WITH
known AS (
	SELECT run_id, task_id, jobs, energy_uj / 1e6 + energy_rest_uwns / 1e15 AS dynamic_j
	FROM run_task)
SELECT k.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, k.task_id, t.name AS task,
	k.jobs, k.dynamic_j,
	k.dynamic_j / nullif(sum(k.dynamic_j) OVER (PARTITION BY k.run_id), 0) AS share,
	k.dynamic_j * 1e3 / nullif(k.jobs, 0) AS per_job_mj
FROM known k JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN task t ON t.task_id = k.task_id;

-- Against fcfs: the same set on the same platform with the same draws and rules. If fcfs was run in several
-- variants, its first.
CREATE VIEW v_energy_policy AS
WITH
baseline AS (
	SELECT r.taskset_id, r.platform_id, r.replication, r.setup_digest, min(r.run_id) AS run_id
	FROM run r JOIN policy p USING (policy_id) WHERE p.name = 'fcfs' AND r.energy_uj IS NOT NULL
	GROUP BY r.taskset_id, r.platform_id, r.replication, r.setup_digest),
paired AS (
	SELECT r.run_id, r.jobs, r.misses, s.target_utilisation_ppm / 1e6 AS target_utilisation, e.energy_j,
		e.platform, e.policy, e.params, e.mean_power_w, e.idle_sm_share,
		b.energy_uj / 1e6 + b.energy_rest_uwns / 1e15 AS fcfs_j
	FROM run r JOIN v_energy e USING (run_id) JOIN taskset s ON s.taskset_id = r.taskset_id
		LEFT JOIN baseline f ON f.taskset_id = r.taskset_id AND f.platform_id = r.platform_id
			AND f.replication = r.replication AND f.setup_digest = r.setup_digest
		LEFT JOIN run b ON b.run_id = f.run_id)
SELECT platform, policy, params, target_utilisation, count(*) AS runs, avg(energy_j) AS mean_energy_j,
	avg(mean_power_w) AS mean_power_w, avg(idle_sm_share) AS mean_idle_share, count(fcfs_j) AS pairs,
	sum(CASE WHEN fcfs_j IS NOT NULL THEN energy_j END) / nullif(sum(fcfs_j), 0) AS relative_to_fcfs,
	1.0 * sum(misses) / nullif(sum(jobs), 0) AS miss_ratio
FROM paired GROUP BY platform, policy, params, target_utilisation;

-- The true energy is that of the schedule that came of what was chosen, of all GPUs. It is known as far as the window.
CREATE VIEW v_decision AS
WITH
known AS (
	SELECT d.*, r.policy_id, d.predicted_uwns / 1e15 AS predicted_j,
		CASE WHEN d.kernel_end_ns <= r.window_ns THEN (
			SELECT sum(1.0 * w.power_uw
				* (min(w.end_ns, d.kernel_end_ns) - max(w.start_ns, d.time_ns))) / 1e15
			FROM power_interval w
			WHERE w.run_id = d.run_id AND w.start_ns < d.kernel_end_ns AND w.end_ns > d.time_ns
				AND w.start_ns >= coalesce((
					SELECT min((SELECT max(x.start_ns) FROM power_interval x
						WHERE x.run_id = d.run_id AND x.start_ns <= d.time_ns AND x.gpu = g.gpu))
					FROM run_gpu g WHERE g.run_id = d.run_id), (
					SELECT max(x.start_ns) FROM power_interval x
					WHERE x.run_id = d.run_id AND x.start_ns <= d.time_ns))) END AS true_j
	FROM decision d JOIN run r USING (run_id))
SELECT k.run_id, p.name AS policy, p.params, k.time_ns / 1e6 AS time_ms, k.asked_ns / 1e6 AS asked_ms, k.task_id,
	t.name AS task, k.seq, k.segment_idx, k.sms, k.kernel_end_ns / 1e6 AS kernel_end_ms, k.predicted_j, k.true_j,
	k.predicted_j / nullif(k.true_j, 0) - 1 AS error, k.feasible, k.chosen
FROM known k JOIN policy p USING (policy_id) JOIN task t ON t.task_id = k.task_id;

-- Kernels of warps (docs/warps.md). IPC is thread instructions per cycle over the whole GPU.
CREATE VIEW v_warp_kernel AS
SELECT k.run_id, p.name AS policy, p.params, json_extract(p.params, '$.manager') AS manager, l.name AS platform,
	r.taskset_id, s.name AS taskset, r.status, k.task_id, t.name AS kernel, a.jobs, a.misses, a.responses,
	a.mean_response_ns / 1e6 AS mean_ms, a.max_response_ns / 1e6 AS max_ms, k.cycles, k.ipc_ppm / 1e6 AS ipc,
	k.alone_ppm / 1e6 AS alone_ipc, 1.0 * k.ipc_ppm / nullif(k.alone_ppm, 0) AS times_alone, w.goal_kind,
	k.goal_ppm / 1e6 AS goal_ipc, 1.0 * k.ipc_ppm / nullif(k.goal_ppm, 0) AS times_goal, k.reached,
	k.warp_instructions, 1.0 * k.l1_hits / nullif(k.accesses, 0) AS l1_hit_ratio,
	1.0 * k.l2_hits / nullif(k.accesses - k.l1_hits, 0) AS l2_hit_ratio,
	1.0 * k.dram_bytes / nullif(k.cycles, 0) AS dram_bytes_per_cycle, k.swaps, k.energy_fj / 1e15 AS energy_j
FROM run_warp_kernel k JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN taskset s ON s.taskset_id = r.taskset_id JOIN task t ON t.task_id = k.task_id
	JOIN warp_kernel w ON w.task_id = k.task_id
	LEFT JOIN run_task a ON a.run_id = k.run_id AND a.task_id = k.task_id;

CREATE VIEW v_epoch AS
SELECT e.run_id, p.name AS policy, p.params, e.epoch, e.start_cycle, e.end_cycle, e.task_id, t.name AS kernel,
	e.ipc_ppm / 1e6 AS ipc, k.goal_ppm / 1e6 AS goal_ipc, e.adjusted_goal_ppm / 1e6 AS adjusted_goal_ipc,
	e.history_ipc_ppm / 1e6 AS history_ipc, e.ipc_ppm >= k.goal_ppm AS reached,
	e.history_ipc_ppm >= k.goal_ppm AS reached_so_far, e.blocks, e.swaps
FROM epoch e JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN task t ON t.task_id = e.task_id
	JOIN run_warp_kernel k ON k.run_id = e.run_id AND k.task_id = e.task_id;

-- Where the cycles of the sub-cores went.
CREATE VIEW v_stalls AS
WITH
summed AS (
	SELECT run_id, sum(issued_cycles) AS c0, sum(empty_cycles) AS c1, sum(quota_cycles) AS c2,
		sum(unit_cycles) AS c3, sum(scheduler_cycles) AS c4, sum(memory_cycles) AS c5,
		sum(dependence_cycles) AS c6, sum(barrier_cycles) AS c7, sum(swap_cycles) AS c8,
		sum(ending_cycles) AS c9
	FROM run_sub_core GROUP BY run_id),
reason (place, reason) AS (VALUES (0, 'issued'), (1, 'empty'), (2, 'quota'), (3, 'unit'), (4, 'scheduler'),
	(5, 'memory'), (6, 'dependence'), (7, 'barrier'), (8, 'swap'), (9, 'ending')),
chosen AS (
	SELECT s.run_id, e.place, e.reason, CASE e.place WHEN 0 THEN c0 WHEN 1 THEN c1 WHEN 2 THEN c2
		WHEN 3 THEN c3 WHEN 4 THEN c4 WHEN 5 THEN c5 WHEN 6 THEN c6 WHEN 7 THEN c7 WHEN 8 THEN c8
		ELSE c9 END AS cycles, c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 AS all_cycles
	FROM summed s JOIN reason e)
SELECT c.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, c.place, c.reason, c.cycles,
	1.0 * c.cycles / nullif(c.all_cycles, 0) AS share
FROM chosen c JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id);

-- Processes that share the GPU in turns.
CREATE VIEW v_context AS
SELECT i.run_id, p.name AS policy, p.params, coalesce(t.process, t.name) AS process, i.process_task_id, i.kind,
	i.start_ns / 1e6 AS start_ms, i.end_ns / 1e6 AS end_ms, (i.end_ns - i.start_ns) / 1e6 AS length_ms
FROM context_interval i JOIN run r USING (run_id) JOIN policy p USING (policy_id)
	JOIN task t ON t.task_id = i.process_task_id;

CREATE VIEW v_gantt AS
SELECT i.run_id, CASE i.code & 3 WHEN 0 THEN CASE WHEN l.cores > 1 THEN 'CPU ' || i.unit ELSE 'CPU' END
		WHEN 1 THEN CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || i.gpu || ' ' END || 'copy ' || i.unit
		ELSE CASE WHEN l.gpus IS NULL THEN 'GPU' ELSE 'GPU ' || i.gpu END END AS lane,
	i.resource, i.task_id, t.name AS task, i.seq, i.segment_idx, i.part, NULL AS block, i.kind,
	i.ready_ns / 1e6 AS ready_ms, i.start_ns / 1e6 AS start_ms, i.end_ns / 1e6 AS end_ms, i.ended
FROM segment_interval i JOIN task t USING (task_id) JOIN run r USING (run_id) JOIN platform l USING (platform_id)
UNION ALL
SELECT b.run_id, CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || b.gpu || ' ' END
		|| CASE WHEN b.sm IS NULL THEN 'pool' ELSE printf('SM %03d', b.sm) END, 'sm', b.task_id,
	t.name, b.seq, b.segment_idx, NULL, b.block, 'run', NULL, b.start_ns / 1e6, b.end_ns / 1e6, b.ended
FROM block_interval b JOIN task t USING (task_id) JOIN run r USING (run_id) JOIN platform l USING (platform_id);

-- What the model says of a segment beside what a real machine did. A segment that was preempted has several
-- intervals; what its job spins, and what its launch takes, is no part of it.
CREATE VIEW v_measured AS
WITH
simulated AS (
	SELECT m.run_id, m.task_id, m.seq, m.segment_idx, m.start_ns, m.end_ns, m.reason, i.resource, i.unit,
		min(i.start_ns) AS simulated_start_ns, max(CASE i.code & 48 WHEN 0 THEN i.end_ns END) AS simulated_end_ns
	FROM measured m LEFT JOIN segment_interval i ON i.run_id = m.run_id AND i.task_id = m.task_id
		AND i.seq = m.seq AND i.segment_idx = m.segment_idx AND i.code & 12 = 0
	GROUP BY m.run_id, m.task_id, m.seq, m.segment_idx)
SELECT m.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, m.task_id, t.name AS task, m.seq,
	m.segment_idx, s.name AS segment, s.kind, m.resource, m.unit,
	m.simulated_start_ns / 1e6 AS simulated_start_ms, m.simulated_end_ns / 1e6 AS simulated_end_ms,
	m.start_ns / 1e6 AS start_ms, m.end_ns / 1e6 AS end_ms,
	(m.simulated_start_ns - m.start_ns) / 1e6 AS deviation_ms,
	(m.simulated_end_ns - m.end_ns) / 1e6 AS end_deviation_ms, m.reason
FROM simulated m JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	JOIN task t ON t.task_id = m.task_id
	LEFT JOIN v_segment s ON s.task_id = m.task_id AND s.segment_idx = m.segment_idx;

-- Intervals of a lane may overlap (kernels on the GPU, blocks on an SM): what counts is the time with at
-- least one. This program computes the rows itself (db/busy_table.c), which is faster; they are the same.
CREATE VIEW v_lane_busy AS
WITH
reached AS (
	SELECT run_id, resource, gpu, unit, start_ns, end_ns,
		CASE code & 12 WHEN 4 THEN end_ns - start_ns WHEN 8 THEN end_ns - start_ns ELSE 0 END AS waiting_ns,
		max(end_ns) OVER (PARTITION BY run_id, resource, gpu, unit ORDER BY start_ns, end_ns
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns
	FROM segment_interval)
SELECT run_id, resource, gpu, unit, sum(max(end_ns - max(start_ns, coalesce(before_ns, 0)), 0)) AS busy_ns,
	sum(waiting_ns) AS waiting_ns
FROM reached GROUP BY run_id, resource, gpu, unit;

-- The same of SMs. Of blocks that an SM takes at one instant the longest is enough; by the instant they are sorted fastest.
CREATE VIEW v_sm_busy AS
WITH
wave AS (
	SELECT run_id, gpu, sm, start_ns, max(end_ns) AS end_ns, sum(threads * (end_ns - start_ns)) AS thread_ns
	FROM block_interval GROUP BY start_ns, gpu, sm, run_id),
reached AS (
	SELECT *, max(end_ns) OVER (PARTITION BY run_id, gpu, sm ORDER BY start_ns
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns
	FROM wave)
SELECT run_id, gpu, sm, sum(max(end_ns - max(start_ns, coalesce(before_ns, 0)), 0)) AS busy_ns,
	sum(thread_ns) AS thread_ns
FROM reached GROUP BY run_id, gpu, sm;

CREATE VIEW v_utilisation AS
WITH
busy AS (
	SELECT run_id, resource, gpu, unit, busy_ns, waiting_ns FROM v_lane_busy
	UNION ALL
	SELECT run_id, 'sm', gpu, sm, busy_ns, 0 FROM v_sm_busy)
SELECT b.run_id, p.name AS policy,
	CASE b.resource WHEN 'cpu' THEN CASE WHEN l.cores > 1 THEN 'CPU ' || b.unit ELSE 'CPU' END
		WHEN 'copy' THEN CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || b.gpu || ' ' END || 'copy ' || b.unit
		WHEN 'gpu' THEN CASE WHEN l.gpus IS NULL THEN 'GPU' ELSE 'GPU ' || b.gpu END
		ELSE CASE WHEN l.gpus IS NULL THEN '' ELSE 'GPU ' || b.gpu || ' ' END
			|| CASE WHEN b.unit IS NULL THEN 'pool' ELSE printf('SM %03d', b.unit) END END AS lane,
	b.resource, b.busy_ns / 1e6 AS busy_ms, b.waiting_ns / 1e6 AS waiting_ms,
	1.0 * b.busy_ns / nullif(r.stop_ns, 0) AS utilisation
FROM busy b JOIN run r USING (run_id) JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)
ORDER BY b.run_id, lane;
