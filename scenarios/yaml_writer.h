/* scenarios/yaml_writer.h - writes the parts of a scenario file. Times are in ns, as the head of the file
 * says. Reading the file gives the same values again. */
#ifndef CEGSIM_SCENARIOS_YAML_WRITER_H
#define CEGSIM_SCENARIOS_YAML_WRITER_H

#include "base/text.h"
#include "models/taskset.h"

/* Appends the version of scenarios, a name, the unit of times and the horizon, up to the end of its value. */
void yaml_head(struct text *out, const char *name, int64_t horizon_ns);

/* The key `platform`, without the platform's name. */
void yaml_platform(struct text *out, const struct platform *p);

/* Starts an entry of `tasks`: the task's name and period, up to the end of the period's value. */
void yaml_task(struct text *out, const char *name, int64_t period_ns);

#define YAML_DIGITS 9
/* Writes an entry of `segments`, in braces. `profile` is the name of its profile, for kernels of that form.
 * Interleave ratios have at least `least_digits` digits behind the point. False: one has more than
 * YAML_DIGITS, and was cut. */
bool yaml_segment(struct text *out, const struct segment *s, const char *profile, uint32_t least_digits);

#endif
