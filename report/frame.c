/* report/frame.c - tells gnuplot the places of things. */
#include "report/frame.h"

#include <math.h>

#include "report/script.h"

void frame_edge(const struct frame *f, char edge, double at, struct text *script)
{
	text_printf(script, "set %cmargin at screen %.5f\n", edge,
		at / (edge == 'l' || edge == 'r' ? f->width : f->height));
}

void frame_area(
	const struct frame *f, double left, double bottom, double width, double height, struct text *script)
{
	frame_edge(f, 'l', left, script);
	frame_edge(f, 'r', left + width, script);
	frame_edge(f, 'b', bottom, script);
	frame_edge(f, 't', bottom + height, script);
}

void frame_label(const struct frame *f, size_t tag, const char *string, double x, double y, const char *how,
	struct text *script)
{
	if (!*string)
		return;
	text_printf(script, "set label %zu ", tag);
	script_string(script, string);
	text_printf(script, " at screen %.5f,%.5f %s\n", x / f->width, y / f->height, how);
}

double frame_flow(struct frame_flow *flow, double width)
{
	if (flow->at > flow->from && flow->at + width > flow->limit) {
		flow->at = flow->from;
		flow->row++;
	}
	double at = flow->at;
	flow->at += width;
	return at;
}

double frame_step(double least)
{
	static const double times[] = {1, 2, 5};
	double power = pow(10, floor(log10(least)));
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (times[i] * power >= least * (1 - 1e-9))
			return times[i] * power;
	return 10 * power;
}
