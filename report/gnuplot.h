/* report/gnuplot.h - runs gnuplot. It ends with this process, however that ends, and after GNUPLOT_SECONDS.
 */
#ifndef CEGSIM_REPORT_GNUPLOT_H
#define CEGSIM_REPORT_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"

#define GNUPLOT_SECONDS 300

/* Runs it, without the user's settings, on the script in `input`; it writes its messages into `words`. Both
 * are read and written through their descriptors. STATUS_IO: there is no gnuplot, or it failed; its messages
 * are in *err. */
MUST_CHECK bool gnuplot_run(FILE *input, FILE *words, struct error *err);

#endif
