/* tests/unit/test_audit_gpus.c - the laws on several GPUs: each accepts a correct recording, and finds
 * something when one row of it is wrong. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void copy_on_the_other(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->gpu = 0;
}

static void block_on_the_other(struct audit_sample *s)
{
	block_of(s, 1, 1, 0)->gpu = 0;
}

static void block_on_sm_1(struct audit_sample *s)
{
	block_of(s, 1, 1, 0)->sm = 1;
}

static void on_gpu_7(struct audit_sample *s)
{
	interval(s, 1, 0, 1)->gpu = 7;
}

/* Camera's section on GPU 1 begins where it is ready: beside lidar's. */
static void both_on_gpu_1(struct audit_sample *s)
{
	struct segment_interval_row *copy = interval(s, 0, 0, 2);
	shift(-MS, &copy->start_ns, &copy->end_ns);
}

/* And a millisecond late. */
static void gpu_1_idle(struct audit_sample *s)
{
	struct segment_interval_row *copy = interval(s, 0, 0, 2);
	shift(MS, &copy->start_ns, &copy->end_ns);
}

static void more_threads(struct audit_sample *s)
{
	for (size_t i = 0; i < s->blocks; i++)
		s->block[i].threads *= s->block[i].gpu == 1 ? 2 : 1;
	s->segment[5].block_threads = s->segment[3].block_threads = 2048;
}

static void powers_of_the_other(struct audit_sample *s)
{
	for (size_t i = 0; i < s->powers; i++)
		s->power[i].gpu = 0;
}

static void power_of_gpu_1(struct audit_sample *s)
{
	s->power[4].power_uw += 1000;
	s->power[6].power_uw -= 1000;
}

static void energy_moved(struct audit_sample *s)
{
	s->gpu[0].energy_uj += 5;
	s->gpu[1].energy_uj -= 5;
}

static void energy_more(struct audit_sample *s)
{
	s->run.record = "jobs"; /* there are no power intervals to compare with */
	s->gpu[1].energy_uj += 5;
}

static void activity_less(struct audit_sample *s)
{
	s->run.record = "jobs";
	s->gpu[1].gpu_active_ns -= 5;
}

static void activity_moved(struct audit_sample *s)
{
	s->gpu[0].gpu_active_ns += 5;
	s->gpu[1].gpu_active_ns -= 5;
}

static void one_without_row(struct audit_sample *s)
{
	s->gpus = 1;
}

static void placed_elsewhere(struct audit_sample *s)
{
	s->decision[0].gpu = 0;
}

/* Another row about the section, on two SMs, which is not chosen. */
static struct decision_row *weighed_too(struct audit_sample *s)
{
	struct decision_row *row = &s->decision[s->decisions++];
	*row = s->decision[0];
	row->sms = 2;
	row->chosen = 0;
	return row;
}

static void placed_twice(struct audit_sample *s)
{
	struct decision_row *again = weighed_too(s);
	again->sms = again->chosen = 1;
}

static void placed_on_two(struct audit_sample *s)
{
	s->decision[0].sms = 2;
}

static void placed_late(struct audit_sample *s)
{
	(void)weighed_too(s);
	s->decision[0].feasible = 0;
}

static void placed_for_more(struct audit_sample *s)
{
	weighed_too(s)->predicted_uwns--;
}

static void predicted_later(struct audit_sample *s)
{
	s->decision[0].kernel_end_ns++;
}

static void predicted_of_one_gpu(struct audit_sample *s)
{
	s->decision[0].predicted_uwns = 3600000 * MS;
}

static void predicted_to_miss(struct audit_sample *s)
{
	s->decision[0].feasible = 0;
}

static void not_chosen(struct audit_sample *s)
{
	s->decision[0].chosen = 0;
}

static void of_the_copy(struct audit_sample *s)
{
	s->decision[0].segment_idx = 0;
}

static void not_weighed(struct audit_sample *s)
{
	s->decisions = 0;
}

static void weighed_elsewhere(struct audit_sample *s)
{
	weighed_too(s)->gpu = 0;
}

static void decided_later(struct audit_sample *s)
{
	s->decision[0].time_ns = 3 * MS;
}

/* Its home is then GPU 0, and GPU 1 is idle. */
static void lives_as_given(struct audit_sample *s)
{
	s->params = "{\"assign\":\"given\",\"choice\":\"migrate\",\"energy\":\"own\","
		    "\"infeasible\":\"energy\",\"queue\":\"priority\",\"workers\":2}";
}

/* Predicts nothing. */
static void the_little_one(struct audit_sample *s)
{
	s->params = "{\"assign\":\"energy\",\"choice\":\"little\",\"energy\":\"own\","
		    "\"infeasible\":\"energy\",\"queue\":\"priority\",\"workers\":2}";
}

static void as_long_as_at_home(struct audit_sample *s)
{
	s->segment[0].copy_times = "[[4000000, 4000000], [2000000, 2000000]]";
}

static void kernel_at_home(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->gpu = 0;
}

/* a's copy on GPU 1 before b's. */
static void lower_copy_first(struct audit_sample *s)
{
	shift(-MS, &interval(s, 0, 0, 1)->start_ns, &interval(s, 0, 0, 1)->end_ns);
	shift(MS, &interval(s, 1, 0, 1)->start_ns, &interval(s, 1, 0, 1)->end_ns);
	job(s, 0, 0)->finish_ns = 3 * MS;
	job(s, 1, 0)->finish_ns = 4 * MS;
}

static const struct defect defects[] = {
	{"copy-order", sample_engines, lower_copy_first, "though the copy of task 'b', waiting since 2ms,",
		PROMISED},
	{"predictions", sample_placed, predicted_later, "it is predicted to end at 6.000001ms, expected 6ms",
		PROMISED},
	{"predictions", sample_placed, predicted_of_one_gpu, "expected 9600000000000", PROMISED},
	{"predictions", sample_placed, predicted_to_miss, "that is feasible, and is said not to be",
		PROMISED},
	{"predictions", sample_placed, not_chosen, "that is not chosen, and must be", PROMISED},
	{"predictions", sample_placed, of_the_copy, "on segment 0, but the first kernel to come is 1",
		PROMISED},
	{"predictions", sample_placed, not_weighed, "at 0s 1 SMs of GPU 1 must be weighed, and are not",
		PROMISED},
	{"predictions", sample_placed, weighed_elsewhere,
		"on job 0 and 2 SMs of GPU 0: nothing of it is to be weighed", PROMISED},
	{"predictions", sample_placed, decided_later, "at 0s 1 SMs of GPU 1 must be weighed", PROMISED},
	{"predictions", sample_placed, lives_as_given, "of GPU 0 must be weighed, and are not", PROMISED},
	{"predictions", sample_placed, the_little_one, "nothing of it is to be weighed", PROMISED},
	{"placements", sample_placed, placed_elsewhere, "on 1 SMs of GPU 0: its kernel ran elsewhere",
		PROMISED},
	{"placements", sample_placed, placed_on_two, "on 2 SMs of GPU 1: its kernel ran elsewhere", PROMISED},
	{"placements", sample_placed, placed_twice, "chosen more than once", PROMISED},
	{"placements", sample_placed, placed_late, "another number of SMs there would not", PROMISED},
	{"placements", sample_placed, placed_for_more, "takes less energy", PROMISED},
	{"lengths", sample_placed, as_long_as_at_home, "the segment ran for 4ms, expected 2ms"},
	{"parts", sample_placed, kernel_at_home, "it is on another GPU"},
	{"parts", sample_gpus, copy_on_the_other, "it is on another GPU"},
	{"parts", sample_gpus, on_gpu_7, "it is on another GPU"},
	{"blocks", sample_gpus, block_on_the_other, "its kernel is on another GPU"},
	{"blocks", sample_gpus, block_on_sm_1, "it is on no SM of this platform"},
	{"gate", sample_gpus, both_on_gpu_1, "it started while task 'lidar' was admitted", PROMISED},
	{"copy-work", sample_gpus, gpu_1_idle, "its copy waits (since 6ms) though engine 0 is idle",
		PROMISED},
	{"sm-limits", sample_gpus, more_threads, "it takes 2048, but there are only 1024"},
	{"power-cover", sample_gpus, powers_of_the_other, "GPU 0: [0ms, 4ms) starts before"},
	{"power-level", sample_gpus, power_of_gpu_1, "GPU 1: [4ms, 6ms) has 801000 uW"},
	{"gpu-energy", sample_gpus, energy_moved, "GPU 0: its energy and times of activity are not those"},
	{"gpu-energy", sample_gpus, energy_more, "its energy is 49200 uJ"},
	{"gpu-energy", sample_gpus, activity_moved, "GPU 0: its energy and times of activity are not those"},
	{"gpu-energy", sample_gpus, one_without_row, "GPU 1: its energy and times of activity are not those"},
	{"gpu-energy", sample_gpus, activity_less, "gpu_active_ns is 5 more than its GPUs come to"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_gpus(const struct audit_result *law)
{
	return audit_is_of_gpus(law->law);
}

TEST("every law is tested")
{
	assert_laws_tested(on_gpus, defects, sizeof(defects) / sizeof(defects[0]));
}

TEST("what is right")
{
	struct audit_sample s = sample_gpus(), placed = sample_placed(), engines = sample_engines();
	assert_clean(&s);
	assert_clean(&engines);
	assert_clean(&placed);
}
