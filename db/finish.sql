-- db/finish.sql - what the bulk tables get once, when a recording (or a merge) is complete: columns that
-- spell out codes (virtual: they take no space), and indexes.
ALTER TABLE run_task_hist ADD COLUMN lower_ns INTEGER AS (CASE WHEN bucket < 16 THEN bucket
	ELSE (16 + (bucket & 15)) << ((bucket >> 4) - 1) END) VIRTUAL;
ALTER TABLE run_task_hist ADD COLUMN upper_ns INTEGER AS (CASE WHEN bucket < 16 THEN bucket
	ELSE ((16 + (bucket & 15)) << ((bucket >> 4) - 1)) + ((1 << ((bucket >> 4) - 1)) - 1) END) VIRTUAL;
ALTER TABLE job ADD COLUMN missed INTEGER AS (outcome >> 2) VIRTUAL;
ALTER TABLE job ADD COLUMN state TEXT AS (CASE outcome & 3
	WHEN 0 THEN 'finished' WHEN 1 THEN 'dropped' WHEN 2 THEN 'aborted' ELSE 'unfinished' END) VIRTUAL;
ALTER TABLE job ADD COLUMN response_ns INTEGER AS (CASE outcome & 3
	WHEN 0 THEN finish_ns - release_ns END) VIRTUAL;
ALTER TABLE segment_interval ADD COLUMN resource TEXT AS (CASE code & 3
	WHEN 0 THEN 'cpu' WHEN 1 THEN 'copy' ELSE 'gpu' END) VIRTUAL;
ALTER TABLE segment_interval ADD COLUMN kind TEXT AS (CASE (code >> 2) & 3
	WHEN 0 THEN 'run' WHEN 1 THEN 'spin' ELSE 'boost' END) VIRTUAL;
ALTER TABLE segment_interval ADD COLUMN ended TEXT AS (CASE code >> 4
	WHEN 0 THEN 'done' WHEN 1 THEN 'preempted' WHEN 2 THEN 'aborted' ELSE 'stopped' END) VIRTUAL;
ALTER TABLE block_interval ADD COLUMN ended TEXT AS (CASE ended_code
	WHEN 0 THEN 'done' WHEN 1 THEN 'preempted' WHEN 2 THEN 'aborted' ELSE 'stopped' END) VIRTUAL;
ALTER TABLE epoch ADD COLUMN ipc_ppm INTEGER AS (thread_instructions * 1000000
	/ nullif(end_cycle - start_cycle, 0)) VIRTUAL;
ALTER TABLE warp_issue ADD COLUMN result_cycle INTEGER AS (cycle + latency_cycles) VIRTUAL;
ALTER TABLE warp_issue ADD COLUMN sm INTEGER AS (place >> 3) VIRTUAL;
ALTER TABLE warp_issue ADD COLUMN sub_core INTEGER AS (place & 7) VIRTUAL;
ALTER TABLE warp_issue ADD COLUMN threads INTEGER AS (code & 63) VIRTUAL;
ALTER TABLE warp_issue ADD COLUMN served TEXT AS (CASE code >> 6 WHEN 1 THEN 'shared' WHEN 2 THEN 'l1'
	WHEN 3 THEN 'l2' WHEN 4 THEN 'dram' END) VIRTUAL;

-- Rows of one run stand together, in the order in which they happened. Indexes beyond run_id would cost more
-- than writing the rows did.
CREATE INDEX job_run ON job (run_id);
CREATE INDEX run_task_hist_run ON run_task_hist (run_id);
CREATE INDEX segment_interval_run ON segment_interval (run_id);
CREATE INDEX block_interval_run ON block_interval (run_id);
CREATE INDEX power_interval_run ON power_interval (run_id, start_ns); -- v_decision asks for times
CREATE INDEX decision_run ON decision (run_id);
CREATE INDEX run_sub_core_run ON run_sub_core (run_id);
CREATE INDEX epoch_run ON epoch (run_id);
CREATE INDEX epoch_sm_run ON epoch_sm (run_id);
CREATE INDEX epoch_quota_run ON epoch_quota (run_id);
CREATE INDEX warp_issue_run ON warp_issue (run_id);
CREATE INDEX bound_part_run ON bound_part (analysis_run_id);
CREATE INDEX run_policy ON run (policy_id);
PRAGMA analysis_limit = 1000;
ANALYZE;
