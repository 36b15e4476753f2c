/* report/gantt/marks.h - what draw.c draws over the bars of a Gantt chart: marks of jobs (gantt/marks.c) and
 * labels (gantt/labels.c). */
#ifndef CEGSIM_REPORT_GANTT_MARKS_H
#define CEGSIM_REPORT_GANTT_MARKS_H

#include "report/gantt/data.h"

#define GANTT_JOB_SHARE 0.5 /* part of the height of a task's row that its jobs take */

/* Releases, deadlines, jobs from release to end, and misses. */
void gantt_draw_jobs(struct gantt_drawing *d);
/* gantt/ways.c: the ways of data along a chain, by functions that the script has once. */
#define GANTT_WAY_FUNCTIONS                                                                                  \
	"at(row, part) = bottom[int(row)] + part * height[int(row)]\n"                                       \
	"between(a, b, part) = a + part * (b - a)\n"
void gantt_draw_ways(struct gantt_drawing *d);
void gantt_draw_labels(struct gantt_drawing *d);

#endif
