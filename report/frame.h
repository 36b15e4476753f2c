/* report/frame.h - the surroundings of the data in every figure: plotted areas, texts and legend entries at
 * places in inches, and the steps between numbers on an axis. */
#ifndef CEGSIM_REPORT_FRAME_H
#define CEGSIM_REPORT_FRAME_H

#include <stddef.h>

#include "base/text.h"

/* The size of a figure in inches. Places are in inches from its lower left corner. */
struct frame {
	double width, height;
};

/* Sets the left, right, bottom or top edge ('l', 'r', 'b', 't') of the next plot. */
void frame_edge(const struct frame *f, char edge, double at, struct text *script);
/* Sets all four edges. */
void frame_area(
	const struct frame *f, double left, double bottom, double width, double height, struct text *script);
/* Writes a text, unless it is empty. `how`: gnuplot's words for its alignment and rotation. */
void frame_label(const struct frame *f, size_t tag, const char *string, double x, double y, const char *how,
	struct text *script);

/* Places entries of a legend from left to right, then in the next row. */
struct frame_flow {
	double from, limit; /* no entry reaches beyond the limit, unless it is the first in its row */
	double at;          /* place of the next one; at first equal to `from` */
	size_t row;         /* from 0, from the top */
};
/* The place of an entry of this width, in row flow->row. */
double frame_flow(struct frame_flow *flow, double width);

/* The least number that is 1, 2 or 5 times a power of ten, and not below `least` > 0. */
double frame_step(double least);

#endif
