/* db/audit/predict_sections.c - describes GPU sections with kernels for predictions: how long the copies
 * take; how long the kernels take on a number of SMs, and with which power; what precedes and what follows a
 * section (docs/policies.md, "What is scheduled"). */
#include <stdlib.h>

#include "db/audit/predict.h"

/* Adds to a sum of lengths. False: it is longer than anything that is predicted. */
static bool lengthen(int64_t *sum, int64_t length)
{
	*sum = later_by(*sum, length);
	return length >= 0 && *sum <= LENGTH_MAX;
}

/* The segments of a task, as they are on the GPU. */
static const struct part_of_task *parts_on(const struct predictions *p, const struct member *t)
{
	return t->on ? t->on + (size_t)p->gpu * t->segments : t->segment;
}

/* The body on m SMs: its kernels and the copies between them, one after the other. */
static bool describe_body(const struct predictions *p, const struct member *t, struct section *s, uint32_t m)
{
	const struct part_of_task *part = parts_on(p, t);
	struct predict_stretch *kernel = &s->kernel[(size_t)(m - 1) * s->kernels];
	int64_t length, sum = 0, idle = p->machine->idle_uw * (int64_t)m;
	int128 dynamic_uw;
	for (uint32_t k = s->first, found = 0; found < s->kernels; k++) {
		if (part[k].kind != KIND_KERNEL) {
			if (!lengthen(&sum, part[k].alone_ns))
				return false;
			continue;
		}
		if (!kernel_at_worst(p->r, &part[k], m, &length, &dynamic_uw))
			return false;
		int128 added = dynamic_uw - idle;
		if (added > POWER_MAX || added < -POWER_MAX)
			return false;
		kernel[found++] = (struct predict_stretch){sum, length, (int64_t)added};
		if (!lengthen(&sum, length))
			return false;
	}
	s->body[m - 1] = sum;
	return true;
}

/* hd and dh: the copies in front of the first kernel and behind the last one. */
static bool describe_copies(const struct predictions *p, const struct member *t, struct section *s)
{
	const struct part_of_task *part = parts_on(p, t);
	uint32_t kernels = 0;
	int64_t behind = 0;
	for (uint32_t k = s->from; k < s->to; k++) {
		bool kernel = part[k].kind == KIND_KERNEL;
		if (kernel && kernels++ == 0)
			s->first = k;
		behind = kernel ? 0 : behind;
		if (!kernel && !lengthen(kernels ? &behind : &s->head, part[k].alone_ns))
			return false;
	}
	s->kernels = kernels;
	s->tail = behind;
	return true;
}

/* m_opt of the section: the least energy of its kernels, ties to the larger number. */
static uint32_t find_best(const struct predictions *p, const struct section *s)
{
	int128 least = 0, idle = (int128)p->machine->idle_uw * p->machine->sms;
	uint32_t best = 0;
	for (uint32_t m = p->machine->sms; m >= 1; m--) {
		const struct predict_stretch *kernel = &s->kernel[(size_t)(m - 1) * s->kernels];
		int128 energy = 0;
		for (uint32_t k = 0; k < s->kernels; k++)
			energy += kernel[k].length * (kernel[k].added_uw + idle);
		if (best == 0 || energy < least) {
			best = m;
			least = energy;
		}
	}
	return best;
}

/* The unit is the whole section: its copies are a part of the body. */
static bool take_copies_in(const struct predictions *p, struct section *s)
{
	for (uint32_t m = 1; m <= p->machine->sms; m++) {
		if (!lengthen(&s->body[m - 1], s->head) || !lengthen(&s->body[m - 1], s->tail))
			return false;
		for (uint32_t k = 0; k < s->kernels; k++)
			s->kernel[(size_t)(m - 1) * s->kernels + k].from += s->head;
	}
	s->head = s->tail = 0;
	s->best_sms = find_best(p, s);
	return true;
}

/* False: its numbers are not known, or (p->failed) out of memory. */
static bool describe(struct predictions *p, const struct member *t, struct section *s)
{
	const struct audit_machine *machine = p->machine;
	for (uint32_t k = 0; k < s->from; k++) {
		if (!lengthen(&s->before, t->segment[k].alone_ns))
			return false;
	}
	s->after = t->segment[s->from].behind_ns;
	s->best_sms = t->segment[s->from].best_sms;
	if (s->after < 0 || s->after > LENGTH_MAX || (!p->whole && s->best_sms == 0) ||
		!describe_copies(p, t, s))
		return false;
	s->body = arena_new(&p->arena, int64_t, machine->sms);
	s->kernel = arena_alloc(&p->arena, (size_t)machine->sms * s->kernels, sizeof(*s->kernel));
	if (!s->body || !s->kernel) {
		p->failed = true;
		return false;
	}
	for (uint32_t m = 1; m <= machine->sms; m++) {
		if (!describe_body(p, t, s, m))
			return false;
	}
	return !p->whole || take_copies_in(p, s);
}

static bool has_kernel(const struct member *t, uint32_t from, uint32_t to)
{
	bool any = false;
	for (uint32_t k = from; k < to; k++)
		any |= t->segment[k].kind == KIND_KERNEL;
	return any;
}

/* Writes the sections of a task into `section`; with NULL only counts them. */
static uint32_t find_sections(const struct member *t, struct section *section)
{
	uint32_t count = 0;
	for (uint32_t from = 0, to; from < t->segments; from = to) {
		for (to = from; to < t->segments && t->segment[to].kind != KIND_CPU &&
				t->segment[to].named == t->segment[from].named;
			to++)
			;
		if (to == from) {
			to++;
			continue;
		}
		if (!has_kernel(t, from, to))
			continue;
		if (section)
			section[count] = (struct section){.from = from, .to = to};
		count++;
	}
	return count;
}

/* Describes the tasks; returns the number of sections of the set. */
static uint32_t describe_tasks(struct predictions *p)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < p->r->tasks && !p->failed; i++) {
		const struct member *t = &p->r->task[i];
		struct sections_of_task *of = &p->task[i];
		of->last_release = NOT_GIVEN;
		of->stood_seq = -1;
		of->sections = find_sections(t, NULL);
		of->section = arena_new(&p->arena, struct section, of->sections);
		p->failed |= !of->section;
		count += of->sections;
		if (p->failed)
			break;
		(void)find_sections(t, of->section);
		for (uint32_t k = 0; k < of->sections && p->known; k++) {
			p->known = describe(p, t, &of->section[k]);
			of->farthest = latest(of->farthest, of->section[k].before);
		}
		p->known &= t->period_ns > 0 && t->deadline_ns != NOT_GIVEN;
	}
	return count;
}

/* r->machine is as this GPU sees it. */
struct predictions *predictions_new(const struct recording *r, uint32_t gpu)
{
	struct predictions *p = calloc(1, sizeof(*p));
	const struct audit_machine *machine = machine_of(r, gpu);
	if (!p)
		return NULL;
	p->r = r;
	p->machine = machine;
	p->gpu = gpu;
	p->whole = r->promise->places;
	p->known = (int128)machine->idle_uw * machine->sms <= POWER_MAX && machine->static_uw <= POWER_MAX;
	p->task = arena_new(&p->arena, struct sections_of_task, r->tasks);
	p->failed = !p->task;
	uint32_t sections = p->failed ? 0 : describe_tasks(p);
	p->source = arena_new(&p->arena, struct predict_source, sections);
	p->queue = (const struct track **)arena_alloc(&p->arena, r->tasks, sizeof(*p->queue));
	p->admitted = arena_new(&p->arena, struct running, r->tasks);
	p->busy = arena_new(&p->arena, bool, r->tasks);
	p->weighed = arena_new(&p->arena, struct weighed, machine->sms);
	p->occupying = arena_new(&p->arena, struct running, (size_t)r->tasks + machine->sms + 1);
	if (p->source && p->queue && p->admitted && p->busy && p->weighed && p->occupying && !p->failed)
		return p;
	predictions_free(p);
	return NULL;
}

void predictions_free(struct predictions *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->task && i < p->r->tasks; i++)
		free(p->task[i].recent);
	free(p->row_used);
	free(p->awaited);
	free(p->late);
	free(p->burst);
	arena_finish(&p->arena);
	free(p);
}

const struct section *predict_section(const struct predictions *p, uint32_t task, uint32_t segment)
{
	const struct sections_of_task *of = &p->task[task];
	for (uint32_t k = 0; k < of->sections; k++) {
		if (segment >= of->section[k].from && segment < of->section[k].to)
			return &of->section[k];
	}
	return NULL;
}
