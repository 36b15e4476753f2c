/* tests/unit/test_name_index.c - which object has a name: found by order, or one by one. */
#include <stdio.h>

#include "base/name_index.h"
#include "tests/support/test.h"

enum { MANY = 20000 };

struct named {
	int number;
	const char *name;
};

static char text[MANY][8];
static struct named object[MANY];

/* Names in no order, each `times` times. */
static void fill(uint32_t count, uint32_t times)
{
	for (uint32_t i = 0; i < count; i++) {
		snprintf(text[i], sizeof(text[i]), "n%u", i % (count / times) * 7919u % MANY);
		object[i] = (struct named){.name = text[i]};
	}
}

TEST("every name is found at its first object, among few and among many")
{
	for (uint32_t count = 2; count <= MANY; count = count < 100    ? count + 2
							: count < MANY ? MANY
								       : MANY + 1) {
		struct name_index n;
		fill(count, 2);
		name_index_init(&n, &object->name, sizeof(*object), count);
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(name_index_first(&n, text[i]), i % (count / 2));
		assert_int_equal(name_index_first(&n, "n"), NAME_NONE);
		assert_int_equal(name_index_first(&n, "zz"), NAME_NONE);
		assert_int_equal(name_index_first(&n, NULL), NAME_NONE);
		name_index_finish(&n);
	}
}

TEST("who has no name is passed over")
{
	for (uint32_t count = 3; count < 400; count += 300) {
		struct name_index n;
		fill(count, 1);
		for (uint32_t i = 0; i + 1 < count; i++)
			object[i].name = NULL;
		name_index_init(&n, &object->name, sizeof(*object), count);
		assert_int_equal(name_index_first(&n, text[0]), NAME_NONE);
		assert_int_equal(name_index_first(&n, text[count - 1]), count - 1);
		name_index_finish(&n);
	}
	struct name_index none = {0};
	assert_int_equal(name_index_first(&none, "a"), NAME_NONE);
	name_index_finish(&none);
}

/* 15 looks at one of 20,000; a look at every pair would be 2 * 10^8. */
TEST("to find all names takes time of their number")
{
	struct name_index n;
	fill(MANY, 1);
	name_index_init(&n, &object->name, sizeof(*object), MANY);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(name_index_first(&n, text[i]), i);
	assert_in_range(n.looks, MANY, MANY * 15);
	name_index_finish(&n);
}
