/* tests/unit/test_audit_gpu.c - the laws on blocks, SMs, the primary queue and power. Each law accepts a
 * correct recording, and finds something when one row of it is wrong. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void block_too_short(struct audit_sample *s)
{
	block(s, 0, 0, 1)->end_ns -= 1;
}

static void block_twice(struct audit_sample *s)
{
	block(s, 0, 0, 2)->block = 1;
}

static void block_too_many(struct audit_sample *s)
{
	block(s, 0, 0, 2)->block = 3;
}

static void other_threads(struct audit_sample *s)
{
	block(s, 1, 0, 2)->threads = 992;
}

static void preempted_block(struct audit_sample *s)
{
	block(s, 1, 0, 2)->ended_code = ROW_SPAN_PREEMPTED;
}

static void no_such_sm(struct audit_sample *s)
{
	block(s, 1, 0, 2)->sm = 2;
}

static void block_of_nobody(struct audit_sample *s)
{
	block(s, 0, 1, 2)->seq = 0;
}

static void lost_block(struct audit_sample *s)
{
	*block(s, 0, 1, 2) = s->block[--s->blocks];
}

static void longer_span(struct audit_sample *s)
{
	interval(s, 1, 0, 1)->end_ns += 1;
}

static void too_many_threads(struct audit_sample *s)
{
	s->platform.threads_per_sm = 2047;
}

static void too_many_blocks(struct audit_sample *s)
{
	s->platform.blocks_per_sm = 1;
}

static void too_many_warps(struct audit_sample *s)
{
	s->platform.warps_per_sm = 63;
}

static void too_many_registers(struct audit_sample *s)
{
	s->segment[2].registers = 32;
	s->platform.registers_per_sm = 65535;
}

static void too_much_shared_memory(struct audit_sample *s)
{
	s->segment[2].shared_memory = 8;
	s->platform.shared_memory_per_sm = 15;
}

/* Two blocks fit the SM's memory, but not the division that the first one made of it. */
static void too_small_a_division(struct audit_sample *s)
{
	s->segment[2].shared_memory = s->segment[2].carveout = 8;
	s->platform.shared_memory_per_sm = 16;
	s->platform.divisions = "[0,8,16]";
}

static void one_slot_for_two(struct audit_sample *s)
{
	block(s, 0, 1, 2)->slot = 0;
}

static void pool_too_small(struct audit_sample *s)
{
	s->platform.threads_per_sm = 39;
}

static void virtual_sms_shared(struct audit_sample *s)
{
	block(s, 0, 0, 1)->sm = 0;
	block(s, 0, 0, 1)->slot = 3;
}

static void overtaking(struct audit_sample *s)
{
	/* lidar's first block takes the place of camera's third, which starts when lidar's ends. */
	block(s, 1, 0, 0)->sm = 0;
	shift(4 * MS, &block(s, 0, 0, 2)->start_ns, &block(s, 0, 0, 2)->end_ns);
}

static void high_stream_passed_over(struct audit_sample *s)
{
	s->segment[6].stream_priority = "high";
}

static void later_release_first(struct audit_sample *s)
{
	s->params = "{\"order\":\"release\"}";
	job(s, 0, 0)->release_ns = 1;
}

static void lower_first_ties(struct audit_sample *s)
{
	s->run.ties = "lower-first";
}

static void far_slot(struct audit_sample *s)
{
	block(s, 1, 0, 3)->slot = 2;
}

static void block_too_early(struct audit_sample *s)
{
	shift(-2 * MS, &block(s, 1, 0, 0)->start_ns, &block(s, 1, 0, 0)->end_ns);
}

static void idle_sm(struct audit_sample *s)
{
	shift(1, &block(s, 1, 0, 3)->start_ns, &block(s, 1, 0, 3)->end_ns);
}

static void fuller_sm(struct audit_sample *s)
{
	block(s, 0, 1, 1)->sm = 0;
	block(s, 0, 1, 2)->sm = 1;
	block(s, 0, 1, 0)->sm = 1;
}

static void gap_in_power(struct audit_sample *s)
{
	s->power[2].start_ns += 1;
}

static void power_overlaps(struct audit_sample *s)
{
	s->power[2].start_ns -= 1;
}

static void power_ends_early(struct audit_sample *s)
{
	s->power[s->powers - 1].end_ns -= 1;
}

static void lost_sm(struct audit_sample *s)
{
	s->power[1].idle_sms = 1;
}

static void other_power(struct audit_sample *s)
{
	s->power[1].power_uw += 1;
	s->run.energy_uj += 3;
}

static void other_active(struct audit_sample *s)
{
	s->power[1].active_sms = 1;
	s->power[1].idle_sms = 1;
}

static void other_energy(struct audit_sample *s)
{
	s->run.energy_rest_uwns += 1;
}

static void energy_overflows(struct audit_sample *s)
{
	s->run.energy_uj -= 1;
	s->run.energy_rest_uwns += 1000000000;
}

static void no_power(struct audit_sample *s)
{
	s->powers = 0;
}

static void lower_power_and_energy(struct audit_sample *s)
{
	s->power[1].power_uw -= 1000000;
	s->run.energy_uj -= 3000;
}

static void longer_active(struct audit_sample *s)
{
	s->run.gpu_active_ns++;
}

static void more_active(struct audit_sample *s)
{
	s->run.sm_active_ns--;
}

static void other_active_everywhere(struct audit_sample *s)
{
	s->power[1].active_sms = s->power[1].idle_sms = 1;
	s->run.sm_active_ns -= 3 * MS;
}

static void no_activity(struct audit_sample *s)
{
	s->run.gpu_active_ns = s->run.sm_active_ns = DB_NULL;
}

static void other_task_energy(struct audit_sample *s)
{
	s->figures[1].energy_rest_uwns++;
}

static void energy_of_idle_sms(struct audit_sample *s)
{
	s->run.sm_active_ns--;
}

static void no_task_energy(struct audit_sample *s)
{
	s->figures[1].energy_uj = s->figures[1].energy_rest_uwns = DB_NULL;
}

/* The sum does not change. */
static void energy_of_another(struct audit_sample *s)
{
	s->figures[0].energy_rest_uwns++;
	s->figures[1].energy_uj--;
	s->figures[1].energy_rest_uwns += 999999999;
}

static void no_energy(struct audit_sample *s)
{
	s->run.energy_uj = s->run.energy_rest_uwns = DB_NULL;
}

static const struct defect defects[] = {
	{"blocks", sample_fifo, block_too_short,
		"task 'camera', job 0, segment 2, block 1 on SM 1 [3ms, 5.999999ms)"},
	{"blocks", sample_fifo, block_twice, "placed before"},
	{"blocks", sample_fifo, block_too_many, "no such block"},
	{"blocks", sample_fifo, other_threads, "another number of threads"},
	{"blocks", sample_fifo, preempted_block, "blocks are not preempted"},
	{"blocks", sample_fifo, no_such_sm, "no SM of this platform"},
	{"blocks", sample_fifo, block_of_nobody, "not at this kernel then"},
	{"kernel-span", sample_fifo, lost_block, "2 of its 3 blocks were placed"},
	{"kernel-span", sample_fifo, longer_span, "its blocks were there from 3ms to 10ms"},
	{"sm-limits", sample_fifo, too_many_threads,
		"1024 threads are in use and it takes 1024, but there are only 2047"},
	{"sm-limits", sample_fifo, too_many_blocks, "1 blocks are in use and it takes 1"},
	{"sm-limits", sample_fifo, too_many_warps, "32 warps are in use"},
	{"sm-limits", sample_fifo, too_many_registers, "32768 registers are in use"},
	{"sm-limits", sample_fifo, too_much_shared_memory, "8 bytes of shared memory are in use"},
	{"sm-limits", sample_fifo, too_small_a_division,
		"8 bytes of shared memory are in use and it takes 8, but there are only 8"},
	{"sm-limits", sample_streams, pool_too_small,
		"0 threads are in use and it takes 40, but there are only 39"},
	{"sm-limits", sample_work, virtual_sms_shared, "2048 threads are in use"},
	{"slots", sample_fifo, one_slot_for_two, "it is in slot 0, but the least free one is 1"},
	{"slots", sample_fifo, far_slot, "it is in slot 2, but the least free one is 0"},
	{"r1-order", sample_fifo, overtaking, "task 'camera', in front of it"},
	{"r1-order", sample_fifo, high_stream_passed_over, "task 'lidar', in front of it"},
	{"r1-order", sample_fifo, later_release_first, "task 'lidar', in front of it", PROMISED},
	{"r1-order", sample_fifo, lower_first_ties, "task 'lidar', in front of it", PROMISED},
	{"r1-order", sample_streams, block_too_early, "before its kernel became head of its stream",
		PROMISED},
	{"r1-order", sample_section, block_too_early, "before its kernel was admitted", PROMISED},
	{"r1-work", sample_fifo, idle_sm,
		"at 6ms it is head of the primary queue with 1 of 4 blocks to place, and SM 1"},
	{"sm-choice", sample_fifo, fuller_sm, "SM 0 has more threads free, or goes first"},
	{"power-cover", sample_fifo, gap_in_power, "starts some time after the one before has ended, at 6ms"},
	{"power-cover", sample_fifo, power_overlaps, "starts before the one before has ended, at 6ms"},
	{"power-cover", sample_fifo, power_ends_early,
		"the last one ends at 29.999999ms, the window at 30ms"},
	{"power-cover", sample_fifo, lost_sm, "counts 2 active and 1 idle SMs, but there are 2"},
	{"power-level", sample_fifo, other_power,
		"1900001 uW with 2 active SMs, expected 1900000 uW with 2 from 3ms to 6ms"},
	{"power-level", sample_section, other_power, "expected 4500001 uW"},
	{"power-level", sample_fifo, other_active, "with 1 active SMs, expected 1900000 uW with 2"},
	{"energy", sample_fifo, other_energy, "but its power intervals come to 38100 uJ + 0 uW*ns"},
	{"energy", sample_fifo, energy_overflows, "energy_rest_uwns is 1000000000"},
	{"power-cover", sample_fifo, no_power, "the last one ends at 0ms, the window at 30ms"},
	{"energy", sample_fifo, lower_power_and_energy, "but its blocks come to 38100 uJ + 0"},
	{"energy", sample_fifo, no_energy, "energy_rest_uwns is"},
	{"activity", sample_fifo, longer_active,
		"gpu_active_ns is 10000001 and sm_active_ns 20000000, but its power"},
	{"activity", sample_fifo, more_active, "but its power intervals come to 10000000 and 20000000"},
	{"activity", sample_fifo, other_active_everywhere, "but its blocks come to 10000000 and 20000000"},
	{"activity", sample_fifo, no_activity, "gpu_active_ns is -1"},
	{"energy-parts", sample_fifo, other_task_energy, "come to 38100 uJ + 1 uW*ns"},
	{"energy-parts", sample_section, energy_of_idle_sms, "static, idle SMs' and tasks' energy come to"},
	{"energy-parts", sample_fifo, no_task_energy, "the energy of task 'lidar' is -1 uJ"},
	{"energy-parts", sample_fifo, no_activity, "not recorded, though power is given"},
	{"task-energy", sample_fifo, energy_of_another,
		"task 'camera' is 5250 uJ + 1 uW*ns, by its blocks 5250 uJ + 0 uW*ns"},
	{"task-energy", sample_section, energy_of_another, "the energy of task"},
	{"task-energy", sample_streams, energy_of_another, "the energy of task"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool mine(const struct audit_result *law)
{
	bool power = strncmp(law->law, "power", 5) == 0 || strncmp(law->law, "energy", 6) == 0 ||
		     strcmp(law->law, "activity") == 0;
	bool flights = strncmp(law->law, "flight-", 7) == 0; /* test_audit_flights.c */
	return (strcmp(law->level, "blocks") == 0 || power) && !flights && !audit_is_of_policies(law->law) &&
	       !audit_is_of_masks(law);
}

TEST("every law is tested")
{
	assert_laws_tested(mine, defects, sizeof(defects) / sizeof(defects[0]));
}
