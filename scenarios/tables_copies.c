/* scenarios/tables_copies.c - owns what copies say: directions, sizes, and times on several GPUs. */
#include "scenarios/tables.h"

static const struct binder_choice directions[] = {COPY_WORDS(WORD_CHOICE){NULL}};
const struct binder_shape shape_direction = {.kind = SHAPE_CHOICE, .choices = directions};
const struct binder_shape shape_copy_bytes = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .max = COPY_MAX_BYTES};

static const struct binder_shape interval = {.kind = SHAPE_INTERVAL, .unit = UNIT_TIME, .max = TIME_MAX_NS};

const struct binder_shape shape_copy_times = {
	.kind = SHAPE_LIST,
	.item = &interval,
	.size = sizeof(struct copy_time),
	.min = 1,
	.max = PLATFORM_MAX_GPUS,
};
_Static_assert(sizeof(struct copy_time) == 2 * sizeof(int64_t), "an interval fills it");
