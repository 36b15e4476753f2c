/* tests/unit/test_warp_calendar.c - models/warps/calendar.c: the wheel of cycles, in which each sub-core is
 * entered for its next cycle. */
#include "models/warps/calendar.h"
#include "tests/support/test.h"

static struct arena arena;
static struct calendar calendar;

static int begin(void **state)
{
	return calendar_init(&calendar, &arena, 130) ? 0 : 1;
}

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(begin, end);

/* Takes all members out of a cycle, as a run does, in ascending order. */
static size_t take(int64_t cycle, uint32_t members[], size_t most)
{
	uint64_t *set = calendar_of(&calendar, cycle);
	size_t count = 0;
	for (uint32_t m = 0; m < 130; m++) {
		if (!(set[m / 64] >> m % 64 & 1))
			continue;
		set[m / 64] &= ~(UINT64_C(1) << m % 64);
		assert_true(count < most);
		members[count++] = m;
	}
	calendar_done(&calendar, cycle);
	return count;
}

static void only(int64_t cycle, uint32_t member)
{
	uint32_t members[4];
	assert_int_equal(take(cycle, members, 4), 1);
	assert_int_equal(members[0], member);
}

TEST("empty")
{
	assert_int_equal(calendar_next(&calendar, 0), INT64_MAX);
	assert_int_equal(calendar_next(&calendar, 123456789), INT64_MAX);
}

TEST("cycles come in order")
{
	calendar_enter(&calendar, 5, 900, 3);
	calendar_enter(&calendar, 5, 70, 2);
	calendar_enter(&calendar, 5, 5, 1);
	assert_int_equal(calendar_next(&calendar, 5), 5);
	only(5, 1);
	assert_int_equal(calendar_next(&calendar, 6), 70);
	only(70, 2);
	assert_int_equal(calendar_next(&calendar, 71), 900);
	only(900, 3);
	assert_int_equal(calendar_next(&calendar, 901), INT64_MAX);
}

/* Members of one cycle, in several words; a member that is entered twice is there once. */
TEST("members of a cycle")
{
	uint32_t members[4];
	calendar_enter(&calendar, 0, 7, 129);
	calendar_enter(&calendar, 0, 7, 0);
	calendar_enter(&calendar, 0, 7, 64);
	calendar_enter(&calendar, 0, 7, 64);
	assert_int_equal(calendar_next(&calendar, 0), 7);
	assert_int_equal(take(7, members, 4), 3);
	assert_int_equal(members[0], 0);
	assert_int_equal(members[1], 64);
	assert_int_equal(members[2], 129);
}

/* A cycle whose place in the wheel is before the current one's: in the same word, and in another. */
TEST("around the end")
{
	const int64_t now = 5 * CALENDAR_CYCLES + 40;
	calendar_enter(&calendar, now, now + CALENDAR_CYCLES - 30, 1);
	assert_int_equal(calendar_next(&calendar, now), now + CALENDAR_CYCLES - 30);
	calendar_enter(&calendar, now, now + CALENDAR_CYCLES - 200, 2);
	assert_int_equal(calendar_next(&calendar, now), now + CALENDAR_CYCLES - 200);
	only(now + CALENDAR_CYCLES - 200, 2);
	only(now + CALENDAR_CYCLES - 30, 1);
	assert_int_equal(calendar_next(&calendar, now + CALENDAR_CYCLES - 29), INT64_MAX);
}

/* Every distance in the wheel, from every place in a word. */
TEST("every distance")
{
	for (int64_t now = 1000; now < 1066; now++) {
		for (int64_t ahead = 0; ahead < CALENDAR_CYCLES; ahead++) {
			calendar_enter(&calendar, now, now + ahead, 9);
			assert_int_equal(calendar_next(&calendar, now), now + ahead);
			only(now + ahead, 9);
		}
	}
}

/* A cycle beyond the wheel's reach is entered at the wheel's far end: never later, and never in an earlier
 * cycle. */
TEST("beyond the wheel")
{
	static const int64_t far[] = {
		CALENDAR_CYCLES - 1, CALENDAR_CYCLES, CALENDAR_CYCLES + 1, 1000000, INT64_MAX - 100};
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		calendar_enter(&calendar, 77, 77 + far[i], 5);
		assert_int_equal(calendar_next(&calendar, 77), 77 + CALENDAR_CYCLES - 1);
		only(77 + CALENDAR_CYCLES - 1, 5);
	}
}
