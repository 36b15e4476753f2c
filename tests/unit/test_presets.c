/* tests/unit/test_presets.c - the table of GPUs: names, limits that fit each other, evidence. */
#include <string.h>

#include "scenarios/presets.h"
#include "tests/support/test.h"

/* The values once more, from deviceQuery and the papers named in presets.c. */
static const struct {
	const char *name;
	uint32_t sms, tpc, engines, threads, warps, blocks;
	int64_t shared;
} facts[] = {
	{"jetson-tx1", 2, 1, 1, 2048, 64, 32, 64 * 1024},
	{"jetson-tx2", 2, 1, 1, 2048, 64, 32, 64 * 1024},
	{"jetson-agx-xavier", 8, 2, 1, 2048, 64, 32, 96 * 1024},
	{"jetson-agx-orin", 16, 2, 2, 1536, 48, 16, 164 * 1024},
	{"gtx-1080-ti", 28, 1, 2, 2048, 64, 32, 96 * 1024},
	{"titan-v", 80, 2, 2, 2048, 64, 32, 96 * 1024},
	{"rtx-3090", 82, 2, 2, 1536, 48, 16, 100 * 1024},
	{"rtx-3070", 46, 2, 2, 1536, 48, 16, 100 * 1024},
	{"t400", 6, 2, 1, 1024, 32, 16, 64 * 1024},
	{"synthetic-8sm", 8, 2, 1, 2048, 64, 32, 96 * 1024},
	{"a100-40gb", 108, 2, 2, 2048, 64, 32, 164 * 1024},
	{"h100-sxm", 132, 2, 2, 2048, 64, 32, 228 * 1024},
	{"h200", 132, 2, 2, 2048, 64, 32, 228 * 1024},
	{"a100-mig-1g", 14, 2, 1, 2048, 64, 32, 164 * 1024},
	{"a100-mig-2g", 28, 2, 2, 2048, 64, 32, 164 * 1024},
	{"a100-mig-3g", 42, 2, 2, 2048, 64, 32, 164 * 1024},
	{"a100-mig-4g", 56, 2, 2, 2048, 64, 32, 164 * 1024},
	{"a100-mig-7g", 98, 2, 2, 2048, 64, 32, 164 * 1024},
	{"h100-mig-1g", 16, 2, 1, 2048, 64, 32, 228 * 1024},
	{"h100-mig-2g", 32, 2, 2, 2048, 64, 32, 228 * 1024},
	{"h100-mig-3g", 60, 2, 2, 2048, 64, 32, 228 * 1024},
	{"h100-mig-4g", 64, 2, 2, 2048, 64, 32, 228 * 1024},
};
#define FACTS (sizeof(facts) / sizeof(facts[0]))

TEST("limits are those of the hardware")
{
	size_t count;
	preset_all(&count);
	assert_int_equal(count, FACTS);
	for (size_t i = 0; i < FACTS; i++) {
		const struct preset *p = preset_find(facts[i].name);
		assert_non_null(p);
		assert_int_equal(p->platform.sms, facts[i].sms);
		assert_int_equal(p->platform.sms_per_tpc, facts[i].tpc);
		assert_int_equal(p->platform.engines, facts[i].engines);
		assert_int_equal(p->platform.threads_per_sm, facts[i].threads);
		assert_int_equal(p->platform.warps_per_sm, facts[i].warps);
		assert_int_equal(p->platform.blocks_per_sm, facts[i].blocks);
		assert_int_equal(p->platform.shared_memory_per_sm, facts[i].shared);
		assert_int_equal(p->platform.registers_per_sm, 65536);
	}
}

TEST("every preset is a complete platform")
{
	size_t count;
	const struct preset *all = preset_all(&count);
	for (size_t i = 0; i < count; i++) {
		const struct platform *p = &all[i].platform;
		assert_ptr_equal(preset_find(all[i].name), &all[i]); /* unique, then */
		assert_string_equal(p->name, all[i].name);
		assert_null(strchr(all[i].name, '_'));
		assert_int_equal(p->cores, 1);
		assert_int_equal(p->pool, POOL_SM);
		assert_int_equal(p->work_queues, 32);
		assert_int_equal(p->warps_per_sm * WARP_THREADS, p->threads_per_sm);
		assert_in_range(p->sms, 1, PLATFORM_MAX_SMS);
		assert_int_equal(p->virtual_sms_per_sm, 0);
		assert_int_equal(p->threads_per_block, 1024);
		assert_true(all[i].registers_per_block <= p->registers_per_sm);
		assert_true(all[i].shared_memory_per_block <= p->shared_memory_per_sm);
		assert_int_equal(all[i].warp_schedulers, 4);
		assert_true(strlen(all[i].source) > 20);
		assert_non_null(all[i].compute);
	}
}

/* In KiB, once more: the caches of an SM, L2. */
TEST("sizes of caches are those of their sources")
{
	static const struct {
		const char *name;
		int64_t sm, l2, l1;
	} caches[] = {
		{"jetson-tx1", 0, 0, 0},
		{"jetson-tx2", 24, 512, 24},
		{"jetson-agx-xavier", 128, 512, 32},
		{"jetson-agx-orin", 192, 4096, 28},
		{"gtx-1080-ti", 48, 2816, 48},
		{"titan-v", 128, 4608, 32},
		{"rtx-3090", 128, 6144, 28},
		{"rtx-3070", 128, 4096, 28},
		{"t400", 96, 0, 32},
		{"synthetic-8sm", 128, 512, 32},
		{"a100-40gb", 192, 40960, 28},
		{"h100-sxm", 256, 51200, 28},
		{"h200", 256, 51200, 28},
		{"a100-mig-1g", 192, 5120, 28},
		{"a100-mig-2g", 192, 10240, 28},
		{"a100-mig-3g", 192, 20480, 28},
		{"a100-mig-4g", 192, 20480, 28},
		{"a100-mig-7g", 192, 40960, 28},
		{"h100-mig-1g", 256, 6400, 28},
		{"h100-mig-2g", 256, 12800, 28},
		{"h100-mig-3g", 256, 25600, 28},
		{"h100-mig-4g", 256, 25600, 28},
	};
	assert_int_equal(sizeof(caches) / sizeof(caches[0]), FACTS);
	for (size_t i = 0; i < FACTS; i++) {
		const struct preset *p = preset_find(caches[i].name);
		assert_int_equal(p->cache_per_sm, caches[i].sm * 1024);
		assert_int_equal(p->l2_bytes, caches[i].l2 * 1024);
		assert_int_equal(preset_l1(p, p->platform.shared_memory_per_sm), caches[i].l1 * 1024);
		assert_int_equal(p->cache_source != NULL, caches[i].sm > 0);
	}
	assert_int_equal(preset_l1(preset_find("titan-v"), 0), 128 * 1024);
	assert_int_equal(preset_l1(preset_find("titan-v"), 128 * 1024), 0);
}

TEST("power is given where it was measured")
{
	size_t count, measured = 0;
	const struct preset *all = preset_all(&count);
	for (size_t i = 0; i < count; i++) {
		const struct platform *p = &all[i].platform;
		assert_int_equal(all[i].power_source != NULL, p->static_uw > 0);
		assert_int_equal(p->static_uw > 0, p->idle_per_sm_uw > 0);
		measured += p->static_uw > 0;
	}
	assert_int_equal(measured, 4);
	assert_int_equal(preset_find("rtx-3070")->platform.static_uw, 46000000);
	assert_int_equal(preset_find("rtx-3070")->platform.idle_per_sm_uw, 445000);
	assert_int_equal(preset_find("t400")->platform.static_uw, 8000000);
	assert_int_equal(preset_find("t400")->platform.idle_per_sm_uw, 652000);
	assert_int_equal(preset_find("jetson-agx-xavier")->platform.static_uw, 612000);
	assert_int_equal(preset_find("jetson-agx-xavier")->platform.idle_per_sm_uw, 74000);
	assert_int_equal(preset_find("synthetic-8sm")->platform.static_uw, 612000);
	assert_int_equal(preset_find("synthetic-8sm")->platform.idle_per_sm_uw, 74000);
}

TEST("other names are not found")
{
	assert_null(preset_find(""));
	assert_null(preset_find("jetson_tx1"));
	assert_null(preset_find("JETSON-TX1"));
	assert_null(preset_find("jetson-tx"));
}
