/* report/gantt/private.h - shared by the files of the Gantt chart: parameters (gantt/ask.c), the part of a
 * run's schedule that is shown (gantt/read.c, gantt/window.c), places of its rows (gantt/layout.c), the
 * legend (gantt/legend.c) and the drawing (gantt/draw.c). */
#ifndef CEGSIM_REPORT_GANTT_PRIVATE_H
#define CEGSIM_REPORT_GANTT_PRIVATE_H

#include "db/levels.h"
#include "report/detail.h"
#include "report/figures.h"
#include "report/frame.h"
#include "report/gantt/place.h"
#include "report/lanes.h"

#define GANTT_RUNS 12        /* charts in a figure, at most */
#define GANTT_EXACT 20000    /* with more intervals (or jobs) in the window, a level of detail is drawn */
#define GANTT_ROWS_MOST 5000 /* tasks and lanes: more would be thinner than a point */
#define GANTT_WHOLE 2000     /* a run of at most this many intervals is drawn whole, unless asked otherwise */
#define GANTT_NEVER INT64_MIN
#define GANTT_JOB_LEVEL 1000 /* height of one job where jobs are drawn in bins */

struct gantt_ask {
	const char *figure;            /* its name */
	struct level_need level;       /* the level of recording that it needs */
	char scenario[QUERY_LINE_MAX]; /* the scenario of the runs; "": any */
	int64_t run[GANTT_RUNS];
	size_t runs; /* 0: the first run that has intervals */
	bool has_from, has_to;
	int64_t from, to;               /* ns */
	const char *sms, *task, *chain; /* "": all, none, none */
	bool labels, power, measured, streams;
	int64_t tolerance; /* ns: what began so near to the simulated instant is in time */
};

struct gantt_task {
	int64_t id;
	char *name;
	char brief[12]; /* a short form that no other task of the set has */
	int64_t jobs;   /* of the whole run */
	size_t row;     /* of its jobs */
};

/* A task of a set of operations, as `cegsim replay -o` makes them: "stream 7 #12" is operation 12 of "stream
 * 7". Tasks that differ only in the number are drawn as one, with as many jobs; a segment's index is the
 * place of its task in the set. */
struct gantt_member {
	int64_t id, number;
	size_t task; /* index of what it is drawn as */
};

/* A segment that has a name: "camera: detect". */
struct gantt_name {
	size_t task;
	int64_t segment;
	char *text;
};

struct gantt_job {
	size_t task;
	int64_t seq, release, end; /* end: for a job that has not ended that of the run */
	int64_t deadline;          /* GANTT_NEVER: none */
	int outcome;               /* job.outcome */
};

struct gantt_power {
	int64_t start, end, uw;
};

/* Power over time. */
struct gantt_powers {
	struct gantt_power *power;
	size_t count;
	bool summed; /* they are means of bins */
};

/* What of a chain is drawn: the greatest age, the longest reaction. */
enum gantt_figure { GANTT_AGE, GANTT_REACTION, GANTT_FIGURES };

/* A job on the way of data, by the name of its task. */
struct gantt_step {
	char *name;
	int64_t read, write;
};

/* The way, from stage 1 on; from, to: what is measured. */
struct gantt_way {
	int64_t from, to;
	struct gantt_step *step;
	size_t steps; /* 0: not asked for, or there is none */
};

enum gantt_mark { GANTT_RELEASES, GANTT_DEADLINES, GANTT_MISSES, GANTT_MARKS };

/* The part of a run that is shown. */
struct gantt_chart {
	int64_t run_id, taskset_id;
	char *title; /* its policy, with the options that tell it from others of the recording */
	char *platform;
	int64_t stop, end;      /* ns: S, and the end of all that belongs to the run (not before S) */
	int64_t virtual_sms;    /* per SM, at least 1 */
	int64_t threads_per_sm; /* 0: not known */
	int64_t first_segment, last_segment, first_block, last_block; /* rowids; none: last < first */
	int64_t from, to;                                             /* the window */
	struct lanes lanes;
	bool *shown;        /* [lanes.count] */
	bool sms_chosen;    /* by the parameter `sms` */
	size_t sms_in_lane; /* number of SMs in a lane of SMs: its own, and those after it */
	int64_t *top;       /* [lanes.count] the amount that the full height of the lane stands for */
	struct gantt_task *task;
	size_t tasks;
	struct gantt_member *member; /* NULL: every task is drawn as itself */
	size_t members;
	struct gantt_name *name;
	size_t names;
	int64_t *task_top; /* [tasks] most jobs at a time; in bins GANTT_JOB_LEVEL times their mean number */
	struct gantt_job *job; /* in bins: only misses, at most one at each place */
	size_t jobs;
	size_t most[GANTT_MARKS]; /* number of marks of the task with the most of them; SIZE_MAX: too many to
				     be known */
	struct gantt_bars
		job_bars; /* ordered by lane, which is the task; block: index in `job`; in bins: 1 if late */
	struct gantt_bars bars; /* by task, then lane, start and low */
	size_t *first_bar;      /* [tasks + 1] index of each task's first bar */
	/* What a real machine did, in rows of their own below those of the lanes; block: ns by which it began
	 * later than simulated (0 if that never did). */
	struct gantt_bars measured;
	int64_t *measured_top;  /* [lanes.count] as `top`; 0: nothing was measured there */
	bool measured_left_out; /* it was too much */
	struct gantt_powers power, gpu_power[GPUS_MOST]; /* of all GPUs; of each, if there are several */
	struct gantt_way way[GANTT_FIGURES];
	bool segments_summed, blocks_summed, jobs_summed; /* whether they are drawn in bins */
};

/* ---- gantt/ask.c ---- */
MUST_CHECK bool gantt_ask(const struct figure_call *call, struct gantt_ask *ask, struct error *err);
/* Chooses the lanes of the GPU that are shown: those that the parameter `sms` names; none without kernels. */
MUST_CHECK bool gantt_choose_lanes(
	const struct gantt_ask *ask, struct gantt_chart *c, bool kernels, struct error *err);
/* Whether the task is not the one that the user wants to look at. */
bool gantt_faded(const struct gantt_ask *ask, const struct gantt_task *task);

/* ---- gantt/window.c: the runs, and which part is shown ---- */
MUST_CHECK bool gantt_find_runs(struct db_reader *r, struct gantt_ask *ask, struct error *err);
MUST_CHECK bool gantt_read_run(struct db_reader *r, int64_t run_id, struct gantt_chart *c, struct error *err);
/* Chooses one window for all charts. */
MUST_CHECK bool gantt_find_window(struct db_reader *r, const struct gantt_ask *ask,
	struct gantt_chart *charts, size_t count, struct error *err);
/* A cursor over sql, with these values for its parameters ?1, ?2, ... NULL: *err. */
struct db_cursor *gantt_query(
	struct db_reader *r, const char *sql, const int64_t *values, int count, struct error *err);

/* ---- gantt/read.c: the intervals in the window ---- */
MUST_CHECK bool gantt_read(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err);
/* ---- gantt/measured.c ---- */
MUST_CHECK bool gantt_read_measured(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err);
#define GANTT_LATER "#b35806"
#define GANTT_EARLIER "#7a3db8"
/* 1: it began later than simulated by more than the tolerance; -1: earlier; 0: neither. */
int gantt_deviates(const struct gantt_ask *ask, const struct gantt_bar *bar);
/* ---- gantt/ways.c ---- */
#define GANTT_AGE_COLOUR "#00429d"
#define GANTT_REACTION_COLOUR "#93003a"
/* The ways of the chain that was asked for; before the window is chosen. */
MUST_CHECK bool gantt_read_ways(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err);
void gantt_ways_finish(struct gantt_chart *c);
/* Whether some of it is in the window. */
bool gantt_way_is_seen(const struct gantt_chart *c, enum gantt_figure figure);
/* ---- gantt/power.c ---- */
#define GANTT_POWER_DASHES 4 /* the curves of GPUs 0 to 3 have dashes of their own */
const char *gantt_power_dash(size_t gpu);
MUST_CHECK bool gantt_read_power(struct db_reader *r, struct gantt_chart *c, struct error *err);
void gantt_power_finish(struct gantt_chart *c);

void gantt_chart_finish(struct gantt_chart *c);
/* How many SMs a lane of SMs represents. */
size_t gantt_sms_of(const struct gantt_chart *c, size_t lane);

/* ---- gantt/tasks.c ---- */
/* STATUS_INPUT: there are more than GANTT_ROWS_MOST. */
MUST_CHECK bool gantt_read_tasks(struct db_reader *r, struct gantt_chart *c, struct error *err);
MUST_CHECK bool gantt_check_rows(const struct gantt_chart *c, size_t rows, struct error *err);
/* The index of the task with this task_id, and what the job is numbered; false: it is not in the set. */
MUST_CHECK bool gantt_find_task(const struct gantt_chart *c, int64_t id, size_t *task, int64_t *seq);
/* The same for an interval, and its segment. */
MUST_CHECK bool gantt_find_bar(const struct gantt_chart *c, int64_t id, struct gantt_bar *bar);
/* Index of the name of a segment, as intervals number it; SIZE_MAX: it has none. */
size_t gantt_find_name(const struct gantt_chart *c, size_t task, int64_t segment);
/* Whether the task that the user wants to look at exists. */
MUST_CHECK bool gantt_check_task(const struct gantt_ask *ask, const struct gantt_chart *c, struct error *err);
/* As much of the name as fits into this many letters (wide ones count as two); a cut name ends in an
 * ellipsis. */
void gantt_cut_name(char *to, size_t size, const char *name, size_t letters);
/* ---- gantt/jobs.c ---- */
MUST_CHECK bool gantt_read_jobs(struct db_reader *r, struct gantt_chart *c, struct error *err);
/* ---- gantt/paint.c: how the tasks look ---- */
struct gantt_paint {
	char fill[8], edge[8], pale[8], hatch[8]; /* "#rrggbb" */
	const char *ink;                          /* of letters on the fill */
	int pattern;                              /* of gnuplot; 0: none */
};
struct gantt_paint gantt_paint(size_t task, bool faded);

/* ---- gantt/layout.c: inches ---- */
struct gantt_row {
	double bottom, height; /* from the bottom of the chart's plotted area */
	char name[48];         /* "": the row has no name */
	double letters;        /* size of the name, relative to the figure's letters */
	bool measured;         /* of what was measured */
	double levels;         /* the amount that the full height stands for */
};
struct gantt_rows {
	struct gantt_row *row; /* rows of the tasks, then rows of the lanes that are shown */
	size_t *of_lane;       /* [lanes.count] SIZE_MAX: not shown */
	size_t *of_measured;   /* [lanes.count] the row of what was measured there; SIZE_MAX: none */
	size_t count;
	double height, bottom;             /* of the plotted area; its place in the figure */
	double power_bottom, power_height; /* 0: no power */
	double title;                      /* place of the title's line in the figure */
};
struct gantt_layout {
	struct gantt_rows rows[GANTT_RUNS];
	size_t charts;
	struct frame frame;
	double left, plot_width, legend_height;
	int64_t unit; /* ns of a unit of the time axis */
	const char *unit_name;
	double step; /* between two numbers of the axis, in units */
	int digits;  /* behind the point of these numbers */
};
MUST_CHECK bool gantt_lay_out(const struct figure_call *call, const struct gantt_ask *ask,
	const struct gantt_chart *charts, size_t count, struct gantt_layout *l, struct error *err);
void gantt_layout_finish(struct gantt_layout *l);

#define GANTT_LETTER 0.056      /* the width of a letter, in inches */
#define GANTT_WIDE_LETTER 0.064 /* for names that are cut, which must fit */
#define GANTT_SMALL 0.05        /* for labels */

/* ---- gantt/legend.c ---- */
/* Height in inches for a figure of that width. With a script it also draws the legend, at the bottom of the
 * figure. */
double gantt_legend(const struct gantt_ask *ask, const struct gantt_chart *charts, size_t count, double width,
	const struct gantt_layout *l, struct text *script);

/* ---- gantt/marks.c ---- */
#define GANTT_NOT_MARKED                                                                                     \
	0.006 /* inches: releases and deadlines that are closer would merge, and are left out */
/* The distance in inches between two marks of the task with the most of them, in a plot of that width. */
double gantt_distance(const struct gantt_chart *c, double width, enum gantt_mark mark);

/* ---- gantt/draw.c ---- */
void gantt_write(const struct gantt_ask *ask, const struct gantt_chart *charts, const struct gantt_layout *l,
	struct text *script);

#endif
