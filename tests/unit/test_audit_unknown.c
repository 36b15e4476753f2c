/* tests/unit/test_audit_unknown.c - what the audit asks of policies whose promises it does not know: what
 * follows from docs/model.md whatever they decide, and nothing that they are free to decide. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

/* camera places its three blocks at 3 on SMs 0, 1, 0, lidar one of its four on SM 1, and the others at 6. */
static struct audit_sample two_kernels(void)
{
	struct audit_sample s = sample_fifo();
	s.policy = STRANGER;
	return s;
}

static struct audit_sample own_sets(void)
{
	struct audit_sample s = sample_apart();
	s.policy = STRANGER;
	return s;
}

static struct audit_sample own_slots(void)
{
	struct audit_sample s = sample_slots();
	s.policy = STRANGER;
	return s;
}

static void swap_slots(struct block_interval_row *a, struct block_interval_row *b)
{
	uint32_t slot = a->slot;
	a->slot = b->slot;
	b->slot = slot;
}

/* Only a promise says which of two kernels placed its blocks first at one instant. */
TEST("slots of an instant are a set")
{
	struct audit_sample s = sample_fifo();
	swap_slots(block(&s, 0, 0, 1), block(&s, 1, 0, 0));
	block(&s, 1, 0, 3)->slot = 1; /* the slot of the block that ends first */
	assert_true(breaks(&s, "slots", "it is in slot 1, but the least free one is 0"));
	s.policy = STRANGER;
	assert_clean(&s);
}

/* A scenario's priorities are only a preset, which a policy may change. */
TEST("ranks are the policys")
{
	struct audit_sample s = two_kernels();
	s.set.explicit_priorities = true;
	s.task[0].priority = 1;
	s.task[1].priority = 0;
	assert_clean(&s);
	s.figures[0].rank = 1;
	s.figures[1].rank = 0;
	assert_clean(&s);
}

/* A number of SMs may be made of virtual SMs: those that the kernel's blocks show. */
TEST("virtual SMs may be given at run time")
{
	struct audit_sample s = own_slots();
	for (uint32_t i = 0; i < s.set.task_count; i++)
		s.figures[i].sms = s.figures[i].virtual_sms = DB_NULL, s.figures[i].sm_set = NULL;
	assert_clean(&s);
}

static void slot_of_another(struct audit_sample *s)
{
	block(s, 1, 0, 2)->slot = 0;
}

static void slot_behind_a_free_one(struct audit_sample *s)
{
	block(s, 0, 0, 2)->slot = 2;
}

static void far_slot(struct audit_sample *s)
{
	block(s, 0, 0, 2)->slot = UINT32_MAX;
}

static void slots_against_numbers(struct audit_sample *s)
{
	swap_slots(block(s, 1, 0, 1), block(s, 1, 0, 2));
}

static void waits_with_room(struct audit_sample *s)
{
	shift(MS, &block(s, 0, 1, 2)->start_ns, &block(s, 0, 1, 2)->end_ns);
}

static void two_heads(struct audit_sample *s)
{
	shift(MS, &block(s, 0, 0, 2)->start_ns, &block(s, 0, 0, 2)->end_ns);
}

static void other_sm(struct audit_sample *s)
{
	block(s, 0, 1, 2)->sm = 1;
}

static void more_sms_than_there_are(struct audit_sample *s)
{
	interval(s, 1, 0, 1)->granted = 3;
}

static void one_sm_of_its_own(struct audit_sample *s)
{
	interval(s, 0, 1, 2)->granted = 1;
}

static void waits_on_its_own(struct audit_sample *s)
{
	/* One of the second wave's blocks waits for the other. */
	shift(MS, &block_of(s, 0, 1, 5)->start_ns, &block_of(s, 0, 1, 5)->end_ns);
	interval(s, 0, 0, 1)->end_ns += MS;
}

static void two_on_one(struct audit_sample *s)
{
	s->run.virtual_sms_per_sm = 1;
}

static const struct defect defects[] = {
	{"slots", two_kernels, slot_of_another, "it is in slot 0, in which another block is"},
	{"slots", two_kernels, slot_behind_a_free_one, "it is in slot 2, but slot 1 stayed free"},
	{"slots", two_kernels, far_slot, "stayed free"},
	{"slots", two_kernels, slots_against_numbers, "it is in slot 0, behind slot 1 of a block before it"},
	{"r1-work", two_kernels, waits_with_room,
		"at 23ms it is head of the primary queue with 1 of 3 blocks to place, and SM 0 has room"},
	{"r1-order", two_kernels, two_heads,
		"the kernel of task 'camera' had 1 blocks to place: one of the two cannot be at the head"},
	{"sm-choice", two_kernels, other_sm, "SM 0 has more threads free, or goes first"},
	{"grants", two_kernels, more_sms_than_there_are, "it was given 3 SMs, or virtual ones, of 2"},
	{"own-sms", two_kernels, one_sm_of_its_own,
		"blocks of its kernel are on 1 SMs, and it was given no more"},
	{"own-work", own_sets, waits_on_its_own, "1 of its 6 blocks wait, and its SMs have room for one"},
	{"own-sms", own_slots, two_on_one, "it has at most"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}
