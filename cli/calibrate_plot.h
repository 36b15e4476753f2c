/* cli/calibrate_plot.h - what `cegsim calibrate` has measured as a figure: RTGPU's Figures 3 and 5 and Table
 * 2 (Zou, Li, Gill, Zhang, TPDS 2023). */
#ifndef CEGSIM_CLI_CALIBRATE_PLOT_H
#define CEGSIM_CLI_CALIBRATE_PLOT_H

#include "scenarios/calibration/calibration.h"

enum calibrated_figure {
	CALIBRATED_TIMES,  /* alone, over SMs, with Lemma 5.1 and Eq. 3 */
	CALIBRATED_BESIDE, /* the interleave ratio beside each kernel */
	CALIBRATED_SPLIT,  /* twice the time alone over that in a half */
};

struct calibrated_plot {
	enum calibrated_figure figure;
	const char *file;   /* FILE.svg, FILE.pdf or FILE.png */
	const char *script; /* keeps the gnuplot script; NULL: does not */
	bool replace;       /* files that exist */
};

/* STATUS_INPUT: a file exists and may not be replaced, or nothing was measured that the figure shows;
 * STATUS_IO: as script_draw(). */
MUST_CHECK bool calibrate_plot(
	const struct calibration *c, const struct calibrated_plot *plot, struct error *err);

#endif
