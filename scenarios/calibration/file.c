/* scenarios/calibration/file.c - see scenarios/calibration/file.h. Text is quoted as JSON, which YAML reads;
 * times are in ns. */
#include "scenarios/calibration/file.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/output.h"
#include "base/units.h"
#include "scenarios/calibration/forms.h"
#include "scenarios/yaml_writer.h"

#define COLUMNS 110
#define MILLION 1000000
#define JOBS 10 /* longest periods in the horizon */

/* Data of a kernel while its lines are written. */
struct calibration_subject {
	const struct calibration *c;
	const struct calibration_spec *s;
	const struct warp_kernel *kernel;
	const char *name;
	uint32_t index;
	bool has_work;
	struct work_form work[2]; /* by enum neighbours */
	struct work_excess excess[2];
};

/* ---- the machine ---- */

/* The limit of warps must be written: where a scenario gives none, an SM still holds at most 64 warps. */
static uint32_t warps_per_sm(const struct platform *p)
{
	return p->warps_per_sm && p->warps_per_sm < WARPS_PER_SM_MAX ? p->warps_per_sm : WARPS_PER_SM_MAX;
}

static void add_platform(struct text *out, const struct platform *p)
{
	struct platform said = *p;
	said.warps_per_sm = warps_per_sm(p);
	yaml_platform(out, &said, YAML_NS);
}

/* ---- profiles ---- */

/* Numbers of SMs as "1 to 4, 8". */
static void add_points(struct text *out, const struct calibration_spec *s)
{
	for (uint32_t i = 0; i < s->points; i++) {
		uint32_t first = i;
		while (i + 1 < s->points && s->sms[i + 1] == s->sms[i] + 1)
			i++;
		text_printf(out, "%s%" PRIu32, first ? ", " : "", s->sms[first]);
		if (i > first)
			text_printf(out, "%s%" PRIu32, i == first + 1 ? ", " : " to ", s->sms[i]);
	}
	text_add(out, s->points == 1 && s->sms[0] == 1 ? " SM" : " SMs");
}

static void add_times(struct text *out, const struct calibration_subject *k, const char *key, bool worst)
{
	size_t begin = out->length;
	text_printf(out, "    %s: [", key);
	for (uint32_t sms = 1; sms <= k->s->platform->sms; sms++) {
		const struct spread *alone = &calibration_point(k->c, k->index, form_point(k->c, sms))->alone;
		char number[32];
		snprintf(number, sizeof(number), "%" PRId64, worst ? alone->greatest : alone->least);
		if (sms > 1)
			text_add(out, out->length - begin + strlen(number) > COLUMNS - 5 ? ",\n" : ", ");
		if (text_data(out)[out->length ? out->length - 1 : 0] == '\n') {
			begin = out->length;
			text_add(out, "      ");
		}
		text_add(out, number);
	}
	text_add(out, "]\n");
}

static void add_profile(struct text *out, const struct calibration_subject *k)
{
	const struct spread *alone = &calibration_point(k->c, k->index, 0)->alone;
	text_printf(out,
		"  # one launch of %" PRIu32
		" blocks alone, the greatest (time) and the least (best_time) of %" PRId64 " draw%s\n",
		k->kernel->blocks, alone->count, alone->count == 1 ? "" : "s");
	text_add(out, "  ");
	text_add_json(out, k->name);
	text_add(out, ":\n");
	add_times(out, k, "time", true);
	add_times(out, k, "best_time", false);
}

/* ---- the forms of a kernel ---- */

static void add_kernel(struct text *out, const struct calibration_subject *k, const struct segment *kernel)
{
	struct segment its = *kernel;
	char name[256];
	struct profile profile = {.name = name};
	snprintf(name, sizeof(name), "%s", k->name);
	its.profile = 0;
	(void)yaml_segment(out, &its, &profile, 1, YAML_NS); /* ratios are millionths: exact */
	text_add_char(out, '\n');
}

static void add_profile_kernel(struct text *out, const struct calibration_subject *k)
{
	add_kernel(out, k,
		&(struct segment){.kind = SEGMENT_KERNEL, .stream = STREAM_OWN, .form = KERNEL_PROFILE});
}

static void add_grid_kernel(struct text *out, const struct calibration_subject *k)
{
	struct spread blocks = form_block_time(k->c, k->index);
	add_kernel(out, k,
		&(struct segment){
			.kind = SEGMENT_KERNEL,
			.stream = STREAM_OWN,
			.form = KERNEL_GRID,
			.grid = k->kernel->blocks,
			.block = k->kernel->block_threads,
			.best_ns = blocks.least,
			.worst_ns = blocks.greatest,
			.registers = k->kernel->registers,
			.shared_memory = k->kernel->shared_memory,
		});
}

static void add_work(struct text *out, const struct calibration_subject *k, const struct work_form *work)
{
	struct interleave ratio = {.virtual_sms = 2, .numerator = work->alpha_ppm, .denominator = MILLION};
	add_kernel(out, k,
		&(struct segment){
			.kind = SEGMENT_KERNEL,
			.stream = STREAM_OWN,
			.form = KERNEL_WORK,
			.best_ns = work->best_ns,
			.worst_ns = work->worst_ns,
			.overhead_ns = work->overhead_ns,
			.interleave = &ratio,
			.interleaves = 1,
		});
}

static void add_work_kernel(struct text *out, const struct calibration_subject *k)
{
	add_work(out, k, &k->work[NEIGHBOURS_SELF]);
}

static void add_shared_kernel(struct text *out, const struct calibration_subject *k)
{
	add_work(out, k, &k->work[NEIGHBOURS_ALL]);
}

static void explain_profile(struct text *out, const struct calibration_subject *k)
{
	(void)k;
	text_add(out, "      # profile: whole launches, alone; says nothing of neighbours\n");
}

static void explain_grid(struct text *out, const struct calibration_subject *k)
{
	struct spread all = form_block_time(k->c, k->index);
	const struct spread *full = &calibration_point(k->c, k->index, k->s->points - 1)->alone_blocks;
	text_printf(out,
		"      # grid: %" PRId64 " blocks took %" PRId64 " to %" PRId64 ", alone%s; alone on %" PRIu32
		" SM%s the mean is %.1f\n",
		all.count, all.least, all.greatest, k->s->beside ? " and beside others" : "",
		k->s->sms[k->s->points - 1], k->s->sms[k->s->points - 1] == 1 ? "" : "s", spread_mean(full));
}

static void explain_fit(
	struct text *out, const struct calibration_subject *k, enum neighbours neighbours, const char *what)
{
	if (!k->has_work) {
		text_printf(out, "      # %s\n",
			k->s->beside ? "a block does not fit half of an SM: no interleave ratio, no work"
				     : "work: not without --beside");
		return;
	}
	text_printf(out, "      # %s; up to %.1f %% above what was measured so\n", what,
		(double)ceil_div(k->excess[neighbours].greatest_ppm, 1000) / 10);
}

static void explain_work(struct text *out, const struct calibration_subject *k)
{
	explain_fit(out, k, NEIGHBOURS_SELF,
		"work: a kernel with SMs of its own, in both halves of them (RTGPU 4.3)");
}

static void explain_shared(struct text *out, const struct calibration_subject *k)
{
	if (k->has_work)
		explain_fit(out, k, NEIGHBOURS_ALL, "shared: work beside any of these kernels (RTGPU 4.2)");
}

struct form_writer {
	void (*explain)(struct text *out, const struct calibration_subject *k);
	void (*kernel)(struct text *out, const struct calibration_subject *k);
};

static const struct form_writer writers[] = {
	[FILE_PROFILE] = {explain_profile, add_profile_kernel},
	[FILE_GRID] = {explain_grid, add_grid_kernel},
	[FILE_WORK] = {explain_work, add_work_kernel},
	[FILE_SHARED] = {explain_shared, add_shared_kernel},
};

/* ---- tasks ---- */

/* The longest measured time of the kernel. Its period holds as many of these as there are kernels. */
static int64_t longest(const struct calibration_subject *k)
{
	struct spread all = {0};
	for (uint32_t p = 0; p < k->s->points; p++) {
		const struct calibrated_point *at = calibration_point(k->c, k->index, p);
		spread_join(&all, &at->alone);
		spread_join(&all, &at->half);
		for (uint32_t i = 0; i < k->s->set->warps->kernel_count; i++)
			spread_join(&all, &calibration_pair(k->c, k->index, i, p)->time);
	}
	return all.greatest;
}

static bool period_of(const struct calibration_subject *k, int64_t *period, struct error *err)
{
	int64_t total;
	if (!checked_mul(longest(k), k->s->set->warps->kernel_count, &total) || total > INT64_MAX / 1000)
		return error_set(
			err, STATUS_INPUT, "kernel '%s' takes longer than a scenario can say", k->name);
	*period = form_round(total > 0 ? total : 1);
	return true;
}

static void add_task(
	struct text *out, const struct calibration_subject *k, enum file_form form, int64_t period)
{
	yaml_task(out, k->name, period, YAML_NS);
	text_printf(out,
		"    # round, and at least %" PRIu32 " times the longest launch measured, %" PRId64
		"\n    segments:\n",
		k->s->set->warps->kernel_count, longest(k));
	for (int i = 0; i < FILE_FORMS; i++) {
		writers[i].explain(out, k);
		if (i >= FILE_WORK && !k->has_work)
			continue;
		text_add(out, i == (int)form ? "      - " : "      # - ");
		writers[i].kernel(out, k);
	}
}

bool file_takes(
	enum file_form form, const struct platform *platform, const struct taskset *set, struct error *err)
{
	if (form < FILE_WORK)
		return true;
	if (platform->virtual_sms_per_sm > 2)
		return error_set(err, STATUS_INPUT,
			"interleave ratios are measured for two virtual SMs per SM; the platform has "
			"%" PRIu32,
			platform->virtual_sms_per_sm);
	for (uint32_t i = 0; i < set->warps->kernel_count; i++)
		if (measurement_half_blocks(platform, &set->warps->kernels[i]) == 0)
			return error_set(err, STATUS_INPUT,
				"a block of kernel '%s' does not fit half of an SM: it has no interleave "
				"ratio, and so no work form",
				set->tasks[i].name);
	return true;
}

static bool get_subject(
	const struct file_spec *spec, uint32_t index, struct calibration_subject *k, struct error *err)
{
	const struct calibration_spec *s = calibration_spec(spec->calibration);
	*k = (struct calibration_subject){
		.c = spec->calibration,
		.s = s,
		.index = index,
		.kernel = &s->set->warps->kernels[index],
		.name = s->set->tasks[index].name,
	};
	k->has_work = s->beside && calibration_has_half(spec->calibration, index);
	for (int n = NEIGHBOURS_SELF; n <= NEIGHBOURS_ALL && k->has_work; n++)
		if (!form_work(spec->calibration, index, (enum neighbours)n, &k->work[n], &k->excess[n], err))
			return false;
	return true;
}

static bool add_tasks(
	const struct file_spec *spec, struct text *out, int64_t *longest_period, struct error *err)
{
	struct calibration_subject k;
	int64_t period = 0;
	text_add(out, "tasks:\n");
	for (uint32_t i = 0; i < calibration_spec(spec->calibration)->set->warps->kernel_count; i++) {
		if (!get_subject(spec, i, &k, err) || !period_of(&k, &period, err))
			return false;
		add_task(out, &k, spec->form, period);
		*longest_period = period > *longest_period ? period : *longest_period;
	}
	return true;
}

/* ---- the file ---- */

static void add_head(const struct file_spec *spec, struct text *out, int64_t longest_period)
{
	const struct calibration_spec *s = calibration_spec(spec->calibration);
	text_printf(out,
		"# Measured inside of SMs by\n#     %s\n# (cegsim %s), warps scheduled by %s; "
		"docs/calibration.md says what the numbers mean.\n# Times are in ns. Measured on ",
		spec->command, spec->version, spec->scheduler);
	add_points(out, s);
	if (s->sms[s->points - 1] < s->platform->sms || s->points < s->platform->sms)
		text_add(out, "; on other numbers a profile has the time on the next smaller one");
	text_printf(out,
		".\n# Draws have the seeds from %" PRIu64 " on, at most %" PRIu32
		"; where the seed does not matter, one is made.\n",
		s->seed, s->draws);
	yaml_head(out, spec->name, longest_period * JOBS, YAML_NS);
	text_printf(out, "    # %d times the longest period\nexecution: uniform\n", JOBS);
	add_platform(out, s->platform);
}

static void add_profiles(const struct file_spec *spec, struct text *out)
{
	const struct calibration_spec *s = calibration_spec(spec->calibration);
	text_add(out, "profiles:\n");
	for (uint32_t i = 0; i < s->set->warps->kernel_count; i++) {
		const struct calibration_subject k = {
			.c = spec->calibration,
			.s = s,
			.index = i,
			.kernel = &s->set->warps->kernels[i],
			.name = s->set->tasks[i].name,
		};
		add_profile(out, &k);
	}
}

bool file_text(const struct file_spec *spec, struct text *out, struct error *err)
{
	struct text tasks = {0};
	int64_t longest_period = 0;
	const struct calibration_spec *s = calibration_spec(spec->calibration);
	assert(spec->form < FILE_WORK || s->beside);
	bool ok = file_takes(spec->form, s->platform, s->set, err) &&
		  add_tasks(spec, &tasks, &longest_period, err) && text_ok(&tasks, "a scenario", err);
	if (ok) {
		add_head(spec, out, longest_period);
		add_profiles(spec, out);
		text_add(out, text_data(&tasks));
		text_add(out, "policies: [fifo-cke, rtgpu]\n");
	}
	text_finish(&tasks);
	return ok && text_ok(out, "a scenario", err);
}

bool file_write(const struct file_spec *spec, const char *path, bool replace, struct error *err)
{
	struct text text = {0};
	struct output out;
	bool ok = file_text(spec, &text, err) && output_begin(&out, path, replace, err);
	if (ok) {
		fwrite(text_data(&text), 1, text.length, out.file);
		ok = output_commit(&out, err);
	}
	text_finish(&text);
	return ok;
}
