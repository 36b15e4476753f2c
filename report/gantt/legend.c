/* report/gantt/legend.c - the legend of a Gantt chart: the tasks, then those marks that occur in it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "report/gantt/private.h"
#include "report/script.h"

#define ROW 0.155
#define LEFT 0.1
#define SAMPLE 0.24
#define GAP 0.16
#define TASKS 24        /* with more tasks only their rows have names */
#define NAME_LETTERS 40 /* the most of a task's name */

enum sample {
	SAMPLE_TASK,
	SAMPLE_SPIN,
	SAMPLE_BOOST,
	SAMPLE_OVERHEAD,
	SAMPLE_LATER,
	SAMPLE_EARLIER,
	SAMPLE_AGE,
	SAMPLE_REACTION,
	SAMPLE_POWER,
	SAMPLE_RELEASE,
	SAMPLE_DEADLINE,
	SAMPLE_MISS,
	SAMPLE_REMOVED,
	SAMPLE_NONE
};

struct legend {
	struct frame_flow flow;
	struct text *script; /* NULL: only measures */
	double height;
};

static void add_patch(struct legend *f, double x, double y, const struct gantt_paint *p, enum sample sample)
{
	text_printf(f->script,
		"set object rectangle from %.3f,%.3f to %.3f,%.3f fc rgb '%s' fs solid 1 border lc rgb '%s' "
		"lw 0.4\n",
		x, y - 0.045, x + 0.18, y + 0.045, sample != SAMPLE_TASK ? p->pale : p->fill, p->edge);
	if (p->pattern || sample != SAMPLE_TASK)
		text_printf(f->script,
			"set object rectangle from %.3f,%.3f to %.3f,%.3f fc rgb '%s' fs transparent pattern "
			"%d "
			"noborder\n",
			x, y - 0.045, x + 0.18, y + 0.045, sample != SAMPLE_TASK ? p->edge : p->hatch,
			sample == SAMPLE_OVERHEAD ? 2
			: sample != SAMPLE_TASK   ? 5
						  : p->pattern);
	if (sample == SAMPLE_BOOST)
		text_printf(f->script,
			"set object rectangle from %.3f,%.3f to %.3f,%.3f fc rgb '#000000' fs solid 1 "
			"noborder\n",
			x, y + 0.02, x + 0.18, y + 0.045);
}

/* A bar of the row `measured` with its strip. */
static void add_strip(struct legend *f, double x, double y, enum sample sample)
{
	text_printf(f->script,
		"set object rectangle from %.3f,%.3f to %.3f,%.3f fc rgb '#dddddd' fs solid 1 border lc rgb "
		"'#888888' lw 0.4\n"
		"set object rectangle from %.3f,%.3f to %.3f,%.3f fc rgb '%s' fs solid 1 noborder\n",
		x, y - 0.045, x + 0.18, y + 0.045, x, y + 0.01, x + 0.18, y + 0.045,
		sample == SAMPLE_LATER ? GANTT_LATER : GANTT_EARLIER);
}

static void add_way(struct legend *f, double x, double y, enum sample sample)
{
	const char *colour = sample == SAMPLE_AGE ? GANTT_AGE_COLOUR : GANTT_REACTION_COLOUR;
	text_printf(f->script,
		"set arrow from %.3f,%.3f to %.3f,%.3f nohead lc rgb '%s' lw 1.8 dt %s\n"
		"set arrow from %.3f,%.3f to %.3f,%.3f size 0.06,20,90 filled fixed lc rgb '%s' lw 1 dt 1\n",
		x, y, x + 0.17, y, colour, sample == SAMPLE_AGE ? "1" : "(6,3)", x + 0.17, y, x + 0.19, y,
		colour);
}

static void add_curve(struct legend *f, double x, double y, size_t gpu)
{
	text_printf(f->script, "set arrow from %.3f,%.3f to %.3f,%.3f nohead lc rgb '#333333' lw 0.8 dt %s\n",
		x, y, x + 0.19, y, gantt_power_dash(gpu));
}

static void add_mark(struct legend *f, double x, double y, enum sample sample)
{
	double up = sample == SAMPLE_RELEASE ? 0.06 : -0.06;
	if (sample == SAMPLE_RELEASE || sample == SAMPLE_DEADLINE)
		text_printf(f->script,
			"set arrow from %.3f,%.3f to %.3f,%.3f size 0.035,25,90 filled fixed lc rgb "
			"'#222222' "
			"lw 0.7\n",
			x + 0.12, y - up, x + 0.12, y + up);
	else
		text_printf(f->script,
			"set label '' at %.3f,%.3f point pt 2 ps 0.75 lc rgb '#cc0000' lw 1.6\n", x + 0.12,
			y);
	if (sample == SAMPLE_REMOVED)
		text_printf(f->script, "set label '' at %.3f,%.3f point pt 6 ps 1.1 lc rgb '#cc0000' lw 1\n",
			x + 0.12, y);
}

/* task: its index; of a curve of power the number of its GPU. */
static void add_entry(struct legend *f, enum sample sample, size_t task, bool faded, const char *name)
{
	char shown[4 * NAME_LETTERS + 4];
	double sampled = sample == SAMPLE_NONE ? 0 : SAMPLE;
	if (sample == SAMPLE_TASK) {
		gantt_cut_name(shown, sizeof(shown), name, NAME_LETTERS);
		name = shown;
	}
	double entry = sampled + GANTT_LETTER * (double)utf8_width(name) + GAP;
	double left = frame_flow(&f->flow, entry);
	if (f->script) {
		double y = f->height - 0.04 - ROW * ((double)f->flow.row + 0.5);
		struct gantt_paint paint = gantt_paint(sample == SAMPLE_TASK ? task : 7, faded);
		if (sample <= SAMPLE_OVERHEAD) {
			paint.pattern = sample == SAMPLE_TASK ? paint.pattern : 0;
			add_patch(f, left, y, &paint, sample);
		} else if (sample <= SAMPLE_EARLIER)
			add_strip(f, left, y, sample);
		else if (sample <= SAMPLE_REACTION)
			add_way(f, left, y, sample);
		else if (sample == SAMPLE_POWER)
			add_curve(f, left, y, task);
		else if (sample != SAMPLE_NONE)
			add_mark(f, left, y, sample);
		text_add(f->script, "set label ");
		script_sized(f->script, 0.9, name);
		text_printf(f->script, " at %.3f,%.3f left tc rgb '#222222'\n", left + sampled, y);
	}
}

/* Tasks of different sets may have the same name: each has its own entry and colour. */
static void add_tasks(
	struct legend *f, const struct gantt_ask *ask, const struct gantt_chart *charts, size_t count)
{
	bool others = false;
	if (charts[0].tasks > TASKS && !*ask->task)
		return;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < charts[i].tasks; k++) {
			bool known = false;
			for (size_t before = 0; before < i; before++)
				known = known ||
					(k < charts[before].tasks && strcmp(charts[before].task[k].name,
									     charts[i].task[k].name) == 0);
			if (gantt_faded(ask, &charts[i].task[k]))
				others = true;
			else if (!known)
				add_entry(f, SAMPLE_TASK, k, false, charts[i].task[k].name);
		}
	if (others)
		add_entry(f, SAMPLE_TASK, 0, true, "others");
}

struct seen {
	bool age, reaction, spin, boost, overhead, later, earlier, left_out, release, deadline, miss, removed,
		summed, jobs_summed, power_summed;
};

static struct seen look(
	const struct gantt_ask *ask, const struct gantt_chart *charts, size_t count, double width)
{
	struct seen s = {0};
	for (size_t i = 0; i < count; i++) {
		const struct gantt_chart *c = &charts[i];
		bool releases = gantt_distance(c, width, GANTT_RELEASES) >= GANTT_NOT_MARKED;
		bool deadlines = gantt_distance(c, width, GANTT_DEADLINES) >= GANTT_NOT_MARKED;
		for (size_t k = 0; k < c->bars.count; k++) {
			s.spin = s.spin || c->bars.bar[k].kind == GANTT_SPIN;
			s.boost = s.boost || c->bars.bar[k].kind == GANTT_BOOST;
			s.overhead = s.overhead || c->bars.bar[k].kind == GANTT_OVERHEAD;
		}
		for (size_t k = 0; k < c->measured.count; k++) {
			s.later = s.later || gantt_deviates(ask, &c->measured.bar[k]) > 0;
			s.earlier = s.earlier || gantt_deviates(ask, &c->measured.bar[k]) < 0;
		}
		s.age = s.age || gantt_way_is_seen(c, GANTT_AGE);
		s.reaction = s.reaction || gantt_way_is_seen(c, GANTT_REACTION);
		s.left_out = s.left_out || c->measured_left_out;
		for (size_t k = 0; k < c->jobs; k++) {
			const struct gantt_job *job = &c->job[k];
			bool due = job->deadline >= c->from && job->deadline <= c->to;
			s.release =
				s.release || (releases && job->release >= c->from && job->release <= c->to);
			s.deadline = s.deadline || (deadlines && due);
			s.miss = s.miss || (due && job->outcome >= 4 && (job->outcome & 3) % 3 == 0);
			s.removed =
				s.removed || (due && ((job->outcome & 3) == 1 || (job->outcome & 3) == 2));
		}
		s.summed = s.summed || c->segments_summed || c->blocks_summed;
		s.jobs_summed = s.jobs_summed || c->jobs_summed;
		s.power_summed = s.power_summed || c->power.summed;
	}
	return s;
}

/* Explains the meaning of an SM's height. */
static void add_scale(struct legend *f, const struct gantt_chart *charts, size_t count)
{
	const struct gantt_chart *c = &charts[0];
	char text[80];
	for (size_t i = 1; i < count; i++)
		if (charts[i].threads_per_sm != c->threads_per_sm)
			return; /* the runs are on different platforms */
	for (size_t i = 0; i < c->lanes.sms; i++)
		if (c->lanes.lane[c->lanes.first_sm + i].capacity !=
			c->lanes.lane[c->lanes.first_sm].capacity)
			return; /* the GPUs are not alike */
	if (c->blocks_summed || c->threads_per_sm == 0 || (c->lanes.sms == 0 && c->lanes.pool == LANE_NONE))
		return;
	bool pool = c->lanes.pool != LANE_NONE;
	snprintf(text, sizeof(text), "%s: %" PRId64 " threads high", pool ? "GPU" : "SM",
		pool ? c->lanes.lane[c->lanes.pool].capacity : c->threads_per_sm);
	add_entry(f, SAMPLE_NONE, 0, false, text);
}

/* Of charts on platforms with several GPUs: which curve of power is whose. */
static void add_curves(struct legend *f, const struct gantt_chart *charts, size_t count)
{
	char name[32];
	for (size_t g = 0; g < GPUS_MOST; g++)
		for (size_t i = 0; i < count; i++) {
			if (charts[i].gpu_power[g].count == 0)
				continue;
			snprintf(name, sizeof(name), "power of GPU %zu", g);
			add_entry(f, SAMPLE_POWER, g, false, name);
			break;
		}
}

#define LONG (4 * NAME_LETTERS + UNIT_TEXT_MAX + 40)

/* "perceive: greatest age, 60ms"; of several runs without the amount. */
static void name_way(const struct gantt_ask *ask, const struct gantt_chart *charts, size_t count,
	enum gantt_figure figure, char text[LONG])
{
	const struct gantt_way *way = &charts[0].way[figure];
	char name[4 * NAME_LETTERS + 4], amount[UNIT_TEXT_MAX];
	gantt_cut_name(name, sizeof(name), ask->chain, NAME_LETTERS);
	unit_format(UNIT_TIME, way->to - way->from, amount);
	snprintf(text, LONG, "%s: %s%s%s", name, figure == GANTT_AGE ? "greatest age" : "longest reaction",
		count == 1 ? ", " : "", count == 1 ? amount : "");
}

double gantt_legend(const struct gantt_ask *ask, const struct gantt_chart *charts, size_t count, double width,
	const struct gantt_layout *l, struct text *script)
{
	struct legend f = {
		.flow = {.from = LEFT, .at = LEFT, .limit = width - LEFT + GAP},
		.script = script,
		.height = l->legend_height,
	};
	char later[UNIT_TEXT_MAX + 48], earlier[UNIT_TEXT_MAX + 48], tolerance[UNIT_TEXT_MAX];
	unit_format(UNIT_TIME, ask->tolerance, tolerance);
	snprintf(later, sizeof(later), "began over %s later than simulated", tolerance);
	snprintf(earlier, sizeof(earlier), "began over %s earlier than simulated", tolerance);
	char age[LONG], reaction[LONG];
	name_way(ask, charts, count, GANTT_AGE, age);
	name_way(ask, charts, count, GANTT_REACTION, reaction);
	struct seen s = look(ask, charts, count, l->plot_width);
	const struct {
		bool seen;
		enum sample sample;
		const char *name;
	} marks[] = {
		{s.release, SAMPLE_RELEASE, "release"},
		{s.deadline, SAMPLE_DEADLINE, "deadline"},
		{s.miss, SAMPLE_MISS, "missed"},
		{s.removed, SAMPLE_REMOVED, "removed at its deadline"},
		{s.spin, SAMPLE_SPIN, "spins"},
		{s.boost, SAMPLE_BOOST, "spins, boosted"},
		{s.overhead, SAMPLE_OVERHEAD, "launch, switch, release, call"},
		{s.later, SAMPLE_LATER, later},
		{s.earlier, SAMPLE_EARLIER, earlier},
		{s.age, SAMPLE_AGE, age},
		{s.reaction, SAMPLE_REACTION, reaction},
	};
	add_tasks(&f, ask, charts, count);
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (marks[i].seen)
			add_entry(&f, marks[i].sample, 0, false, marks[i].name);
	add_scale(&f, charts, count);
	if (s.summed)
		add_entry(&f, SAMPLE_NONE, 0, false, "many intervals: shares of a lane in bins");
	if (s.jobs_summed)
		add_entry(&f, SAMPLE_NONE, 0, false, "many jobs: their mean number in bins, red: late");
	if (s.left_out)
		add_entry(&f, SAMPLE_NONE, 0, false, "too much was measured here to be drawn");
	add_curves(&f, charts, count);
	if (s.power_summed)
		add_entry(&f, SAMPLE_NONE, 0, false, "power: means of bins");
	return 0.06 + ROW * (double)(f.flow.row + 1);
}
