/* tests/unit/audit_defects.c - what the audit's tests share: finding a row, and trying all defects. */
#include "tests/unit/audit_defects.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

make_fn *const samples[] = {sample_fifo, sample_section, sample_streams, sample_copies, sample_busy,
	sample_drop, sample_abort, sample_stopped, sample_work, sample_edf, sample_boost, sample_apart,
	sample_sets, sample_lower_first, sample_leaves, sample_fallback, sample_slots, sample_chosen,
	sample_decided, sample_offline, sample_example2, sample_weighed, sample_expected, sample_given_up,
	sample_unseen, sample_overheads, sample_cores, sample_global, sample_contexts, sample_calls,
	sample_chained, sample_flights, sample_gpus, sample_placed, sample_engines, sample_masks,
	sample_taken};
const size_t sample_count = sizeof(samples) / sizeof(samples[0]);

struct job_row *job(struct audit_sample *s, uint32_t task, uint32_t seq)
{
	for (size_t i = 0; i < s->jobs; i++) {
		if (s->job[i].task == task && s->job[i].seq == seq)
			return &s->job[i];
	}
	fail_msg("no such job");
	return NULL;
}

struct segment_interval_row *interval(struct audit_sample *s, uint32_t task, uint32_t seq, uint16_t segment)
{
	for (size_t i = 0; i < s->intervals; i++) {
		struct segment_interval_row *row = &s->interval[i];
		if (row->task == task && row->seq == seq && row->segment_idx == segment)
			return row;
	}
	fail_msg("no such interval");
	return NULL;
}

struct block_interval_row *block(struct audit_sample *s, uint32_t task, uint32_t seq, uint32_t index)
{
	for (size_t i = 0; i < s->blocks; i++) {
		struct block_interval_row *row = &s->block[i];
		if (row->task == task && row->seq == seq && row->block == index)
			return row;
	}
	fail_msg("no such block");
	return NULL;
}

struct block_interval_row *block_of(struct audit_sample *s, uint32_t task, uint16_t segment, uint32_t index)
{
	for (size_t i = 0; i < s->blocks; i++) {
		struct block_interval_row *row = &s->block[i];
		if (row->task == task && row->segment_idx == segment && row->block == index)
			return row;
	}
	fail_msg("no such block");
	return NULL;
}

void move_kernel(struct audit_sample *s, uint32_t task, uint16_t segment, int64_t by)
{
	struct segment_interval_row *row = interval(s, task, 0, segment);
	shift(by, &row->start_ns, &row->end_ns);
	for (size_t i = 0; i < s->blocks; i++) {
		if (s->block[i].task == task && s->block[i].segment_idx == segment)
			shift(by, &s->block[i].start_ns, &s->block[i].end_ns);
	}
}

void shift(int64_t by, int64_t *a, int64_t *b)
{
	*a += by;
	if (b)
		*b += by;
}

/* Under an unknown policy name, does the audit find the defect where it must, and not where it must not? */
static bool right_of_a_stranger(const struct defect *d)
{
	struct audit_sample s = d->make();
	struct audit_report report;
	s.policy = STRANGER;
	d->spoil(&s);
	if (strcmp(s.policy, STRANGER) != 0) /* unless the defect itself is another policy */
		return true;
	sample_audit(&s, &report);
	const struct audit_result *law = report_law(&report, d->law);
	bool right = law->runs == 0 || (law->findings == 0) == d->promised;
	if (!right)
		print_error("of a policy that is not known '%s' (%s) finds %s\n", d->law, d->words,
			law->findings ? law->first : "nothing");
	audit_report_finish(&report);
	return right;
}

void assert_defects_found(const struct defect *defects, size_t count)
{
	size_t missed = 0;
	for (size_t i = 0; i < count; i += SPARSE) {
		struct audit_sample s = defects[i].make();
		defects[i].spoil(&s);
		missed += !breaks(&s, defects[i].law, defects[i].words);
		missed += !right_of_a_stranger(&defects[i]);
	}
	assert_int_equal(missed, 0);
}

/* Adds up how often each law is checked on the correct recordings. */
static void check_samples(uint64_t *checked)
{
	for (size_t i = 0; i < sample_count; i++) {
		struct audit_sample correct = samples[i]();
		struct audit_report report;
		sample_audit(&correct, &report);
		for (size_t law = 0; law < report.count; law++)
			checked[law] += report.results[law].checked;
		audit_report_finish(&report);
	}
}

void assert_laws_tested(
	bool (*mine)(const struct audit_result *law), const struct defect *defects, size_t count)
{
	struct audit_sample s = sample_fifo();
	struct audit_report laws;
	sample_audit(&s, &laws);
	uint64_t *checked = calloc(laws.count, sizeof(*checked));
	assert_non_null(checked);
	check_samples(checked);
	for (size_t i = 0; i < laws.count; i++) {
		const struct audit_result *law = &laws.results[i];
		bool found = false;
		if (strncmp(law->law, "warp-", 5) == 0) /* test_audit_warps.c */
			continue;
		for (size_t k = 0; k < count && !found; k++)
			found = strcmp(defects[k].law, law->law) == 0;
		if (mine(law) && (!found || checked[i] == 0))
			fail_msg("law '%s' %s", law->law, found ? "was asked nothing" : "has no defect");
	}
	free(checked);
	audit_report_finish(&laws);
}

bool audit_is_of_policies(const char *law)
{
	static const char *const laws[] = {"sm-sets", "spinning", "gate", "kernels-apart", "decisions",
		"decision-time", "predictions", "grants", "own-sms", "own-work"};
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		if (strcmp(laws[i], law) == 0)
			return true;
	}
	return false;
}

bool audit_is_of_overheads(const char *law)
{
	static const char *const laws[] = {"launches", "switches", "interrupts", "distances"};
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		if (strcmp(laws[i], law) == 0)
			return true;
	}
	return false;
}

bool audit_is_of_cores(const char *law)
{
	return strcmp(law, "cpu-core") == 0;
}

bool audit_is_of_gpus(const char *law)
{
	return strcmp(law, "gpu-energy") == 0 || strcmp(law, "placements") == 0;
}

bool audit_is_of_contexts(const char *law)
{
	static const char *const laws[] = {"contexts", "holder", "context-copies", "turns", "calls", "owner"};
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++)
		if (strcmp(law, laws[i]) == 0)
			return true;
	return false;
}

bool audit_is_of_masks(const struct audit_result *law)
{
	return strcmp(law->law, "sm-mask") == 0 || strcmp(law->law, "task-table") == 0 ||
	       strcmp(law->law, "preemptions") == 0;
}

bool audit_is_of_chains(const char *law)
{
	return strcmp(law, "chains") == 0 || strcmp(law, "triggers") == 0;
}

bool audit_is_of_identity(const char *law)
{
	const char *last = strrchr(law, '-');
	return strcmp(law, "strays") == 0 ||
	       (last && (strcmp(last, "-digest") == 0 || strcmp(last, "-identity") == 0));
}
