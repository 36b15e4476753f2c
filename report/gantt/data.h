/* report/gantt/data.h - the blocks of data in the script of a Gantt chart, and the plot command
 * that draws them. */
#ifndef CEGSIM_REPORT_GANTT_DATA_H
#define CEGSIM_REPORT_GANTT_DATA_H

#include "report/gantt/private.h"

struct gantt_drawing {
	const struct gantt_ask *ask;
	const struct gantt_layout *layout;
	const struct gantt_chart *chart;
	const struct gantt_rows *rows;
	size_t index; /* index of the chart */
	struct text *script;
	struct text plot; /* the plot command so far */
	char name[40];    /* of the current block of data */
	bool in_data;
};

/* A block of data: begin it; for every row call gantt_data_row() and add its text; then end it. A block
 * without rows is not written, and gantt_end_data() returns false. */
void gantt_begin_data(struct gantt_drawing *d, const char *kind, size_t task);
void gantt_data_row(struct gantt_drawing *d);
bool gantt_end_data(struct gantt_drawing *d);
void gantt_add_time(const struct gantt_drawing *d, int64_t ns);
/* gantt/measured.c: what a real machine did. */
void gantt_draw_measured(struct gantt_drawing *d);
/* Adds the last block of data to the plot command. */
void gantt_plot(struct gantt_drawing *d, const char *using_and_style);

#endif
