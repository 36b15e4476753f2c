/* scenarios/traced/steps.c - makes a program of a way: what an instruction of the code is to the model,
 * instructions in a row as steps, and what is given up where a program would have too many
 * (docs/kernel-traces.md, "Steps"). */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "scenarios/traced/parts.h"

static const char what[] = "making a program";

/* ---- An instruction ---- */

/* a / b, rounded; b > 0 */
static int64_t rounded(uint64_t a, uint64_t b)
{
	return (int64_t)((a + b / 2) / b);
}

static int64_t ppm(uint64_t part, uint64_t whole)
{
	return whole ? rounded(part * 1000000, whole) : 0;
}

static enum warp_step_kind kind_of(const struct traced_code *c)
{
	bool shared = c->shared > c->global;
	if (c->off * 2 > c->times)
		return STEP_COMPUTE; /* mostly it is only issued */
	switch (c->class) {
	case SASS_GLOBAL_LOAD:
	case SASS_LOCAL_LOAD:
	case SASS_TEXTURE:
		return STEP_LOAD;
	case SASS_GENERIC_LOAD:
		return shared ? STEP_SHARED_LOAD : STEP_LOAD;
	case SASS_GLOBAL_STORE:
	case SASS_LOCAL_STORE:
		return STEP_STORE;
	case SASS_GENERIC_STORE:
		return shared ? STEP_SHARED_STORE : STEP_STORE;
	case SASS_SHARED_LOAD:
		return STEP_SHARED_LOAD;
	case SASS_SHARED_STORE:
		return STEP_SHARED_STORE;
	case SASS_GLOBAL_ATOMIC:
	case SASS_GENERIC_ATOMIC:
	case SASS_SHARED_ATOMIC:
		shared |= c->class == SASS_SHARED_ATOMIC;
		if (c->has_result)
			return shared ? STEP_SHARED_LOAD : STEP_LOAD;
		return shared ? STEP_SHARED_STORE : STEP_STORE;
	case SASS_BARRIER:
		return STEP_BARRIER;
	default:
		return STEP_COMPUTE;
	}
}

static enum warp_unit unit_of(const struct traced_code *c)
{
	switch (c->class) {
	case SASS_FP:
		return WARP_FP;
	case SASS_FP64:
		return WARP_FP64;
	case SASS_SFU:
		return WARP_SFU;
	case SASS_TENSOR:
		return WARP_TENSOR;
	default:
		return WARP_INT;
	}
}

/* `bytes` and `coalescing` that move as many sectors as were moved: max(threads * bytes / 32, threads * (1 -
 * coalescing)). */
static void set_sectors(struct warp_step *s, const struct traced_code *c)
{
	uint64_t moved = c->sectors * TRACED_SECTOR;
	s->bytes = c->bytes ? c->bytes : sass_bits(c->opcode) / 8;
	if (c->threads == 0)
		return;
	if (moved <= c->threads * s->bytes || c->sectors > c->threads)
		s->bytes = (uint32_t)(moved < c->threads ? 1 : rounded(moved, c->threads));
	else
		s->coalescing_ppm = 1000000 - ppm(c->sectors, c->threads);
}

static struct warp_step step_of(const struct traced_code *c, uint8_t distance)
{
	struct warp_step s = warp_step_default(kind_of(c));
	if (s.kind == STEP_BARRIER)
		return s;
	s.threads = c->active < c->times ? 1 : (uint32_t)rounded(c->active, c->times);
	s.distance = s.first = distance;
	if (s.kind == STEP_COMPUTE)
		s.unit = unit_of(c);
	if (s.kind != STEP_LOAD && s.kind != STEP_STORE)
		return s;
	set_sectors(&s, c);
	s.l1_hit_ppm = c->class == SASS_TEXTURE ? 1000000 : ppm(c->l1_hits, c->sectors);
	s.l2_hit_ppm = ppm(c->l2_hits, c->sectors - c->l1_hits);
	return s;
}

/* ---- Steps ---- */

struct making {
	struct warp_step steps[WARP_STEPS_MAX];
	uint32_t count, loops, window;
	const struct folding *f;
	const struct traced_code *code;
};

/* False: there are too many. */
static bool add(struct making *m, const struct warp_step *s)
{
	if (m->count == WARP_STEPS_MAX)
		return false;
	m->steps[m->count++] = *s;
	return true;
}

static bool same_work(const struct warp_step *a, const struct warp_step *b)
{
	return a->kind == b->kind && a->unit == b->unit && a->threads == b->threads && a->bytes == b->bytes &&
	       a->l1_hit_ppm == b->l1_hit_ppm && a->l2_hit_ppm == b->l2_hit_ppm &&
	       a->coalescing_ppm == b->coalescing_ppm;
}

/* One instruction more; `from`: where its body begins. */
static bool append(struct making *m, uint32_t from, const struct warp_step *s)
{
	struct warp_step *last = m->count > from ? &m->steps[m->count - 1] : NULL;
	bool fits = last && last->kind != STEP_BARRIER && same_work(last, s) &&
		    (last->count == 1 || last->distance == s->distance);
	if (!fits)
		return add(m, s);
	last->distance = s->distance;
	last->count++;
	return true;
}

/* ---- Steps of instructions that are sorted by kind ---- */

struct mixture {
	struct warp_step step;                                                 /* of the first */
	uint64_t count, waiting, distance, threads, bytes, coalescing, l1, l2; /* sums */
};

static struct warp_step mean_of(const struct mixture *x)
{
	struct warp_step s = x->step;
	s.count = (uint32_t)x->count;
	s.threads = (uint32_t)rounded(x->threads, x->count);
	s.distance = x->waiting * 2 > x->count ? (uint32_t)rounded(x->distance, x->waiting) : 0;
	s.bytes = (uint32_t)rounded(x->bytes, x->count);
	s.coalescing_ppm = rounded(x->coalescing, x->count);
	s.l1_hit_ppm = rounded(x->l1, x->count);
	s.l2_hit_ppm = rounded(x->l2, x->count);
	return s;
}

static void mix_in(struct mixture *x, const struct warp_step *s)
{
	if (x->count++ == 0)
		x->step = *s;
	x->waiting += s->distance > 0;
	x->distance += s->distance;
	x->threads += s->threads;
	x->bytes += s->bytes;
	x->coalescing += (uint64_t)s->coalescing_ppm;
	x->l1 += (uint64_t)s->l1_hit_ppm;
	x->l2 += (uint64_t)s->l2_hit_ppm;
}

/* Up to `window` instructions before the next loop or barrier, by kind and unit in the order of their first.
 * Returns how many; 0: there are too many steps. */
static size_t add_window(struct making *m, const struct fold_node *nodes, size_t count)
{
	struct mixture kinds[WARP_STEP_KINDS + WARP_UNITS];
	uint32_t used = 0;
	size_t n = 0;
	for (; n < count && n < m->window && nodes[n].code != FOLD_LOOP; n++) {
		struct warp_step s = step_of(&m->code[nodes[n].code], nodes[n].distance);
		uint32_t k = 0;
		if (s.kind == STEP_BARRIER)
			break;
		while (k < used && (kinds[k].step.kind != s.kind || kinds[k].step.unit != s.unit))
			k++;
		if (k == used)
			kinds[used++] = (struct mixture){0};
		mix_in(&kinds[k], &s);
	}
	for (uint32_t k = 0; k < used; k++) {
		struct warp_step s = mean_of(&kinds[k]);
		if (!add(m, &s))
			return 0;
	}
	return n;
}

/* ---- The program ---- */

static bool add_nodes(struct making *m, const struct fold_node *nodes, size_t count);

static bool add_loop(struct making *m, const struct fold_node *n)
{
	struct warp_step loop = warp_step_default(STEP_LOOP);
	uint32_t at = m->count;
	loop.count = (uint32_t)rounded(n->rounds, n->entered);
	if (!add(m, &loop) || !add_nodes(m, m->f->pool + n->body, n->length))
		return false;
	m->loops++;
	m->steps[at].body = m->count - at - 1;
	return true;
}

static bool add_nodes(struct making *m, const struct fold_node *nodes, size_t count)
{
	uint32_t from = m->count;
	for (size_t i = 0; i < count;) {
		if (nodes[i].code == FOLD_LOOP) {
			if (!add_loop(m, &nodes[i++]))
				return false;
			from = m->count;
			continue;
		}
		struct warp_step s = step_of(&m->code[nodes[i].code], nodes[i].distance);
		size_t taken = 1;
		if (m->window > 1 && s.kind != STEP_BARRIER) {
			taken = add_window(m, nodes + i, count - i);
			if (taken == 0)
				return false;
		} else if (!append(m, from, &s)) {
			return false;
		}
		i += taken;
	}
	return true;
}

/* False: it has too many steps. */
static bool try_program(struct making *m, const struct folding *f, uint32_t window)
{
	m->count = m->loops = 0;
	m->window = window;
	m->f = f;
	return add_nodes(m, f->nodes, f->count);
}

enum { FIRST_WINDOW = 16 };

static bool try_all(
	struct making *m, const struct way *w, const struct survey *s, struct steps *out, struct error *err)
{
	for (enum steps_loss loss = STEPS_EXACT; loss <= STEPS_FLAT; loss++) {
		struct folding f;
		uint32_t window = loss >= STEPS_MIXED ? FIRST_WINDOW : 1;
		bool ok = folding_make(
			&f, w, s, loss != STEPS_FLAT, loss == STEPS_AVERAGED || loss == STEPS_MIXED, err);
		bool fits = ok && try_program(m, &f, window);
		while (ok && !fits && loss >= STEPS_MIXED && window < w->count) {
			window *= 2;
			fits = try_program(m, &f, window);
		}
		folding_finish(&f);
		out->loss = loss;
		out->window = window;
		if (fits || !ok)
			return ok;
	}
	return error_set(err, STATUS_INPUT, "a warp has more barriers than the %u steps of a program hold",
		WARP_STEPS_MAX);
}

bool traced_steps(struct steps *out, const struct way *w, const struct survey *s, struct arena *arena,
	struct error *err)
{
	struct making *m = malloc(sizeof(*m));
	bool ok = m || error_memory(err, what);
	*out = (struct steps){0};
	if (ok) {
		m->code = s->code;
		ok = try_all(m, w, s, out, err);
	}
	if (ok) {
		out->steps = arena_new(arena, struct warp_step, m->count);
		ok = out->steps || error_memory(err, what);
	}
	if (ok) {
		memcpy(out->steps, m->steps, m->count * sizeof(*m->steps));
		out->count = m->count;
		out->loops = m->loops;
	}
	free(m);
	return ok;
}
