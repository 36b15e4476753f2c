/* scenarios/yaml_writer.h - the parts of a scenario file, for those who write one. Times are in ns, which the
 * head says. What is written reads back as the same values. */
#ifndef CEGSIM_SCENARIOS_YAML_WRITER_H
#define CEGSIM_SCENARIOS_YAML_WRITER_H

#include "base/text.h"
#include "models/taskset.h"

/* Appends the version of scenarios, a name, the unit of times and the horizon, up to the end of its value. */
void yaml_head(struct text *out, const char *name, int64_t horizon_ns);

/* The key `platform`, without the platform's name. */
void yaml_platform(struct text *out, const struct platform *p);

/* A task's name and period, up to the end of its value, as an entry of `tasks`. */
void yaml_task(struct text *out, const char *name, int64_t period_ns);

#define YAML_DIGITS 9
/* An entry of `segments`, in braces. `profile` is the name of its profile, where it has that form;
 * interleave ratios have at least so many digits behind the point. False: one has more than YAML_DIGITS,
 * and lost some. */
bool yaml_segment(struct text *out, const struct segment *s, const char *profile, uint32_t least_digits);

#endif
