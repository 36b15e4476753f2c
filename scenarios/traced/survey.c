/* scenarios/traced/survey.c - the first reading of a trace: the instructions of the code, how often and with
 * how many threads they were executed, where accesses hit, and which ways warps took. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mix.h"
#include "scenarios/traced/parts.h"

static const char what[] = "reading a kernel's trace";

/* The windows of generic addresses for shared and local memory have 16 MiB each (CUDA Binary Utilities do not
 * say; so are the bases that NVBit reports apart). */
#define GENERIC_WINDOW (UINT64_C(1) << 24)
#define LOCAL_BEGIN (UINT64_C(1) << 63) /* where local memory is put: no address of a GPU is so high */

struct surveying {
	struct survey *s;
	struct traced_caches *caches;
	struct arena *arena;
	struct accesses accesses;
	struct lru *l1; /* [l1_count] of each place for a block on the GPU */
	uint32_t l1_count;
	uint32_t warp; /* that is read, in its block */
	bool has_warp;
	uint64_t path, length; /* so far */
};

uint64_t traced_code_key(const struct sass_instruction *i)
{
	uint64_t key = mix64(i->pc + 1);
	for (const char *c = i->opcode; *c; c++)
		key = (key ^ (unsigned char)*c) * UINT64_C(0x100000001b3); /* FNV-1a */
	return key;
}

/* ---- Instructions of the code ---- */

static uint32_t code_of(struct surveying *v, const struct sass_instruction *i, struct error *err)
{
	struct survey *s = v->s;
	uint32_t known = s->code_keys.count, index = keys_add(&s->code_keys, traced_code_key(i));
	if (index == known) {
		struct traced_code *code = list_room(s->code, known, sizeof(*code), what, err);
		if (!code)
			return KEYS_NONE;
		s->code = code;
		code[known] = (struct traced_code){
			.pc = i->pc, .class = sass_class(i->opcode), .has_result = i->destination_count > 0};
		memcpy(code[known].opcode, i->opcode, sizeof(i->opcode));
	} else if (index == KEYS_NONE) {
		error_memory(err, what);
	}
	return index;
}

static bool count_odd(struct surveying *v, const struct traced_code *c, struct error *err)
{
	struct survey *s = v->s;
	s->textures += c->class == SASS_TEXTURE;
	s->bulk += c->class == SASS_BULK;
	s->unknown += c->class == SASS_UNKNOWN;
	if (c->class != SASS_UNKNOWN || s->unknown_opcode)
		return true;
	s->unknown_opcode = arena_strdup(v->arena, c->opcode);
	return s->unknown_opcode || error_memory(err, what);
}

/* ---- Accesses ---- */

static enum traced_space space_of(const struct survey *s, const struct traced_code *c, uint64_t address)
{
	switch (c->class) {
	case SASS_GLOBAL_LOAD:
	case SASS_GLOBAL_STORE:
	case SASS_GLOBAL_ATOMIC:
	case SASS_LOCAL_LOAD:
	case SASS_LOCAL_STORE:
		return SPACE_GLOBAL;
	case SASS_SHARED_LOAD:
	case SASS_SHARED_STORE:
	case SASS_SHARED_ATOMIC:
		return SPACE_SHARED;
	case SASS_GENERIC_LOAD:
	case SASS_GENERIC_STORE:
	case SASS_GENERIC_ATOMIC:
		return s->kernel.shared_base && address - s->kernel.shared_base < GENERIC_WINDOW
			       ? SPACE_SHARED
			       : SPACE_GLOBAL;
	default:
		return SPACE_NONE;
	}
}

/* Threads of a warp have the same addresses in local memory, but words of their own side by side. */
static uint64_t place_of(const struct surveying *v, const struct traced_code *c,
	const struct sass_instruction *i, uint32_t lane)
{
	const struct sass_kernel *k = &v->s->kernel;
	uint64_t address = i->address[lane];
	bool local = c->class == SASS_LOCAL_LOAD || c->class == SASS_LOCAL_STORE ||
		     (k->local_base && address - k->local_base < GENERIC_WINDOW);
	if (!local)
		return address;
	uint64_t word = (address % GENERIC_WINDOW) / i->bytes;
	return LOCAL_BEGIN + (v->s->warps - 1) * GENERIC_WINDOW * SASS_LANES +
	       (word * SASS_LANES + lane) * i->bytes;
}

/* Sectors of the active threads, each once. */
static uint32_t sectors_of(const struct surveying *v, const struct traced_code *c,
	const struct sass_instruction *i, uint64_t *out)
{
	uint32_t count = 0;
	for (uint32_t lane = 0; lane < SASS_LANES; lane++) {
		if (!(i->mask >> lane & 1))
			continue;
		uint64_t from = place_of(v, c, i, lane), last = (from + i->bytes - 1) / TRACED_SECTOR;
		for (uint64_t sector = from / TRACED_SECTOR; sector <= last; sector++) {
			uint32_t k = count;
			while (k > 0 && out[k - 1] != sector)
				k--;
			if (k == 0)
				out[count++] = sector;
		}
	}
	return count;
}

static bool add_access(
	struct surveying *v, uint32_t index, const struct sass_instruction *i, struct error *err)
{
	uint64_t sectors[SASS_LANES * 2]; /* of 16 bytes at most each: two where they are not aligned */
	struct traced_code *c = &v->s->code[index];
	uint32_t lane = (uint32_t)__builtin_ctz(i->mask);
	enum traced_space space = space_of(v->s, c, i->address[lane]);
	c->shared += space == SPACE_SHARED;
	if (space != SPACE_GLOBAL)
		return true;
	uint32_t count = sectors_of(v, c, i, sectors);
	c->global++;
	c->threads += (uint64_t)__builtin_popcount(i->mask);
	c->sectors += count;
	return accesses_add(&v->accesses, index, v->warp, sectors, count) || error_memory(err, what);
}

/* ---- Ways ---- */

static bool end_warp(struct surveying *v, struct error *err)
{
	struct survey *s = v->s;
	if (!v->has_warp)
		return true;
	v->has_warp = false;
	uint32_t known = s->path_keys.count, index = keys_add(&s->path_keys, mix64(v->path + v->length));
	if (index == KEYS_NONE)
		return error_memory(err, what);
	if (index == known) {
		struct traced_path *paths = list_room(s->paths, known, sizeof(*paths), what, err);
		if (!paths)
			return false;
		s->paths = paths;
		paths[known] = (struct traced_path){.length = v->length, .first = s->warps - 1};
	}
	s->paths[index].warps++;
	return true;
}

const struct traced_path *survey_typical(const struct survey *s)
{
	const struct traced_path *best = NULL;
	uint64_t least = 0;
	for (uint32_t i = 0; i < s->path_keys.count; i++) {
		const struct traced_path *p = &s->paths[i];
		/* |length - instructions / warps|, times the warps: no overflow, both are numbers of lines */
		uint64_t all = p->length * s->warps;
		uint64_t off = all > s->instructions ? all - s->instructions : s->instructions - all;
		if (!best || off < least || (off == least && p->warps > best->warps)) {
			best = p;
			least = off;
		}
	}
	return best;
}

/* ---- Reading ---- */

static uint32_t least(uint32_t a, uint64_t b)
{
	return b < a ? (uint32_t)b : a;
}

/* How many blocks of the kernel an SM holds. */
static uint32_t resident_blocks(const struct sass_kernel *k, const struct platform *p)
{
	uint64_t warps = sass_block_warps(k), registers = warps * WARP_THREADS * k->registers;
	uint32_t n = least(WARPS_PER_SM_MAX, WARPS_PER_SM_MAX / warps);
	n = p->blocks_per_sm ? least(n, p->blocks_per_sm) : n;
	n = p->warps_per_sm ? least(n, p->warps_per_sm / warps) : n;
	n = p->threads_per_sm ? least(n, p->threads_per_sm / (warps * WARP_THREADS)) : n;
	n = p->registers_per_sm && registers ? least(n, (uint64_t)p->registers_per_sm / registers) : n;
	return p->shared_memory_per_sm && k->shared_memory
		       ? least(n, (uint64_t)(p->shared_memory_per_sm / k->shared_memory))
		       : n;
}

static bool on_kernel(void *self, const struct sass_kernel *k, struct error *err)
{
	struct surveying *v = self;
	struct survey *s = v->s;
	const struct platform *p = v->caches->platform;
	s->kernel = *k;
	s->resident = resident_blocks(k, p);
	if (s->resident == 0)
		return error_set(err, STATUS_INPUT,
			"%s: a block of %u threads, %u registers each, and %lld bytes of shared memory "
			"does not "
			"fit an SM of %s; --platform names another GPU",
			k->name, sass_block_threads(k), k->registers, (long long)k->shared_memory, p->name);
	int64_t shared = v->caches->l1_is_shared ? k->shared_memory : 0;
	int64_t left = v->caches->l1_bytes - (int64_t)s->resident * shared;
	s->l1_share = left / s->resident > TRACED_SECTOR ? left / s->resident : TRACED_SECTOR;
	v->l1 = arena_new(v->arena, struct lru, p->sms * s->resident);
	if (!v->l1)
		return error_memory(err, what);
	v->l1_count = p->sms * s->resident;
	for (uint32_t i = 0; i < v->l1_count; i++)
		lru_init(&v->l1[i], (uint32_t)(s->l1_share / TRACED_SECTOR));
	return true;
}

static bool on_warp(void *self, uint32_t warp, struct error *err)
{
	struct surveying *v = self;
	if (!end_warp(v, err))
		return false;
	v->has_warp = true;
	v->warp = warp;
	v->path = v->length = 0;
	v->s->warps++;
	return true;
}

static bool on_instruction(void *self, const struct sass_instruction *i, struct error *err)
{
	struct surveying *v = self;
	uint32_t index = code_of(v, i, err);
	if (index == KEYS_NONE)
		return false;
	struct traced_code *c = &v->s->code[index];
	v->s->instructions++;
	v->path = mix64(v->path ^ (index + 1));
	v->length++;
	c->times++;
	c->bytes = i->bytes > c->bytes ? i->bytes : c->bytes;
	c->off += i->mask == 0;
	c->active += (uint64_t)__builtin_popcount(i->mask);
	if (!count_odd(v, c, err))
		return false;
	return i->mask == 0 || i->bytes == 0 || add_access(v, index, i, err);
}

static bool on_block_end(void *self, struct error *err)
{
	struct surveying *v = self;
	struct survey *s = v->s;
	struct lru *l1 = &v->l1[s->blocks++ % v->l1_count];
	if (!end_warp(v, err))
		return false;
	return accesses_run(&v->accesses, s->code, sass_block_warps(&s->kernel), l1, &v->caches->l2) ||
	       error_memory(err, what);
}

bool survey_make(struct survey *s, const char *path, struct traced_caches *caches, struct arena *arena,
	struct diagnostics *d, struct error *err)
{
	struct surveying v = {.s = s, .caches = caches, .arena = arena};
	const struct sass_visitor visitor = {&v, on_kernel, on_warp, on_instruction, on_block_end};
	*s = (struct survey){0};
	bool ok = sass_read(path, arena, &visitor, d, err);
	for (uint32_t i = 0; i < v.l1_count; i++)
		lru_finish(&v.l1[i]);
	accesses_finish(&v.accesses);
	if (ok && s->instructions == 0)
		return error_set(err, STATUS_INPUT, "%s: the trace has no instructions", path);
	return ok;
}

void survey_finish(struct survey *s)
{
	free(s->code);
	free(s->paths);
	keys_finish(&s->code_keys);
	keys_finish(&s->path_keys);
	*s = (struct survey){0};
}
