/* tests/unit/test_frame.c - report/frame.h: legends that continue in the next row, steps of axes, and places
 * in a figure. */
#include <math.h>

#include "report/frame.h"
#include "tests/support/test.h"

TEST("entries flow into rows")
{
	/* The third entry does not fit. The fourth is wider than a row, but is the first in its row. */
	static const double widths[] = {1, 1, 0.5, 5, 0.25}, places[] = {0.5, 1.5, 0.5, 0.5, 0.5};
	static const size_t rows[] = {0, 0, 1, 2, 3};
	struct frame_flow flow = {.from = 0.5, .at = 0.5, .limit = 2.75};
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		double at = frame_flow(&flow, widths[i]);
		assert_true(at == places[i]);
		assert_int_equal(flow.row, rows[i]);
	}
	flow = (struct frame_flow){.from = 0, .at = 0, .limit = 2};
	assert_true(frame_flow(&flow, 1) == 0 && frame_flow(&flow, 1) == 1); /* up to the limit */
	assert_int_equal(flow.row, 0);
}

TEST("steps are 1.2 and 5")
{
	static const double steps[][2] = {{1, 1}, {1.001, 2}, {2, 2}, {2.1, 5}, {5, 5}, {5.1, 10}, {9.99, 10},
		{10, 10}, {0.3, 0.5}, {0.011, 0.02}, {0.051, 0.1}, {1234, 2000}, {7e8, 1e9}};
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		assert_true(fabs(frame_step(steps[i][0]) - steps[i][1]) <= steps[i][1] * 1e-12);
}

TEST("places are parts of the figure")
{
	struct text script = {0};
	const struct frame frame = {.width = 4, .height = 8};
	frame_area(&frame, 1, 2, 2, 4, &script);
	frame_label(&frame, 7, "a_b", 1, 6, "left", &script);
	frame_label(&frame, 8, "", 1, 6, "left", &script);
	assert_string_equal(text_data(&script),
		"set lmargin at screen 0.25000\nset rmargin at screen 0.75000\n"
		"set bmargin at screen 0.25000\nset tmargin at screen 0.75000\n"
		"set label 7 \"a\\\\_b\" at screen 0.25000,0.75000 left\n");
	text_finish(&script);
}
