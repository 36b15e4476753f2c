/* scenarios/traced/way.c - the second reading of a trace: one warp, instruction by instruction, and for each
 * the result that it waits for (docs/kernel-traces.md, "Dependences"). */
#include <stdlib.h>

#include "scenarios/traced/parts.h"

static const char what[] = "reading a kernel's trace";

/* Of the results that an instruction needs, it waits for the one that is expected last: issued so many
 * instructions before, with these cycles (of docs/warps.md's defaults; a load: of L2). */
enum { CYCLES_PLAIN = 4, CYCLES_LONG = 16, CYCLES_SHARED = 20, CYCLES_MEMORY = 190 };

struct walking {
	struct way *w;
	const struct survey *s;
	uint64_t target, seen; /* warps */
	uint64_t length;       /* instructions of that warp */
	bool here, done;
	uint32_t written[SASS_REGISTERS]; /* number of the last instruction that wrote it, from 1; 0: none */
	int32_t *waits; /* of each instruction: cycles expected left; 0: it waits for none */
};

static int32_t cycles_of(const struct traced_code *c)
{
	switch (c->class) {
	case SASS_GLOBAL_LOAD:
	case SASS_GLOBAL_ATOMIC:
	case SASS_GENERIC_LOAD:
	case SASS_GENERIC_ATOMIC:
	case SASS_LOCAL_LOAD:
	case SASS_TEXTURE:
		return c->shared > c->global ? CYCLES_SHARED : CYCLES_MEMORY;
	case SASS_SHARED_LOAD:
	case SASS_SHARED_ATOMIC:
		return CYCLES_SHARED;
	case SASS_SFU:
	case SASS_TENSOR:
	case SASS_FP64:
		return CYCLES_LONG;
	default:
		return CYCLES_PLAIN;
	}
}

/* Registers of 32 bits that the result takes: a trace names the first alone. */
static uint32_t width_of(const struct traced_code *c)
{
	return c->bytes > 4 && c->class != SASS_SHARED_ATOMIC ? c->bytes / 4 : 1;
}

/* Instruction n (from 1) waits for the one `distance` before it, if that is expected later than what it waits
 * for. */
static void wait_for(struct walking *k, uint32_t n, uint32_t distance, int32_t cycles)
{
	int32_t left = cycles - (int32_t)distance > 1 ? cycles - (int32_t)distance : 1;
	if (left <= k->waits[n - 1])
		return;
	k->waits[n - 1] = left;
	k->w->steps[n - 1].distance = (uint8_t)distance;
}

/* A result of more than WARP_DISTANCE_MAX instructions before: a load's is waited for by the last instruction
 * that can, others have come. */
static void wait_far(struct walking *k, uint32_t producer)
{
	int32_t cycles = cycles_of(&k->s->code[k->w->steps[producer - 1].code]);
	k->w->far++;
	if (cycles < CYCLES_MEMORY)
		return;
	for (uint32_t d = WARP_DISTANCE_MAX; d > 0; d--) {
		if (k->s->code[k->w->steps[producer + d - 1].code].class == SASS_BARRIER)
			continue;
		k->w->moved++;
		wait_for(k, producer + d, d, cycles);
		return;
	}
}

static void read_operands(struct walking *k, const struct sass_instruction *i, uint32_t n)
{
	uint32_t needed = 0, last = 0;
	for (uint32_t j = 0; j < i->source_count; j++) {
		uint32_t from = i->sources[j] == SASS_ZERO ? 0 : k->written[i->sources[j]];
		if (from == 0)
			continue;
		needed += from != last;
		last = from;
		if (n - from > WARP_DISTANCE_MAX)
			wait_far(k, from);
		else
			wait_for(k, n, n - from, cycles_of(&k->s->code[k->w->steps[from - 1].code]));
	}
	k->w->others += needed > 1;
}

static void write_results(struct walking *k, const struct sass_instruction *i, uint32_t n)
{
	uint32_t width = width_of(&k->s->code[k->w->steps[n - 1].code]);
	for (uint32_t j = 0; j < i->destination_count && i->mask != 0; j++)
		for (uint32_t r = i->destinations[j]; r < i->destinations[j] + width && r < SASS_REGISTERS;
			r++)
			if (r != SASS_ZERO && (r == i->destinations[j] || i->destinations[j] < SASS_ZERO))
				k->written[r] = n;
}

static bool on_kernel(void *self, const struct sass_kernel *kernel, struct error *err)
{
	(void)self;
	(void)kernel;
	(void)err;
	return true;
}

static bool on_warp(void *self, uint32_t warp, struct error *err)
{
	struct walking *k = self;
	(void)warp;
	(void)err;
	k->done |= k->here;
	k->here = k->seen++ == k->target;
	return !k->done;
}

static bool on_instruction(void *self, const struct sass_instruction *i, struct error *err)
{
	struct walking *k = self;
	struct way *w = k->w;
	if (!k->here)
		return true;
	uint32_t code = keys_find(&k->s->code_keys, traced_code_key(i));
	if (code == KEYS_NONE || w->count == k->length)
		return error_set(err, STATUS_INPUT, "the trace changed while it was read");
	uint32_t n = ++w->count;
	bool backward = n > 1 && i->pc <= k->s->code[w->steps[n - 2].code].pc;
	w->steps[n - 1] = (struct traced_step){.code = code, .backward = backward};
	if (k->s->code[code].class != SASS_BARRIER)
		read_operands(k, i, n);
	write_results(k, i, n);
	return true;
}

static bool on_block_end(void *self, struct error *err)
{
	struct walking *k = self;
	(void)err;
	k->done |= k->here;
	return !k->done;
}

bool way_read(struct way *w, const char *path, const struct survey *s, uint64_t warp, uint64_t length,
	struct diagnostics *d, struct error *err)
{
	struct arena names = {0};
	struct walking k = {.w = w, .s = s, .target = warp, .length = length};
	const struct sass_visitor visitor = {&k, on_kernel, on_warp, on_instruction, on_block_end};
	*w = (struct way){.steps = calloc(length, sizeof(*w->steps))};
	k.waits = calloc(length, sizeof(*k.waits));
	bool ok = (w->steps && k.waits) || error_memory(err, what);
	ok = ok && sass_read(path, &names, &visitor, d, err);
	if (ok && w->count != length)
		ok = error_set(err, STATUS_INPUT, "%s: the trace changed while it was read", path);
	free(k.waits);
	arena_finish(&names);
	return ok;
}

void way_finish(struct way *w)
{
	free(w->steps);
	*w = (struct way){0};
}
