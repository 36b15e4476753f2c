/* policies/sbeet/assign.c - `sbeet-mg` before the run: every task gets a home, one of the GPUs. By energy:
 * tasks in the order of their periods; each goes to the GPU on which its jobs cost least of those that still
 * have room. Or by bin packing, as the authors' baselines do: the largest task first, GPUs taken as alike.
 * What they leave open, and where a task goes for which there is no room, docs/policies.md says. See
 * policies/sbeet/fleet.h. */
#include <stdlib.h>

#include "policies/sbeet/fleet.h"

/* total / (parts * period), rounded up, in parts of FLEET_LOAD. */
static int128 share(int128 total, uint32_t parts, int64_t period)
{
	int128 whole = (int128)parts * period;
	int128 rest = total % whole;
	return total / whole * FLEET_LOAD + (rest * FLEET_LOAD + whole - 1) / whole;
}

/* The task's sections on m SMs of the GPU. */
static int128 time_on(const struct fleet *f, uint32_t task, uint32_t gpu, uint32_t m)
{
	const struct sbeet_model *model = &f->gpu[gpu].model;
	int128 sum = 0;
	for (uint32_t i = 0; i < sbeet_sections_of(model, task); i++)
		sum += sbeet_body(sbeet_section(model, task, i), m);
	return sum;
}

int128 fleet_load(const struct fleet *f, uint32_t task, uint32_t gpu)
{
	uint32_t sms = f->gpu[gpu].model.sms;
	int128 sum = 0;
	for (uint32_t m = 1; m <= sms; m++)
		sum += time_on(f, task, gpu, m);
	return sms > 0 ? share(sum, sms, f->set->tasks[task].period_ns) : 0;
}

int128 fleet_size(const struct fleet *f, uint32_t task)
{
	int128 sum = 0;
	for (uint32_t g = 0; g < f->gpus; g++)
		sum += fleet_load(f, task, g);
	return (sum + f->gpus - 1) / f->gpus;
}

/* The same with every section on its m_opt SMs: what the authors count for a task that had no room. */
static int128 load_at_best(const struct fleet *f, uint32_t task, uint32_t gpu)
{
	const struct sbeet_model *model = &f->gpu[gpu].model;
	int128 sum = 0;
	for (uint32_t i = 0; i < sbeet_sections_of(model, task); i++) {
		const struct sbeet_section *section = sbeet_section(model, task, i);
		sum += sbeet_body(section, section->m_opt);
	}
	return share(sum, 1, f->set->tasks[task].period_ns);
}

static int by_key(const void *x, const void *y, void *keys)
{
	const int128 *key = keys;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	return key[a] != key[b] ? (key[a] > key[b]) - (key[a] < key[b]) : (a > b) - (a < b);
}

/* Fills in f->order: the smallest f->key first, ties by index. */
static void sort_tasks(struct fleet *f)
{
	for (uint32_t i = 0; i < f->set->task_count; i++)
		f->order[i] = i;
	qsort_r(f->order, f->set->task_count, sizeof(*f->order), by_key, f->key);
}

static void live(struct fleet *f, uint32_t task, uint32_t gpu, int128 load)
{
	f->home[task] = gpu;
	f->load[gpu] += load;
}

/* The first GPU, in the order of their cost, on which there is room for the task; else the one that would be
 * loaded least with it, and is then charged with the task on m_opt SMs. */
static void live_cheaply(struct fleet *f, uint32_t task)
{
	uint32_t least = 0;
	for (uint32_t i = 0; i < f->gpus; i++) {
		uint32_t g = f->ranking[(size_t)task * f->gpus + i];
		int128 load = fleet_load(f, task, g);
		if (f->load[g] + load <= FLEET_LOAD) {
			live(f, task, g, load);
			return;
		}
	}
	for (uint32_t g = 1; g < f->gpus; g++)
		if (f->load[g] + fleet_load(f, task, g) < f->load[least] + fleet_load(f, task, least))
			least = g;
	live(f, task, least, load_at_best(f, task, least));
}

/* Is GPU a a better bin than b? Both have room, or it does not matter. */
static bool better_bin(const struct fleet *f, enum fleet_assign how, uint32_t a, uint32_t b)
{
	return how == FLEET_BEST ? f->load[a] > f->load[b] : how == FLEET_WORST && f->load[a] < f->load[b];
}

/* Bins are taken as alike: the task has one size. */
static void pack(struct fleet *f, enum fleet_assign how, uint32_t task)
{
	int128 size = fleet_size(f, task);
	uint32_t best = f->gpus;
	for (uint32_t g = 0; g < f->gpus; g++) {
		bool room = how == FLEET_WORST || f->load[g] + size <= FLEET_LOAD;
		if (room && (best == f->gpus || better_bin(f, how, g, best)))
			best = g;
	}
	if (best == f->gpus && how != FLEET_WORST)
		pack(f, FLEET_WORST, task);
	else
		live(f, task, best, size);
}

static uint32_t named(const struct task *task)
{
	for (uint32_t i = 0; i < task->segment_count; i++)
		if (task->segments[i].kind == SEGMENT_KERNEL)
			return task->segments[i].gpu;
	return 0;
}

void fleet_assign(struct fleet *f)
{
	enum fleet_assign how = f->options.assign;
	for (uint32_t i = 0; i < f->set->task_count; i++)
		f->key[i] = how == FLEET_ENERGY ? f->set->tasks[i].period_ns : -fleet_size(f, i);
	sort_tasks(f);
	for (uint32_t i = 0; i < f->set->task_count; i++) {
		uint32_t task = f->order[i];
		if (how == FLEET_ENERGY)
			live_cheaply(f, task);
		else if (how == FLEET_GIVEN)
			live(f, task, named(&f->set->tasks[task]), 0);
		else
			pack(f, how, task);
	}
}
