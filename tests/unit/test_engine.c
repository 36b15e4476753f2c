/* tests/unit/test_engine.c - sim/engine.c: slots, the order of simultaneous events, where a run stops. */
#include <stdio.h>
#include <string.h>

#include "sim/engine.h"
#include "tests/support/test.h"

/* A model that writes a log: "3@5" slot 3 at 5, "|" settle. */
struct log {
	struct sim sim;
	struct arena arena;
	char text[512];
	int64_t again[8];       /* when a slot is armed again; SIM_NEVER: not */
	uint32_t wake, halt_at; /* slot that slot 0 arms for the same instant; slot that halts */
};

static void deliver(void *self, uint32_t slot)
{
	struct log *l = self;
	size_t used = strlen(l->text);
	snprintf(l->text + used, sizeof(l->text) - used, "%u@%d ", slot, (int)l->sim.now);
	sim_arm(&l->sim, slot, l->again[slot]);
	l->again[slot] = SIM_NEVER;
	if (slot == 0 && l->wake)
		sim_arm(&l->sim, l->wake, l->sim.now);
	if (slot == l->halt_at)
		sim_halt(&l->sim);
}

static void settle(void *self)
{
	struct log *l = self;
	strcat(l->text, "| ");
}

static const struct sim_model model = {.deliver = deliver, .settle = settle};

static void begin(struct log *l, uint32_t slots)
{
	struct error err;
	*l = (struct log){.halt_at = UINT32_MAX};
	for (int i = 0; i < 8; i++)
		l->again[i] = SIM_NEVER;
	assert_true(sim_init(&l->sim, &l->arena, slots, 1000, &model, l, &err));
}

TEST("nothing is pending at first")
{
	struct log l;
	for (uint32_t slots = 1; slots <= 5; slots++) {
		begin(&l, slots);
		assert_int_equal(sim_next(&l.sim), SIM_NEVER);
		assert_int_equal(sim_run(&l.sim, 1000, 10), SIM_DRAINED);
		assert_string_equal(l.text, "");
		arena_finish(&l.arena);
	}
}

TEST("events come by time then slot")
{
	struct log l;
	begin(&l, 5);
	sim_arm(&l.sim, 4, 3);
	sim_arm(&l.sim, 1, 7);
	sim_arm(&l.sim, 2, 3);
	sim_arm(&l.sim, 0, 3);
	sim_arm(&l.sim, 3, 0);
	assert_int_equal(sim_next(&l.sim), 0);
	assert_int_equal(sim_run(&l.sim, 1000, 100), SIM_DRAINED);
	assert_string_equal(l.text, "3@0 | 0@3 2@3 4@3 | 1@7 | ");
	assert_int_equal(l.sim.events, 5);
	arena_finish(&l.arena);
}

TEST("arming moves and disarming cancels")
{
	struct log l;
	begin(&l, 3);
	sim_arm(&l.sim, 0, 9);
	sim_arm(&l.sim, 0, 4);
	sim_arm(&l.sim, 1, 5);
	sim_disarm(&l.sim, 1);
	sim_arm(&l.sim, 2, 6);
	sim_arm(&l.sim, 2, SIM_NEVER);
	assert_int_equal(sim_armed_at(&l.sim, 0), 4);
	assert_int_equal(sim_armed_at(&l.sim, 1), SIM_NEVER);
	assert_int_equal(sim_armed_at(&l.sim, 2), SIM_NEVER);
	sim_run(&l.sim, 1000, 100);
	assert_string_equal(l.text, "0@4 | ");
	arena_finish(&l.arena);
}

TEST("what is armed for now comes before settle")
{
	struct log l;
	begin(&l, 4);
	sim_arm(&l.sim, 0, 2);
	sim_arm(&l.sim, 3, 2);
	l.wake = 2;
	l.again[3] = 2; /* delivered twice at 2 */
	sim_run(&l.sim, 1000, 100);
	assert_string_equal(l.text, "0@2 2@2 3@2 3@2 | ");
	arena_finish(&l.arena);
}

TEST("until is included")
{
	struct log l;
	begin(&l, 2);
	sim_arm(&l.sim, 0, 5);
	sim_arm(&l.sim, 1, 6);
	assert_int_equal(sim_run(&l.sim, 4, 100), SIM_UNTIL);
	assert_string_equal(l.text, "");
	assert_int_equal(sim_run(&l.sim, 5, 100), SIM_UNTIL);
	assert_string_equal(l.text, "0@5 | ");
	assert_int_equal(l.sim.now, 5);
	arena_finish(&l.arena);
}

TEST("a budget never cuts an instant")
{
	struct log l;
	begin(&l, 4);
	for (uint32_t i = 0; i < 3; i++)
		sim_arm(&l.sim, i, 5);
	sim_arm(&l.sim, 3, 6);
	assert_int_equal(sim_run(&l.sim, 1000, 1), SIM_BUDGET);
	assert_string_equal(l.text, "0@5 1@5 2@5 | ");
	assert_int_equal(sim_run(&l.sim, 1000, 1), SIM_DRAINED);
	assert_string_equal(l.text, "0@5 1@5 2@5 | 3@6 | ");
	arena_finish(&l.arena);
}

TEST("a model can halt")
{
	struct log l;
	begin(&l, 3);
	sim_arm(&l.sim, 0, 5);
	sim_arm(&l.sim, 1, 5);
	sim_arm(&l.sim, 2, 6);
	l.halt_at = 0;
	assert_int_equal(sim_run(&l.sim, 1000, 100), SIM_HALTED);
	assert_string_equal(l.text, "0@5 1@5 | ");
	arena_finish(&l.arena);
}

static uint64_t digest_of(int64_t first, int64_t second, uint64_t mixed)
{
	struct log l;
	begin(&l, 2);
	sim_arm(&l.sim, 0, first);
	sim_arm(&l.sim, 1, second);
	sim_mix(&l.sim, mixed);
	sim_run(&l.sim, 1000, 100);
	arena_finish(&l.arena);
	return l.sim.digest;
}

TEST("the digest depends on all")
{
	assert_true(digest_of(1, 2, 0) == digest_of(1, 2, 0));
	assert_true(digest_of(1, 2, 0) != digest_of(1, 3, 0));
	assert_true(digest_of(1, 2, 0) != digest_of(2, 1, 0));
	assert_true(digest_of(1, 2, 0) != digest_of(1, 2, 1));
}

TEST("a clock beyond the keys is refused")
{
	struct sim s;
	struct arena arena = {0};
	struct error err;
	int64_t last = (INT64_C(1) << 57) - 1; /* 64 slots: 63 - 6 bits */
	assert_true(sim_init(&s, &arena, 64, last, &model, NULL, &err));
	assert_int_equal(s.latest, last);
	sim_arm(&s, 63, last);
	assert_int_equal(sim_next(&s), last);
	sim_arm(&s, 63, last + 1); /* never reached */
	assert_int_equal(sim_next(&s), SIM_NEVER);
	assert_false(sim_init(&s, &arena, 64, last + 1, &model, NULL, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "64 event sources"));
	assert_true(sim_init(&s, &arena, 65, last / 2, &model, NULL, &err));
	assert_false(sim_init(&s, &arena, 65, last, &model, NULL, &err));
	arena_finish(&arena);
}
