-- db/flight_waits.sql - the view v_flight_wait: where there are operations in flight (docs/model.md), what each of
-- them waited for from its issue to its start, and what its job waited for at each `wait` and at its end
-- (docs/waiting.md). v_wait counts each instant of a job once; here operations wait side by side.
--
-- An operation waits `after` others until the last of those it names has ended; then in its `stream` until the one
-- of its job in front of it has ended; then for what others have, or for overheads (`others`: @blocking has names).
-- A job comes to a wait when it has issued, or waited for, all segments before it. What a wait names is over with
-- the last of it, and that is who is told; `sync` comes behind that. Law flight-waits of the audit says the same.
--
-- Rows of a job are found by their start, which is between its release and its end.
CREATE VIEW v_flight_wait AS
WITH
-- Overheads of platforms. A recording whose platforms have no such columns takes those of the row of nothing.
paid AS (
	SELECT l.platform_id,
		coalesce((SELECT overhead_launch_ns FROM platform x WHERE x.platform_id = l.platform_id), 0) AS launch_ns,
		coalesce((SELECT overhead_sync_ns FROM platform x WHERE x.platform_id = l.platform_id), 0) AS sync_ns
	FROM (SELECT platform_id FROM platform) l JOIN (SELECT NULL AS overhead_launch_ns, NULL AS overhead_sync_ns)),
-- left_ns: from then on it waits for nothing, which is when it ended, or was aborted.
flying AS (
	SELECT j.run_id, j.task_id, j.seq, j.release_ns, coalesce(j.finish_ns, r.stop_ns) AS until_ns,
		CASE j.outcome & 3 WHEN 2 THEN j.abs_deadline_ns ELSE coalesce(j.finish_ns, r.stop_ns) END AS left_ns,
		j.outcome & 3 = 0 AS finished, t.task_idx, r.platform_id, o.launch_ns, o.sync_ns
	FROM job j JOIN run r ON r.run_id = j.run_id JOIN paid o USING (platform_id) JOIN task t ON t.task_id = j.task_id
	WHERE r.stop_ns IS NOT NULL AND EXISTS (SELECT 1 FROM segment a WHERE a.task_id = j.task_id AND a.async)),
-- What ran of a segment of a job, or was launched. ended: to its end; issued: or launched to its end.
stay AS (
	SELECT f.run_id, f.task_id, f.seq, i.segment_idx, min(CASE WHEN i.code & 12 = 0 THEN i.ready_ns END) AS ready_ns,
		min(CASE WHEN i.code & 12 = 0 THEN i.start_ns END) AS start_ns,
		max(CASE WHEN i.code & 12 = 0 THEN i.end_ns END) AS end_ns,
		max(CASE WHEN i.code & 12 = 12 THEN i.end_ns END) AS launched_ns,
		max(i.code & 60 = 0) AS ended, max(i.code & 12 = 0 OR i.code & 48 = 0) AS issued
	FROM flying f JOIN segment_interval i ON i.run_id = f.run_id AND i.start_ns BETWEEN f.release_ns AND f.until_ns
			AND i.task_id = f.task_id AND i.seq = f.seq AND (i.code & 12 = 0 OR i.code & 204 = 12)
	GROUP BY f.run_id, f.task_id, f.seq, i.segment_idx),
-- past_ns: when the job went on behind it.
gone AS (
	SELECT s.run_id, s.task_id, s.seq, s.segment_idx, s.ready_ns, s.start_ns, s.end_ns, s.ended, s.issued, g.name, g.awaits,
		g.kind <> 'cpu' AS operates, g.async IS NOT NULL AS async, coalesce(g.gpu, 0) AS gpu,
		CASE g.stream WHEN -1 THEN f.task_idx ELSE g.stream END AS stream, f.platform_id,
		CASE WHEN g.async IS NULL THEN s.end_ns ELSE coalesce(s.launched_ns, s.ready_ns) END AS past_ns
	FROM stay s JOIN flying f USING (run_id, task_id, seq)
		JOIN segment g ON g.task_id = s.task_id AND g.segment_idx = s.segment_idx),
-- Operations of a hardware queue end in the order of their issue: the one in front ends last. The NULL stream has its own.
queued AS (
	SELECT o.*, lag(o.end_ns) OVER in_front AS front_ns, lag(o.segment_idx) OVER in_front AS front_idx
	FROM gone o JOIN v_gpu u ON u.platform_id = o.platform_id AND u.gpu = o.gpu
	WHERE o.operates AND o.start_ns IS NOT NULL
	WINDOW in_front AS (PARTITION BY o.run_id, o.task_id, o.seq, o.gpu,
		CASE o.stream WHEN -2 THEN -1 ELSE o.stream % u.work_queues END ORDER BY o.segment_idx)),
operation AS (
	SELECT q.run_id, q.task_id, q.seq, q.segment_idx, q.ready_ns, q.start_ns, q.front_ns, q.front_idx, (
			SELECT max(a.end_ns) FROM json_each(q.awaits) n JOIN gone a ON a.run_id = q.run_id AND a.task_id = q.task_id
				AND a.seq = q.seq AND a.name = n.value AND a.operates AND a.segment_idx < q.segment_idx) AS after_ns, (
			SELECT a.segment_idx FROM json_each(q.awaits) n JOIN gone a ON a.run_id = q.run_id AND a.task_id = q.task_id
				AND a.seq = q.seq AND a.name = n.value AND a.operates AND a.segment_idx < q.segment_idx
			ORDER BY a.end_ns DESC, a.segment_idx LIMIT 1) AS after_idx
	FROM queued q),
-- Of tasks with jobs that did not finish: each segment. lasts: it may take time; joins: it is a node of the graph of the
-- one in front of it, which is launched for both.
part AS (
	SELECT g.task_id, g.segment_idx, g.name, g.kind, g.async IS NOT NULL AS async, g.stream, coalesce(g.gpu, 0) AS gpu,
		g.awaits, coalesce(g.worst_ns, 1) > 0 AS lasts, coalesce(
			(SELECT graph FROM segment x WHERE x.task_id = g.task_id AND x.segment_idx = g.segment_idx)
			= (SELECT graph FROM segment x WHERE x.task_id = g.task_id AND x.segment_idx = g.segment_idx - 1), 0) AS joins
	FROM segment g JOIN (SELECT NULL AS graph) WHERE g.task_id IN (SELECT task_id FROM flying WHERE NOT finished)),
-- The same of each of these jobs, with what there is of it. last_idx: the last of which there is something.
open AS (
	SELECT p.*, f.run_id, f.seq, f.task_idx, f.launch_ns, coalesce(a.ended, 0) AS ended, coalesce(a.issued, 0) AS issued,
		max(a.segment_idx) OVER (PARTITION BY f.run_id, f.task_id, f.seq) AS last_idx
	FROM flying f JOIN part p ON p.task_id = f.task_id
		LEFT JOIN gone a ON a.run_id = f.run_id AND a.task_id = f.task_id AND a.seq = f.seq
			AND a.segment_idx = p.segment_idx
	WHERE NOT f.finished),
-- Where a job that did not finish stands still, as far as that is known: at the first segment, from that last one on, that
-- is not over. Of a wait, e is what it names and is not over.
halted AS (
	SELECT p.run_id, p.task_id, p.seq, min(p.segment_idx) AS at_idx
	FROM open p LEFT JOIN open e ON p.kind = 'wait' AND e.run_id = p.run_id AND e.task_id = p.task_id AND e.seq = p.seq
		AND e.segment_idx < p.segment_idx AND e.async AND e.lasts AND NOT e.ended
		AND CASE WHEN p.awaits IS NOT NULL THEN EXISTS (SELECT 1 FROM json_each(p.awaits) n WHERE n.value = e.name)
			ELSE p.stream = -1 OR (p.gpu = e.gpu
				AND p.stream = CASE e.stream WHEN -1 THEN e.task_idx ELSE e.stream END) END
	WHERE p.segment_idx >= p.last_idx AND CASE WHEN p.kind = 'wait' THEN e.segment_idx IS NOT NULL
		WHEN p.async THEN p.lasts AND NOT p.joins AND p.launch_ns > 0 AND NOT p.issued
		ELSE p.lasts AND NOT p.ended END
	GROUP BY p.run_id, p.task_id, p.seq),
-- The waits of each job; behind its last segment its end, which waits for all.
stop AS (
	SELECT f.run_id, f.task_id, f.seq, f.left_ns, f.sync_ns, f.finished, w.segment_idx, w.segment_idx AS place, w.awaits,
		w.stream, coalesce(w.gpu, 0) AS gpu
	FROM flying f JOIN segment w ON w.task_id = f.task_id AND w.kind = 'wait'
		LEFT JOIN halted h ON h.run_id = f.run_id AND h.task_id = f.task_id AND h.seq = f.seq
	WHERE h.at_idx IS NULL OR w.segment_idx <= h.at_idx
	UNION ALL
	SELECT f.run_id, f.task_id, f.seq, f.left_ns, f.sync_ns, f.finished, NULL,
		(SELECT max(segment_idx) + 1 FROM segment x WHERE x.task_id = f.task_id), NULL, -1, 0
	FROM flying f WHERE f.finished),
-- named_ns: when what a wait names was over, if it names that.
awaited AS (
	SELECT s.*, a.segment_idx AS of_idx, a.past_ns, CASE WHEN a.async AND CASE WHEN s.awaits IS NOT NULL
			THEN EXISTS (SELECT 1 FROM json_each(s.awaits) n WHERE n.value = a.name)
			ELSE s.stream = -1 OR (s.stream = a.stream AND s.gpu = a.gpu) END THEN a.end_ns END AS named_ns
	FROM stop s JOIN gone a ON a.run_id = s.run_id AND a.task_id = s.task_id AND a.seq = s.seq
			AND a.segment_idx < s.place),
-- over_ns: with the last of what it names, the first of which is for_idx; came_ns: behind what is before it, of which the
-- last is last_idx.
waited AS (
	SELECT run_id, task_id, seq, left_ns, sync_ns, finished, segment_idx, place, max(past_ns) AS came_ns,
		max(of_idx) AS last_idx, over_ns, min(CASE WHEN named_ns = over_ns THEN of_idx END) AS for_idx
	FROM (SELECT *, max(named_ns) OVER (PARTITION BY run_id, task_id, seq, place) AS over_ns FROM awaited)
	GROUP BY run_id, task_id, seq, place),
-- `sync` behind an earlier wait, or behind an operation for which the job waited at once, if no other follows it.
behind AS (
	SELECT w.*, max(w.came_ns, coalesce(max(w.over_ns + w.sync_ns) OVER (PARTITION BY w.run_id, w.task_id, w.seq
			ORDER BY w.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0),
		CASE WHEN a.operates AND NOT a.async AND (w.finished OR NOT EXISTS (
				SELECT 1 FROM part p WHERE p.task_id = w.task_id AND p.kind IN ('copy', 'kernel') AND p.lasts
					AND p.gpu = a.gpu AND p.segment_idx BETWEEN w.last_idx + 1 AND w.place - 1))
			THEN a.end_ns + w.sync_ns ELSE 0 END) AS from_ns
	FROM waited w LEFT JOIN gone a ON a.run_id = w.run_id AND a.task_id = w.task_id AND a.seq = w.seq
		AND a.segment_idx = w.last_idx),
kind (resource) AS (VALUES ('after'), ('stream'), ('others')),
piece AS (
	SELECT o.run_id, o.task_id, o.seq, o.segment_idx, k.resource,
		CASE k.resource WHEN 'after' THEN o.after_idx WHEN 'stream' THEN o.front_idx END AS for_idx,
		max(o.ready_ns, CASE WHEN k.resource <> 'after' THEN coalesce(o.after_ns, 0) ELSE 0 END,
			CASE k.resource WHEN 'others' THEN coalesce(o.front_ns, 0) ELSE 0 END) AS from_ns,
		CASE k.resource WHEN 'after' THEN min(o.after_ns, o.start_ns) WHEN 'stream' THEN min(o.front_ns, o.start_ns)
			ELSE o.start_ns END AS to_ns
	FROM operation o JOIN kind k
	UNION ALL
	SELECT run_id, task_id, seq, segment_idx, 'wait', for_idx, from_ns, min(over_ns, left_ns) FROM behind)
SELECT w.run_id, w.task_id, t.name AS task, w.seq, w.segment_idx, g.name AS segment, w.resource, w.for_idx,
	o.name AS for_segment, w.from_ns AS start_ns, w.to_ns AS end_ns, w.to_ns - w.from_ns AS amount_ns,
	(w.to_ns - w.from_ns) / 1e6 AS amount_ms
FROM piece w JOIN task t ON t.task_id = w.task_id
	LEFT JOIN segment g ON g.task_id = w.task_id AND g.segment_idx = w.segment_idx
	LEFT JOIN segment o ON o.task_id = w.task_id AND o.segment_idx = w.for_idx
WHERE w.from_ns < w.to_ns;
