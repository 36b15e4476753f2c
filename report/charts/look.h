/* report/charts/look.h - the colours of policies, for those who draw them elsewhere (report/page/). */
#ifndef CEGSIM_REPORT_LOOK_H
#define CEGSIM_REPORT_LOOK_H

#include "base/text.h"

/* Appends {"palette":[colours],"shades":[percent to white, below 0 to black; of the variants of one policy],
 * "policies":{NAME: place in the palette}}. */
void look_add_json(struct text *to);

#endif
