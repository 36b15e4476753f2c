/* tests/unit/test_arena.c - arenas: memory is zeroed, aligned and disjoint, and a lack of memory is
 * reported. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "tests/support/test.h"

/* Under AddressSanitizer, too, an impossible size must return NULL. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

TEST("gives zeroed aligned memory")
{
	struct arena arena = {0};
	/* Sizes on both sides of the alignment, of the first chunk's size, and of the largest chunk's
	 * size. */
	static const size_t sizes[] = {1, 15, 16, 17, 63, 64, 65, 100, 4000, 4096, 5000, 70000,
		(size_t)1 << 19, ((size_t)1 << 20) + 1, 3, (size_t)5 << 20, 40};
	for (size_t round = 0; round < 50; round++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			size_t size = round == 0 || sizes[i] < 5000 ? sizes[i] : 1;
			unsigned char *memory = arena_alloc(&arena, 1, size);
			assert_non_null(memory);
			assert_int_equal((uintptr_t)memory % (size > 64 ? 64 : 16), 0);
			for (size_t k = 0; k < size; k++)
				assert_true(memory[k] == 0);
			memset(memory, 0xa5, size); /* would be seen by whoever gets this memory again */
		}
	}
	arena_finish(&arena);
	assert_null(arena.chunks);
}

TEST("objects do not overlap")
{
	struct arena arena = {0};
	enum { COUNT = 3000 };
	uint32_t *object[COUNT];
	for (uint32_t i = 0; i < COUNT; i++) {
		object[i] = arena_new(&arena, uint32_t, 1 + i % 40);
		assert_non_null(object[i]);
		for (uint32_t k = 0; k < 1 + i % 40; k++)
			object[i][k] = i;
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		for (uint32_t k = 0; k < 1 + i % 40; k++)
			assert_int_equal(object[i][k], i);
	}
	arena_finish(&arena);

	/* Chunks filled to their last byte. */
	for (uint32_t i = 0; i < 2 * COUNT; i++) {
		unsigned char *byte = arena_alloc(&arena, 1, 1);
		assert_non_null(byte);
		assert_true(*byte == 0);
		*byte = 1;
	}
	arena_finish(&arena);
}

/* Memory on both sides of the image, in chunks of the list's head and behind it. */
TEST("an image gives back what was taken since")
{
	struct arena arena = {0};
	struct arena_image image;
	unsigned char *kept[4], *later[4];
	static const size_t sizes[] = {100, (size_t)1 << 20, 5000, 40};
	for (size_t i = 0; i < 4; i++) {
		kept[i] = arena_alloc(&arena, 1, sizes[i]);
		memset(kept[i], (int)i + 1, sizes[i]);
	}
	assert_true(arena_image_take(&image, &arena));
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < 4; i++) {
			unsigned char *memory = arena_alloc(&arena, 1, sizes[3 - i]);
			if (round == 0)
				later[i] = memory;
			for (size_t k = 0; k < sizes[3 - i]; k++)
				assert_true(memory[k] == 0);
			memset(memory, 0xa5, sizes[3 - i]);
			memset(kept[i], 0xa5, sizes[i]);
		}
		arena_image_restore(&image, &arena);
		for (size_t i = 0; i < 4; i++)
			for (size_t k = 0; k < sizes[i]; k++)
				assert_true(kept[i][k] == i + 1);
		assert_ptr_equal(arena_alloc(&arena, 1, sizes[3]), later[0]);
		arena_image_restore(&image, &arena);
	}
	arena_image_finish(&image);
	arena_finish(&arena);
	assert_true(arena_image_take(&image, &arena)); /* of an empty one */
	memset(arena_alloc(&arena, 1, 9), 1, 9);
	arena_image_restore(&image, &arena);
	assert_null(arena.chunks);
	arena_image_finish(&image);
}

TEST("counts of zero are valid")
{
	struct arena arena = {0};
	char *first = arena_alloc(&arena, 0, 8), *second = arena_alloc(&arena, 0, 8);
	assert_non_null(first);
	assert_non_null(second);
	assert_ptr_not_equal(first, second);
	arena_finish(&arena);
}

TEST("refuses what cannot be")
{
	struct arena arena = {0};
	assert_null(arena_alloc(&arena, SIZE_MAX, 2));
	assert_null(arena_alloc(&arena, SIZE_MAX / 2 + 1, 2));
	assert_null(arena_alloc(&arena, 1, SIZE_MAX));
	assert_null(arena_alloc(&arena, 1, SIZE_MAX - 64));
	assert_null(arena_alloc(&arena, 1, SIZE_MAX - 80));
	/* Uses a variable: gcc rejects constants that malloc cannot allocate. */
	volatile size_t half = SIZE_MAX / 2;
	assert_null(arena_alloc(&arena, half, 1));
	assert_null(arena.chunks);
	assert_non_null(arena_alloc(&arena, 1, 1)); /* the arena can still be used */
	assert_null(arena_alloc(&arena, half, 1));
	assert_non_null(arena_alloc(&arena, 1, 1));
	arena_finish(&arena);
}

TEST("copies strings")
{
	struct arena arena = {0};
	char text[] = "vehicle";
	char *copy = arena_strdup(&arena, text);
	text[0] = 'V';
	assert_string_equal(copy, "vehicle");
	assert_string_equal(arena_strdup(&arena, ""), "");
	arena_finish(&arena);
}

TEST("can be used again")
{
	struct arena arena = {0};
	arena_finish(&arena);
	assert_non_null(arena_new(&arena, int, 10));
	arena_finish(&arena);
	assert_non_null(arena_new(&arena, int, 10));
	arena_finish(&arena);
	arena_finish(&arena);
}
