/* analysis/gcaps.c - see analysis/gcaps.h. GCAPS [Wang et al., ECRTS 2024, section 6.3: Lemmas 8 to 15], and
 * bounds of ours, with a proof. C is a job's time on its core (the paper's C + Gm), G that on the GPU, eta
 * the number of its sections, e the longest call, k one that does not change the owner; hpp the tasks of
 * higher priority on the same core, lpp those of lower priority there that use the GPU, hg and lg those
 * before and behind it at the GPU. On a core the order at the GPU is that of the priorities.
 *
 * The paper's bounds are unsafe in two ways (docs/findings.md, 16 and 17). A section of another core has the
 * GPU until its end call has run, for which its job needs its core; Lemmas 10 and 13 count nothing of that.
 * And each of the 2 eta calls can find a lower call in progress; Lemma 8 counts eta + 1, on the core too.
 * Where Lemmas 10 to 12 leave out the time for which a higher task of the core spins if the task in question
 * has no section (eq. 10 has it for eta > 0 only), we count it: Lemma 11 takes it for granted.
 *
 * Proof of ours. A job of i is *in* from the end of a begin call to the begin of that section's end call.
 * The owner is the first at the GPU of all jobs that are in, for calls exclude each other, and each leaves it
 * so. While i is in, a task of lg does not own, and its operations stand still. So (1) meanwhile a task of lg
 * makes at most two calls, the end call of a section whose operations were over before, and a begin call,
 * and neither changes the owner.
 *
 * Suspending. At each instant of its response the job of i
 *   a. computes, calls, or its operations run: C + 2 eta e + G;
 *   b. is ready, for a segment or to ask for the lock, and a job of hpp has the core, for what it computes or
 *      a call;
 *   c. is ready, and a lower task's call has the core. The lower task asked for the lock when i was off the
 *      core: before its release, during a section, or waiting for the lock. It waits with one call at a time,
 *      and cannot ask while i is ready. So its calls delay i at most once behind each time that i was off:
 *      behind the release; behind the operations of a section, where by (1) the call takes k; behind an end
 *      call. Behind a begin call i needs no core. Together lpp (e + eta (k + e));
 *   d. waits for the lock: for one call of lg at most, which takes e, or k at the end of a section (1), or
 *      for calls of hg;
 *   e. is in, its operations are not over and do not run: a task o of hg owns and its operations run, or a
 *      call of hg goes on that changes the owner (calls of others change none, by (1)), or o owns with its
 *      operations over and its end call not begun, the *tail*.
 * In the tail o's job first waits for its core, while jobs of hpp(o) have it or, once each, those of lpp(o)
 * call; then for the lock, for one call of a task behind it at the GPU, or calls of such before it. As o is
 * the first of those that are in, no job of hpp(o) is in: it does not spin, and takes the core for what it
 * computes, C at most, or for calls. All calls of hg are counted in any case. So tails add the computing of
 * hpp(o) if o has another core (else b. has it), and calls of lg: by (1) together 2 k |lg| a section of i; or
 * in each tail k for each task of lpp(o) and lg, and k for the lock.
 *
 * Let c be a part of every job of h, and R_h its response. In any window of length t jobs of h spend at most
 * ceil((t + R_h - c) / T_h) c on it (proof in analysis/mpcp.c). On i's core c = C + 2 eta e, and G too if i
 * has sections: h does one at a time. For o of another core c = G + 2 eta e. The computing of hpp(o) is
 * counted over the whole window; or with each job of o, as part of c. Of one tail: the wait for the core is
 * at most the least w = k |lpp(o)| + what hpp(o) takes of the core in w + 1 (o needs the core for no time, so
 * what comes at the end of w goes first), or of all tails of a job: what hpp(o) computes in R_o.
 *
 * Spinning. Jobs of hpp also have the core while they are in: c = C + G + 2 eta e; and while their operations
 * do not run, which is e. for them. For a GPU task hg(h) is in hg(i); for one without sections hg is that of
 * the last of hpp at the GPU, and so lg. So all of e. is counted as above, for sections of hpp as well as i's
 * own. The wait for the core in a tail is that in R_o: jobs of hpp(o) spin in it.
 *
 * (1) needs that a job leaves only when its operations are over: that none is aborted. No count is about jobs
 * of lower tasks being in time. Each bound rests on tasks before it in this order: at the GPU from first to
 * last, before each those of its hpp without sections, then the rest. A response between deadline and period
 * serves like any other; where there is none the deadline stands for it, as in analysis/mpcp.c. With update
 * and call 0 there are no calls: a section ends with its operations. */
#include "analysis/gcaps.h"

#include "analysis/verdict.h"
#include "analysis/window.h"

#define NOBODY UINT32_MAX

struct state {
	const struct gcaps_test *test;
	int64_t longest, same; /* e and k */
	uint32_t i;            /* the task in question */
	uint32_t guide;        /* whose place at the GPU matters for it; NOBODY: nobody's does */
	int64_t *part;         /* [count] interference by task, or NULL */
	bool deadlines;        /* for the responses of others */
};

static struct state state_of(const struct gcaps_test *test)
{
	int64_t update = test->update_ns, call = test->call_ns;
	return (struct state){.test = test, .longest = update > call ? update : call, .same = call};
}

/* ---- Who is where ---- */

/* h is of hpp(i). */
static bool is_above(const struct gcaps_test *test, uint32_t h, uint32_t i)
{
	return h < i && test->task[h].core == test->task[i].core;
}

/* l is of lpp(i). */
static bool is_below(const struct gcaps_test *test, uint32_t l, uint32_t i)
{
	return is_above(test, i, l) && test->task[l].sections > 0;
}

static bool is_before(const struct state *s, uint32_t h)
{
	const struct gcaps_task *t = s->test->task;
	return s->guide != NOBODY && t[h].sections > 0 && t[h].gpu_rank < t[s->guide].gpu_rank;
}

static bool is_behind(const struct state *s, uint32_t l)
{
	const struct gcaps_task *t = s->test->task;
	return s->guide != NOBODY && t[l].sections > 0 && t[l].gpu_rank > t[s->guide].gpu_rank;
}

/* The task itself; or, as others of its core spin, the last of them at the GPU. */
static uint32_t guide_of(const struct gcaps_test *test, uint32_t i)
{
	uint32_t last = NOBODY;
	if (test->task[i].sections > 0)
		return i;
	for (uint32_t h = 0; test->busy && h < i; h++)
		if (is_above(test, h, i) && test->task[h].sections > 0)
			last = h;
	return last;
}

uint32_t gcaps_inversion(const struct gcaps_test *test)
{
	for (uint32_t l = 0; l < test->count; l++)
		for (uint32_t h = 0; h < l; h++)
			if (is_below(test, l, h) && test->task[h].sections > 0 &&
				test->task[h].gpu_rank > test->task[l].gpu_rank)
				return h;
	return NOBODY;
}

/* ---- Jobs in a window ---- */

static int128 jobs_in(int128 window, int64_t jitter, int64_t period)
{
	return (window + jitter + period - 1) / period;
}

static int64_t claim_of(const struct state *s, uint32_t h)
{
	return s->deadlines ? s->test->task[h].deadline_ns : s->test->bound[h].claim;
}

/* What jobs of h do in a window of a part that takes each of them `part` at most. */
static int128 work_in(const struct state *s, uint32_t h, int128 part, int128 window)
{
	int64_t claim = claim_of(s, h), most = part < claim ? (int64_t)part : claim;
	return jobs_in(window, claim - most, s->test->task[h].period_ns) * most;
}

/* Jobs of h with a part in a window. */
static int128 meets(const struct state *s, uint32_t h, int128 window)
{
	return jobs_in(window, claim_of(s, h), s->test->task[h].period_ns);
}

static int128 calls_of(const struct state *s, uint32_t h)
{
	return (int128)2 * s->test->task[h].sections * s->longest;
}

static int128 add(const struct state *s, uint32_t h, int128 amount)
{
	if (s->part)
		s->part[h] = bound_saturated(s->part[h] + amount);
	return amount;
}

/* ---- Tails ---- */

static uint32_t count_below(const struct state *s, uint32_t o, bool behind)
{
	uint32_t count = 0;
	for (uint32_t l = o + 1; l < s->test->count; l++)
		count += is_below(s->test, l, o) && (!behind || is_behind(s, l));
	return count;
}

/* What hpp(o) computes in a window. */
static int128 computes_above(const struct state *s, uint32_t o, int128 window)
{
	int128 sum = 0;
	for (uint32_t k = 0; k < o; k++)
		if (is_above(s->test, k, o))
			sum += work_in(s, k, s->test->task[k].cpu_ns, window);
	return sum;
}

/* How long a job of o waits for its core at most, which it needs for no time; its claim if that is less, or
 * if jobs of hpp(o) spin. */
static int128 core_wait(const struct state *s, uint32_t o)
{
	int128 w = 0, claim = claim_of(s, o), next = (int128)s->same * count_below(s, o, false);
	while (!s->test->busy && w < claim) {
		int128 sum = next;
		for (uint32_t k = 0; k < o; k++)
			if (is_above(s->test, k, o))
				sum += work_in(s, k, s->test->task[k].cpu_ns + calls_of(s, k), w + 1);
		if (sum <= w)
			return w;
		w = sum;
	}
	return claim;
}

/* What hpp(o) computes in all tails of a job of o. */
static int128 tails_of(const struct state *s, uint32_t o)
{
	int128 claim = claim_of(s, o), wait = core_wait(s, o), all = computes_above(s, o, claim);
	int128 each = wait < claim ? s->test->task[o].sections * computes_above(s, o, wait + 1) : all;
	return each < all ? each : all;
}

/* Calls of lg in tails of hg. */
static int128 calls_in_tails(const struct state *s, int64_t window)
{
	const struct gcaps_test *test = s->test;
	int128 behind = 0, sections = test->task[s->i].sections, by_tails = 0;
	for (uint32_t k = 0; k < test->count; k++)
		behind += is_behind(s, k);
	for (uint32_t h = 0; test->busy && h < s->i; h++)
		if (is_above(test, h, s->i))
			sections += test->task[h].sections * meets(s, h, window);
	for (uint32_t o = 0; o < test->count; o++)
		if (is_before(s, o))
			by_tails += meets(s, o, window) * test->task[o].sections *
				    (count_below(s, o, true) + (behind > 0));
	int128 by_sections = 2 * behind * sections;
	return s->same * (by_sections < by_tails ? by_sections : by_tails);
}

/* ---- What a job waits for: ours ---- */

static int128 blocking_of(const struct state *s, int64_t window)
{
	const struct gcaps_task *t = &s->test->task[s->i];
	int128 below = count_below(s, s->i, false), eta = t->sections;
	bool behind = false;
	for (uint32_t l = 0; l < s->test->count; l++)
		behind |= is_behind(s, l);
	return below * ((eta + 1) * s->longest + eta * s->same) +
	       (behind ? eta * ((int128)s->longest + s->same) : 0) + calls_in_tails(s, window);
}

/* By tasks of another core: their sections and calls, and what delays their end calls, counted over the
 * window, or with each of their jobs. */
static int128 from_core(const struct state *s, uint32_t core, int64_t window)
{
	const struct gcaps_test *test = s->test;
	bool calls = s->longest > 0;
	int128 over = 0, each = 0;
	uint32_t last = 0;
	for (uint32_t o = 0; o < test->count; o++) {
		if (test->task[o].core != core || !is_before(s, o))
			continue;
		int128 part = test->task[o].gpu_ns + calls_of(s, o);
		over += work_in(s, o, part, window);
		each += work_in(s, o, part + (calls ? tails_of(s, o) : 0), window);
		last = o;
	}
	over += calls ? computes_above(s, last, window) : 0;
	for (uint32_t o = 0; s->part && o <= last; o++) {
		if (test->task[o].core != core)
			continue;
		int128 part = test->task[o].gpu_ns + calls_of(s, o);
		if (is_before(s, o))
			add(s, o,
				work_in(s, o, part + (over <= each || !calls ? 0 : tails_of(s, o)), window));
		if (over <= each && calls && o < last)
			add(s, o, work_in(s, o, test->task[o].cpu_ns, window));
	}
	return over < each ? over : each;
}

static int128 interference_of(const struct state *s, int64_t window)
{
	const struct gcaps_test *test = s->test;
	bool gpu = test->busy || test->task[s->i].sections > 0;
	int128 sum = 0;
	for (uint32_t h = 0; h < s->i; h++) {
		const struct gcaps_task *t = &test->task[h];
		if (is_above(test, h, s->i))
			sum += add(s, h,
				work_in(s, h, t->cpu_ns + calls_of(s, h) + (gpu ? t->gpu_ns : 0), window));
	}
	for (uint32_t o = 0; o < test->count; o++) {
		bool first = is_before(s, o) && test->task[o].core != test->task[s->i].core;
		for (uint32_t k = 0; first && k < o; k++)
			first = !is_before(s, k) || test->task[k].core != test->task[o].core;
		sum += first ? from_core(s, test->task[o].core, window) : 0;
	}
	return sum;
}

/* ---- The same in the paper ---- */

static int128 paper_blocking(const struct state *s)
{
	return (int128)(s->test->task[s->i].sections + 1) * s->longest; /* eq. 9 */
}

/* By a higher task of the core. */
static int128 paper_above(const struct state *s, uint32_t h, int64_t window)
{
	const struct gcaps_task *t = &s->test->task[h];
	int128 core = t->cpu_ns + calls_of(s, h);
	if (s->test->busy) /* eq. 10, 12 */
		return jobs_in(window, 0, t->period_ns) * (core + t->gpu_ns);
	if (t->sections == 0) /* eq. 14 */
		return jobs_in(window, 0, t->period_ns) * t->cpu_ns;
	int64_t claim = claim_of(s, h), late = claim > t->cpu_ns ? claim - t->cpu_ns : 0;
	int128 sum = jobs_in(window, late, t->period_ns) * core;
	late = claim > t->gpu_ns ? claim - t->gpu_ns : 0;
	if (s->test->task[s->i].sections > 0) /* eq. 13 */
		sum += jobs_in(window, late, t->period_ns) * t->gpu_ns;
	return sum;
}

static int128 paper_interference(const struct state *s, int64_t window)
{
	const struct gcaps_test *test = s->test;
	bool gpu = test->task[s->i].sections > 0;
	int128 sum = 0;
	for (uint32_t h = 0; h < test->count; h++) {
		const struct gcaps_task *t = &test->task[h];
		/* eq. 11 has all of higher priority where the task has no place at the GPU. */
		bool before = gpu ? is_before(s, h) : test->busy && h < s->i && t->sections > 0;
		if (is_above(test, h, s->i)) {
			sum += add(s, h, paper_above(s, h, window));
		} else if (before && t->core != test->task[s->i].core) {
			int64_t claim = claim_of(s, h), late = claim > t->gpu_ns ? claim - t->gpu_ns : 0;
			sum += add(s, h, jobs_in(window, late, t->period_ns) * (t->gpu_ns + calls_of(s, h)));
		}
	}
	return sum;
}

/* ---- Responses ---- */

static int128 sum_of(const struct state *s, int64_t window, int128 *blocking)
{
	const struct gcaps_task *t = &s->test->task[s->i];
	bool paper = s->test->variant == GCAPS_PAPER;
	*blocking = paper ? paper_blocking(s) : blocking_of(s, window);
	return t->cpu_ns + t->gpu_ns + calls_of(s, s->i) + *blocking +
	       (paper ? paper_interference(s, window) : interference_of(s, window));
}

/* The least fixed point. */
static int64_t response_of(struct state *s, uint32_t i, int64_t *blocking)
{
	int128 x = 0, blocked;
	s->i = i;
	s->guide = guide_of(s->test, i);
	for (uint32_t steps = 0; steps < WINDOW_PATIENCE;) {
		int128 next = sum_of(s, (int64_t)x, &blocked);
		if (next >= NO_BOUND)
			return NO_BOUND;
		*blocking = (int64_t)blocked;
		if (next <= x)
			return (int64_t)x;
		x = next;
		steps += x > s->test->task[i].deadline_ns;
	}
	return NO_BOUND;
}

/* Sets what other tasks rest on; false: there is nothing, as the task alone takes longer than its deadline.
 */
static bool set_claim(const struct gcaps_test *test, uint32_t i)
{
	const struct gcaps_task *t = &test->task[i];
	struct gcaps_bound *b = &test->bound[i];
	b->claim = b->response;
	b->assumed = b->response > t->period_ns;
	if (!b->assumed)
		return true;
	b->claim = t->deadline_ns;
	b->assumed = (int128)t->cpu_ns + t->gpu_ns + b->calls <= t->deadline_ns;
	return b->assumed;
}

/* Whether places at the GPU are not in the order of priorities. */
static bool is_separate(const struct gcaps_test *test)
{
	for (uint32_t l = 0; l < test->count; l++)
		for (uint32_t h = 0; h < l; h++)
			if (test->task[h].sections > 0 && test->task[l].sections > 0 &&
				test->task[h].gpu_rank > test->task[l].gpu_rank)
				return true;
	return false;
}

/* At the GPU from first to last, before each those of its hpp without sections; then the rest. */
static void put_in_sequence(struct gcaps_test *test, bool *placed)
{
	for (uint32_t count = 0; count < test->count;) {
		uint32_t next = NOBODY;
		for (uint32_t i = 0; i < test->count; i++)
			if (!placed[i] && test->task[i].sections > 0 &&
				(next == NOBODY || test->task[i].gpu_rank < test->task[next].gpu_rank))
				next = i;
		for (uint32_t k = 0; k < test->count; k++) {
			if (placed[k] || (next != NOBODY && k != next && !is_above(test, k, next)))
				continue;
			test->sequence[count++] = k;
			placed[k] = true;
		}
	}
}

static bool prepare(struct gcaps_test *test, struct arena *arena)
{
	bool *placed = arena_new(arena, bool, test->count);
	test->bound = arena_new(arena, struct gcaps_bound, test->count);
	test->sequence = arena_new(arena, uint32_t, test->count);
	if (!placed || !test->bound || !test->sequence)
		return false;
	for (uint32_t i = 0; i < test->count; i++) {
		test->bound[i].interference = arena_new(arena, int64_t, test->count);
		if (!test->bound[i].interference)
			return false;
	}
	put_in_sequence(test, placed);
	return true;
}

bool gcaps_bounds(struct gcaps_test *test, struct arena *arena, struct error *err)
{
	struct state s = state_of(test);
	/* [Paper, 6.4.] Ours needs no such thing: no bound rests on one behind it in the sequence. */
	s.deadlines = test->variant == GCAPS_PAPER && is_separate(test);
	if (!prepare(test, arena))
		return error_memory(err, "bounds under gcaps");
	for (uint32_t k = 0; k < test->count; k++) {
		uint32_t i = test->sequence[k];
		struct gcaps_bound *b = &test->bound[i];
		int128 blocking;
		b->analysed = true;
		s.part = NULL;
		b->response = test->task[i].best_effort ? NO_BOUND : response_of(&s, i, &b->blocking);
		b->calls = bound_saturated(calls_of(&s, i));
		s.part = b->interference;
		if (b->response != NO_BOUND)
			sum_of(&s, b->response, &blocking);
		if (!set_claim(test, i))
			break;
	}
	return true;
}

bool gcaps_accepts(const struct gcaps_test *test)
{
	for (uint32_t i = 0; i < test->count; i++)
		if (!test->task[i].may_be_late &&
			(!test->bound[i].analysed || test->bound[i].response > test->task[i].deadline_ns))
			return false;
	return true;
}

/* ---- Places at the GPU ---- */

/* Whether all tasks of lower priority of its core have their places already. */
static bool may_be_last(const struct gcaps_test *test, const bool *placed, uint32_t i)
{
	for (uint32_t l = i + 1; l < test->count; l++)
		if (is_below(test, l, i) && !placed[l])
			return false;
	return true;
}

/* Puts a task that has no place yet at `place`, and all others that have none before it. */
static bool place_last(struct state *s, bool *placed, uint32_t place)
{
	const struct gcaps_test *test = s->test;
	for (uint32_t i = test->count; i-- > 0;) {
		int64_t blocking;
		if (placed[i] || !may_be_last(test, placed, i))
			continue;
		uint32_t before = test->task[i].gpu_rank;
		test->task[i].gpu_rank = place;
		if (response_of(s, i, &blocking) <= test->task[i].deadline_ns) {
			placed[i] = true;
			return true;
		}
		test->task[i].gpu_rank = before;
	}
	return false;
}

bool gcaps_assign(struct gcaps_test *test, bool *found, struct arena *arena, struct error *err)
{
	bool *placed = arena_new(arena, bool, test->count);
	uint32_t *before = arena_new(arena, uint32_t, test->count), places = 0;
	struct state s = state_of(test);
	s.deadlines = true;
	if (!placed || !before)
		return error_memory(err, "GPU priorities");
	for (uint32_t i = 0; i < test->count; i++) {
		struct gcaps_task *t = &test->task[i];
		before[i] = t->gpu_rank;
		placed[i] = t->sections == 0 || t->best_effort;
		places += !placed[i];
		/* Best-effort tasks keep their order, behind all others. */
		t->gpu_rank = placed[i] ? test->count + t->gpu_rank : 0;
	}
	*found = true;
	while (*found && places > 0)
		*found = place_last(&s, placed, places--);
	for (uint32_t i = 0; i < test->count && !*found; i++)
		test->task[i].gpu_rank = before[i];
	return true;
}
