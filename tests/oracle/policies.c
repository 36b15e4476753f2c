/* tests/oracle/policies.c - the policies that the oracle knows, as rows of choices (docs/policies.md). */
#include <string.h>

#include "tests/oracle/oracle.h"

#define SERIAL(order) .unit = ORACLE_SECTIONS, .gate = (order), .copies = (order)
#define KERNEL_WISE(order) .unit = ORACLE_KERNELS, .gate = (order), .copies = (order)
#define STGM KERNEL_WISE(ORACLE_BY_PRIORITY), .name = "stgm", .admits = ORACLE_RESERVING, .grants = true
#define RTGPU .name = "rtgpu", .copies = ORACLE_BY_PRIORITY, .grants = true
#define SBEET(n) .name = "sbeet", .unit = ORACLE_SECTION_KERNELS, .workers = (n)
#define PREDICTING .admits = ORACLE_PREDICTING
#define OPTION(which, what) .option = (which), .value = (what)
#define ANY .more = {{"admit", "any"}}

const struct oracle_policy oracle_policies[] = {
	{.label = "fifo-cke", .name = "fifo-cke"},
	{
		.label = "fifo-cke order=release",
		.name = "fifo-cke",
		OPTION("order", "release"),
		.primary = ORACLE_BY_RELEASE,
	},
	{
		.label = "fifo-cke priorities=ignore",
		.name = "fifo-cke",
		OPTION("priorities", "ignore"),
		.streams_alike = true,
	},
	{
		.label = "fifo-cke order=release priorities=ignore",
		.name = "fifo-cke",
		OPTION("order", "release"),
		.more = {{"priorities", "ignore"}},
		.primary = ORACLE_BY_RELEASE,
		.streams_alike = true,
	},
	{.label = "fcfs", .name = "fcfs", SERIAL(ORACLE_BY_ARRIVAL)},
	{
		.label = "fcfs unit=kernel",
		.name = "fcfs",
		OPTION("unit", "kernel"),
		KERNEL_WISE(ORACLE_BY_ARRIVAL),
	},
	{.label = "rm", .name = "rm", SERIAL(ORACLE_BY_PRIORITY), .rate = true},
	{
		.label = "rm unit=kernel",
		.name = "rm",
		OPTION("unit", "kernel"),
		KERNEL_WISE(ORACLE_BY_PRIORITY),
		.rate = true,
	},
	{.label = "prio-streams", .name = "prio-streams", .copies = ORACLE_BY_STREAM},
	{.label = "edf", .name = "edf", SERIAL(ORACLE_BY_DEADLINE), .core_by_deadline = true},
	{
		.label = "edf unit=kernel",
		.name = "edf",
		OPTION("unit", "kernel"),
		KERNEL_WISE(ORACLE_BY_DEADLINE),
		.core_by_deadline = true,
	},
	{.label = "self-suspension", .name = "self-suspension", SERIAL(ORACLE_BY_PRIORITY)},
	{.label = "mpcp", .name = "mpcp", SERIAL(ORACLE_BY_PRIORITY)},
	{
		.label = "mpcp wait=busy",
		.name = "mpcp",
		OPTION("wait", "busy"),
		SERIAL(ORACLE_BY_PRIORITY),
		.wait = ORACLE_BOOSTS,
	},
	{.label = "stgm", STGM, .wait = ORACLE_SPINS},
	{.label = "stgm admit=any", STGM, OPTION("admit", "any"), .wait = ORACLE_SPINS},
	{.label = "stgm wait=suspend admit=any", STGM, OPTION("wait", "suspend"), ANY},
	{
		.label = "stgm exclusive=false admit=any",
		STGM,
		OPTION("exclusive", "false"),
		ANY,
		.wait = ORACLE_SPINS,
	},
	{
		.label = "stgm exclusive=false allocation admit=any",
		STGM,
		OPTION("exclusive", "false"),
		ANY,
		.allocation = true,
		.wait = ORACLE_SPINS,
	},
	{
		.label = "stgm exclusive=false wait=suspend allocation",
		STGM,
		OPTION("exclusive", "false"),
		.more = {{"wait", "suspend"}, {"admit", "any"}},
		.allocation = true,
	},
	{
		.label = "stgm allocation admit=any",
		STGM,
		OPTION("admit", "any"),
		.allocation = true,
		.wait = ORACLE_SPINS,
	},
	{
		.label = "stgm test=utilization",
		STGM,
		OPTION("test", "utilization"),
		.wait = ORACLE_SPINS,
		.rate = true,
		.without = "rm",
	},
	{
		.label = "stgm test=utilization accept=mean",
		STGM,
		OPTION("test", "utilization"),
		.more = {{"accept", "mean"}},
		.wait = ORACLE_SPINS,
		.rate = true,
		.without = "rm",
	},
	{
		.label = "stgm test=utilization allocation",
		STGM,
		OPTION("test", "utilization"),
		.allocation = true,
		.wait = ORACLE_SPINS,
		.rate = true,
		.without = "rm",
	},
	{
		.label = "stgm test=utilization admit=any",
		STGM,
		OPTION("test", "utilization"),
		ANY,
		.wait = ORACLE_SPINS,
		.rate = true,
	},
	{
		.label = "stgm test=utilization allocation admit=any",
		STGM,
		OPTION("test", "utilization"),
		ANY,
		.allocation = true,
		.wait = ORACLE_SPINS,
		.rate = true,
	},
	{.label = "rtgpu", RTGPU},
	{.label = "rtgpu search=grid", RTGPU, OPTION("search", "grid")},
	{.label = "rtgpu form=start-time", RTGPU, OPTION("form", "start-time")},
	{.label = "rtgpu gaps=response", RTGPU, OPTION("gaps", "response")},
	{.label = "rtgpu admit=any", RTGPU, OPTION("admit", "any")},
	{.label = "rtgpu allocation admit=any", RTGPU, OPTION("admit", "any"), .allocation = true},
	{.label = "sbeet", SBEET(2), PREDICTING, .gate = ORACLE_BY_SECTION},
	{.label = "sbeet queue=fcfs", SBEET(2), PREDICTING, OPTION("queue", "fcfs")},
	{
		.label = "sbeet queue=priority",
		SBEET(2),
		PREDICTING,
		OPTION("queue", "priority"),
		.gate = ORACLE_BY_PRIORITY,
	},
	{
		.label = "sbeet energy=common",
		SBEET(2),
		PREDICTING,
		OPTION("energy", "common"),
		.gate = ORACLE_BY_SECTION,
		.common_window = true,
	},
	{
		.label = "sbeet infeasible=fastest",
		SBEET(2),
		PREDICTING,
		OPTION("infeasible", "fastest"),
		.gate = ORACLE_BY_SECTION,
		.fastest = true,
	},
	{.label = "sbeet workers=1", SBEET(1), PREDICTING, OPTION("workers", "1"), .gate = ORACLE_BY_SECTION},
	{.label = "sbeet workers=3", SBEET(3), PREDICTING, OPTION("workers", "3"), .gate = ORACLE_BY_SECTION},
	{
		.label = "sbeet workers=3 energy=common infeasible=fastest",
		SBEET(3),
		PREDICTING,
		OPTION("workers", "3"),
		.more = {{"energy", "common"}, {"infeasible", "fastest"}},
		.gate = ORACLE_BY_SECTION,
		.common_window = true,
		.fastest = true,
	},
	{
		.label = "sbeet after_start=stop",
		SBEET(2),
		PREDICTING,
		OPTION("after_start", "stop"),
		.gate = ORACLE_BY_SECTION,
		.one_start = true,
	},
	{
		.label = "sbeet workers=3 queue=fcfs after_start=stop",
		SBEET(3),
		PREDICTING,
		OPTION("workers", "3"),
		.more = {{"queue", "fcfs"}, {"after_start", "stop"}},
		.one_start = true,
	},
	{
		.label = "sbeet offline=true",
		SBEET(2),
		OPTION("offline", "true"),
		.gate = ORACLE_BY_SECTION,
		.admits = ORACLE_AS_PLANNED,
	},
	{
		.label = "sbeet offline=true workers=3 energy=common",
		SBEET(3),
		OPTION("offline", "true"),
		.more = {{"workers", "3"}, {"energy", "common"}},
		.gate = ORACLE_BY_SECTION,
		.admits = ORACLE_AS_PLANNED,
		.common_window = true,
	},
	{
		.label = "sbeet offline=true queue=fcfs infeasible=fastest",
		SBEET(2),
		OPTION("offline", "true"),
		.more = {{"queue", "fcfs"}, {"infeasible", "fastest"}},
		.admits = ORACLE_AS_PLANNED,
		.fastest = true,
	},
	{
		.label = "sbeet offline=true after_start=stop",
		SBEET(2),
		OPTION("offline", "true"),
		.more = {{"after_start", "stop"}},
		.gate = ORACLE_BY_SECTION,
		.admits = ORACLE_AS_PLANNED,
		.one_start = true,
	},
	{0},
};

const struct oracle_policy *oracle_policy_find(const char *label)
{
	for (const struct oracle_policy *p = oracle_policies; p->label; p++) {
		if (strcmp(p->label, label) == 0)
			return p;
	}
	return NULL;
}
