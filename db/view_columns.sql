-- db/view_columns.sql - what every column of a view means (cegsim query --describe, docs/recording.md); those of tables stand
-- in db/columns_asked.h and db/columns_ran.h. A test fails for a column without a row here.
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'scenario', NULL, 'name of the input file');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'taskset', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'target_utilisation', NULL, 'what the generator aimed at; NULL: nothing');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'policy_version', NULL, 'its version');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'replication', NULL, 'number of the repetition');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'set_number', NULL, 'number of the task set in the key of every draw');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'seed', NULL, 'seed of all draws');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'execution', NULL, 'worst, best, uniform or scaled');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'on_miss', NULL, 'continue, drop or abort');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'record', NULL, 'what is recorded: summary, jobs, segments, blocks or issues');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'horizon_ms', 'ms', 'releases happen before');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'stop_ms', 'ms', 'S, the instant at which the clock stopped');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'status', NULL, 'ok, truncated, refused or error');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'reason', NULL, 'why not ok; ok: what the test of the policy says against the set, that runs all the same');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'failing_task', NULL, 'name of the first task that fails the test of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'jobs', NULL, 'released jobs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'misses', NULL, 'jobs that missed their deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'miss_ratio', NULL, 'misses / jobs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'schedulable', NULL, '1: status ok and no miss');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'window_ms', 'ms', 'energy is over [0, window)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'energy_j', 'J', 'energy of the GPU over the window');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'mean_power_w', 'W', 'energy / window');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'events', NULL, 'events the engine worked off; of warps: instructions they issued');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'wall_ms', 'ms', 'time the simulation took');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'events_per_s', '1/s', 'events / time it took');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_run', 'digest', NULL, 'digest of the schedule');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'seq', NULL, 'number of the job within its task, from 0');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'release_ms', 'ms', 'release');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'first_start_ms', 'ms', 'when a segment of it was first given a resource; NULL: never');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'finish_ms', 'ms', 'when it ended, however; NULL: unfinished at S');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'deadline_ms', 'ms', 'absolute deadline; NULL: none');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'response_ms', 'ms', 'response; NULL: it did not finish');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'response_lower_ms', 'ms', 'the response, or for a job that did not finish, how long it was there at least');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'lateness_ms', 'ms', 'finish - deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'normalised_response', NULL, 'response / relative deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'missed', NULL, '1: it missed its deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_job', 'state', NULL, 'finished, dropped, aborted or unfinished');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'status', NULL, 'status of the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'rank', NULL, 'place in the policy''s priority order, 0 is highest');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'sms', NULL, 'SMs of its own');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'virtual_sms', NULL, 'virtual SMs of its own');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'sm_set', NULL, 'which SMs, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'period_ms', 'ms', 'period, or least separation');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'relative_deadline_ms', 'ms', 'relative deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'jobs', NULL, 'released jobs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'misses', NULL, 'jobs that missed their deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'responses', NULL, 'jobs that finished');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'min_ms', 'ms', 'least response');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'mean_ms', 'ms', 'mean response');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'max_ms', 'ms', 'greatest response');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'lower_bound_ms', 'ms', 'the response of an unfinished job is at least this');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_task_response', 'worst_normalised', NULL, 'greatest response / relative deadline');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'target_utilisation', NULL, 'what the generator aimed at; NULL: sets without a target');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'n', NULL, 'runs (those with an error do not count)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'k', NULL, 'schedulable runs among them');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'ratio', NULL, 'k / n');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'lower95', NULL, 'lower end of Wilson''s 95 % interval of the ratio; of so many sets, not runs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'upper95', NULL, 'upper end');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'refused', NULL, 'refused runs; they count as not schedulable');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_acceptance', 'truncated', NULL, 'truncated runs; they count as not schedulable');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'kind', NULL, 'run: runs under a policy; analysis: verdicts of an analysis on its plans');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'analysis', NULL, 'name of the analysis; NULL: runs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'analysis_params', NULL, 'its parameters, JSON; NULL: runs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'safety', NULL, 'sound or unsafe; NULL: runs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'target_utilisation', NULL, 'what the generator aimed at; NULL: sets without a target');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'n', NULL, 'runs or verdicts (those with an error do not count)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'k', NULL, 'schedulable ones among them');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'ratio', NULL, 'k / n');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'lower95', NULL, 'lower end of Wilson''s 95 % interval of the ratio');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'upper95', NULL, 'upper end');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'refused', NULL, 'refused; they count as not schedulable');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_accepted', 'truncated', NULL, 'truncated runs; they count as not schedulable');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'policy', NULL, 'name of the policy on whose plans the analysis looked');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'analysis', NULL, 'name of the analysis');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'analysis_params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'safety', NULL, 'sound, or unsafe: its bounds are known to be exceeded');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'target_utilisation', NULL, 'what the generator aimed at; NULL: sets without a target');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'n', NULL, 'sets (those with an error do not count)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'k', NULL, 'sets it calls schedulable');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'ratio', NULL, 'k / n');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'lower95', NULL, 'lower end of Wilson''s 95 % interval of the ratio');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'upper95', NULL, 'upper end');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_analysis_acceptance', 'refused', NULL, 'sets refused by the analysis or the policy; they count as not schedulable');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'analysis_run_id', NULL, 'the analysis');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'analysis', NULL, 'name of the analysis');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'analysis_params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'safety', NULL, 'sound, or unsafe: known to be exceeded');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'verdict', NULL, 'of the set: schedulable or unschedulable');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'rank', NULL, 'its place in the order of priorities, 0 highest');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'deadline_ms', 'ms', 'its deadline, from the release');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'bound_ms', 'ms', 'the bound of its response; NULL: there is none');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'meets', NULL, '1: the bound is at most the deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'own_ms', 'ms', 'part of the bound: its own CPU segments');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'copy_ms', 'ms', 'its own copies');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'gpu_ms', 'ms', 'its own kernels');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'blocking_ms', 'ms', 'tasks of lower priority, together');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound', 'interference_ms', 'ms', 'other tasks; bound_part has them one by one');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'analysis', NULL, 'name of the analysis');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'analysis_params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'safety', NULL, 'sound, or unsafe: known to be exceeded');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'run_id', NULL, 'the run it is held against: same set, platform, policy and parameters');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'status', NULL, 'status of the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'observed_ms', 'ms', 'greatest response, or S - release of an unfinished job, which takes longer; NULL: neither');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'bound_ms', 'ms', 'the bound; NULL: there is none');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'tightness', NULL, 'observed / bound; NULL: there is none, or the bound is 0');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'verdict', NULL, 'outside, removing, unbounded, beyond period, exceeded, truncated, unanswered or holds: docs/analyses.md');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_bound_check', 'holds', NULL, '1: the verdict is holds; 0: exceeded; NULL: another, the run cannot tell');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'window_ms', 'ms', 'energy is over [0, window)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'energy_j', 'J', 'energy of the GPU over the window');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'mean_power_w', 'W', 'energy / window');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'static_j', 'J', 'of that: static power');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'idle_sms_j', 'J', 'idle SMs while others are active');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'dynamic_j', 'J', 'the kernels'' dynamic power');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'gpu_active_ms', 'ms', 'time with at least one active SM; NULL: not followed, as no power is given');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'active_sm_share', NULL, 'active SMs / all SMs, while the GPU is active');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy', 'idle_sm_share', NULL, 'idle SMs / all SMs, while the GPU is active');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'taskset_id', NULL, 'the task set');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'jobs', NULL, 'released jobs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'dynamic_j', 'J', 'dynamic energy of its kernels');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'share', NULL, 'of the dynamic energy of all tasks');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_task', 'per_job_mj', 'mJ', 'dynamic energy / released jobs');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'target_utilisation', NULL, 'what the generator aimed at; NULL: sets without a target');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'runs', NULL, 'runs with an energy: neither refused nor error');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'mean_energy_j', 'J', 'mean over the runs, each over its own window');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'mean_power_w', 'W', 'mean over the runs of energy / window');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'mean_idle_share', NULL, 'mean over the runs of idle SMs / all SMs, while the GPU is active');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'pairs', NULL, 'runs beside which there is one of fcfs: same set, platform, replication and setup');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'relative_to_fcfs', NULL, 'over those: sum of the energies / sum of those under fcfs');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_energy_policy', 'miss_ratio', NULL, 'misses / jobs, over all runs');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'time_ms', 'ms', 'when the policy decided');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'seq', NULL, 'the job');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'segment_idx', NULL, 'the first kernel, of what it decided about, that is still to come');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'sms', NULL, 'SMs the policy weighed for it');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'kernel_end_ms', 'ms', 'when its last kernel would end, by the prediction');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'predicted_j', 'J', 'energy of the GPU over [time, kernel_end), by the prediction');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'true_j', 'J', 'energy of the GPU over the same interval; NULL: not recorded that far');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'error', NULL, 'predicted / true - 1; says something about what was chosen only');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'feasible', NULL, '1: no deadline would be missed by its prediction');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_decision', 'chosen', NULL, '1: it chose this number');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'run_id', NULL, 'the run, one of warps');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'policy', NULL, 'the warp scheduler');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'manager', NULL, 'the manager, one of them');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'taskset_id', NULL, 'the set of kernels');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'taskset', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'status', NULL, 'status of the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'task_id', NULL, 'the kernel');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'kernel', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'jobs', NULL, 'launches');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'misses', NULL, 'launches that missed their deadline');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'responses', NULL, 'launches that ended');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'mean_ms', 'ms', 'mean response of those');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'max_ms', 'ms', 'greatest response of those');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'cycles', 'cycles', 'from its first launch to the end of the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'ipc', NULL, 'thread instructions per cycle, over those');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'alone_ipc', NULL, 'the same when it is alone; NULL: not measured');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'times_alone', NULL, 'ipc / alone_ipc');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'goal_kind', NULL, 'ipc, share or time; NULL: no goal');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'goal_ipc', NULL, 'the IPC that is its goal; NULL: none');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'times_goal', NULL, 'ipc / goal_ipc');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'reached', NULL, '1: the IPC is at least the goal; NULL: no goal');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'warp_instructions', NULL, 'that its warps issued');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'l1_hit_ratio', NULL, 'global accesses that hit L1 / all');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'l2_hit_ratio', NULL, 'that hit L2 / all that did not hit L1');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'dram_bytes_per_cycle', 'bytes', 'moved to and from DRAM / cycles');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'swaps', NULL, 'blocks swapped out');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_warp_kernel', 'energy_j', 'J', 'of its instructions and bytes');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'run_id', NULL, 'the run, one of warps');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'policy', NULL, 'the warp scheduler');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'epoch', NULL, 'number of the epoch, from 0');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'start_cycle', 'cycles', 'its first cycle');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'end_cycle', 'cycles', 'the one behind its last');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'task_id', NULL, 'the kernel');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'kernel', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'ipc', NULL, 'thread instructions per cycle in the epoch');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'goal_ipc', NULL, 'the IPC that is its goal; NULL: none');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'adjusted_goal_ipc', NULL, 'the IPC for which the manager set the quota; NULL: it sets none');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'history_ipc', NULL, 'IPC from the first launch to the end of the epoch');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'reached', NULL, '1: the IPC in the epoch is at least the goal; NULL: no goal');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'reached_so_far', NULL, '1: history_ipc is at least the goal; NULL: no goal, or no history');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'blocks', NULL, 'blocks on SMs at its start');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_epoch', 'swaps', NULL, 'blocks swapped out in it');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'run_id', NULL, 'the run, one of warps');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'policy', NULL, 'the warp scheduler');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'params', NULL, 'its parameters, JSON');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'platform', NULL, 'name of the platform');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'taskset_id', NULL, 'the set of kernels');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'place', NULL, 'of the reason: the first one that holds counts');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'reason', NULL, 'issued, empty, quota, unit, scheduler, memory, dependence, barrier, swap or ending');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'cycles', 'cycles', 'of all sub-cores, that were so');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_stalls', 'share', NULL, 'of all cycles of all sub-cores');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'lane', NULL, 'CPU, copy 0, copy 1, GPU (kernels), SM 000 ... or pool (blocks)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'resource', NULL, 'cpu, copy, gpu or sm');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'task_id', NULL, 'the task');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'task', NULL, 'its name');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'seq', NULL, 'the job');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'segment_idx', NULL, 'the segment');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'part', NULL, 'number of the interval within the segment; NULL: blocks');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'block', NULL, 'the block; NULL: segments');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'kind', NULL, 'run, spin or boost');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'ready_ms', 'ms', 'when the segment became ready; NULL: blocks');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'start_ms', 'ms', 'start of the interval');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'end_ms', 'ms', 'its end');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_gantt', 'ended', NULL, 'done, preempted, aborted or stopped');

INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'run_id', NULL, 'the run');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'policy', NULL, 'name of the policy');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'lane', NULL, 'CPU, copy 0, copy 1, GPU, SM 000 ... or pool');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'resource', NULL, 'cpu, copy, gpu or sm');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'busy_ms', 'ms', 'time with at least one interval on the lane');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'waiting_ms', 'ms', 'of that: spinning or boosting (CPU)');
INSERT INTO column_doc (tbl, col, unit, description) VALUES
('v_utilisation', 'utilisation', NULL, 'busy / S');
