#!/bin/sh
# cegsim replay of profiles: what is printed, options, exit statuses. Rules: unit/test_replay_captured.c.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# call NUMBER TS DUR; kernel NUMBER STREAM TS DUR: events of a trace, in microseconds.
call() {
	echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1,
		\"ts\": $2, \"dur\": $3, \"args\": {\"correlation\": $1}},"
}
kernel() {
	echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k$1\", \"pid\": 0, \"tid\": $2, \"ts\": $3, \"dur\": $4,
		\"args\": {\"correlation\": $1, \"stream\": $2, \"device\": 0, \"grid\": [2, 1, 1], \"block\": [64, 1, 1],
		\"registers per thread\": 16, \"shared memory\": 0}},"
}
# trace FILE: the events that come on standard input
trace() {
	{
		echo '{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Small", "computeMajor": 7,
			"computeMinor": 5, "maxThreadsPerMultiprocessor": 1024, "regsPerMultiprocessor": 65536,
			"warpSize": 32, "sharedMemPerMultiprocessor": 65536, "numSms": 2}],
			"traceEvents": ['
		cat
		echo '{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "made"}}]}'
	} >"$1"
}

# Two kernels of one stream, the second 0.5 us behind the first.
{
	call 1 100 2
	kernel 1 7 110.5 100
	call 2 120 2
	kernel 2 7 211 50
} | trace two.json

run replay two.json --format csv
expect_status 0 "a trace of PyTorch is replayed"
expect_out "kind by kind" <<'END'
kind,n,median_us,p90_us,max_us,late,stream,no_room,engine,null_stream,earlier_issue,sync,launch,submission,unexplained
kernel,2,0.25,0.5,0.5,1,1,0,0,0,0,0,0,0,0
(all),2,0.25,0.5,0.5,1,1,0,0,0,0,0,0,0,0
END
expect_no_output_on_stderr "of which nothing needs to be said"
gzip -c two.json >two.json.gz
cp two.json.gz named.otherwise
run replay named.otherwise --format csv
expect_line out '^\(all\),2,0\.25,0\.5,0\.5,' "its content says what it is"

# ---- gaps and the fit ----
run replay two.json --gap fit --format json
expect_line out '"gap_ns": 500' "a gap as it is fitted"
expect_line out '"median_us": 0, ' "predicts the second kernel"
run replay two.json --gap 300ns --format csv
expect_line out '^\(all\),2,0\.1,0\.2,0\.2,' "a gap as it is given"
run replay two.json --fit
expect_status 0 "the fit"
expect_out "is YAML" <<'END'
# cegsim replay --fit two.json
platform:
  overheads:
    launch: 2us # median, n = 2: calls that launched a kernel
    latency: 8.5us # median, n = 1: kernels that had nothing in their way, from the end of the launch
    gap: 500ns # mean, n = 1: operations that waited for the one before in their stream
    # sync: nothing in the file shows it
  copy:
    # to the GPU: no copy of at least 1 MiB
    # to the CPU: no copy of at least 1 MiB
    engines: 2
END
{
	echo 'cegsim: 1'
	cat out
	echo '  gpu: {sms: 2}'
	echo 'horizon: 10ms'
	echo 'policies: [fifo-cke]'
	echo 'tasks: [{name: a, period: 5ms, segments: [{cpu: 1ms}]}]'
} >fitted.yaml
run run fitted.yaml
expect_status 0 "that a scenario accepts"
run replay two.json --gap soon
expect_status 2 "a gap is a time"
expect_line err "or 'fit'" "or a word"

# ---- late for no known reason ----
{
	call 1 100 2
	kernel 1 7 110 20
	call 2 200 2
	kernel 2 7 260 20
} | trace late.json
run replay late.json
expect_status 1 "more than 5 % unexplained is status 1"
expect_line err '^cegsim: note: unexplained: k2 on stream 7, called at 0\.1 ms, started at 0\.16 ms, 0\.05 ms late: the event with correlation 2$' \
	"each of the worst is named"
run replay late.json --format json
expect_status 1 "in JSON, too"
expect_line out '^\{"name": "k2", "stream": 7, "correlation": 2, "call_ns": 100000, "start_ns": 160000, "predicted_ns": 110000, "late_ns": 50000, "find": ' \
	"with its times"
run replay late.json --fit
expect_status 0 "the fit answers another question"

# ---- waits for SMs: SM by SM full until 200 ----
{
	call 1 100 2
	kernel 1 7 110 90 | sed 's/\[64/[1024/'
	call 2 120 2
	kernel 2 8 200.4 50 | sed 's/\[64/[1024/'
} | trace room.json
run replay room.json
expect_status 0 "a wait for SMs is explained"
expect_line out '^waits for SMs: 1 of 1 end within 1 us of the block that R1 and R2 name, all within 0\.4 us$' "by R1 and R2"
run replay room.json --platform jetson-agx-xavier
expect_status 1 "on a larger GPU it would not have waited"

run replay room.json --carveout
expect_status 0 "SMs that divide their memory"
run replay room.json --carveout --platform jetson-tx2
expect_status 2 "which not all GPUs do"
expect_line err '^cegsim: error: --carveout is for GPUs whose SMs divide their memory, .*jetson-tx2' "is said"

# ---- marks ----
{
	kernel 1 7 110 90
	call 2 120 2
	kernel 2 7 201 50
	kernel 3 7 260 50 | sed 's/"k3"/"ncclKernel"/'
} | trace marks.json
run replay marks.json --format csv
expect_line err '^cegsim: warning: operations whose call is not in the file: 2; they are released when they started, and not compared$' \
	"work without a call is marked"
expect_line err 'NCCL' "and work that waits for other GPUs"
expect_line out '^\(all\),1,' "and left out"

# ---- two GPUs: two runs ----
{
	call 1 100 2
	kernel 1 7 110 20
	call 2 200 2
	kernel 2 8 210 20 | sed 's/"device": 0/"device": 1/'
} | trace gpus.json
run replay gpus.json --platform jetson-tx2 -q -o gpus.db
expect_status 0 "work of two GPUs is recorded"
run query gpus.db "SELECT run_id, scenario, task, start_ms FROM v_measured JOIN v_run USING (run_id)" --format csv
expect_out "each in a run of its own" <<'END'
run_id,scenario,task,start_ms
1,"GPU 0, process 1 of gpus.json",stream 7 #1,0
2,"GPU 1, process 1 of gpus.json",stream 8 #1,0
END

# ---- mistakes ----
cp "$SOURCES/tests/data/replay/head_of_line_1.json" log1.json
run replay two.json log1.json
expect_status 2 "a profile is replayed alone"
expect_err "as is said" <<'END'
cegsim: error: two.json is a profile: replay it alone, without other files
END
run replay two.json --copies c.csv
expect_status 2 "options of logs are not for profiles"
expect_err "as is said" <<'END'
cegsim: error: --copies is for logs; two.json is a profile
END
run replay log1.json --gap 1us
expect_status 2 "nor the other way round"
expect_err "as is said" <<'END'
cegsim: error: --gap is for profiles; log1.json is a log
END
run replay nowhere.json --fit
expect_status 2 "a file that is not there"
expect_line err '^nowhere\.json' "is what is wrong"
run replay log1.json --fit
expect_status 2 "nor is there a fit of logs"
run replay two.json --platform nothing
expect_status 2 "a preset that there is not"
sed 's/"numSms": 2/"numSms": 0/' two.json >unknown.json
run replay unknown.json
expect_status 2 "a GPU that the trace does not describe"
expect_line err 'name it with --platform' "must be named"
run replay unknown.json --platform jetson-tx2
expect_status 0 "and may be"
head -c 900 two.json >cut.json
run replay cut.json
expect_status 2 "a trace that was cut off"
expect_line err '^cut\.json:[0-9]+:[0-9]+: error: ' "at its place"
finish
