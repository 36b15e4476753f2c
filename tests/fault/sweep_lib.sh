# shellcheck shell=sh
# tests/fault/sweep_lib.sh - what the tests of interrupted sweeps share.

# A campaign of 3 times SETS sets, each two runs of HORIZON: campaign FILE HORIZON SETS
campaign() {
	cat >"$1" <<-END
		cegsim-campaign: 1
		seed: 3
		sets: $3
		generate: {recipe: custom, tasks: 3, utilisation: [30%, 60%, 90%]}
		platforms: [{preset: jetson-tx2}]
		policies: [fifo-cke, rm]
		run: {horizon: $2, stop: horizon}
		detail: {record: jobs, when: first-miss, sets: [1]}
	END
}

digest() {
	"$CEGSIM" merge --digest --format csv "$@" | sed -n 's/^[^,]*,\([0-9a-f]*\),.*/\1/p'
}

# workers_of PID: the worker processes of a sweep
workers_of() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# computes PID: a worker has used so much processor time that it must be in a run
computes() {
	ticks=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f12)
	[ "${ticks:-0}" -ge 20 ]
}

# wait_for COMMAND...: waits until it succeeds, at most a minute
wait_for() {
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 3000 ] || return 1
		sleep 0.02
	done
}

# has_worker PID: does the sweep have a worker?
has_worker() {
	[ -n "$(workers_of "$1")" ]
}

# ended PID...: the process does not exist, or is a zombie
ended() {
	for pid in "$@"; do
		case $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -c1) in
		'' | Z | X) ;;
		*) return 1 ;;
		esac
	done
}
