/* tests/unit/test_cores.c - several cores, partitioned and global: models/cpu.c; docs/model.md, "Cores". */
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static bool plan_suspend(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

static bool plan_busy(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BUSY;
	return true;
}

static bool plan_boost(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BOOST;
	return true;
}

static const struct policy suspend = {.name = "suspend", .plan = plan_suspend};
static const struct policy busy = {.name = "busy", .plan = plan_busy};
static const struct policy boost = {.name = "boost", .plan = plan_boost};

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.engines = ENGINES_UNLIMITED;
	k.platform.cores = 2;
	k.set.cores = true;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static void global(uint32_t cores)
{
	k.platform.cores = cores;
	k.platform.scheduling = CORES_GLOBAL;
	k.set.cores = false;
}

/* Tasks are named in the order of their priorities. */
static void task(int64_t offset, int32_t core)
{
	struct task *t = maker_task(&k, "t", 200, 100 + k.set.task_count, offset);
	t->core = core;
}

static void cpu(int64_t time)
{
	maker_cpu(&k, time, time);
}

static void happens(const struct policy *policy, const char *what)
{
	struct observed o = observe_under(&k, policy);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

/* ---- partitioned ---- */

TEST("cores run their own tasks at the same time")
{
	task(1, 0), cpu(2);
	task(0, 0), cpu(3);
	task(0, 1), cpu(4);
	task(0, 1), cpu(1);
	happens(&suspend,
		"t1.0.0 cpu 0-1 p; t0.0.0 cpu 1-3; t2.0.0 cpu@1 0-4; t1.0.0 cpu 3-5; t3.0.0 cpu@1 4-5");
}

TEST("a core is idle though jobs wait for another one")
{
	task(0, 1), cpu(2);
	task(0, 1), cpu(2);
	happens(&suspend, "t0.0.0 cpu@1 0-2; t1.0.0 cpu@1 2-4");
}

TEST("spinning holds the core of its task only")
{
	task(0, 1), cpu(1), maker_copy(&k, COPY_TO_GPU, 4), cpu(1);
	task(0, 1), cpu(2);
	task(0, 0), cpu(2);
	happens(&busy,
		"t0.0.0 cpu@1 0-1; t2.0.0 cpu 0-2; t0.0.1 copy0 1-5; t0.0.1 spin@1 1-5; t0.0.2 cpu@1 5-6; "
		"t1.0.0 cpu@1 6-8");
}

TEST("boosting holds the core of its task only")
{
	task(2, 1), cpu(1);
	task(2, 0), cpu(1);
	task(0, 1), cpu(1), maker_copy(&k, COPY_TO_GPU, 4), cpu(1);
	happens(&boost,
		"t2.0.0 cpu@1 0-1; t1.0.0 cpu 2-3; t2.0.1 copy0 1-5; t2.0.1 boost@1 1-5; t0.0.0 cpu@1 5-6; "
		"t2.0.2 cpu@1 6-7");
}

TEST("a task without CPU segments spins on core 0 unless it says another")
{
	task(0, CORE_NOT_SAID), maker_copy(&k, COPY_TO_GPU, 2);
	task(0, 1), maker_copy(&k, COPY_TO_GPU, 3);
	happens(&busy, "t0.0.0 copy0 0-2; t0.0.0 spin 0-2; t1.0.0 copy0 0-3; t1.0.0 spin@1 0-3");
}

TEST("each core has its own last job")
{
	k.platform.overheads.switch_ns = 2;
	task(0, 0), cpu(1);
	task(0, 1), cpu(1);
	happens(&suspend, "t0.0.0 switch 0-2; t1.0.0 switch@1 0-2; t0.0.0 cpu 2-3; t1.0.0 cpu@1 2-3");
}

TEST("a release interrupts the core of its task")
{
	k.platform.overheads.release_ns = 2;
	task(1, 0), cpu(1);
	task(0, 1), cpu(2);
	task(1, 1), cpu(1);
	happens(&suspend, "t1.0.0 release@1 0-2; t0.0.0 release 1-3; t0.0.0 cpu 3-4; t2.0.0 release@1 2-4; "
			  "t1.0.0 cpu@1 4-6; t2.0.0 cpu@1 6-7");
}

/* ---- global ---- */

TEST("the first jobs of the queue run, as many as there are cores")
{
	global(2);
	task(2, 0), cpu(2);
	task(0, 0), cpu(5);
	task(0, 0), cpu(5);
	task(0, 0), cpu(1);
	happens(&suspend,
		"t2.0.0 cpu@1 0-2 p; t0.0.0 cpu@1 2-4; t1.0.0 cpu 0-5; t3.0.0 cpu 5-6; t2.0.0 cpu@1 4-7");
}

TEST("one core for all is the only one")
{
	global(1);
	task(1, 0), cpu(1);
	task(0, 0), cpu(2);
	happens(&suspend, "t1.0.0 cpu 0-1 p; t0.0.0 cpu 1-2; t1.0.0 cpu 2-3");
}

TEST("a job that was preempted goes on on the core that is idle first")
{
	global(2);
	task(1, 0), cpu(5);
	task(0, 0), cpu(2);
	task(0, 0), cpu(4);
	happens(&suspend, "t2.0.0 cpu@1 0-1 p; t1.0.0 cpu 0-2; t2.0.0 cpu 2-5; t0.0.0 cpu@1 1-6");
}

TEST("a running job keeps its core, the others take the lowest in their order")
{
	global(3);
	task(2, 0), cpu(1);
	task(2, 0), cpu(1);
	task(0, 0), cpu(2);
	task(0, 0), cpu(3);
	happens(&suspend, "t2.0.0 cpu 0-2; t0.0.0 cpu 2-3; t3.0.0 cpu@1 0-3; t1.0.0 cpu@2 2-3");
}

TEST("a second CPU segment takes the lowest idle core, too")
{
	global(2);
	task(0, 0), cpu(2);
	task(0, 0), cpu(2), cpu(2);
	happens(&suspend, "t0.0.0 cpu 0-2; t1.0.0 cpu@1 0-2; t1.0.1 cpu 2-4");
}

TEST("of equal priorities the lower task goes first")
{
	global(2);
	for (int i = 0; i < 3; i++) {
		maker_task(&k, "t", 200, 100, 0);
		cpu(2);
	}
	happens(&suspend, "t0.0.0 cpu 0-2; t1.0.0 cpu@1 0-2; t2.0.0 cpu 2-4");
}

TEST("several jobs spin boosted")
{
	global(2);
	task(2, 0), cpu(1);
	task(0, 0), cpu(1), maker_copy(&k, COPY_TO_GPU, 4);
	task(0, 0), cpu(1), maker_copy(&k, COPY_TO_GPU, 4);
	happens(&boost,
		"t1.0.0 cpu 0-1; t2.0.0 cpu@1 0-1; t1.0.1 copy0 1-5; t1.0.1 boost 1-5; t2.0.1 copy0 1-5; "
		"t2.0.1 boost@1 1-5; t0.0.0 cpu 5-6");
}

TEST("behind a switch the job goes on on its core")
{
	global(2);
	k.platform.overheads.switch_ns = 2;
	task(0, 0), cpu(1);
	task(1, 0), cpu(3);
	happens(&suspend, "t0.0.0 switch 0-2; t0.0.0 cpu 2-3; t1.0.0 switch@1 1-3; t1.0.0 cpu@1 3-6");
}

/* t2 loses core 1 at 3, before it has computed, and is switched to once more on core 0. */
TEST("a job pays for each core that it comes to")
{
	global(2);
	k.platform.overheads.switch_ns = 2;
	task(3, 0), cpu(9);
	task(0, 0), cpu(3);
	task(1, 0), cpu(1);
	happens(&suspend, "t1.0.0 switch 0-2; t2.0.0 switch@1 1-3; t1.0.0 cpu 2-5; t0.0.0 switch@1 3-5; "
			  "t2.0.0 switch 5-7; t2.0.0 cpu 7-8; t0.0.0 cpu@1 5-14");
}

TEST("a release interrupts core 0, whose job moves to an idle one")
{
	global(2);
	k.platform.overheads.release_ns = 2;
	task(0, 0), cpu(4);
	task(3, 0), cpu(1);
	happens(&suspend, "t0.0.0 release 0-2; t0.0.0 cpu@1 0-4; t1.0.0 release 3-5; t1.0.0 cpu@1 4-5");
}

TEST("while core 0 is interrupted one job less runs")
{
	global(2);
	k.platform.overheads.release_ns = 2;
	task(0, 0), cpu(4);
	task(0, 0), cpu(4);
	task(5, 0), cpu(1);
	happens(&suspend, "t0.0.0 release 0-2; t1.0.0 release 2-4; t0.0.0 cpu@1 0-4; t1.0.0 cpu 4-5 p; "
			  "t2.0.0 release 5-7; t2.0.0 cpu 7-8; t1.0.0 cpu@1 5-8");
}
