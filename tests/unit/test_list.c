/* tests/unit/test_list.c - growing lists keep their contents, and have the room they claim. Sanitizers check
 * the rest. */
#include <stdlib.h>

#include "base/list.h"
#include "tests/support/test.h"

#define MANY 1000u

/* The list also shrinks: it may grow again at any count. */
TEST("one by one")
{
	uint32_t *list = NULL;
	size_t count = 0;
	struct error err;
	for (uint32_t round = 0; round < MANY; round++) {
		for (uint32_t i = 0; i < round % 70; i++) {
			uint32_t *grown = list_room(list, count, sizeof(*list), "counting", &err);
			assert_non_null(grown);
			list = grown;
			list[count] = (uint32_t)count;
			count++;
		}
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(list[i], i);
		count = round % 5 ? count * round % (count + 1) : 0;
	}
	free(list);
}

TEST("by more")
{
	uint64_t *list = NULL;
	size_t capacity = 0;
	for (size_t needed = 1; needed < MANY; needed += needed % 7 + 1) {
		size_t before = capacity;
		assert_true(list_reserve(&list, &capacity, needed, sizeof(*list)));
		assert_true(capacity >= needed);
		assert_true(capacity == before || capacity >= 2 * before);
		for (size_t i = before; i < capacity; i++)
			list[i] = i;
		for (size_t i = 0; i < capacity; i++)
			assert_int_equal(list[i], i);
	}
	uint64_t *where = list;
	size_t room = capacity;
	assert_true(list_reserve(&list, &capacity, 3, sizeof(*list)));
	assert_ptr_equal(list, where);
	assert_int_equal(capacity, room);
	free(list);
}

TEST("what cannot grow stays")
{
	uint32_t one = 1, *list = malloc(sizeof(*list));
	size_t capacity = 1;
	struct error err;
	assert_non_null(list);
	*list = one;
	assert_false(list_reserve(&list, &capacity, SIZE_MAX / 8, sizeof(*list)));
	assert_int_equal(capacity, 1);
	assert_int_equal(*list, one);
	assert_null(list_room(list, 1, SIZE_MAX / 4, "counting", &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "out of memory for counting");
	assert_int_equal(*list, one);
	free(list);
}
