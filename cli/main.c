/* cli/main.c - the program's entry: the table of commands, `cegsim --help`, and the check at exit that the
 * output was written, so that lost output is never a success. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/man_page.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "policies/pipe/pipe.h"

static int verb_help(int argc, char **argv);

static const struct verb verbs[] = {
	{"run", "simulate scenarios under policies; with -o, record them", verb_run},
	{"gen", "make task sets by a recipe", verb_gen},
	{"sweep", "run a campaign: a grid of generated task sets, on all processors", verb_sweep},
	{"merge", "put the shares of a campaign together", verb_merge},
	{"analyze", "bound response times by schedulability analyses", verb_analyze},
	{"validate", "hold recorded responses against bounds", verb_validate},
	{"search", "look for the longest response that a legal behaviour gives", verb_search},
	{"query", "ask a recording: a named query or SQL", verb_query},
	{"plot", "draw a figure of a recording, for a paper", verb_plot},
	{"view", "make one page of a recording, to look at in a browser", verb_view},
	{"trace", "write a run as a trace for the Perfetto UI", verb_trace},
	{"audit", "check recorded schedules against the rules of the model", verb_audit},
	{"replay", "hold recordings of real hardware against the model", verb_replay},
	{"import", "make a scenario of what a profiler recorded", verb_import},
	{"calibrate", "measure kernels inside of SMs, for the simulation of whole blocks", verb_calibrate},
	{"list", "list policies, analyses, recipes, presets, queries or figures", verb_list},
	{"schema", "print the keys of scenario and campaign files", verb_schema},
	{"help", "show the man page of a command", verb_help},
	{"complete", NULL, verb_complete}, /* for shells (contrib/completion/) */
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

const struct verb *verb_at(size_t i)
{
	return i < VERB_COUNT ? &verbs[i] : NULL;
}

/* argp in the C library must see this symbol, although all others are hidden. */
__attribute__((visibility("default"))) const char *argp_program_version = "cegsim " CEGSIM_VERSION;

/* A page that is of no command, and the command that says the most of it where the page is not there. */
struct file_page {
	const char *name;
	int (*run)(int argc, char **argv);
	int argc;
	char *argv[4];
};

static char word_schema[] = "cegsim schema", word_list[] = "cegsim list", word_scenario[] = "scenario",
	    word_campaign[] = "campaign", word_keys[] = "--keys", word_tables[] = "tables";

static struct file_page file_pages[] = {
	{"scenario", verb_schema, 3, {word_schema, word_scenario, word_keys}},
	{"campaign", verb_schema, 3, {word_schema, word_campaign, word_keys}},
	{"recording", verb_list, 2, {word_list, word_tables}},
};

/* The parsed top level: the command, and its index in argv. */
struct call {
	const struct verb *verb; /* NULL: none was given */
	int index;
	struct file_page *page; /* only of `cegsim help` */
};

/* Exits if no command has this name. */
static const struct verb *find_verb(const char *name, struct argp_state *state)
{
	const struct verb *found = NULL;
	struct suggestion near = {.word = name};
	for (size_t i = 0; i < VERB_COUNT; i++) {
		if (verbs[i].summary)
			suggestion_offer(&near, verbs[i].name);
		if (strcmp(verbs[i].name, name) == 0)
			found = &verbs[i];
	}
	char hint[SUGGESTION_TEXT_MAX];
	if (!found)
		argp_error(state, "there is no command '%s'%s", name, suggestion_text(&near, hint));
	return found;
}

static error_t parse_top(int key, char *arg, struct argp_state *state)
{
	struct call *call = state->input;
	switch (key) {
	case ARGP_KEY_ARG:
		call->verb = find_verb(arg, state);
		call->index = state->next - 1;
		state->next = state->argc; /* the remaining arguments belong to the command */
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void add_commands(struct text *text)
{
	text_add(text, "Commands:\n");
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (verbs[i].summary)
			text_printf(text, "  %-9s %s\n", verbs[i].name, verbs[i].summary);
}

/* Adds the list of commands to the help text. argp frees what is not `text`. */
static char *help_filter(int key, const char *text, void *input)
{
	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA)
		return (char *)(uintptr_t)text;
	struct text help = {0};
	add_commands(&help);
	text_add(&help, "\n`cegsim COMMAND --help' explains one of them, `cegsim help COMMAND' in full.\n\n"
			"Exit status: 0 done; 1 the answer is no; 2 usage or input error; 3 a file,\n"
			"the disk or the memory failed; 130 interrupted.");
	return text_take(&help);
}

static bool io_failure_reported;

/* Runs at every exit, also at one by argp. */
static void close_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	if (!io_failure_reported)
		say(stderr, "cegsim: error: cannot write to standard output: %s\n", strerror(errno));
	_exit(STATUS_IO);
}

static const struct argp top = {
	.parser = parse_top,
	.args_doc = "COMMAND [ARGUMENT...]",
	.doc = "Simulate real-time tasks on a CPU - copy engine - GPU platform, record every job in "
	       "SQLite, and ask questions about it.",
	.help_filter = help_filter,
};

/* Without a command. It is a usage error: a script that has lost its command must notice. */
static int print_first_help(void)
{
	struct error err;
	struct text help = {0};
	text_add(&help,
		"cegsim simulates real-time tasks on a CPU - copy engine - GPU platform, records every job\n"
		"in SQLite, and answers questions about it.\n\n"
		"First steps:\n"
		"  cegsim run SCENARIO.yaml -o out.db   simulate, and record what happens\n"
		"  cegsim query out.db @response        response times by task and policy\n"
		"  cegsim view out.db -o out.html       a page to look at in a browser\n\n");
	add_commands(&help);
	text_add(&help,
		"\n`cegsim help COMMAND' explains one of them; `man cegsim-scenario' what a scenario is.\n");
	bool ok = text_ok(&help, "printing the help", &err);
	if (ok)
		fputs(text_data(&help), stdout);
	text_finish(&help);
	return ok ? STATUS_INPUT : error_report(&err);
}

/* ---- cegsim help ---- */

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
	struct call *call = state->input;
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (call->verb || call->page)
		argp_error(state, "one command at a time; '%s' is too much", arg);
	for (size_t i = 0; i < sizeof(file_pages) / sizeof(file_pages[0]); i++)
		if (strcmp(file_pages[i].name, arg) == 0)
			call->page = &file_pages[i];
	if (call->page)
		return 0;
	call->verb = find_verb(arg, state);
	if (!call->verb->summary)
		argp_error(state, "'%s' has no page: it is for shells, which ask it what may follow", arg);
	return 0;
}

static int run_verb(const struct verb *verb, int argc, char **argv);

static int verb_help(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_help,
		.args_doc = "[COMMAND]\nscenario|campaign|recording",
		.doc = "Show the man page of a command, or of a kind of file. Where there is none, or the "
		       "output is no terminal: what COMMAND --help prints, or the keys or tables that such a "
		       "file may have. Without a command: what `cegsim --help' prints.",
	};
	static char name[] = "cegsim", help[] = "--help";
	struct call call = {0};
	char page[64];
	options_parse(&argp, argc, argv, &call);
	if (!call.verb && !call.page) {
		options_parse_as(&top, 2, (char *[]){name, help, NULL}, ARGP_IN_ORDER, &call);
		return STATUS_IO; /* --help has ended the program */
	}
	snprintf(page, sizeof(page), "cegsim-%s", call.page ? call.page->name : call.verb->name);
	if (man_page_show(page))
		return STATUS_OK;
	if (call.page)
		return call.page->run(call.page->argc, call.page->argv);
	return run_verb(call.verb, 2, (char *[]){name, help, NULL});
}

/* ---- The program ---- */

/* Gives up questions to analyses of users. */
static bool interrupted(void *self)
{
	(void)self;
	return interrupt_came > 0;
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
	char name[64];
	snprintf(name, sizeof(name), "cegsim %s", verb->name);
	argv[0] = name; /* argp's messages begin with it */
	int status = verb->run(argc, argv);
	io_failure_reported = status == STATUS_IO;
	/* Whatever failed since then may have failed for that reason. */
	return interrupt_came > 0 && status != STATUS_OK ? STATUS_INTERRUPTED : status;
}

int main(int argc, char **argv)
{
	struct call call = {0};
	argp_err_exit_status = STATUS_INPUT;
	atexit(close_output);
	/* A file that hits its size limit (ulimit -f) is an error that its writer reports; it must not kill
	 * the process. */
	signal(SIGXFSZ, SIG_IGN);
	interrupt_begin();
	pipe_interruptible(interrupted, NULL);
	options_parse_as(&top, argc, argv, ARGP_IN_ORDER, &call);
	return call.verb ? run_verb(call.verb, argc - call.index, argv + call.index) : print_first_help();
}
