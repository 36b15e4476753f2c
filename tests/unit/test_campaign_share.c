/* tests/unit/test_campaign_share.c - shares of a campaign, and counting runs that fail. */
#include <stdlib.h>

#include "runs/campaign/share.h"
#include "runs/campaign/troubles.h"
#include "tests/support/test.h"

/* Every unit is in exactly one share, in order, and is found as its member. */
static void check_division(uint32_t units, uint32_t count)
{
	uint8_t *seen = calloc(units + 1, 1);
	uint32_t total = 0;
	assert_non_null(seen);
	for (uint32_t i = 0; i < count; i++) {
		struct share s = share_of(units, i, count);
		total += s.members;
		for (uint32_t m = 0; m < s.members; m++) {
			uint32_t unit = share_unit(&s, m), run = share_run(&s, m);
			assert_true(unit < units);
			assert_int_equal(seen[unit]++, 0);
			assert_int_equal(share_member(&s, unit), m);
			assert_true(m == 0 || share_unit(&s, m - 1) < unit);
			assert_in_range(run, 1, s.members - m);
			assert_int_equal(share_unit(&s, m + run - 1), unit + run - 1);
		}
		for (uint32_t unit = 0; unit < units + 3; unit++)
			if (share_member(&s, unit) != UINT32_MAX)
				assert_true(share_member(&s, unit) < s.members);
	}
	assert_int_equal(total, units);
	free(seen);
}

TEST("divisions")
{
	for (uint32_t units = 1; units < 60; units++)
		for (uint32_t count = 1; count < 20; count++)
			check_division(units, count);
	check_division(100000, 1);
	check_division(100000, 7);
	check_division(99999, 64);
}

/* No share has more than a block above the mean; there are never many blocks, and from 256 shares on each has
 * one. */
TEST("shares are alike")
{
	struct share first = share_of(100000, 0, 8), last = share_of(100000, 7, 8);
	assert_true(first.members - last.members <= first.block);
	assert_int_equal(first.block, 782);
	assert_int_equal(share_run(&first, 0), 782);
	assert_int_equal(share_of(100, 0, 50).block, 1);
	assert_int_equal(share_of(64000, 0, 64).block, 250);
	for (uint32_t count = 256; count <= 1000; count += 31) {
		struct share s = share_of(1000999, 0, count);
		assert_int_equal(s.members, (1000999 + count - 1) / count);
		assert_int_equal(share_run(&s, 0), s.members);
		s = share_of(1000999, count / 2, count);
		assert_int_equal(share_run(&s, 0), s.members);
	}
	struct share huge = share_of(4000000000u, 3, 1000);
	assert_int_equal(huge.members, 4000000);
	assert_int_equal(share_member(&huge, share_unit(&huge, 3999999)), 3999999);
}

TEST("more shares than units")
{
	assert_int_equal(share_of(3, 2, 5).members, 1);
	assert_int_equal(share_of(3, 3, 5).members, 0);
}

/* After two failures the run is an error. If that fails too, the unit is given up; if that fails, everything
 * is. */
TEST("a run that fails again and again")
{
	struct troubles t = {0};
	struct error err;
	bool hopeless;
	assert_null(troubles_verdict(&t, 4, 1));
	assert_int_equal(troubles_changed(&t, 4), 0);
	assert_true(troubles_add(&t, 4, 1, 10, "first", &hopeless, &err));
	assert_false(hopeless);
	assert_null(troubles_verdict(&t, 4, 1));
	assert_true(troubles_add(&t, 4, 1, 11, "second", &hopeless, &err));
	assert_string_equal(troubles_verdict(&t, 4, 1), "second");
	assert_null(troubles_verdict(&t, 4, 2));
	assert_null(troubles_verdict(&t, 5, 1));
	assert_null(troubles_verdict(&t, 4, TROUBLE_UNIT));
	assert_int_equal(troubles_changed(&t, 4), 11);
	assert_int_equal(troubles_changed(&t, 5), 0);
	assert_true(troubles_add(&t, 4, 1, 12, "third", &hopeless, &err));
	assert_false(hopeless);
	assert_string_equal(troubles_verdict(&t, 4, TROUBLE_UNIT), "third");
	assert_true(troubles_add(&t, 4, TROUBLE_UNIT, 13, "fourth", &hopeless, &err));
	assert_true(hopeless);
	troubles_finish(&t);
}

TEST("a set that fails")
{
	struct troubles t = {0};
	struct error err;
	bool hopeless;
	assert_true(troubles_add(&t, 4, TROUBLE_UNIT, 1, "first", &hopeless, &err));
	assert_null(troubles_verdict(&t, 4, TROUBLE_UNIT));
	assert_true(troubles_add(&t, 4, TROUBLE_UNIT, 2, "second", &hopeless, &err));
	assert_false(hopeless);
	assert_string_equal(troubles_verdict(&t, 4, TROUBLE_UNIT), "second");
	for (uint32_t unit = 100; unit < 200; unit++)
		assert_true(troubles_add(&t, unit, 0, unit, "many", &hopeless, &err));
	assert_int_equal(troubles_changed(&t, 150), 150);
	assert_true(troubles_add(&t, 4, TROUBLE_UNIT, 3, "third", &hopeless, &err));
	assert_true(hopeless);
	troubles_finish(&t);
}

TEST("a list of units is a share of its own")
{
	const uint32_t list[] = {0, 3, 4, 5, 71};
	struct share s = share_of_list(72, list, 5);
	assert_int_equal(s.members, 5);
	for (uint32_t m = 0; m < 5; m++) {
		assert_int_equal(share_unit(&s, m), list[m]);
		assert_int_equal(share_member(&s, list[m]), m);
	}
	assert_int_equal(share_run(&s, 0), 1);
	assert_int_equal(share_run(&s, 1), 3);
	assert_int_equal(share_run(&s, 3), 1);
	assert_int_equal(share_run(&s, 4), 1);
	for (uint32_t unit = 0; unit < 100; unit++)
		if (unit != 0 && unit != 3 && unit != 4 && unit != 5 && unit != 71)
			assert_int_equal(share_member(&s, unit), UINT32_MAX);
}
