/* scenarios/yaml_writer.h - writes the parts of a scenario file. Times are exact numbers in one unit, which
 * the head of the file names. Reading the file gives the same values again. */
#ifndef CEGSIM_SCENARIOS_YAML_WRITER_H
#define CEGSIM_SCENARIOS_YAML_WRITER_H

#include "base/text.h"
#include "models/taskset.h"

/* The units of times, the longest first; the last is ns. */
struct yaml_unit {
	const char *name;
	int64_t ns;
};
#define YAML_UNITS 4
extern const struct yaml_unit yaml_units[YAML_UNITS];
#define YAML_NS (&yaml_units[YAML_UNITS - 1])

/* A time as a number in the unit: 12.5. */
void yaml_time(struct text *out, int64_t ns, const struct yaml_unit *unit);

/* Appends the version of scenarios, a name, the unit of times and the horizon, up to the end of its value. */
void yaml_head(struct text *out, const char *name, int64_t horizon_ns, const struct yaml_unit *unit);

/* The key `platform`, without the platform's name. */
void yaml_platform(struct text *out, const struct platform *p, const struct yaml_unit *unit);

/* Starts an entry of `tasks`: the task's name and period, up to the end of the period's value. */
void yaml_task(struct text *out, const char *name, int64_t period_ns, const struct yaml_unit *unit);

/* The task's process, priority for the GPU, and whether it is best effort: a line for each that it has. */
void yaml_contexts(struct text *out, const struct taskset *set, const struct task *t);

/* The key `chains`; nothing if the set has none. */
void yaml_chains(struct text *out, const struct taskset *set, const struct yaml_unit *unit);

#define YAML_DIGITS 9
/* Writes an entry of `segments`, in braces. `profiles` are those of its set, for kernels of that form.
 * Interleave ratios have at least `least_digits` digits behind the point. False: one has more than
 * YAML_DIGITS, and was cut. */
bool yaml_segment(struct text *out, const struct segment *s, const struct profile *profiles,
	uint32_t least_digits, const struct yaml_unit *unit);

#endif
