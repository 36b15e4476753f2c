#!/bin/sh
# cegsim replay: what logs say about their streams, warnings, and numbers for programs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

own=$SOURCES/tests/data/replay
for i in 1 2 3; do
	cp "$own/head_of_line_$i.json" "log$i.json"
done

# error KERNEL: its greatest error in us, from the JSON in `out`
error_of() {
	sed -n "s/^{\"log\": .*\"kernel\": \"$1\".*\"max_us\": \([0-9.]*\),.*/\1/p" out
}

# ---- priorities: C does not wait behind the second block of B (tests/golden/test_golden_replay.c) ----
run replay log1.json log2.json log3.json --format json
expect_status 0 "three streams"
expect_no_output_on_stderr "of which nothing needs to be said"
plain=$(error_of C)
run replay log1.json log2.json log3.json --high-priority log3.json --format json
given=$(error_of C)
[ "$plain" != "$given" ]
report $? "a stream of high priority goes first"
expect_err "and is named" <<'END'
cegsim: note: streams of high priority: log3.json
END
sed 's/"label": "C"/"label": "C (high priority)"/' log3.json >said3.json
sed 's/"label": "A"/"label": "A (low priority)"/' log1.json >said1.json
run replay said1.json log2.json said3.json --format json
[ "$(error_of C)" = "$given" ]
report $? "a label that says so is read"
expect_err "with the same note" <<'END'
cegsim: note: streams of high priority: said3.json
END
expect_line out '"kernel": "C".*"high_priority": true' "in JSON it stands with the kernel"
expect_line out '"kernel": "A".*"high_priority": false' "and so does the other"
run replay said1.json log2.json log3.json --high-priority said1.json --format json
expect_line err "^cegsim: warning: said1\.json is replayed at high priority, though it says '\(low priority\)'\$" "who says other than the label is warned"
sed 's/"label": "C"/"label": "C (high priority) (low priority)"/' log3.json >both.json
run replay both.json
expect_status 2 "a stream has one priority"
expect_line err '^both\.json:[0-9]+:[0-9]+: error: this log says both' "which is said at its place"

# ---- blocks that differ ----
sed 's/0\.201015000/0.206014000/' log2.json >less.json
run replay log1.json less.json --format json
expect_no_output_on_stderr "a launch whose blocks differ by less than 5 % is even"
expect_line out '"uneven_launches": 0' "and not counted"
sed 's/0\.201015000/0.251015000/' log2.json >uneven.json
run replay log1.json uneven.json --format json
expect_line err '^cegsim: warning: in 1 of 2 launches blocks differ by more than 5 % in duration, most in launch 0 \(B\) of uneven\.json: 100 to 150 ms' \
	"one with more is warned of"
expect_line out '"uneven_launches": 1' "and counted"

# ---- numbers for programs ----
expect_line out '"launch_ns": 10000000, "block_ns": 125000000, "shortest_block_ns": 100000000, "longest_block_ns": 150000000' \
	"times are whole nanoseconds in JSON"
run replay log1.json --format csv
expect_line out '^log,kernel,process,stream,threads,launch_ns,block_ns,blocks,median_us,max_us,first_wave,sm_matches,drained$' "and in CSV"
expect_line out '^log1\.json,A,0,0,[0-9]+,[0-9]+,[0-9]+,' "without a point"
run replay log1.json
expect_line out '^log +kernel +process +stream +threads +launch_ms +block_ms +blocks +median_us' "people read milliseconds"

# ---- carve-out ----
sed 's/4096,/163840,/' "$CEGSIM_SOURCE_ROOT/tests/data/replay/carve_out_1.json" >plain.json
sed 's/4096,/163840,/; s/"block_smids": \[[0-9,]*\]/"block_smids": [0,1]/' "$CEGSIM_SOURCE_ROOT/tests/data/replay/carve_out_2.json" >shared.json
run replay plain.json shared.json --carveout --format json
expect_status 0 "SMs of a TITAN V can divide their memory"
run replay log1.json --platform jetson-tx2 --carveout
expect_status 2 "those of a Jetson TX2 cannot"
expect_line err '^cegsim: error: --carveout is for GPUs whose SMs divide their memory, from Volta on; jetson-tx2 has compute capability 6\.2$' \
	"and it is said"
finish
