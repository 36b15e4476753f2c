/* captures/sass.c - reads a kernel's trace: its head, then blocks, warps and instructions (see
 * captures/sass.h).
 *
 * The format is that of the README of Accel-Sim's tracer (util/tracer_nvbit), in the form that its
 * post-processing writes (.traceg); what it leaves open is settled as Accel-Sim reads it. What stands behind
 * an instruction's addresses (immediates, in later versions) is not read, nor are lines of clusters. */
#include "captures/sass.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "captures/lines.h"

enum {
	WARPS_MAX = 32,
	FIRST_WITHOUT_PLACE = 3 /* version; before it each instruction names its block and warp */
};

struct reading {
	struct lines l;
	const struct sass_visitor *visitor;
	struct arena *arena;
	struct sass_kernel kernel;
	bool has_name, has_grid, has_block;
	bool in_block, in_warp;
	uint64_t blocks;  /* that ended */
	uint32_t seen;    /* set of the warps of this block */
	uint64_t said;    /* instructions that the warp has, by its line `insts`; UINT64_MAX: not yet said */
	uint64_t counted; /* so many have come */
	struct sass_instruction instruction;
};

uint64_t sass_blocks(const struct sass_kernel *k)
{
	return (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
}

uint32_t sass_block_threads(const struct sass_kernel *k)
{
	return k->block[0] * k->block[1] * k->block[2];
}

uint32_t sass_block_warps(const struct sass_kernel *k)
{
	return (sass_block_threads(k) + SASS_LANES - 1) / SASS_LANES;
}

/* ---- The head ---- */

/* What stands behind the key, if the line has it. */
static const char *value_of(const char *line, const char *key)
{
	size_t length = strlen(key);
	if (strncmp(line, key, length) != 0)
		return NULL;
	line += length;
	line += strspn(line, " \t");
	if (*line != '=')
		return NULL;
	line++;
	return line + strspn(line, " \t");
}

/* (x,y,z), the product at most `most`. */
static bool read_dimensions(struct reading *r, const char *value, uint32_t out[3], uint64_t most)
{
	uint64_t product = 1;
	for (int i = 0; i < 3; i++) {
		char digits[16];
		size_t length = strspn(value + 1, "0123456789");
		uint64_t number = 0;
		if (*value != "(,,"[i] || length == 0 || length >= sizeof(digits))
			return lines_error_here(&r->l, "dimensions are (x,y,z)");
		memcpy(digits, value + 1, length);
		digits[length] = '\0';
		if (!lines_parse(digits, 10, most, &number) || number == 0 || product > most / number)
			return lines_error_here(
				&r->l, "dimensions are at least 1, and their product at most %" PRIu64, most);
		product *= number;
		out[i] = (uint32_t)number;
		value += 1 + length;
	}
	return *value == ')' || lines_error_here(&r->l, "dimensions are (x,y,z)");
}

static bool read_name(struct reading *r, const char *value, struct error *err)
{
	r->kernel.name = arena_strdup(r->arena, value);
	r->has_name = true;
	return r->kernel.name || error_memory(err, "reading a kernel's trace");
}

/* Keys with a number. False: the line has none of them. */
static bool read_head_number(struct reading *r)
{
	struct sass_kernel *k = &r->kernel;
	static const struct {
		const char *key;
		int base;
		uint64_t most;
	} keys[] = {{"-shmem", 10, UINT32_MAX}, {"-nregs", 10, UINT16_MAX}, {"-binary version", 10, 9999},
		{"-accelsim tracer version", 10, 9999}, {"-cuda stream id", 10, UINT64_MAX},
		{"-shmem base_addr", 16, UINT64_MAX}, {"-local mem base_addr", 16, UINT64_MAX},
		{"-enable lineinfo", 10, 1}};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *value = value_of(r->l.text, keys[i].key);
		uint64_t number;
		if (!value)
			continue;
		char word[32];
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(value, " \t"), value);
		if (!lines_parse(word, keys[i].base, keys[i].most, &number))
			return !lines_error_here(&r->l, "'%s' wants a number up to %" PRIu64 ", not '%s'",
				keys[i].key + 1, keys[i].most, word);
		switch (i) {
		case 0:
			k->shared_memory = (int64_t)number;
			break;
		case 1:
			k->registers = (uint32_t)number;
			break;
		case 2:
			k->binary = (uint32_t)number;
			break;
		case 3:
			k->tracer = (uint32_t)number;
			break;
		case 4:
			k->stream = number;
			break;
		case 5:
			k->shared_base = number;
			break;
		case 6:
			k->local_base = number;
			break;
		default:
			k->has_lines = number == 1;
			break;
		}
		return true;
	}
	return false;
}

static bool read_head_line(struct reading *r, struct error *err)
{
	const char *line = r->l.text, *value;
	if ((value = value_of(line, "-kernel name")))
		return read_name(r, value, err);
	if ((value = value_of(line, "-grid dim")))
		r->has_grid = read_dimensions(r, value, r->kernel.grid, INT32_MAX) || r->has_grid;
	else if ((value = value_of(line, "-block dim")))
		r->has_block = read_dimensions(r, value, r->kernel.block, (uint64_t)WARPS_MAX * SASS_LANES) ||
			       r->has_block;
	else
		(void)read_head_number(r); /* later tracers say more; nobody needs it */
	return true;
}

/* Up to the first line of the body. False: *err, or the head is wrong. */
static bool read_head(struct reading *r, struct error *err)
{
	bool any = false;
	while ((any = lines_next(&r->l)) && r->l.text[0] != '#') {
		if (r->l.text[0] == '-'
				? !read_head_line(r, err)
				: r->l.text[strspn(r->l.text, " \t")] &&
					  !lines_error_here(&r->l, "a line of the head begins with '-'"))
			return false;
	}
	if (!any && err->status == STATUS_IO)
		return false;
	if (!any)
		lines_error_here(&r->l, "the trace ends here: it has no blocks");
	if (!r->has_name)
		lines_error_here(&r->l, "the head ends here without '-kernel name'");
	if (!r->has_grid)
		lines_error_here(&r->l, "the head ends here without a good '-grid dim'");
	if (!r->has_block)
		lines_error_here(&r->l, "the head ends here without a good '-block dim'");
	return !r->l.wrong && r->visitor->kernel(r->visitor->self, &r->kernel, err);
}

/* ---- Instructions ---- */

static bool read_registers(struct reading *r, const char *whose, uint32_t *count, uint16_t *out)
{
	uint64_t number;
	if (!lines_number(&r->l, whose, 10, SASS_OPERANDS_MAX, &number))
		return false;
	*count = (uint32_t)number;
	for (uint32_t i = 0; i < *count; i++) {
		const char *word = lines_word(&r->l);
		uint32_t from = strncmp(word, "UR", 2) == 0 ? 256 : *word == 'R' ? 0 : 512;
		const char *digits = word + (from == 256 || strncmp(word, "UP", 2) == 0 ? 2 : 1);
		if ((*word != 'R' && *word != 'U' && *word != 'P') || !lines_parse(digits, 10, 255, &number))
			return lines_error(&r->l, "a register is R0 to R255, not '%.40s'", word);
		out[i] = (uint16_t)(from + number);
	}
	return true;
}

/* One address for all active threads in a row, or differences between neighbours. */
static bool read_steps(struct reading *r, bool stride)
{
	struct sass_instruction *i = &r->instruction;
	uint64_t at;
	int64_t step = 0;
	bool any = false, over = false;
	if (!lines_number(&r->l, "the first address", 16, UINT64_MAX, &at) ||
		(stride && !lines_signed(&r->l, "the stride", &step)))
		return false;
	for (uint32_t lane = 0; lane < SASS_LANES; lane++) {
		if (!(i->mask >> lane & 1)) {
			over |= any;
			continue;
		}
		if (over && stride)
			return lines_error(&r->l,
				"addresses with a stride are of threads in a row, not of mask %08" PRIx32,
				i->mask);
		if (any && !stride && !lines_signed(&r->l, "a difference of addresses", &step))
			return false;
		at += any ? (uint64_t)step : 0;
		i->address[lane] = at;
		any = true;
	}
	return true;
}

static bool read_addresses(struct reading *r)
{
	struct sass_instruction *i = &r->instruction;
	uint64_t form;
	if (!lines_number(&r->l, "the form of the addresses", 10, 2, &form))
		return false;
	if (form != 0)
		return read_steps(r, form == 1);
	for (uint32_t lane = 0; lane < SASS_LANES; lane++)
		if ((i->mask >> lane & 1) &&
			!lines_number(&r->l, "an address", 16, UINT64_MAX, &i->address[lane]))
			return false;
	return true;
}

/* Places that the instruction begins with: of older tracers, and in the source. */
static bool read_place(struct reading *r)
{
	static const char *const parts[] = {"the block's x", "the block's y", "the block's z", "the warp"};
	uint64_t number;
	for (int i = 0; i < 4 && r->kernel.tracer < FIRST_WITHOUT_PLACE; i++)
		if (!lines_number(&r->l, parts[i], 10, UINT32_MAX, &number))
			return false;
	return !r->kernel.has_lines || lines_number(&r->l, "the line of the source", 10, UINT32_MAX, &number);
}

static bool parse_instruction(struct reading *r)
{
	struct sass_instruction *i = &r->instruction;
	uint64_t number;
	i->bytes = 0;
	if (!read_place(r) || !lines_number(&r->l, "the PC", 16, UINT64_MAX, &i->pc) ||
		!lines_number(&r->l, "the mask", 16, UINT32_MAX, &number))
		return false;
	i->mask = (uint32_t)number;
	if (!read_registers(r, "the number of destinations", &i->destination_count, i->destinations))
		return false;
	const char *opcode = lines_word(&r->l);
	if (*opcode < 'A' || *opcode > 'Z' || strlen(opcode) >= SASS_OPCODE_MAX)
		return lines_error(&r->l,
			"an opcode begins with a capital letter and has up to %u, not '%.40s'",
			SASS_OPCODE_MAX - 1, opcode);
	memcpy(i->opcode, opcode, strlen(opcode) + 1);
	if (!read_registers(r, "the number of sources", &i->source_count, i->sources) ||
		!lines_number(&r->l, "the width of the access", 10, UINT16_MAX, &number))
		return false;
	if (number == 0 || sass_class(i->opcode) == SASS_BULK)
		return true;
	i->bytes = sass_bits(i->opcode) / 8;
	return read_addresses(r);
}

static bool read_instruction(struct reading *r, struct error *own)
{
	if (!r->in_warp)
		return lines_error_here(&r->l, "an instruction outside of a warp") || true;
	if (r->said == UINT64_MAX) {
		r->said = UINT64_MAX - 1; /* once is enough */
		(void)lines_error_here(&r->l, "'insts = N' is missing before the warp's first instruction");
	}
	if (r->counted++ == r->said)
		(void)lines_error_here(
			&r->l, "the warp has more instructions than the %" PRIu64 " that it says", r->said);
	return !parse_instruction(r) || r->l.wrong ||
	       r->visitor->instruction(r->visitor->self, &r->instruction, own);
}

/* ---- Blocks and warps ---- */

static void end_warp(struct reading *r)
{
	if (r->in_warp && r->said < UINT64_MAX - 1 && r->counted < r->said)
		(void)lines_error_here(&r->l,
			"the warp ends after %" PRIu64 " of the %" PRIu64 " instructions that it says",
			r->counted, r->said);
	r->in_warp = false;
}

static bool begin_warp(struct reading *r, const char *value, struct error *own)
{
	uint64_t warp;
	end_warp(r);
	if (!lines_parse(value, 10, sass_block_warps(&r->kernel) - 1, &warp))
		return lines_error_here(&r->l, "a warp of this block is 0 to %" PRIu32 ", not '%.40s'",
			       sass_block_warps(&r->kernel) - 1, value) ||
		       true;
	if (!r->in_block)
		return lines_error_here(&r->l, "a warp outside of a block") || true;
	if (r->seen >> warp & 1)
		(void)lines_error_here(&r->l, "warp %" PRIu64 " of this block again", warp);
	r->seen |= UINT32_C(1) << warp;
	r->in_warp = true;
	r->said = UINT64_MAX;
	r->counted = 0;
	return r->l.wrong || r->visitor->warp(r->visitor->self, (uint32_t)warp, own);
}

static bool begin_block(struct reading *r)
{
	if (r->in_block)
		(void)lines_error_here(&r->l, "a block begins before the last one has ended");
	r->in_block = true;
	r->in_warp = false;
	r->seen = 0;
	return true;
}

static bool end_block(struct reading *r, struct error *own)
{
	end_warp(r);
	if (!r->in_block)
		return lines_error_here(&r->l, "#END_TB without #BEGIN_TB") || true;
	r->in_block = false;
	if (++r->blocks == sass_blocks(&r->kernel) + 1)
		(void)lines_error_here(
			&r->l, "the grid has %" PRIu64 " blocks; this is one more", sass_blocks(&r->kernel));
	return r->l.wrong || r->visitor->block_end(r->visitor->self, own);
}

static bool read_count(struct reading *r, const char *value)
{
	if (!r->in_warp)
		return lines_error_here(&r->l, "'insts' outside of a warp") || true;
	if (!lines_parse(value, 10, UINT32_MAX, &r->said)) {
		r->said = UINT64_MAX - 1;
		(void)lines_error_here(
			&r->l, "'insts' wants a number up to %" PRIu32 ", not '%.40s'", UINT32_MAX, value);
	}
	return true;
}

/* False: the visitor has enough, or failed. */
static bool read_body_line(struct reading *r, struct error *own)
{
	char *line = r->l.text + strspn(r->l.text, " \t");
	const char *value;
	for (size_t end = strlen(line); end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'); end--)
		line[end - 1] = '\0';
	if (!*line || strncmp(line, "thread block", 12) == 0 || strncmp(line, "cluster", 7) == 0)
		return true;
	if (strcmp(line, "#BEGIN_TB") == 0)
		return begin_block(r);
	if (strcmp(line, "#END_TB") == 0)
		return end_block(r, own);
	if (*line == '#')
		return true;
	if ((value = value_of(line, "warp")))
		return begin_warp(r, value, own);
	if ((value = value_of(line, "insts")))
		return read_count(r, value);
	return read_instruction(r, own);
}

static void read_body(struct reading *r, struct error *err)
{
	struct error own = {0};
	bool more = true, any = true;
	do
		more = read_body_line(r, &own) && r->l.diagnostics->count < DIAGNOSTICS_MAX;
	while (more && (any = lines_next(&r->l)));
	if (own.status != STATUS_OK) {
		*err = own;
		return;
	}
	if (!any && err->status != STATUS_IO && r->in_block)
		(void)lines_error_here(&r->l, "the trace ends within a block: #END_TB is missing");
}

bool sass_read(const char *path, struct arena *arena, const struct sass_visitor *visitor,
	struct diagnostics *diagnostics, struct error *err)
{
	struct reading r = {.visitor = visitor, .arena = arena};
	err->status = STATUS_OK;
	/* A visitor that has enough leaves no status. */
	if (lines_open(&r.l, path, diagnostics, err) && read_head(&r, err))
		read_body(&r, err);
	lines_close(&r.l);
	return err->status == STATUS_OK;
}
