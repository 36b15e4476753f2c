/* report/gantt/data.c - writes blocks of data, and refers to them in the plot command. */
#include "report/gantt/data.h"

#include <stdio.h>

#include "report/script.h"

void gantt_add_time(const struct gantt_drawing *d, int64_t ns)
{
	script_number(d->script, (double)ns / (double)d->layout->unit);
}

void gantt_begin_data(struct gantt_drawing *d, const char *kind, size_t task)
{
	snprintf(d->name, sizeof(d->name), "$run%zu_%s%zu", d->index + 1, kind, task + 1);
	d->in_data = false;
}

void gantt_data_row(struct gantt_drawing *d)
{
	if (!d->in_data)
		text_printf(d->script, "%s << EOD\n", d->name);
	d->in_data = true;
}

bool gantt_end_data(struct gantt_drawing *d)
{
	if (d->in_data)
		text_add(d->script, "EOD\n");
	return d->in_data;
}

void gantt_plot(struct gantt_drawing *d, const char *using_and_style)
{
	text_printf(&d->plot, "%s%s using %s", d->plot.length ? ", \\\n\t" : "", d->name, using_and_style);
}
