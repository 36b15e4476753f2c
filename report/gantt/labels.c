/* report/gantt/labels.c - the labels inside of the rectangles of a Gantt chart: which rectangles get one, and
 * how much of the name fits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/gantt/marks.h"

#define HIGH 0.088 /* inches that a line of text needs */
#define REGIONS 64 /* most candidate places for the label of a kernel on a lane */

/* Forms of a label: the names of task and segment, the task's name, or its short form, with or without the
 * job's number; or only the direction of a copy. */
enum label_form { FORM_SEGMENT, FORM_NAME, FORM_BRIEF, FORM_BRIEF_ALONE, FORM_ARROW, FORM_NONE };

/* Blocks of a kernel on top of each other, bars first .. last, and the waves of them that follow at the same
 * place. */
struct region {
	const struct gantt_bar *first, *last;
	int64_t end;
	enum label_form form;
};

/* Index of the name of the bar's segment; SIZE_MAX: it has none, or the bar is no part of it. */
static size_t find_name(const struct gantt_chart *c, const struct gantt_bar *bar)
{
	return bar->kind == GANTT_RUN ? gantt_find_name(c, bar->task, bar->segment) : SIZE_MAX;
}

static double letters_of(
	const struct gantt_chart *c, const struct gantt_bar *bar, enum label_form form, bool numbered)
{
	const struct gantt_task *task = &c->task[bar->task];
	char number[24];
	int digits = snprintf(number, sizeof(number), " %" PRId64, bar->seq);
	double letters = bar->direction && form != FORM_BRIEF_ALONE ? 1.4 : 0;
	if (form == FORM_SEGMENT)
		letters += (double)utf8_width(c->name[find_name(c, bar)].text);
	else if (form == FORM_NAME)
		letters += (double)utf8_width(task->name);
	else if (form != FORM_ARROW)
		letters += (double)utf8_width(task->brief);
	if (numbered && form <= FORM_BRIEF)
		letters += digits;
	return letters;
}

static double width_of(const struct gantt_drawing *d, const struct region *r)
{
	return d->layout->plot_width * (double)(r->end - r->first->start) /
	       (double)(d->chart->to - d->chart->from);
}

static double scale_of(const struct gantt_drawing *d, const struct gantt_bar *bar)
{
	return d->rows->row[d->rows->of_lane[bar->lane]].height / (double)d->chart->top[bar->lane];
}

static bool is_numbered(const struct gantt_drawing *d, const struct region *r)
{
	return d->chart->task[r->first->task].jobs > 1;
}

static enum label_form find_form(const struct gantt_drawing *d, const struct region *r)
{
	const struct gantt_task *task = &d->chart->task[r->first->task];
	double wide = width_of(d, r);
	if (scale_of(d, r->first) * (double)(r->last->high - r->first->low) < HIGH)
		return FORM_NONE;
	bool named = find_name(d->chart, r->first) != SIZE_MAX;
	for (enum label_form form = named ? FORM_SEGMENT : FORM_NAME; form < FORM_NONE; form++) {
		if ((form == FORM_ARROW && !r->first->direction) ||
			(!*task->brief && (form == FORM_BRIEF || form == FORM_BRIEF_ALONE)))
			continue;
		if (letters_of(d->chart, r->first, form, is_numbered(d, r)) * GANTT_SMALL + 0.04 <= wide)
			return form;
	}
	return FORM_NONE;
}

/* Inside of the middle block if that is high enough, else across all blocks. */
static double level_of(const struct gantt_drawing *d, const struct region *r)
{
	const struct gantt_bar *middle = r->first + (r->last - r->first) / 2;
	if (scale_of(d, middle) * (double)(middle->high - middle->low) >= HIGH)
		return 0.5 * (double)(middle->high + middle->low);
	return 0.5 * (double)(r->last->high + r->first->low);
}

static void add_label(struct gantt_drawing *d, const struct region *r)
{
	const struct gantt_chart *c = d->chart;
	bool numbered = is_numbered(d, r) && r->form <= FORM_BRIEF;
	gantt_data_row(d);
	gantt_add_time(d, r->first->start);
	text_add_char(d->script, ' ');
	gantt_add_time(d, r->end);
	double letters = letters_of(c, r->first, r->form, numbered);
	text_printf(d->script, " %zu %.10g %" PRId64 " %d %d %.4f", d->rows->of_lane[r->first->lane] + 1,
		level_of(d, r), numbered ? r->first->seq : -1,
		r->form == FORM_SEGMENT ? (int)FORM_NAME : (int)r->form,
		r->form == FORM_BRIEF_ALONE ? 0 : (int)r->first->direction, letters * GANTT_SMALL + 0.02);
	if (c->names)
		text_printf(d->script, " %zu",
			1 + (r->form == FORM_SEGMENT ? c->tasks + find_name(c, r->first) : r->first->task));
	text_add_char(d->script, '\n');
}

static bool same_job(const struct gantt_bar *a, const struct gantt_bar *b)
{
	return a->task == b->task && a->seq == b->seq && a->segment == b->segment && a->kind == b->kind;
}

/* A wave continues a region if it begins when that ends, at the same place. */
static void take_group(
	struct region *regions, size_t *count, const struct gantt_bar *first, const struct gantt_bar *last)
{
	for (size_t i = 0; i < *count; i++)
		if (regions[i].end == first->start && regions[i].first->low == first->low &&
			regions[i].last->high == last->high) {
			regions[i].end = first->end;
			return;
		}
	if (*count < REGIONS)
		regions[(*count)++] = (struct region){.first = first, .last = last, .end = first->end};
}

/* One label for all of a kernel's blocks on a lane that are connected in time; bar number `at` is the first
 * of them. It gets the longest form that fits anywhere, at the place with the most room. */
static void label_kernel(struct gantt_drawing *d, size_t at, bool *done)
{
	struct region regions[REGIONS], *best = NULL;
	const struct gantt_bars *bars = &d->chart->bars;
	int64_t end = bars->bar[at].end;
	size_t count = 0;
	for (size_t i = at; i < bars->count && bars->bar[i].task == bars->bar[at].task &&
			    bars->bar[i].lane == bars->bar[at].lane && bars->bar[i].start <= end;
		i++) {
		size_t last = i;
		if (done[i] || !same_job(&bars->bar[at], &bars->bar[i]))
			continue;
		while (last + 1 < bars->count && gantt_same_kernel(&bars->bar[last], &bars->bar[last + 1]))
			last++;
		end = bars->bar[i].end > end ? bars->bar[i].end : end;
		take_group(regions, &count, &bars->bar[i], &bars->bar[last]);
		for (; i < last; i++)
			done[i] = true;
		done[last] = true;
	}
	for (size_t i = 0; i < count; i++) {
		regions[i].form = find_form(d, &regions[i]);
		if (!best || regions[i].form < best->form ||
			(regions[i].form == best->form && width_of(d, &regions[i]) > width_of(d, best)))
			best = &regions[i];
	}
	if (best && best->form != FORM_NONE)
		add_label(d, best);
}

static void label_task(struct gantt_drawing *d, size_t task, bool run, bool *done)
{
	const struct gantt_bars *bars = &d->chart->bars;
	for (size_t i = d->chart->first_bar[task]; i < d->chart->first_bar[task + 1]; i++)
		if (!done[i] && bars->bar[i].seq != GANTT_NO_JOB && (bars->bar[i].kind == GANTT_RUN) == run)
			label_kernel(d, i, done);
}

/* A text that results from an expression is read a second time, so backslashes are doubled. A string in these
 * quotes must not contain a line feed: what follows would be a command. */
static void add_name(struct text *script, const char *name)
{
	text_add_char(script, '\'');
	for (; *name; name++) {
		if (strchr("_^{}@&~", *name))
			text_add(script, "\\\\");
		if (*name == '\\')
			text_add(script, "\\\\\\");
		if (*name == '\'')
			text_add_char(script, '\'');
		text_add_char(script, (unsigned char)*name < ' ' ? ' ' : *name);
	}
	text_add_char(script, '\'');
}

/* A box in the colour of the rectangle hides hatches and borders behind the letters. */
static void draw_task_labels(struct gantt_drawing *d, size_t task, bool run, bool *done)
{
	char style[240];
	struct gantt_paint p = gantt_paint(task, false);
	gantt_begin_data(d, run ? "label" : "spinlabel", task);
	label_task(d, task, run, done);
	if (!gantt_end_data(d))
		return;
	snprintf(style, sizeof(style),
		"(mid($1,$2)):(y($3,$4)):(mid($1,$2)-half($8)):(mid($1,$2)+half($8)):(y($3,$4)-0.042):"
		"(y($3,$4)+0.042) with boxxyerror fc rgb '%s' fs solid 1 noborder",
		run ? p.fill : p.pale);
	gantt_plot(d, style);
	char which[24] = "int($9)"; /* index in the array of names */
	if (!d->chart->names)
		snprintf(which, sizeof(which), "%zu", task + 1);
	snprintf(style, sizeof(style),
		"(mid($1,$2)):(y($3,$4)):('{/*0.72 '.said(%s,$5,$6,$7).'}') with labels tc rgb '%s'", which,
		run ? p.ink : "#000000");
	gantt_plot(d, style);
}

void gantt_draw_labels(struct gantt_drawing *d)
{
	const struct gantt_chart *c = d->chart;
	bool *done = calloc(c->bars.count + 1, sizeof(*done));
	if (!done) {
		d->script->failed = true;
		return;
	}
	text_printf(d->script, "array task[%zu]\narray brief[%zu]\n", c->tasks + c->names + 1,
		c->tasks + c->names + 1);
	for (size_t i = 0; i < c->tasks; i++) {
		text_printf(d->script, "task[%zu] = ", i + 1);
		add_name(d->script, c->task[i].name);
		text_printf(d->script, "; brief[%zu] = ", i + 1);
		add_name(d->script, c->task[i].brief);
		text_add_char(d->script, '\n');
	}
	for (size_t i = 0; i < c->names; i++) {
		text_printf(d->script, "task[%zu] = ", c->tasks + i + 1);
		add_name(d->script, c->name[i].text);
		text_add_char(d->script, '\n');
	}
	text_printf(d->script, "mid(start, end) = 0.5 * (start + end)\nhalf(inches) = 0.5 * inches * %.12g\n",
		(double)(c->to - c->from) / (double)d->layout->unit / d->layout->plot_width);
	text_printf(d->script,
		"array goes[4] = ['', '↓', '↑', '↕']\n"
		"said(t, job, form, way) = goes[int(way)+1].(form == %d ? task[t] : form == %d ? '' : "
		"brief[t])"
		".(job < 0 ? '' : sprintf(' %%d', job))\n",
		FORM_NAME, FORM_ARROW);
	for (size_t task = 0; task < c->tasks; task++) {
		if (gantt_faded(d->ask, &c->task[task]))
			continue;
		draw_task_labels(d, task, true, done);
		draw_task_labels(d, task, false, done);
	}
	free(done);
}
