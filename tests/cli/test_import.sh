#!/bin/sh
# cegsim import: what is found in captures, the scenarios made of them, and how their runs compare with the record.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
: "${MAKE_EXPORT:?writes exports}"

# ---- two tasks ---------------------------------------------------------------------------------
"$MAKE_EXPORT" drive.sqlite tasks new 20
sqlite3 "$SOURCES/scenarios/examples/drive.sqlite" .dump >shipped
sqlite3 drive.sqlite .dump | cmp -s - shipped
report $? "is the one that is shipped"
run import drive.sqlite -o drive.yaml
expect_status 0 "an export"
expect_line out '^found +GPU +10  Test GPU: 10 SMs of 2048 threads, 32 blocks, 65536 registers' "its GPU"
expect_line out '^found +camera +20  jobs of thread 4711, cut at nvtx:frame; 7 segments, period 10 ms, longest job 3 ms$' \
	"a thread with its jobs"
expect_line out '^found +planner +4  jobs of thread 4712, cut at nvtx:plan; 3 segments, period 50 ms, longest job 7.6 ms$' \
	"every other job is a task"
expect_line out '^found +planner-2 +4  .* 5 segments, period 50 ms' "and so are the others"
expect_line out '^assumed +tasks +2  jobs of thread 4712 come in turns of 2, with time between them' "which is said"
expect_line out '^found +kernel +20  detect: 40 blocks of 256 threads, .*8 fit an SM, 1 wave; 2000 to 2300 us, 15 of 20 alone' \
	"kernels by name and block"
expect_line out '^assumed +blocks per SM +32  by the compute capability, 6.1' "what the file does not say"
expect_line drive.yaml '^#     cegsim import -o drive.yaml drive.sqlite$' "the scenario names the command"
expect_line drive.yaml 'kernel: \{grid: 40, block: 256, block_time: \[2000000, 2300000\], registers: 32, stream: 0\}\} # detect$' \
	"a kernel, from its shortest to its longest instance"
expect_line drive.yaml '# search; never ran alone$' "one whose times are not its own"
[ "$(grep -c '^camera,' drive.csv)" -eq 140 ]
report $? "the release trace has each segment of each job"
expect_line drive.csv '^camera,1,10000000,3,2100000$' "with its length"
run run drive.yaml -o drive.db --record segments -q --format csv
expect_status 0 "the scenario runs"
run import drive.sqlite --compare drive.db --format csv
expect_status 0 "and is compared"
expect_line out '^1,fifo-cke,camera,20,20,2700000,2700000,2800000,2800000,3000000,3000000,3000000,3000000,0,1,' \
	"a task alone on its core takes what it took"
expect_line out '^1,fifo-cke,planner,4,4,7100000,7410000,.*,0.75,0.25,' \
	"one that had a core of its own does not: 310 us of a frame are in its way"
expect_line err 'how exact the run is, not how well it predicts' "a comparison with what was learned is called so"
run run drive.yaml -o summary.db --record summary -q
run import drive.sqlite --compare summary.db
expect_status 2 "a recording without jobs"
expect_line err 'has no jobs of .camera. in run 1 that finished; record them with --record jobs or more$' "is refused"

# ---- the halves --------------------------------------------------------------------------------
run import drive.sqlite --learn first-half -o half.yaml
expect_status 0 "lengths of one half"
expect_line half.csv '^task,seq,release$' "releases without lengths"
[ "$(grep -c '^camera' half.csv)" -eq 10 ]
report $? "of the other half"
[ "$(grep -c '^camera,0,' half.samples.csv)" -eq 10 ]
report $? "samples of the first half"
run run half.yaml -o half.db -q
run import drive.sqlite --learn first-half --compare half.db --format csv
expect_status 0 "compared with the other half"
expect_line out '^1,fifo-cke,camera,10,10,' "ten jobs of each"
expect_no_output_on_stderr "without a note"
run import drive.sqlite --learn first-half --job whole
expect_status 2 "one job has no halves"
expect_line err "task 'camera' has one job: there is no second half to judge on" "which is said"

# ---- where jobs are ----------------------------------------------------------------------------
run import drive.sqlite --job kernel:detect --thread 4711 --format csv
expect_line out '^found,camera,19,"jobs of thread 4711, cut at kernel:detect; ' "a kernel begins a job"
run import drive.sqlite --job kernel:detect/32 --format csv
expect_line out '^found,camera,19,' "of so many registers"
expect_line out '^left out,operations,12,"of thread 4712, which has no job by kernel:detect/32"$' \
	"what has none is left out"
run import drive.sqlite --job 'nvtx:fr*' --format csv
expect_line out '^found,camera,20,"jobs of thread 4711, cut at nvtx:fr\*' "a star fits what follows"
run import drive.sqlite --job every:3 --thread 4711 --format csv
expect_line out '^found,camera,20,"jobs of thread 4711, cut at every:3;' "every so many operations"
run import drive.sqlite --job whole --format csv
expect_line out '^found,camera,1,"jobs of thread 4711, cut at whole; 120 segments' "one job of all"
run import drive.sqlite --job kernel:detect/33
expect_status 2 "no such kernel"
expect_line err 'has no job by --job' "is an error"
run import drive.sqlite --job every:3 --thread 4711 --from 100ms --to 150ms --format csv
expect_line out '^left out,operations,45,outside of --from and --to$' "a window"
expect_line out '^found,camera,5,' "with the jobs in it"
run import drive.sqlite --process 4712
expect_status 2 "a process without operations"
run import drive.sqlite --device 7
expect_status 2 "a device that is not there"
expect_line err 'drive.sqlite has no device 7$' "is named"

# ---- periods and platforms ---------------------------------------------------------------------
run import drive.sqlite --thread 4711 --period 12ms --release periodic --platform jetson-tx2 -o tx2.yaml
expect_status 0 "another period on another GPU"
expect_line tx2.yaml '^release: periodic$' "releases are periodic"
expect_line tx2.yaml '^    period: 12000000' "with the period"
expect_line tx2.yaml '^execution: \{samples: "tx2.samples.csv", together: true\}' "lengths are drawn"
expect_line tx2.yaml '^platform: \{preset: jetson-tx2\}$' "on the platform"
expect_line tx2.yaml 'grid: 40, block: 256, block_time: \[2000000, 2300000\]' "a block takes what it took"
expect_line tx2.yaml '^# assumed: GPU \(2\): a block takes on jetson-tx2 what it took on Test GPU' "which is said"
run run tx2.yaml -q
expect_status 0 "it runs"

# ---- a loop that waits for nothing -------------------------------------------------------------
"$MAKE_EXPORT" many.sqlite many new 40
run import many.sqlite --job every:4 -o many.yaml --format csv
expect_line out '^assumed,[^,]*,10,"the loop is saturated: ' "a saturated loop is noticed"
run run many.yaml -o many.db -q
run import many.sqlite --job every:4 --compare many.db --format csv
expect_line out ',10,10,45000,45000,45000,45000,45000,45000,45000,45000,0,1,' "and comes out as it was"

# ---- kernels of templates ----
cp drive.sqlite named.sqlite
sqlite3 named.sqlite "UPDATE StringIds SET value = 'void gpu::search<float>(int)' WHERE value = 'search'"
for name in 'gpu::search/32' 'gpu::sea*' 'void gpu::search<float>(int)'; do
	run import named.sqlite --job "kernel:$name"
	expect_line out '^found +planner +3  jobs of thread 4712' "a kernel by its name, as printed or in full: $name"
done
run import named.sqlite
expect_line out '^found +kernel +8  gpu::search: 20 blocks of 512 threads' "which is how it is printed"

# ---- what is refused ---------------------------------------------------------------------------
# refused TEXT ARGUMENT...
refused() {
	text=$1
	shift
	run import "$@"
	expect_status 2 "refused: $*"
	expect_line err "$text" "and why"
}
refused 'drive.csv exists already' drive.sqlite -o drive.yaml
run import drive.sqlite -o drive.yaml --force
expect_status 0 "but with --force"
cp drive.sqlite kept.yaml
cp drive.sqlite kept.csv
refused 'kept.yaml is the file that is read' kept.yaml -o kept.yaml --force
refused 'kept.csv is the file that is read' kept.csv -o kept.yaml --force
cmp -s drive.sqlite kept.yaml && cmp -s drive.sqlite kept.csv
report $? "a capture is not replaced by what is made of it"
refused 'the name of a scenario ends with .yaml' drive.sqlite -o drive.txt
refused 'wants nvtx:NAME, kernel:NAME\[/REGISTERS\], every:N or whole, got .frame.$' drive.sqlite --job frame
refused 'wants nvtx:NAME' drive.sqlite --job nvtx:
refused 'job wants a whole number from 1 to' drive.sqlite --job every:0
refused '--job kernel: wants the name of a kernel' drive.sqlite --job kernel:/3
refused 'period must be more than 0' drive.sqlite --period 0ms
refused 'from is not before --to' drive.sqlite --from 2ms --to 1ms
refused 'one after the other' drive.sqlite -o x.yaml --compare drive.db
refused 'a chain has no events' drive.sqlite --chain --guess-events
refused '--force is of the files that -o writes' drive.sqlite --force
refused 'not with --release periodic' drive.sqlite --learn first-half --release periodic
refused "there is no preset 'tx2'; did you mean 'jetson-tx2'" drive.sqlite --platform tx2
refused 'which capture\?$' --job whole
refused 'give the ones that the scenario was imported with$' drive.sqlite --thread 4712 --compare drive.db
"$MAKE_EXPORT" both.sqlite everything new
refused 'took turns|does not fit|has no|which no scenario' both.sqlite --device 3
run run "$SOURCES/scenarios/examples/first.yaml" -o first.db -q
refused 'none of that name' drive.sqlite --compare first.db
echo nothing >text.sqlite
refused 'text.sqlite' text.sqlite
run import drive.sqlite -o /nonexistent/x.yaml
expect_status 3 "a file that cannot be written"

# ---- exports that lack something, and files that are none ----
# without NAME SQL: the export of two tasks, changed
without() {
	cp drive.sqlite "$1.sqlite"
	sqlite3 "$1.sqlite" "$2"
}
without gpu 'DROP TABLE TARGET_INFO_GPU'
refused 'gpu.sqlite does not say how many SMs device 0 has, .*; name the GPU with --platform$' gpu.sqlite
run import gpu.sqlite --platform jetson-agx-xavier -o gpu.yaml --format csv
expect_status 0 "an export that does not describe its GPU, of a GPU that is named"
expect_line out '^assumed,GPU,8,"?it was recorded on jetson-agx-xavier: the file does not describe the GPU' "which is said"
run run gpu.yaml -q
expect_status 0 "it runs"
without calls 'DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME'
refused 'it does not say which thread issued them$' calls.sqlite
without names 'DROP TABLE StringIds; DROP TABLE ThreadNames; DROP TABLE NVTX_EVENTS; DROP TABLE PROCESSES'
run import names.sqlite --job every:3 --thread 4711 --format csv
expect_status 0 "an export without names and ranges"
expect_line out '^found,task,20,"jobs of thread 4711, cut at every:3;' "has its jobs"
expect_line out '^found,kernel,20,"\(no name\): 40 blocks' "and its kernels"
without shapes 'ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN gridX'
run import shapes.sqlite --format csv
expect_line out '^found,capture,1,"?of 32 kernels the export does not say all of grid, block and registers' "what is not there is said"
without times 'ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN "end"'
run import times.sqlite --format csv
expect_line out '^found,capture,1,"?32 rows of kernels, copies or memsets were left out: their times' "what has no times is left out"
expect_line out '^found,camera,20,"jobs of thread 4711, cut at nvtx:frame; 5 segments' "and the rest is imported"
without work 'DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY'
refused 'work.sqlite' work.sqlite
without windows "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);
	INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('SoftwarePlatform', 'Windows')"
run import windows.sqlite --format csv
expect_line out '^assumed,Windows,1,' "work that Windows submits in batches is named"
"$MAKE_EXPORT" old.sqlite tasks old 20
run import old.sqlite -o old.yaml
expect_status 0 "an export of an older version"
cmp -s old.csv drive.csv
report $? "has the same jobs"
head -c 20000 drive.sqlite >cut.sqlite
refused 'cut.sqlite' cut.sqlite
head -c 20000 /dev/zero >zeros.sqlite
refused 'zeros.sqlite: neither an export' zeros.sqlite
refused 'drive.db' drive.db
refused 'drive.yaml: neither an export' drive.yaml
mkdir folder
run import folder
[ "$status" -eq 2 ] || [ "$status" -eq 3 ]
report $? "a folder is no capture"
run import missing.sqlite
[ "$status" -eq 2 ] || [ "$status" -eq 3 ]
report $? "nor is what is not there"

# ---- what cannot be written ----
# An import of so many jobs is larger than the disk lets it be.
last="cegsim import drive.sqlite -o full/app.yaml, ulimit -f 2"
mkdir full
status=0
(
	trap '' XFSZ
	ulimit -f 2
	exec "$CEGSIM" import drive.sqlite -o full/app.yaml
) >out 2>err || status=$?
expect_status 3 "a full disk"
expect_line err 'cannot write full/app\.csv\.part: File too large$' "is said"
[ -z "$(ls full)" ]
report $? "no file is left, not even of those that fitted"
cp half.csv full/app.csv
mkdir full/app.samples.csv
run import drive.sqlite -o full/app.yaml --force
expect_status 2 "no place for one of the files"
rmdir full/app.samples.csv
cmp -s half.csv full/app.csv && [ "$(ls full)" = app.csv ]
report $? "what was there stays"
output=/dev/full
run import drive.sqlite
expect_status 3 "standard output that is full"
unset output

# ---- memsets, time slices ----
run import both.sqlite --process 1001 --thread 1001 --format csv
expect_line out '^found,time slices,2,"?of contexts on the GPU' "time slices are told"
expect_line out '^assumed,memsets,' "and what memsets are taken for"

# ---- threads on CPUs, from elsewhere ----
cat >cpu.csv <<'END'
start_ns,end_ns,cpu,tid,state
1000,1391000,0,4711,R
1394000,900000000,0,4711,S
1000,900000000,1,4712,S
END
run import drive.sqlite --cpu cpu.csv -o running.yaml
expect_status 0 "a CSV file says when threads had a CPU"
expect_line drive.csv '^camera,0,0,2,10000$' "the CPU takes 10 us between a copy and a kernel"
expect_line running.csv '^camera,0,0,2,7000$' "3 us of which another thread had it"
[ "$(diff drive.csv running.csv | grep -c '^>')" -eq 1 ]
report $? "nothing else changes"
cp cpu.csv own.csv
run import drive.sqlite --cpu own.csv -o own.yaml --force
expect_status 2 "a release trace does not replace it"
cmp -s cpu.csv own.csv
report $? "it is as it was"
printf 'start_ns,end_ns,cpu,tid,state\n1000,x,0,4711,R\n9,8,0,4711,S\n' >bad.csv
run import drive.sqlite --cpu bad.csv
expect_status 2 "a wrong CSV file"
expect_line err "^bad\.csv:2:6: error: 'end_ns' wants a whole number" "all its errors at their places"
expect_line err "^bad\.csv:3:3: error: 'end_ns' is before 'start_ns'\$" "at once"

# ---- what if: two threads' jobs under five policies on two boards, in one page ----
"$MAKE_EXPORT" app.sqlite tasks new 20
run import app.sqlite --release periodic -o here.yaml
run import app.sqlite --release periodic --platform jetson-agx-xavier -o xavier.yaml
expect_status 0 "two boards"
run run here.yaml xavier.yaml -p fifo-cke,prio-streams,fcfs,rm,edf -o boards.db --record segments -q
expect_status 0 "five policies on each"
run audit boards.db
expect_status 0 "as the rules have it"
run query boards.db "SELECT count(*) AS runs, count(DISTINCT platform) AS boards, count(DISTINCT policy) AS policies,
	sum(jobs > 0) AS ran, max(CASE policy WHEN 'fifo-cke' THEN reason END) IS NULL AS accepted FROM v_run" --format csv
expect_out "ten runs" <<'END'
runs,boards,policies,ran,accepted
10,2,5,10,1
END
run view boards.db -o boards.html -q
expect_status 0 "one page"
run_command python3 "$SOURCES/tests/cli/view_page.py" boards boards.db rows answers
expect_status 0 "with all rows of all runs, and the answers of all queries" || cat out
cat >boards.yaml <<'END'
cegsim-campaign: 1
policies: [fifo-cke, prio-streams, fcfs, rm, edf]
record: segments
generate:
  recipe: scenario
  file: here.yaml
  set:
    platform: [{preset: jetson-agx-xavier}, {preset: jetson-agx-orin}]
END
run sweep boards.yaml -o campaign.db -q
expect_status 0 "the same as a campaign"
run query campaign.db "SELECT platform, max_ms FROM v_task_response WHERE task = 'camera' AND policy = 'fifo-cke'" --format csv
cp out campaign.csv
run query boards.db "SELECT platform, max_ms FROM v_task_response WHERE task = 'camera' AND policy = 'fifo-cke'
	AND platform = 'jetson-agx-xavier'" --format csv
expect_line campaign.csv "^$(sed -n 2p out)\$" "says the same of the board that both have"
run view campaign.db -o campaign.html -q
run_command python3 "$SOURCES/tests/cli/view_page.py" campaign campaign.db rows answers
expect_status 0 "and is one page" || cat out

# ---- real captures -----------------------------------------------------------------------------
recorded=$(real nsys/cloverleaf-a100.sqlite)
if [ -f "$recorded" ]; then
	run import "$recorded" -o cloverleaf.yaml --format csv
	expect_status 0 "cloverleaf"
	expect_line out '^found,cuda-cloverleaf,4,".* in turns of 2; 600 segments' "a job is two steps"
	expect_line out '^assumed,cuda-cloverleaf,4,"the loop is saturated' "in a saturated loop"
	run run cloverleaf.yaml -o cloverleaf.db -q
	run import "$recorded" --compare cloverleaf.db --format csv
	far=$(awk -F, 'NR > 1 { for (i = 6; i < 14; i += 2) { d = $i - $(i + 1); d = d < 0 ? -d : d; far = d > far ? d : far } }
		END { print far + 0 }' out)
	[ "$(wc -l <out)" -eq 2 ] && [ "$far" -le 1000 ]
	report $? "65 ms come out within 1 us ($far ns)"
fi

# The numbers of docs/validation.md.
# profile FILE SAYS RESPONSES: what is said of its first task, and that task's least to greatest responses
profile() {
	recorded=$(real "$1")
	[ -f "$recorded" ] || return
	name=${1##*/}
	name=${name%%.*}
	run import "$recorded" -o "$name.yaml" --force --format csv
	expect_status 0 "$name"
	expect_line out "$2" "what its job issues ahead"
	run run "$name.yaml" -o "$name.db" -q
	run import "$recorded" --compare "$name.db" --format csv
	[ "$(sed -n 2p out | cut -d, -f6-13)" = "$3" ]
	report $? "how its jobs come out" || sed 's/^/#   /' out
}
profile nsys/cloverleaf-a100.sqlite '^assumed,[^,]*,192,"?a job is a chain: ' \
	64582527,64582172,64810057,64810103,65180592,65180735,65180592,65180735
profile nsys/concurrent-gtx1060-s1.sqlite '^found,[^,]*,59,"operations of a job are in flight: .* 2 waits,' \
	68644657,66250146,68644657,66250146,68644657,66250146,68644657,66250146
profile nsys/concurrent-gtx1060-s4.sqlite '^found,[^,]*,59,"operations of a job are in flight: .* 2 waits,' \
	224297889,220797333,224297889,220797333,224297889,220797333,224297889,220797333
profile traces/alexnet-a100.json.gz '^found,[^,]*,40,"operations of a job are in flight: .* 3 times an operation' \
	27232000,27246103,27232000,27246103,4957805000,4957804509,4957805000,4957804509
profile traces/event-sync-multi-stream.json.gz '^found,[^,]*,6,"operations of a job are in flight: .* 1 time an' \
	19530000,19530000,19530000,19530000,19530000,19530000,19530000,19530000
profile traces/v100-dnn-ns.json.gz '^found,[^,]*,744,"operations of a job are in flight: ' \
	82413536,82356869,144844994,141507452,145084634,143868354,145084634,143868354

finish
