/* tests/unit/test_judge.c - models/judge.c: every range of a platform, whoever has read it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/judge.h"
#include "tests/support/test.h"

enum width { COUNT32, NUMBER64 };

/* Where the least is 0, a count cannot be below it. */
static const struct {
	const char *name;
	enum width width;
	size_t offset;
	int64_t least, most;
} fields[] = {
	{"cores", COUNT32, offsetof(struct platform, cores), 1, PLATFORM_MAX_CORES},
	{"launch overhead", NUMBER64, offsetof(struct platform, overheads.launch_ns), 0, TIME_MAX_NS},
	{"latency overhead", NUMBER64, offsetof(struct platform, overheads.latency_ns), 0, TIME_MAX_NS},
	{"gap overhead", NUMBER64, offsetof(struct platform, overheads.gap_ns), 0, TIME_MAX_NS},
	{"sync overhead", NUMBER64, offsetof(struct platform, overheads.sync_ns), 0, TIME_MAX_NS},
	{"switch overhead", NUMBER64, offsetof(struct platform, overheads.switch_ns), 0, TIME_MAX_NS},
	{"release overhead", NUMBER64, offsetof(struct platform, overheads.release_ns), 0, TIME_MAX_NS},
	{"engines", COUNT32, offsetof(struct platform, engines), ENGINES_UNLIMITED, 2},
	{"copy latency", NUMBER64, offsetof(struct platform, copy_latency_ns), 0, TIME_MAX_NS},
	{"copy bandwidth", NUMBER64, offsetof(struct platform, copy_bandwidth), 0, BANDWIDTH_MAX_BYTES},
	{"sms", COUNT32, offsetof(struct platform, sms), 0, PLATFORM_MAX_SMS},
	{"sms_per_tpc", COUNT32, offsetof(struct platform, sms_per_tpc), 1, 2},
	{"threads_per_sm", COUNT32, offsetof(struct platform, threads_per_sm), 0, RESIDENTS_MAX},
	{"threads_per_block", COUNT32, offsetof(struct platform, threads_per_block), 0, BLOCK_THREADS_MAX},
	{"blocks_per_sm", COUNT32, offsetof(struct platform, blocks_per_sm), 0, RESIDENTS_MAX},
	{"warps_per_sm", COUNT32, offsetof(struct platform, warps_per_sm), 0, RESIDENTS_MAX},
	{"registers_per_sm", NUMBER64, offsetof(struct platform, registers_per_sm), 0, INT32_MAX},
	{"shared_memory_per_sm", NUMBER64, offsetof(struct platform, shared_memory_per_sm), 0,
		MEMORY_MAX_BYTES},
	{"virtual_sms_per_sm", COUNT32, offsetof(struct platform, virtual_sms_per_sm), 0, VIRTUAL_SMS_MAX},
	{"work_queues", COUNT32, offsetof(struct platform, work_queues), 1, WORK_QUEUES_MAX},
	{"resident_kernels", COUNT32, offsetof(struct platform, resident_kernels), 0, RESIDENTS_MAX},
	{"pin_overhead", NUMBER64, offsetof(struct platform, pin_overhead_ns), 0, TIME_MAX_NS},
	{"preemption_delay", NUMBER64, offsetof(struct platform, preemption_delay_ns), 0, TIME_MAX_NS},
	{"timeslice", NUMBER64, offsetof(struct platform, contexts.timeslice_ns), 0, TIME_MAX_NS},
	{"switch", NUMBER64, offsetof(struct platform, contexts.switch_ns), 0, TIME_MAX_NS},
	{"reset", NUMBER64, offsetof(struct platform, contexts.reset_ns), 0, TIME_MAX_NS},
	{"static power", NUMBER64, offsetof(struct platform, static_uw), 0, POWER_MAX_UW},
	{"idle power of an SM", NUMBER64, offsetof(struct platform, idle_per_sm_uw), 0, POWER_MAX_UW},
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static void set(struct platform *p, size_t field, int64_t value)
{
	char *at = (char *)p + fields[field].offset;
	uint32_t count = (uint32_t)value;
	if (fields[field].width == COUNT32)
		memcpy(at, &count, sizeof(count));
	else
		memcpy(at, &value, sizeof(value));
}

static void check(size_t field, int64_t value, bool should)
{
	struct platform p = platform_default();
	struct error err;
	char words[160];
	set(&p, field, value);
	snprintf(words, sizeof(words), "'%s' is %" PRId64 "; it must be %" PRId64 " to %" PRId64,
		fields[field].name, value, fields[field].least, fields[field].most);
	bool ok = platform_check(&p, &err);
	if (ok != should)
		fail_msg("%s: %s", words, ok ? "taken" : err.text);
	if (!ok)
		assert_string_equal(err.text, words);
}

TEST("a platform has every number in its range")
{
	for (size_t i = 0; i < FIELDS; i++) {
		check(i, fields[i].most, true);
		check(i, fields[i].most + 1, false);
		check(i, fields[i].least, true);
		if (fields[i].least > 0 || fields[i].width == NUMBER64)
			check(i, fields[i].least - 1, false);
	}
}
