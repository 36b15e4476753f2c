#!/bin/sh
# mutate.sh FILE FOLDER NAME... - for each fault NAME, writes FOLDER/mutant-NAME.c: FILE with the fault built in. Faults
# are listed below, as sed scripts; meson.build says which law must find each.
set -eu
file=$1
folder=$2
shift 2
for fault; do
case $fault in
# A head that does not fit goes behind the others.
past-the-head|flight-past-the-head) script='/low kernels place nothing/s/.*/{ queue_push(primary, INT64_MAX, queue_pop(primary), m->sim.now); break; }/' ;;
low-beside-high)       script='/low kernels place nothing/s/break;/;/' ;;
one-kernel-at-a-time)  script='s/while ((head = queue_first(primary))/if ((head = queue_first(primary))/' ;;
no-room-for-blocks)    script='s/p->blocks_per_sm/(0 * p->blocks_per_sm)/' ;;
no-room-for-warps)     script='s/p->warps_per_sm/(0 * p->warps_per_sm)/' ;;
divided-for-ever)      script='s/if (blocks_on(pool, room) == 0)/if (false)/' ;;
divided-by-the-last)   script='s/if (blocks_on(pool, room) == 1)/if (true)/' ;;
ties-by-index)         script='s/platform->sms_per_tpc != 2/platform->sms > 0/' ;;
grants-without-slots)  script='s/on_sm\[sm\]++;/on_sm[sm] += 0;/' ;;
null-stream-overtaken) script='s/^\tif (q != null)$/\tif (q != null)\n\t\treturn true;\n&/' ;;
null-stream-overtakes) script='s/s->issued\[s->queues\[other\].head\] < mine)/mine == 0)/' ;;
streams-side-by-side)  script='/s->direct &=/d' ;;
copies-first-come|flight-copies-first-come) script='s/m->plan.copy_order/order_by_arrival/' ;;
copies-idle|flight-copies-idle) script='/^void copies_dispatch/,/^{/s/^{/{\n\tif (m->sim.now % 3 == 0)\n\t\treturn;/' ;;
context-copies-idle)   script='/^void copies_dispatch/,/^{/s/^{/{\n\tif (m->contexts.copies \&\& m->sim.now % 3 == 0)\n\t\treturn;/' ;;
core-first-come)       script='s/m->plan.cpu_order/order_by_arrival/' ;;
boost-as-busy)         script='s/join_in_front(m, t, task, BOOSTED)/join_in_front(m, t, task, INT64_MAX)/' ;;
two-behind-the-gate)   script='s/gate_admitted(gate) == 0/gate_admitted(gate) < 2/' ;;
gate-first-come)       script='s/m->plan.kernel_order/order_by_arrival/' ;;
# The gate, and SMs given at run time.
gate-ties-forgotten)   script='s/g->waiting.lower_first ? lower_first(g, i) ://' ;;
wakes-the-latest)      script='s/else if (at < sim_armed_at(&m->sim, m->slot_wake + g->gpu))/else/' ;;
kernel-end-unasked)    script='/^void gate_operation_ended/,/^}/s/g->changed = true;/g->changed |= over || m->plan.unit == GATE_KERNEL;/' ;;
grant-of-the-last)     script='/^void gpu_grant/,/^}/s/launch->grant = launch->fixed;/;/' ;;
grant-of-whole-sms)    script='/^void gpu_grant/,/^}/s/if (grant->slots)/if (false)/' ;;
length-on-all-sms)     script='s/t->left = length > 0 ? length : 1;/(void)length;/' ;;
# Pinning: as part of the critical path, or not in the best case.
pinned-as-overhead)    script='s/overhead = segment->overhead_ns;/overhead = segment->overhead_ns + platform->pin_overhead_ns;/; s/shape->worst_ns = (int64_t)worst + .*/shape->worst_ns = (int64_t)worst;/' ;;
pinned-at-worst-only)  script='s/shape->best_ns = best + platform->pin_overhead_ns;/shape->best_ns = best;/' ;;
length-zero-there)     script='s/t->left = length > 0 ? length : 1;/t->left = length;/' ;;
unit-to-section-end)   script='s/(m->plan.unit == GATE_SECTION_KERNELS && !t->step->gated)/false/' ;;
waits-for-nothing)     script='s/if (t->waits && over)/if (false)/' ;;
leaving-unasked)       script='/^void gate_leave/,/^}/s/g->changed = true;/;/' ;;
aborted-at-the-gate)   script='s/if (t->place == PLACE_RUNNING && t->waits)/if (false)/' ;;
copies-at-the-gate)    script='s/if (!goes_ahead(m, t)) {/if (true) {/' ;;
deadline-of-section)   script='s/steps\[i\].behind = behind;/steps[i].behind = all;/' ;;
no-reservation)        script='s/keep(s, task, s->rank\[task\] + 1);/;/' ;;
reserves-from-all)     script='s/keep(s, task, s->rank\[task\] + 1);/keep(s, task, KEPT_FROM_ALL);/' ;;
held-and-given)        script='s/keep(s, task, KEPT_FROM_ALL);/;/' ;;
sms-of-two)            script='s/b->holder\[sm\] = task;/;/' ;;
power-1-uW)            script='s/static_uw + p->dynamic_uw +$/static_uw + p->dynamic_uw + 1 +/' ;;
power-shared-sm)       script='s/k->shared == 0;/k->shared < 2;/' ;;
power-rounded-down)    script='s/div_half_even(sum, weights)/(int64_t)(sum \/ weights)/' ;;
power-of-others)       script='s/charge(p, k, dynamic - share->dynamic_uw)/charge(p, \&p->kernels[sm->first], dynamic - share->dynamic_uw)/' ;;
sms-counted-late)      script='s/(int128)p->shown_active \* length/(int128)p->active_sms * length/' ;;
offset-forgotten)      script='s/return task->offset_ns;/return 0;/' ;;
draw-upside-down)      script='s/return best_ns + random_upto/return worst_ns - random_upto/' ;;
# Blocks with different times.
share-of-one)          script='s/return block_share(t->share_ppm, d->length_ns);/return d->length_ns;/' ;;
shares-too-long)       script='s/+ SHARE_ONE - 1) \/ SHARE_ONE/+ SHARE_ONE) \/ SHARE_ONE/' ;;
one-draw-for-all)      script='s/key.job = block;/key.job = 0;/' ;;
draws-of-every-job)    script='s/d.key.seed = random_bits(&d.key, 0);/;/' ;;
trace-beyond-worst)    script='s/return t->worst_ns < d->length_ns ? t->worst_ns : d->length_ns;/return d->length_ns;/' ;;
blocks-by-their-wave)  script='s/execution_block(&launch->draws, block)/execution_block(\&launch->draws, launch->stay_count)/' ;;
blocks-as-waves)       script='/^int64_t blocks_span/,/^}/s/return walked(.*/return waves;/' ;;
dispatch-at-the-end)   script='s/m->sim.now >= m->stop_at/m->sim.now > m->stop_at/' ;;
late-is-in-time)       script='s/? now > deadline :/? now > deadline + 1 :/' ;;
# Overheads.
launch-forgotten)      script='s/m->cpu.launch_left \&\& !t->launched/false \&\& !t->launched/' ;;
latency-forgotten)     script='s/m->sim.now + m->platform->overheads.latency_ns/m->sim.now/' ;;
gap-forgotten)         script='s/m->sim.now + m->platform->overheads.gap_ns/m->sim.now/' ;;
sync-forgotten)        script='/sync_begins(struct/,/^}/s/if (m->tasks\[task\].aborted/if (true/' ;;
switch-of-next-job)    script='s/c->last_task != task || c->last_job != job/c->last_task != task/' ;;
interrupts-at-once)    script='s/c->since == m->sim.now && task < c->interrupt/false/' ;;
launch-starts-nothing) script='s/^\t\tjobs_started(m, t);/\t\tuse_of(m, t) == CORE_SEGMENT ? jobs_started(m, t) : (void)0;/' ;;
slice-never-over)      script='s/(now == t->begin || in_slice > 0)/true/' ;;
ring-from-the-first)   script='s/gate_next_active(gate, t->last)/gate_next_active(gate, GATE_NOBODY)/' ;;
# Calls around GPU sections.
lock-first-come)       script='s/rank\[task\], (uint64_t)task/m->sim.now, (uint64_t)task/' ;;
lock-not-in-front)     script='s/task, WITH_LOCK)/task, m->tasks[task].rank)/' ;;
runs-in-calls)         script='s/if (takes == 0 \&\& !c->by_call)/if (c->by_call)/' ;;
second-owns)           script='s/ranks_first(&s->in)\]/ranks_after(\&s->in, ranks_first(\&s->in)) != RANKS_NONE ? ranks_after(\&s->in, ranks_first(\&s->in)) : ranks_first(\&s->in)]/' ;;
best-effort-owns)      script='s/else if (!s->set->tasks\[call->task\].best_effort)/else/' ;;
call-as-update)        script='s/return s->call_ns;/return s->update_ns;/' ;;
switch-is-free)        script='s/return free ? 0 : price;/return 0;/' ;;
reset-keeps-the-rest)  script='s/^\tt->left = step->fixed.*/\t;/' ;;
latency-and-gap)       script='s/s->due\[task\] > free_at ? s->due\[task\] : free_at;/s->due[task] + (free_at > m->sim.now ? free_at - m->sim.now : 0);/' ;;
gap-of-unstarted)      script='/^RARE static void leave_delayed/,/^}/s/if (m->tasks.*/if (true)/' ;;
sync-of-aborted)       script='/sync_begins(struct/,/^}/s/if (m->tasks\[task\].aborted || /if (/' ;;
switch-every-time)     script='s/^\tc->last_job = job;/;/' ;;
interrupt-switches)    script='s/^\tm->cpu.interrupts\[task\]--;/&\n\tc->last_task = NO_TASK;/' ;;
# With contexts, a kernel places one block at a time.
context-of-one-block)  script='s/uint32_t count = launch->total - first;/uint32_t count = m->contexts.count ? 1 : launch->total - first;/' ;;
# Operations in flight.
flight-overtakes|flight-holds-nothing) script='s/if (m->streams.holds \&\& .*/if (false)/' ;;
flight-behind-its-task) script='s/f->who\[task\] = (uint64_t)tie << 32/f->who[task] = (uint64_t)(f->first[task] - m->task_count + task) << 32/;s/(uint64_t)tie++ << 32/(uint64_t)++tie << 32/' ;;
flight-of-other-streams|flight-stream-of-all) script='s/(s->stream == STREAM_OWN || (s->stream == stream_of(task, e) && s->gpu == e->gpu))/true/' ;;
flight-waits-for-one|flight-waits-not) script='s/if (m->tasks\[run\].active)/if (m->tasks[run].active \&\& i == 0)/' ;;
flight-aborted-on)     script='s/o->step->kind == SEGMENT_KERNEL \&\& gpu_cut(m, run)/false/' ;;
flight-starts-no-job)  script='/^void jobs_started/,/^}/s/if (run >= m->task_count)/if (false)/' ;;
flight-nodes-launched) script='s/step->joins = .*/step->joins = false;/' ;;
flight-all-joined)     script='s/step->joins = .*/step->joins = index > 0;/' ;;
flight-one-engine)     script='s/platform->engines == 2 \&\& segment->direction == COPY_TO_CPU ? 1 : 0/0/' ;;
flight-longer-blocks)  script='s/launch->duration = t->left;/launch->duration = t->left + (task >= m->task_count);/' ;;
aborted-waits-start)   script='/^bool flights_reached/,/^}/s/if (!t->aborted)/if (true)/' ;;
wait-syncs-at-once)    script='/^static bool passes/,/^}/s/if (sync == 0 .*/if (true)/' ;;
# Calls around GPU sections.
pending-by-index)      script='s/(&s->in, s->rank\[call->task\])/(\&s->in, call->task)/; s/s->of_rank\[ranks_first(&s->in)\]/ranks_first(\&s->in)/' ;;
lock-by-core-priority) script='s/m->plan.call_rank ? m->plan.call_rank : m->plan.rank/m->plan.rank/' ;;
# SM masks.
evicted-goes-last)     script='s/push(&table->waiting\[1\], &gpu->launches\[last\])/gpu->launches[last].at.key = INT64_MAX; &/' ;;
low-walked-first)      script='/^void table_dispatch/,/^}/s/for (int c = 0; c < 2; c++)/for (int c = 1; c >= 0; c--)/' ;;
# Several GPUs.
streams-of-all-gpus)   script='s/: gpu) \* (queues + 1)/: 0 * gpu) * (queues + 1)/' ;;
section-of-all-gpus)   script='/^RARE static bool section_ends/,/^}/s/t->step->section == was->section/true/' ;;
gates-of-the-first)    script='/^void devices_decide/,/^}/s/m->devices.chosen ? 1 : m->devices.count/1/' ;;
copies-of-the-first)   script='/^void devices_dispatch/,/^}/s/copies_dispatch_at(m);/if (g == 0 || m->sim.now % 3 > 0) { & }/' ;;
length-as-at-home)     script='/^static void go_on_with/,/^}/s/t->left = length > 0 ? length : 1;/t->left = t->left > 0 ? t->left : (length > 0);/' ;;
# Several cores.
one-core-too-few)      script='s/return waiting < cores ? waiting : cores;/return waiting < cores ? waiting : cores - (cores > 1);/' ;;
moves-at-will)         script='s/goes_on = true;/goes_on = false;/' ;;
idle-core-passed-over) script='s/most = first_of_all(m), idle = 0;/most = first_of_all(m), idle = most < cpu->count;/' ;;
interrupts-of-core-0)  script='/^void cpu_interrupt/,/^}/s/m->tasks\[task\].core/0/' ;;
switched-elsewhere)    script='/^static void switch_ends/,/^}/s/c->running = task;/if (m->cpu.on) { return; } &/' ;;
switches-of-core-0)    script='s/c->last_task != task || c->last_job != job/m->cpu.first.last_task != task || m->cpu.first.last_job != job/' ;;
idle-cores-backwards)  script='s/uint32_t task = (uint32_t)first\[i\].who;/uint32_t task = (uint32_t)first[most - 1 - i].who;/' ;;
# Chains and triggers.
after-the-first)       script='s/least = t->finished\[i\] < least ? .*/least = t->finished[0];/' ;;
after-aborted-jobs)    script='s/if (m->triggers.used && !t->aborted)/if (m->triggers.used)/' ;;
after-the-horizon)     script='s/if (due == t->due || m->sim.now >= m->setup->horizon_ns)/if (due == t->due)/' ;;
waiting-released-now)  script='s/int64_t release = t->release\[t->first++ & t->mask\];/int64_t release = m->sim.now; t->first++;/' ;;
chain-let-at-the-end)  script='s/e.at = let && r->value > r->time ? r->value : r->time;/e.at = r->time;/' ;;
chain-reacts-twice)    script='s/^\t\*reacted = \*token;$/\t;/' ;;
triggered-by-the-first)  script='/^static uint32_t let_go/,/^}/s/i < m->tasks\[task\].rule->after_count/i < 1/' ;;
triggered-at-the-end)    script='s/due == t->due || m->sim.now >= m->setup->horizon_ns/due == t->due/' ;;
chain-reads-first)       script='s/return x->stage < y->stage ? -1 : 1;/return x->stage < y->stage ? 1 : -1;/' ;;
# Contexts.
aborted-is-lost)         script='/^void gpu_freeze/,/^}/s/lost && !m->tasks\[i\].aborted/lost/' ;;
starts-while-drained)    script='s/if (m->gpu.changed && !drains)/if (m->gpu.changed)/' ;;
held-without-jobs)       script='/^void contexts_change/,/^}/s/else if (!jobs)/else if (false)/' ;;
# SMs that high kernels take from low ones.
taken-at-once)           script='s/h->open_at = now + m->platform->preemption_delay_ns;/h->open_at = now;/' ;;
taken-from-the-ended)    script='s/ \&\& launch->placed < launch->total)/)/' ;;
taken-again)             script='s/h->of = launch->step->stream_high ? SM_NOBODYS : SM_LOW;/h->of = SM_LOW;/' ;;
taken-for-the-first)     script='s/return h->open_at > now ? h->open_at : now;/return h->open_at == now + m->platform->preemption_delay_ns ? h->open_at : now;/' ;;
# Masks and the task table.
masks-forgotten)         script='s/launch->grant : step->on;/launch->grant : NULL;/' ;;
held-up-by-nobody)       script='s/if (!is_held_up(table, mask) \&\& gpu_place(m, task))/if (gpu_place(m, task))/' ;;
held-up-holds-nobody)    script='s/^\t\t\t\thold_up(table, mask);/\t\t\t\tis_held_up(table, mask) ? (void)0 : hold_up(table, mask);/' ;;
table-without-end)       script='s/most > 0 ? most : UINT32_MAX/UINT32_MAX/' ;;
first-low-evicted)       script='s/(uint32_t)table->low.end\[-1\].who/queue_first(\&table->low)/' ;;
nobody-evicted)          script='s/(c == 0 \&\& evict(gpu))/false/' ;;
# Programs of warps in sets of tasks.
inside-a-cycle-early)    script='s/m->clock_hz + NS_PER_SECOND - 1) \/ NS_PER_SECOND/m->clock_hz) \/ NS_PER_SECOND/' ;;
inside-job-forgotten)    script='s/k->job = job;/k->job = 0 * job;/' ;;
inside-issues-first)     script='s/if (next == w->end)/if (false)/' ;;
inside-ends-at-events)   script='s/next < until ? next : until, &most/until, \&most/' ;;
# What sbeet expects.
expects-by-offset)       script='s/t->releases.next(t->releases.self, /next_planned(t->model->set, /' ;;
expects-the-passed)      script='/^static void expect_first/,/^}/s/later(r.at, section->before) <= t->now/false/' ;;
expects-no-late-job)     script='s/ready = later(at, section->before)/ready = at/' ;;
expects-behind-the-last) script='s/while ((oldest->jobs == 0 ||/while ((true ||/' ;;
expects-from-zero)       script='s/: of->offset_ns,/: 0,/' ;;
expects-again)           script='s/return seen->any \&\&/return false \&\& seen->any \&\&/' ;;
last-release-unsaid)     script='s/r->jobs >= m->tasks\[task\].released/r->jobs + 1 >= m->tasks[task].released/' ;;
starts-and-goes-on)      script='s/if (b->options.stops \&\&/if (false \&\&/' ;;
# Decisions that take time.
paid-for-one)            script='s/d->unit_ns \* (int64_t)gate_waiting(g)/d->unit_ns/' ;;
asked-once)              script='s/g->deciding.again |= g->changed;/g->deciding.again |= g->changed \&\& !g->deciding.making;/' ;;
admits-the-unpaid)       script='s/if (b->waiting\[i\].ready > b->asked)/if (false)/' ;;
predict-pays-for-all)    script='s/if (!sweep_is_paid_for(m->sweep, p->queue\[i\]))/if (false)/' ;;
# What sbeet-mg chooses.
moves-never)             script='s/open\[g\] = weigh_beside(w, g, &f->weighed\[g\]);/(void)weigh_beside(w, g, \&f->weighed[g]);/' ;;
waits-at-home)           script='s/else if (!may_wait(w, home))/else if (false)/' ;;
flees-at-once)           script='s/else if (!may_wait(w, home))/else/' ;;
takes-all-at-home)       script='s/if (!c->feasible \&\& m_opt < m->sms)/if (m_opt < m->sms)/' ;;
energy-of-one-gpu)       script='s/return b->beside ? own + .*/return own;/' ;;
lives-anywhere)          script='s/f->load\[g\] + load <= FLEET_LOAD/f->load[g] + load >= 0/' ;;
# Warps.
warp-operand-ignored)       script='s/if (operand > w->now + 1 && !(sc/if (false \&\& !(sc/' ;;
warp-reuse-for-ever)        script='s/if (kept(w->sms\[v->block->sm\].filled, /if (kept(own->filled[then], /' ;;
warp-reuse-of-before)       script='s/b->loads\[i\].count = 0;/;/' ;;
warp-stores-fill)           script='s/if (step->kind != STEP_LOAD)$/if (step->kind > STEP_STORE)/' ;;
warp-hits-fill)             script='s/if (level != LEVEL_L1)/if (true)/' ;;
warp-l2-for-ever)           script='s/kept(w->l2_filled, own/kept(own->l2_filled[then], own/' ;;
warp-l2-of-loads)           script='s/if (level == LEVEL_DRAM)$/if (level == LEVEL_DRAM \&\& step->kind == STEP_LOAD)/' ;;
warp-l2-filled-by-hits)     script='s/if (level == LEVEL_DRAM)$/if (level >= LEVEL_L2)/' ;;
warp-l2-one-line-short)     script='s/<= (uint64_t)(cache_bytes \/ WARP_LINE_BYTES)/< (uint64_t)(cache_bytes \/ WARP_LINE_BYTES)/' ;;
warp-l2-before-draws)       script='s/return LEVEL_L2;/return drawn;/' ;;
warp-ahead-of-l2)           script='s/ || (w->reuse \&\& w->machine->l2_bytes)//' ;;
traced-first-result)        script='s/if (left <= k->waits\[n - 1\])/if (k->waits[n - 1] > 0)/' ;;
traced-one-register)        script='s/return c->bytes > 4 .*/return c->bytes > 4 ? 1 : 1;/' ;;
traced-far-forgotten)       script='s/if (cycles < CYCLES_MEMORY)/if (cycles <= CYCLES_MEMORY)/' ;;
traced-stores-fill)         script='s/if (loads && !lru_access(l1/if (!lru_access(l1/' ;;
traced-hits-go-on)          script='s/^\t\tif (hit)$/\t\tif (false)/' ;;
traced-first-in-first-out)  script='/if (\*hit) {/,/}/s/renew(c, line);/;/' ;;
traced-rounds-lost)         script='s/loop->rounds++;/;/' ;;
traced-generic-is-global)   script='s/address - s->kernel.shared_base < GENERIC_WINDOW/false/' ;;
traced-sector-for-each)     script='s/while (k > 0 && out\[k - 1\] != sector)/while (k > 0)/' ;;
traced-first-way)           script='s/off < least || (off == least && /(false \&\& /' ;;
traced-idle-accesses)       script='s/if (c->off \* 2 > c->times)/if (false)/' ;;
traced-barriers-run-on)     script='s/case SASS_BARRIER:/case SASS_BULK:/' ;;
warp-requests-unlimited)    script='/^uint64_t requests_held/,/^}/s/r->full = r->lines >= w->machine->requests;/r->full = false;/' ;;
warp-request-one-early)     script='s/drop(r, &r->l2, w->now)/drop(r, \&r->l2, w->now + 1)/' ;;
warp-request-of-one-line)   script='s/r->lines += lines;/r->lines += 1;/; s/{there, lines}/{there, 1}/' ;;
warp-stores-held)           script='s/program\[v->step\].kind == STEP_LOAD/program[v->step].kind <= STEP_STORE/' ;;
warp-requests-of-hits)      script='s/m->requests && step->kind == STEP_LOAD && level != LEVEL_L1/m->requests \&\& step->kind == STEP_LOAD/' ;;
warp-answer-unheard)        script='s/if (sm->requests.full && requests_next(sm) < next)/if (false)/' ;;
warp-ahead-of-answers)      script='s/w->sub_cores\], r->there);/w->sub_cores], r->there + 1);/' ;;
warp-pool-halved)           script='s/(int64_t)(s->count - 1) \* takers/(int64_t)(s->count - 1) \/ 2 * takers/' ;;
warp-pool-filled-once)      script='s/k->part.pool.left = k->part.pool.size;/k->part.pool.left = k->job > 0 ? 0 : k->part.pool.size;/' ;;
warp-round-of-its-own)      script='s/k->pool.rounds == ROUNDS_WARPS || v->rounds == \*granted/true/' ;;
warp-round-given-twice)     script='s/++\*granted;/;/' ;;
warp-interval-ignored)      script='s/= w->now + w->machine->interval\[step->unit\];/= w->now + 1;/' ;;
warp-barrier-one-early)     script='s/if (++b->at_barrier < b->issuing)/if (++b->at_barrier + 1 < b->issuing)/' ;;
warp-opened-forgotten)      script='s/^\t\tsc->opened_in = w->now;/\t\t;/' ;;
warp-result-late)           script='0,/return w->now + step->latency;/s//return w->now + step->latency + 1;/' ;;
warp-two-a-cycle)           script='s/enter(w, w->now + 1, sc->index);$/enter(w, w->now, sc->index);/' ;;
warp-quota-not-lowered)     script='s/if (w->has_quotas && quotas_spend/if (false \&\& quotas_spend/' ;;
warp-idle-threads)          script='s/threads = step->threads < v->threads ? step->threads : v->threads;/threads = step->threads;/' ;;
warp-unit-forgotten)        script='s/if (sc->operand & sc->wants\[u\] && sc->unit_free\[u\] < next)/if (false)/' ;;
warp-nobody-woken)          script='/^void issue_wake/,/^}/s/[^_]enter(.*/(void)over; (void)index;/' ;;
warp-energy-of-32)          script='s/threads \* step->energy_fj/32 * step->energy_fj/' ;;
warp-stores-are-free)       script='/case STEP_STORE:/,/return 0;/s/\*level = memory_access.*/*level = LEVEL_DRAM; v->accesses++; k->result.accesses++; (void)there;/' ;;
warp-reason-by-chance)      script='s/if (sc->operand & unit_waits)/if (false)/' ;;
warp-early-riser)           script='s/over = (UINT64_C(2) << (cycle - sc->near_from)) - 1;/over = (UINT64_C(4) << (cycle - sc->near_from)) - 1;/' ;;
warp-round-from-the-oldest) script='s/^\tsc->around = around;$/\tsc->around = -1;/' ;;
warp-youngest-for-gto)      script='/^int pick_gto/,/^}/s/return oldest_of(ready);/return next_of(ready, sc->around);/' ;;
warp-greedy-oldest)         script='/^int pick_oldest/,/^}/s/return oldest_of(ready);/return pick_gto(w, sc, ready, cycle);/' ;;
warp-lrr-from-the-oldest)   script='s/return next_of(ready, sc->around);/return oldest_of(ready);/' ;;
warp-lrr-after-a-pause)     script='s/ && sc->last_cycle == cycle - 1//' ;;
warp-budget-and-one)        script='s/sc->switches >= w->group_budget/sc->switches > w->group_budget/' ;;
warp-turn-never-ends)       script='s/if (sc->switches >= w->group_budget\[sc->group\]) {/if (false) {/' ;;
warp-fills-count)           script='/^static int after_stall/,/^}/s/int own = /sc->switches++; int own = /' ;;
warp-groups-upside-down)    script='s/return oldest_of(ready);/return ready ? 63 - __builtin_clzll(ready) : -1;/' ;;
warp-active-for-ever)       script='s/sc->active & (sc->on_memory |/sc->active \& (0 |/' ;;
warp-one-too-many-active)   script='s/most - (uint32_t)/most + 1 - (uint32_t)/' ;;
warp-greedy-beyond-active)  script='s/pick_gto(w, sc, candidates, cycle)/pick_gto(w, sc, sc->last >= 0 ? candidates | (ready \& bit((uint32_t)sc->last)) : candidates, cycle)/' ;;
warp-inner-forgotten)       script='s/w->options.inner_gto ?/false ?/' ;;
warp-server-forgets)        script='s/if (s->free > start)/if (false)/' ;;
warp-server-rounds)         script='s/s->free = start + bytes \* 1000;/s->free = (start + bytes * 1000) \/ s->bandwidth * s->bandwidth;/' ;;
warp-draws-by-cycle)        script='s/.job = v->accesses/.job = v->accesses + (uint32_t)w->now % 2/' ;;
warp-all-together)          script='s/1000000 - step->coalescing_ppm/0 * step->coalescing_ppm/' ;;
warp-block-ends-early)      script='/^void block_warp_ended/,/^}/s/if (end > b->end)/if (true)/' ;;
warp-last-out-first-in)     script='/^static void context_saved/,/^}/{s/b->next = NULL;/b->next = k->swapped; k->swapped = b; return;/}' ;;
warp-swaps-them-all)        script='/^void blocks_swap_beyond_target/,/^}/s/uint32_t keep = here->blocks - beyond;/uint32_t keep = 0; if (beyond == 0) return;/' ;;
warp-swap-frees-at-once)    script='s/through > w->now ? through : w->now + 1/w->now + 1 + 0 * through/' ;;
warp-dealt-to-the-first)    script='s/&sm->cores\[sm->arrivals++ % w->sub_cores\]/\&sm->cores[0 * sm->arrivals++]/' ;;
warp-dealt-block-by-block)  script='s/&sm->cores\[sm->arrivals++ % w->sub_cores\]/\&sm->cores[i % w->sub_cores]/' ;;
warp-context-not-awaited)   script='s/add_warps(w, sm, b, there <= w->now);/add_warps(w, sm, b, true);/' ;;
warp-room-of-one-less)      script='s/taken + need <= limit/taken + need < limit/' ;;
warp-to-the-fullest)        script='s/blocks < best->kernel\[kernel\].blocks/blocks > best->kernel[kernel].blocks/' ;;
warp-low-before-high)       script='s/return high_a;/return high_b;/' ;;
warp-fill-past-the-head)    script='s/if (w->options.blocks == BLOCKS_FILL && /if (false \&\& /' ;;
warp-registers-for-all)     script='s/within(p->registers_per_sm, sm->registers, f->registers)/true/' ;;
warp-repeats-late)          script='s/k->next_launch = w->now;/k->next_launch = w->now + 1;/' ;;
warp-repeat-is-new)         script='s/k->idle_from < w->now;/k->idle_from <= w->now;/' ;;
warp-streams-side-by-side)  script='s/if (i == kernel || stream_of.*/if (true)/' ;;
warp-streams-by-kernel)     script='s/if (theirs < mine || (theirs == mine && i < kernel))/if (theirs \& 0 \& mine)/' ;;
warp-goal-refilled)         script='s/(q->here & ~goals & used_up)/(q->here \& used_up)/' ;;
warp-debt-kept)             script='s/goals >> k & 1 && q->counter\[k\] > 0/goals >> k \& 1/' ;;
warp-rounds-apart)          script='s/add(q, k, least)/add(q, k, rounds(q, k))/' ;;
warp-naive-waits-for-all)   script='s/} else if ((held & ~used_up) == 0) {/} else if ((q->here \& ~used_up) == 0) {/' ;;
warp-nobody-first)          script='s/q->blocked |= ~goals;/;/' ;;
warp-epoch-late)            script='s/w->next_epoch = w->now + w->options.epoch;/w->next_epoch = w->now + w->options.epoch + 1;/' ;;
warp-alpha-without-history) script='s/if (history && issued > 0 && below_goal(k))/if (false)/' ;;
warp-alpha-of-naive)        script='s/ && w->options.manager != MANAGER_NAIVE//' ;;
warp-others-by-one)         script='s/with->active_since <= last_start/with->active_since >= last_start/' ;;
warp-quota-not-split)       script='s/quota \* w->sms\[s\].kernel\[i\].blocks \/ blocks/quota \/ w->sm_count/' ;;
warp-samples-late)          script='s/w->next_sample = wanted ? w->now : NEVER;/w->next_sample = wanted ? w->now + 1 : NEVER;/' ;;
warp-issued-is-idle)        script='/idle &= ~bit/d' ;;
warp-targets-whole)         script='s/blocks_fit(w->platform, block, users)/blocks_fit(w->platform, block, 1 + 0 * users)/' ;;
warp-target-by-two)         script='0,/sm->kernel\[k\].target++;/s//sm->kernel[k].target += 2;/' ;;
warp-victim-gives-all)      script='s/less < sm->kernel\[v\].target; less++/less <= sm->kernel[v].target; less++/' ;;
warp-victims-by-index)      script='s/\*less && is_victim(w, sm, v, \*less, (enum [a-z_]*victim)kind)/*less/' ;;
warp-margin-forgotten)      script='s/return has_margin(w, kernel, less);/return w->kernels[kernel].goal >= 0 \&\& w->kernels[kernel].history_ipc > w->kernels[kernel].goal;/' ;;
warp-epoch-for-nothing)     script='s/if (w->now < w->open_at)/if (false)/' ;;
warp-epoch-opens-late)      script='s/? w->now + w->options.epoch_cost : 0/? w->now + w->options.epoch_cost + 1 : 0/' ;;
warp-adjusts-at-once)       script='s/(1000000 - w->options.adjust_margin)/1000000/' ;;
warp-busy-and-idle)         script='s/idle_blocks(w, sm, k) <= 1 &&/idle_blocks(w, sm, k) <= 2 \&\&/' ;;
warp-alone-in-halves)       script='s/s < last && (w->only == ALL_KERNELS || w->only == i)/s < last/' ;;
warp-lowest-sm)             script='s/for (uint32_t s = w->sm_count; s-- > 0;)/for (uint32_t s = 0; s < w->sm_count; s++)/' ;;
warp-climbs-on)             script='s/s->stopped = true;/s->stopped = false;/' ;;
warp-giver-of-one)          script='s/sms_of(w, i) >= 2/sms_of(w, i) >= 1/' ;;
warp-end-and-one)           script='s/if (next >= w->end) {/if (next > w->end) {/' ;;
warp-ahead-of-dram)         script='s/w->machine->dram_latency < AHEAD_MOST/w->machine->dram_latency + 40 < AHEAD_MOST/; s/? w->machine->dram_latency : AHEAD_MOST/? w->machine->dram_latency + 40 : AHEAD_MOST/' ;;
warp-ahead-out-of-order)    script='/^static void serve/,/^}/s/memory_serve(w, r->bytes, cycle)/memory_serve(w, r->bytes, a->until - 1 - (cycle - a->from))/' ;;
warp-ahead-of-samples)      script='s/until = w->next_sample + 1;/until = w->next_sample + 9;/' ;;
warp-ahead-of-quotas)       script='s/if (w->has_quotas || w->machine/if (w->machine/' ;;
warp-ahead-of-barriers)     script='s/w->sms\[i\].quotas.here & a->meeting/false/' ;;
warp-ahead-of-results)      script='s/if (v->number - r->number <= WARP_RING)/if (true)/' ;;
warp-ahead-of-launches)     script='s/if (w->next_launch < until)/if (false)/' ;;
warp-ahead-of-ends)         script='s/b->end = wake > b->end ? wake : b->end;/;/' ;;
warp-ahead-of-reuse)        script='s/ || k->parts\[part\].reuses//' ;;
warp-ahead-of-pools)        script='s/if (a->pools) {/if (false) {/' ;;
warp-ahead-of-last-rounds)  script='s/b->warps\[i\].left > 0 ? program_left(&k->part, &b->warps\[i\]) : 0;/k->part.instructions - b->warps[i].number;/' ;;
warp-ahead-twice)           script='s/w->digest = sum;/w->digest = sum + 1;/' ;;
warp-last-phase-lost)       script='s/^\t\tends(w);$/\t\t;/' ;;
# Applications.
warp-part-targets-stay)     script='/^void adjusting_part/,/^}/s/now->warps == before->warps/true || now->warps == before->warps/' ;;
warp-part-targets-anew)     script='/^void adjusting_part/,/^}/s/now->warps == before->warps/false \&\& now->warps == before->warps/' ;;
warp-part-spart-stays)      script='/^void spart_part/,/^}/s/own(w, s, kernel);/;/' ;;
warp-part-registers)        script='s/^\t\tpart->footprint = .*/&\n\t\tpart->footprint.registers = block_footprint(k->spec).registers \/ k->parts[0].footprint.warps * part->footprint.warps;/' ;;
warp-part-quota-reset)      script='s/launches_part_begins(w, kernel);/{ launches_part_begins(w, kernel); for (uint32_t s = 0; s < w->sm_count; s++) w->sms[s].quotas.counter[kernel] = 0; }/' ;;
warp-part-is-an-epoch)      script='s/launches_part_begins(w, kernel);/{ launches_part_begins(w, kernel); w->next_epoch = w->now; }/' ;;
warp-part-pool-empty)       script='s/k->part.pool.left = k->part.pool.size;/k->part.pool.left = k->at > 0 ? 0 : k->part.pool.size;/' ;;
warp-part-since-release)    script='/^void launches_part_begins/,/^}/s/w->now);/w->kernels[kernel].release);/' ;;
warp-part-draws-again)      script='s/2048u \* w->kernels/0u * w->kernels/' ;;
warp-part-steps-anew)       script='s/part.first_step + v->step/part.first_step * 0 + v->step/' ;;
# One wrong rule in what the audit predicts: the audit then finds fault with a correct simulator.
predict-head-forgotten)   script='/^int64_t predict_end/,/^}/s/later_by(j->ready, j->section->head)/j->ready/' ;;
predict-tail-forgotten)   script='s/later_by(end, k->section->tail) <=/end <=/' ;;
predict-late-as-they-come) script='s/predict_more_urgent(/predict_sooner(/g' ;;
predict-late-in-time)     script='/^static void place_late/,/^}/s/to->feasible &=.*/;/' ;;
predict-one-more-worker)  script='s/kept < p->r->promise->at_once/kept <= p->r->promise->at_once/g' ;;
predict-all-that-is-free) script='s/left < k->section->best_sms ? left :/true ? left :/' ;;
predict-rest-is-off)      script='s/return energy + (int128)m->idle_uw/return energy + 0 * (int128)m->idle_uw/' ;;
predict-copies-take-power) script='s/kernel\[i\].from)/0 * kernel[i].from)/' ;;
predict-instants-passed)  script='s/(p->now - ready) \/ t->period_ns + 1/0 * (p->now - ready)/' ;;
predict-no-late-job)      script='s/ready = later_by(first, of->section->before);/ready = first;/' ;;
predict-from-the-offset)  script='s/^\tof->last_release = release;/\tof->last_release = of->last_release == NOT_GIVEN ? release : of->last_release;/' ;;
predict-early-ones-again) script='s/^\treturn behind \&\&/\treturn (behind || true) \&\&/' ;;
predict-released-unseen)  script='s/^\tof->recent\[of->recents++\] =/\tof->recent[of->recents] =/' ;;
predict-before-forgotten) script='s/later_by(release, next->section->before)/release + 0 * next->section->before/' ;;
predict-after-forgotten)  script='s/deadline_ns - next->section->after/deadline_ns/' ;;
predict-deadline-no-tie)  script='/^bool predict_sooner/,/^}/s/a->deadline != b->deadline ?/false ?/' ;;
predict-own-task-too)     script='s/return task != p->unit.task \&\& /return /' ;;
predict-admitted-too)     script='s/ \&\& !p->busy\[task\]//' ;;
predict-homes-of-all)     script='s/p->home\[task\] == p->gpu/true/' ;;
predict-other-gpus)       script='s/ + others_energy(p, to.end)//' ;;
predict-beside-nobody)    script='s/!is_idle(f->on\[g\]) \&\& !is_full(f->on\[g\])/!is_full(f->on[g])/' ;;
predict-room-for-all)     script='s/h->load\[g\] + use(h, task, g) > ROOM/false/' ;;
predict-line-18)          script='s/> worth_waiting(p))/>= worth_waiting(p))/' ;;
predict-ties-to-less)     script='s/x->compared_uwns < y->compared_uwns/x->compared_uwns <= y->compared_uwns/' ;;
predict-own-interval)     script='s/if (!p->r->promise->least_energy)/if (false)/' ;;
predict-fastest)          script='s/if (!any_feasible \&\& !p->any_least)/if (!any_feasible)/' ;;
predict-as-admitted-now)  script='s/latest(admitted, later_by/latest(p->now, later_by/' ;;
predict-goes-on)          script='s/promise->one_start)/promise->one_start \&\& false)/' ;;
*)
	echo "mutate.sh: no fault '$fault'" >&2
	exit 2 ;;
esac
sed "$script" "$file" >"$folder/mutant-$fault.c"
if cmp -s "$file" "$folder/mutant-$fault.c"; then
	echo "mutate.sh: '$fault' changes nothing in $file" >&2
	exit 2
fi
done
