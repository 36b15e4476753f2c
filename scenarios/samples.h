/* scenarios/samples.h - measured times of segments, from a CSV file.
 *
 * The columns are task, segment and value. Numbers without a unit are in the scenario's time_unit. The n-th
 * row of a segment is its n-th sample. All lie within the segment's best and worst case, so that bounds hold
 * for them. */
#ifndef CEGSIM_SCENARIOS_SAMPLES_H
#define CEGSIM_SCENARIOS_SAMPLES_H

#include "scenarios/binder.h"
#include "scenarios/tables.h"

/* Gives the segments of the description's tasks the samples of its `execution`, if it asks for any; those of
 * a stored text come from its recording. `name`: of the scenario, beside which the file is. False: errors
 * were reported. */
MUST_CHECK bool settle_samples(struct binder *b, const char *name, struct description *d);

#endif
