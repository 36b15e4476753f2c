/* scenarios/import/write.c - writes an import as a scenario with its release trace and its samples. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/utf8.h"
#include "scenarios/import/import.h"
#include "scenarios/yaml_writer.h"

static const char what[] = "a scenario";

/* ---- Names of files ---- */

/* The path without .yaml, and with this end. */
static void path_beside(struct text *out, const char *path, const char *end)
{
	size_t length = strlen(path);
	if (length > 5 && strcmp(path + length - 5, ".yaml") == 0)
		length -= 5;
	text_add_bytes(out, path, length);
	text_add(out, end);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* ---- Samples ---- */

static bool takes_time(const struct import_segment *s)
{
	return s->segment.kind != SEGMENT_WAIT;
}

/* Whether all that the job took is within what its segments say. */
static bool is_sample(const struct import_task *t, uint32_t job)
{
	for (uint32_t k = 0; k < t->segment_count; k++) {
		const struct segment *s = &t->segments[k].segment;
		if (t->jobs[job].values[k] < s->best_ns || t->jobs[job].values[k] > s->worst_ns)
			return false;
	}
	return true;
}

static bool any_sample(const struct import *im)
{
	for (uint32_t i = 0; i < im->task_count; i++)
		for (uint32_t j = 0; j < im->tasks[i].learned; j++)
			if (is_sample(&im->tasks[i], j))
				return true;
	return false;
}

static void add_samples(struct text *out, const struct import *im)
{
	text_add(out, "task,segment,value\n");
	for (uint32_t i = 0; i < im->task_count; i++) {
		const struct import_task *t = &im->tasks[i];
		for (uint32_t j = 0; j < t->learned; j++)
			for (uint32_t k = 0; k < t->segment_count && is_sample(t, j); k++)
				if (takes_time(&t->segments[k]))
					text_printf(out, "%s,%" PRIu32 ",%" PRId64 "\n", t->name, k,
						t->jobs[j].values[k]);
	}
}

/* ---- The release trace ---- */

static void add_trace(struct text *out, const struct import *im, bool lengths)
{
	text_add(out, lengths ? "task,seq,release,segment,duration\n" : "task,seq,release\n");
	for (uint32_t i = 0; i < im->task_count; i++) {
		const struct import_task *t = &im->tasks[i];
		for (uint32_t j = t->replayed; j < t->job_count; j++) {
			int64_t release = t->jobs[j].release_ns - im->start_ns;
			uint32_t seq = j - t->replayed;
			if (!lengths)
				text_printf(out, "%s,%" PRIu32 ",%" PRId64 "\n", t->name, seq, release);
			for (uint32_t k = 0; k < t->segment_count && lengths; k++)
				if (takes_time(&t->segments[k]))
					text_printf(out,
						"%s,%" PRIu32 ",%" PRId64 ",%" PRIu32 ",%" PRId64 "\n",
						t->name, seq, release, k, t->jobs[j].values[k]);
		}
	}
}

/* ---- The scenario ---- */

static const char *note_word(enum import_kind kind)
{
	static const char *const words[] = {
		[IMPORT_FOUND] = "found", [IMPORT_ASSUMED] = "assumed", [IMPORT_LEFT_OUT] = "left out"};
	return words[kind];
}

/* Whether YAML has no such character, or takes it for the end of a line: controls, U+0080 to U+009F, U+2028,
 * U+2029, U+FEFF, U+FFFE, U+FFFF. */
static bool breaks_comment(const char *c, size_t length)
{
	const unsigned char *b = (const unsigned char *)c;
	if (length == 1)
		return *b < ' ' || *b == 0x7f;
	return (b[0] == 0xc2 && b[1] < 0xa0) || strncmp(c, "\xe2\x80\xa8", 3) == 0 ||
	       strncmp(c, "\xe2\x80\xa9", 3) == 0 || strncmp(c, "\xef\xbb\xbf", 3) == 0 ||
	       strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0;
}

/* A text of a file of others, in a line of a comment. */
static void add_plain(struct text *out, const char *text)
{
	while (*text) {
		size_t length = utf8_length(text);
		if (length == 0)
			text_add_char(out, '?');
		else if (breaks_comment(text, length))
			text_add_char(out, ' ');
		else
			text_add_bytes(out, text, length);
		text += length ? length : 1;
	}
}

static void add_head(struct text *out, const struct import *im, const struct import_files *files)
{
	text_add(out, "# Made by cegsim " CEGSIM_VERSION " of ");
	add_plain(out, im->capture->file);
	text_add(out, ":\n#     ");
	add_plain(out, files->command);
	text_add(out, "\n#\n# Times are in ns: [least, greatest] of the instances that ran alone.\n");
	for (uint32_t i = 0; i < im->note_count; i++) {
		const struct import_note *n = &im->notes[i];
		text_printf(out, "# %s: ", note_word(n->kind));
		add_plain(out, n->subject);
		text_printf(out, " (%" PRIu64 "): ", n->count);
		add_plain(out, n->text);
		text_add(out, "\n");
	}
	text_add(out, "\n");
}

/* The longest of the jobs' releases, and a period. */
static int64_t horizon_of(const struct import *im)
{
	int64_t horizon = 1;
	for (uint32_t i = 0; i < im->task_count; i++) {
		const struct import_task *t = &im->tasks[i];
		int64_t end = t->jobs[t->job_count - 1].release_ns - im->start_ns + t->period_ns;
		horizon = end > horizon ? end : horizon;
	}
	return horizon;
}

static void add_name(struct text *out, const char *path, const char *end)
{
	struct text name = {0};
	path_beside(&name, last_part(path), end);
	text_add_json(out, text_data(&name));
	out->failed |= name.failed;
	text_finish(&name);
}

/* Where releases and lengths come from; the other way stands beside it, to be switched to. */
static void add_rules(struct text *out, const struct import *im, const struct import_request *request,
	const struct import_files *files)
{
	text_add(out, files->periodic ? "release: periodic\n# release: {trace: " : "release: {trace: ");
	add_name(out, files->path, ".csv");
	text_add(out, files->periodic       ? "} # as recorded, with lengths\n"
		      : request->first_half ? "} # as recorded in the second half of the jobs\n"
					    : "} # as recorded, with lengths\n# release: periodic\n");
	if (!any_sample(im)) {
		text_add(out, "execution: uniform # no job ran alone as a whole: there are no samples\n");
		return;
	}
	text_add(out, "execution: {samples: ");
	add_name(out, files->path, ".samples.csv");
	text_add(out, ", together: true} # jobs as they were\n");
}

static void add_task(struct text *out, const struct import *im, const struct import_task *t)
{
	const struct capture_thread *thread = &im->capture->threads[t->thread];
	int64_t offset = t->jobs[t->replayed].release_ns - im->start_ns;
	yaml_task(out, t->name, t->period_ns, YAML_NS);
	text_printf(out, " # thread %" PRId64 " of process %" PRId64 ", %" PRIu32 " jobs\n", thread->tid,
		im->capture->processes[thread->process].pid, t->job_count);
	if (im->platform.cores > 1)
		text_printf(out, "    core: %" PRIu32 "\n", t->core);
	if (offset > 0)
		text_printf(out, "    offset: %" PRId64 "\n", offset);
	text_add(out, "    segments:\n");
	for (uint32_t k = 0; k < t->segment_count; k++) {
		const struct import_segment *s = &t->segments[k];
		char name[IMPORT_NAME_MAX];
		text_add(out, "      - ");
		(void)yaml_segment(
			out, &s->segment, NULL, 0, YAML_NS); /* it has no ratios that could be cut */
		text_add(out, *s->what ? " # " : "");
		add_plain(out, import_short_name(s->what, name));
		if (s->operation != IMPORT_NO_OPERATION && s->alone == 0)
			text_add(out, *s->what ? "; never ran alone" : " # never ran alone");
		text_add(out, "\n");
	}
}

/* What operations in flight need besides. */
static void add_preset(struct text *out, const struct platform *p, const struct platform *preset)
{
	text_printf(out, "platform: {preset: %s", preset->name);
	if (p->cores != preset->cores)
		text_printf(out, ", cores: %" PRIu32, p->cores);
	if (p->overheads.gap_ns != preset->overheads.gap_ns)
		text_printf(out, ", overheads: {gap: %" PRId64 "}", p->overheads.gap_ns);
	text_add(out, "}\n");
}

static void add_scenario(struct text *out, const struct import *im, const struct import_request *request,
	const struct import_files *files)
{
	struct text name = {0};
	add_head(out, im, files);
	path_beside(&name, last_part(files->path), "");
	yaml_head(out, text_data(&name), horizon_of(im), YAML_NS);
	out->failed |= name.failed;
	text_finish(&name);
	text_add(out, "\n");
	add_rules(out, im, request, files);
	if (request->platform)
		add_preset(out, &im->platform, request->platform);
	else
		yaml_platform(out, &im->platform, YAML_NS);
	text_add(out, "tasks:\n");
	for (uint32_t i = 0; i < im->task_count; i++)
		add_task(out, im, &im->tasks[i]);
	text_add(out, "policies: [fifo-cke]\n");
}

/* ---- Files ---- */

/* Files that belong together: none gets its name before all are written. */
struct files {
	struct output out[3];
	uint32_t count;
};

/* Takes the text. */
static bool add_file(struct files *all, struct text *text, const char *end, const struct import_files *files,
	const char *input, struct error *err)
{
	struct text name = {0};
	struct output *out = &all->out[all->count];
	path_beside(&name, files->path, end);
	bool ok = text_ok(text, what, err) && text_ok(&name, what, err) &&
		  output_is_another(text_data(&name), input, err) &&
		  (!files->cpu || output_is_another(text_data(&name), files->cpu, err)) &&
		  output_begin(out, text_data(&name), files->replace, err);
	if (ok) {
		all->count++;
		fwrite(text_data(text), 1, text->length, out->file);
		ok = (fflush(out->file) == 0 && !ferror(out->file)) ||
		     error_set(err, STATUS_IO, "cannot write %s: %s", out->part, strerror(errno));
	}
	text_finish(&name);
	text_finish(text);
	return ok;
}

/* The scenario is the last: where it is, the files that it names are, too. */
static bool finish_files(struct files *all, bool ok, struct error *err)
{
	if (ok)
		return output_commit_all(all->out, all->count, err);
	for (uint32_t i = 0; i < all->count; i++)
		output_abandon(&all->out[i]);
	return false;
}

bool import_write(const struct import *im, const struct import_request *request,
	const struct import_files *files, struct error *err)
{
	const char *input = im->capture->file;
	size_t length = strlen(files->path);
	struct files all = {.count = 0};
	struct text trace = {0}, samples = {0}, scenario = {0};
	if (length <= 5 || strcmp(files->path + length - 5, ".yaml") != 0)
		return error_set(
			err, STATUS_INPUT, "the name of a scenario ends with .yaml, not '%s'", files->path);
	add_trace(&trace, im, !request->first_half);
	add_samples(&samples, im);
	add_scenario(&scenario, im, request, files);
	bool ok = add_file(&all, &trace, ".csv", files, input, err) &&
		  (!any_sample(im) || add_file(&all, &samples, ".samples.csv", files, input, err)) &&
		  add_file(&all, &scenario, ".yaml", files, input, err);
	text_finish(&trace);
	text_finish(&samples);
	text_finish(&scenario);
	return finish_files(&all, ok, err);
}
