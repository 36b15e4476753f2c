/* report/frame.h - what stands around the data of every figure: where its plotted areas are, texts at places
 * in inches, the entries of a legend, and the distance of numbers on an axis. */
#ifndef CEGSIM_REPORT_FRAME_H
#define CEGSIM_REPORT_FRAME_H

#include <stddef.h>

#include "base/text.h"

/* The size of a figure in inches. Places are in inches from its lower left corner. */
struct frame {
	double width, height;
};

/* The left, right, bottom or top edge ('l', 'r', 'b', 't') of what is plotted next. */
void frame_edge(const struct frame *f, char edge, double at, struct text *script);
/* All four. */
void frame_area(
	const struct frame *f, double left, double bottom, double width, double height, struct text *script);
/* A text; an empty one is not written. `how`: gnuplot's words for where the place is in it, and its turn. */
void frame_label(const struct frame *f, size_t tag, const char *string, double x, double y, const char *how,
	struct text *script);

/* Entries of a legend from left to right, and on in the next row. */
struct frame_flow {
	double from, limit; /* an entry does not reach beyond the limit, unless it is the first of its row */
	double at;          /* where the next one stands, `from` at first */
	size_t row;         /* from 0, from the top */
};
/* Where an entry of this width stands; it is in flow->row then. */
double frame_flow(struct frame_flow *flow, double width);

/* The least of 1, 2 and 5 times the powers of ten that is not below `least` > 0. */
double frame_step(double least);

#endif
