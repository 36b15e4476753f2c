/* tests/unit/test_heap.c - compares base/heap.h with arrays that are searched for their least element. */
#include <string.h>

#include "base/heap.h"
#include "base/random.h"
#include "tests/support/test.h"

#define MOST 200

static uint64_t draw(uint32_t step, uint8_t number)
{
	return random_bits(&(struct random_key){.seed = 14, .task = step, .purpose = RANDOM_TEST}, number);
}

/* Removes the least element of the list. */
static struct heap_entry take_least(struct heap_entry *list, size_t *count)
{
	size_t least = 0;
	for (size_t i = 1; i < *count; i++)
		if (list[i].key < list[least].key ||
			(list[i].key == list[least].key && list[i].value < list[least].value))
			least = i;
	struct heap_entry entry = list[least];
	list[least] = list[--*count];
	return entry;
}

TEST("the least key comes first")
{
	struct heap heap = {0};
	struct heap_entry list[MOST];
	struct error err;
	size_t count = 0, most = 0;
	for (uint32_t step = 0; step < 20000; step++) {
		bool in =
			count == 0 || (count < MOST && draw(step, 0) % 1000 < (step / 1000 % 2 ? 400 : 600));
		if (in) {
			/* Keys at the ends of 64 bits, and often the same one. */
			int64_t key = draw(step, 1) % 8 == 0   ? INT64_MIN
				      : draw(step, 1) % 8 == 1 ? INT64_MAX
							       : (int64_t)(draw(step, 2) % 40) - 20;
			list[count++] = (struct heap_entry){key, draw(step, 3) % 5};
			assert_true(heap_push(&heap, key, list[count - 1].value, &err));
		} else {
			struct heap_entry expected = take_least(list, &count), got = heap_pop(&heap);
			assert_int_equal(got.key, expected.key);
			assert_int_equal(got.value, expected.value);
		}
		assert_int_equal(heap.count, count);
		most = count > most ? count : most;
	}
	assert_int_equal(most, MOST);
	heap_finish(&heap);
	assert_int_equal(heap.count, 0);
}

static bool longer(const char *const *a, const char *const *b)
{
	return strlen(*a) > strlen(*b);
}

HEAP_OF(words, const char *, longer);

TEST("an array has an order of its own")
{
	static const char *const in[] = {"four", "a", "sixsix", "five5", "two", "so", "seven77"};
	const char *heap[sizeof(in) / sizeof(in[0])];
	size_t count = 0;
	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		words_rise(heap, count++, in[i]);
	for (size_t length = 7; length > 0; length--) {
		assert_int_equal(strlen(heap[0]), length);
		count--;
		words_sink(heap, count, heap[count]);
	}
	assert_int_equal(count, 0);
}

TEST("what replaces the root sinks")
{
	const char *heap[] = {"longest", "long", "longer"};
	words_sink(heap, 3, "so");
	assert_string_equal(heap[0], "longer");
	words_sink(heap, 3, "the longest of all");
	assert_string_equal(heap[0], "the longest of all");
}
