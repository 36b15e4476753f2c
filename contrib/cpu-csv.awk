# contrib/cpu-csv.awk - when threads had a CPU, as CSV, from the text that trace-cmd (report -t -N) or babeltrace2
# (--clock-seconds) prints of sched_switch. -v zero=SECONDS.NANOSECONDS is subtracted from all times (docs/captures.md).

# What is behind the word and its equals sign, up to one of the ends; "" if the word is not there.
function value(word, ends,    rest, at) {
	at = match($0, word " ?= ?")
	if (!at)
		return ""
	rest = substr($0, at + RLENGTH)
	return match(rest, ends) ? substr(rest, 1, RSTART - 1) : rest
}

# Awk counts exactly up to 2^53 only: 104 days of nanoseconds. Without a zero nothing is computed.
function nanoseconds(text,    t) {
	split(text, t, ".")
	t[2] = substr(t[2] "000000000", 1, 9)
	if (z[1] + 0 == 0 && z[2] + 0 == 0)
		return t[1] t[2]
	return sprintf("%.0f", (t[1] - z[1]) * 1000000000 + t[2] - z[2])
}

# LTTng has numbers: 0 could go on, and so could one with the bit above all states, which kernels move.
function letter(state) {
	if (state !~ /^[0-9]+$/)
		return state ~ /TASK_RUNNING/ ? "R" : "S"
	return state == 0 || state == 256 || state == 1024 || state == 2048 || state == 4096 ? "R" : "S"
}

BEGIN {
	split(zero, z, ".")
	z[2] = substr(z[2] "000000000", 1, 9)
	print "start_ns,end_ns,cpu,tid,state"
}

/sched_switch: / {
	if (match($0, /^\[[0-9]+\.[0-9]+\]/)) { # babeltrace2
		now = nanoseconds(substr($0, 2, RLENGTH - 2))
		cpu = value("cpu_id", "[ ,}]")
		old = value("prev_tid", "[ ,}]")
		new = value("next_tid", "[ ,}]")
		state = letter(value("prev_state", ", next"))
	} else if (match($0, / [0-9]+\.[0-9]+: +sched_switch/)) { # trace-cmd
		at = substr($0, RSTART + 1)
		now = nanoseconds(substr(at, 1, index(at, ":") - 1))
		match($0, /\[[0-9]+\]/)
		cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
		old = value("prev_pid", " ")
		new = value("next_pid", " ")
		state = value("prev_state", " ")
	} else
		next
	if (cpu in on && on[cpu] == old && old > 0)
		print since[cpu] "," now "," cpu "," old "," state
	on[cpu] = new
	since[cpu] = now
}
