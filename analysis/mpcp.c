/* analysis/mpcp.c - see analysis/mpcp.h. After MPCP's analysis (Patel et al., RTAS 2018: the request-driven,
 * job-driven and hybrid bounds, known to us from a port), reduced to one core and one mutex. The proofs are
 * ours.
 *
 * Several cores, each with tasks of its own. The holder of the mutex needs no core until it has given it
 * back, so a section takes its length on the GPU whatever the cores do. What a job of task i waits for is
 * then work on its own core, of higher tasks there, or the mutex, held by tasks of any core. All that follows
 * counts the one and the other by themselves, in windows of one task's jobs; only the first sum is over the
 * tasks of the core alone.
 *
 * Several GPUs, each with a mutex, and each task with sections on one of them. A job waits for the mutex of
 * its own GPU, which tasks of that GPU hold; so the sums over sections are over the tasks of its GPU, and the
 * one over the core is over those of its core, wherever their sections are. Boosted, nobody waits for a
 * mutex, and a stretch holds the core whatever its GPU: those sums are over all tasks. jitter: paper is for
 * one GPU: with method: job its proof has a higher task's sections in the way of i.
 *
 * Suspending. At each instant of its response a job of task i does its own work, or waits for a higher task's
 * work on the core, or for the mutex, which a higher or a lower task holds. Let c be a part of every job of a
 * sporadic task h with response R_h. In any window of length t the task does at most ceil((t + R_h - c) /
 * T_h) c of it: a job that the beginning of the window cuts has w of its c in the window and was released no
 * earlier than w - R_h after that beginning; if one job more than this counts fits behind it, that job begins
 * at most c - w before the end. On the core c = C_h, at the mutex c is each section. Lower tasks delay each
 * request at most once: it overtakes all lower requests that wait with it, and `ties: lower-first` lets a
 * waiting one go first only at the instant of the request.
 *
 *   one request    w: longest lower section + sum over higher sections of n(w) G
 *   all requests   higher sections as often as they fit into R (job), or into w, for each request (request),
 *                  or the less of both for each (hybrid); lower sections, the longest first, each at most as
 *                  often as its task has jobs in R if that meets its deadlines (job, hybrid), or the longest
 *                  for each request
 *
 * A request is bounded up to its start, so a section that arrives exactly at the end of w goes first and
 * counts: n(w + 1). If its job surely takes time on the core, before or after the section, then the section
 * arrives that much earlier, and n(w) is enough.
 *
 * R - C in place of R - G (jitter: paper) counts too few sections where C is large but need not be used up:
 * two sections then fit a window that should hold one. With method: job it is safe on one core. A job of h
 * computes, waits, or has the mutex, one at a time, so c may be all of it, C_h + G_h: in R the task delays
 * i at most ceil((R + R_h - C_h - G_h) / T_h) (C_h + G_h), and ceil((R + R_h - C_h) / T_h) times each of its
 * parts is no less. (Where i has no section, c = C_h is what delays it.)
 *
 * By request (jitter: paper) what a request waits for is counted without the time on the core that makes up
 * for it, so w may be too short. For some sets the sum R is safe all the same. If no section of a higher task
 * is shorter than its C_h, R - C is no less than R - G, and nothing is less than with R - G. And a task h
 * with one section, G_h <= C_h, delays i for no longer than is counted of it, whatever w is. Let its section
 * count q >= eta times, and q < N = ceil((R + R_h - C_h) / T_h), else the proof above serves. Of its jobs
 * whose sections hold up the same request only the first delays i on the core before its section, and only
 * the last one behind it: C_h together, as i waits in between. So J jobs, of which M hold up s <= eta
 * requests, delay i for at most (J - M + s) C_h + M G_h <= J C_h + s G_h. If J <= N that is counted. Else J =
 * N + 1, and the first and the last job delay i for C_h together: if the first does for w, the last is
 * released C_h - w before the end. The N - 1 others delay it for (N - 1) C_h + s G_h. Where tasks of both
 * kinds meet, w may be too short for the sections of the former, and then too few of the latter count:
 * nothing is proved, yet no run has exceeded these bounds. On several cores all this does not hold: h's
 * sections count where its time on the core does not.
 *
 * If the whole set is accepted, lower tasks meet their deadlines, by induction over time. If it is not, the
 * bounds are computed again without this assumption.
 *
 * Behind a task h that fails. The count above needs R_h <= T_h, so that the beginning of a window cuts one
 * job of h at most, and nothing of D_h: a bound between deadline and period serves like any other. If h has
 * none, jobs of it may wait for each other. Then D_h, which is at most T_h, stands for R_h, and the bounds
 * below hold while no job of h is late, by induction over time: what they count in a window ends before the
 * window does.
 *
 * Boosted. A job that spins cannot lose the core, and a job must have the core to reach a section. So at most
 * one job spins, no job waits for the mutex, and a section is a non-preemptive stretch of time on the core.
 * (A section that begins a job is different: mpcp_begins_on_gpu. It is boosted at its release, at any time,
 * once per job.) Sections between which the job may take no time on the core count as one stretch.
 *
 *   R_i = C_i + G_i + longest lower stretch + sum over higher tasks of ceil(R_i / T_h) (C_h + G_h)
 *
 * is the end of the level-i busy period that begins with one lower stretch and the release of everything:
 * jobs of higher tasks count up to its end, also those that arrive during a section of i and cannot delay it
 * any more. While R_i <= T_i it contains one job of i, and no work is left for the next one, whatever the
 * job's last segment is. Jobs of higher tasks count by their releases, in time or late: the bound rests on
 * nobody. */
#include "analysis/mpcp.h"

#include <stdlib.h>

#include "analysis/window.h"
#include "base/checked.h"

struct lower_section {
	int64_t length;
	uint32_t place;
};

struct mpcp_state {
	struct mpcp_test *test;
	struct lower_section *section; /* all, the longest first */
	uint32_t sections;
	bool lower_meet; /* lower tasks meet their deadlines */
};

/* ---- Tasks ---- */

static int64_t gpu_of(const struct section_task *t)
{
	return t->copies_ns + t->kernels_ns;
}

static bool takes_core(const struct section_part *p)
{
	return !p->gpu && p->best_ns > 0;
}

static bool computes(const struct section_task *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (takes_core(&t->part[i]))
			return true;
	return false;
}

bool mpcp_begins_on_gpu(const struct section_task *t)
{
	for (uint32_t i = 0; i < t->count && !takes_core(&t->part[i]); i++)
		if (t->part[i].gpu)
			return true;
	return false;
}

static int64_t longest_section(const struct section_task *t)
{
	int64_t most = 0;
	for (uint32_t i = 0; i < t->count; i++)
		if (t->part[i].gpu && t->part[i].worst_ns > most)
			most = t->part[i].worst_ns;
	return most;
}

/* The longest run of sections that may follow each other without time on the core between. */
static int64_t longest_stretch(const struct section_task *t)
{
	int64_t most = 0, stretch = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		stretch = takes_core(&t->part[i]) ? 0 : stretch + (t->part[i].gpu ? t->part[i].worst_ns : 0);
		most = stretch > most ? stretch : most;
	}
	return most;
}

static int64_t longest_stretch_below(const struct mpcp_state *s, uint32_t k)
{
	int64_t most = 0;
	for (uint32_t l = k + 1; l < s->test->count; l++)
		most = longest_stretch(s->test->task[l]) > most ? longest_stretch(s->test->task[l]) : most;
	return most;
}

/* Whether two tasks can meet at a mutex: each GPU has one. */
static bool meet(const struct mpcp_state *s, uint32_t k, uint32_t other)
{
	return s->test->task[k]->on_gpu == s->test->task[other]->on_gpu;
}

static int64_t longest_section_below(const struct mpcp_state *s, uint32_t k)
{
	int64_t most = 0;
	for (uint32_t l = k + 1; l < s->test->count; l++)
		if (meet(s, k, l) && longest_section(s->test->task[l]) > most)
			most = longest_section(s->test->task[l]);
	return most;
}

/* ---- Jobs in a window ---- */

static int64_t jobs_in(int64_t window, int64_t jitter, int64_t period)
{
	int128 jobs = ((int128)window + jitter + period - 1) / period;
	return jobs < NO_BOUND ? (int64_t)jobs : NO_BOUND;
}

static int64_t times(int64_t count, int64_t length)
{
	int64_t product;
	return checked_mul(count, length, &product) ? product : NO_BOUND;
}

static int64_t section_jobs(const struct mpcp_state *s, uint32_t h, int64_t length, int64_t window)
{
	const struct section_task *t = s->test->task[h];
	int64_t part = s->test->jitter == MPCP_JITTER_SAFE ? length : t->cpu_ns;
	return jobs_in(window, s->test->bound[h].claim - part, t->period_ns);
}

/* How many sections of task h one request of a lower task can wait for, in a window that is as long as its
 * waiting. */
static int64_t jobs_in_request(const struct mpcp_state *s, uint32_t h, int64_t length, int64_t window)
{
	return section_jobs(s, h, length, window + !computes(s->test->task[h]));
}

/* ---- One request ---- */

static int64_t request_of(const struct mpcp_state *s, uint32_t k)
{
	int64_t blocking = longest_section_below(s, k), x = 1;
	for (uint32_t steps = 0;;) {
		if (x > s->test->task[k]->deadline_ns && steps++ == WINDOW_PATIENCE)
			return NO_BOUND;
		int128 next = blocking;
		for (uint32_t h = 0; h < k; h++) {
			const struct section_task *t = s->test->task[h];
			for (uint32_t i = 0; meet(s, k, h) && i < t->count; i++)
				if (t->part[i].gpu)
					next += times(jobs_in_request(s, h, t->part[i].worst_ns, x),
						t->part[i].worst_ns);
		}
		if (next <= x)
			return (int64_t)next;
		if (next >= NO_BOUND - 1)
			return NO_BOUND;
		x = (int64_t)next;
	}
}

/* ---- One response ---- */

/* How many times a job of rank k can wait for a section of higher task h in a response of x. */
static int64_t waits_for(const struct mpcp_state *s, uint32_t k, uint32_t h, int64_t length, int64_t x)
{
	const struct mpcp_test *test = s->test;
	int64_t job = section_jobs(s, h, length, x), request = test->bound[k].request;
	if (test->method == MPCP_JOB || request == NO_BOUND)
		return job;
	int64_t all = times(test->task[k]->sections, jobs_in_request(s, h, length, request));
	return test->method == MPCP_REQUEST || all < job ? all : job;
}

static int128 interference_of(const struct mpcp_state *s, uint32_t k, uint32_t h, int64_t x)
{
	const struct section_task *t = s->test->task[h];
	if (s->test->boosted)
		return times(jobs_in(x, 0, t->period_ns), t->cpu_ns + gpu_of(t));
	int128 sum = 0;
	if (s->test->core[h] == s->test->core[k])
		sum = times(jobs_in(x, s->test->bound[h].claim - t->cpu_ns, t->period_ns), t->cpu_ns);
	for (uint32_t i = 0; s->test->task[k]->sections && meet(s, k, h) && i < t->count; i++)
		if (t->part[i].gpu)
			sum += times(waits_for(s, k, h, t->part[i].worst_ns, x), t->part[i].worst_ns);
	return sum;
}

static int128 blocking_of(const struct mpcp_state *s, uint32_t k, int64_t x)
{
	int64_t left = s->test->task[k]->sections;
	int128 sum = 0;
	if (s->test->boosted)
		return longest_stretch_below(s, k);
	if (s->test->method == MPCP_REQUEST)
		return (int128)left * longest_section_below(s, k);
	for (uint32_t i = 0; i < s->sections && left > 0; i++) {
		const struct lower_section *lower = &s->section[i];
		const struct section_task *t = s->test->task[lower->place];
		if (lower->place <= k || !meet(s, k, lower->place))
			continue;
		int64_t uses = s->lower_meet ? jobs_in(x, t->deadline_ns, t->period_ns) : left;
		uses = uses < left ? uses : left;
		sum += (int128)uses * lower->length;
		left -= uses;
	}
	return sum;
}

static int64_t response_of(const struct mpcp_state *s, uint32_t k)
{
	struct mpcp_bound *b = &s->test->bound[k];
	const struct section_task *t = s->test->task[k];
	int64_t own = t->cpu_ns + gpu_of(t), x = own;
	if (b->request == NO_BOUND && s->test->method == MPCP_REQUEST)
		return NO_BOUND;
	for (uint32_t steps = 0;;) {
		if (x > t->deadline_ns && steps++ == WINDOW_PATIENCE)
			return NO_BOUND;
		int128 blocking = blocking_of(s, k, x), next = own + blocking;
		for (uint32_t h = 0; h < k; h++)
			next += interference_of(s, k, h, x);
		if (next >= NO_BOUND)
			return NO_BOUND;
		if (next <= x) {
			b->blocking = (int64_t)blocking;
			for (uint32_t h = 0; h < k; h++)
				b->interference[h] = (int64_t)interference_of(s, k, h, x);
			return x;
		}
		x = (int64_t)next;
	}
}

/* ---- All tasks ---- */

/* By length, the longest first. */
static int longer(const void *a, const void *b)
{
	const struct lower_section *x = a, *y = b;
	return (x->length < y->length) - (x->length > y->length);
}

static bool prepare(struct mpcp_state *s, struct arena *arena)
{
	struct mpcp_test *test = s->test;
	uint32_t sections = 0;
	for (uint32_t k = 0; k < test->count; k++)
		sections += test->task[k]->sections;
	s->section = arena_new(arena, struct lower_section, sections);
	test->bound = arena_new(arena, struct mpcp_bound, test->count);
	if (!s->section || !test->bound)
		return false;
	for (uint32_t k = 0; k < test->count; k++) {
		const struct section_task *t = test->task[k];
		test->bound[k].interference = arena_new(arena, int64_t, test->count);
		if (!test->bound[k].interference)
			return false;
		for (uint32_t i = 0; i < t->count; i++)
			if (t->part[i].gpu)
				s->section[s->sections++] = (struct lower_section){t->part[i].worst_ns, k};
	}
	if (s->sections)
		qsort(s->section, s->sections, sizeof(*s->section), longer);
	return true;
}

/* Sets what tasks below k rest on; false: there is nothing, as the task alone takes longer than its deadline.
 * Boosted, they only count releases. */
static bool set_claim(const struct mpcp_test *test, uint32_t k)
{
	const struct section_task *t = test->task[k];
	struct mpcp_bound *b = &test->bound[k];
	b->claim = b->response;
	b->assumed = false;
	if (test->boosted || b->response <= t->period_ns)
		return true;
	b->claim = t->deadline_ns;
	b->assumed = t->cpu_ns + gpu_of(t) <= t->deadline_ns;
	return b->assumed;
}

/* Whether every task's bound is within its deadline. */
static bool analyse(const struct mpcp_state *s)
{
	struct mpcp_test *test = s->test;
	bool accepted = true;
	for (uint32_t k = 0; k < test->count; k++)
		test->bound[k].analysed = false;
	for (uint32_t k = 0; k < test->count; k++) {
		struct mpcp_bound *b = &test->bound[k];
		b->analysed = true;
		b->request = 0;
		if (!test->boosted && test->method != MPCP_JOB && test->task[k]->sections)
			b->request = request_of(s, k);
		b->response = response_of(s, k);
		accepted = accepted && b->response <= test->task[k]->deadline_ns;
		if (!set_claim(test, k))
			return false;
	}
	return accepted;
}

bool mpcp_bounds(struct mpcp_test *test, struct arena *arena, struct error *err)
{
	struct mpcp_state s = {.test = test, .lower_meet = true};
	if (!prepare(&s, arena))
		return error_memory(err, "bounds under MPCP");
	if (!analyse(&s)) {
		s.lower_meet = false;
		analyse(&s);
	}
	return true;
}
