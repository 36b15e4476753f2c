/* report/drawn.h - the figures that draw themselves: their entry in report/figures/ has a line "-- drawn:
 * NAME" in place of a kind of chart. */
#ifndef CEGSIM_REPORT_DRAWN_H
#define CEGSIM_REPORT_DRAWN_H

#include "report/figures.h"

/* NULL: nothing of that name. */
figure_draw *drawn_find(const char *name);

#endif
