/* cli/calibrate.c - `cegsim calibrate`: measures kernels of a scenario with `warp:` inside of SMs, and
 * describes them for the block level (docs/calibration.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/say.h"
#include "cli/calibrate_plot.h"
#include "cli/input.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "report/script.h"
#include "runs/event_loop.h"
#include "runs/progress.h"
#include "runs/seeds.h"
#include "scenarios/calibration/calibration.h"
#include "scenarios/calibration/file.h"

#define DRAWS_DEFAULT 5u
#define SLICE_EVENTS 100000 /* some milliseconds */

struct calibrate_command {
	struct given given;
	const char *policy;
	struct scenario scenario;
	struct policy_use use;
	struct warp_options options;
	struct calibration_spec spec;
	uint32_t sms[PLATFORM_MAX_SMS];
	int64_t seed; /* -1: the scenario's */
	enum file_form form;
	bool form_given;
	struct calibrated_plot plot; /* file: NULL: none */
	bool figure_given;
	/* During measuring. */
	struct calibration *calibration;
	struct event_loop loop;
	struct progress progress;
	struct error *err;
	bool failed, interrupted;
};

enum {
	KEY_DRAWS = OPTION_KEY_OWN,
	KEY_SMS,
	KEY_SEED,
	KEY_BESIDE,
	KEY_FORM,
	KEY_PLOT,
	KEY_FIGURE,
	KEY_SCRIPT
};

static const struct argp_option options[] = {
	{"policy", 'p', "POLICY", 0,
		"schedule warps by POLICY, as for `cegsim run'; not with a manager (default: gto)", 0},
	{"draws", KEY_DRAWS, "N", 0, "measure every launch under N seeds (default: 5)", 0},
	{"seed", KEY_SEED, "N", 0, "use seeds from N on instead of those from the scenario's on", 0},
	{"sms", KEY_SMS, "LIST", 0,
		"measure on so many SMs: 1,2,4 or 1..8; begins with 1 (default: 1 to all)", 0},
	{"beside", KEY_BESIDE, NULL, 0,
		"also measure each kernel beside each, itself included: interleave ratios", 0},
	OPTION_OUTPUT("FILE.yaml", "write a scenario of blocks, which `cegsim run' accepts as it is"),
	{"form", KEY_FORM, "FORM", 0,
		"give its kernels as profile, grid, or (these want --beside) work or shared; the others are "
		"comments (default: profile)",
		0},
	{"plot", KEY_PLOT, "FILE.svg", 0, "draw what was measured: FILE.svg, FILE.pdf or FILE.png", 0},
	{"figure", KEY_FIGURE, "FIGURE", 0,
		"draw times over SMs, with RTGPU's Lemma 5.1 and Eq. 3, or (these want --beside) ratios "
		"beside others or split ratios (default: times; with --beside, beside)",
		0},
	{"script", KEY_SCRIPT, "FILE.gp", 0, "keep the gnuplot script, with its data, that draws the figure",
		0},
	OPTION_FORCE("replace files that exist"),
	OPTION_QUIET("no progress"),
	OPTION_FORMAT,
	{0},
};

static const char *const forms[] = {
	[FILE_PROFILE] = "profile",
	[FILE_GRID] = "grid",
	[FILE_WORK] = "work",
	[FILE_SHARED] = "shared",
	NULL,
};

static const char *const figures[] = {
	[CALIBRATED_TIMES] = "times",
	[CALIBRATED_BESIDE] = "beside",
	[CALIBRATED_SPLIT] = "split",
	NULL,
};

/* ---- arguments ---- */

_Noreturn static void wrong_sms(struct argp_state *state, const char *arg)
{
	argp_error(state, "--sms wants ascending numbers from 1 on, such as 1,2,4 or 1..8, got '%s'", arg);
	exit(STATUS_INPUT);
}

/* "1,2,4..8" */
static void parse_sms(struct argp_state *state, const char *arg, struct calibrate_command *c)
{
	const char *at = arg;
	c->spec.points = 0;
	for (;;) {
		unsigned first, last;
		int length = 0;
		if (*at < '0' || *at > '9' || sscanf(at, "%5u%n", &first, &length) != 1)
			wrong_sms(state, arg);
		at += length;
		last = first;
		if (strncmp(at, "..", 2) == 0) {
			if (at[2] < '0' || at[2] > '9' || sscanf(at + 2, "%5u%n", &last, &length) != 1)
				wrong_sms(state, arg);
			at += 2 + length;
		}
		unsigned before = c->spec.points ? c->sms[c->spec.points - 1] : 0;
		if (first <= before || (before == 0 && first != 1) || last < first || last > PLATFORM_MAX_SMS)
			wrong_sms(state, arg);
		while (first <= last)
			c->sms[c->spec.points++] = first++;
		if (*at == '\0')
			return;
		if (*at++ != ',')
			wrong_sms(state, arg);
	}
}

static void check_arguments(const struct calibrate_command *c, struct argp_state *state)
{
	if (c->form_given && !c->given.output)
		argp_error(state, "--form is of the scenario that -o writes");
	if ((c->figure_given || c->plot.script) && !c->plot.file)
		argp_error(state, "--figure and --script are of the file that --plot draws");
	if (c->plot.figure != CALIBRATED_TIMES && !c->spec.beside)
		argp_error(state, "--figure %s needs ratios: give --beside, too", figures[c->plot.figure]);
	if (c->form >= FILE_WORK && !c->spec.beside)
		argp_error(state, "--form %s needs interleave ratios: give --beside, too", forms[c->form]);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct calibrate_command *c = state->input;
	switch (key) {
	case 'p':
		c->policy = arg;
		return 0;
	case KEY_DRAWS:
		c->spec.draws = (uint32_t)option_integer(state, "draws", arg, 1, CALIBRATION_DRAWS_MAX);
		return 0;
	case KEY_SEED:
		c->seed = option_integer(state, "seed", arg, 0, INT64_MAX);
		return 0;
	case KEY_SMS:
		parse_sms(state, arg, c);
		return 0;
	case KEY_BESIDE:
		c->spec.beside = true;
		return 0;
	case KEY_FORM:
		c->form = (enum file_form)option_choice(state, "form", arg, forms);
		c->form_given = true;
		return 0;
	case KEY_PLOT:
		c->plot.file = arg;
		return 0;
	case KEY_SCRIPT:
		c->plot.script = arg;
		return 0;
	case KEY_FIGURE:
		c->plot.figure = (enum calibrated_figure)option_choice(state, "figure", arg, figures);
		c->figure_given = true;
		return 0;
	case ARGP_KEY_END:
		given_parse(key, arg, state, &c->given);
		check_arguments(c, state);
		if (c->spec.beside && !c->figure_given)
			c->plot.figure = CALIBRATED_BESIDE;
		c->plot.replace = c->given.force;
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

/* ---- input ---- */

/* A file that exists is found out before anything is measured. */
static bool may_write(const struct calibrate_command *c, const char *file, struct error *err)
{
	return !file || c->given.force || access(file, F_OK) != 0 ||
	       error_set(err, STATUS_INPUT,
		       "%s exists already; choose another name, or overwrite it with --force", file);
}

static bool may_plot(const struct calibrate_command *c, struct error *err)
{
	enum script_format format;
	return !c->plot.file || (script_format_find(c->plot.file, &format, err) &&
					may_write(c, c->plot.file, err) && may_write(c, c->plot.script, err));
}

static bool read_scheduler(struct calibrate_command *c, struct error *err)
{
	const struct scenario *s = &c->scenario;
	if (!s->set.warps)
		return error_set(err, STATUS_INPUT,
			"%s has no 'warp': only what happens inside of SMs can be measured", c->given.file);
	if (!policy_use_parse(c->policy, &c->use, err) || !scenario_takes(s, &c->use, err) ||
		!warp_options_read((enum warp_scheduler_kind)c->use.policy->warp_scheduler, &c->use.params,
			s->set.warps, &s->platform, &c->options, err))
		return false;
	for (uint32_t i = 0; i < s->set.task_count; i++)
		if (s->set.warps->kernels[i].then_count > 0)
			return error_set(err, STATUS_INPUT,
				"'%s' is an application; kernels are measured one by one, without 'then'",
				s->set.tasks[i].name);
	if (c->options.manager != MANAGER_SMK)
		return error_set(err, STATUS_INPUT, "kernels are measured without a manager, not under %s",
			warp_manager_name(c->options.manager));
	if (c->options.blocks != BLOCKS_EVEN)
		return error_set(err, STATUS_INPUT,
			"how many blocks an SM has is part of what is measured: not 'blocks=fill'");
	return true;
}

static bool settle(struct calibrate_command *c, struct error *err)
{
	const struct scenario *s = &c->scenario;
	if (!read_scheduler(c, err))
		return false;
	if (c->spec.points == 0)
		while (c->spec.points < s->platform.sms) {
			c->sms[c->spec.points] = c->spec.points + 1;
			c->spec.points++;
		}
	if (c->sms[c->spec.points - 1] > s->platform.sms)
		return error_set(err, STATUS_INPUT, "--sms goes to %" PRIu32 "; %s has %" PRIu32 " SMs",
			c->sms[c->spec.points - 1], c->given.file, s->platform.sms);
	if (!file_takes(c->form, &s->platform, &s->set, err))
		return false;
	if (!may_write(c, c->given.output, err) || !may_plot(c, err))
		return false;
	c->spec.platform = &s->platform;
	c->spec.set = &s->set;
	c->spec.options = &c->options;
	c->spec.seed = c->seed >= 0 ? (uint64_t)c->seed : s->setup.seed;
	c->spec.sms = c->sms;
	return true;
}

/* ---- measuring ---- */

static void slice(void *self)
{
	struct calibrate_command *c = self;
	switch (calibration_step(c->calibration, SLICE_EVENTS, c->err)) {
	case CALIBRATION_GOES_ON:
		return;
	case CALIBRATION_FAILED:
		c->failed = true;
		break;
	case CALIBRATION_OVER:
		break;
	}
	ev_break(c->loop.ev, EVBREAK_ALL);
}

static void interrupted(void *self)
{
	struct calibrate_command *c = self;
	c->interrupted = true;
	ev_break(c->loop.ev, EVBREAK_ALL);
}

static void tick(void *self)
{
	struct calibrate_command *c = self;
	uint64_t done = calibration_done(c->calibration), all = calibration_count(c->calibration);
	progress_update(&c->progress, ev_now(c->loop.ev), done, all, (double)done / (double)all,
		calibration_events(c->calibration));
}

static bool measure(struct calibrate_command *c, struct error *err)
{
	if (!calibration_create(&c->spec, &c->calibration, err))
		return false;
	c->err = err;
	c->loop = (struct event_loop){.self = c, .interrupted = interrupted, .tick = tick, .slice = slice};
	if (!event_loop_open(&c->loop, err))
		return false;
	progress_init(&c->progress, "launches", c->given.quiet, ev_now(c->loop.ev));
	ev_run(c->loop.ev, 0);
	event_loop_close(&c->loop);
	progress_clear(&c->progress);
	return !c->failed;
}

/* ---- results ---- */

static void add_times(struct table *t, const struct spread *s)
{
	bool any = s->count > 0;
	any ? table_time(t, s->least) : table_null(t);
	any ? table_time(t, div_half_even(s->sum, s->count)) : table_null(t);
	any ? table_time(t, s->greatest) : table_null(t);
}

/* In millionths. */
static void add_ratios(struct table *t, const struct spread *s)
{
	bool any = s->count > 0;
	any ? table_real(t, (double)s->least / 1e6) : table_null(t);
	any ? table_real(t, spread_mean(s) / 1e6) : table_null(t);
	any ? table_real(t, (double)s->greatest / 1e6) : table_null(t);
}

/* Of what there is. */
static void add_row(const struct calibrate_command *c, struct table *t, uint32_t kernel, const char *company,
	const char *partner, uint32_t point, const struct calibrated_pair *p)
{
	if (p->time.count == 0)
		return;
	table_text(t, c->scenario.set.tasks[kernel].name);
	table_text(t, company);
	table_text(t, partner);
	table_integer(t, c->sms[point]);
	table_integer(t, p->time.count);
	add_times(t, &p->time);
	add_ratios(t, &p->ratio);
	add_times(t, &p->blocks);
}

static void add_kernel(const struct calibrate_command *c, struct table *t, uint32_t kernel)
{
	for (uint32_t i = 0; i < c->spec.points; i++) {
		const struct calibrated_point *p = calibration_point(c->calibration, kernel, i);
		const struct calibrated_pair alone = {
			.time = p->alone, .ratio = p->split, .blocks = p->alone_blocks};
		add_row(c, t, kernel, "alone", NULL, i, &alone);
	}
	for (uint32_t i = 0; i < c->spec.points; i++) {
		const struct calibrated_pair half = {
			.time = calibration_point(c->calibration, kernel, i)->half};
		add_row(c, t, kernel, "half", NULL, i, &half);
	}
	for (uint32_t k = 0; k < c->scenario.set.task_count; k++)
		for (uint32_t i = 0; i < c->spec.points; i++)
			add_row(c, t, kernel, "beside", c->scenario.set.tasks[k].name, i,
				calibration_pair(c->calibration, kernel, k, i));
}

static bool print_measured(const struct calibrate_command *c, struct error *err)
{
	static const char *const columns[] = {"kernel", "company", "beside", "sms", "draws", TABLE_US("min"),
		TABLE_US("mean"), TABLE_US("max"), "ratio_min", "ratio_mean", "ratio_max",
		TABLE_US("block_min"), TABLE_US("block_mean"), TABLE_US("block_max")};
	struct table t;
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < c->scenario.set.task_count; i++)
		add_kernel(c, &t, i);
	return table_end(&t, err);
}

/* ---- the file ---- */

/* Quotes a word for the shell; line ends become '?'. */
static void add_word(struct text *out, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,%+@";
	bool quoted = word[strspn(word, plain)] != '\0' || *word == '\0';
	text_add(out, quoted ? " '" : " ");
	for (; *word; word++) {
		if (*word == '\'')
			text_add(out, "'\\''");
		else
			text_add_char(out, (unsigned char)*word < ' ' || *word == 0x7f ? '?' : *word);
	}
	text_add(out, quoted ? "'" : "");
}

/* Adds the command, with all that its result depends on. */
static void add_command(const struct calibrate_command *c, struct text *out)
{
	text_add(out, "cegsim calibrate");
	add_word(out, c->given.file);
	text_add(out, " -p");
	add_word(out, c->policy);
	text_printf(out, " --draws %" PRIu32 " --seed %" PRIu64 " --sms ", c->spec.draws, c->spec.seed);
	seeds_write(out, c->sms, c->spec.points);
	text_add(out, c->spec.beside ? " --beside" : "");
	if (c->form != FILE_PROFILE)
		text_printf(out, " --form %s", forms[c->form]);
}

static bool write_file(const struct calibrate_command *c, struct error *err)
{
	struct text command = {0}, name = {0};
	add_command(c, &command);
	text_printf(&name, "%s-calibrated", c->scenario.name);
	const struct file_spec spec = {
		.calibration = c->calibration,
		.form = c->form,
		.name = text_data(&name),
		.scheduler = c->policy,
		.command = text_data(&command),
		.version = CEGSIM_VERSION,
	};
	bool ok = text_ok(&command, "a scenario", err) && text_ok(&name, "a scenario", err) &&
		  file_write(&spec, c->given.output, c->given.force, err);
	text_finish(&command);
	text_finish(&name);
	return ok;
}

/* ---- the command ---- */

static enum status calibrate(struct calibrate_command *c)
{
	struct error err;
	enum status status = input_scenario(c->given.file, &c->scenario);
	if (status != STATUS_OK)
		return status;
	if (!settle(c, &err) || !measure(c, &err))
		return (enum status)error_report(&err);
	if (c->interrupted) {
		say(stderr,
			"cegsim: interrupted after %" PRIu64 " of %" PRIu64 " launches; nothing is kept\n",
			calibration_done(c->calibration), calibration_count(c->calibration));
		return STATUS_INTERRUPTED;
	}
	if ((c->given.output && !write_file(c, &err)) ||
		(c->plot.file && !calibrate_plot(c->calibration, &c->plot, &err)) || !print_measured(c, &err))
		return (enum status)error_report(&err);
	return STATUS_OK;
}

int verb_calibrate(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO.yaml",
		.doc = "Measure the kernels of a scenario with `warp' inside of SMs: how long a launch of "
		       "each takes, alone on 1, 2, ... SMs, and beside others; and give this to the "
		       "simulation of whole blocks.\vLaunch times, repeats, streams and goals do not matter: "
		       "each launch is measured by itself. Times are in us, in csv and json in whole ns; "
		       "ratio is the time beside another kernel to the time with the other half of every SM "
		       "empty, and of a kernel alone twice its time to that. Exit status: 0 done; 2 usage or "
		       "input error; 3 a file, the disk or the memory failed; 130 interrupted.",
	};
	struct calibrate_command *c = calloc(1, sizeof(*c));
	struct error err;
	if (!c) {
		error_memory(&err, "the arguments");
		return error_report(&err);
	}
	c->given.noun = "scenario";
	c->policy = "gto";
	c->spec.draws = DRAWS_DEFAULT;
	c->seed = -1;
	options_parse(&argp, argc, argv, c);
	enum status status = calibrate(c);
	calibration_destroy(c->calibration);
	scenario_finish(&c->scenario);
	free(c);
	return (int)status;
}
