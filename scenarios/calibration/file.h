/* scenarios/calibration/file.h - what was measured as a scenario of the block level, which `cegsim run`
 * accepts as it is: the machine, the profiles, a task of one kernel for each, and in comments where every
 * number comes from. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_FILE_H
#define CEGSIM_SCENARIOS_CALIBRATION_FILE_H

#include "base/text.h"
#include "scenarios/calibration/calibration.h"

/* The form that the tasks' kernels have; the others are written as comments. Two are work, with the
 * interleave ratio of a kernel beside itself, and beside all. */
enum file_form { FILE_PROFILE, FILE_GRID, FILE_WORK, FILE_SHARED, FILE_FORMS };

struct file_spec {
	const struct calibration *calibration;
	enum file_form form;
	const char *name;      /* of the scenario */
	const char *scheduler; /* as the user says it: "qaws:budgets=[1,4]" */
	const char *command;   /* that made it; one line */
	const char *version;   /* of the program */
};

/* Can the kernels of a set have this form, once everything is measured? False: STATUS_INPUT, and why. */
MUST_CHECK bool file_takes(
	enum file_form form, const struct platform *platform, const struct taskset *set, struct error *err);

/* False: out of memory, or the kernels cannot have this form (STATUS_INPUT). */
MUST_CHECK bool file_text(const struct file_spec *spec, struct text *out, struct error *err);

/* file_text() to `path`, which must not exist unless `replace`. */
MUST_CHECK bool file_write(const struct file_spec *spec, const char *path, bool replace, struct error *err);

#endif
