#!/bin/sh
# cegsim replay and cegsim import of files that are no captures, are damaged, or hold less than others: each is refused
# with its name and what was expected, or what is not known is said. What readers make of them: unit/test_nsys.c,
# unit/test_captures_damaged.c.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
: "${MAKE_EXPORT:?writes exports}"

# both STATUS FILE TEXT: the two verbs end so, and standard error has a line with the file's name and the text
both() {
	for verb in replay import; do
		run $verb "$2"
		expect_status "$1" "$verb $2"
		expect_line err "$2.*($3)" "says why"
	done
}
# changed FILE SQL: an export of two threads, changed
changed() {
	cp plain.sqlite "$1"
	sqlite3 "$1" "$2"
}
"$MAKE_EXPORT" plain.sqlite tasks new 6

# ---- no export ----
both 2 nowhere.sqlite 'No such file or directory'
mkdir folder.sqlite
both 2 folder.sqlite 'is a folder|is not a file'
: >empty.sqlite
both 2 empty.sqlite 'neither .*Nsight Systems'
echo 'hello, world' >text.sqlite
both 2 text.sqlite 'neither .*Nsight Systems'
sqlite3 other.sqlite 'CREATE TABLE t (x)'
both 2 other.sqlite 'not an export of Nsight Systems'
run run "$SOURCES/scenarios/examples/first.yaml" -o first.db -q
both 2 first.db 'a recording of cegsim'
head -c 8000 plain.sqlite >cut.sqlite
both 2 cut.sqlite 'cut off: it has 8000 of'
{
	printf 'SQLite format 3\0'
	head -c 5000 /dev/zero
} >zero.sqlite
both 2 zero.sqlite 'not an SQLite file|cannot read'
if [ "$(id -u)" -ne 0 ]; then
	cp plain.sqlite closed.sqlite
	chmod 0 closed.sqlite
	both 2 closed.sqlite 'Permission denied'
fi

# ---- no trace of PyTorch ----
echo '{"foo": 1}' >other.json
both 2 other.json 'neither '
echo '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel"' >cut.json
both 2 cut.json 'the text ends here'
gzip -c cut.json | head -c 40 >cut.json.gz
both 2 cut.json.gz 'ends|cut off'
echo '{"schemaVersion": 1, "traceEvents": []}' >nothing.json
both 2 nothing.json 'no work of a GPU|no kernels'

# ---- exports that hold less ----
changed work.sqlite 'DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY'
both 2 work.sqlite 'holds no work of a GPU: no kernels, copies or memsets'
changed sms.sqlite 'UPDATE TARGET_INFO_GPU SET smCount = NULL'
both 2 sms.sqlite 'does not say how many SMs .* --platform'
changed gpu.sqlite 'DROP TABLE TARGET_INFO_GPU'
both 2 gpu.sqlite 'does not say how many SMs .* --platform'
run replay gpu.sqlite --platform jetson-tx2
expect_status 0 "a GPU that is named is replayed"
run import gpu.sqlite --platform jetson-tx2
expect_status 0 "and imported"
changed calls.sqlite 'DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME'
run replay calls.sqlite
expect_status 0 "without calls"
expect_line err 'operations whose call is not in the file: ' "they are marked"
run import calls.sqlite
expect_status 2 "and no thread has jobs"
expect_line err 'calls.sqlite .* does not say which thread issued them' "as is said"
changed start.sqlite 'ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN start'
run replay start.sqlite
expect_line err 'rows of kernels, copies or memsets were left out: their times or sizes are missing or impossible' \
	"rows without a start are left out"
run import start.sqlite --format csv
expect_line out 'were left out: their times or sizes are missing or impossible' "and import says so, too"
# answers_stay NAME SQL: with less in the file both verbs answer what they did
run replay plain.sqlite --format csv
cp out plain.replay
run import plain.sqlite --format csv
sed 's/plain//' out >plain.import
answers_stay() {
	changed less.sqlite "$2"
	run replay less.sqlite --format csv
	cmp -s out plain.replay
	report $? "replay needs no $1"
	run import less.sqlite --format csv
	sed 's/less//' out | cmp -s - plain.import
	report $? "nor does import"
}
answers_stay priorities 'ALTER TABLE TARGET_INFO_CUDA_STREAM DROP COLUMN priority'
answers_stay 'memory kinds' 'ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN srcKind'
answers_stay 'green contexts' 'ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN greenContextId'
answers_stay synchronisation 'DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_SYNCHRONIZATION'
answers_stay 'event classes' 'ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME DROP COLUMN eventClass'

# ---- versions: one of everything ----
for form in old new; do
	"$MAKE_EXPORT" $form.sqlite everything $form
	run replay $form.sqlite --format csv
	expect_line err 'recorded under Windows \(WDDM\)' "the $form form, of Windows, is marked"
	expect_line out "^kernel,$([ $form = old ] && echo 4 || echo 5)," "its kernels, those of one graph by themselves"
	expect_line out '^to_gpu,1,' "a copy whose call is there twice"
	run import $form.sqlite --format csv
	expect_status 0 "which is imported"
	expect_line out '^assumed,Windows,1,' "with the mark"
done
expect_line out '^found,capture,1,"?1 kernels are of green contexts' "green contexts are marked"
# Priorities were written without a sign: 4294967291 is -5. The kernel of stream 14 was issued last, and goes first when
# the SMs are free.
"$MAKE_EXPORT" streams.sqlite many new 3 3
sqlite3 streams.sqlite 'UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 80, start = 1000016000 + 9000 * (rowid = 2),
	end = 1000025000 + 9000 * (rowid = 2) + 40000 * (rowid = 1) WHERE 1;
	UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = 1000010000 + rowid, end = 1000011000'
for priority in 4294967291 -5 0; do
	sqlite3 streams.sqlite "UPDATE TARGET_INFO_CUDA_STREAM SET priority = $priority WHERE streamId = 13"
	run replay streams.sqlite --format csv
	cp out "priority$priority"
done
cmp -s priority4294967291 priority-5
report $? "priorities without a sign are the same"
! cmp -s priority-5 priority0
report $? "and count"

# ---- several processes ----
cp new.sqlite turns.sqlite
sqlite3 turns.sqlite 'DROP TABLE GPU_CONTEXT_SWITCH_EVENTS;
	UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 20000 WHERE globalPid / 16777216 % 16777216 = 2002'
for verb in replay import; do
	run $verb turns.sqlite
	expect_status 2 "$verb of kernels of two processes at a time"
	expect_line err 'took turns.*turns.sqlite|turns.sqlite.*took turns' "says why"
	expect_line err '--?gpuctxsw=true' "and how to record them"
done
run replay turns.sqlite --mps
expect_no_line err 'took turns' "but not if they shared the GPU"

# ---- a signal ----
# 10 GB of blanks, of which nobody reads more than a part: SIGINT comes before.
head -c 10000000 /dev/zero | tr '\0' ' ' | gzip -9 >blanks.gz
{
	echo '{"schemaVersion": 1,' | gzip
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			cat blanks.gz blanks.gz blanks.gz blanks.gz blanks.gz blanks.gz blanks.gz blanks.gz blanks.gz blanks.gz
		done
	done
} >long.json.gz
for verb in 'replay long.json.gz' 'import long.json.gz -o long.yaml'; do
	# shellcheck disable=SC2086 # a verb and its arguments
	run_command timeout --preserve-status -s INT -k 1 0.3 "$CEGSIM" $verb
	expect_status 130 "SIGINT ends a long read within a second: $verb"
done
[ "$(echo long.*)" = long.json.gz ]
report $? "and nothing is left"

finish
