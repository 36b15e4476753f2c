#!/bin/sh
# mutate.sh NAME FILE - FILE with the fault NAME built in, on standard output. Faults are listed below, as sed
# scripts; which law must find each is said in meson.build.
set -eu
case $1 in
# A head that does not fit is sent behind the others.
past-the-head)         script='/low kernels place nothing/s/.*/{ queue_push(primary, INT64_MAX, queue_pop(primary), m->sim.now); break; }/' ;;
low-beside-high)       script='/low kernels place nothing/s/break;/;/' ;;
one-kernel-at-a-time)  script='s/while ((head = queue_first(primary))/if ((head = queue_first(primary))/' ;;
no-room-for-blocks)    script='s/p->blocks_per_sm/(0 * p->blocks_per_sm)/' ;;
no-room-for-warps)     script='s/p->warps_per_sm/(0 * p->warps_per_sm)/' ;;
ties-by-index)         script='s/platform->sms_per_tpc != 2/platform->sms > 0/' ;;
grants-without-slots)  script='s/on_sm\[sm\]++;/;/' ;;
null-stream-overtaken) script='s/^\tif (q != s->null)$/\tif (q != s->null)\n\t\treturn true;\n&/' ;;
null-stream-overtakes) script='s/s->issued\[s->queues\[other\].head\] < mine)/mine == 0)/' ;;
streams-side-by-side)  script='/s->direct &=/d' ;;
copies-first-come)     script='s/m->plan.copy_order/order_by_arrival/' ;;
copies-idle)           script='/^void copies_dispatch/,/^{/s/^{/{\n\tif (m->sim.now % 3 == 0)\n\t\treturn;/' ;;
core-first-come)       script='s/m->plan.cpu_order/order_by_arrival/' ;;
boost-as-busy)         script='s/== WAIT_BOOST ? INT64_MIN/== WAIT_BOOST ? INT64_MAX/' ;;
two-behind-the-gate)   script='s/gate_admitted(gate) == 0/gate_admitted(gate) < 2/' ;;
gate-first-come)       script='s/m->plan.kernel_order/order_by_arrival/' ;;
# The gate, and SMs given at run time.
gate-ties-forgotten)   script='s/g->waiting.lower_first ? lower_first(g, i) ://' ;;
wakes-the-latest)      script='s/else if (at < sim_armed_at(&m->sim, m->slot_wake))/else/' ;;
kernel-end-unasked)    script='/^void gate_operation_ended/,/^}/s/m->gate.changed = true;/m->gate.changed |= over || m->plan.unit == GATE_KERNEL;/' ;;
grant-of-the-last)     script='/^void gpu_grant/,/^}/s/launch->grant = launch->fixed;/;/' ;;
grant-of-whole-sms)    script='/^void gpu_grant/,/^}/s/if (grant->slots)/if (false)/' ;;
length-on-all-sms)     script='s/t->left = length > 0 ? length : 1;/(void)length;/' ;;
length-zero-there)     script='s/t->left = length > 0 ? length : 1;/t->left = length;/' ;;
unit-to-section-end)   script='s/(m->plan.unit == GATE_SECTION_KERNELS && !t->step->gated)/false/' ;;
waits-for-nothing)     script='s/if (t->waits && over)/if (false)/' ;;
aborted-at-the-gate)   script='s/if (t->place == PLACE_RUNNING && t->waits)/if (false)/' ;;
copies-at-the-gate)    script='s/if (!goes_ahead(m, t)) {/if (true) {/' ;;
deadline-of-section)   script='s/steps\[i\].behind = behind;/steps[i].behind = section;/' ;;
no-reservation)        script='s/^\t\ttake(s, &s->grants\[task\]);/\t\tif (free)\n\t&/' ;;
held-and-given)        script='s/if (gate_is_admitted(gate, task))/if (false)/' ;;
sms-of-two)            script='s/b->holder\[sm\] = task;/;/' ;;
power-1-uW)            script='s/static_uw + p->dynamic_uw +$/static_uw + p->dynamic_uw + 1 +/' ;;
power-shared-sm)       script='s/k->shared == 0;/k->shared < 2;/' ;;
power-rounded-down)    script='s/div_half_even(sum, weights)/(int64_t)(sum \/ weights)/' ;;
power-of-others)       script='s/charge(p, k, dynamic - share->dynamic_uw)/charge(p, \&p->kernels[sm->first], dynamic - share->dynamic_uw)/' ;;
sms-counted-late)      script='s/(int128)p->shown_active \* length/(int128)p->active_sms * length/' ;;
offset-forgotten)      script='s/return task->offset_ns;/return 0;/' ;;
draw-upside-down)      script='s/return best_ns + random_upto/return worst_ns - random_upto/' ;;
dispatch-at-the-end)   script='s/m->sim.now >= m->stop_at/m->sim.now > m->stop_at/' ;;
late-is-in-time)       script='s/? now > deadline :/? now > deadline + 1 :/' ;;
*)
	echo "mutate.sh: no fault '$1'" >&2
	exit 2 ;;
esac
exec sed "$script" "$2"
