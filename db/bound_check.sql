-- db/bound_check.sql - when a bound is exceeded, and why a run may not be able to tell: the one definition for whatever
-- reads recordings. docs/analyses.md says the same in words, db/bound_check.h in C for who has no recording.
--
-- It stands in three parts: the bounds that are asked about (those of the recording), the rule, the answer. The rule is
-- also asked about bounds that are not in the recording (bound_check_sql()).
CREATE VIEW v_bound_check AS
WITH
asked AS (
	SELECT analysis_run_id, taskset_id, platform_id, policy_id, task_id, bound_ns, assumes
	FROM analysis_run JOIN bound USING (analysis_run_id)),
-- rule
-- outside: the run's traces leave what the tasks declare, so no bound is about it: releases nearer than the period (those
-- before the horizon; no others happen), or a time beyond best and worst. For a kernel that is the time of a block, on the SMs
-- or virtual SMs that the run gave it (models/kernel.c: work by Lemma 5.1, with n virtual SMs in all and the ratio a / b;
-- d <= ceil(x / y) is (d - 1) * y < x). Without traces this costs one look: of a
-- CASE, unlike of AND, SQLite evaluates no more than it needs.
--
-- exceeded: a job that is unfinished at S has work left after all that ends at S, so its response is greater than
-- S - release, and it is enough that this reaches the bound. Hence a missed deadline exceeds every bound up to it: a job that
-- finished late took longer than its deadline, and one that did not finish and has missed has S - release >= its deadline.
--
-- not assumed: the bound rests on tasks that keep their deadlines (assumes), and a job of one of them is late.
seen AS (
	SELECT r.run_id, r.taskset_id, r.platform_id, r.policy_id, r.status, r.on_miss, o.task_id, o.jobs, o.responses,
		o.max_response_ns, o.worst_lower_bound_ns, CASE WHEN NOT EXISTS (SELECT 1 FROM trace_release) THEN 0
		WHEN EXISTS (
			SELECT 1 FROM task k JOIN trace_release e ON e.trace_id = coalesce(k.trace_id,
					CASE WHEN k.release_kind IS NULL THEN r.trace_id END)
				JOIN trace_release f ON f.trace_id = e.trace_id AND f.seq = e.seq + 1
			WHERE k.taskset_id = r.taskset_id AND f.release_ns < r.horizon_ns
				AND f.release_ns - e.release_ns < k.period_ns) THEN 1
		ELSE EXISTS (
			SELECT 1 FROM (
				SELECT d.duration_ns - CASE g.form WHEN 'work' THEN l.pin_overhead_ns ELSE 0 END AS d, g.form,
					g.best_ns, g.worst_ns, g.overhead_ns AS gl, v.v,
					coalesce(u.virtual_sms, coalesce(u.sms, l.sms) * v.v) AS n,
					CASE v.v WHEN 1 THEN 1 ELSE json_extract(g.interleave, '$."' || v.v || '"[0]') END AS a,
					CASE v.v WHEN 1 THEN 1 ELSE json_extract(g.interleave, '$."' || v.v || '"[1]') END AS b,
					k.taskset_id, g.profile_idx
				FROM task k JOIN trace_duration d ON d.trace_id = coalesce(k.trace_id,
						CASE WHEN k.release_kind IS NULL THEN r.trace_id END)
					JOIN trace_release e ON e.trace_id = d.trace_id AND e.seq = d.seq
					JOIN segment g ON g.task_id = k.task_id AND g.segment_idx = d.segment_idx
					JOIN platform l ON l.platform_id = r.platform_id
					JOIN (SELECT coalesce(r.virtual_sms_per_sm, 1) AS v) v
					LEFT JOIN run_task u ON u.run_id = r.run_id AND u.task_id = k.task_id
				WHERE k.taskset_id = r.taskset_id AND e.release_ns < r.horizon_ns) t
			WHERE NOT coalesce(CASE t.form
				WHEN 'work' THEN t.d * t.n >= t.best_ns AND ((t.d - 1) * t.n < t.best_ns
					OR (t.d - 1) * t.n * t.b < t.worst_ns * t.a + t.gl * t.b * (t.n - 1))
				WHEN 'profile' THEN (SELECT t.d BETWEEN p.best_ns AND p.worst_ns FROM profile p
					WHERE p.taskset_id = t.taskset_id AND p.profile_idx = t.profile_idx
						AND p.sms = (t.n + t.v - 1) / t.v)
				ELSE t.d BETWEEN t.best_ns AND t.worst_ns END, 0)) END AS outside
	FROM run r JOIN run_task o USING (run_id) WHERE r.status = 'ok' OR r.status = 'truncated'),
judged AS (
	SELECT s.run_id, s.taskset_id, s.platform_id, s.policy_id, s.status, s.task_id, t.task_idx, t.name AS task,
		a.analysis_run_id, a.bound_ns,
		nullif(max(coalesce(s.max_response_ns, -1), coalesce(s.worst_lower_bound_ns, -1)), -1) AS observed_ns,
		coalesce(s.worst_lower_bound_ns >= coalesce(s.max_response_ns, 0), 0) AS unfinished,
		CASE WHEN s.outside THEN 'outside'
			WHEN s.on_miss <> 'continue' THEN 'removing'
			WHEN a.bound_ns IS NULL THEN 'unbounded'
			WHEN NOT coalesce(a.bound_ns <= t.period_ns, 0) THEN 'beyond period'
			WHEN a.assumes IS NOT NULL AND EXISTS (
				SELECT 1 FROM json_each(a.assumes) e JOIN task k ON k.taskset_id = s.taskset_id AND k.task_idx = e.value
					JOIN run_task o ON o.run_id = s.run_id AND o.task_id = k.task_id
				WHERE o.max_response_ns > k.deadline_ns OR o.worst_lower_bound_ns >= k.deadline_ns) THEN 'not assumed'
			WHEN s.max_response_ns > a.bound_ns OR s.worst_lower_bound_ns >= a.bound_ns THEN 'exceeded'
			WHEN s.status = 'truncated' THEN 'truncated'
			WHEN s.responses < s.jobs OR s.jobs = 0 THEN 'unanswered'
			ELSE 'holds' END AS verdict
	FROM asked a JOIN seen s ON s.taskset_id = a.taskset_id AND s.platform_id = a.platform_id
			AND s.policy_id = a.policy_id AND s.task_id = a.task_id
		JOIN task t ON t.task_id = a.task_id)
-- answer
SELECT a.analysis, a.params AS analysis_params, a.safety, j.run_id, p.name AS policy, p.params, l.name AS platform,
	j.taskset_id, j.task_id, j.task, j.status, j.observed_ns / 1e6 AS observed_ms, j.bound_ns / 1e6 AS bound_ms,
	1.0 * j.observed_ns / nullif(j.bound_ns, 0) AS tightness, j.verdict,
	CASE j.verdict WHEN 'holds' THEN 1 WHEN 'exceeded' THEN 0 END AS holds
FROM judged j JOIN analysis_run a USING (analysis_run_id) JOIN policy p ON p.policy_id = j.policy_id
	JOIN platform l ON l.platform_id = j.platform_id;
