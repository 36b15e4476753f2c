/* policies/pipe/pipe.c - see policies/pipe/pipe.h. Owns the table of these analyses. */
#include "policies/pipe/pipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/own.h"
#include "policies/pipe/answer.h"
#include "policies/pipe/child.h"
#include "policies/pipe/command.h"
#include "policies/pipe/question.h"

/* After so many processes that ended without an answer the next ones are started without standard error. */
#define HEARD_FAILURES 3u

struct pipe_analysis {
	struct pipe_analysis *next;
	struct analysis analysis;
	struct command command;
	char *name, *label, *json;
	bool unsafe;
	struct child child;
	uint64_t asked;    /* questions so far */
	unsigned failures; /* processes that ended without any answer */
};

static struct pipe_analysis *made;
static struct patience patience = {.timeout_s = PIPE_TIMEOUT_S};

void pipe_patience(double seconds)
{
	patience.timeout_s = seconds;
}

void pipe_interruptible(bool (*over)(void *self), void *self)
{
	patience.over = over;
	patience.self = self;
}

bool pipe_is(const char *text)
{
	return strncmp(text, PIPE_PREFIX, strlen(PIPE_PREFIX)) == 0 || strcmp(text, "pipe") == 0;
}

static struct pipe_analysis *of(const struct analysis *analysis)
{
	struct pipe_analysis *p = made;
	while (p && &p->analysis != analysis)
		p = p->next;
	return p;
}

/* ---- asking ---- */

/* A process that ended may have had enough of questions, or of this one: a fresh one is asked, too, so that
 * the answer does not depend on what was asked before. */
static bool ask(struct pipe_analysis *p, const struct text *line, struct error *err)
{
	for (;;) {
		bool ended = false, fresh;
		p->child.mute = p->failures >= HEARD_FAILURES;
		if (!child_runs(&p->child) &&
			!child_start(&p->child, p->command.words, p->command.folder, err))
			return false;
		fresh = p->child.fresh;
		if (child_ask(&p->child, line->data, line->length, &patience, &ended, err))
			return true;
		p->failures += fresh && ended;
		if (fresh || !ended)
			return false;
	}
}

/* Not the fault of this program: of that one, or of its answer. */
static bool give_up(struct analysis_result *result, const struct error *reason, struct error *err)
{
	if (reason->status != STATUS_INPUT) {
		*err = *reason;
		return false;
	}
	analysis_give_up(result, "it %s", reason->text);
	return true;
}

static bool exchange(struct pipe_analysis *p, const struct asked *asked, const struct text *line,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	struct error reason = {0};
	if (!ask(p, line, &reason))
		return give_up(result, &reason, err);
	if (answer_read(text_data(&p->child.answer), p->child.answer.length, asked, result, &reason))
		return true;
	/* Who knows what comes next. */
	child_stop(&p->child);
	return (reason.status != STATUS_INPUT ||
		       analysis_begin(result, asked->plan->set->task_count, arena, err)) &&
	       give_up(result, &reason, err);
}

bool pipe_question(const struct plan *plan, uint64_t id, struct arena *arena, uint32_t *order,
	struct text *line, struct analysis_result *result, struct error *err)
{
	uint32_t task = 0;
	struct error reason;
	*result = (struct analysis_result){.refused = true};
	if (!verdict_plain(&result->verdict, plan->set, "a question") ||
		!verdict_unconfined(&result->verdict, plan, "a question is about"))
		return true;
	if (platform_overheads(plan->platform))
		return analysis_refuse(result, NO_FAILING_TASK, "a question says nothing of overheads");
	if (!analysis_begin(result, plan->set->task_count, arena, err))
		return false;
	bool asks = question_write(plan, id, line, order, &task, &reason);
	if (!text_ok(line, "asking an analysis", err))
		return false;
	return asks ||
	       analysis_refuse(result, task, "task '%s': %s", plan->set->tasks[task].name, reason.text);
}

/* Wrong answers, and none, are no failure. */
static bool pipe_ask(const struct analysis *analysis, const struct plan *plan, const struct params *none,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	(void)none;
	struct pipe_analysis *p = of(analysis);
	struct text line = {0};
	uint32_t *order = arena_new(arena, uint32_t, plan->set->task_count);
	struct asked asked = {plan, order, ++p->asked};
	if (!order)
		return error_memory(err, "an analysis");
	bool ok = pipe_question(plan, asked.id, arena, order, &line, result, err);
	if (ok && !result->refused)
		ok = exchange(p, &asked, &line, arena, result, err);
	text_finish(&line);
	return ok;
}

/* ---- making ---- */

static bool always_unsafe(const struct params *params)
{
	(void)params;
	return true;
}

/* The words behind the one that the name is of. */
static void add_arguments(const char *name, char *const *words, size_t count, struct text *label)
{
	size_t i = 0, length = strlen(name);
	for (; i < count; i++) {
		size_t word = strlen(words[i]);
		if (word >= length && strcmp(words[i] + word - length, name) == 0)
			break;
	}
	for (i++; i < count; i++) {
		text_add(label, " ");
		text_add(label, words[i]);
	}
}

const char *pipe_recorded_label(const char *name, const char *command, char *label, size_t size)
{
	char **words;
	size_t count;
	struct error ignored;
	struct text text = {0};
	text_add(&text, name);
	if (command_split(command, &words, &count, &ignored)) {
		add_arguments(name + strlen(PIPE_PREFIX), words, count, &text);
		command_free_words(words, count);
	}
	snprintf(label, size, "%s", text_data(&text));
	text_finish(&text);
	return label;
}

static bool describe(struct pipe_analysis *p, struct error *err)
{
	struct text name = {0}, label = {0}, json = {0};
	text_printf(&name, PIPE_PREFIX "%s", p->command.name);
	text_add(&label, text_data(&name));
	add_arguments(p->command.name, p->command.words, p->command.count, &label);
	text_add(&json, "{\"command\":");
	text_add_json(&json, p->command.line);
	text_printf(&json, ",\"safety\":\"%s\",\"files\":\"%s\"}", p->unsafe ? "unsafe" : "sound",
		p->command.digest);
	p->name = text_take(&name);
	p->label = text_take(&label);
	p->json = text_take(&json);
	p->analysis = (struct analysis){
		.name = p->name,
		.summary = "a program of the user's own",
		.source = p->command.line,
		.assumptions = "what its program assumes; cegsim checks none of it.",
		.version = 1,
		.policies = ANALYSIS_ANY_POLICY,
		.cores = ANALYSIS_ANY_CORES,
		.unsafe = p->unsafe ? always_unsafe : NULL,
		.ask = pipe_ask,
		.label = p->label,
		.json = p->json,
	};
	return (p->name && p->label && p->json) || error_memory(err, "an analysis");
}

static void forget(struct pipe_analysis *p)
{
	command_finish(&p->command);
	free(p->name);
	free(p->label);
	free(p->json);
	free(p);
}

static bool same_folder(const struct command *a, const struct command *b)
{
	return (!a->folder && !b->folder) || (a->folder && b->folder && strcmp(a->folder, b->folder) == 0);
}

static const struct pipe_analysis *find_same(const struct pipe_analysis *wanted)
{
	const struct pipe_analysis *p = made;
	while (p && (strcmp(p->json, wanted->json) != 0 || !same_folder(&p->command, &wanted->command)))
		p = p->next;
	return p;
}

/* The analysis is called by its words until it has a name. */
static const struct analysis *fail(struct pipe_analysis *p, const struct error *reason, struct error *err)
{
	error_set(err, reason->status, "analysis pipe:%.200s: %.600s", p->command.line ? p->command.line : "",
		reason->text);
	forget(p);
	return NULL;
}

static bool may_run(const char *const *words, size_t count, struct error *err)
{
	struct text line = {0};
	for (size_t i = 0; i < count; i++)
		text_printf(&line, "%s%s", i ? " " : "", words[i]);
	bool may =
		text_ok(&line, "an analysis", err) && own_code_may("run the command", text_data(&line), err);
	text_finish(&line);
	return may;
}

const struct analysis *pipe_make(
	const char *const *words, size_t count, const char *folder, bool unsafe, struct error *err)
{
	struct error reason;
	if (!may_run(words, count, err))
		return NULL;
	struct pipe_analysis *p = calloc(1, sizeof(*p));
	if (!p) {
		error_memory(err, "an analysis");
		return NULL;
	}
	p->unsafe = unsafe;
	if (!command_init(&p->command, words, count, folder, &reason) || !describe(p, &reason))
		return fail(p, &reason, err);
	const struct pipe_analysis *before = find_same(p);
	if (before) {
		forget(p);
		return &before->analysis;
	}
	p->next = made;
	made = p;
	return &p->analysis;
}

/* Cuts off "safety=unsafe:". */
static const char *cut_safety(const char *text, bool *unsafe)
{
	static const char sound[] = "safety=sound:", not_sound[] = "safety=unsafe:";
	*unsafe = strncmp(text, not_sound, strlen(not_sound)) == 0;
	return *unsafe                                    ? text + strlen(not_sound)
	       : strncmp(text, sound, strlen(sound)) == 0 ? text + strlen(sound)
							  : text;
}

const struct analysis *pipe_parse(const char *text, struct error *err)
{
	char **words;
	size_t count;
	bool unsafe;
	struct error reason;
	const char *command =
		cut_safety(strcmp(text, "pipe") == 0 ? "" : text + strlen(PIPE_PREFIX), &unsafe);
	if (!command_split(command, &words, &count, &reason)) {
		error_set(err, reason.status, "analysis %.300s: %s", text, reason.text);
		return NULL;
	}
	if (count == 0)
		error_set(err, STATUS_INPUT,
			"analysis pipe: it has no command; write 'pipe:python3 mine.py', in quotes");
	const struct analysis *analysis =
		count ? pipe_make((const char *const *)words, count, NULL, unsafe, err) : NULL;
	command_free_words(words, count);
	return analysis;
}
