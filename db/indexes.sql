-- db/indexes.sql - the indexes of a recording; parts of a campaign (db/writer.h) have none.
--
-- Rows of one run stand together, in the order in which they happened. Indexes beyond run_id would cost more
-- than writing the rows does.
CREATE INDEX job_run ON job (run_id);
CREATE INDEX run_task_hist_run ON run_task_hist (run_id);
CREATE INDEX segment_interval_run ON segment_interval (run_id);
CREATE INDEX segment_interval_start ON segment_interval (run_id, start_ns); -- v_wait asks for times
CREATE INDEX block_interval_run ON block_interval (run_id);
CREATE INDEX block_interval_start ON block_interval (run_id, start_ns);
CREATE INDEX power_interval_run ON power_interval (run_id, start_ns); -- and v_decision
CREATE INDEX decision_run ON decision (run_id);
CREATE INDEX measured_run ON measured (run_id, task_id, seq);
CREATE INDEX context_interval_run ON context_interval (run_id);
CREATE INDEX run_sub_core_run ON run_sub_core (run_id);
CREATE INDEX epoch_run ON epoch (run_id);
CREATE INDEX epoch_sm_run ON epoch_sm (run_id);
CREATE INDEX epoch_quota_run ON epoch_quota (run_id);
CREATE INDEX warp_issue_run ON warp_issue (run_id);
CREATE INDEX bound_part_run ON bound_part (analysis_run_id);
CREATE INDEX run_policy ON run (policy_id);
