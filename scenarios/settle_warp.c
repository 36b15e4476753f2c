/* scenarios/settle_warp.c - checks and sets what concerns several values of `warp:` at once: names, the set
 * of kernels on its platform, the time of a run, and keys and policies that `warp:` excludes. */
#include "scenarios/settle_warp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/name_index.h"
#include "models/warps/options.h"
#include "policies/registry.h"
#include "scenarios/settle_caches.h"

/* ---- Keys and policies that `warp:` excludes ---- */

static bool check_other_keys(struct binder *b, const struct node *root, const struct description *d)
{
	const struct {
		const char *key;
		bool wrong;
		const char *why;
	} others[] = {
		{"profiles", true,
			"'profiles' measure kernels as a whole; with 'warp' a kernel is a program"},
		{"release", d->release.kind != RELEASE_PERIODIC,
			"'release' is for tasks; a kernel of 'warp' is launched as its keys launch, period "
			"and "
			"repeat say"},
		{"execution", d->execution.kind != EXECUTION_WORST,
			"'execution' is for times of segments; a kernel of 'warp' takes what its program "
			"takes"},
		{"on_miss", d->on_miss != MISS_CONTINUE,
			"'on_miss' is for tasks; a job of a kernel of 'warp' runs on after its deadline"},
		{"ties", d->ties != TIES_TASK_ORDER,
			"'ties' is for resources of tasks; with 'warp' there is one order for everything"},
	};
	bool ok = true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (others[i].wrong && node_has(root, others[i].key))
			ok = binder_error_at(b, root, others[i].key, "%s", others[i].why);
	}
	return ok;
}

/* Lists the policies that schedule warps: "lrr, gto, ...". */
static void list_warp_policies(char *list, size_t size)
{
	list[0] = '\0';
	for (const struct policy *const *p = policy_all(); *p; p++) {
		size_t used = strlen(list);
		if (!(*p)->plan)
			snprintf(list + used, size - used, "%s%s", used ? ", " : "", (*p)->name);
	}
}

static bool kind_fits(const struct policy *policy, bool warps, struct error *err)
{
	char list[256];
	list_warp_policies(list, sizeof(list));
	if (warps && policy->plan)
		return error_set(err, STATUS_INPUT,
			"policy '%s' schedules blocks; a scenario with 'warp' wants one that schedules "
			"warps: %s",
			policy->name, list);
	return warps || policy->plan ||
	       error_set(err, STATUS_INPUT,
		       "policy '%s' schedules warps; it goes with 'warp', not with 'tasks'", policy->name);
}

bool scenario_takes(const struct scenario *s, const struct policy_use *use, struct error *err)
{
	struct warp_options options;
	struct error why;
	if (!kind_fits(use->policy, s->set.warps, err))
		return false;
	return !s->set.warps ||
	       warp_options_read((enum warp_scheduler_kind)use->policy->warp_scheduler, &use->params,
		       s->set.warps, &s->platform, &options, &why) ||
	       error_set(err, why.status, "policy '%s': %s", use->policy->name, why.text);
}

bool check_policies(struct binder *b, const struct node *root, const struct description *d, bool warps,
	const struct scenario *complete)
{
	const struct node *list = node_find(root, "policies");
	bool ok = true;
	for (uint32_t i = 0; list && i < d->policy_count; i++) {
		const struct policy_use *use = &d->policies[i];
		struct error err;
		if (!use->policy)
			continue;
		if (!(complete ? scenario_takes(complete, use, &err) : kind_fits(use->policy, warps, &err)))
			ok = binder_error(b, node_item(list, i), "%s", err.text);
	}
	return ok;
}

/* ---- The set ---- */

struct settling {
	struct binder *binder;
	const struct node *root;
	const struct kernel_entry *entry[WARP_KERNELS_MAX]; /* of the kernels of the set */
};

/* Checks all kernels, also those with other errors. */
static bool check_kernels(struct binder *b, const struct node *root)
{
	const struct node *list = node_find(node_find(root, "warp"), "kernels");
	bool ok = true;
	for (const struct node *k = list->first; k; k = k->next)
		ok = (k->kind != NODE_MAP || check_completeness(b, k)) && ok;
	return ok;
}

static bool check_names(struct binder *b, const struct warp_entry *w)
{
	bool ok = true;
	struct name_index names;
	if (w->kernel_count == 0)
		return true;
	name_index_init(&names, &w->kernels->name, sizeof(*w->kernels), w->kernel_count);
	for (uint32_t i = 1; i < w->kernel_count; i++) {
		const struct kernel_entry *e = &w->kernels[i];
		uint32_t first = name_index_first(&names, e->name);
		if (e->at && first < i && w->kernels[first].at)
			ok = binder_error_name(b, e->at, w->kernels[first].at, "kernel", e->name);
	}
	name_index_finish(&names);
	return ok;
}

static void report_defect(void *self, uint32_t kernel, const char *text)
{
	const struct settling *s = self;
	const struct node *place = node_find(s->root, "platform");
	if (kernel != UINT32_MAX)
		place = s->entry[kernel]->at;
	binder_error(s->binder, place ? place : node_find(s->root, "warp"), "%s", text);
}

/* Makes the set of the kernels without errors, with a task for each. */
static bool make_set(struct settling *s, const struct warp_entry *w, struct taskset *set)
{
	set->warps = arena_new(&set->arena, struct warp_set, 1);
	set->tasks = arena_new(&set->arena, struct task, w->kernel_count);
	struct warp_kernel *kernels = arena_new(&set->arena, struct warp_kernel, w->kernel_count);
	if (!set->warps || !set->tasks || !kernels)
		return binder_no_memory(s->binder);
	*set->warps = (struct warp_set){.machine = w->machine, .kernels = kernels};
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct kernel_entry *e = &w->kernels[i];
		uint32_t n = set->task_count;
		if (!e->sound)
			continue;
		s->entry[n] = e;
		kernels[n] = e->kernel;
		set->tasks[n] = (struct task){.name = e->name, .deadline_ns = e->deadline_ns};
		set->task_count = ++set->warps->kernel_count;
	}
	return warp_set_tasks(set) || binder_no_memory(s->binder);
}

bool settle_warps(struct binder *b, const struct node *root, const struct description *d, bool platform,
	struct scenario *scenario)
{
	const struct warp_entry *w = &d->warp;
	const struct node *clock = node_find(node_find(root, "warp"), "clock");
	struct settling s = {.binder = b, .root = root};
	bool ok = check_other_keys(b, root, d);
	ok = check_kernels(b, root) && ok;
	ok = check_names(b, w) && ok;
	if (!make_set(&s, w, &scenario->set) || !platform || (clock && !w->clock_sound) ||
		!scenario->set.task_count)
		return false;
	if (!settle_caches(b, node_find(node_find(root, "warp"), "memory"), &scenario->platform,
		    &scenario->set.warps->machine))
		return false;
	ok = warp_set_check(scenario->set.warps, &scenario->platform, report_defect, &s) == 0 && ok;
	return ok && scenario->set.task_count == w->kernel_count;
}

/* ---- Time ---- */

bool settle_cycles(struct binder *b, const struct node *root, const struct description *d, int64_t *ns)
{
	const struct warp_machine *m = &d->warp.machine;
	const struct node *place = node_find(node_find(root, "horizon"), "cycles");
	int64_t cycles = d->horizon.cycles;
	if (!node_has(root, "warp"))
		return binder_error(
			b, place, "'cycles' are those of 'warp'; tasks want a duration or hyperperiods");
	if (!checked_mul_ceil_div(cycles, 1000000000, m->clock_hz, ns) || warp_cycles(m, *ns) != cycles) {
		char clock[UNIT_TEXT_MAX];
		return binder_error(b, place,
			"at %s no whole number of nanoseconds has %" PRId64 " cycles; %" PRId64 " or %" PRId64
			" is possible",
			unit_format(UNIT_FREQUENCY, m->clock_hz, clock), cycles, warp_cycles(m, *ns - 1),
			warp_cycles(m, *ns));
	}
	return true;
}

bool check_span(struct binder *b, const struct node *root, const struct scenario *scenario)
{
	struct error err;
	if (scenario->setup.horizon_ns == 0)
		return true; /* the error has been reported */
	return warp_span_check(&scenario->set.warps->machine, &scenario->setup, &err) ||
	       binder_error_at(
		       b, root, strncmp(err.text, "'limit'", 7) == 0 ? "limit" : "horizon", "%s", err.text);
}
