/* report/gantt/marks.h - between the parts that draw a Gantt chart: its bars (gantt/draw.c), the marks of its
 * jobs (gantt/marks.c), and labels (gantt/labels.c). */
#ifndef CEGSIM_REPORT_GANTT_MARKS_H
#define CEGSIM_REPORT_GANTT_MARKS_H

#include <stdio.h>

#include "report/gantt/private.h"

#define GANTT_JOB_SHARE 0.5 /* of the height of a task's row, what its jobs take */

struct gantt_drawing {
	const struct gantt_ask *ask;
	const struct gantt_layout *layout;
	const struct gantt_chart *chart;
	const struct gantt_rows *rows;
	size_t index; /* of the chart */
	struct text *script;
	struct text plot; /* what the plot command has so far */
	char name[40];    /* of the block of data */
	bool in_data;
};

/* A block of data: begun, then for every row gantt_data_row() and its text; one without rows is not written,
 * and gantt_end_data() says so. */
void gantt_begin_data(struct gantt_drawing *d, const char *kind, size_t task);
void gantt_data_row(struct gantt_drawing *d);
bool gantt_end_data(struct gantt_drawing *d);
void gantt_add_time(const struct gantt_drawing *d, int64_t ns);
/* Draws the block of data that ended last. */
void gantt_plot(struct gantt_drawing *d, const char *using_and_style);

/* Two blocks of a kernel at the same time, b upon a. */
bool gantt_same_kernel(const struct gantt_bar *a, const struct gantt_bar *b);

/* Releases, deadlines, jobs from release to end, and misses. */
void gantt_draw_jobs(struct gantt_drawing *d);
void gantt_draw_labels(struct gantt_drawing *d);

#endif
