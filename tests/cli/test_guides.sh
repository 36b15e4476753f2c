#!/bin/sh
# The guides of docs/: every command is run in the order of the page, in a folder with the files that the page shows, and
# must print what the page shows. The program is the installed one, as users have it; `sbatch` is a stand-in, and so is
# `parallel` where there is none.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/page_lib.sh
. "$SOURCES/tests/cli/page_lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

: "${CEGSIM_BUILD_ROOT:?is the folder of the build}"
docs=$SOURCES/docs

# ---- what the pages take for granted --------------------------------------------------------
run_command meson install -C "$CEGSIM_BUILD_ROOT" --no-rebuild --tags runtime,devel --destdir "$FOLDER/root"
expect_status 0 "the program and its headers are installed"
CEGSIM=$FOLDER/$(find root -name cegsim -type f -perm -u+x)
pc=$(find root -name cegsim.pc)
PKG_CONFIG_PATH=$FOLDER/${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$FOLDER/root
PATH=$FOLDER/stand-ins:${CEGSIM%/*}:$PATH
export PATH PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR

# As Slurm: runs a copy of the script, in the folder of the submission; an array has a task for each number, and what
# depends on it runs if all of them succeeded. Jobs are numbered from 4711 in each folder, and are done at once.
mkdir stand-ins
cat >stand-ins/sbatch <<'END'
#!/bin/sh
array=
parsable=
while [ $# -gt 0 ]; do
	case $1 in
	--array=*) array=${1#*=} ;;
	--parsable) parsable=yes ;;
	--dependency=afterok:*) [ "$(cat ".job-${1##*:}")" -eq 0 ] || exit 0 ;;
	-*) ;;
	*) break ;;
	esac
	shift
done
echo "$array $*" >>submitted
last=$(ls .job-* 2>/dev/null | sed 's/\.job-//' | sort -n | tail -n 1)
job=$((${last:-4710} + 1))
cp "$1" .spooled
shift
failed=0
array=${array%%%*}
for task in $(seq "${array%-*}" "${array#*-}" 2>/dev/null || echo none); do
	SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 sh .spooled "$@" >>"slurm-$job.out" 2>&1 </dev/null || failed=1
done
echo $failed >".job-$job"
[ -n "$parsable" ] && echo "$job" || echo "Submitted batch job $job"
END
# As GNU parallel, where it is not installed: one after the other.
command -v parallel >/dev/null || cat >stand-ins/parallel <<'END'
#!/bin/sh
while :; do
	case $1 in
	--halt | --jobs) shift 2 ;;
	-*) shift ;;
	*) break ;;
	esac
done
while read -r line; do
	echo "$*" | sed "s/{}/$line/g" | sh || exit 1
done
END
chmod +x stand-ins/*

# ---- the walk finds what is wrong --------------------------------------------------------------
cat >wrong.md <<'END'
```sh
# two.txt
one
```

```
$ cat two.txt
two
$ echo one; echo two
one
$ true
one
$ false
$ echo a; echo b; echo c
...
b
$ echo a
cegsim: error: a
$ cat \
> two.txt; echo b; echo c; echo d
# two.txt
...
c
d
```

<!-- if false -->

```
$ false
```
END
(walk wrong.md) >walked
sed 's/^\(not ok\|ok\) [0-9]* - wrong.md: \(.*\)/\1: \2/; /^#/d' walked | sed 1d >verdicts
compare verdicts "each mistake of a page, and nothing else" <<'END'
not ok: cat two.txt
not ok: echo one; echo two
not ok: true
not ok: false
not ok: echo a; echo b; echo c
not ok: echo a
ok: cat \
ok: false # SKIP without: false
END

# page NAME: walks docs/NAME.md in a folder of its own, which looks like the root of the sources
page() {
	mkdir "$1"
	cd "$1" || exit 99
	ln -s "$SOURCES/scenarios" "$SOURCES/contrib" .
	walk "$docs/$1.md"
	cd ..
}

# ---- the pages -------------------------------------------------------------------------------
page adding-a-policy
page policy-with-state
run_command cmp policy-with-state/recent.c "$SOURCES/contrib/plugin/recent.c"
expect_status 0 "the page shows the shipped file"
page from-simso
page python
page from-nsight
page own-bounds
run_command cmp own-bounds/rta.py "$SOURCES/contrib/python/rta.py"
expect_status 0 "the page shows the shipped formula"
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$docs/own-bounds.md" >shown.c
tail -n "$(wc -l <shown.c)" "$SOURCES/contrib/plugin/rta.c" | cmp -s shown.c - && [ -s shown.c ]
report $? "and the end of the shipped plug-in"
page cluster
page machine-of-today

# ---- what the pages say besides ----------------------------------------------------------------
# policy-with-state: what a global leaves behind shows in a run that is repeated alone.
mkdir global
sed 's/^\tstruct history \*history = .*/\tstatic struct history left_behind[1000], *history = left_behind;/' \
	"$SOURCES/contrib/plugin/recent.c" >global/recent.c
! cmp -s global/recent.c "$SOURCES/contrib/plugin/recent.c"
report $? "recent.c with a global"
cp policy-with-state/shared.yaml global
# shellcheck disable=SC2046 # words
run_command "${CC:-cc}" -shared -fPIC -O2 $(pkg-config --cflags cegsim) -o global/recent.so global/recent.c
expect_status 0 "is built"
run sweep global/shared.yaml -o global/shared.db -j 1 -q
expect_status 0 "runs in a campaign"
# shellcheck disable=SC2016 # not ours to expand
sed -n '/^\$ for run /,/^> done$/s/^[$>] //p' "$docs/policy-with-state.md" >loop
run_command sh -c 'cd global && . ../loop'
expect_line out '^run [0-9]+ differs$' "and the page's command finds it"
cp policy-with-state/recent.so .
run run "$SOURCES/scenarios/examples/vehicle.yaml" -p ./recent.so -p edf --record blocks -o vehicle.db --format csv
expect_status 0 "recent runs another scenario"
run run vehicle.db -p ./recent.so
expect_status 0 "and again from its recording"
run audit vehicle.db
expect_status 0 "in which the audit finds nothing"
for on_miss in continue drop abort; do
	sed "s/on_miss: drop/on_miss: $on_miss/; s/^sets: .*/sets: 4\nrecord: blocks/" policy-with-state/shared.yaml |
		sed 's/^policies: .*/policies: [{name: .\/recent.so, k: 1}, {name: .\/recent.so, k: 64, unit: kernel}]/' >audited.yaml
	run sweep audited.yaml -o "audited-$on_miss.db" -q
	expect_status 0 "generated sets under it, on_miss: $on_miss"
	run audit "audited-$on_miss.db"
	expect_status 0 "the audit finds nothing"
	run query "audited-$on_miss.db" "SELECT count(*), sum(status = 'ok'), sum(misses > 0) > 8 FROM v_run" --format csv
	expect_line out '^16,16,1$' "in 16 runs, more than half of them with misses"
done
run run vehicle.db
expect_status 2 "without the plug-in it cannot be repeated"
expect_line err "^cegsim: error: run 1 is under policy 'recent' of a plug-in, a file whose SHA-256 begins with [0-9a-f]{16}: name that file with -p$" \
	"which is said"

# cluster: one array task is enough to keep the merge from running, and the shares are kept.
[ "$(sed -n 1p cluster/submitted | cut -d' ' -f1)" = 0-3 ]
report $? "submit.sh made an array of four"
mkdir failing
cd failing || exit 99
cp ../cluster/study.yaml .
mkdir failed.1-of-2.db
run_command "$SOURCES/contrib/slurm/submit.sh" study.yaml failed.db 2
expect_no_file failed.db "a share that fails keeps the shares from being merged"
[ -f failed.0-of-2.db ]
report $? "and the others are kept"
cd ..

# cluster: Slurm's SIGTERM goes to the script alone. What the share has is kept, and goes on when it is submitted again.
campaign limited.yaml 6000s 30
run sweep limited.yaml -o limited-whole.db -q
SLURM_ARRAY_TASK_ID=0 SLURM_CPUS_PER_TASK=1 sh "$SOURCES/contrib/slurm/sweep.sh" limited.yaml limited.db 2 >out 2>err &
script=$!
last="kill -TERM of contrib/slurm/sweep.sh"
wait_for test -s limited.0-of-2.db.parts/0.part
report $? "a share begins"
kill -TERM $script
status=0
wait $script || status=$?
expect_status 130 "ends with 130 at the time limit"
[ -d limited.0-of-2.db.parts ]
report $? "keeps its parts"
for share in 0 1; do
	SLURM_ARRAY_TASK_ID=$share run_command sh "$SOURCES/contrib/slurm/sweep.sh" limited.yaml limited.db 2
	expect_status 0 "share $share is submitted again"
done
run_command sh "$SOURCES/contrib/slurm/merge.sh" limited.db 2
expect_status 0 "the shares are merged"
[ "$(digest limited.db)" = "$(digest limited-whole.db)" ]
report $? "to the content of the undivided sweep"
expect_no_file limited.0-of-2.db "and removed"
finish
