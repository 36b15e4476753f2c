/* scenarios/calibration/file.h - writes the measurements as a block-level scenario, which `cegsim run`
 * accepts: the machine, the profiles, one task with one kernel for each kernel, and comments that say where
 * each number comes from. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_FILE_H
#define CEGSIM_SCENARIOS_CALIBRATION_FILE_H

#include "base/text.h"
#include "scenarios/calibration/calibration.h"

/* The form of the tasks' kernels; the other forms are written as comments. Two are `work`: with the
 * interleave ratio of a kernel beside itself, and beside all. */
enum file_form { FILE_PROFILE, FILE_GRID, FILE_WORK, FILE_SHARED, FILE_FORMS };

struct file_spec {
	const struct calibration *calibration;
	enum file_form form;
	const char *name;      /* of the scenario */
	const char *scheduler; /* as the user wrote it: "qaws:budgets=[1,4]" */
	const char *command;   /* the command that made the file; one line */
	const char *version;   /* of the program */
};

/* Whether the kernels of the set can have this form, once everything is measured. False: STATUS_INPUT, with
 * the reason. */
MUST_CHECK bool file_takes(
	enum file_form form, const struct platform *platform, const struct taskset *set, struct error *err);

/* Appends the scenario. False: out of memory, or the kernels cannot have this form (STATUS_INPUT). */
MUST_CHECK bool file_text(const struct file_spec *spec, struct text *out, struct error *err);

/* file_text() to `path`, which must not exist unless `replace`. */
MUST_CHECK bool file_write(const struct file_spec *spec, const char *path, bool replace, struct error *err);

#endif
