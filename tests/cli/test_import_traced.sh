#!/bin/sh
# cegsim import of kernel traces: traces that tests/support/make_trace.py writes, lists of them, and what is wrong with
# them. What becomes of which instruction: unit/test_traced.c.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# trace FILE [BLOCKS [ROUNDS [VERSION]]]
trace() {
	python3 "$SOURCES/tests/support/make_trace.py" "$@"
}
# program FILE: its program
program() {
	sed -n '/program:/,/^policies/p' "$1"
}

# ---- a trace ----
trace kernel-1.traceg 4 10
run import kernel-1.traceg
expect_status 0 "a trace is looked at"
expect_line out '^found +k1 +8  warps in 4 blocks: _Z3addPfS_S_; 32 fit an SM' "its kernel"
expect_line out '^found +k1 +9  steps of 63 instructions, with 1 loop' "its program"
expect_line out '^found +k1 +[0-9]+  accesses to global memory, of 2.33 sectors each' "its accesses"
expect_line out '^assumed +platform +80  SMs of titan-v' "the GPU"
expect_line out '^left out +k1 +1  warps took another way' "what is lost"
run import kernel-1.traceg -o one.yaml
expect_status 0 "a scenario is written"
program one.yaml >steps
compare steps "the program" <<-'END'
	      program:
	        - compute: {unit: int}
	        - loop:
	            times: 10
	            body:
	              - load: {distance: 2, bytes: 4, l1_hit: 0, l2_hit: 0, coalescing: 1}
	              - load: {bytes: 1, l1_hit: 0.946667, l2_hit: 0.75, coalescing: 1}
	              - compute: {unit: fp, distance: 1}
	              - store: {threads: 16, distance: 1, bytes: 4, l1_hit: 0, l2_hit: 0, coalescing: 1}
	              - compute: {unit: int, count: 2, first: 6}
	        - barrier
	        - compute: {unit: int}
	policies: [gto, lrr]
END
run run one.yaml -o one.db
expect_status 0 "it runs"
expect_line out ' k1 .* 504 ' "with the instructions of its way: 8 warps of 63"
run audit one.db
expect_status 0 "and the audit agrees"
run import kernel-1.traceg -o one.yaml
expect_status 2 "a file is not replaced"
run import kernel-1.traceg -o one.yaml --force
expect_status 0 "but with --force"
run import kernel-1.traceg -o one.txt
expect_line err 'ends with .yaml' "a scenario has its name"

# ---- versions, and compression ----
trace old.traceg 4 10 2
run import old.traceg -o old.yaml
program old.yaml >older
cmp -s steps older
report $? "a trace of version 2 is the same program"
gzip -c kernel-1.traceg >packed.traceg.gz
run import packed.traceg.gz -o packed.yaml
program packed.yaml >packed
cmp -s steps packed
report $? "and so is a gzipped one"
head -c 300 packed.traceg.gz >cut.traceg.gz
run import cut.traceg.gz
expect_status 2 "a gzipped one that is cut off"
expect_line err 'damaged or cut off|ends' "is refused"
printf '\3757zXZ\0' >packed.traceg.xz
run import packed.traceg.xz
expect_status 2 "xz is not read"
expect_line err 'xz -d packed.traceg.xz' "but said"

# ---- caches and GPUs ----
run import kernel-1.traceg --sm-cache 0 --gpu-cache 0 -o small.yaml
expect_line small.yaml 'load: .bytes: 1, l1_hit: 0.[0-4]' "without caches little hits"
run import kernel-1.traceg --sm-cache some
expect_status 2 "a size is one"
run import kernel-1.traceg --platform jetson-agx-orin
expect_line out '192KiB of L1 and shared memory, the GPU 4MiB' "the caches are those of the GPU"
expect_no_line out 'SMs of' "that was named"
run import kernel-1.traceg --platform gtx-1080-ti
expect_line out '48KiB of L1, the GPU' "L1 is alone there"
run import kernel-1.traceg --platform jetson-tx1
expect_line err 'the caches of jetson-tx1 are not known: --sm-cache and --gpu-cache' "if they are known"
sed 's/binary version = 70/binary version = 75/' kernel-1.traceg >turing.traceg
run import turing.traceg
expect_line err 'no preset is a GPU for machine code of version 75: --platform' "a GPU that no preset is like"

# ---- lists ----
mkdir list
for n in 1 2 3 4 5 6 7 8 9; do
	trace list/kernel-$n.traceg 2 "$n"
	echo kernel-$n.traceg
done >list/kernelslist.g
sed -i '1i MemcpyHtoD,0x00007f0000000000,4096\nMemcpyDtoH,0x0,1' list/kernelslist.g
run import list/kernelslist.g -o list.yaml
expect_status 0 "a list"
expect_line out '^left out +copies +1  to the GPU, of 4096 bytes' "its copies"
expect_line out '^left out +launches +1  of 9: a scenario has at most 8' "what does not fit"
run run list.yaml -o list.db -q
run query list.db 'SELECT COUNT(*) FROM job WHERE run_id = 1' --format csv
expect_line out '^8$' "eight launches run"
run import list/kernelslist.g --launches 9 -o ninth.yaml
expect_line ninth.yaml 'name: k9' "one of them"
run import list/kernelslist.g --launches 3-4 -o two.yaml
expect_line two.yaml 'name: k4' "two of them"
run import list/kernelslist.g --launches 10
expect_line err 'has 9 launches, none of number 10' "one that is not there"
for wrong in 0 4-3 1-9 x 3-; do
	run import list/kernelslist.g --launches $wrong
	expect_status 2 "--launches $wrong"
done
echo kernel-12.traceg >list/kernelslist.g
run import list/kernelslist.g
expect_line err 'list/kernel-12.traceg: .*No such file' "a trace that is not there"
echo 'MemcpyHtoD,4096' >list/kernelslist.g
run import list/kernelslist.g
expect_line err 'list/kernelslist.g:1:1: error: a copy is MemcpyHtoD,ADDRESS,BYTES' "a copy that is none"

# ---- what is wrong ----
sed 's/ STG.E.SYS 2 R8 R3 4 0 / STG.E.SYS 2 R8 Q3 4 0 /; 3s/.*/-grid dim = (1,1,1)/' kernel-1.traceg >wrong.traceg
run import wrong.traceg -o wrong.yaml
expect_status 2 "a trace with errors"
expect_line err '^wrong.traceg:26:32: error: a register is R0 to R255, not .Q3.$' "has their places"
expect_line err 'the grid has 1 blocks; this is one more' "of all of them"
expect_no_file wrong.yaml "and makes no file"
run import kernel-1.traceg --job whole
expect_line err '^cegsim: error: --job is not for kernel-1.traceg, which is a trace of kernels' "options of captures"
run import "$SOURCES/scenarios/examples/drive.sqlite" --gpu-cache 1MiB
expect_line err 'error: --gpu-cache is not for .*drive.sqlite, which is none of kernels' "and of traces"

finish
