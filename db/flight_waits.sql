-- db/flight_waits.sql - the view v_flight_wait: where there are operations in flight (docs/model.md), what each of
-- them waited for from its issue to its start, and what its job waited for at each `wait` and at its end
-- (docs/waiting.md). v_wait counts each instant of a job once; here operations wait side by side.
--
-- An operation waits `after` others until the last of those it names has ended; then in its `stream` until the one
-- of its job in front of it has ended; then for what others have, or for overheads (`others`: @blocking has names).
-- A job comes to a wait when it has issued, or waited for, all segments before it. What a wait names is over with
-- the last of it, and that is who is told.
--
-- Rows of a job are found by their start, which is between its release and its end.
CREATE VIEW v_flight_wait AS
WITH
flying AS (
	SELECT j.run_id, j.task_id, j.seq, j.release_ns, coalesce(j.finish_ns, r.stop_ns) AS until_ns,
		j.outcome & 3 = 0 AS finished, t.task_idx, l.work_queues
	FROM job j JOIN run r ON r.run_id = j.run_id JOIN platform l USING (platform_id) JOIN task t ON t.task_id = j.task_id
	WHERE r.stop_ns IS NOT NULL AND EXISTS (SELECT 1 FROM segment a WHERE a.task_id = j.task_id AND a.async)),
-- Operations that began. queue: of the hardware; -1: that of the NULL stream.
flown AS (
	SELECT f.run_id, f.task_id, f.seq, f.release_ns, f.until_ns, i.segment_idx, g.awaits,
		min(i.ready_ns) AS ready_ns, min(i.start_ns) AS start_ns, max(i.end_ns) AS end_ns, coalesce(g.gpu, 0) AS gpu,
		CASE g.stream WHEN -2 THEN -1 WHEN -1 THEN f.task_idx % f.work_queues ELSE g.stream % f.work_queues END AS queue
	FROM flying f JOIN segment_interval i ON i.run_id = f.run_id AND i.start_ns BETWEEN f.release_ns AND f.until_ns
			AND i.task_id = f.task_id AND i.seq = f.seq AND i.code & 3 <> 0 AND i.code & 12 = 0
		JOIN segment g ON g.task_id = i.task_id AND g.segment_idx = i.segment_idx
	GROUP BY f.run_id, f.task_id, f.seq, i.segment_idx),
-- Operations of a stream end in the order of their issue: the one in front ends last.
queued AS (
	SELECT *, lag(end_ns) OVER in_front AS front_ns, lag(segment_idx) OVER in_front AS front_idx
	FROM flown
	WINDOW in_front AS (PARTITION BY run_id, task_id, seq, gpu, queue ORDER BY segment_idx)),
operation AS (
	SELECT q.run_id, q.task_id, q.seq, q.segment_idx, q.ready_ns, q.start_ns, q.front_ns, q.front_idx, (
			SELECT max(i.end_ns) FROM json_each(q.awaits) n
				JOIN segment p ON p.task_id = q.task_id AND p.name = n.value AND p.segment_idx < q.segment_idx
				JOIN segment_interval i ON i.run_id = q.run_id AND i.start_ns BETWEEN q.release_ns AND q.until_ns
					AND i.task_id = q.task_id AND i.seq = q.seq AND i.segment_idx = p.segment_idx AND i.code & 15 IN (1, 2)
			) AS after_ns, (
			SELECT p.segment_idx FROM json_each(q.awaits) n
				JOIN segment p ON p.task_id = q.task_id AND p.name = n.value AND p.segment_idx < q.segment_idx
				JOIN segment_interval i ON i.run_id = q.run_id AND i.start_ns BETWEEN q.release_ns AND q.until_ns
					AND i.task_id = q.task_id AND i.seq = q.seq AND i.segment_idx = p.segment_idx AND i.code & 15 IN (1, 2)
			ORDER BY i.end_ns DESC, p.segment_idx LIMIT 1) AS after_idx
	FROM queued q),
-- The waits of each job; behind its last segment its end, which waits for all. over_ns: with the last of what a wait
-- names; came_ns: behind what is before it.
stop AS (
	SELECT f.run_id, f.task_id, f.seq, f.release_ns, f.until_ns, w.segment_idx, w.segment_idx AS place, w.awaits,
		w.stream, f.task_idx
	FROM flying f JOIN segment w ON w.task_id = f.task_id AND w.kind = 'wait'
	UNION ALL
	SELECT f.run_id, f.task_id, f.seq, f.release_ns, f.until_ns, NULL,
		(SELECT max(segment_idx) + 1 FROM segment x WHERE x.task_id = f.task_id), NULL, -1, f.task_idx
	FROM flying f WHERE f.finished),
awaited AS (
	SELECT s.run_id, s.task_id, s.seq, s.segment_idx, s.place, i.segment_idx AS of_idx,
		g.async IS NOT NULL AND i.code & 3 <> 0 AS passes, i.ready_ns, i.end_ns,
		g.async IS NOT NULL AND i.code & 15 IN (1, 2) AND CASE WHEN s.awaits IS NOT NULL
			THEN EXISTS (SELECT 1 FROM json_each(s.awaits) n WHERE n.value = g.name)
			ELSE s.stream = -1 OR s.stream = CASE g.stream WHEN -1 THEN s.task_idx ELSE g.stream END END AS named
	FROM stop s JOIN segment_interval i ON i.run_id = s.run_id AND i.start_ns BETWEEN s.release_ns AND s.until_ns
			AND i.task_id = s.task_id AND i.seq = s.seq AND i.segment_idx < s.place
		JOIN segment g ON g.task_id = i.task_id AND g.segment_idx = i.segment_idx),
waited AS (
	SELECT run_id, task_id, seq, segment_idx, place, max(CASE WHEN passes THEN ready_ns ELSE end_ns END) AS came_ns,
		max(CASE WHEN named THEN end_ns END) AS over_ns
	FROM awaited GROUP BY run_id, task_id, seq, place),
behind AS ( -- an earlier wait, too
	SELECT *, max(came_ns, coalesce(max(over_ns) OVER (PARTITION BY run_id, task_id, seq ORDER BY place
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS from_ns
	FROM waited),
piece AS (
	SELECT run_id, task_id, seq, segment_idx, 'after' AS resource, after_idx AS for_idx, ready_ns AS from_ns,
		min(after_ns, start_ns) AS to_ns FROM operation
	UNION ALL
	SELECT run_id, task_id, seq, segment_idx, 'stream', front_idx, max(ready_ns, coalesce(after_ns, 0)),
		min(front_ns, start_ns) FROM operation
	UNION ALL
	SELECT run_id, task_id, seq, segment_idx, 'others', NULL,
		max(ready_ns, coalesce(after_ns, 0), coalesce(front_ns, 0)), start_ns FROM operation
	UNION ALL
	SELECT b.run_id, b.task_id, b.seq, b.segment_idx, 'wait', (
			SELECT a.of_idx FROM awaited a WHERE a.run_id = b.run_id AND a.task_id = b.task_id AND a.seq = b.seq
				AND a.place = b.place AND a.named AND a.end_ns = b.over_ns ORDER BY a.of_idx LIMIT 1),
		b.from_ns, b.over_ns FROM behind b)
SELECT p.run_id, p.task_id, t.name AS task, p.seq, p.segment_idx, g.name AS segment, p.resource, p.for_idx,
	o.name AS for_segment, p.from_ns AS start_ns, p.to_ns AS end_ns, p.to_ns - p.from_ns AS amount_ns,
	(p.to_ns - p.from_ns) / 1e6 AS amount_ms
FROM piece p JOIN task t ON t.task_id = p.task_id
	LEFT JOIN segment g ON g.task_id = p.task_id AND g.segment_idx = p.segment_idx
	LEFT JOIN segment o ON o.task_id = p.task_id AND o.segment_idx = p.for_idx
WHERE p.from_ns < p.to_ns;
