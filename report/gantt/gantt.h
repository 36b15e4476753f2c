/* report/gantt/gantt.h - Gantt charts of a run: the jobs of every task, the CPU, copy engines, and every
 * block on its SM, as in papers on GPU scheduling (Amert et al., RTSS 2017; Yang and Anderson; Wang et al.,
 * RTSS 2021). */
#ifndef CEGSIM_REPORT_GANTT_H
#define CEGSIM_REPORT_GANTT_H

#include "report/figures.h"

/* A figure_draw. Parameters: run, from, to, sms, labels, power, task, chain (report/figures/schedules.sql). A
 * line "-- of: NAME" in the figure's header restricts it to recordings of the scenario of that name.
 * STATUS_NO: it is a recording of another scenario, or no intervals were recorded, or the chain has no age
 * and no reaction; STATUS_INPUT: there is no such run, SM, task or chain, or a parameter cannot be read. */
bool gantt_draw(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err);

#endif
