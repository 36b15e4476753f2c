/* scenarios/traced/write.c - writes traced kernels as a scenario. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "scenarios/traced/parts.h"

/* ---- A program ---- */

static void add_ratio(struct text *out, const char *key, int64_t ppm)
{
	int digits = 6;
	int64_t part = ppm % 1000000;
	text_printf(out, ", %s: %" PRId64, key, ppm / 1000000);
	if (part == 0)
		return;
	for (; part % 10 == 0; part /= 10)
		digits--;
	text_printf(out, ".%0*" PRId64, digits, part);
}

static void add_key(struct text *out, const char *key, uint32_t value, uint32_t unset)
{
	if (value != unset)
		text_printf(out, "%s%s: %" PRIu32, out->data[out->length - 1] == '{' ? "" : ", ", key, value);
}

static void add_instructions(struct text *out, const struct warp_step *s)
{
	struct warp_step unset = warp_step_default(s->kind);
	text_printf(out, "%s: {", warp_step_kind_name(s->kind));
	if (s->kind == STEP_COMPUTE)
		text_printf(out, "unit: %s", warp_unit_name(s->unit));
	add_key(out, "count", s->count, 1);
	add_key(out, "threads", s->threads, unset.threads);
	add_key(out, "distance", s->distance, 0);
	add_key(out, "first", s->first, s->distance);
	if (s->kind == STEP_LOAD || s->kind == STEP_STORE) {
		text_printf(
			out, "%sbytes: %" PRIu32, out->data[out->length - 1] == '{' ? "" : ", ", s->bytes);
		add_ratio(out, "l1_hit", s->l1_hit_ppm);
		add_ratio(out, "l2_hit", s->l2_hit_ppm);
		add_ratio(out, "coalescing", s->coalescing_ppm);
	}
	text_add(out, "}\n");
}

static void add_steps(struct text *out, const struct warp_step *s, uint32_t count, int indent)
{
	for (uint32_t i = 0; i < count && !out->failed; i++) {
		text_printf(out, "%*s- ", indent, "");
		if (s[i].kind == STEP_BARRIER) {
			text_add(out, "barrier\n");
		} else if (s[i].kind == STEP_LOOP) {
			text_printf(out, "loop:\n%*stimes: %" PRIu32 "\n%*sbody:\n", indent + 4, "",
				s[i].count, indent + 4, "");
			add_steps(out, s + i + 1, s[i].body, indent + 6);
			i += s[i].body;
		} else {
			add_instructions(out, &s[i]);
		}
	}
}

/* ---- The scenario ---- */

/* A text of a file of others, in a line of a comment: printable ASCII. */
static void add_plain(struct text *out, const char *text)
{
	for (; *text; text++)
		text_add_char(out, (char)(*text < ' ' || *text > '~' ? '?' : *text));
}

static void add_head(struct text *out, const struct traced *t, const char *command)
{
	static const char *const words[] = {
		[TRACED_FOUND] = "found", [TRACED_ASSUMED] = "assumed", [TRACED_LEFT_OUT] = "left out"};
	text_add(out, "# Made by cegsim " CEGSIM_VERSION " of ");
	add_plain(out, t->file);
	text_add(out, ":\n#     ");
	add_plain(out, command);
	text_add(out, "\n#\n");
	for (uint32_t i = 0; i < t->note_count; i++) {
		const struct traced_note *n = &t->notes[i];
		text_printf(out, "# %s: %s (%" PRIu64 "): ", words[n->kind], n->subject, n->count);
		add_plain(out, n->text);
		text_add(out, "\n");
	}
}

static void add_kernel(struct text *out, const struct traced_kernel *k)
{
	text_printf(out, "    - name: %s # ", k->name);
	add_plain(out, k->symbol);
	text_printf(out,
		"\n      blocks: %" PRIu32 "\n      block_threads: %" PRIu32 "\n      registers: %" PRId64
		"\n      shared_memory: %" PRId64 "\n",
		k->kernel.blocks, k->kernel.block_threads, k->kernel.registers, k->kernel.shared_memory);
	if (k->kernel.stream != STREAM_OWN)
		text_printf(out, "      stream: %" PRId32 "\n", k->kernel.stream);
	text_add(out, "      program:\n");
	add_steps(out, k->kernel.steps, k->kernel.step_count, 8);
}

/* The name of the file, without its folder and .yaml. */
static void add_name(struct text *out, const char *path)
{
	struct text name = {0};
	const char *slash = strrchr(path, '/');
	path = slash ? slash + 1 : path;
	text_add_bytes(&name, path, strlen(path) - strlen(".yaml"));
	text_add_json(out, text_data(&name));
	out->failed |= name.failed;
	text_finish(&name);
}

bool traced_write(
	const struct traced *t, const char *path, const char *command, bool replace, struct error *err)
{
	struct text out = {0};
	struct output file;
	size_t length = strlen(path);
	if (length <= 5 || strcmp(path + length - 5, ".yaml") != 0)
		return error_set(err, STATUS_INPUT, "the name of a scenario ends with .yaml, not '%s'", path);
	add_head(&out, t, command);
	text_add(&out, "cegsim: 1\nname: ");
	add_name(&out, path);
	text_printf(&out,
		"\nhorizon: 1us # all are launched in cycle 0; kernels of a stream run one after the "
		"other\nlimit: 1000s\n"
		"platform: {preset: %s}\nwarp:\n  kernels:\n",
		t->preset->name);
	for (uint32_t i = 0; i < t->kernel_count; i++)
		add_kernel(&out, &t->kernels[i]);
	text_add(&out, "policies: [gto, lrr]\n");
	bool ok = text_ok(&out, "a scenario", err) && output_is_another(path, t->file, err) &&
		  output_begin(&file, path, replace, err);
	if (ok) {
		fwrite(text_data(&out), 1, out.length, file.file);
		ok = output_commit(&file, err);
	}
	text_finish(&out);
	return ok;
}
