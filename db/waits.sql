-- db/waits.sql - the view v_wait: where the time of each job went, and who had what it waited for
-- (docs/waiting.md).
--
-- Of operations of a job that run at a time (docs/model.md, "Operations in flight") the one that started first counts:
-- before_ns is when all that started earlier had ended.
--
-- What a job lived through is cut into stretches: before it began, before each interval, the interval, behind
-- the last one. A stretch of waiting is then divided three times: among those who are under way in its stream,
-- who have what it needs, and who are under way at all. Each time what remains of it goes on to the next. Of
-- several who are under way the one that began first counts: in the order of their starts one counts from where
-- all before it have ended.
--
-- Rows of a run are found by their start: no interval that reaches into a stretch began longer before it than
-- the longest of the run takes. "unlikely" tells the planner that these are few. Each common table is used once,
-- so that a condition on run, task, job and `longest`, by which all windows are parted, reaches the tables; and no
-- expression that costs much stands in one that SQLite would put into several places.
--
-- Kernels of warps have streams by their number, without end. Runs whose intervals are not recorded have no rows: all of a
-- job would look like waiting.
CREATE VIEW v_wait AS
WITH
-- Overheads of platforms. A recording whose platforms have no such columns takes those of the row of nothing.
paid AS (
	SELECT l.platform_id, coalesce((SELECT overhead_launch_ns FROM platform x WHERE x.platform_id = l.platform_id), 0)
			AS launch_ns,
		coalesce((SELECT overhead_sync_ns FROM platform x WHERE x.platform_id = l.platform_id), 0) AS sync_ns,
		max(coalesce((SELECT overhead_latency_ns FROM platform x WHERE x.platform_id = l.platform_id), 0),
			coalesce((SELECT overhead_gap_ns FROM platform x WHERE x.platform_id = l.platform_id), 0)) AS late_ns,
		coalesce((SELECT core_scheduling FROM platform x WHERE x.platform_id = l.platform_id), 'global') = 'partitioned'
			AS parted,
		coalesce((SELECT core_scheduling FROM platform x WHERE x.platform_id = l.platform_id), 'partitioned') = 'global'
			AS moving
	FROM (SELECT platform_id FROM platform) l JOIN (SELECT NULL AS overhead_launch_ns, NULL AS overhead_sync_ns,
		NULL AS overhead_latency_ns, NULL AS overhead_gap_ns, NULL AS core_scheduling)),
ran AS (
	SELECT r.run_id, r.stop_ns, l.engines, o.launch_ns, o.sync_ns, o.late_ns, o.parted, o.moving, NULL AS core, NULL AS process,
		EXISTS (SELECT 1 FROM context_interval x WHERE x.run_id = r.run_id) AS turns,
		CASE WHEN EXISTS (SELECT 1 FROM task t JOIN segment g USING (task_id)
			WHERE t.taskset_id = r.taskset_id AND g.form = 'warps') THEN 1 << 31 ELSE l.work_queues END AS work_queues,
		EXISTS (SELECT 1 FROM task t JOIN segment g USING (task_id) WHERE t.taskset_id = r.taskset_id
			AND (t.task_idx >= l.work_queues OR g.stream <> -1 OR g.gpu > 0)) AS shares,
		(SELECT max(x.end_ns - x.start_ns) FROM segment_interval x WHERE x.run_id = r.run_id) AS longest_ns
	FROM run r JOIN platform l USING (platform_id) JOIN paid o USING (platform_id)
	WHERE r.stop_ns IS NOT NULL AND r.record NOT IN ('summary', 'jobs') GROUP BY r.run_id),
-- left_ns: when the last of the earlier jobs of its task ended; last_ns: the one in front of it. own_core: of several, the
-- only one that serves it; NULL: any does. process: where processes have the GPU in turns, each with queues of its own.
lived AS (
	SELECT j.run_id, j.task_id, j.seq, j.release_ns, coalesce(j.finish_ns, r.stop_ns) AS until_ns, r.engines, NULL AS sms,
		r.work_queues, r.shares, r.launch_ns, r.sync_ns, r.late_ns, r.moving, r.longest_ns, j.outcome & 3 = 0 AS finished,
		CASE WHEN r.parted THEN (SELECT coalesce(core, 0) FROM task x WHERE x.task_id = j.task_id) END AS own_core,
		CASE WHEN r.turns THEN (SELECT coalesce(process, x.task_id) FROM task x WHERE x.task_id = j.task_id) END AS process,
		max(coalesce(j.finish_ns, r.stop_ns)) OVER earlier AS left_ns,
		last_value(coalesce(j.finish_ns, r.stop_ns)) OVER earlier AS last_ns,
		coalesce(j.finish_ns, r.stop_ns) - j.release_ns
			= max(coalesce(j.finish_ns, r.stop_ns) - j.release_ns) OVER (PARTITION BY j.run_id, j.task_id) AS longest
	FROM job j JOIN ran r ON r.run_id = j.run_id
	WINDOW earlier AS (PARTITION BY j.run_id, j.task_id ORDER BY j.seq
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
-- Of intervals on the core those of segments, and of launches and calls: a launch is a part of its operation, in front of
-- it, and so is a call of the first operation of its section, or behind the last one.
-- over_ns: when `sync` is over, behind the last operation of a section. placed_ns: when the last block was placed of a
-- kernel that has no SMs of its own.
part AS (
	SELECT l.*, max(l.release_ns, coalesce(l.left_ns, 0)) AS begin_ns, i.segment_idx, i.part, i.code, i.ready_ns,
		i.start_ns, i.end_ns, max(i.end_ns) OVER in_front AS before_ns, lag(i.segment_idx) OVER job AS before_idx,
		row_number() OVER job = 1 AS is_first,
		lead(i.start_ns) OVER job IS NULL AS is_last,
		CASE WHEN l.sync_ns > 0 AND (i.code & 3 > 0 OR max(i.end_ns) OVER in_front > i.end_ns)
			AND (i.code >> 4) & 3 = 0 AND (l.finished OR NOT EXISTS (
			SELECT 1 FROM segment n
			WHERE n.task_id = i.task_id AND n.segment_idx = i.segment_idx + 1 AND n.kind <> 'cpu'))
			THEN min(max(i.end_ns, coalesce(max(i.end_ns) OVER in_front, 0)) + l.sync_ns, l.until_ns)
			ELSE max(i.end_ns, coalesce(max(i.end_ns) OVER in_front, 0)) END AS over_ns,
		CASE WHEN i.code & 3 = 2 AND i.granted IS NULL THEN (
			SELECT b.start_ns FROM block_interval b
			WHERE b.run_id = i.run_id AND b.start_ns BETWEEN i.start_ns AND i.end_ns AND b.task_id = i.task_id
				AND b.seq = i.seq AND b.segment_idx = i.segment_idx
			ORDER BY b.start_ns DESC LIMIT 1) END AS placed_ns
	FROM lived l LEFT JOIN segment_interval i ON i.run_id = l.run_id AND i.task_id = l.task_id AND i.seq = l.seq
		AND unlikely(i.start_ns >= max(l.release_ns, coalesce(l.left_ns, 0)))
		AND unlikely(i.start_ns <= l.until_ns) AND i.code & 204 IN (0, 12, 64, 204)
	WINDOW job AS (PARTITION BY l.run_id, l.task_id, l.seq, l.longest ORDER BY i.start_ns, i.segment_idx),
		in_front AS (job ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
-- 0: an earlier job goes on; 1: waits for what the interval is on; 2: has it, with blocks to place; 3: has it;
-- 4: waits at its end for something of which no interval came; 5, 6: waits for `sync`, behind the interval before, or
-- the last one.
stretch (stretch) AS (VALUES (0), (1), (2), (3), (4), (5), (6)),
cut AS (
	SELECT p.*, s.stretch,
		CASE s.stretch WHEN 0 THEN p.release_ns
			WHEN 1 THEN max(p.ready_ns, p.begin_ns, coalesce(p.before_ns, 0))
			WHEN 2 THEN max(p.start_ns, coalesce(p.before_ns, 0))
			WHEN 3 THEN max(coalesce(p.placed_ns, p.start_ns), coalesce(p.before_ns, 0))
			WHEN 4 THEN coalesce(p.over_ns, p.begin_ns) WHEN 5 THEN p.before_ns
			ELSE max(p.end_ns, coalesce(p.before_ns, 0)) END AS from_ns,
		CASE s.stretch WHEN 0 THEN min(p.begin_ns, p.until_ns) WHEN 1 THEN p.start_ns WHEN 2 THEN p.placed_ns
			WHEN 3 THEN p.end_ns WHEN 4 THEN p.until_ns WHEN 5 THEN p.ready_ns ELSE p.over_ns END AS to_ns
	FROM part p JOIN stretch s
		ON CASE s.stretch WHEN 0 THEN p.is_first WHEN 4 THEN p.is_last
			WHEN 5 THEN p.before_idx <> p.segment_idx OR p.code >= 204 WHEN 6 THEN p.is_last AND p.end_ns IS NOT NULL
			ELSE p.start_ns IS NOT NULL END),
-- With the segment that each is about. queues: those of its GPU; work_queues are the first GPU's, or without a limit.
around AS (
	SELECT c.*, t.taskset_id, t.task_idx, g.segment_idx AS of_idx, g.kind, g.direction, g.stream, coalesce(g.gpu, 0) AS gpu,
		coalesce(CASE WHEN g.gpu > 0 AND c.work_queues < 1 << 31 THEN (SELECT u.work_queues FROM run x JOIN v_gpu u USING (platform_id)
			WHERE x.run_id = c.run_id AND u.gpu = g.gpu) END, c.work_queues) AS queues
	FROM cut c JOIN task t ON t.task_id = c.task_id LEFT JOIN segment g ON g.task_id = c.task_id
		AND g.segment_idx = CASE WHEN c.stretch = 0 THEN 0 WHEN c.stretch = 5 THEN c.before_idx
			WHEN c.stretch <> 4 OR c.code >> 4 IN (1, 4) OR c.code & 12 > 0 THEN c.segment_idx
			ELSE coalesce(c.segment_idx + 1, 0) END
	WHERE c.from_ns < c.to_ns),
-- resource: already known. need: 0 the core, 1 a copy engine, 2 the GPU, 3 more of the GPU. queue: of the hardware, -1:
-- that of the NULL stream; shared: others have operations that it may have to wait for there; asked of what waits only, and
-- where tasks share queues at all, as SQLite computes both sides of an AND.
want AS (
	SELECT c.run_id, c.task_id, c.seq, c.longest, c.of_idx AS segment_idx, c.longest_ns, c.queues AS work_queues, c.from_ns, c.to_ns,
		CASE c.stretch WHEN 0 THEN 'job' WHEN 3 THEN CASE c.code & 204 WHEN 12 THEN 'launch' WHEN 204 THEN 'call' ELSE 'own' END
			WHEN 5 THEN 'sync' WHEN 6 THEN 'sync' END AS resource,
		CASE WHEN c.stretch = 1 AND c.late_ns > 0 THEN c.start_ns - c.late_ns END AS late_ns,
		CASE c.stretch WHEN 0 THEN c.task_id END AS by_task_id,
		CASE WHEN c.stretch > 0 THEN NULL WHEN c.last_ns = c.left_ns THEN c.seq - 1 ELSE (
			SELECT max(k.seq) FROM job k
			WHERE k.run_id = c.run_id AND k.task_id = c.task_id AND k.seq < c.seq
				AND (k.finish_ns = c.left_ns OR k.finish_ns IS NULL)) END AS by_seq,
		CASE WHEN c.stretch = 2 THEN 3 WHEN c.kind = 'cpu' THEN 0
			WHEN c.stretch = 1 AND c.code & 12 > 0 THEN 0
			WHEN c.stretch = 4 AND c.launch_ns > 0 AND coalesce(c.code & 60, 0) <> 12 THEN 0
			WHEN c.kind = 'copy' THEN 1 ELSE 2 END AS need,
		c.own_core, CASE c.engines WHEN 0 THEN NULL WHEN 2 THEN c.direction = 'to_cpu' ELSE 0 END AS engine,
		CASE c.stream WHEN -2 THEN -1 WHEN -1 THEN c.task_idx % c.queues ELSE c.stream % c.queues END AS queue,
		c.moving, c.process, CASE WHEN c.shares AND c.kind <> 'cpu' AND c.stretch IN (1, 4) THEN EXISTS (
			SELECT 1 FROM task u JOIN segment o USING (task_id)
			WHERE u.taskset_id = c.taskset_id AND u.task_id <> c.task_id AND o.kind <> 'cpu'
				AND (c.process IS NULL
					OR c.process = (SELECT coalesce(process, x.task_id) FROM task x WHERE x.task_id = u.task_id))
				AND coalesce(o.gpu, 0) = c.gpu AND (o.stream = -2 OR c.stream = -2
					OR CASE o.stream WHEN -1 THEN u.task_idx ELSE o.stream END % c.queues
						= CASE c.stream WHEN -1 THEN c.task_idx ELSE c.stream END % c.queues)) END AS shared,
		coalesce(
			(SELECT a.sm_set FROM run_task a WHERE a.run_id = c.run_id AND a.task_id = c.task_id),
			(SELECT sms FROM segment x WHERE x.task_id = c.task_id AND x.segment_idx = c.of_idx)) AS sm_set,
		c.gpu
	FROM around c),
-- 0: in front of whom it meets; 1: he; 2: behind the last one, or nobody was met.
piece (piece) AS (VALUES (0), (1), (2)),
-- Its stream. In front of an operation of the NULL stream are all others that are under way, and the other way round. Of
-- what needs any of several cores, the switch to its job: meanwhile others are on the other cores.
in_stream AS (
	SELECT w.run_id, w.task_id, w.seq, w.longest, w.segment_idx, w.longest_ns, w.late_ns, w.need, w.gpu, w.engine, w.own_core,
		w.sm_set, w.resource, w.by_task_id, w.by_seq, w.from_ns, w.to_ns,
		h.task_id AS met_task_id, h.seq AS met_seq, h.start_ns, h.end_ns,
		max(w.from_ns, coalesce(max(h.end_ns) OVER earlier, 0)) AS left_ns, lead(1) OVER met IS NULL AS is_last
	FROM want w LEFT JOIN segment_interval h ON w.resource IS NULL AND w.need < 3 AND h.run_id = w.run_id
		AND unlikely(h.start_ns > w.from_ns - w.longest_ns)
		AND unlikely(h.start_ns < CASE WHEN CASE w.need WHEN 0 THEN w.moving ELSE w.shared END THEN w.to_ns ELSE -1 END)
		AND h.end_ns > w.from_ns AND CASE w.need WHEN 0 THEN h.task_id = w.task_id AND h.code & 204 = 76
			ELSE h.task_id <> w.task_id AND h.code & 3 <> 0 AND h.gpu = w.gpu END
		AND (SELECT CASE WHEN w.need = 0 THEN 1
				WHEN w.process <> (SELECT coalesce(process, x.task_id) FROM task x WHERE x.task_id = u.task_id) THEN 0
				WHEN o.stream = -2 THEN 1 WHEN w.queue = -1 THEN 1
				ELSE CASE o.stream WHEN -1 THEN u.task_idx ELSE o.stream END % w.work_queues = w.queue END
			FROM segment o JOIN task u USING (task_id)
			WHERE o.task_id = h.task_id AND o.segment_idx = h.segment_idx)
	WINDOW met AS (PARTITION BY w.run_id, w.task_id, w.seq, w.longest, w.from_ns ORDER BY h.start_ns, h.task_id),
		earlier AS (met ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
behind_stream AS (
	SELECT m.run_id, m.task_id, m.seq, m.longest, m.segment_idx, m.longest_ns, m.late_ns, m.need, m.gpu, m.engine, m.own_core,
		m.sm_set, NULL AS sms,
		CASE p.piece WHEN 1 THEN CASE m.need WHEN 0 THEN 'switch' ELSE 'stream' END ELSE m.resource END AS resource,
		CASE p.piece WHEN 1 THEN CASE WHEN m.need > 0 THEN m.met_task_id END ELSE m.by_task_id END AS by_task_id,
		CASE p.piece WHEN 1 THEN CASE WHEN m.need > 0 THEN m.met_seq END ELSE m.by_seq END AS by_seq,
		CASE p.piece WHEN 0 THEN m.left_ns WHEN 1 THEN max(m.start_ns, m.left_ns)
			ELSE max(m.left_ns, coalesce(m.end_ns, 0)) END AS from_ns,
		CASE p.piece WHEN 0 THEN min(m.start_ns, m.to_ns) WHEN 1 THEN min(m.end_ns, m.to_ns)
			ELSE m.to_ns END AS to_ns
	FROM in_stream m JOIN piece p ON p.piece < 2 OR m.is_last),
-- What it needs: the core (on which are also switches to its job, and interrupts), its engine, the GPU. Two tasks with SMs of
-- their own and none in common do not meet there, nor do two kernels that are confined to SMs apart.
on_resource AS (
	SELECT w.*, h.task_id AS met_task_id, h.seq AS met_seq, h.code AS met_code, h.start_ns, h.end_ns,
		max(w.from_ns, coalesce(max(h.end_ns) OVER earlier, 0)) AS left_ns, lead(1) OVER met IS NULL AS is_last
	FROM behind_stream w LEFT JOIN segment_interval h ON w.resource IS NULL AND h.run_id = w.run_id
		AND unlikely(h.start_ns > w.from_ns - w.longest_ns)
		AND unlikely(h.start_ns < CASE WHEN w.resource IS NULL THEN w.to_ns ELSE -1 END)
		AND h.end_ns > w.from_ns AND (h.task_id <> w.task_id OR h.code >= 64) AND h.code & 3 = min(w.need, 2)
		AND (w.need = 0 OR h.gpu = w.gpu)
		AND (w.need <> 1 OR h.unit = w.engine) AND (w.need > 0 OR w.own_core IS NULL OR h.unit = w.own_core)
		AND (w.need < 2 OR w.sm_set IS NULL OR NOT EXISTS (
			SELECT 1 FROM (SELECT coalesce(
				(SELECT a.sm_set FROM run_task a WHERE a.run_id = h.run_id AND a.task_id = h.task_id),
				(SELECT sms FROM segment x WHERE x.task_id = h.task_id AND x.segment_idx = h.segment_idx)) AS met_set)
			WHERE met_set IS NOT NULL AND NOT EXISTS (
				SELECT 1 FROM json_each(met_set) x JOIN json_each(w.sm_set) y ON x.value = y.value)))
	WHERE w.from_ns < w.to_ns
	WINDOW met AS (PARTITION BY w.run_id, w.task_id, w.seq, w.longest, w.from_ns ORDER BY h.start_ns, h.task_id),
		earlier AS (met ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
behind_resource AS (
	SELECT m.run_id, m.task_id, m.seq, m.longest, m.segment_idx, m.longest_ns, m.late_ns, m.need, m.gpu,
		CASE p.piece WHEN 1 THEN
				CASE m.need WHEN 0 THEN
						CASE WHEN m.met_code BETWEEN 128 AND 191 THEN 'release' WHEN m.met_task_id = m.task_id THEN 'switch'
							ELSE 'cpu' END
					WHEN 1 THEN 'copy' WHEN 2 THEN 'gpu' ELSE 'slowed' END
			ELSE coalesce(m.resource, CASE m.need WHEN 3 THEN 'own' END) END AS resource,
		CASE WHEN p.piece <> 1 THEN m.by_task_id WHEN m.met_task_id <> m.task_id OR m.met_code BETWEEN 128 AND 191
			THEN m.met_task_id END AS by_task_id,
		CASE WHEN p.piece <> 1 THEN m.by_seq WHEN m.met_task_id <> m.task_id OR m.met_code BETWEEN 128 AND 191
			THEN m.met_seq END AS by_seq,
		CASE p.piece WHEN 0 THEN m.left_ns WHEN 1 THEN max(m.start_ns, m.left_ns)
			ELSE max(m.left_ns, coalesce(m.end_ns, 0)) END AS from_ns,
		CASE p.piece WHEN 0 THEN min(m.start_ns, m.to_ns) WHEN 1 THEN min(m.end_ns, m.to_ns)
			ELSE m.to_ns END AS to_ns
	FROM on_resource m JOIN piece p ON p.piece < 2 OR m.is_last),
-- Right before its start: latency, and the gap to the operation in front.
delayed AS (
	SELECT b.run_id, b.task_id, b.seq, b.longest, b.segment_idx, b.longest_ns, b.need, b.gpu, b.by_task_id, b.by_seq,
		CASE p.piece WHEN 1 THEN 'latency' ELSE b.resource END AS resource,
		CASE p.piece WHEN 1 THEN max(b.from_ns, b.late_ns) ELSE b.from_ns END AS from_ns,
		CASE WHEN p.piece = 0 AND b.resource IS NULL AND b.need IN (1, 2) THEN min(b.to_ns, coalesce(b.late_ns, b.to_ns))
			ELSE b.to_ns END AS to_ns
	FROM behind_resource b JOIN piece p
		ON p.piece = 0 OR (p.piece = 1 AND b.resource IS NULL AND b.need IN (1, 2) AND b.late_ns < b.to_ns)),
-- Anything: a gate (or the order of the NULL stream) lets somebody else go first.
at_gate AS (
	SELECT w.*, h.task_id AS met_task_id, h.seq AS met_seq, h.start_ns, h.end_ns,
		max(w.from_ns, coalesce(max(h.end_ns) OVER earlier, 0)) AS left_ns, lead(1) OVER met IS NULL AS is_last
	FROM delayed w LEFT JOIN segment_interval h ON w.resource IS NULL AND w.need IN (1, 2)
		AND h.run_id = w.run_id AND unlikely(h.start_ns > w.from_ns - w.longest_ns)
		AND unlikely(h.start_ns < CASE WHEN w.resource IS NULL THEN w.to_ns ELSE -1 END)
		AND h.end_ns > w.from_ns AND h.task_id <> w.task_id AND h.code & 3 <> 0 AND h.gpu = w.gpu
	WHERE w.from_ns < w.to_ns
	WINDOW met AS (PARTITION BY w.run_id, w.task_id, w.seq, w.longest, w.from_ns ORDER BY h.start_ns, h.task_id),
		earlier AS (met ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
behind_gate AS (
	SELECT m.run_id, m.task_id, m.seq, m.longest, m.segment_idx,
		CASE p.piece WHEN 1 THEN 'gate' ELSE coalesce(m.resource, 'policy') END AS resource,
		CASE p.piece WHEN 1 THEN m.met_task_id ELSE m.by_task_id END AS by_task_id,
		CASE p.piece WHEN 1 THEN m.met_seq ELSE m.by_seq END AS by_seq,
		CASE p.piece WHEN 0 THEN m.left_ns WHEN 1 THEN max(m.start_ns, m.left_ns)
			ELSE max(m.left_ns, coalesce(m.end_ns, 0)) END AS from_ns,
		CASE p.piece WHEN 0 THEN min(m.start_ns, m.to_ns) WHEN 1 THEN min(m.end_ns, m.to_ns)
			ELSE m.to_ns END AS to_ns
	FROM at_gate m JOIN piece p ON p.piece < 2 OR m.is_last)
SELECT w.run_id, w.task_id, t.name AS task, w.seq, w.longest, w.segment_idx, w.resource, w.by_task_id,
	o.name AS by_task, w.by_seq, w.from_ns AS start_ns, w.to_ns AS end_ns, w.to_ns - w.from_ns AS amount_ns,
	(w.to_ns - w.from_ns) / 1e6 AS amount_ms
FROM behind_gate w JOIN task t ON t.task_id = w.task_id LEFT JOIN task o ON o.task_id = w.by_task_id
WHERE w.from_ns < w.to_ns;
