/* scenarios/traced/traced.c - see scenarios/traced/traced.h: from files to kernels, and what is said of them.
 */
#include "scenarios/traced/traced.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/units.h"
#include "scenarios/traced/parts.h"

static const char what[] = "importing a kernel's trace";

bool traced_is_one(const char *path, bool *found, struct error *err)
{
	enum sass_form form;
	*found = false;
	if (!sass_form(path, &form, err))
		return false;
	*found = form != SASS_FORM_NONE;
	return true;
}

void traced_finish(struct traced *t)
{
	free(t->notes);
	arena_finish(&t->arena);
	*t = (struct traced){0};
}

/* ---- Notes ---- */

PRINTF_LIKE(6, 7)
static bool note(struct traced *t, struct error *err, enum traced_kind kind, const char *subject,
	uint64_t count, const char *fmt, ...)
{
	char line[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	const char *text = arena_strdup(&t->arena, line);
	struct traced_note *notes = list_room(t->notes, t->note_count, sizeof(*notes), what, err);
	if (notes)
		t->notes = notes;
	if (!text || !notes)
		return error_memory(err, what);
	t->notes[t->note_count++] =
		(struct traced_note){.kind = kind, .subject = subject, .count = count, .text = text};
	return true;
}

/* ---- The machine ---- */

/* The GPU that machine code of a version is for, if nobody says which. */
static const struct preset *preset_of(uint32_t binary)
{
	static const struct {
		uint32_t binary;
		const char *preset;
	} generations[] = {{61, "gtx-1080-ti"}, {62, "jetson-tx2"}, {70, "titan-v"},
		{72, "jetson-agx-xavier"}, {80, "a100-40gb"}, {86, "rtx-3070"}, {87, "jetson-agx-orin"},
		{90, "h100-sxm"}};
	for (size_t i = 0; i < sizeof(generations) / sizeof(*generations); i++)
		if (generations[i].binary == binary)
			return preset_find(generations[i].preset);
	return NULL;
}

/* What was asked for, or what is known, as -1 where neither is. */
static int64_t cache_size(int64_t asked, int64_t known)
{
	return asked >= 0 ? asked : known > 0 ? known : -1;
}

static bool choose_machine(
	struct traced *t, const struct traced_request *q, uint32_t binary, struct error *err)
{
	t->preset = q->preset ? q->preset : preset_of(binary);
	if (!t->preset)
		return error_set(err, STATUS_INPUT,
			"no preset is a GPU for machine code of version %" PRIu32 ": --platform names one",
			binary);
	t->l1_bytes = cache_size(q->l1_bytes, t->preset->cache_per_sm);
	t->l2_bytes = cache_size(q->l2_bytes, t->preset->l2_bytes);
	if (t->l1_bytes < 0 || t->l2_bytes < 0)
		return error_set(err, STATUS_INPUT,
			"the caches of %s are not known: --sm-cache and --gpu-cache say their sizes",
			t->preset->name);
	return true;
}

static bool note_machine(struct traced *t, const struct traced_request *q, uint32_t binary, struct error *err)
{
	char l1[UNIT_TEXT_MAX], l2[UNIT_TEXT_MAX];
	if (!q->preset && !note(t, err, TRACED_ASSUMED, "platform", t->preset->platform.sms,
				  "SMs of %s, as the machine code is of version %" PRIu32
				  "; --platform names another GPU",
				  t->preset->name, binary))
		return false;
	return note(t, err, TRACED_ASSUMED, "caches", 2,
		       "an SM has %s of L1%s, the GPU %s of L2; --sm-cache and --gpu-cache say other sizes",
		       unit_format(UNIT_BYTES, t->l1_bytes, l1),
		       preset_l1_is_shared(t->preset) ? " and shared memory" : "",
		       unit_format(UNIT_BYTES, t->l2_bytes, l2)) &&
	       note(t, err, TRACED_ASSUMED, "warp", 1,
		       "clock, units, latencies, bandwidth and energies are the defaults: a trace has "
		       "none of them");
}

/* The version of the machine code in the head of a trace. */
static bool keep_head(void *self, const struct sass_kernel *k, struct error *err)
{
	(void)err;
	*(uint32_t *)self = k->binary;
	return false;
}

static bool never_warp(void *self, uint32_t warp, struct error *err)
{
	(void)self;
	(void)warp;
	(void)err;
	return false;
}

static bool never_instruction(void *self, const struct sass_instruction *i, struct error *err)
{
	(void)i;
	return never_warp(self, 0, err);
}

static bool never_end(void *self, struct error *err)
{
	return never_warp(self, 0, err);
}

static bool read_version(const char *path, uint32_t *binary, struct diagnostics *d, struct error *err)
{
	struct arena names = {0};
	const struct sass_visitor visitor = {binary, keep_head, never_warp, never_instruction, never_end};
	bool ok = sass_read(path, &names, &visitor, d, err);
	arena_finish(&names);
	return ok;
}

/* ---- A kernel ---- */

static bool note_ways(struct traced *t, const char *name, const struct survey *s, const struct traced_path *p,
	const struct warp_kernel *k, struct error *err)
{
	int64_t warps, threads;
	uint64_t other = s->warps - p->warps;
	double mean = (double)s->instructions / (double)s->warps;
	if (!warp_kernel_size(k, &warps, &threads))
		return error_set(err, STATUS_INPUT, "%s: a launch has too many instructions", name);
	if (s->blocks < sass_blocks(&s->kernel) &&
		!note(t, err, TRACED_ASSUMED, name, sass_blocks(&s->kernel) - s->blocks,
			"blocks of the grid are not in the trace: they are taken to be like the %" PRIu64
			" that are",
			s->blocks))
		return false;
	return other == 0 ||
	       note(t, err, TRACED_LEFT_OUT, name, other,
		       "warps took another way, %" PRIu32 " in all; they run the way of %" PRIu64
		       " warps, with %" PRIu64 " instructions instead of %.6g in the mean",
		       s->path_keys.count, p->warps, p->length, mean);
}

static bool note_program(
	struct traced *t, const char *name, const struct way *w, const struct steps *steps, struct error *err)
{
	if (!note(t, err, TRACED_FOUND, name, steps->count,
		    "steps of %" PRIu32 " instructions, with %" PRIu32 " loop%s", w->count, steps->loops,
		    steps->loops == 1 ? "" : "s"))
		return false;
	if (steps->loss >= STEPS_MIXED)
		return note(t, err, TRACED_LEFT_OUT, name, steps->window,
			"instructions in a row are sorted by kind%s, as the program would have more than "
			"%u steps",
			steps->loss == STEPS_FLAT ? ", without loops"
						  : ", and loops have the mean of their rounds",
			WARP_STEPS_MAX);
	return steps->loss != STEPS_AVERAGED ||
	       note(t, err, TRACED_LEFT_OUT, name, steps->loops,
		       "loops have the mean of their rounds, as the program would have more than %u steps",
		       WARP_STEPS_MAX);
}

static bool note_dependences(struct traced *t, const char *name, const struct way *w, struct error *err)
{
	if (w->others > 0 && !note(t, err, TRACED_LEFT_OUT, name, w->others,
				     "instructions need more results than the one that they wait for"))
		return false;
	if (w->moved > 0 &&
		!note(t, err, TRACED_ASSUMED, name, w->moved,
			"results of loads are needed more than %u instructions later, and waited for %u "
			"later",
			WARP_DISTANCE_MAX, WARP_DISTANCE_MAX))
		return false;
	return w->far == w->moved ||
	       note(t, err, TRACED_LEFT_OUT, name, w->far - w->moved,
		       "results are needed more than %u instructions later: nobody waits for them",
		       WARP_DISTANCE_MAX);
}

static bool note_memory(struct traced *t, const char *name, const struct survey *s, struct error *err)
{
	uint64_t accesses = 0, sectors = 0, l1 = 0, l2 = 0;
	for (uint32_t i = 0; i < s->code_keys.count; i++) {
		accesses += s->code[i].global;
		sectors += s->code[i].sectors;
		l1 += s->code[i].l1_hits;
		l2 += s->code[i].l2_hits;
	}
	if (accesses > 0 &&
		!note(t, err, TRACED_FOUND, name, accesses,
			"accesses to global memory, of %.3g sectors each; %.3g %% hit L1, %.3g %% of the "
			"others L2",
			(double)sectors / (double)accesses, 100.0 * (double)l1 / (double)sectors,
			sectors > l1 ? 100.0 * (double)l2 / (double)(sectors - l1) : 0.0))
		return false;
	if (s->textures > 0 &&
		!note(t, err, TRACED_ASSUMED, name, s->textures,
			"reads of textures and surfaces, whose addresses are not in a trace, hit L1"))
		return false;
	if (s->bulk > 0 && !note(t, err, TRACED_LEFT_OUT, name, s->bulk,
				   "copies by the tensor memory accelerator: they are only issued"))
		return false;
	return s->unknown == 0 ||
	       note(t, err, TRACED_ASSUMED, name, s->unknown,
		       "instructions have opcodes that are in no published map, such as %s: integers",
		       s->unknown_opcode);
}

static void fill_kernel(struct warp_kernel *k, const struct survey *s, const struct steps *steps)
{
	*k = (struct warp_kernel){.blocks = (uint32_t)sass_blocks(&s->kernel),
		.block_threads = sass_block_threads(&s->kernel),
		.registers = s->kernel.registers,
		.shared_memory = s->kernel.shared_memory,
		.steps = steps->steps,
		.step_count = steps->count,
		.stream = s->kernel.stream <= TRACED_STREAM_MAX ? (int32_t)s->kernel.stream : STREAM_OWN};
}

static bool add_kernel(struct traced *t, const char *path, const struct survey *s, uint32_t place,
	struct diagnostics *d, struct error *err)
{
	const struct traced_path *p = survey_typical(s);
	struct traced_kernel *k = &t->kernels[t->kernel_count];
	struct way way = {0};
	struct steps steps;
	char name[16];
	if (p->length > TRACED_PATH_MAX)
		return error_set(err, STATUS_INPUT,
			"%s: a warp has %" PRIu64 " instructions; at most %u can be imported", path,
			p->length, TRACED_PATH_MAX);
	snprintf(name, sizeof(name), "k%" PRIu32, place);
	k->name = arena_strdup(&t->arena, name);
	k->symbol = s->kernel.name;
	bool ok = k->name || error_memory(err, what);
	ok = ok && way_read(&way, path, s, p->first, p->length, d, err) &&
	     traced_steps(&steps, &way, s, &t->arena, err);
	if (ok) {
		fill_kernel(&k->kernel, s, &steps);
		t->kernel_count++;
		ok = note(t, err, TRACED_FOUND, k->name, s->warps,
			     "warps in %" PRIu64 " blocks: %s; %" PRIu32 " fit an SM", s->blocks, k->symbol,
			     s->resident) &&
		     note_program(t, k->name, &way, &steps, err) && note_memory(t, k->name, s, err) &&
		     note_ways(t, k->name, s, p, &k->kernel, err) && note_dependences(t, k->name, &way, err);
	}
	way_finish(&way);
	return ok;
}

/* ---- Files ---- */

struct importing {
	struct traced *t;
	const struct traced_request *request;
	struct traced_caches caches;
	bool begun;
};

static bool import_trace(
	struct importing *m, const char *path, uint32_t place, struct diagnostics *d, struct error *err)
{
	struct survey s;
	uint32_t binary;
	diagnostics_finish(d);
	diagnostics_init(d, path);
	if (!m->begun) {
		if (!read_version(path, &binary, d, err) || !choose_machine(m->t, m->request, binary, err) ||
			!note_machine(m->t, m->request, binary, err))
			return false;
		m->caches.platform = &m->t->preset->platform;
		m->caches.l1_bytes = m->t->l1_bytes;
		m->caches.l1_is_shared = preset_l1_is_shared(m->t->preset);
		lru_init(&m->caches.l2,
			(uint32_t)(m->t->l2_bytes / TRACED_SECTOR > 0 ? m->t->l2_bytes / TRACED_SECTOR : 1));
		m->begun = true;
	}
	bool ok = survey_make(&s, path, &m->caches, &m->t->arena, d, err) &&
		  add_kernel(m->t, path, &s, place, d, err);
	survey_finish(&s);
	return ok;
}

static bool note_list(struct traced *t, const struct sass_list *list, uint32_t taken, struct error *err)
{
	if (list->copies > 0 &&
		!note(t, err, TRACED_LEFT_OUT, "copies", list->copies,
			"to the GPU, of %" PRIu64 " bytes in all: a scenario of warps has no copies",
			list->copied_bytes))
		return false;
	return list->count == taken ||
	       note(t, err, TRACED_LEFT_OUT, "launches", list->count - taken,
		       "of %" PRIu32 ": a scenario has at most %u; --launches says which", list->count,
		       WARP_KERNELS_MAX);
}

static bool import_list(struct importing *m, const char *path, struct diagnostics *d, struct error *err)
{
	struct sass_list list;
	const struct traced_request *q = m->request;
	uint32_t taken = 0;
	bool ok = sass_list_read(&list, path, d, err);
	if (ok && q->first > list.count)
		ok = error_set(err, STATUS_INPUT,
			"%s: the list has %" PRIu32 " launches, none of number %" PRIu32, path, list.count,
			q->first);
	for (uint32_t i = q->first; ok && i <= list.count && i <= q->last && taken < WARP_KERNELS_MAX;
		i++, taken++)
		ok = import_trace(m, list.launches[i - 1].path, i, d, err);
	ok = ok && note_list(m->t, &list, taken, err);
	sass_list_finish(&list);
	return ok;
}

bool traced_make(struct traced *t, const char *path, const struct traced_request *request,
	struct diagnostics *d, struct error *err)
{
	struct importing m = {.t = t, .request = request};
	enum sass_form form;
	*t = (struct traced){.file = path};
	if (!sass_form(path, &form, err))
		return false;
	if (form == SASS_FORM_XZ)
		return error_set(err, STATUS_INPUT,
			"%s: the file is compressed by xz; 'xz -d %s' makes a trace of it", path, path);
	bool ok = form == SASS_FORM_LIST ? import_list(&m, path, d, err) : import_trace(&m, path, 1, d, err);
	lru_finish(&m.caches.l2);
	return ok;
}
