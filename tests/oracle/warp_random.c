/* tests/oracle/warp_random.c - the random cases: machine, kernels, setup and options. */
#include "tests/oracle/warp_random.h"

#include "tests/oracle/dice.h"

#define MILLION 1000000

/* What a case concentrates on; the rest of it is still random. */
enum mood { MOOD_ANY, MOOD_BLOCKS, MOOD_SPART, MOOD_GROUPS, MOOD_SLOW, MOOD_CROWDED, MOODS };

/* Log-uniform in [low, high], approximately. */
static int64_t spread(struct dice *d, int64_t low, int64_t high)
{
	int64_t top = low;
	while (top < high && !once_in(d, 4))
		top *= 2;
	if (top > high)
		top = high;
	return between(d, low, top);
}

static int64_t ratio(struct dice *d)
{
	static const int64_t usual[] = {0, 0, 300000, 500000, 900000, MILLION};
	return once_in(d, 3) ? between(d, 0, MILLION) : usual[small(d, 0, 5)];
}

/* ---- the machine ---- */

static void roll_units(struct dice *d, struct warp_machine *m)
{
	int64_t widest = once_in(d, 2) ? 1 : once_in(d, 2) ? 2 : 8;
	for (int unit = 0; unit < WARP_UNITS; unit++) {
		m->latency[unit] = between(d, 1, 12);
		m->interval[unit] = between(d, 1, widest);
		m->unit_fj[unit] = unit == WARP_MEMORY ? 0 : between(d, 0, 1000);
	}
}

static void roll_machine(struct dice *d, struct warp_machine *m)
{
	static const int64_t clocks[] = {1000000000, 1000000000, 1500000000, 333333333, 2000000, 7000000000};
	*m = (struct warp_machine){.clock_hz = clocks[small(d, 0, 5)], .sub_cores = small(d, 1, 4)};
	roll_units(d, m);
	m->shared_latency = between(d, 1, 15);
	m->l1_latency = between(d, 1, 20);
	m->l2_latency = between(d, 2, 40);
	m->dram_latency = between(d, 1, 80);
	m->bandwidth = spread(d, 300, 300000);
	m->l1_bytes = spread(d, 128, 128 * 200);
	m->requests = once_in(d, 3) ? spread(d, 1, 64) : 0;
	/* From what was rolled: cases without L2 are what they were. */
	m->l2_bytes = m->l1_latency % 2 ? m->l1_bytes * (1 + m->dram_latency % 6) : 0;
	m->shared_fj = between(d, 0, 1000);
	m->global_fj = between(d, 0, 1000);
	m->dram_byte_fj = between(d, 0, 1000);
}

/* Room for at least `warps` warps, of 32 registers a thread, and 4096 bytes of shared memory. */
static void roll_platform(struct dice *d, struct platform *p, uint32_t warps, uint32_t sms)
{
	*p = platform_default();
	p->sms = sms;
	p->static_uw = between(d, 0, 100);
	uint32_t holds = small(d, warps, once_in(d, 8) ? 64 : 16 + warps);
	if (!once_in(d, 4))
		p->threads_per_sm = holds * WARP_THREADS;
	if (p->threads_per_sm == 0 || once_in(d, 4))
		p->warps_per_sm = small(d, warps, 20);
	if (once_in(d, 3))
		p->blocks_per_sm = small(d, 1, 10);
	if (once_in(d, 2))
		p->registers_per_sm = WARP_THREADS * 32 * between(d, warps, 16 + warps);
	if (once_in(d, 2))
		p->shared_memory_per_sm = between(d, 4096, 20000);
}

/* ---- programs ---- */

struct writing {
	struct dice *d;
	struct warp_step *steps;
	uint32_t used;
	bool barriers, memory;
};

static struct warp_step roll_step(struct writing *w)
{
	static const enum warp_step_kind kinds[] = {STEP_COMPUTE, STEP_COMPUTE, STEP_COMPUTE,
		STEP_SHARED_LOAD, STEP_SHARED_STORE, STEP_LOAD, STEP_LOAD, STEP_STORE, STEP_BARRIER};
	struct warp_step s = {.threads = WARP_THREADS, .count = 1, .coalescing_ppm = MILLION, .bytes = 4};
	s.kind = kinds[small(w->d, 0, w->memory ? 8 : 2)];
	if (w->barriers && once_in(w->d, 6))
		s.kind = STEP_BARRIER;
	if (s.kind == STEP_BARRIER)
		return s;
	s.count = small(w->d, 1, 5);
	if (once_in(w->d, 3))
		s.threads = small(w->d, 1, WARP_THREADS);
	if (once_in(w->d, 2))
		s.distance = small(w->d, 0, once_in(w->d, 3) ? WARP_DISTANCE_MAX : 3);
	s.first = once_in(w->d, 2) ? 1 : once_in(w->d, 2) ? s.distance : small(w->d, 0, 5);
	if (s.kind == STEP_COMPUTE) {
		s.unit = (enum warp_unit)small(w->d, WARP_INT, once_in(w->d, 2) ? WARP_INT : WARP_TENSOR);
		s.latency = once_in(w->d, 3) ? between(w->d, 1, 30) : 0;
	}
	if (s.kind != STEP_LOAD && s.kind != STEP_STORE)
		return s;
	if (s.kind == STEP_LOAD && once_in(w->d, 3))
		s.reuse = small(w->d, 1, once_in(w->d, 4) ? WARP_REUSE_MAX : 3);
	else
		s.l1_hit_ppm = ratio(w->d);
	s.l2_hit_ppm = ratio(w->d);
	s.coalescing_ppm = ratio(w->d);
	s.bytes = small(w->d, 1, 16);
	return s;
}

/* Steps for about `length` instructions. */
static void roll_steps(struct writing *w, uint32_t length, uint32_t depth)
{
	uint32_t written = 0, begin = w->used;
	while (w->used < CASE_STEPS && (written < length || w->used == begin)) {
		struct warp_step *s = &w->steps[w->used++];
		if (depth == WARP_LOOPS_MAX || w->used == CASE_STEPS || !once_in(w->d, 4)) {
			*s = roll_step(w);
			written += s->count;
			continue;
		}
		uint32_t index = w->used - 1, times = small(w->d, 1, 4);
		roll_steps(w, (length - written) / times, depth + 1);
		*s = (struct warp_step){
			.kind = STEP_LOOP,
			.count = times,
			.body = w->used - index - 1,
			.threads = WARP_THREADS,
			.coalescing_ppm = MILLION,
			.bytes = 4,
		};
		written += length / 2 + 1;
	}
}

/* ---- kernels ---- */

static void roll_launches(struct dice *d, struct warp_kernel *k, uint32_t index)
{
	k->launch = once_in(d, 2) ? 0 : between(d, 0, 150);
	k->stream = once_in(d, 4) ? (int32_t)small(d, 0, 1) : once_in(d, 12) ? INT32_MAX : STREAM_OWN;
	k->stream_high = once_in(d, 4);
	k->repeat = !once_in(d, 3);
	if (!k->repeat && once_in(d, 2))
		k->period = between(d, 20, 300);
	if (index == 0 && k->launch > 60)
		k->launch = 0;
}

static void roll_goal(struct dice *d, const struct warp_case *c, struct warp_goal *g)
{
	int64_t whole = (int64_t)c->platform.sms * c->set.machine.sub_cores * 32;
	int64_t ns = (int64_t)((int128)between(d, 20, 2000) * 1000000000 / c->set.machine.clock_hz);
	*g = (struct warp_goal){.kind = GOAL_IPC, .ipc = spread(d, MILLION / 100, whole * MILLION)};
	if (once_in(d, 5))
		*g = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = between(d, 100000, MILLION)};
	else if (once_in(d, 5))
		*g = (struct warp_goal){
			.kind = GOAL_TIME, .kernel_ns = ns + 1000000000 / c->set.machine.clock_hz + 1};
}

/* One of the outermost loops may be shared. */
static void roll_shared(struct dice *d, struct warp_kernel *k)
{
	for (uint32_t i = 0; i < k->step_count; i += 1 + k->steps[i].body) {
		struct warp_step *s = &k->steps[i];
		if (s->kind != STEP_LOOP || !once_in(d, 3))
			continue;
		s->rounds = once_in(d, 2) ? ROUNDS_BLOCKS : ROUNDS_WARPS;
		s->count = small(d, 1, once_in(d, 3) ? 12 : 4);
		return;
	}
}

/* Blocks share a loop that warps cannot share. */
static void mend_shared(struct warp_kernel *k)
{
	for (uint32_t i = 0; i < k->step_count; i++) {
		struct warp_step *s = &k->steps[i];
		bool barrier = k->block_threads % WARP_THREADS != 0;
		for (uint32_t n = 1; n <= s->body; n++)
			barrier = barrier || s[n].kind == STEP_BARRIER;
		if (s->rounds == ROUNDS_WARPS && barrier)
			s->rounds = ROUNDS_BLOCKS;
	}
}

static void roll_kernel(struct dice *d, struct warp_case *c, uint32_t index, uint32_t warps_max)
{
	struct warp_kernel *k = &c->kernel[index];
	struct writing w = {
		.d = d, .steps = c->step[index], .barriers = once_in(d, 3), .memory = !once_in(d, 4)};
	uint32_t warps = small(d, 1, warps_max);
	*k = (struct warp_kernel){.blocks = once_in(d, 2) ? small(d, 1, 6) : small(d, 10, 40)};
	k->block_threads = warps * WARP_THREADS - (once_in(d, 3) ? small(d, 0, WARP_THREADS - 1) : 0);
	k->registers = once_in(d, 3) ? 0 : between(d, 0, 32);
	k->shared_memory = once_in(d, 2) ? 0 : between(d, 0, 4096);
	k->steps = c->step[index];
	roll_steps(&w, small(d, 1, once_in(d, 3) ? 120 : 30), 0);
	k->step_count = w.used;
	roll_shared(d, k);
	roll_launches(d, k, index);
}

/* ---- the run ---- */

static void roll_options(struct dice *d, struct warp_case *c, bool goals)
{
	struct warp_options *o = &c->options;
	*o = (struct warp_options){.scheduler = (enum warp_scheduler_kind)small(d, 0, WARP_SCHEDULERS - 1)};
	o->rotate_cycle = once_in(d, 3);
	o->inner_gto = once_in(d, 2);
	o->active = small(d, 1, once_in(d, 2) ? 3 : 8);
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		o->budget[k] = k < c->set.kernel_count ? between(d, 1, once_in(d, 2) ? 2 : 7) : 1;
	o->manager = goals ? (enum warp_manager)small(d, 0, WARP_MANAGERS - 1) : MANAGER_SMK;
	if (o->manager == MANAGER_SPART && c->set.kernel_count > c->platform.sms)
		o->manager = MANAGER_ROLLOVER;
	o->blocks = o->manager != MANAGER_SPART && once_in(d, 6) ? BLOCKS_FILL : BLOCKS_EVEN;
	o->epoch = between(d, once_in(d, 12) ? 1 : 20, once_in(d, 2) ? 60 : 300);
	o->samples = small(d, 1, once_in(d, 3) ? 400 : 12);
	o->history = !once_in(d, 4);
	o->adjust = !once_in(d, 4);
	o->free_swaps = once_in(d, 3);
	/* From a bit of what was rolled: cases without a margin are what they were. */
	o->adjust_margin = o->samples % 3 == 0 ? o->epoch % 7 * 40000 : 0;
}

/* The same, from the epoch and the manager that it has got. */
static void roll_cost(struct warp_options *o)
{
	if (o->manager != MANAGER_SPART && o->epoch % 3 == 0)
		o->epoch_cost = o->epoch % 5 * o->epoch / 12;
}

static void roll_setup(struct dice *d, struct warp_case *c)
{
	int64_t cycles = between(d, 100, once_in(d, 3) ? 1000 : 400);
	int64_t ns = (int64_t)((int128)cycles * 1000000000 / c->set.machine.clock_hz) + between(d, 0, 2);
	c->setup = (struct run_setup){.horizon_ns = ns, .limit_ns = ns * between(d, 1, 3), .seed = roll(d)};
	c->setup.stop = once_in(d, 2) ? STOP_DRAINED : STOP_HORIZON;
	c->setup.set = small(d, 0, 3);
}

/* Sets the pointers of the case into itself. */
static void tie(struct warp_case *c)
{
	c->set.kernels = c->kernel;
	for (uint32_t k = 0; k < CASE_KERNELS; k++) {
		c->kernel[k].steps = c->step[k];
		c->kernel[k].then = c->then[k];
		for (uint32_t i = 0; i < CASE_THEN; i++)
			c->then[k][i].steps = c->then_step[k][i];
	}
	c->input = (struct plain_input){
		.platform = &c->platform,
		.set = &c->set,
		.setup = &c->setup,
		.options = &c->options,
		.only = PLAIN_ALL,
	};
	c->input.alone = warp_case_has_share(c) ? c->alone : NULL;
}

/* Kernels that run all the time and have more blocks than fit. */
static void crowd(struct dice *d, struct warp_case *c)
{
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		kernel->launch = between(d, 0, once_in(d, 3) ? 60 : 0);
		kernel->period = 0;
		kernel->repeat = true;
		if (!once_in(d, 4))
			kernel->stream = STREAM_OWN;
		kernel->blocks = small(d, 4, 40);
	}
	c->setup.stop = once_in(d, 4) ? STOP_DRAINED : STOP_HORIZON;
	c->setup.horizon_ns = (int64_t)((int128)between(d, 300, 900) * 1000000000 / c->set.machine.clock_hz);
	c->setup.limit_ns = c->setup.horizon_ns * 3 / 2;
}

/* Goals: some kernels reach theirs and some do not. */
static void reachable_goals(struct dice *d, struct warp_case *c)
{
	uint32_t goals = small(d, 1, c->set.kernel_count);
	for (uint32_t k = 0; k < goals; k++) {
		int64_t most = once_in(d, 4) ? WARP_GOAL_MAX / MILLION : once_in(d, 2) ? 6 : 40;
		c->kernel[k].goal =
			(struct warp_goal){.kind = GOAL_IPC, .ipc = between(d, MILLION / 10, most * MILLION)};
	}
}

/* Few events, each of which takes long: latencies of thousands of cycles, one or two warps at a time. */
static void slow_down(struct dice *d, struct warp_case *c)
{
	struct warp_machine *m = &c->set.machine;
	int64_t times = spread(d, 2, 400);
	m->shared_latency *= spread(d, 1, times);
	m->l1_latency *= spread(d, 1, times);
	m->l2_latency *= times;
	m->dram_latency *= times;
	for (int unit = 0; unit < WARP_UNITS; unit++) {
		m->latency[unit] *= spread(d, 1, times);
		m->interval[unit] *= spread(d, 1, times);
	}
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		c->kernel[k].launch *= times;
		c->kernel[k].period *= times;
		c->kernel[k].blocks = small(d, 1, 3);
	}
	c->platform.sms =
		small(d, c->options.manager == MANAGER_SPART ? c->set.kernel_count : 1, c->set.kernel_count);
	c->options.epoch *= spread(d, 1, times);
	c->setup.horizon_ns = (int64_t)((int128)between(d, 2000, 20000) * 1000000000 / m->clock_hz);
	c->setup.limit_ns = c->setup.horizon_ns * 2;
}

/* SMs as full as possible, with up to 8 sub-cores, and long runs of the same instruction. */
static void fill_up(struct dice *d, struct warp_case *c)
{
	c->set.machine.sub_cores = small(d, 1, WARP_SUB_CORES_MAX);
	c->platform.sms =
		small(d, c->options.manager == MANAGER_SPART ? c->set.kernel_count : 1, CASE_KERNELS);
	c->platform.threads_per_sm = c->platform.warps_per_sm = c->platform.blocks_per_sm = 0;
	c->platform.registers_per_sm = c->platform.shared_memory_per_sm = 0;
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		struct warp_step *first = &kernel->steps[0];
		kernel->blocks = small(d, 1, once_in(d, 3) ? 300 : 60);
		if (once_in(d, 3))
			kernel->block_threads = small(d, 1, WARPS_PER_SM_MAX * WARP_THREADS);
		if (first->kind != STEP_LOOP && first->kind != STEP_BARRIER && once_in(d, 3))
			first->count = small(d, 1, 300);
	}
	c->setup.horizon_ns = (int64_t)((int128)between(d, 50, 400) * 1000000000 / c->set.machine.clock_hz);
	c->setup.limit_ns = c->setup.horizon_ns * 2;
}

/* Many SMs and few blocks, which find another place at once. Their warps' progress differs widely, and their
 * last results are late. */
static void move_often(struct dice *d, struct warp_case *c)
{
	struct platform *p = &c->platform;
	p->sms = small(d, c->set.kernel_count + 3, 12);
	p->threads_per_sm = p->blocks_per_sm = 0;
	p->registers_per_sm = p->shared_memory_per_sm = 0;
	p->warps_per_sm = small(d, 4, once_in(d, 2) ? 8 : 24);
	c->set.machine.sub_cores = small(d, 1, 4);
	c->set.machine.bandwidth = between(d, 10000, 200000);
	c->options.active = small(d, 1, 3);
	c->options.epoch = between(d, 5, 25);
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		struct warp_step *last = &kernel->steps[kernel->step_count - 1];
		kernel->blocks = small(d, 2, 12);
		kernel->block_threads = WARP_THREADS * small(d, 1, 4);
		kernel->registers = small(d, 1, 8);
		if (last->kind == STEP_COMPUTE)
			last->latency = between(d, 1, 150);
		if (!once_in(d, 2))
			continue;
		kernel->goal.kind = GOAL_NONE;
		kernel->step_count = 1;
		kernel->steps[0] = (struct warp_step){
			.kind = STEP_COMPUTE,
			.count = small(d, 2, 8),
			.threads = 32,
			.latency = between(d, 30, 300),
			.coalescing_ppm = MILLION,
			.bytes = 4,
		};
	}
	c->kernel[0].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = between(d, 10, 400) * MILLION};
}

/* Small kernels without a goal, launched from time to time. */
static void come_and_go(struct dice *d, struct warp_case *c)
{
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		if (kernel->goal.kind != GOAL_NONE)
			continue;
		kernel->repeat = false;
		kernel->period = between(d, 10, 60);
		kernel->blocks = small(d, 1, 3);
		kernel->step_count = 1;
		kernel->steps[0] = (struct warp_step){
			.kind = STEP_COMPUTE,
			.count = small(d, 1, 4),
			.threads = 32,
			.coalescing_ppm = MILLION,
			.bytes = 4,
		};
	}
}

static void set_mood(struct dice *d, struct warp_case *c, enum mood mood)
{
	struct warp_options *o = &c->options;
	if (mood == MOOD_SLOW)
		slow_down(d, c);
	if (mood == MOOD_CROWDED)
		fill_up(d, c);
	if (mood == MOOD_ANY || mood == MOOD_SLOW || mood == MOOD_CROWDED)
		return;
	crowd(d, c);
	if (mood == MOOD_GROUPS) {
		o->scheduler = SCHEDULE_QAWS;
		o->manager = MANAGER_SMK;
		return;
	}
	reachable_goals(d, c);
	o->epoch = between(d, 20, 80);
	o->blocks = BLOCKS_EVEN;
	if (mood == MOOD_SPART) {
		c->platform.sms = small(d, c->set.kernel_count, c->set.kernel_count + 3);
		o->epoch = between(d, 20, 40);
		if (once_in(d, 2))
			move_often(d, c);
		o->manager = MANAGER_SPART;
		return;
	}
	o->manager = (enum warp_manager)small(d, MANAGER_NAIVE, MANAGER_ROLLOVER_TIME);
	o->adjust = true;
	c->set.machine.sub_cores = small(d, 2, 4);
	for (uint32_t k = 0; k < c->set.kernel_count; k++)
		c->kernel[k].blocks = small(d, 20, 60);
	if (once_in(d, 3))
		come_and_go(d, c);
}

/* A kernel that jobs of `first` run behind it. Its blocks need no more than the largest that the platform was
 * made for. */
static void roll_part(
	struct dice *d, const struct warp_kernel *first, struct warp_kernel *part, struct warp_step *steps)
{
	struct writing w = {.d = d, .steps = steps, .barriers = once_in(d, 3), .memory = !once_in(d, 4)};
	*part = (struct warp_kernel){
		.blocks = once_in(d, 3) ? small(d, 1, 3) : small(d, 1, 20), .steps = steps};
	part->block_threads = once_in(d, 2) ? first->block_threads : small(d, 1, first->block_threads);
	part->registers = once_in(d, 2) ? first->registers : between(d, 0, 32);
	part->shared_memory = once_in(d, 2) ? first->shared_memory : between(d, 0, 4096);
	roll_steps(&w, small(d, 1, once_in(d, 3) ? 60 : 15), 0);
	part->step_count = w.used;
	roll_shared(d, part);
	mend_shared(part);
}

/* One case in three has applications. Their dice are their own: the rest of the case is what it was. */
static void roll_parts(uint64_t seed, uint64_t index, struct warp_case *c)
{
	struct dice dice = {seed * 0xD1B54A32D192ED03u + index}, *d = &dice;
	if (!once_in(d, 3))
		return;
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		if (once_in(d, 3))
			continue;
		kernel->then_count = small(d, 1, CASE_THEN);
		for (uint32_t i = 0; i < kernel->then_count; i++)
			roll_part(d, kernel, &c->then[k][i], c->then_step[k][i]);
		if (once_in(d, 2)) /* sooner at the next part */
			kernel->blocks = small(d, 1, 4);
	}
}

void warp_case_make(uint64_t seed, uint64_t index, struct warp_case *c)
{
	struct dice dice = {seed * 0x9E3779B97F4A7C15u + index}, *d = &dice;
	*c = (struct warp_case){.set.kernel_count = 0};
	enum mood mood = once_in(d, 2) ? MOOD_ANY : (enum mood)small(d, MOOD_ANY, MOOD_GROUPS);
	if (once_in(d, 24))
		mood = once_in(d, 2) ? MOOD_SLOW : MOOD_CROWDED;
	uint32_t kernels = small(d, mood == MOOD_ANY ? 1 : 2, once_in(d, 8) ? CASE_KERNELS : 4),
		 warps_max = small(d, 1, once_in(d, 3) ? 5 : 2);
	bool goals = !once_in(d, 6);
	roll_machine(d, &c->set.machine);
	roll_platform(d, &c->platform, warps_max, small(d, once_in(d, 2) ? kernels : 1, CASE_KERNELS));
	c->set.kernel_count = kernels;
	bool has_goal = false;
	for (uint32_t k = 0; k < kernels; k++) {
		roll_kernel(d, c, k, warps_max);
		if (goals && (once_in(d, 2) || (k + 1 == kernels && !has_goal))) {
			roll_goal(d, c, &c->kernel[k].goal);
			has_goal = true;
		}
	}
	roll_options(d, c, goals);
	roll_setup(d, c);
	set_mood(d, c, mood);
	roll_cost(&c->options);
	for (uint32_t k = 0; k < kernels; k++)
		mend_shared(&c->kernel[k]);
	roll_parts(seed, index, c);
	tie(c);
}

/* All steps of the program become the body of a loop, once more around those that are there. If one of those
 * was shared, this one is instead. */
static void repeat_all(struct dice *d, struct warp_kernel *k)
{
	enum warp_rounds rounds = ROUNDS_OWN;
	if (k->step_count == CASE_STEPS || once_in(d, 3))
		return;
	for (uint32_t i = k->step_count; i-- > 0;) {
		k->steps[i + 1] = k->steps[i];
		if (k->steps[i].rounds != ROUNDS_OWN)
			rounds = k->steps[i].rounds;
		k->steps[i + 1].rounds = ROUNDS_OWN;
	}
	k->steps[0] = (struct warp_step){
		.kind = STEP_LOOP, .count = small(d, 1, 200), .body = k->step_count++, .rounds = rounds};
	mend_shared(k);
}

/* A load that may be on its way when the other warps of the block have long ended. */
static void load_at_last(struct dice *d, struct warp_kernel *k)
{
	if (k->step_count == CASE_STEPS || once_in(d, 2))
		return;
	k->steps[k->step_count++] = (struct warp_step){
		.kind = STEP_LOAD,
		.count = 1,
		.threads = WARP_THREADS,
		.l1_hit_ppm = 500000,
		.coalescing_ppm = MILLION,
		.bytes = 4,
	};
}

void warp_case_lengthen(uint64_t seed, uint64_t index, struct warp_case *c)
{
	struct dice dice = {seed * 0x9E3779B97F4A7C15u + ~index}, *d = &dice;
	struct warp_machine *m = &c->set.machine;
	m->dram_latency = between(d, 8, once_in(d, 4) ? 700 : 120);
	m->l2_latency = between(d, 2, once_in(d, 2) ? 200 : 40);
	if (!once_in(d, 3))
		m->bandwidth = spread(d, 3000, 300000);
	c->options.epoch = between(d, 50, 900);
	c->options.samples = small(d, 1, 20);
	if (c->options.epoch_cost > 0)
		c->options.epoch_cost = c->options.epoch % 40;
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		kernel->blocks = small(d, 1, 40);
		for (uint32_t i = 0; i < kernel->step_count; i++) {
			struct warp_step *s = &kernel->steps[i];
			if (s->kind != STEP_LOOP && s->kind != STEP_BARRIER && once_in(d, 3))
				s->count = small(d, 1, 100);
		}
		repeat_all(d, kernel);
		load_at_last(d, kernel);
		for (uint32_t i = 0; i < kernel->then_count; i++)
			repeat_all(d, &c->then[k][i]);
	}
	c->setup.horizon_ns = (int64_t)((int128)between(d, 500, 3000) * 1000000000 / m->clock_hz);
	c->setup.limit_ns = c->setup.horizon_ns * 2;
	tie(c);
}

void warp_case_copy(const struct warp_case *from, struct warp_case *to)
{
	*to = *from;
	tie(to);
}

bool warp_case_has_share(const struct warp_case *c)
{
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		if (c->kernel[k].goal.kind == GOAL_SHARE)
			return true;
	}
	return false;
}
