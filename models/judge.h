/* models/judge.h - the one judge of inputs. A platform, a task set or the setup of a run is checked here,
 * whoever read it: a scenario (scenarios/) or a recording (runs/load.c), which may be a stranger's. Readers
 * only see to it that a value has its type, and say where it stands: file, line and column, or table and row.
 *
 * taskset_check() (models/taskset.h) and warp_set_check() (models/warps/warp_set.h) belong to it. */
#ifndef CEGSIM_MODELS_JUDGE_H
#define CEGSIM_MODELS_JUDGE_H

#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

/* Ranges of what is given, least and most where the least is not 0. */
#define TIME_MAX_NS (INT64_C(2000000000) * 1000000000) /* 63 years: sums of four fit an int64_t */
#define POWER_MAX_UW INT64_C(1000000000000) /* a megawatt: energies of 63 years still fit 128 bits */
#define MEMORY_MAX_BYTES (INT64_C(1) << 40)
#define COPY_MAX_BYTES (INT64_C(1) << 50)
#define BANDWIDTH_MAX_BYTES (INT64_MAX / 8) /* per second */
#define RESIDENTS_MAX (1 << 20)             /* threads, blocks or warps of an SM; kernels of a GPU */
#define BLOCK_THREADS_MAX (1 << 20)
#define BLOCK_TIMES_MAX (1 << 20) /* different blocks of a kernel */
#define REGISTERS_MAX 65536       /* of a thread */
#define VIRTUAL_SMS_MAX 1024      /* per SM */
#define WORK_QUEUES_MAX 4096
#define STREAM_MAX 1000000
#define PRIORITY_MAX 1000000000 /* and as far below 0 */
#define TASKS_MAX 1000000
#define CHAINS_MAX 10000
#define DELAY_MAX_PPM 100000000 /* of sporadic releases */

/* What is found wrong, one thing after the other, by a check that goes on: the first member of its own
 * struct, which knows the place. Defects are counted whether or not somebody hears of them. */
struct defects {
	void (*report)(const struct defects *found, const char *text);
	size_t count;
};
void PRINTF_LIKE(2, 3) defects_add(struct defects *found, const char *fmt, ...);
/* Whether the value is from `least` to `most`; if not, that is a defect of `what`. */
bool defects_in_range(struct defects *found, const char *what, int64_t value, int64_t least, int64_t most);

/* False: *err is the first thing that is wrong with the platform: "GPU 1: 'sms' is 5000; it must be 0 to
 * 4096". */
MUST_CHECK bool platform_check(const struct platform *p, struct error *err);

/* What is wrong with the setup: the same. The release rules of tasks are part of the set. */
MUST_CHECK bool setup_check(const struct run_setup *setup, struct error *err);

/* Which tasks a list has named so far, of as many as there are bits at a time. Between two lists none is
 * marked: it begins zeroed. */
#define NAMED_AT_A_TIME 65536u
struct named_tasks {
	uint64_t marked[NAMED_AT_A_TIME / 64];
	uint64_t looks; /* at elements of lists, since the beginning: what the check costs */
};

/* What is wrong with a rule for the releases of a task, of this period; NULL: nothing. */
const char *release_rule_wrong(
	const struct release_rule *rule, const struct task *task, uint32_t tasks, struct named_tasks *named);

#endif
