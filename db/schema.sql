-- db/schema.sql - what a recording holds, schema version 3. docs/recording.md explains it.
--
-- Units are in the names: _ns nanoseconds, _uw microwatts, _uj microjoules, _ppm parts per million, _cycles and
-- _cycle cycles of the SMs' clock, _fj femtojoules; the views (views.sql) give ms, W and J. An energy is two integers and exact: energy_uj * 10^9 + energy_rest_uwns, in
-- uW*ns. Bulk tables have natural keys (run_id, task_id, seq, segment_idx). While they are filled they have
-- no constraint, no index and no generated column: each costs a tenth of the rate. finish.sql adds what is
-- wanted. Words that would occur in every row are small integers (0 and 1 take no byte) that generated
-- columns spell out. Lists of words are comparisons: an IN of more than two costs SQLite a temporary table in
-- every statement. Nothing here needs more than SQLite 3.31.
PRAGMA application_id = 0x43454753;
PRAGMA user_version = 3;

CREATE TABLE meta (
	key TEXT PRIMARY KEY,
	value TEXT NOT NULL);
CREATE TABLE column_doc (
	tbl TEXT NOT NULL,
	col TEXT NOT NULL,
	unit TEXT,
	description TEXT NOT NULL,
	PRIMARY KEY (tbl, col));

-- What was asked for ----------------------------------------------------------------------------------------
CREATE TABLE scenario (
	scenario_id INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL CHECK (kind IN ('scenario', 'campaign')),
	name TEXT NOT NULL,
	text TEXT NOT NULL,
	tool_version TEXT NOT NULL,
	overrides TEXT);
CREATE TABLE platform (
	platform_id INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	cores INTEGER NOT NULL,
	engines INTEGER NOT NULL,
	copy_latency_ns INTEGER NOT NULL,
	copy_bandwidth INTEGER,
	pool TEXT NOT NULL CHECK (pool IN ('sm', 'gpu')),
	sms INTEGER NOT NULL,
	sms_per_tpc INTEGER NOT NULL,
	threads_per_sm INTEGER,
	blocks_per_sm INTEGER,
	warps_per_sm INTEGER,
	registers_per_sm INTEGER,
	shared_memory_per_sm INTEGER,
	virtual_sms_per_sm INTEGER,
	work_queues INTEGER NOT NULL,
	pin_overhead_ns INTEGER NOT NULL,
	static_uw INTEGER NOT NULL,
	idle_per_sm_uw INTEGER NOT NULL);
CREATE TABLE taskset (
	taskset_id INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	task_count INTEGER NOT NULL,
	explicit_priorities INTEGER NOT NULL,
	target_utilisation_ppm INTEGER,
	recipe TEXT,
	recipe_index INTEGER);
CREATE TABLE release_trace (
	trace_id INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE);
CREATE TABLE trace_release (
	trace_id INTEGER NOT NULL REFERENCES release_trace,
	seq INTEGER NOT NULL,
	release_ns INTEGER NOT NULL,
	PRIMARY KEY (trace_id, seq));
CREATE TABLE trace_duration (
	trace_id INTEGER NOT NULL REFERENCES release_trace,
	seq INTEGER NOT NULL,
	segment_idx INTEGER NOT NULL,
	duration_ns INTEGER NOT NULL,
	PRIMARY KEY (trace_id, seq, segment_idx));
CREATE TABLE task (
	task_id INTEGER PRIMARY KEY,
	taskset_id INTEGER NOT NULL REFERENCES taskset,
	task_idx INTEGER NOT NULL,
	name TEXT NOT NULL,
	period_ns INTEGER,
	deadline_ns INTEGER,
	offset_ns INTEGER NOT NULL,
	priority INTEGER,
	release_kind TEXT
		CHECK (release_kind = 'periodic' OR release_kind = 'sporadic' OR release_kind = 'trace'),
	max_delay_ppm INTEGER,
	trace_id INTEGER REFERENCES release_trace,
	UNIQUE (taskset_id, task_idx));
CREATE TABLE segment (
	task_id INTEGER NOT NULL REFERENCES task,
	segment_idx INTEGER NOT NULL,
	kind TEXT NOT NULL CHECK (kind = 'cpu' OR kind = 'copy' OR kind = 'kernel'),
	best_ns INTEGER,
	worst_ns INTEGER,
	stream INTEGER,
	stream_priority TEXT CHECK (stream_priority IN ('low', 'high')),
	direction TEXT CHECK (direction = 'to_gpu' OR direction = 'to_cpu' OR direction = 'both'),
	bytes INTEGER,
	form TEXT CHECK (form = 'grid' OR form = 'work' OR form = 'profile' OR form = 'warps'),
	grid_blocks INTEGER,
	block_threads INTEGER,
	registers INTEGER,
	shared_memory INTEGER,
	overhead_ns INTEGER,
	interleave TEXT,
	profile_idx INTEGER,
	dynamic_uw INTEGER,
	PRIMARY KEY (task_id, segment_idx));
-- Kernels whose blocks are not all alike: block b of the grid takes what row b modulo the number of rows says.
CREATE TABLE segment_block (
	task_id INTEGER NOT NULL REFERENCES task,
	segment_idx INTEGER NOT NULL,
	block INTEGER NOT NULL,
	share_ppm INTEGER,
	best_ns INTEGER,
	worst_ns INTEGER,
	PRIMARY KEY (task_id, segment_idx, block));
CREATE TABLE profile (
	taskset_id INTEGER NOT NULL REFERENCES taskset,
	profile_idx INTEGER NOT NULL,
	name TEXT NOT NULL,
	sms INTEGER NOT NULL,
	best_ns INTEGER NOT NULL,
	worst_ns INTEGER NOT NULL,
	total_power_uw INTEGER,
	PRIMARY KEY (taskset_id, profile_idx, sms));
-- Sets of kernels that are programs of warps (docs/warps.md) have a row here; task i is kernel i. (The keys are no
-- INTEGER PRIMARY KEY: rowids without gaps say which rows a unit of a campaign has.)
CREATE TABLE warp_machine (
	taskset_id INTEGER NOT NULL UNIQUE REFERENCES taskset,
	clock_hz INTEGER NOT NULL,
	sub_cores INTEGER NOT NULL,
	shared_latency_cycles INTEGER NOT NULL,
	l1_latency_cycles INTEGER NOT NULL,
	l2_latency_cycles INTEGER NOT NULL,
	dram_latency_cycles INTEGER NOT NULL,
	dram_bytes_per_1000_cycles INTEGER NOT NULL,
	shared_fj INTEGER NOT NULL,
	global_fj INTEGER NOT NULL,
	dram_byte_fj INTEGER NOT NULL);
CREATE TABLE warp_unit (
	taskset_id INTEGER NOT NULL REFERENCES taskset,
	unit TEXT NOT NULL
		CHECK (unit = 'int' OR unit = 'fp' OR unit = 'fp64' OR unit = 'sfu' OR unit = 'tensor'
			OR unit = 'memory'),
	latency_cycles INTEGER,
	interval_cycles INTEGER NOT NULL,
	instruction_fj INTEGER,
	PRIMARY KEY (taskset_id, unit));
CREATE TABLE warp_kernel (
	task_id INTEGER NOT NULL UNIQUE REFERENCES task,
	blocks INTEGER NOT NULL,
	block_threads INTEGER NOT NULL,
	registers INTEGER NOT NULL,
	shared_memory INTEGER NOT NULL,
	stream INTEGER NOT NULL,
	stream_priority TEXT NOT NULL CHECK (stream_priority IN ('low', 'high')),
	launch_cycle INTEGER NOT NULL,
	period_cycles INTEGER,
	repeat INTEGER NOT NULL,
	goal_kind TEXT CHECK (goal_kind = 'ipc' OR goal_kind = 'share' OR goal_kind = 'time'),
	goal_ipc_ppm INTEGER,
	goal_share_ppm INTEGER,
	goal_time_ns INTEGER);
-- The steps of a loop's body follow it.
CREATE TABLE warp_step (
	task_id INTEGER NOT NULL REFERENCES task,
	step_idx INTEGER NOT NULL,
	kind TEXT NOT NULL
		CHECK (kind = 'compute' OR kind = 'load' OR kind = 'store' OR kind = 'shared_load'
			OR kind = 'shared_store' OR kind = 'barrier' OR kind = 'loop'),
	unit TEXT
		CHECK (unit = 'int' OR unit = 'fp' OR unit = 'fp64' OR unit = 'sfu' OR unit = 'tensor'),
	count INTEGER NOT NULL,
	body INTEGER,
	threads INTEGER,
	distance INTEGER,
	first_distance INTEGER,
	latency_cycles INTEGER,
	l1_hit_ppm INTEGER,
	l2_hit_ppm INTEGER,
	coalescing_ppm INTEGER,
	bytes INTEGER,
	PRIMARY KEY (task_id, step_idx));
CREATE TABLE policy (
	policy_id INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	params TEXT NOT NULL,
	version INTEGER NOT NULL);

-- What happened ---------------------------------------------------------------------------------------------
CREATE TABLE run (
	run_id INTEGER PRIMARY KEY,
	scenario_id INTEGER NOT NULL REFERENCES scenario,
	taskset_id INTEGER NOT NULL REFERENCES taskset,
	platform_id INTEGER NOT NULL REFERENCES platform,
	policy_id INTEGER NOT NULL REFERENCES policy,
	replication INTEGER NOT NULL,
	setup_digest TEXT NOT NULL,
	seed INTEGER NOT NULL,
	set_number INTEGER NOT NULL,
	horizon_ns INTEGER NOT NULL,
	stop_rule TEXT NOT NULL CHECK (stop_rule IN ('drained', 'horizon')),
	limit_ns INTEGER NOT NULL,
	release_kind TEXT NOT NULL
		CHECK (release_kind = 'periodic' OR release_kind = 'sporadic' OR release_kind = 'trace'),
	max_delay_ppm INTEGER,
	trace_id INTEGER REFERENCES release_trace,
	execution TEXT NOT NULL
		CHECK (execution = 'worst' OR execution = 'best' OR execution = 'uniform'
			OR execution = 'scaled'),
	scale_ppm INTEGER,
	on_miss TEXT NOT NULL CHECK (on_miss = 'continue' OR on_miss = 'drop' OR on_miss = 'abort'),
	ties TEXT NOT NULL CHECK (ties IN ('task-order', 'lower-first')),
	record TEXT NOT NULL
		CHECK (record = 'summary' OR record = 'jobs' OR record = 'segments' OR record = 'blocks'
			OR record = 'issues'),
	status TEXT NOT NULL
		CHECK (status = 'ok' OR status = 'truncated' OR status = 'refused' OR status = 'error'),
	reason TEXT,
	failing_task_id INTEGER REFERENCES task,
	virtual_sms_per_sm INTEGER,
	stop_ns INTEGER,
	window_ns INTEGER,
	cycles INTEGER,
	events INTEGER,
	jobs INTEGER,
	misses INTEGER,
	energy_uj INTEGER,
	energy_rest_uwns INTEGER,
	gpu_active_ns INTEGER,
	sm_active_ns INTEGER,
	digest TEXT,
	events_digest TEXT,
	identity_digest TEXT,
	wall_us INTEGER,
	UNIQUE (taskset_id, platform_id, policy_id, replication, setup_digest));
CREATE TABLE run_task (
	run_id INTEGER NOT NULL REFERENCES run,
	task_id INTEGER NOT NULL REFERENCES task,
	rank INTEGER,
	sms INTEGER,
	virtual_sms INTEGER,
	sm_set TEXT,
	jobs INTEGER NOT NULL,
	misses INTEGER NOT NULL,
	responses INTEGER NOT NULL,
	min_response_ns INTEGER,
	mean_response_ns INTEGER,
	max_response_ns INTEGER,
	worst_lower_bound_ns INTEGER,
	energy_uj INTEGER,
	energy_rest_uwns INTEGER,
	PRIMARY KEY (run_id, task_id));
CREATE TABLE run_warp_kernel (
	run_id INTEGER NOT NULL REFERENCES run,
	task_id INTEGER NOT NULL REFERENCES task,
	warp_instructions INTEGER NOT NULL,
	thread_instructions INTEGER NOT NULL,
	cycles INTEGER NOT NULL,
	ipc_ppm INTEGER NOT NULL,
	goal_ppm INTEGER,
	alone_ppm INTEGER,
	reached INTEGER,
	accesses INTEGER NOT NULL,
	l1_hits INTEGER NOT NULL,
	l2_hits INTEGER NOT NULL,
	dram_bytes INTEGER NOT NULL,
	swaps INTEGER NOT NULL,
	energy_fj INTEGER NOT NULL,
	PRIMARY KEY (run_id, task_id));
-- Bulk tables. finish.sql gives them their generated columns (state, missed, response_ns, ...) and indexes.
-- Log-linear: responses below 32 ns have a bucket each, above that 16 buckets share every power of two.
CREATE TABLE run_task_hist (
	run_id INTEGER REFERENCES run,
	task_id INTEGER REFERENCES task,
	bucket INTEGER,
	jobs INTEGER);
-- outcome: 0 finished, 1 dropped, 2 aborted, 3 unfinished; + 4 if the job missed its deadline.
CREATE TABLE job (
	run_id INTEGER REFERENCES run,
	task_id INTEGER REFERENCES task,
	seq INTEGER,
	release_ns INTEGER,
	abs_deadline_ns INTEGER,
	first_start_ns INTEGER,
	finish_ns INTEGER,
	outcome INTEGER);
-- code: 0 cpu, 1 copy, 2 gpu; + 0 run, 4 spin, 8 boost; + 0 done, 16 preempted, 32 aborted, 48 stopped.
CREATE TABLE segment_interval (
	run_id INTEGER REFERENCES run,
	task_id INTEGER REFERENCES task,
	seq INTEGER,
	segment_idx INTEGER,
	part INTEGER,
	code INTEGER,
	unit INTEGER,
	ready_ns INTEGER,
	start_ns INTEGER,
	end_ns INTEGER,
	granted INTEGER);
-- ended_code: 0 done, 1 preempted, 2 aborted, 3 stopped.
CREATE TABLE block_interval (
	run_id INTEGER REFERENCES run,
	task_id INTEGER REFERENCES task,
	seq INTEGER,
	segment_idx INTEGER,
	block INTEGER,
	sm INTEGER,
	slot INTEGER,
	threads INTEGER,
	start_ns INTEGER,
	end_ns INTEGER,
	ended_code INTEGER);
CREATE TABLE power_interval (
	run_id INTEGER REFERENCES run,
	start_ns INTEGER,
	end_ns INTEGER,
	power_uw INTEGER,
	active_sms INTEGER,
	idle_sms INTEGER);
CREATE TABLE decision (
	run_id INTEGER REFERENCES run,
	time_ns INTEGER,
	task_id INTEGER REFERENCES task,
	seq INTEGER,
	segment_idx INTEGER,
	sms INTEGER,
	kernel_end_ns INTEGER,
	predicted_uwns INTEGER,
	feasible INTEGER,
	chosen INTEGER);

-- Warps. A cycle of a sub-core is counted in one column; docs/warps.md says in which.
CREATE TABLE run_sub_core (
	run_id INTEGER REFERENCES run,
	sm INTEGER,
	sub_core INTEGER,
	issued_cycles INTEGER,
	empty_cycles INTEGER,
	quota_cycles INTEGER,
	unit_cycles INTEGER,
	scheduler_cycles INTEGER,
	memory_cycles INTEGER,
	dependence_cycles INTEGER,
	barrier_cycles INTEGER,
	swap_cycles INTEGER,
	ending_cycles INTEGER);
CREATE TABLE epoch (
	run_id INTEGER REFERENCES run,
	epoch INTEGER,
	task_id INTEGER REFERENCES task,
	start_cycle INTEGER,
	end_cycle INTEGER,
	warp_instructions INTEGER,
	thread_instructions INTEGER,
	adjusted_goal_ppm INTEGER,
	history_ipc_ppm INTEGER,
	blocks INTEGER,
	swaps INTEGER);
CREATE TABLE epoch_sm (
	run_id INTEGER REFERENCES run,
	epoch INTEGER,
	sm INTEGER,
	issued_cycles INTEGER,
	empty_cycles INTEGER,
	quota_cycles INTEGER,
	unit_cycles INTEGER,
	scheduler_cycles INTEGER,
	memory_cycles INTEGER,
	dependence_cycles INTEGER,
	barrier_cycles INTEGER,
	swap_cycles INTEGER,
	ending_cycles INTEGER);
CREATE TABLE epoch_quota (
	run_id INTEGER REFERENCES run,
	epoch INTEGER,
	sm INTEGER,
	task_id INTEGER REFERENCES task,
	quota INTEGER,
	counter_start INTEGER,
	counter_end INTEGER,
	added INTEGER,
	warp_instructions INTEGER,
	thread_instructions INTEGER,
	blocks INTEGER,
	target INTEGER,
	idle_sum INTEGER,
	samples INTEGER);
-- place: 8 * SM + sub-core. code: active threads + 64 * where an access was served (0 none, 1 shared memory, 2 L1, 3 L2,
-- 4 DRAM). latency_cycles: from the issue to the result.
CREATE TABLE warp_issue (
	run_id INTEGER REFERENCES run,
	cycle INTEGER,
	latency_cycles INTEGER,
	task_id INTEGER REFERENCES task,
	seq INTEGER,
	block INTEGER,
	warp INTEGER,
	number INTEGER,
	step_idx INTEGER,
	place INTEGER,
	code INTEGER);

-- What an analysis says -------------------------------------------------------------------------------------
CREATE TABLE analysis_run (
	analysis_run_id INTEGER PRIMARY KEY,
	analysis TEXT NOT NULL,
	params TEXT NOT NULL,
	safety TEXT NOT NULL CHECK (safety IN ('sound', 'unsafe')),
	version INTEGER NOT NULL,
	taskset_id INTEGER NOT NULL REFERENCES taskset,
	platform_id INTEGER NOT NULL REFERENCES platform,
	policy_id INTEGER NOT NULL REFERENCES policy,
	allocation TEXT,
	verdict TEXT NOT NULL
		CHECK (verdict = 'schedulable' OR verdict = 'unschedulable' OR verdict = 'refused'
			OR verdict = 'error'),
	reason TEXT,
	failing_task_id INTEGER REFERENCES task,
	identity_digest TEXT,
	wall_us INTEGER,
	UNIQUE (taskset_id, platform_id, policy_id, analysis, params));
CREATE TABLE bound (
	analysis_run_id INTEGER NOT NULL REFERENCES analysis_run,
	task_id INTEGER NOT NULL REFERENCES task,
	rank INTEGER NOT NULL,
	bound_ns INTEGER,
	PRIMARY KEY (analysis_run_id, task_id));
CREATE TABLE bound_part (
	analysis_run_id INTEGER NOT NULL REFERENCES analysis_run,
	task_id INTEGER NOT NULL REFERENCES task,
	part TEXT NOT NULL
		CHECK (part = 'own' OR part = 'blocking' OR part = 'interference' OR part = 'copy'
			OR part = 'gpu'),
	by_task_id INTEGER REFERENCES task,
	amount_ns INTEGER NOT NULL);

-- Which units of a campaign are in here ------------------------------------------------------------------------
-- A unit is one task set of the campaign with all its runs. Units whose set could not be made have a reason.
CREATE TABLE failed_unit (
	unit INTEGER PRIMARY KEY,
	reason TEXT NOT NULL);
-- Units first_unit .. first_unit + units - 1 were written one after the other: in every table, their rows stand
-- between the end of the stretch before and that of this one.
CREATE TABLE stretch (
	stretch_id INTEGER PRIMARY KEY,
	first_unit INTEGER NOT NULL,
	units INTEGER NOT NULL);
CREATE TABLE stretch_end (
	stretch_id INTEGER NOT NULL REFERENCES stretch,
	tbl TEXT NOT NULL,
	last_rowid INTEGER NOT NULL,
	PRIMARY KEY (stretch_id, tbl));
