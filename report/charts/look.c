/* report/charts/look.c - owns what the series of a chart look like. A policy has one colour in all figures;
 * its variants in a recording have shades of it, and its analyses are dashed. Every other series has a colour
 * that no policy of the chart has, by its place. */
#include "report/charts/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/charts/layout.h"
#include "report/script.h"

#define NONE SIZE_MAX
#define NAME_END " ," /* behind the name of a policy come its options, or what else a figure says */
#define SHAPES 6      /* of marks, each filled or open */

/* The shipped policies, and the managers of SMs as figures of the QoS paper name them: colours of the palette
 * (report/script.h). Policies of blocks never meet those of warps or managers in one chart. */
static const struct {
	const char *name;
	size_t colour;
} known[] = {
	{"rtgpu", 0},
	{"sbeet", 1},
	{"stgm", 2},
	{"edf", 3},
	{"fifo-cke", 4},
	{"fcfs", 5},
	{"rm", 6},
	{"mpcp", 7},
	{"self-suspension", 8},
	{"prio-streams", 9},
	{"tsg-rr", 10},
	{"gcaps", 11},
	{"sbeet-mg", 12},
	{"lrr", 0},
	{"qaws", 1},
	{"oldest", 5},
	{"two-level", 3},
	{"gto", 2},
	{"spart", 0},
	{"rollover", 1},
	{"elastic", 2},
	{"rollover-time", 3},
	{"smk", 4},
	{"na\u00efve", 5},
	{"naive", 6},
};

/* How far a fill is from its line's colour to white, in percent: error bars and medians are visible on all.
 */
static const int paler[SCRIPT_COLOURS] = {5, 5, 35, 45, 40, 30, 55, 15, 50, 40, 15, 30, 60};
/* Shades of the variants of one policy, in percent: to white, below 0 to black. */
static const int shades[] = {0, 45, -40, 70, -65};
/* gnuplot's dashes: strokes, strokes and dots, strokes and two dots, dots. */
static const int dashes[] = {2, 4, 5, 3};
/* gnuplot's open marks; the filled one has the next number. */
static const int marks[SHAPES] = {6, 4, 8, 12, 10, 14};
/* The marks of the palette's colours: those that share one differ in lightness. */
static const size_t shapes[SCRIPT_COLOURS] = {0, 1, 2, 3, 4, 5, 1, 5, 3, 0, 2, 4, 1};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* The policy a series belongs to, with its options: as the query says, or the name of the series. */
static const char *policy_of(const struct chart *c, size_t series)
{
	return c->traits[series].policy ? c->traits[series].policy : c->series.name[series];
}

static bool same_policy(const struct chart *c, size_t a, size_t b)
{
	return strcasecmp(policy_of(c, a), policy_of(c, b)) == 0;
}

/* The same but for its options. */
static bool same_name(const struct chart *c, size_t a, size_t b)
{
	size_t length = strcspn(policy_of(c, a), NAME_END);
	return strcspn(policy_of(c, b), NAME_END) == length &&
	       strncasecmp(policy_of(c, a), policy_of(c, b), length) == 0;
}

/* Its colour, found by its name; NONE: it is none that we know. */
static size_t known_colour(const char *policy)
{
	size_t length = strcspn(policy, NAME_END);
	for (size_t i = 0; i < COUNT(known); i++)
		if (strlen(known[i].name) == length && strncasecmp(known[i].name, policy, length) == 0)
			return known[i].colour;
	return NONE;
}

/* The series whose colour and shade this one has: the first one of its policy. Analyses follow runs, also
 * where the policy that was analysed has other options than those that ran. */
static size_t model_of(const struct chart *c, size_t series)
{
	bool follows = c->traits[series].dashed;
	for (int dashed = 0; dashed <= follows; dashed++)
		for (int loose = 0; loose <= follows; loose++)
			for (size_t i = 0; i < c->series.count; i++)
				if (c->traits[i].dashed == dashed &&
					(loose ? same_name(c, i, series) : same_policy(c, i, series)))
					return i;
	return series;
}

static bool is_model(const struct chart *c, size_t series)
{
	return c->traits[series].model == series;
}

/* How many variants of a known policy come before this model. */
static size_t variant_of(const struct chart *c, size_t model)
{
	size_t count = 0;
	for (size_t i = 0; i < model; i++)
		count += is_model(c, i) && same_name(c, i, model);
	return count;
}

/* The colour of a model that is no policy we know: the next one that no policy of this chart has. */
static size_t colour_by_place(const struct chart *c, size_t model, size_t *shade)
{
	bool taken[SCRIPT_COLOURS] = {false};
	size_t left = SCRIPT_COLOURS, place = 0, at = 0;
	for (size_t i = 0; i < c->series.count; i++) {
		size_t colour = c->traits[i].known;
		if (colour != NONE && !taken[colour]) {
			taken[colour] = true;
			left--;
		}
		place += i < model && colour == NONE && is_model(c, i);
	}
	if (left == 0) {
		memset(taken, 0, sizeof(taken));
		left = SCRIPT_COLOURS;
	}
	*shade = place / left;
	for (place %= left; taken[at] || place > 0; at++)
		place -= !taken[at];
	return at;
}

/* A colour `percent` of the way to white; below 0: to black. */
static void mix(const char *from, int percent, char to[CHART_COLOUR_MAX])
{
	unsigned rgb = (unsigned)strtoul(from + 1, NULL, 16) & 0xffffff, mixed = 0;
	for (int shift = 16; shift >= 0; shift -= 8) {
		int part = (int)(rgb >> shift & 0xff), target = percent < 0 ? 0 : 255;
		mixed = mixed << 8 | (unsigned)(part + (target - part) * abs(percent) / 100);
	}
	snprintf(to, CHART_COLOUR_MAX, "#%06x", mixed & 0xffffff);
}

/* The looks of the series before this one are known. */
static struct chart_look look_of(const struct chart *c, size_t series)
{
	struct chart_look look = {.dash = 1};
	bool dashed = c->traits[series].dashed;
	size_t model = c->traits[series].model, variant = 0, colour = c->traits[model].known, before = 0;
	if (colour != NONE)
		variant = variant_of(c, model);
	else
		colour = colour_by_place(c, model, &variant);
	int shade = shades[variant % COUNT(shades)];
	if (strcmp(script_colour(colour), "#000000") == 0)
		shade = abs(shade);
	mix(script_colour(colour), shade, look.line);
	mix(look.line, paler[colour], look.fill);
	for (size_t i = 0; i < series; i++)
		before += c->traits[i].dashed == dashed && strcmp(c->traits[i].look.line, look.line) == 0;
	look.mark = marks[(shapes[colour] + variant + before) % SHAPES] + 1;
	if (dashed) {
		look.dash = dashes[before % COUNT(dashes)];
		look.mark--;
		mix(look.line, CHART_DASHED_PALER, look.fill);
	}
	return look;
}

void chart_set_looks(struct chart *c)
{
	for (size_t i = 0; i < c->series.count; i++) {
		c->traits[i].known = known_colour(policy_of(c, i));
		c->traits[i].model = model_of(c, i);
	}
	for (size_t i = 0; i < c->series.count; i++)
		c->traits[i].look = look_of(c, i);
}

void look_add_json(struct text *to)
{
	text_add(to, "{\"palette\":[");
	for (size_t i = 0; i < SCRIPT_COLOURS; i++)
		text_printf(to, "%s\"%s\"", i ? "," : "", script_colour(i));
	text_add(to, "],\"shades\":[");
	for (size_t i = 0; i < COUNT(shades); i++)
		text_printf(to, "%s%d", i ? "," : "", shades[i]);
	text_add(to, "],\"policies\":{");
	for (size_t i = 0; i < COUNT(known); i++)
		text_printf(to, "%s\"%s\":%zu", i ? "," : "", known[i].name, known[i].colour);
	text_add(to, "}}");
}
