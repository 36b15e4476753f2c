/* cli/plot.c - `cegsim plot`: a figure of a recording as SVG, PDF or PNG, drawn by gnuplot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/output.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/query_parts.h"
#include "cli/recording.h"
#include "cli/verbs.h"
#include "db/levels.h"
#include "db/parameters.h"
#include "db/reader.h"
#include "report/figures.h"
#include "report/script.h"

enum { KEY_SCRIPT = OPTION_KEY_OWN, KEY_CHART, KEY_SERIES, KEY_SIZE, KEY_X, KEY_Y };

struct plot_command {
	struct given given;
	const char *figure; /* the name of a figure, or SQL */
	const char *script;
	bool own;                 /* SQL with --chart */
	struct chart_style style; /* of SQL */
	struct named_query query;
	struct figure_call call;
};

static const struct argp_option options[] = {
	OPTION_OUTPUT("FILE", "the figure: FILE.svg, FILE.pdf or FILE.png; without it, it is drawn in "
			      "letters on the terminal"),
	{"param", 'P', "NAME=VALUE", 0, "give the figure's parameter NAME a value; may be repeated", 0},
	{"series", KEY_SERIES, "NAME[=LABEL],...", 0,
		"draw only these series, in this order, with new names: fifo-cke=FIFO,rm=RM", 0},
	{"size", KEY_SIZE, "WxH", 0,
		"width and height of the whole figure in inches, such as 3.4x2.4 (a column of a paper)", 0},
	{"script", KEY_SCRIPT, "FILE.gp", 0, "keep the gnuplot script, with its data, that draws the figure",
		0},
	OPTION_FORCE("replace files that exist"),
	{"chart", KEY_CHART, "KIND", 0,
		"draw the answer of an SQL query: curves, steps, points, bars, stacks or boxes (see below)",
		1},
	{"x-label", KEY_X, "TEXT", 0, "label of the x axis (with --chart)", 1},
	{"y-label", KEY_Y, "TEXT", 0, "label of the y axis (with --chart)", 1},
	{0},
};

static void set_chart(struct plot_command *r, const char *arg, struct argp_state *state)
{
	const char *names[CHART_KINDS + 1] = {NULL};
	for (size_t i = 0; i < CHART_KINDS; i++)
		names[i] = chart_kind_name((enum chart_kind)i);
	r->own = true;
	r->style.kind = (enum chart_kind)option_choice(state, "--chart", arg, names);
}

static void set_size(struct plot_command *r, const char *arg, struct argp_state *state)
{
	char rest;
	double width, height;
	if (sscanf(arg, "%lfx%lf%c", &width, &height, &rest) != 2 || !(width >= 1 && width <= 40) ||
		!(height >= 0.8 && height <= 40))
		argp_error(state,
			"--size wants inches, such as 3.4x2.4 (1 to 40 wide, 0.8 to 40 high), got '%s'", arg);
	r->call.width = width;
	r->call.height = height;
}

static void set_label(char label[CHART_LABEL_MAX], const char *arg, struct argp_state *state)
{
	if (strlen(arg) >= CHART_LABEL_MAX)
		argp_error(state, "a label has at most %d letters", CHART_LABEL_MAX - 1);
	strcpy(label, arg);
}

static void check(const struct plot_command *r, struct argp_state *state)
{
	if (!r->given.file)
		argp_error(state, "which recording?");
	if (!r->figure)
		argp_error(state, "which figure? (see cegsim list figures)");
	if (!r->given.output && !r->script && !isatty(STDOUT_FILENO))
		argp_error(state, "where to? -o FILE.svg, FILE.pdf or FILE.png (without it, figures are "
				  "for terminals only)");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plot_command *r = state->input;
	switch (key) {
	case 'P':
		option_param(state, &r->call.parameters, arg);
		return 0;
	case KEY_SERIES:
		r->call.series = arg;
		return 0;
	case KEY_SIZE:
		set_size(r, arg, state);
		return 0;
	case KEY_SCRIPT:
		r->script = arg;
		return 0;
	case KEY_CHART:
		set_chart(r, arg, state);
		return 0;
	case KEY_X:
	case KEY_Y:
		set_label(key == KEY_X ? r->style.x : r->style.y, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		if (r->figure)
			argp_error(state, "one figure at a time; what is '%s'?", arg);
		*(r->given.file ? &r->figure : &r->given.file) = arg;
		return 0;
	case ARGP_KEY_END:
		check(r, state);
		return 0;
	default:
		return given_parse(key, arg, state, &r->given);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FILE.db FIGURE -o FILE.svg|pdf|png\nFILE.db SQL --chart KIND -o FILE.svg|pdf|png",
	.doc = "Draw a figure of a recording: one with a name (`cegsim list figures'), or the answer of an"
	       " SQL query.\vThe columns of SQL say by their names what they are:\n"
	       "  curves   [panel] [series] x y [low high] [mark]\n"
	       "  steps    [panel] [series] x y [mark]\n"
	       "  points   [panel] [series] x y [mark]\n"
	       "  bars     [panel] [series] group y [low high]\n"
	       "  stacks   [panel] [series] group y\n"
	       "  boxes    [panel] [series] group least q1 median q3 greatest [p99]\n"
	       "All may have [policy] [dashed]: whose colour a series has, and whether it is dashed.\n\n"
	       "Figures with a name are at least as large as what is in them needs, unless --size says "
	       "otherwise. The same recording gives the same file, byte by byte.\n\n"
	       "Examples:\n"
	       "  cegsim plot out.db gantt -P run=2 -P from=0ms -P to=100ms -o gantt.pdf\n"
	       "  cegsim plot tour.db acceptance --series fifo-cke=FIFO,stgm --size 3.4x2.4 -o a.pdf\n"
	       "  cegsim plot fig8.db rtgpu-fig8 -o fig8.svg --script fig8.gp\n"
	       "  cegsim plot out.db 'SELECT policy AS \"group\", energy_j AS y FROM v_run' --chart bars "
	       "--y-label 'energy (J)' -o energy.svg",
};

/* Names that begin with the word, if it is long enough; false: there are none. */
static bool names_with(const char *word, struct text *names)
{
	struct named_query query;
	size_t count = 0;
	for (size_t i = 0; strlen(word) >= 4 && figure_at(i, &query); i++)
		if (strncmp(query.name, word, strlen(word)) == 0 && ++count <= 4)
			text_printf(names, "%s'%s'", count == 1 ? "; did you mean " : " or ", query.name);
	text_add(names, count ? "?" : "");
	return count > 0;
}

static bool unknown_figure(const char *name, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	struct text names = {0};
	bool begin = names_with(name, &names);
	error_set(err, STATUS_INPUT, "there is no figure named '%s'%s (see cegsim list figures)", name,
		begin ? text_data(&names) : query_nearest_of(figure_at, name, hint));
	text_finish(&names);
	return false;
}

/* Finds the figure of that name; its text is then in r->query. */
static bool find_figure(struct plot_command *r, struct error *err)
{
	if (figure_find(r->figure, &r->query))
		return true;
	if (strchr(r->figure, ' '))
		return error_set(err, STATUS_INPUT,
			"SQL needs --chart KIND: curves, steps, points, bars, stacks or boxes");
	return unknown_figure(r->figure, err);
}

/* Whether the figure has every parameter that was given. */
static bool check_parameters(const struct plot_command *r, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	for (size_t i = 0; i < r->call.parameters.count; i++) {
		const char *given = r->call.parameters.given[i];
		int length = (int)strcspn(given, "=");
		struct text name = {0}, all = {0};
		text_add_bytes(&name, given, (size_t)length);
		struct suggestion near = {.word = text_data(&name)};
		bool found = false;
		for (size_t k = 0; k < r->query.param_count; k++) {
			found |= strcmp(r->query.params[k].name, text_data(&name)) == 0;
			suggestion_offer(&near, r->query.params[k].name);
			text_printf(&all, "%s%s", k ? ", " : "", r->query.params[k].name);
		}
		if (!found)
			error_set(err, STATUS_INPUT, "figure %s has no parameter '%s'%s (it has %s)",
				r->query.name, text_data(&name), suggestion_text(&near, hint),
				all.length ? text_data(&all) : "none");
		text_finish(&name);
		text_finish(&all);
		if (!found)
			return false;
	}
	return true;
}

/* Whether it is a Gantt chart, which takes several runs and checks them itself. */
static bool is_gantt(const struct plot_command *r)
{
	char drawn[QUERY_WORD_MAX];
	return query_header(&r->query, "drawn", drawn, sizeof(drawn)) && strcmp(drawn, "gantt") == 0;
}

/* Checks that what the parameters name exists, and that some run has what the figure needs; prints a note
 * about runs that are left out. */
static bool check_asked(const struct plot_command *r, struct error *err)
{
	struct text what = {0}, lack = {0};
	if (is_gantt(r))
		return true;
	if (!query_check_values(r->call.reader, r->given.file, &r->query, &r->call.parameters, err))
		return false;
	text_printf(&what, "figure %s", r->query.name);
	bool ok = text_ok(&what, "drawing a figure", err) &&
		  level_check(r->call.reader, text_data(&what), &r->query, &r->call.parameters, &lack, err);
	if (ok && lack.length > 0)
		say(stderr, "cegsim: note: %s\n", text_data(&lack));
	text_finish(&what);
	text_finish(&lack);
	return ok;
}

static bool make_body(struct plot_command *r, struct script *script, struct text *body, struct error *err)
{
	r->call.query = &r->query;
	script->title = r->own ? r->figure : r->query.title;
	return r->own ? figure_of_sql(
				&r->call, r->figure, &r->style, body, &script->width, &script->height, err)
		      : figure_make(&r->call, body, &script->width, &script->height, err);
}

/* If only the script is wanted: the file into which it draws, named after the figure. */
static char *output_name(const struct plot_command *r)
{
	char *name = NULL;
	const char *ending = r->given.output ? NULL : strrchr(r->script, '.');
	int length = ending ? (int)(ending - r->script) : r->given.output ? 0 : (int)strlen(r->script);
	if (r->given.output)
		return strdup(r->given.output);
	return asprintf(&name, "%.*s.svg", length, r->script) < 0 ? NULL : name;
}

static bool write_all(
	const struct plot_command *r, struct script *script, const char *output, struct error *err)
{
	if (!script_format_find(output, &script->format, err))
		return false;
	if (r->script && !script_save(script, output, r->script, r->given.force, err))
		return false;
	return !r->given.output || script_draw(script, output, r->given.force, err);
}

/* Prints the figure on the terminal: as wide as this, and as high, if the figure can be that low. */
static bool print_figure(struct plot_command *r, struct script *script, struct text *body, struct error *err)
{
	struct winsize terminal;
	char drawn[QUERY_WORD_MAX];
	if (!r->own && query_header(&r->query, "drawn", drawn, sizeof(drawn)))
		return error_set(err, STATUS_INPUT,
			"figure %s cannot be drawn in letters; -o FILE.svg, FILE.pdf or FILE.png",
			r->query.name);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) != 0 || terminal.ws_col < 40 || terminal.ws_row < 10)
		terminal = (struct winsize){.ws_col = 80, .ws_row = 24};
	r->call.letters = true;
	script->format = SCRIPT_LETTERS;
	bool given = r->call.width > 0;
	if (!given) {
		r->call.width = terminal.ws_col * SCRIPT_LETTER_WIDTH;
		r->call.height = (terminal.ws_row - 1) * SCRIPT_LETTER_HEIGHT;
	}
	bool made = make_body(r, script, body, err);
	if (!made && !given && err->status == STATUS_INPUT) {
		text_clear(body);
		r->call.height = 0;
		made = make_body(r, script, body, err);
	}
	script->body = text_data(body);
	return made && text_ok(body, "drawing a figure", err) && script_print(script, err);
}

static bool draw(struct plot_command *r, struct error *err)
{
	struct script script = {0};
	struct text body = {0};
	bool ok;
	if (!r->given.output && !r->script) {
		ok = print_figure(r, &script, &body, err);
	} else {
		char *output = output_name(r);
		ok = (output || error_memory(err, "drawing a figure")) && make_body(r, &script, &body, err) &&
		     text_ok(&body, "drawing a figure", err);
		script.body = text_data(&body);
		ok = ok && write_all(r, &script, output, err);
		free(output);
	}
	text_finish(&body);
	return ok;
}

static bool plot(struct plot_command *r, struct error *err)
{
	enum script_format format;
	if (r->given.output && !script_format_find(r->given.output, &format, err))
		return false;
	if ((r->given.output && !output_is_another(r->given.output, r->given.file, err)) ||
		(r->script && !output_is_another(r->script, r->given.file, err)))
		return false;
	if (!r->own && (!find_figure(r, err) || !check_parameters(r, err)))
		return false;
	r->call.reader = recording_open(r->given.file, err);
	if (!r->call.reader)
		return false;
	bool ok = (r->own || check_asked(r, err)) && draw(r, err);
	reader_close(r->call.reader);
	return ok;
}

int verb_plot(int argc, char **argv)
{
	struct plot_command r = {0};
	struct error err;
	options_parse(&argp, argc, argv, &r);
	return plot(&r, &err) ? STATUS_OK : error_report(&err);
}
