/* cli/calibrate.c - `cegsim calibrate`: kernels of a scenario with `warp:`, measured inside of SMs and handed to the
 * block level (docs/calibration.md). */
#include <ev.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "calibration/calibration.h"
#include "calibration/file.h"
#include "campaign/progress.h"
#include "cli/options.h"
#include "cli/uses.h"
#include "cli/verbs.h"
#include "scenarios/scenario.h"

#define DRAWS_DEFAULT 5u
#define SLICE_EVENTS 100000       /* some milliseconds */
#define PROGRESS_SECONDS 0.1

struct command {
	const char *file, *output, *policy;
	struct scenario scenario;
	struct policy_use use;
	struct warp_options options;
	struct calibration_spec spec;
	uint32_t sms[PLATFORM_MAX_SMS];
	int64_t seed;                      /* -1: the scenario's */
	enum file_form form;
	bool form_given, force, quiet;
	enum table_format format;
	/* While it measures. */
	struct calibration *calibration;
	struct progress progress;
	struct error *err;
	bool failed, interrupted;
};

enum { KEY_DRAWS = OPTION_KEY_OWN, KEY_SMS, KEY_SEED, KEY_BESIDE, KEY_FORM, KEY_FORCE };

static const struct argp_option options[] = {
	{ "policy", 'p', "POLICY", 0, "schedule warps by POLICY, as for `cegsim run'; not with a manager (default: gto)", 0 },
	{ "draws", KEY_DRAWS, "N", 0, "measure every launch under N seeds (default: 5)", 0 },
	{ "seed", KEY_SEED, "N", 0, "use seeds from N on instead of those from the scenario's on", 0 },
	{ "sms", KEY_SMS, "LIST", 0, "measure on so many SMs: 1,2,4 or 1..8; begins with 1 (default: 1 to all)", 0 },
	{ "beside", KEY_BESIDE, NULL, 0, "also measure each kernel beside each, itself included: interleave ratios", 0 },
	{ "output", 'o', "FILE.yaml", 0, "write a scenario of blocks, which `cegsim run' accepts as it is", 0 },
	{ "form", KEY_FORM, "FORM", 0,
		"give its kernels as profile, grid or work (which wants --beside); the others are comments (default: profile)",
		0 },
	{ "force", KEY_FORCE, NULL, 0, "replace FILE.yaml if it exists", 0 },
	{ "quiet", 'q', NULL, 0, "no progress", 0 },
	OPTION_FORMAT,
	{ 0 },
};

/* ---- arguments ------------------------------------------------------------------------------ */

static void wrong_sms(struct argp_state *state, const char *arg)
{
	argp_error(state, "--sms wants ascending numbers from 1 on, such as 1,2,4 or 1..8, got '%s'", arg);
	exit(STATUS_INPUT);
}

/* "1,2,4..8" */
static void parse_sms(struct argp_state *state, const char *arg, struct command *c)
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

/* Options that have no letter. */
static error_t parse_long(int key, char *arg, struct argp_state *state)
{
	static const char *const forms[] = {
		[FILE_PROFILE] = "profile", [FILE_GRID] = "grid", [FILE_WORK] = "work", NULL };
	struct command *c = state->input;
	switch (key) {
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
	case KEY_FORCE:
		c->force = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check_arguments(const struct command *c, struct argp_state *state)
{
	if (!c->file)
		argp_error(state, "which scenario?");
	if (c->form_given && !c->output)
		argp_error(state, "--form is of the scenario that -o writes");
	if (c->form == FILE_WORK && !c->spec.beside)
		argp_error(state, "--form work needs interleave ratios: give --beside, too");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;
	switch (key) {
	case 'p':
		c->policy = arg;
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case OPTION_KEY_FORMAT:
		c->format = option_format(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (c->file)
			argp_error(state, "one scenario at a time; what is '%s'?", arg);
		c->file = arg;
		return 0;
	case ARGP_KEY_END:
		check_arguments(c, state);
		return 0;
	default:
		return parse_long(key, arg, state);
	}
}

/* ---- input ------------------------------------------------------------------------------------ */

static enum status read_scenario(struct command *c)
{
	struct diagnostics d;
	enum status status = STATUS_OK;
	diagnostics_init(&d, c->file);
	if (!scenario_read(c->file, &c->scenario, &d)) {
		diagnostics_print(&d, stderr);
		status = c->scenario.status;
	}
	diagnostics_finish(&d);
	return status;
}

static bool read_scheduler(struct command *c, struct error *err)
{
	const struct scenario *s = &c->scenario;
	if (!s->set.warps)
		return error_set(err, STATUS_INPUT, "%s has no 'warp': only what happens inside of SMs can be measured", c->file);
	if (!use_policy(c->policy, &c->use, err) || !scenario_takes(s, &c->use, err) ||
		!warp_options_read((enum warp_scheduler_kind)c->use.policy->warp_scheduler, &c->use.params, s->set.warps,
			&s->platform, &c->options, err))
		return false;
	if (c->options.manager != MANAGER_SMK)
		return error_set(err, STATUS_INPUT, "kernels are measured without a manager, not under %s",
			warp_manager_name(c->options.manager));
	if (c->options.blocks != BLOCKS_EVEN)
		return error_set(err, STATUS_INPUT, "how many blocks an SM has is part of what is measured: not 'blocks=fill'");
	return true;
}

static bool settle(struct command *c, struct error *err)
{
	const struct scenario *s = &c->scenario;
	if (!read_scheduler(c, err))
		return false;
	for (uint32_t m = c->spec.points; m == 0 && m < s->platform.sms; c->spec.points++, m = 0) {
		if (c->spec.points == s->platform.sms)
			break;
		c->sms[c->spec.points] = c->spec.points + 1;
	}
	if (c->sms[c->spec.points - 1] > s->platform.sms)
		return error_set(err, STATUS_INPUT, "--sms goes to %" PRIu32 "; %s has %" PRIu32 " SMs",
			c->sms[c->spec.points - 1], c->file, s->platform.sms);
	if (c->output && !c->force && access(c->output, F_OK) == 0)
		return error_set(err, STATUS_INPUT, "%s exists already; choose another name, or overwrite it with --force",
			c->output);
	c->spec.platform = &s->platform;
	c->spec.set = &s->set;
	c->spec.options = &c->options;
	c->spec.seed = c->seed >= 0 ? (uint64_t)c->seed : s->setup.seed;
	c->spec.sms = c->sms;
	return true;
}
