-- db/levels.sql - what is missing in an answer because runs were recorded at too low a level, as a sentence (db/levels.h, and
-- the page of cegsim view).
--
-- :what asks: a named query, a figure, or (:rows) a table. :level is the least that it needs, :warps whether only runs of
-- kernels of warps have such rows. It asks about :run, or the runs of :taskset, or else all; :first: the first set's.
-- The answer is one row: whether there is nothing at all, and the sentence (NULL: nothing is missing).
WITH
ask (what, level, warps, run, taskset, of_first, of_table) AS (SELECT :what, :level, :warps, CAST(:run AS TEXT), CAST(:taskset AS TEXT),
	:first, :rows),
place (level, place) AS (VALUES ('summary', 0), ('jobs', 1), ('segments', 2), ('blocks', 3), ('issues', 4)),
known AS (
	SELECT r.run_id, r.record, r.status, r.reason, r.stop_ns IS NOT NULL AS ran, h.place,
		h.place >= n.place AS has, CASE WHEN r.stop_ns IS NULL THEN 0 WHEN NOT a.warps THEN 1 ELSE EXISTS (SELECT 1
			FROM task t JOIN segment g USING (task_id) WHERE t.taskset_id = r.taskset_id AND g.form = 'warps') END AS wanted
	FROM ask a JOIN place n ON n.level = a.level JOIN run r JOIN place h ON h.level = r.record
	WHERE CASE WHEN a.run IS NOT NULL THEN CAST(r.run_id AS TEXT) = a.run
		WHEN a.taskset IS NOT NULL THEN CAST(r.taskset_id AS TEXT) = a.taskset
		WHEN a.of_first THEN r.taskset_id = (SELECT min(taskset_id) FROM run WHERE status <> 'refused')
		ELSE 1 END),
counted AS (
	SELECT count(run_id) AS runs, coalesce(sum(ran), 0) AS ran, coalesce(sum(wanted), 0) AS wanted,
		coalesce(sum(wanted AND has), 0) AS complete, coalesce(sum(wanted AND NOT has), 0) AS lacking,
		(SELECT group_concat(record, ', ') FROM (SELECT record FROM known WHERE wanted AND NOT has GROUP BY record
			ORDER BY min(place))) AS held,
		min(status) || coalesce(': ' || min(reason), '') AS why,
		CASE WHEN EXISTS (SELECT 1 FROM scenario WHERE kind = 'campaign') THEN 'record: ' || a.level || ' (in the campaign)'
			ELSE '--record ' || a.level END AS how
	FROM ask a LEFT JOIN known)
SELECT CASE WHEN runs = 0 THEN 0 WHEN ran = 0 THEN a.run IS NOT NULL ELSE complete = 0 END AS is_empty,
	CASE
	WHEN runs = 0 THEN CASE WHEN a.run IS NULL AND a.taskset IS NULL THEN 'the recording holds no run' END
	WHEN a.of_table AND wanted = 0 THEN NULL
	WHEN ran = 0 THEN CASE WHEN a.run IS NOT NULL THEN 'run ' || a.run || ' has not run: it is ' || why
		WHEN runs = 1 THEN 'the run has not run: it is ' || why
		ELSE 'none of the ' || runs || ' runs has run: they were refused, or ended with an error' END
	WHEN wanted = 0 THEN what || ' is about kernels of warps; ' || CASE
		WHEN a.run IS NOT NULL THEN 'run ' || a.run || ' has none' ELSE 'no run of the recording has any' END
	WHEN lacking = 0 THEN NULL
	WHEN complete = 0 THEN what || ' needs runs recorded with ' || how || '; ' || CASE
		WHEN a.run IS NOT NULL THEN 'run ' || a.run || ' was recorded with ' || held
		WHEN a.taskset IS NOT NULL THEN 'those of task set ' || a.taskset || ' were recorded with ' || held
		WHEN a.of_first THEN 'those of the first task set were recorded with ' || held
		ELSE 'the recording holds ' || held END
	ELSE lacking || ' of ' || wanted || ' runs ' || CASE WHEN a.of_table THEN CASE lacking WHEN 1 THEN 'has' ELSE 'have' END
			|| ' no rows in it: ' ELSE CASE lacking WHEN 1 THEN 'is' ELSE 'are' END || ' left out: ' END || what
		|| ' needs ' || how || ', and ' || CASE lacking WHEN 1 THEN 'it was' ELSE 'they were' END
		|| ' recorded with ' || held END AS sentence
FROM counted JOIN ask a
