/* report/gantt/marks.h - what draw.c draws over the bars of a Gantt chart: marks of jobs (gantt/marks.c) and
 * labels (gantt/labels.c). */
#ifndef CEGSIM_REPORT_GANTT_MARKS_H
#define CEGSIM_REPORT_GANTT_MARKS_H

#include "report/gantt/data.h"

#define GANTT_JOB_SHARE 0.5 /* part of the height of a task's row that its jobs take */

/* Releases, deadlines, jobs from release to end, and misses. */
void gantt_draw_jobs(struct gantt_drawing *d);
void gantt_draw_labels(struct gantt_drawing *d);

#endif
