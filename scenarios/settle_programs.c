/* scenarios/settle_programs.c - see scenarios/settle_programs.h. */
#include "scenarios/settle_programs.h"

#include <inttypes.h>

#include "models/warps/inside.h"
#include "scenarios/settle_caches.h"

struct reporting {
	const struct taskset *set;
	struct binder *binder;
	const struct node *root;
	taskset_report_fn *report;
	void *self;
};

/* A defect of a program, or of the platform or the machine. */
static void report_defect(void *self, uint32_t kernel, const char *text)
{
	const struct reporting *r = self;
	for (uint32_t i = 0; kernel != UINT32_MAX && i < r->set->task_count; i++) {
		const struct task *t = &r->set->tasks[i];
		for (uint32_t j = 0; j < t->segment_count; j++)
			if (t->segments[j].kind == SEGMENT_KERNEL && t->segments[j].form == KERNEL_PROGRAM &&
				t->segments[j].program == kernel)
				r->report(r->self, i, j, text);
	}
	const struct node *place = node_find(r->root, "platform");
	if (kernel == UINT32_MAX)
		binder_error(r->binder, place ? place : node_find(r->root, "tasks"), "%s", text);
}

static bool check_room(struct binder *b, const struct node *root, const struct platform *p)
{
	const struct node *place = node_find(root, "platform");
	struct error err;
	return inside_fits(p, &err) || binder_error(b, place ? place : root, "%s", err.text);
}

bool settle_programs(struct binder *b, const struct node *root, const struct programs_entry *entry,
	bool sound, struct scenario *s, taskset_report_fn *report, void *self)
{
	bool given = node_has(root, "programs");
	const struct node *memory = node_find(node_find(root, "programs"), "memory");
	struct warp_machine machine = given ? entry->machine : warp_machine_default();
	enum warp_scheduler_kind scheduler =
		given ? (enum warp_scheduler_kind)entry->scheduler : SCHEDULE_GTO;
	struct reporting r = {&s->set, b, root, report, self};
	uint32_t count;
	if (!settle_caches(b, memory, &s->platform, &machine))
		return false;
	if (!programs_collect(&s->set, &machine, scheduler, &count)) {
		if (count <= WARP_KERNELS_MAX)
			return binder_no_memory(b);
		return binder_error(b, node_find(root, "tasks"),
			"%" PRIu32 " kernels are programs of warps; at most %u can be", count,
			WARP_KERNELS_MAX);
	}
	if (count == 0)
		return !given || !sound ||
		       binder_error_at(b, root, "programs",
			       "'programs' is for kernels with a 'program'; no task has one");
	return check_room(b, root, &s->platform) &&
	       warp_set_check(s->set.programs->warps, &s->platform, report_defect, &r) == 0;
}
