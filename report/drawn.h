/* report/drawn.h - figures with drawing code of their own: their entry in report/figures/ has a line "--
 * drawn: NAME" in place of a kind of chart. */
#ifndef CEGSIM_REPORT_DRAWN_H
#define CEGSIM_REPORT_DRAWN_H

#include "report/figures.h"

/* NULL: there is none of that name. */
figure_draw *drawn_find(const char *name);

#endif
