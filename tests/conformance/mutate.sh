#!/bin/sh
# mutate.sh NAME FILE - FILE with the fault NAME built in, on standard output. Faults are listed below, as sed
# scripts; which law must find each is said in meson.build.
set -eu
case $1 in
# The second in the primary queue places blocks when the first does not fit.
past-the-head)
	second='(uint32_t)primary->entries[primary->first + 1].who'
	script="s/^\t\tif (queue_length(primary) > 0)\$/\t\tif (queue_length(primary) > 1 \\&\\& place(m, $second))\n\t\t\tqueue_remove(primary, $second);\n&/" ;;
low-beside-high)       script='s/^\t\tif (queue_length(primary) > 0)$/\t\tif (0)/' ;;
one-kernel-at-a-time)  script='s/^\t\twhile ((head = queue_first(primary)) != NO_TASK/\t\tif ((head = queue_first(primary)) != NO_TASK/' ;;
no-room-for-blocks)    script='s/p->blocks_per_sm/(0 * p->blocks_per_sm)/' ;;
no-room-for-warps)     script='s/p->warps_per_sm/(0 * p->warps_per_sm)/' ;;
ties-by-index)         script='s/platform->sms_per_tpc != 2/platform->sms > 0/' ;;
first-that-fits)       script='s/if (key < best && remains/if (best == UINT64_MAX \&\& remains/' ;;
grants-without-slots)  script='s/bool room = !grant->slots ||.*/bool room = on_grant != NULL;/' ;;
null-stream-overtaken) script='s/^\tif (q != s->null)$/\tif (q != s->null)\n\t\treturn true;\n&/' ;;
null-stream-overtakes) script='s/s->issued\[s->queues\[other\].head\] < mine)/mine == 0)/' ;;
streams-side-by-side)  script='/s->direct &=/d' ;;
copies-first-come)     script='s/m->plan.copy_order/order_by_arrival/' ;;
copies-idle)           script='s/^\t\tm->copies.changed = true;$//' ;;
core-not-preemptive)   script='s/^\tif (task == cpu->running)$/\tif (task == cpu->running || (cpu->running != NO_TASK \&\& !cpu->spinning))/' ;;
boost-as-busy)         script='s/== WAIT_BOOST ? INT64_MIN/== WAIT_BOOST ? INT64_MAX/' ;;
two-behind-the-gate)   script='s/gate_admitted(gate) == 0/gate_admitted(gate) < 2/' ;;
gate-first-come)       script='s/m->plan.kernel_order/order_by_arrival/' ;;
power-1-uW)            script='s/static_uw + p->dynamic_uw +$/static_uw + p->dynamic_uw + 1 +/' ;;
power-shared-sm)       script='s/k->shared == 0 ?/k->shared < 2 ?/' ;;
offset-forgotten)      script='s/return task->offset_ns;/return 0;/' ;;
draw-upside-down)      script='s/return best_ns + random_upto/return worst_ns - random_upto/' ;;
dispatch-at-the-end)   script='s/m->sim.now >= m->stop_at/m->sim.now > m->stop_at/' ;;
late-is-in-time)       script='s/? now > deadline :/? now > deadline + 1 :/' ;;
*)
	echo "mutate.sh: no fault '$1'" >&2
	exit 2 ;;
esac
exec sed "$script" "$2"
