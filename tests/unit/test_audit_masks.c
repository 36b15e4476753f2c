/* tests/unit/test_audit_masks.c - the laws on kernels that are confined to some SMs, the task table, and SMs
 * taken: each accepts a correct recording, and finds something when one row of it is wrong. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void on_another(struct audit_sample *s)
{
	block(s, 0, 0, 0)->sm = 1;
}

static void other_mask(struct audit_sample *s)
{
	s->segment[2].sms = "[0]";
}

static void of_no_high_stream(struct audit_sample *s)
{
	s->segment[1].stream_priority = "low";
}

/* While it is evicted its SM is free. */
static void goes_on(struct audit_sample *s)
{
	shift(-2 * MS, &block(s, 0, 0, 1)->start_ns, &block(s, 0, 0, 1)->end_ns);
}

/* Its SM is free from 4 on, but the entry is the evicted one's. */
static void overtakes(struct audit_sample *s)
{
	move_kernel(s, 2, 0, -3 * MS);
}

/* A larger table: nobody need have waited. */
static void holds_three(struct audit_sample *s)
{
	s->platform.resident_kernels = 3;
}

/* The SMs open later than the work began. */
static void takes_longer(struct audit_sample *s)
{
	s->platform.preemption_delay_ns = 2 * MS;
}

static void at_no_cost(struct audit_sample *s)
{
	s->platform.preemption_delay_ns = MS / 2;
}

/* Nobody pays for an SM that a high kernel left. */
static void both_are_high(struct audit_sample *s)
{
	s->segment[0].stream_priority = "high";
}

static const struct defect defects[] = {
	{"preemptions", sample_taken, takes_longer,
		"it was there for 4ms; its work takes 3ms, and begins 2ms later", PROMISED},
	{"preemptions", sample_taken, at_no_cost, "and begins 0.5ms later", PROMISED},
	{"preemptions", sample_taken, both_are_high, "and begins 0ms later", PROMISED},
	{"blocks", sample_taken, at_no_cost, "it did not take the time of its kernel's blocks"},
	{"sm-mask", sample_masks, on_another, "it is on SM 1, to which its kernel is not confined"},
	{"sm-mask", sample_masks, other_mask, "it is on SM 1, to which its kernel is not confined"},
	{"task-table", sample_masks, of_no_high_stream, "blocks of 2 kernels run; the GPU holds 1 kernels"},
	{"r1-order", sample_masks, goes_on, "had no entry of the task table", PROMISED},
	{"r1-order", sample_masks, overtakes, "had no entry of the task table", PROMISED},
	{"r1-work", sample_masks, holds_three, "SM 1 has room for one", PROMISED},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

TEST("every law is tested")
{
	assert_laws_tested(audit_is_of_masks, defects, sizeof(defects) / sizeof(defects[0]));
}
