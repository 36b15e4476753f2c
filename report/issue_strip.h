/* report/issue_strip.h - which warp of a sub-core is issued in each cycle, as in Fig. 3 of Singh, Sanudo
 * Olmedo, Capodieci, Marongiu, Caccamo, "Reconciling QoS and concurrency in NVIDIA GPUs via warp-level
 * scheduling", DATE 2022.
 *
 * Each run has a panel, each warp a row, and each instruction a rectangle in its kernel's colour, followed by
 * a thin line until its result is there. Cycles of a run in which no warp is issued are grey over all
 * rows. */
#ifndef CEGSIM_REPORT_ISSUE_STRIP_H
#define CEGSIM_REPORT_ISSUE_STRIP_H

#include "report/figures.h"

/* A figure_draw (report/figures.h) for entries of report/figures/ with "-- drawn: issue-strip". Their SQL
 * gives one row per instruction, ordered by run and warp, with the columns
 *   run      tells one panel from the next
 *   panel    its title
 *   row      the warp's name: rows stand from the top in the order in which they come
 *   kernel   whose colour it has
 *   cycle    of the issue; one before the parameter `from` is drawn as far as it reaches into the figure
 *   until    the cycle of the result
 *   number   of the instruction; it is written where it fits
 *   last     the first cycle behind the run, or behind the figure
 * Lines "x", "y" and "nothing" are those of a chart; "panel" is the height of a row in inches. STATUS_INPUT:
 * the parameters `from` or `cycles` are no numbers that can be drawn, or the rows do not fit on a page. */
bool issue_strip_draw(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err);

#endif
